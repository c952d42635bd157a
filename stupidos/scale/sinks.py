"""Outputs of a run: one file, a folder, or a stream. A file appears only when it is complete."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from stupidos.errors import StupidosError
from stupidos.scale.compression import compressor
from stupidos.scale.disk import fsync, naming, write_all
from stupidos.scale.job import Job
from stupidos.scale.journal import Journal
from stupidos.write import closing, opening

_SEVERAL = 2  # pages; formats only distinguish one page from several
_COPY_CHUNK = 1 << 20  # bytes at once

Write = Callable[[str], None]


class Sink(Protocol):
    """Receives the parts in order."""

    def append(self, part: Path) -> int:
        """Append a part; return the size of the output in bytes."""

    def sync(self) -> None:
        """Flush everything appended so far to disk."""

    def finish(self) -> None:
        """Complete the output after the last part."""

    def close(self) -> None: ...


def _opening(job: Job) -> str:
    """The header of the output, which only the first shard has."""
    return opening(job.style, _SEVERAL) if job.shard.is_first else ""


def _closing(job: Job) -> str:
    """The footer of the output, which only the last shard has."""
    return closing(job.style, _SEVERAL) if job.shard.is_last else ""


def _framed(job: Job, text: str) -> bytes:
    """The header or footer of the output, compressed like the pages."""
    if not job.packing or not text:
        return text.encode()
    return _compressed(text.encode(), job)


def _compressed(data: bytes, job: Job) -> bytes:
    """Data as a separate compressed frame."""
    memory = io.BytesIO()
    with compressor(memory, job.packing, job.level) as writer:
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
                self._write(_framed(job, _opening(job)))
                stack.pop_all()

    def append(self, part: Path) -> int:
        """Append a part completely or not at all, so that a full disk leaves room for the journal."""
        before = self._file.tell()
        try:
            with part.open("rb") as file:
                while data := file.read(_COPY_CHUNK):
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
        self._write(_framed(self._job, _closing(self._job)))
        if not self._file.tell() and self._job.packing and self._job.shard.shards == 1:
            self._write(_compressed(b"", self._job))  # an empty file is not a valid compressed file
        self.sync()
        if self._job.parquet:
            from stupidos.scale.parquet import convert

            path = self._journal.folder / "parquet"
            with naming(path):
                convert(self._path, path)
            fsync(path)

    def close(self) -> None:
        self._file.close()


class InFolder:
    """An output folder; the workers write into it directly."""

    def append(self, part: Path) -> int:
        return 0

    def sync(self) -> None:
        """Nothing to do: workers sync their own files."""

    def finish(self) -> None:
        pass

    def close(self) -> None:
        pass


class StreamSink:
    """A stream such as standard output; writes cannot be undone."""

    def __init__(self, job: Job, write: Write) -> None:
        self._job, self._write = job, write
        self._write(_opening(job))

    def append(self, part: Path) -> int:
        with part.open(encoding="utf-8", newline="") as file:
            while text := file.read(_COPY_CHUNK):
                self._write(text)
        part.unlink()
        return 0

    def sync(self) -> None:
        pass

    def finish(self) -> None:
        self._write(_closing(self._job))

    def close(self) -> None:
        pass
