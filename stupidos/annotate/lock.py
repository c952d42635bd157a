"""One annotator per folder: a lock that the operating system releases when its process dies."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from stupidos.errors import CorpusError
from stupidos.file_lock import try_lock

_LOCK_FILE = ".annotate.lock"


class FolderLock:
    """A lock on a folder, held until `release` or the end of the process.

    The lock is on an open file, which stays behind with the process id of its last holder, so
    that nothing has to be cleaned up after a crash.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / _LOCK_FILE
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise CorpusError(f"{self.path}: {error.strerror}") from error
        if not try_lock(self._file):
            holder = _holder(self._file)
            os.close(self._file)
            raise CorpusError(f"{folder}: is annotated already{holder}; stop that one first")
        with suppress(OSError):  # on a full disk the lock holds without the process id
            os.ftruncate(self._file, 0)
            os.write(self._file, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Release the lock."""
        os.close(self._file)

    def __enter__(self) -> FolderLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def _holder(file: int) -> str:
    """The process that holds the lock, if its file can be read (Windows denies that)."""
    try:
        number = os.read(file, 20).strip()
    except OSError:
        return ""
    return f" by process {int(number)}" if number.isdigit() else ""
