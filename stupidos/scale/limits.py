"""A CPU time limit for one page, based on interval timers.

CPU time rather than wall-clock time, so that a busy machine does not fail pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_REPEAT_SECONDS = 1.0  # between alarms, in case library code swallows the first
_GRACE_SECONDS = 5.0  # from the alarm that raises to the one that kills the process


class Overtime(BaseException):
    """A page exceeded its CPU limit. A BaseException, so that no `except Exception` swallows it."""


_armed = False


def _alarm(number: int, frame: FrameType | None) -> None:
    if _armed:  # ignore an alarm delivered after the page was done
        raise Overtime


def _possible() -> bool:
    """Whether timers can be used: only in the main thread."""
    import signal
    import threading

    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


class Limit:
    """`with Limit(10):` raises Overtime after ten seconds of processor time; 0 sets no limit.

    C code cannot be interrupted; with `deadly` the kernel kills the process _GRACE_SECONDS later, which
    the parent sees as SIGVTALRM. A class, since an alarm could hit a generator inside its exit code.
    """

    def __init__(self, seconds: float, deadly: bool = False) -> None:
        self.seconds, self.deadly = seconds if seconds and _possible() else 0.0, deadly
        if self.seconds:
            import signal

            signal.signal(signal.SIGPROF, _alarm)

    def __enter__(self) -> None:
        global _armed
        if self.seconds:
            _armed = True
            self._set(self.seconds)

    def __exit__(self, *_: object) -> None:
        global _armed
        _armed = False
        if self.seconds:
            self._set(0)

    def _set(self, seconds: float) -> None:
        """Start the timers, or stop them with 0."""
        import signal  # not before a limit is set, since it takes a while

        if self.deadly:
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds and seconds + _GRACE_SECONDS)
        signal.setitimer(signal.ITIMER_PROF, seconds, _REPEAT_SECONDS)
