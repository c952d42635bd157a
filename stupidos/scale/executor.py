"""Who does the units: this process, or workers on every core; both look the same to the batch."""

from __future__ import annotations

import signal
from collections import Counter
from multiprocessing.connection import wait
from pathlib import Path
from typing import Protocol

from stupidos.errors import StupidosError
from stupidos.scale.job import Job
from stupidos.scale.page_task import PageTask, quiet
from stupidos.scale.sources import Unit
from stupidos.scale.unit import Outcome, Poison, worked
from stupidos.scale.workers import Assignment, Fault, Worker

LOOK = 1.0  # seconds between looks at what the workers do
STUCK = 30  # times its limit of processor time that a page may take by the clock
PATIENCE = 60.0  # seconds by the clock that it may take anyway
UNLIMITED = 3600.0  # seconds by the clock where there is no limit, and for a worker to start
CHANCES = 2  # workers a page may cost: the first may have been killed for what it did not do
BAD_STARTS = 3  # workers in a row that die before they can work


class Executor(Protocol):
    """Takes units while it has hands free, and gives back what became of them."""

    def free(self) -> bool: ...

    def busy(self) -> bool: ...

    def start(self, unit: Unit) -> None: ...

    def finished(self) -> tuple[Unit, Outcome]:
        """The next unit that is done, after waiting for it."""

    def close(self) -> None: ...


class InProcess:
    """This process does the work, a unit at a time."""

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
        with quiet():
            return unit, worked(unit, self._task, part, Poison(), lambda number, cleaning: None)

    def close(self) -> None:
        pass


def part_of(scratch: Path, unit: Unit) -> Path:
    """Where the output of a unit waits for its turn."""
    return scratch / f"{unit.number}.part"


class WorkerPool:
    """Worker processes; they start when there is work for them."""

    def __init__(self, job: Job, scratch: Path, number: int, task: PageTask | None = None) -> None:
        self._job, self._scratch, self._number, self._task = job, scratch, number, task
        self._workers: list[Worker] = []
        self._again: list[Assignment] = []  # units whose worker died
        self._deaths: Counter[tuple[int, int, bool]] = Counter()  # unit, page, cleaning
        self._bad_starts = 0
        self._patience = max(STUCK * job.seconds, PATIENCE) if job.seconds else UNLIMITED

    def free(self) -> bool:
        idle = any(worker.assignment is None for worker in self._workers)
        return not self._again and (idle or len(self._workers) < self._number)

    def busy(self) -> bool:
        return bool(self._again) or any(worker.assignment for worker in self._workers)

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
            while self._again:
                self._hand_out(self._again.pop())
            heard = wait([worker.line for worker in self._workers], LOOK)
            for worker in [worker for worker in self._workers if worker.line in heard]:
                try:
                    answer = worker.line.recv()
                except (EOFError, ConnectionError):
                    self._lost(worker)
                    continue
                if isinstance(answer, Fault):
                    raise StupidosError(answer.message)
                if isinstance(answer, Outcome):
                    assignment, worker.assignment = worker.assignment, None
                    assert assignment is not None
                    self._forget(assignment.unit.number)
                    return assignment.unit, answer
                worker.ready, self._bad_starts = True, 0
            for worker in self._workers:
                worker.watch(self._patience if worker.ready else UNLIMITED)

    def _forget(self, unit: int) -> None:
        for death in [death for death in self._deaths if death[0] == unit]:
            del self._deaths[death]

    def _lost(self, worker: Worker) -> None:
        """Find out what a worker died of, and give its unit to another with that in mind."""
        self._workers.remove(worker)
        page, cleaning = worker.page()
        code = worker.end()
        if not worker.ready:
            self._bad_starts += 1
            if self._bad_starts == BAD_STARTS:
                raise StupidosError(f"workers end as soon as they start ({how(code)}): try --jobs 1")
        if worker.assignment is None:
            return
        assignment = worker.assignment
        if worker.ready:
            poison = self._learnt(assignment, page, cleaning, code, worker.late)
            assignment = assignment._replace(poison=poison)
        self._again.append(assignment)

    def _learnt(self, assignment: Assignment, page: int, cleaning: bool, code: int, late: bool) -> Poison:
        """What to do otherwise next time."""
        poison = assignment.poison
        self._deaths[assignment.unit.number, page, cleaning] += 1
        deaths = self._deaths[assignment.unit.number, page, cleaning]
        if cleaning and code == -signal.SIGVTALRM:
            reason = f"needs more than {self._job.seconds:g} s"
        elif deaths < CHANCES:
            return poison
        elif late:
            reason = f"no answer within {self._patience:g} s"
        else:
            reason = f"ended {deaths} workers ({how(code)})"
        if not cleaning:
            return poison._replace(end=page)
        return poison._replace(pages={**poison.pages, page: reason})

    def close(self) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()


def how(code: int) -> str:
    """How a process ended, in words.

    >>> how(-9), how(3)
    ('SIGKILL', 'exit code 3')
    """
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
