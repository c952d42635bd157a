"""A CPU time limit for one page, based on interval timers.

CPU time rather than wall-clock time, so that a busy machine does not fail pages.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

_TICKS = 20  # alarms within the time of a page: it is stopped by the first one after its time
_SHORTEST_TICK = 0.001  # seconds; 0 would be no alarm at all
_GRACE_SECONDS = 5.0  # from the last alarm within the time of a page until the kernel kills the process


class Overtime(BaseException):
    """A page exceeded its CPU limit. A BaseException, so that no `except Exception` swallows it."""


class Limit:
    """`with Limit(10):` raises Overtime after ten seconds of processor time; 0 sets no limit.

    C code cannot be interrupted; with `deadly` the kernel kills the process _GRACE_SECONDS later, which
    the parent sees as SIGVTALRM. A class, since an alarm could hit a generator inside its exit code.
    """

    def __init__(self, seconds: float, deadly: bool = False) -> None:
        self.seconds, self.deadly = seconds if seconds and _possible() else 0.0, deadly
        self._in_page = self._ticking = self._kept = False
        self._end = 0.0  # processor time at which the page has had its time

    def __enter__(self) -> None:
        if self.seconds:
            if not self._ticking:
                self._start()
            self._end = time.process_time() + self.seconds
            self._in_page = True

    def __exit__(self, *_: object) -> None:
        self._in_page = False
        if not self._kept:
            self._stop()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Let the timers run from page to page; to set them takes a hundred times as long as to read a clock.

        They must not outlast the pages, as they make the clock of the process coarse.
        """
        self._kept = True
        try:
            yield
        finally:
            self._kept = False
            self._stop()

    def _start(self) -> None:
        import signal  # not before a limit is set, since it takes a while

        self._ticking = True
        signal.signal(signal.SIGPROF, self._alarm)
        self._postpone_death()
        tick = max(self.seconds / _TICKS, _SHORTEST_TICK)
        signal.setitimer(signal.ITIMER_PROF, tick, tick)

    def _stop(self) -> None:
        if self._ticking:
            import signal

            self._ticking = False
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _alarm(self, number: int, frame: FrameType | None) -> None:
        """Raise Overtime in a page that has had its time."""
        if not self._in_page or time.process_time() < self._end:
            self._postpone_death()
        else:
            raise Overtime

    def _postpone_death(self) -> None:
        """Have the kernel kill the process if no alarm postpones that again in time."""
        if self.deadly and self._ticking:
            import signal

            signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds + _GRACE_SECONDS)


def _possible() -> bool:
    """Whether timers can be used: only in the main thread."""
    import signal
    import threading

    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
