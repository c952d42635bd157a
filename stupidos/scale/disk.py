"""Files and the disk: errors that name the file, bytes that survive the power going off."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from stupidos.errors import StupidosError

NO_FILE = "not a regular file"


def message(error: BaseException) -> str:
    """What went wrong in one line, with the name of the file if the error has it.

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
    """Make errors of the system, such as a full disk, name the file that is being written."""
    try:
        yield
    except OSError as error:
        raise StupidosError(f"{path}: {error.strerror or error}") from error


def regular(path: str) -> BinaryIO:
    """A regular file for reading; others are refused, since opening a FIFO may wait for ever.

    The file is looked at before it is opened, which would wake a FIFO's writer, and again when it is open.
    """
    check_regular(os.stat(path).st_mode, path)

    def opener(name: str, flags: int) -> int:
        descriptor = os.open(name, flags | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            check_regular(os.fstat(descriptor).st_mode, path)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    return cast(BinaryIO, open(path, "rb", opener=opener))


def check_regular(mode: int, path: str) -> None:
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, NO_FILE, path)


def write_all(file: BinaryIO, data: bytes) -> None:
    """Write to a file without a buffer, which may take less than it was given."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def synced(path: Path) -> None:
    """Make sure that a file, or the names in a folder, survive the power going off."""
    with naming(path):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
