"""The append-only journal of an annotation: what was said is on the disk before it is answered.

One JSON object a line. The start of an entry that a crash cut off was never acknowledged and is
removed when the journal is opened again; a damaged line anywhere else is an error that names it.
A journal that somebody deletes while it is open is written again from the open file.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from stupidos.annotate.labels import part_of, quoted
from stupidos.errors import CorpusError
from stupidos.page import Kind

FILE = "journal.jsonl"
LONGEST_KEY = 64
CHUNK = 1 << 16  # bytes read at a time, from the end on
START = b'{"do": "'  # of every entry
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
    title: str = ""  # open, import: of the page
    source: str = ""  # open, import: name of the raw file
    sha256: str = ""  # open, import: of the raw file's bytes
    keeps: str = ""  # finish, import, open of a finished page: "1" kept, "0" dropped, a digit a segment
    kinds: str = ""  # with keeps: "p", "h", "l", a letter a segment
    hands: str = ""  # import: "1" where a label was set by hand
    annotator: str = ""
    key: str = ""  # of the request, so that one sent twice counts once
    at: str = ""  # when, in UTC

    def line(self) -> bytes:
        """The entry as a line of the journal; empty fields are left out."""
        said = {name: value for name, value in asdict(self).items() if value not in ("", (), None, False)}
        if self.keep is False:
            said["keep"] = False
        return (quoted(said) + "\n").encode()

    @property
    def renders(self) -> bool:
        """Whether the entry says which segments the page has."""
        return self.do in ("open", "import")


NAMES = frozenset(field.name for field in fields(Entry))
TEXTS = ("page", "title", "source", "sha256", "keeps", "kinds", "hands", "annotator", "key", "at")


class NotSavedError(CorpusError):
    """A journal that cannot be written: what was said did not happen."""


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
    texts = (*(getattr(entry, name) for name in TEXTS), *entry.texts)
    if not all(isinstance(text, str) for text in texts) or not isinstance(entry.texts, tuple):
        raise ValueError("a text is expected")
    if not isinstance(entry.settles, bool):
        raise ValueError("true or false is expected")
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
    """A journal open for reading and appending; `notes` tells what had to be repaired."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self._torn = False  # whether half a line may stand behind the last entry
        try:
            self._file = path.open("ab+", buffering=0)
            _sync_folder(path.parent)
            self._size = self._without_torn_line()
        except OSError as error:
            raise CorpusError(f"{path}: {error.strerror}") from error

    def entries(self) -> Iterator[Entry]:
        """What happened so far, from the beginning."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield entry_of(_parsed(line))
                except (ValueError, TypeError, RecursionError) as error:
                    raise CorpusError(
                        f"{self.path}: line {number} is damaged ({error}); mend or remove that line"
                    ) from error

    def append(self, *entries: Entry) -> None:
        """Entries on the disk when this returns; all of them or, if the disk is full, none."""
        data = b"".join(entry.line() for entry in entries)
        try:
            self._stay_in_place()
            self._torn = True
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
            self._torn = False
        except (OSError, ValueError) as error:  # ValueError: the journal was closed
            with suppress(OSError, ValueError):
                self._cut()
            reason = getattr(error, "strerror", None) or error
            raise NotSavedError(f"{self.path}: {reason}") from error
        self._size += len(data)

    def close(self) -> None:
        self._file.close()

    def _stay_in_place(self) -> None:
        """Make sure that the open file is still the journal: nobody finds what goes anywhere else."""
        self._cut()
        here = os.fstat(self._file.fileno())
        try:
            there = self.path.stat()
        except FileNotFoundError:
            if here.st_nlink:
                raise OSError("the journal was moved away; put it back, or start again") from None
            self._restore()
            return
        if not os.path.samestat(here, there) or here.st_size != self._size:
            raise OSError("another program has changed the journal; start again")

    def _restore(self) -> None:
        """Write a deleted journal again: the open file still holds all of it."""
        part = part_of(self.path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file.seek(0)
        try:
            with part.open("wb") as copy:
                shutil.copyfileobj(self._file, copy)
                copy.flush()
                os.fsync(copy.fileno())
            os.replace(part, self.path)
        except OSError:
            part.unlink(missing_ok=True)
            raise
        self._file.close()
        self._file = self.path.open("ab+", buffering=0)
        _sync_folder(self.path.parent)
        self.notes.append(f"{self.path}: was deleted while annotating; written again")

    def _cut(self) -> None:
        """Take off half a line that a full disk left behind, lest the next entry continue it."""
        if self._torn:
            self._file.truncate(self._size)
            self._torn = False

    def _without_torn_line(self) -> int:
        """Size of the journal after completing or cutting off a last line that has no end."""
        file = self._file
        size = keep = file.seek(0, os.SEEK_END)
        while keep:
            start = max(0, keep - CHUNK)
            file.seek(start)
            newline = file.read(keep - start).rfind(b"\n")
            keep = start + newline + 1
            if newline >= 0:
                break
        if keep == size:
            return size
        file.seek(keep)
        tail = file.readall()
        if _complete(tail):  # only its newline is missing, as editors may leave it
            size += file.write(b"\n")
            os.fsync(file.fileno())
            return size
        if not (tail.startswith(START) or START.startswith(tail) or not tail.strip(b"\0")):
            return size  # not ours to remove: `entries` names the line
        file.truncate(keep)
        os.fsync(file.fileno())
        self.notes.append(f"{self.path}: removed a last line that was never completed ({size - keep} bytes)")
        return keep


def _parsed(line: bytes) -> Any:
    """The value of a line; what the parser says of columns would be read as lines of the journal."""
    try:
        return json.loads(line)
    except ValueError:
        raise ValueError("no JSON") from None


def _complete(line: bytes) -> bool:
    try:
        entry_of(json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def _sync_folder(folder: Path) -> None:
    """Let the folder remember a file that was just made in it."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
