"""The time limit of a page, by the processor's clock and the alarms of the kernel."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
import standin

from stupidos.scale import limits
from stupidos.scale.job import Job
from stupidos.scale.limits import Limit, Overtime
from stupidos.scale.page_task import PageTask
from stupidos.scale.source_items import Raw


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[int, float]]]:
    """Each timer that was set, and to how many seconds; none of them runs."""
    limits._stop()
    started: list[tuple[int, float]] = []
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds, _=0.0: started.append((which, seconds)))
    yield started
    limits._stop()


def test_overtime_interrupts_a_page_and_no_other() -> None:
    limit = Limit(0.01)
    with pytest.raises(Overtime), limit:
        standin.run_forever()
    with limit:
        pass
    end = time.process_time() + 0.05  # the old alarm would have come by now
    while time.process_time() < end:
        pass


def test_code_that_catches_everything_cannot_hold_up_overtime() -> None:
    def stubborn() -> None:
        while True:
            with suppress(Exception):
                standin.run_forever()

    with pytest.raises(Overtime), Limit(0.01):
        stubborn()


def test_an_alarm_between_pages_stops_the_timers(timers: list[tuple[int, float]]) -> None:
    with Limit(10.0):
        pass
    timers.clear()
    limits._alarm(0, None)
    assert timers == [(signal.ITIMER_PROF, 0), (signal.ITIMER_VIRTUAL, 0)]
    with Limit(10.0):
        assert timers[2:] == [(signal.ITIMER_VIRTUAL, 0), (signal.ITIMER_PROF, 0.5)]


def test_timers_are_started_once_for_many_pages(timers: list[tuple[int, float]]) -> None:
    limit = Limit(10.0, deadly=True)
    for _ in range(3):
        with limit:
            pass
    assert timers == [(signal.ITIMER_VIRTUAL, 15.0), (signal.ITIMER_PROF, 0.5)]


@pytest.mark.parametrize("other", [Limit(20.0), Limit(10.0, deadly=True)])
def test_another_limit_starts_its_own_timers(timers: list[tuple[int, float]], other: Limit) -> None:
    with Limit(10.0):
        pass
    timers.clear()
    with other:
        assert len(timers) == 2


def test_a_copy_of_the_process_starts_its_own_timers(
    timers: list[tuple[int, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Limit(10.0):
        pass
    timers.clear()
    monkeypatch.setattr("os.getpid", lambda: 1)
    with Limit(10.0):
        assert len(timers) == 2


def test_only_an_alarm_within_the_time_of_a_page_postpones_death(
    timers: list[tuple[int, float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Limit(10.0, deadly=True):
        timers.clear()
        limits._alarm(0, None)
        assert timers == [(signal.ITIMER_VIRTUAL, 15.0)]
        monkeypatch.setattr(time, "process_time", lambda: limits._end)
        with pytest.raises(Overtime):
            limits._alarm(0, None)
        assert len(timers) == 1


def test_a_tick_is_never_too_short_for_a_timer(timers: list[tuple[int, float]]) -> None:
    with Limit(1e-9):
        assert timers[-1] == (signal.ITIMER_PROF, 0.001)


def test_no_seconds_are_no_limit(timers: list[tuple[int, float]]) -> None:
    limit = Limit(0.0)
    with limit:
        limits._alarm(0, None)
    assert limit.seconds == 0.0
    assert all(seconds == 0 for _, seconds in timers)


@pytest.mark.parametrize(
    ("deadly", "mortal"), [({}, 0), ({"deadly": True}, 1005.0)], ids=["in this process", "in a worker"]
)
def test_only_a_worker_may_be_killed_by_the_kernel(
    timers: list[tuple[int, float]], deadly: dict[str, bool], mortal: float
) -> None:
    task = PageTask(Job((), model="keep-all", seconds=1000.0), **deadly)
    assert task.document(Raw("tea.html", b"<p>Tea")).text == "Tea\n"
    assert timers == [(signal.ITIMER_VIRTUAL, mortal), (signal.ITIMER_PROF, 50.0)]
