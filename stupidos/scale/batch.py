"""Run a job: hand units to workers, append their parts to the output, and keep a journal for --resume.

The order of steps makes a run crash-safe: append a part to the output, sync the output, then write the
journal entry. After a crash the same job continues after the last complete entry.
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
from stupidos.scale.disk import fsync
from stupidos.scale.executor import Executor, InProcess, WorkerPool, part_of
from stupidos.scale.job import Job
from stupidos.scale.journal import Journal, UnitEntry
from stupidos.scale.names import STATE
from stupidos.scale.ordering import OrderedEmitter
from stupidos.scale.page_task import PageTask
from stupidos.scale.parquet import pyarrow
from stupidos.scale.remote import check_writable, upload
from stupidos.scale.shard import end_before
from stupidos.scale.sinks import InFolder, OneFile, Sink, StreamSink, Write
from stupidos.scale.sources import Name, ReadOptions, Unit
from stupidos.scale.unit import Outcome

_UNITS_AHEAD = 64  # finished units per worker that may wait (on disk) for a slower one
_COMMIT_SECONDS = 1.0  # at most this much work is lost in a crash


class Progress(NamedTuple):
    """Progress of a run, reported after each unit."""

    accounts: Accounts  # of the whole run so far
    size: int  # bytes of input of the unit
    failures: tuple[tuple[str, str], ...] = ()  # page and reason
    pages: int | None = None  # of the unit; None if done by an earlier run


_OnProgress = Callable[[Progress], None]


def run(
    job: Job,
    jobs: int = 1,
    resume: bool = False,
    names: Iterable[Name] | None = None,
    on_progress: _OnProgress = lambda progress: None,
    write: Write | None = None,
) -> Accounts:
    """Run a job with `jobs` processes (1: this process only). Returns the totals, earlier runs included.

    `names` are inputs that become known one by one; `write` receives the output of a job without a path.
    """
    _check_extras(job)
    task = PageTask(job, deadly=jobs > 1)  # before any file is created: a missing model fails here
    folder = _journal_folder(job)
    with ExitStack() as stack:
        shared = folder is not None
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "run"
        journal = stack.enter_context(Journal(folder, job.fingerprint(task.models()), resume, shared))
        if not journal.finished:
            output = stack.enter_context(closing(_output_of(job, journal, write)))
            executor = _executor_of(job, jobs, task, journal.scratch)
            stack.enter_context(closing(executor))
            batch = _Batch(job, journal, output, on_progress)
            batch.work(executor, names if names is not None else job.inputs, _UNITS_AHEAD * jobs)
            output.finish()
            journal.write('{"finished": true}')
        _publish(job, journal)
        return journal.accounts


def _check_extras(job: Job) -> None:
    """Fail early if a package needed for the output is not installed."""
    if job.parquet:
        pyarrow()
    if job.remote:
        check_writable(job.output)
    if job.packing == ".zst":
        zstandard()


def _journal_folder(job: Job) -> Path | None:
    """Folder of the journal: next to the output file, inside the output folder, None for a stream.

    That of a remote file is in the current folder.
    """
    if not job.output:
        return None
    if job.remote:
        return Path(job.output.rpartition("/")[2] + ".parts")
    return Path(job.output) / (STATE + job.shard.suffix) if job.folder else Path(job.output + ".parts")


def _executor_of(job: Job, jobs: int, task: PageTask, scratch: Path) -> Executor:
    return InProcess(task, scratch) if jobs == 1 else WorkerPool(job, scratch, jobs, task)


def _output_of(job: Job, journal: Journal, write: Write | None) -> Sink:
    if job.folder:
        return InFolder()
    if job.output:
        return OneFile(job, journal)
    if write is None:
        raise ValueError("a job without an output needs `write`")
    return StreamSink(job, write)


def _publish(job: Job, journal: Journal) -> None:
    """Move the finished output to its final name and remove the journal."""
    finished = journal.folder / ("parquet" if job.parquet else "output")
    if job.remote:
        if finished.exists():
            upload(finished, job.output)
    elif job.output and not job.folder and finished.exists():
        os.replace(finished, job.output)
        fsync(Path(job.output).absolute().parent)
    journal.remove()


class _Batch:
    """A running job."""

    def __init__(self, job: Job, journal: Journal, output: Sink, on_progress: _OnProgress) -> None:
        self._job, self._journal, self._output, self._on_progress = job, journal, output, on_progress
        self._emitter = OrderedEmitter(job.ordered)
        self._ahead: Unit | None = None  # read in advance while the workers are busy
        self._entries: list[UnitEntry] = []  # in the output, not yet in the journal
        self._committed = time.monotonic()

    def work(self, executor: Executor, names: Iterable[Name], window: int) -> None:
        """Run all units that are not done yet."""
        plan = self._remaining(names)
        try:
            while True:
                self._hand_out(executor, plan, window)
                if not executor.busy():
                    break
                self._ahead = self._ahead or next(plan, None)
                ready = self._emitter.add(*executor.finished())
                self._hand_out(executor, plan, window)  # keep the workers busy while the output is written
                for finished in ready:
                    self._append(*finished)
        except BaseException:
            with suppress(StupidosError, OSError):  # the first error is the one to report
                self._commit()
            raise
        self._commit()

    def _hand_out(self, executor: Executor, plan: Iterator[Unit], window: int) -> None:
        while executor.free() and (unit := self._next_unit(plan, window)):
            executor.start(unit)

    def _remaining(self, names: Iterable[Name]) -> Iterator[Unit]:
        """The units not done by an earlier run; changed inputs are an error."""
        avoid = os.path.realpath(self._job.output) if self._job.folder else ""
        options = ReadOptions(self._job.field, self._job.suffix, avoid, self._job.input)
        for position, unit in enumerate(self._job.shard.units(names, options)):
            if position == 0:
                self._emitter.begin(unit, end_before(unit))
            digest, ended = self._journal.done.pop(unit.number, ("", None))
            if not digest:
                yield unit
            elif digest != unit.digest:
                raise StupidosError(
                    f"the inputs have changed since the run in {self._journal.folder}: remove the folder"
                )
            else:
                self._emitter.mark_emitted(unit, ended)
                self._on_progress(Progress(self._journal.accounts, unit.size))
        if self._journal.done:
            raise StupidosError(
                f"inputs are missing since the run in {self._journal.folder}: remove the folder"
            )

    def _next_unit(self, plan: Iterator[Unit], window: int) -> Unit | None:
        """The next unit to start; None while too many finished units wait for a slow one."""
        if self._emitter.retry:
            return self._emitter.retry.pop()
        if len(self._emitter) >= window:
            return None
        unit, self._ahead = self._ahead or next(plan, None), None
        return unit

    def _append(self, unit: Unit, outcome: Outcome) -> None:
        """Append a unit's part to the output; its journal entry follows within _COMMIT_SECONDS."""
        part = part_of(self._journal.scratch, unit)
        if outcome.dropped:
            part.write_bytes(b"")
        offset = self._output.append(part)
        entry = UnitEntry(unit.number, unit.digest, offset, outcome.span.ended, outcome.accounts)
        self._entries.append(entry)
        self._journal.accounts.add(outcome.accounts)
        self._on_progress(
            Progress(self._journal.accounts, unit.size, outcome.failures, outcome.accounts.read)
        )
        if time.monotonic() - self._committed > _COMMIT_SECONDS:
            self._commit()

    def _commit(self) -> None:
        if self._entries and self._job.output:
            self._output.sync()
            self._journal.write(*(entry.line() for entry in self._entries))
        self._entries.clear()
        self._committed = time.monotonic()
