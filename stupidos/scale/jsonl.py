"""Read JSON Lines and Parquet: one page per line or row, its HTML in one of the fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO, NamedTuple

from stupidos.render.sniff import PAGE_FIELDS
from stupidos.scale import parquet
from stupidos.scale.compression import open_decompressed
from stupidos.scale.files import printable_path
from stupidos.scale.json_fields import fields
from stupidos.scale.source_items import MAX_RECORD_BYTES, PARQUET, Raw, SourceItem, shortened

_FIELDS = PAGE_FIELDS  # fields tried by default; the text field holds plain text
_MAX_UNIT_LINES = 64
_UNIT_BYTES = 4 << 20  # bytes of lines passed to a worker at once
_MAX_WHOLE_PARSE = 4 << 20  # bytes; parsing a line as a whole may take forty times its size
_MAX_OTHERS = 1000  # fields of such a line that are handed through
_CHUNK = 1 << 20  # bytes of an overlong line discarded at once
_TOO_LONG = b""  # stands for a line that is longer than MAX_RECORD_BYTES


class Lines(NamedTuple):
    """Some lines of a file, read by one process and parsed by the others."""

    path: str
    first: int  # number of the first line, from 1
    lines: tuple[bytes, ...]
    field: str | None = None

    @property
    def size(self) -> int:
        return sum(map(len, self.lines))

    def items(self, most: int) -> Iterator[SourceItem]:
        """One unparsed page per line; an overlong line becomes a page with an error."""
        parse = partial(page, field=self.field, most=most)
        for number, line in enumerate(self.lines, self.first):
            name = f"{printable_path(self.path)}:{number}"
            if line == _TOO_LONG:
                yield Raw(name, error=f"a line of more than {MAX_RECORD_BYTES >> 20} MB")
            elif not line.isspace():
                yield Raw(name, line, parse=parse)


def pieces(path: str, field: str | None) -> Iterator[Lines]:
    """Cut a file into groups of lines of a few megabytes."""
    if path.lower().endswith(PARQUET):
        yield from _pieces_of_lines(parquet.lines(path), path, field)
        return
    with open_decompressed(path) as file:
        yield from pieces_of(file, path, field)


def pieces_of(file: BinaryIO, path: str, field: str | None) -> Iterator[Lines]:
    """The same for an open file, seekable or not."""
    return _pieces_of_lines(_lines_of(file), path, field)


def _lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; _TOO_LONG in place of those that are."""
    while line := file.readline(MAX_RECORD_BYTES + 1):
        if len(line) > MAX_RECORD_BYTES and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = file.readline(_CHUNK)
            line = _TOO_LONG
        yield line


def _pieces_of_lines(records: Iterable[bytes], path: str, field: str | None) -> Iterator[Lines]:
    """Lines in groups of a few megabytes."""
    lines: list[bytes] = []
    size, first = 0, 1
    try:
        for line in records:
            lines.append(line if len(line) <= MAX_RECORD_BYTES + 1 else _TOO_LONG)
            size += len(line)
            if len(lines) == _MAX_UNIT_LINES or size >= _UNIT_BYTES:
                yield Lines(path, first, tuple(lines), field)
                first += len(lines)
                lines, size = [], 0
    except Exception:  # of a truncated file, what was read comes first
        if lines:
            yield Lines(path, first, tuple(lines), field)
        raise
    if lines:
        yield Lines(path, first, tuple(lines), field)


def page(raw: Raw, field: str | None, most: int) -> Raw:
    """Parse the page in a line; its id is that of the record, if there is one.

    >>> parsed = page(Raw("x:1", b'{"id": 7, "url": "http://e.org", "html": "<p>Hi"}'), None, 100)
    >>> parsed.id, parsed.data, parsed.url
    ('7', '<p>Hi', 'http://e.org')
    >>> page(Raw("x:2", b'{"html": '), None, 100).error
    'not JSON: Expecting value (character 9)'
    """
    name, line = raw.id, raw.data
    assert isinstance(line, bytes)
    wanted = (field,) if field else _FIELDS
    try:
        whole = len(line) <= _MAX_WHOLE_PARSE
        record: Any = json.loads(line) if whole else fields(line, ("id", "url", *wanted), _MAX_OTHERS)
    except json.JSONDecodeError as error:
        return Raw(name, error=f"not JSON: {error.msg} (character {error.pos})")
    except (ValueError, RecursionError) as error:  # not UTF-8, numbers of 5,000 digits, [[[[[[
        return Raw(name, error=f"not JSON: {error}")
    if not isinstance(record, dict):
        return Raw(name, error="not a JSON object")
    used = next((one for one in wanted if isinstance(record.get(one), str)), "")
    own = record.get("id")
    parsed = Raw(
        str(own) if own not in (None, "") else name,
        url=str(record.get("url") or ""),
        fields={other: value for other, value in record.items() if other not in (used, "id", "url")},
    )
    if not used:
        return parsed._replace(error=f"no text in the field {' or '.join(wanted)}")
    data, truncated = shortened(record[used], most)
    return parsed._replace(data=data, truncated=truncated, dump=not field and used == "text")
