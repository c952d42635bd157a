"""File helpers: errors that name the file, durable writes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from stupidos.atomic_file import sync
from stupidos.errors import StupidosError

if TYPE_CHECKING:
    from pathlib import Path

NOT_REGULAR = "not a regular file"
_NEVER_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)  # Windows has neither


def message(error: BaseException) -> str:
    """An error as one line, with the file name if the error has one.

    >>> message(FileNotFoundError(2, "No such file or directory", "a.html"))
    'a.html: No such file or directory'
    """
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, OSError) and error.strerror:
        return f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename else error.strerror
    return str(error) if isinstance(error, StupidosError | OSError) else f"{type(error).__name__}: {error}"


@contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Turn an OSError, such as a full disk, into a StupidosError that names the file."""
    try:
        yield
    except OSError as error:
        raise StupidosError(f"{path}: {error.strerror or error}") from error


def regular(path: str) -> BinaryIO:
    """Open a regular file for reading; others are rejected, since opening a FIFO may block for ever.

    The type is checked before opening, which would unblock a FIFO's writer, and again afterwards.
    """
    _check_regular(os.stat(path).st_mode, path)

    def opener(name: str, flags: int) -> int:
        descriptor = os.open(name, flags | _NEVER_WAIT)
        try:
            _check_regular(os.fstat(descriptor).st_mode, path)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    return cast(BinaryIO, open(path, "rb", opener=opener))


def _check_regular(mode: int, path: str) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, NOT_REGULAR, path)


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write all data to an unbuffered file, whose write() may be short."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def fsync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk; an error names it."""
    with naming(path):
        sync(path)
