"""Write a file through a temporary one: readers see the old content or the new, never a part of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from pathlib import Path


@contextmanager
def replacing(path: Path, temporary: Path | None = None) -> Iterator[BinaryIO]:
    """A binary file that replaces `path` once it is complete and on disk; on an error it is removed.

    It is in the same folder under a unique name, unless `temporary` gives one that a later run can clean up.
    """
    file, name = _unique_file(path) if temporary is None else (temporary.open("wb"), str(temporary))
    try:
        with file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk; Windows cannot open folders."""
    if os.name != "posix" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _unique_file(path: Path) -> tuple[BinaryIO, str]:
    """A new file beside `path`, with the permissions of an ordinary one, and its name."""
    import tempfile  # which loads a lot; cleaning a page to standard output does without

    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    os.chmod(name, 0o666 & ~_umask())
    return open(descriptor, "wb"), name


def _umask() -> int:
    mask = os.umask(0o22)
    os.umask(mask)
    return mask
