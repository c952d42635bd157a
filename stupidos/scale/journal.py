"""The journal of a run: which units are finished, and how much of the output they cover.

A folder next to the output (or in the output folder) holds `journal`, one JSON object per line; `output`,
renamed to the output file when it is complete; and a folder of scratch files for each run. A line is
written after the data it describes is on disk. After a crash the state is given by the complete lines of
the journal, and `output` is valid up to the offset in the last of them.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from stupidos.errors import StupidosError
from stupidos.file_lock import require_locks, try_lock
from stupidos.scale.accounts import Accounts
from stupidos.scale.disk import naming

_FORMAT = 1


class UnitEntry(NamedTuple):
    """A finished unit."""

    unit: int
    digest: str  # of the work, to detect changed inputs
    offset: int  # size of the output including this unit, in bytes
    ended: int | None
    accounts: Accounts

    def line(self) -> str:
        return json.dumps({**self._asdict(), "accounts": self.accounts.as_json()})

    @classmethod
    def of(cls, line: dict[str, Any]) -> UnitEntry:
        """Parse a line of the journal; ValueError if it is invalid."""
        try:
            accounts = Accounts.from_json(line["accounts"])
            entry = cls(**{**line, "accounts": accounts})
        except (TypeError, KeyError, ValueError, AttributeError) as error:
            raise ValueError(str(error)) from None
        counts = [entry.unit, entry.offset, 0 if entry.ended is None else entry.ended]
        for field in fields(accounts):
            value = getattr(accounts, field.name)
            counts += value.values() if isinstance(value, Counter) else [value]
        if not isinstance(entry.digest, str) or any(type(value) is not int or value < 0 for value in counts):
            raise ValueError("invalid value")
        return entry


class Journal:
    """The state of a run, locked against concurrent runs; a context manager."""

    def __init__(self, folder: Path, fingerprint: str, resume: bool, shared: bool = True) -> None:
        """Begin or continue a run; a folder that is not shared needs no lock."""
        if shared:
            require_locks()
        self.folder = folder
        self.done: dict[int, tuple[str, int | None]] = {}  # unit -> digest, where its span ended
        self.accounts = Accounts()  # totals of the finished units
        self.offset = 0
        self.finished = False
        self._lines = 0
        self._new = False
        self._made = [folder.parent] if not folder.parent.exists() else []
        if folder.exists() and any(folder.iterdir()):
            if not (folder / "journal").is_file():
                raise StupidosError(f"{folder} is in the way: remove it, or choose another output")
            if not resume:
                raise StupidosError(
                    f"{folder} holds an interrupted run: finish it with --resume, or remove it"
                )
        folder.mkdir(parents=True, exist_ok=True)
        self._file = (folder / "journal").open("a+b")
        try:
            if shared:
                self._lock()
            self._read(fingerprint)
            for old in folder.glob("run-*"):
                shutil.rmtree(old, ignore_errors=True)
            self.scratch = Path(tempfile.mkdtemp(prefix="run-", dir=folder))
        except BaseException:
            self._discard()
            raise

    def _lock(self) -> None:
        if not try_lock(self._file.fileno()):
            raise StupidosError(f"{self.folder}: another run is using it")

    def _read(self, fingerprint: str) -> None:
        """Load the journal of an earlier run; an incomplete last line is ignored."""
        self._file.seek(0)
        lines = _complete_lines(self._file)
        head = next(lines, None)
        self._new = head is None
        if head is None:
            self._file.truncate(0)
            self.write(json.dumps({"stupidos": _FORMAT, "fingerprint": fingerprint}))
            return
        if head.get("stupidos") != _FORMAT or head.get("fingerprint") != fingerprint:
            raise StupidosError(
                f"{self.folder} belongs to another command, model or version: repeat it, or remove the folder"
            )
        for self._lines, line in enumerate(lines, 2):
            if line == {"finished": True}:
                self.finished = True
                continue
            try:
                self._load(UnitEntry.of(line))
            except ValueError:
                raise StupidosError(
                    f"{self.folder / 'journal'}: line {self._lines} is damaged:"
                    f" remove the folder {self.folder} and start again"
                ) from None
        self._file.truncate(self._file.tell())

    def _load(self, entry: UnitEntry) -> None:
        if entry.unit not in self.done:  # an interrupted run may have written an entry twice
            if entry.offset < self.offset:
                raise ValueError("decreasing offset")
            self.done[entry.unit] = entry.digest, entry.ended
            self.accounts.add(entry.accounts)
            self.offset = entry.offset

    def output(self) -> BinaryIO:
        """Open the output unbuffered, truncated to what the journal confirms."""
        file = (self.folder / "output").open("ab", buffering=0)
        if file.tell() < self.offset:
            file.close()
            raise StupidosError(f"{self.folder}: its output was truncated: remove the folder")
        file.truncate(self.offset)
        file.seek(self.offset)
        return file

    def write(self, *lines: str) -> None:
        """Append lines and sync them to disk."""
        with naming(self.folder / "journal"):
            self._file.write("".join(line + "\n" for line in lines).encode())
            self._file.flush()
            os.fsync(self._file.fileno())
        self._lines += len(lines)

    def remove(self) -> None:
        """Remove the journal of a finished run; the file that marks it finished goes last."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        for name in ("output", "parquet", "journal"):
            (self.folder / name).unlink(missing_ok=True)
        self.folder.rmdir()

    def close(self) -> None:
        """Close the journal. An unfinished run leaves it for --resume, unless no unit was done."""
        if self._lines > 1:
            shutil.rmtree(self.scratch, ignore_errors=True)
        else:
            self._new = True
        self._discard()

    def _discard(self) -> None:
        """Close the file, which releases the lock; remove the folder if there is nothing to resume."""
        if self._new and self._lines <= 1:
            shutil.rmtree(self.folder, ignore_errors=True)
            for folder in self._made:
                with suppress(OSError):  # not empty
                    folder.rmdir()
        with suppress(OSError):  # a full disk has already been reported
            self._file.close()

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _complete_lines(file: BinaryIO) -> Iterator[dict[str, Any]]:
    """JSON objects up to the first invalid or incomplete line; the file is positioned before it."""
    place = file.tell()
    for line in iter(file.readline, b""):
        try:
            value = json.loads(line) if line.endswith(b"\n") else None
        except (ValueError, RecursionError):  # [[[[[[
            value = None
        if not isinstance(value, dict):
            break
        place += len(line)
        yield value
    file.seek(place)
