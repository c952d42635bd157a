"""Worker processes: each takes a unit at a time; one that dies is replaced and its page blamed.

Where nothing else runs in this process a worker is a copy of it, made in no time and sharing its models.
Where threads do, whose locks a copy would find locked for ever, it is a new Python: not one of
`multiprocessing`, which would run the caller's script again. A worker writes its output itself and
sends back counts only.
"""

from __future__ import annotations

import gc
import json
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from multiprocessing.process import current_process
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol

from stupidos.errors import StupidosError
from stupidos.scale.disk import message, write_all
from stupidos.scale.job import Job
from stupidos.scale.page_task import PageTask, quiet
from stupidos.scale.sources import Unit
from stupidos.scale.unit import Poison, worked

START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from stupidos.scale.workers import main; main()"
)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
STDERR = 2  # the last of the descriptors that every process has
SLATE = struct.Struct("qq")  # page of the unit, whether it is being cleaned


class Fault(NamedTuple):
    """What stops the whole run: no model, a full disk."""

    message: str


class Assignment(NamedTuple):
    """A unit, where its output goes, and what is known of its pages."""

    unit: Unit
    part: Path
    poison: Poison = Poison()


def one_thread() -> dict[str, str]:
    """Settings that keep numpy to one thread, unless somebody has set them.

    Pages are small matrices: on a busy machine two threads used 43 ms of processor time a page, one 8 ms.
    """
    return {name: os.environ.get(name, "1") for name in THREADS}


def can_be_copied() -> bool:
    """Whether nothing else runs in this process, threads of libraries included, and it may have children."""
    try:
        return len(os.listdir("/proc/self/task")) == 1 and not current_process().daemon
    except OSError:  # not on every system
        return False


def main() -> None:
    """The life of a new Python."""
    serve(Connection(int(sys.argv[2])), mmap.mmap(int(sys.argv[3]), SLATE.size), None)


def copied(line: Connection, slate: mmap.mmap, task: PageTask) -> None:
    """The life of a copy, which must hold nothing open of its parent's: files, locks, other workers."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > STDERR and int(name) != line.fileno():
            with suppress(OSError):  # the listing itself
                os.close(int(name))
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(STDERR):
        os.dup2(null, descriptor)
    serve(line, slate, task)


def serve(line: Connection, slate: mmap.mmap, task: PageTask | None) -> None:
    """The life of a worker; it ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle

    def announce(number: int, cleaning: bool) -> None:
        SLATE.pack_into(slate, 0, number, cleaning)

    with suppress(EOFError, ConnectionError), quiet():
        try:
            task = task or PageTask(line.recv(), deadly=True)
            gc.freeze()  # the models are no garbage and need not be looked through
            line.send(None)
            while True:
                assignment: Assignment = line.recv()
                line.send(worked(assignment.unit, task, assignment.part, assignment.poison, announce))
        except (EOFError, ConnectionError):
            raise
        except (StupidosError, OSError, MemoryError) as error:
            line.send(Fault(message(error)))
        except Exception as error:  # ours to mend; the parent must not wait for ever
            line.send(Fault(f"internal error in a worker: {type(error).__name__}: {error}"))


class Process(Protocol):
    """A child of ours."""

    @property
    def pid(self) -> int | None: ...

    def kill(self) -> None: ...

    def wait(self) -> int:
        """How it ended: its exit code, or the signal below zero."""


class Copy(ForkProcess):
    """A copy of this process, which never hears Ctrl-C: that is the parent's to handle."""

    def __init__(self, target: Callable[..., object], args: tuple[object, ...]) -> None:
        super().__init__(target=target, args=args, daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def wait(self) -> int:
        self.join()
        return self.exitcode or 0


class Worker:
    """A worker as its parent sees it; given a task it may be a copy, without one it is a new Python."""

    def __init__(self, job: Job, task: PageTask | None = None) -> None:
        ours, theirs = socket.socketpair()
        self.line = Connection(ours.detach())
        with Connection(theirs.detach()) as line:
            self.process: Process
            if task and can_be_copied():
                self._slate = mmap.mmap(-1, SLATE.size)
                self.process = Copy(copied, (line, self._slate, task))
            else:
                with memory(SLATE.size) as file:
                    self._slate = mmap.mmap(file.fileno(), SLATE.size)
                    self.process = new_python(line.fileno(), file.fileno())
                with suppress(ConnectionError):
                    self.line.send(job)
        self.ready = False
        self.assignment: Assignment | None = None
        self.late = False  # it was ended for not answering
        self._seen: tuple[object, float] = (None, 0.0)

    def page(self) -> tuple[int, bool]:
        """The page it is at (in its unit), and whether it cleans it or still reads."""
        number, cleaning = SLATE.unpack_from(self._slate, 0)
        return number, bool(cleaning)

    def start(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self._seen = (None, time.monotonic())
        SLATE.pack_into(self._slate, 0, 0, False)
        with suppress(ConnectionError):  # its end will be seen when waiting for it
            self.line.send(assignment)

    def watch(self, patience: float) -> None:
        """End it if it has been at the same page for too long."""
        now, at = time.monotonic(), self.page()
        if at != self._seen[0] or self.assignment is None:
            self._seen = (at, now)
        elif now - self._seen[1] > patience:
            self.late = True
            self.process.kill()

    def end(self) -> int:
        """End it and clean up; how it ended."""
        self.line.close()
        self.process.kill()
        code = self.process.wait()
        self._slate.close()
        return code


def memory(size: int) -> BinaryIO:
    """Memory that another process can map: no file on a disk, which might be full when it is written to."""
    if hasattr(os, "memfd_create"):
        file = FileIO(os.memfd_create("stupidos"), "w+")
    else:  # not on every system
        file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # the caller's to close
    write_all(file, bytes(size))  # a hole would be filled, or not, at the first use
    return file


def new_python(*passed: int) -> subprocess.Popen[bytes]:
    """A Python with our modules that has nothing of us but these descriptors."""
    return subprocess.Popen(
        [sys.executable, "-c", START, json.dumps(sys.path), *map(str, passed)],
        pass_fds=passed,
        env=os.environ | one_thread(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
