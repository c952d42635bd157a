"""A limit on the processor time of one page, by the timers of the kernel.

Processor time, not wall time: on a busy machine a page is not to blame for waiting.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType

AGAIN = 1.0  # seconds between alarms, should code of a library swallow the first
GRACE = 5.0  # seconds from the alarm that can be answered to the one that ends the process


class Overtime(BaseException):
    """A page has used up its time; no `except Exception` on the way may hold it up."""


_armed = False


def _alarm(number: int, frame: FrameType | None) -> None:
    if _armed:  # an alarm that was on its way when the page was done hits nobody
        raise Overtime


def possible() -> bool:
    """Whether there are timers here; only the main thread of a process can be interrupted."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


class Limit:
    """`with Limit(10):` raises Overtime after ten seconds of processor time; 0 sets no limit.

    Code in C cannot be interrupted; `deadly` then lets the kernel end the process a little later,
    which a worker's keeper sees as SIGVTALRM. A class, since a generator could be hit half-way out.
    """

    def __init__(self, seconds: float, deadly: bool = False) -> None:
        self.seconds, self.deadly = seconds if possible() else 0.0, deadly
        if self.seconds:
            signal.signal(signal.SIGPROF, _alarm)

    def __enter__(self) -> None:
        global _armed
        if self.seconds:
            _armed = True
            if self.deadly:
                signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds + GRACE)
            signal.setitimer(signal.ITIMER_PROF, self.seconds, AGAIN)

    def __exit__(self, *_: object) -> None:
        global _armed
        _armed = False
        if self.seconds:
            signal.setitimer(signal.ITIMER_PROF, 0)
            if self.deadly:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
