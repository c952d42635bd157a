"""The append-only journal of an annotation: every entry is on disk before it is acknowledged.

One JSON object per line. A last line that a crash cut off was never acknowledged and is removed
when the journal is opened again; a damaged line anywhere else is an error with its line number.
A journal that is deleted while open is restored from the open file.
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

from stupidos.annotate.labels import json_line, temporary_path
from stupidos.atomic_file import replacing, sync
from stupidos.errors import CorpusError
from stupidos.page import Kind

JOURNAL_FILE = "journal.jsonl"
_MAX_KEY_LENGTH = 64
_CHUNK = 1 << 16  # bytes read at a time, from the end of the file backwards
_ENTRY_START = b'{"do": "'  # of every entry
_ACTIONS = frozenset({"open", "import", "change", "finish", "undo"})


@dataclass(frozen=True, slots=True)
class AnnotationEntry:
    """One action of the annotator; which fields are set depends on `do`."""

    do: str  # one of _ACTIONS
    page: str = ""
    segments: tuple[int, ...] = ()  # change: indices of the segments
    keep: bool | None = None  # change: the new label
    kind: str | None = None  # change: the new kind
    settles: bool = False  # change: whether it settles a conflict with a second annotator
    texts: tuple[str, ...] = ()  # open, import: of the page's segments
    title: str = ""  # open, import: of the page
    source: str = ""  # open, import: name of the raw file
    sha256: str = ""  # open, import: of the raw file's bytes
    keeps: str = ""  # finish, import, open of a finished page: "1" kept, "0" dropped, one digit per segment
    kinds: str = ""  # with keeps: "p", "h", "l", one letter per segment
    hands: str = ""  # import: "1" where a label was set by hand
    annotator: str = ""
    key: str = ""  # of the request, so that one sent twice is carried out once
    at: str = ""  # time in UTC

    def line(self) -> bytes:
        """The entry as a line of the journal, without empty fields."""
        values = {name: value for name, value in asdict(self).items() if value not in ("", (), None, False)}
        if self.keep is False:
            values["keep"] = False
        return (json_line(values) + "\n").encode()

    @property
    def renders(self) -> bool:
        """Whether the entry has the segments of the page."""
        return self.do in ("open", "import")


_FIELD_NAMES = frozenset(field.name for field in fields(AnnotationEntry))
_TEXT_FIELDS = ("page", "title", "source", "sha256", "keeps", "kinds", "hands", "annotator", "key", "at")


class NotSavedError(CorpusError):
    """The journal could not be written, so the action was not carried out."""


def parse_entry(content: Any) -> AnnotationEntry:
    """An entry from parsed JSON; raises ValueError if it is anything else.

    >>> parse_entry({"do": "change", "page": "a", "segments": [1, 2], "keep": True}).segments
    (1, 2)
    """
    if (
        not isinstance(content, Mapping)
        or not _FIELD_NAMES.issuperset(content)
        or content.get("do") not in _ACTIONS
    ):
        raise ValueError("unknown entry")
    values: dict[str, Any] = dict(content)
    values.update({name: tuple(value) for name, value in content.items() if isinstance(value, list)})
    entry = AnnotationEntry(**values)
    texts = (*(getattr(entry, name) for name in _TEXT_FIELDS), *entry.texts)
    if not all(isinstance(text, str) for text in texts) or not isinstance(entry.texts, tuple):
        raise ValueError("a text is expected")
    if not isinstance(entry.settles, bool):
        raise ValueError("true or false is expected")
    if len(entry.key) > _MAX_KEY_LENGTH:
        raise ValueError("a key is short")
    if not all(type(i) is int and i >= 0 for i in entry.segments):
        raise ValueError("segments are numbered from 0")
    if entry.keep not in (None, True, False) or entry.kind not in (None, *Kind):
        raise ValueError("unknown label")
    if not set(entry.keeps + entry.hands) <= set("01") or not set(entry.kinds) <= set(Kind):
        raise ValueError("unknown labels")
    return entry


def read_entries(path: Path, growing: bool = False) -> Iterator[AnnotationEntry]:
    """The entries of a journal, oldest first.

    A journal that is `growing` belongs to another process: it may be missing, and its last line incomplete.
    """
    if growing and not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield parse_entry(_parsed(line))
            except (ValueError, TypeError, RecursionError) as error:
                if growing and not line.endswith(b"\n"):
                    return
                raise CorpusError(
                    f"{path}: line {number} is damaged ({error}); repair or remove that line"
                ) from error


class AnnotationJournal:
    """A journal open for reading and appending; `notes` has a line for each repair."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notes: list[str] = []
        self._torn = False  # whether an incomplete line may follow the last entry
        try:
            self._file = path.open("ab+", buffering=0)
            sync(path.parent)
            self._size = self._repair_last_line()
        except OSError as error:
            raise CorpusError(f"{path}: {error.strerror}") from error

    def entries(self) -> Iterator[AnnotationEntry]:
        """All entries, oldest first."""
        return read_entries(self.path)

    def append(self, *entries: AnnotationEntry) -> None:
        """Write entries and sync them to disk: all of them or, on an error, none."""
        data = b"".join(entry.line() for entry in entries)
        try:
            self._check_in_place()
            self._torn = True
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
            self._torn = False
        except (OSError, ValueError) as error:  # ValueError: the journal was closed
            with suppress(OSError, ValueError):
                self._remove_torn_line()
            reason = getattr(error, "strerror", None) or error
            raise NotSavedError(f"{self.path}: {reason}") from error
        self._size += len(data)

    def close(self) -> None:
        self._file.close()

    def _check_in_place(self) -> None:
        """Make sure that the path still leads to the open file, with nothing added by others."""
        self._remove_torn_line()
        here = os.fstat(self._file.fileno())
        try:
            there = self.path.stat()
        except FileNotFoundError:
            if here.st_nlink:
                raise OSError("the journal was moved away; put it back, or restart") from None
            self._restore()
            return
        if not os.path.samestat(here, there) or here.st_size != self._size:
            raise OSError("another program has changed the journal; restart")

    def _restore(self) -> None:
        """Restore a deleted journal from the open file, which still holds all of it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._file.seek(0)
        with replacing(self.path, temporary_path(self.path)) as copy:
            shutil.copyfileobj(self._file, copy)
        self._file.close()
        self._file = self.path.open("ab+", buffering=0)
        sync(self.path.parent)
        self.notes.append(f"{self.path}: was deleted while in use; restored")

    def _remove_torn_line(self) -> None:
        """Truncate an incomplete line after a failed write, so that the next entry starts a new one."""
        if self._torn:
            self._file.truncate(self._size)
            self._torn = False

    def _repair_last_line(self) -> int:
        """Complete or remove a last line without a newline; return the size of the journal."""
        file = self._file
        size = keep = file.seek(0, os.SEEK_END)
        while keep:
            start = max(0, keep - _CHUNK)
            file.seek(start)
            newline = file.read(keep - start).rfind(b"\n")
            keep = start + newline + 1
            if newline >= 0:
                break
        if keep == size:
            return size
        file.seek(keep)
        tail = file.readall()
        if _complete(tail):  # only its newline is missing, which editors may strip
            size += file.write(b"\n")
            os.fsync(file.fileno())
            return size
        if not (tail.startswith(_ENTRY_START) or _ENTRY_START.startswith(tail) or not tail.strip(b"\0")):
            return size  # not an entry of ours: `entries` reports its line number
        file.truncate(keep)
        os.fsync(file.fileno())
        self.notes.append(f"{self.path}: removed an incomplete last line ({size - keep} bytes)")
        return keep


def _parsed(line: bytes) -> Any:
    """The value of a line; the line numbers in messages of the JSON parser would be misleading."""
    try:
        return json.loads(line)
    except ValueError:
        raise ValueError("not JSON") from None


def _complete(line: bytes) -> bool:
    try:
        parse_entry(json.loads(line))
    except (ValueError, TypeError, RecursionError):
        return False
    return True
