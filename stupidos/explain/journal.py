"""The append-only journal of an annotation: what was said is on the disk before it is answered.

One JSON object a line. A line that was cut off by a crash was never acknowledged and is taken
off when the journal is opened again; a damaged line anywhere else is an error that names it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from io import FileIO
from pathlib import Path
from typing import Any

from stupidos.errors import CorpusError
from stupidos.explain.labels import quoted
from stupidos.page import Kind

FILE = "journal.jsonl"
LONGEST_KEY = 64
CHUNK = 1 << 16  # bytes read at a time, from the end on
ACTIONS = frozenset({"open", "import", "change", "finish", "undo"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened; most fields stay empty, depending on `do`."""

    do: str  # one of ACTIONS
    page: str = ""
    segments: tuple[int, ...] = ()  # what a change is about
    keep: bool | None = None  # the label a change sets
    kind: str | None = None  # or the kind it sets
    settles: bool = False  # a change that settles a conflict with a second annotator
    texts: tuple[str, ...] = ()  # open, import: the page's segments as they were shown
    keeps: str = ""  # finish, import: "1" kept, "0" dropped, a digit a segment
    kinds: str = ""  # finish, import: "p", "h", "l", a letter a segment
    hands: str = ""  # import: "1" where a label was set by hand
    key: str = ""  # of the request, so that one sent twice counts once
    at: str = ""  # when, in UTC

    def line(self) -> bytes:
        """The entry as a line of the journal; empty fields are left out."""
        said = {name: value for name, value in asdict(self).items() if value not in ("", (), None, False)}
        if self.keep is False:
            said["keep"] = False
        return (quoted(said) + "\n").encode()


NAMES = frozenset(field.name for field in fields(Entry))


def entry_of(said: Any) -> Entry:
    """An entry out of parsed JSON; a ValueError where it is something else.

    >>> entry_of({"do": "change", "page": "a", "segments": [1, 2], "keep": True}).segments
    (1, 2)
    """
    if not isinstance(said, Mapping) or not NAMES.issuperset(said) or said.get("do") not in ACTIONS:
        raise ValueError("unknown entry")
    values: dict[str, Any] = dict(said)
    values.update({name: tuple(value) for name, value in said.items() if isinstance(value, list)})
    entry = Entry(**values)
    texts = (entry.page, entry.keeps, entry.kinds, entry.hands, entry.key, entry.at, *entry.texts)
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("a text is expected")
    if len(entry.key) > LONGEST_KEY:
        raise ValueError("a key is short")
    if not all(type(i) is int and i >= 0 for i in entry.segments):
        raise ValueError("segments are numbered from 0")
    if entry.keep not in (None, True, False) or entry.kind not in (None, *Kind):
        raise ValueError("unknown label")
    if not set(entry.keeps + entry.hands) <= set("01") or not set(entry.kinds) <= set(Kind):
        raise ValueError("unknown labels")
    return entry


class Journal:
    """A journal open for reading and appending."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._file = path.open("ab+", buffering=0)
            _sync_folder(path.parent)
            self._size = _without_torn_line(self._file)
        except OSError as error:
            raise CorpusError(f"{path}: {error.strerror}") from error

    def entries(self) -> Iterator[Entry]:
        """What happened so far, from the beginning."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield entry_of(json.loads(line))
                except (ValueError, TypeError, RecursionError) as error:
                    raise CorpusError(
                        f"{self.path}: line {number} is damaged ({error}); mend or remove that line"
                    ) from error

    def append(self, *entries: Entry) -> None:
        """Entries on the disk when this returns; all of them or, if the disk is full, none."""
        data = b"".join(entry.line() for entry in entries)
        try:
            if self._file.write(data) != len(data):
                raise OSError("the disk is full")
            os.fsync(self._file.fileno())
        except OSError as error:
            self._file.truncate(self._size)
            raise CorpusError(f"{self.path}: not saved: {error.strerror or error}") from error
        self._size += len(data)

    def close(self) -> None:
        self._file.close()


def _without_torn_line(file: FileIO) -> int:
    """Size of the journal after cutting off a last line that has no end."""
    size = keep = file.seek(0, os.SEEK_END)
    while keep:
        start = max(0, keep - CHUNK)
        file.seek(start)
        newline = file.read(keep - start).rfind(b"\n")
        keep = start + newline + 1
        if newline >= 0:
            break
    if keep < size:
        file.truncate(keep)
        os.fsync(file.fileno())
    return keep


def _sync_folder(folder: Path) -> None:
    """Let the folder remember a file that was just made in it."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
