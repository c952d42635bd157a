"""All of it: units to workers, parts to the output, and a journal to start again from.

The order of things is what makes a run safe: a part is added to the output, the output is brought to
the disk, then the journal says so. After a crash the same job goes on behind the last line.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import NamedTuple

from stupidos.errors import StupidosError
from stupidos.scale.accounts import Accounts
from stupidos.scale.compression import zstandard
from stupidos.scale.disk import synced
from stupidos.scale.executor import Executor, InProcess, WorkerPool, part_of
from stupidos.scale.job import Job
from stupidos.scale.journal import Entry, Journal
from stupidos.scale.names import STATE
from stupidos.scale.ordering import Turns
from stupidos.scale.page_task import PageTask
from stupidos.scale.parquet import pyarrow
from stupidos.scale.sinks import InFolder, OneFile, Output, Stream, Write
from stupidos.scale.sources import Name, Unit, Wanted, units
from stupidos.scale.unit import Outcome

WINDOW = 64  # units that each worker may be ahead of the slowest; they wait on the disk
COMMIT = 1.0  # seconds of work that a crash may cost, at most


class Progress(NamedTuple):
    """What a watcher hears when a unit is done."""

    accounts: Accounts  # of the whole run so far
    size: int  # bytes of input that the unit was
    failures: tuple[tuple[str, str], ...] = ()  # page and reason
    pages: int | None = None  # of the unit; None if an earlier run did it


Watch = Callable[[Progress], None]


def run(
    job: Job,
    jobs: int = 1,
    resume: bool = False,
    names: Iterable[Name] | None = None,
    watch: Watch = lambda news: None,
    write: Write | None = None,
) -> Accounts:
    """Do a job with so many processes; 1 is this one alone. The accounts of all of it, earlier runs too.

    `names` are inputs that are only known one by one; `write` gets the output of a job that names none.
    """
    check_extras(job)
    task = PageTask(job, deadly=jobs > 1)  # before anything is made: a model that is not there ends it here
    folder = journal_folder(job)
    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "run"
        journal = stack.enter_context(Journal(folder, job.fingerprint(task.models()), resume))
        if not journal.finished:
            output = stack.enter_context(closing(output_of(job, journal, write)))
            executor = executor_of(job, jobs, task, journal.scratch)
            stack.enter_context(closing(executor))
            batch = Batch(job, journal, output, watch)
            batch.work(executor, names if names is not None else job.inputs, WINDOW * jobs)
            output.finish()
            journal.write('{"finished": true}')
        appear(job, journal)
        return journal.accounts


def check_extras(job: Job) -> None:
    """Ask for the packages that the output needs now, not when all the work is done."""
    if job.parquet:
        pyarrow()
    if job.packing == ".zst":
        zstandard()


def journal_folder(job: Job) -> Path | None:
    """Where a job keeps its state: beside the output file, in the output folder, nowhere for a stream."""
    if not job.output:
        return None
    return Path(job.output) / STATE if job.folder else Path(job.output + ".parts")


def executor_of(job: Job, jobs: int, task: PageTask, scratch: Path) -> Executor:
    return InProcess(task, scratch) if jobs == 1 else WorkerPool(job, scratch, jobs, task)


def output_of(job: Job, journal: Journal, write: Write | None) -> Output:
    if job.folder:
        return InFolder()
    if job.output:
        return OneFile(job, journal)
    if write is None:
        raise ValueError("a job without an output needs something to write with")
    return Stream(job, write)


def appear(job: Job, journal: Journal) -> None:
    """Give the finished output its name and forget how it was made."""
    made = journal.folder / ("parquet" if job.parquet else "output")
    if job.output and not job.folder and made.exists():
        os.replace(made, job.output)
        synced(Path(job.output).absolute().parent)
    journal.remove()


class Batch:
    """A job under way."""

    def __init__(self, job: Job, journal: Journal, output: Output, watch: Watch) -> None:
        self._job, self._journal, self._output, self._watch = job, journal, output, watch
        self._turns = Turns(job.ordered)
        self._ahead: Unit | None = None  # read from the inputs while the workers are busy
        self._entries: list[Entry] = []  # taken up, not yet in the journal
        self._committed = time.monotonic()

    def work(self, executor: Executor, names: Iterable[Name], window: int) -> None:
        """Everything that is not done yet."""
        plan = self._left(names)
        try:
            while True:
                self._hand_out(executor, plan, window)
                if not executor.busy():
                    break
                self._ahead = self._ahead or next(plan, None)
                turns = self._turns.arrived(*executor.finished())
                self._hand_out(executor, plan, window)  # nobody waits while we write
                for turn in turns:
                    self._take(*turn)
        except BaseException:
            with suppress(StupidosError, OSError):  # what went wrong first is what counts
                self._commit()
            raise
        self._commit()

    def _hand_out(self, executor: Executor, plan: Iterator[Unit], window: int) -> None:
        while executor.free() and (unit := self._following(plan, window)):
            executor.start(unit)

    def _left(self, names: Iterable[Name]) -> Iterator[Unit]:
        """The units that no earlier run has done; inputs that changed since are refused."""
        avoid = os.path.realpath(self._job.output) if self._job.folder else ""
        wanted = Wanted(self._job.field, self._job.suffix, avoid, self._job.input)
        for unit in units(names, wanted):
            digest, ended = self._journal.done.pop(unit.number, ("", None))
            if not digest:
                yield unit
            elif digest != unit.digest:
                raise StupidosError(
                    f"the inputs have changed since the run in {self._journal.folder}: remove the folder"
                )
            else:
                self._turns.passed(unit, ended)
                self._watch(Progress(self._journal.accounts, unit.size))
        if self._journal.done:
            raise StupidosError(
                f"inputs are missing since the run in {self._journal.folder}: remove the folder"
            )

    def _following(self, plan: Iterator[Unit], window: int) -> Unit | None:
        """The unit to do next; none while too many wait for a slow one."""
        if self._turns.again:
            return self._turns.again.pop()
        if len(self._turns) >= window:
            return None
        unit, self._ahead = self._ahead or next(plan, None), None
        return unit

    def _take(self, unit: Unit, outcome: Outcome) -> None:
        """Add a unit's part to the output; the journal hears of it within a second."""
        part = part_of(self._journal.scratch, unit)
        if outcome.dropped:
            part.write_bytes(b"")
        offset = self._output.take(part)
        self._entries.append(Entry(unit.number, unit.digest, offset, outcome.span.ended, outcome.accounts))
        self._journal.accounts.add(outcome.accounts)
        self._watch(Progress(self._journal.accounts, unit.size, outcome.failures, outcome.accounts.read))
        if time.monotonic() - self._committed > COMMIT:
            self._commit()

    def _commit(self) -> None:
        if self._entries and self._job.output:
            self._output.sync()
            self._journal.write(*(entry.line() for entry in self._entries))
        self._entries.clear()
        self._committed = time.monotonic()
