"""Where the parts go: one file, a folder, or a stream; complete or not there at all."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from stupidos.errors import StupidosError
from stupidos.scale.compression import packing
from stupidos.scale.disk import naming, synced, write_all
from stupidos.scale.job import Job
from stupidos.scale.journal import Journal
from stupidos.write import closing, opening

SEVERAL = 2  # pages, as far as the formats want to know
COPIED = 1 << 20  # bytes at once

Write = Callable[[str], None]


class Output(Protocol):
    """Takes the parts in their order."""

    def take(self, part: Path) -> int:
        """Add a part; how many bytes the output has with it."""

    def sync(self) -> None:
        """Wait until all that was taken is on the disk."""

    def finish(self) -> None:
        """All parts are taken: let the output appear."""

    def close(self) -> None: ...


def framed(job: Job, text: str) -> bytes:
    """What stands before or behind the pages, packed like them."""
    if not job.packing or not text:
        return text.encode()
    return packed(text.encode(), job.packing)


def packed(data: bytes, suffix: str) -> bytes:
    """Data as a packed piece of its own."""
    memory = io.BytesIO()
    with packing(memory, suffix) as writer:
        writer.write(data)
    return memory.getvalue()


class OneFile:
    """One file, in the journal's folder until it is complete."""

    def __init__(self, job: Job, journal: Journal) -> None:
        self._job, self._journal = job, journal
        self._path, self._file = journal.folder / "output", journal.output()
        if not journal.offset:
            with ExitStack() as stack:
                stack.callback(self._file.close)
                self._write(framed(job, opening(job.style.format, SEVERAL)))
                stack.pop_all()

    def take(self, part: Path) -> int:
        """Add a part, all of it or nothing: a full disk keeps room for the journal."""
        before = self._file.tell()
        try:
            with part.open("rb") as file:
                while data := file.read(COPIED):
                    self._write(data)
        except StupidosError:
            self._file.truncate(before)
            raise
        part.unlink()
        return self._file.tell()

    def _write(self, data: bytes) -> None:
        with naming(self._path):
            write_all(self._file, data)

    def sync(self) -> None:
        with naming(self._path):
            os.fsync(self._file.fileno())

    def finish(self) -> None:
        self._write(framed(self._job, closing(self._job.style.format, SEVERAL)))
        if not self._file.tell() and self._job.packing:
            self._write(packed(b"", self._job.packing))  # no bytes at all would be no packed file
        self.sync()
        if self._job.parquet:
            from stupidos.scale.parquet import written

            path = self._journal.folder / "parquet"
            with naming(path):
                written(self._path, path)
            synced(path)

    def close(self) -> None:
        self._file.close()


class InFolder:
    """A folder that the workers fill themselves."""

    def take(self, part: Path) -> int:
        return 0

    def sync(self) -> None:
        """Workers wait for the disk themselves."""

    def finish(self) -> None:
        pass

    def close(self) -> None:
        pass


class Stream:
    """A stream such as standard output, which cannot be taken back."""

    def __init__(self, job: Job, write: Write) -> None:
        self._job, self._write = job, write
        self._write(opening(job.style.format, SEVERAL))

    def take(self, part: Path) -> int:
        with part.open(encoding="utf-8", newline="") as file:
            while text := file.read(COPIED):
                self._write(text)
        part.unlink()
        return 0

    def sync(self) -> None:
        pass

    def finish(self) -> None:
        self._write(closing(self._job.style.format, SEVERAL))

    def close(self) -> None:
        pass
