"""JSON Lines: a page a line, its HTML in one of the fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from stupidos.render.sniff import PAGE_FIELDS
from stupidos.scale.compression import open_decompressed
from stupidos.scale.files import printable_path
from stupidos.scale.json_fields import fields
from stupidos.scale.source_items import MAX_RECORD_BYTES, Raw, SourceItem, shortened

FIELDS = PAGE_FIELDS  # where the page is when nobody says; text is taken for a dump
MAX_UNIT_LINES = 64
UNIT_BYTES = 4 << 20  # bytes of lines that go to a worker at once
MAX_WHOLE_PARSE = 4 << 20  # bytes of a line that is parsed as a whole, which may take forty times the room
MAX_OTHERS = 1000  # fields of such a line that are handed through
CHUNK = 1 << 20  # bytes of a line too long that are thrown away at once
TOO_LONG = b""  # stands for a line that is longer than MAX_RECORD_BYTES


class Lines(NamedTuple):
    """Some lines of a file, which one process reads and others work on."""

    path: str
    first: int  # number of the first line, from 1
    lines: tuple[bytes, ...]
    field: str | None = None

    @property
    def size(self) -> int:
        return sum(map(len, self.lines))

    def items(self, most: int) -> Iterator[SourceItem]:
        """The pages of the lines, yet to be parsed; one that holds none becomes a page with an error."""
        parse = partial(page, field=self.field, most=most)
        for number, line in enumerate(self.lines, self.first):
            name = f"{printable_path(self.path)}:{number}"
            if line == TOO_LONG:
                yield Raw(name, error=f"a line of more than {MAX_RECORD_BYTES >> 20} MB")
            elif not line.isspace():
                yield Raw(name, line, parse=parse)


def pieces(path: str, field: str | None) -> Iterator[Lines]:
    """A file cut up, a few megabytes at a time."""
    with open_decompressed(path) as file:
        yield from pieces_of(file, path, field)


def pieces_of(file: BinaryIO, path: str, field: str | None) -> Iterator[Lines]:
    """The same for an open file, which need not be able to seek."""
    lines: list[bytes] = []
    size, first = 0, 1
    while line := file.readline(MAX_RECORD_BYTES + 1):
        if len(line) > MAX_RECORD_BYTES and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = file.readline(CHUNK)
            line = TOO_LONG
        lines.append(line)
        size += len(line)
        if len(lines) == MAX_UNIT_LINES or size >= UNIT_BYTES:
            yield Lines(path, first, tuple(lines), field)
            first += len(lines)
            lines, size = [], 0
    if lines:
        yield Lines(path, first, tuple(lines), field)


def page(raw: Raw, field: str | None, most: int) -> Raw:
    """The page in a line, whose id stays unless the line brings its own.

    >>> found = page(Raw("x:1", b'{"id": 7, "url": "http://e.org", "html": "<p>Hi"}'), None, 100)
    >>> found.id, found.data, found.url
    ('7', '<p>Hi', 'http://e.org')
    >>> page(Raw("x:2", b'{"html": '), None, 100).error
    'not JSON: Expecting value (character 9)'
    """
    name, line = raw.id, raw.data
    assert isinstance(line, bytes)
    wanted = (field,) if field else FIELDS
    try:
        whole = len(line) <= MAX_WHOLE_PARSE
        record: Any = json.loads(line) if whole else fields(line, ("id", "url", *wanted), MAX_OTHERS)
    except json.JSONDecodeError as error:
        return Raw(name, error=f"not JSON: {error.msg} (character {error.pos})")
    except (ValueError, RecursionError) as error:  # not UTF-8, numbers of 5,000 digits, [[[[[[
        return Raw(name, error=f"not JSON: {error}")
    if not isinstance(record, dict):
        return Raw(name, error="not a JSON object")
    used = next((one for one in wanted if isinstance(record.get(one), str)), "")
    own = record.get("id")
    found = Raw(
        str(own) if own not in (None, "") else name,
        url=str(record.get("url") or ""),
        fields={other: value for other, value in record.items() if other not in (used, "id", "url")},
    )
    if not used:
        return found._replace(error=f"no text in the field {' or '.join(wanted)}")
    data, truncated = shortened(record[used], most)
    return found._replace(data=data, truncated=truncated, dump=not field and used == "text")
