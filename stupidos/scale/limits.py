"""A CPU time limit for one page, based on interval timers.

CPU time rather than wall-clock time, so that a busy machine does not fail pages.
"""

from __future__ import annotations

import os
import time
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

    The timers tick on from page to page, since starting them takes a hundred times as long as reading the
    clock, and stop at the first alarm that finds no page.
    C code cannot be interrupted; with `deadly` the kernel kills the process _GRACE_SECONDS later, which
    the parent sees as SIGVTALRM. A class, since an alarm could hit a generator inside its exit code.
    """

    def __init__(self, seconds: float, deadly: bool = False) -> None:
        self.seconds, self.deadly = seconds if seconds and _possible() else 0.0, deadly

    def __enter__(self) -> None:
        global _running, _end
        if not self.seconds:
            return
        if _ticking != (os.getpid(), self.seconds, self.deadly):  # timers do not survive a fork
            self._start()
        _end = time.process_time() + self.seconds
        _running = self

    def __exit__(self, *_: object) -> None:
        global _running
        _running = None

    def _start(self) -> None:
        """Start the timers."""
        global _ticking
        import signal  # not before a limit is set, since it takes a while

        signal.signal(signal.SIGPROF, _alarm)
        self.postpone_death()
        tick = max(self.seconds / _TICKS, _SHORTEST_TICK)
        signal.setitimer(signal.ITIMER_PROF, tick, tick)
        _ticking = os.getpid(), self.seconds, self.deadly

    def postpone_death(self) -> None:
        """Have the kernel kill the process if no alarm postpones that again within the time of a page."""
        import signal

        signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds + _GRACE_SECONDS if self.deadly else 0)


_running: Limit | None = None
_end = 0.0  # processor time at which that one's page has had its time
_ticking: tuple[int, float, bool] | None = None  # process, seconds and `deadly` of the timers that tick


def _alarm(number: int, frame: FrameType | None) -> None:
    """Raise Overtime in a page that has had its time; stop the timers if there is no page."""
    if _running is None:
        _stop()
    elif time.process_time() >= _end:
        raise Overtime
    else:
        _running.postpone_death()


def _stop() -> None:
    """Stop the timers."""
    global _ticking
    import signal

    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    _ticking = None


def _possible() -> bool:
    """Whether timers can be used: only in the main thread."""
    import signal
    import threading

    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
