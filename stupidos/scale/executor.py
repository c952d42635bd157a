"""Executors that run units: in this process, or in a pool of worker processes."""

from __future__ import annotations

import signal
from collections import Counter
from multiprocessing.connection import wait
from pathlib import Path
from typing import Protocol

from stupidos.decode import quietly
from stupidos.errors import StupidosError
from stupidos.scale.job import Job
from stupidos.scale.page_task import PageTask
from stupidos.scale.sources import Unit
from stupidos.scale.unit import KnownCrashes, Outcome, run_unit
from stupidos.scale.workers import Assignment, Fault, Worker

_POLL_SECONDS = 1.0  # between checks of the workers
_WALL_FACTOR = 30  # wall-clock limit of a page as a multiple of its CPU limit
_MIN_WALL_SECONDS = 60.0  # the wall-clock limit is at least this
_DEFAULT_WALL_SECONDS = 3600.0  # wall-clock limit without a CPU limit, and for a worker to start
_MAX_CRASHES = 2  # workers a page may crash: the first may have been killed for another reason
_MAX_BAD_STARTS = 3  # workers in a row that die before they are ready


class Executor(Protocol):
    """Accepts units while it has capacity, and returns their outcomes."""

    def free(self) -> bool: ...

    def busy(self) -> bool: ...

    def start(self, unit: Unit) -> None: ...

    def finished(self) -> tuple[Unit, Outcome]:
        """Wait for the next finished unit."""

    def close(self) -> None: ...


class InProcess:
    """Runs one unit at a time in this process."""

    def __init__(self, task: PageTask, scratch: Path) -> None:
        self._task, self._scratch = task, scratch
        self._unit: Unit | None = None

    def free(self) -> bool:
        return self._unit is None

    def busy(self) -> bool:
        return self._unit is not None

    def start(self, unit: Unit) -> None:
        self._unit = unit

    def finished(self) -> tuple[Unit, Outcome]:
        unit, self._unit = self._unit, None
        assert unit is not None
        part = part_of(self._scratch, unit)
        with quietly():
            return unit, run_unit(unit, self._task, part, KnownCrashes(), lambda number, cleaning: None)

    def close(self) -> None:
        pass


def part_of(scratch: Path, unit: Unit) -> Path:
    """Path of a unit's output until it is appended."""
    return scratch / f"{unit.number}.part"


class WorkerPool:
    """A pool of worker processes, started on demand."""

    def __init__(self, job: Job, scratch: Path, number: int, task: PageTask | None = None) -> None:
        self._job, self._scratch, self._number, self._task = job, scratch, number, task
        self._workers: list[Worker] = []
        self._retry: list[Assignment] = []  # units whose worker crashed
        self._crashes: Counter[tuple[int, int, bool]] = Counter()  # unit, page, cleaning
        self._bad_starts = 0
        self._wall_limit = (
            max(_WALL_FACTOR * job.seconds, _MIN_WALL_SECONDS) if job.seconds else _DEFAULT_WALL_SECONDS
        )

    def free(self) -> bool:
        idle = any(worker.assignment is None for worker in self._workers)
        return not self._retry and (idle or len(self._workers) < self._number)

    def busy(self) -> bool:
        return bool(self._retry) or any(worker.assignment for worker in self._workers)

    def start(self, unit: Unit) -> None:
        self._hand_out(Assignment(unit, part_of(self._scratch, unit)))

    def _hand_out(self, assignment: Assignment) -> None:
        worker = next((one for one in self._workers if one.assignment is None), None)
        if worker is None:
            worker = Worker(self._job, self._task)
            self._workers.append(worker)
        worker.start(assignment)

    def finished(self) -> tuple[Unit, Outcome]:
        while True:
            while self._retry:
                self._hand_out(self._retry.pop())
            readable = wait([worker.line for worker in self._workers], _POLL_SECONDS)
            for worker in [worker for worker in self._workers if worker.line in readable]:
                try:
                    reply = worker.line.recv()
                except (EOFError, ConnectionError):
                    self._crashed(worker)
                    continue
                if isinstance(reply, Fault):
                    raise StupidosError(reply.message)
                if isinstance(reply, Outcome):
                    assignment, worker.assignment = worker.assignment, None
                    assert assignment is not None
                    self._forget(assignment.unit.number)
                    return assignment.unit, reply
                worker.ready, self._bad_starts = True, 0
            for worker in self._workers:
                worker.watch(self._wall_limit if worker.ready else _DEFAULT_WALL_SECONDS)

    def _forget(self, unit: int) -> None:
        for crash in [crash for crash in self._crashes if crash[0] == unit]:
            del self._crashes[crash]

    def _crashed(self, worker: Worker) -> None:
        """Record why a worker died and queue its unit again."""
        self._workers.remove(worker)
        page, cleaning = worker.page()
        code = worker.end()
        if not worker.ready:
            self._bad_starts += 1
            if self._bad_starts == _MAX_BAD_STARTS:
                raise StupidosError(f"workers exit during startup ({_exit_reason(code)}): try --jobs 1")
        if worker.assignment is None:
            return
        assignment = worker.assignment
        if worker.ready:
            known_crashes = self._known_crashes(assignment, page, cleaning, code, worker.late)
            assignment = assignment._replace(known_crashes=known_crashes)
        self._retry.append(assignment)

    def _known_crashes(
        self, assignment: Assignment, page: int, cleaning: bool, code: int, late: bool
    ) -> KnownCrashes:
        """What to skip in the next attempt."""
        known_crashes = assignment.known_crashes
        self._crashes[assignment.unit.number, page, cleaning] += 1
        crashes = self._crashes[assignment.unit.number, page, cleaning]
        if cleaning and code == -signal.SIGVTALRM:
            reason = f"needs more than {self._job.seconds:g} s"
        elif crashes < _MAX_CRASHES:
            return known_crashes
        elif late:
            reason = f"no reply within {self._wall_limit:g} s"
        else:
            reason = f"ended {crashes} workers ({_exit_reason(code)})"
        if not cleaning:
            return known_crashes._replace(end=page)
        return known_crashes._replace(pages={**known_crashes.pages, page: reason})

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()


def _exit_reason(code: int) -> str:
    """How a process ended, for messages.

    >>> _exit_reason(-9), _exit_reason(3)
    ('SIGKILL', 'exit code 3')
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
