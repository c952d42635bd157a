"""A lock on an open file that the operating system releases when the process ends, however it ends."""

from __future__ import annotations

import sys
from importlib import import_module

from stupidos.errors import StupidosError

_MODULE = "msvcrt" if sys.platform == "win32" else "fcntl"


def require_locks() -> None:
    """Raise an error on a system that cannot lock files: two runs could overwrite each other's work."""
    try:
        import_module(_MODULE)
    except ImportError:
        raise StupidosError(
            "this system cannot lock files: write to standard output, or work on Linux, macOS or Windows"
        ) from None


def try_lock(descriptor: int) -> bool:
    """Lock an open file for this process; False if another one holds the lock."""
    require_locks()
    try:
        _lock(descriptor)
    except OSError:
        return False
    return True


if sys.platform == "win32":

    def _lock(descriptor: int) -> None:
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:

    def _lock(descriptor: int) -> None:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
