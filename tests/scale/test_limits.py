"""The time limit of a page, by the processor's clock and the alarms of the kernel."""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest
import standin

from stupidos.scale.batch import run
from stupidos.scale.job import Job
from stupidos.scale.limits import Limit, Overtime
from stupidos.scale.page_task import PageTask
from stupidos.scale.source_items import Raw

Timers = list[tuple[int, float]]
PROFILING, VIRTUAL = signal.ITIMER_PROF, signal.ITIMER_VIRTUAL
STOPPED = [(PROFILING, 0), (VIRTUAL, 0)]


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    """Each timer that was set, and to how many seconds; none of them runs."""
    started: Timers = []
    monkeypatch.setattr(signal, "setitimer", lambda which, seconds, _=0.0: started.append((which, seconds)))
    return started


def alarm() -> None:
    """What the kernel does when a timer rings."""
    signal.getsignal(signal.SIGPROF)(signal.SIGPROF, None)  # type: ignore[operator,misc,arg-type]


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


def test_timers_run_for_a_page(timers: Timers) -> None:
    with Limit(10.0):
        assert timers == [(PROFILING, 0.5)]
    assert timers[1:] == STOPPED


def test_timers_can_be_kept_from_page_to_page(timers: Timers) -> None:
    limit = Limit(10.0, deadly=True)
    with limit.kept():
        for _ in range(3):
            with limit:
                pass
        assert timers == [(VIRTUAL, 15.0), (PROFILING, 0.5)]
    assert timers[2:] == STOPPED
    with limit.kept():
        pass
    assert len(timers) == 4  # without a page nothing is started


def test_an_alarm_between_pages_only_postpones_death(timers: Timers) -> None:
    limit = Limit(10.0, deadly=True)
    with limit.kept():
        with limit:
            pass
        alarm()
        assert timers[2:] == [(VIRTUAL, 15.0)]
    timers.clear()
    alarm()  # one that comes too late
    assert timers == []


def test_an_alarm_within_the_time_of_a_page_postpones_death(
    timers: Timers, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Limit(10.0, deadly=True):
        timers.clear()
        alarm()
        assert timers == [(VIRTUAL, 15.0)]
        end = time.process_time() + 11
        monkeypatch.setattr(time, "process_time", lambda: end)
        with pytest.raises(Overtime):
            alarm()
        assert len(timers) == 1


def test_a_tick_is_never_too_short_for_a_timer(timers: Timers) -> None:
    with Limit(1e-9):
        assert timers == [(PROFILING, 0.001)]


def test_no_seconds_are_no_limit(timers: Timers) -> None:
    limit = Limit(0.0)
    with limit.kept(), limit:
        pass
    assert limit.seconds == 0.0
    assert timers == []


@pytest.mark.parametrize(
    ("deadly", "wanted"),
    [({}, {PROFILING}), ({"deadly": True}, {PROFILING, VIRTUAL})],
    ids=["in this process", "in a worker"],
)
def test_only_a_worker_may_be_killed_by_the_kernel(
    timers: Timers, deadly: dict[str, bool], wanted: set[int]
) -> None:
    task = PageTask(Job((), model="keep-all", seconds=1000.0), **deadly)
    assert task.document(Raw("tea.html", b"<p>Tea")).text == "Tea\n"
    assert {timer for timer, seconds in timers if seconds} == wanted


def test_a_unit_sets_its_timers_once(timers: Timers, tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.html").write_text("<p>Tea")
    run(Job((str(tmp_path),), str(tmp_path / "out.jsonl"), model="keep-all", seconds=1000.0), 1)
    assert [timer for timer, seconds in timers if seconds] == [PROFILING]
