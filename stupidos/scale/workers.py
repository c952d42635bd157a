"""Worker processes: each runs one unit at a time; a crashed worker is replaced and its page marked failed.

A worker is forked if this process has no other threads, which is fast and shares the loaded models.
With threads, whose locks a fork would inherit locked, a new Python is started; not with the spawn method
of `multiprocessing`, which would run the caller's script again. A worker writes its own output and sends
back counts only.
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

from stupidos.decode import quietly
from stupidos.errors import StupidosError
from stupidos.scale.disk import message, write_all
from stupidos.scale.job import Job
from stupidos.scale.page_task import PageTask
from stupidos.scale.sources import Unit
from stupidos.scale.unit import KnownCrashes, run_unit

_START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from stupidos.scale.workers import main; main()"
)
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_STDERR = 2  # the highest standard descriptor
_PAGE_STATE = struct.Struct("qq")  # number of the page in its unit, whether it is being cleaned


class Fault(NamedTuple):
    """An error that ends the whole run: no model, a full disk."""

    message: str


class Assignment(NamedTuple):
    """A unit, the path of its output, and its known crashes."""

    unit: Unit
    part: Path
    known_crashes: KnownCrashes = KnownCrashes()


def one_thread() -> dict[str, str]:
    """Environment settings that limit numpy to one thread; existing settings win.

    Pages are small matrices: on a busy machine two threads used 43 ms of CPU time a page, one 8 ms.
    """
    return {name: os.environ.get(name, "1") for name in _THREADS}


def _can_fork() -> bool:
    """Whether this process is single-threaded, library threads included, and may have children."""
    try:
        return len(os.listdir("/proc/self/task")) == 1 and not current_process().daemon
    except OSError:  # not on every system
        return False


def main() -> None:
    """Entry point of a worker started as a new Python."""
    serve(Connection(int(sys.argv[2])), mmap.mmap(int(sys.argv[3]), _PAGE_STATE.size), None)


def _forked(line: Connection, page_state: mmap.mmap, task: PageTask) -> None:
    """Entry point of a forked worker; closes everything inherited: files, locks, other workers' pipes."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) > _STDERR and int(name) != line.fileno():
            with suppress(OSError):  # the listing itself
                os.close(int(name))
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(_STDERR):
        os.dup2(null, descriptor)
    serve(line, page_state, task)


def serve(line: Connection, page_state: mmap.mmap, task: PageTask | None) -> None:
    """Main loop of a worker; it ends when its parent closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C

    def announce(number: int, cleaning: bool) -> None:
        _PAGE_STATE.pack_into(page_state, 0, number, cleaning)

    with suppress(EOFError, ConnectionError), quietly():
        try:
            task = task or PageTask(line.recv(), deadly=True)
            gc.freeze()  # keeps the collector from scanning the models
            line.send(None)
            while True:
                assignment: Assignment = line.recv()
                line.send(
                    run_unit(assignment.unit, task, assignment.part, assignment.known_crashes, announce)
                )
        except (EOFError, ConnectionError):
            raise
        except (StupidosError, OSError, MemoryError) as error:
            line.send(Fault(message(error)))
        except Exception as error:  # a bug; report it instead of leaving the parent waiting
            line.send(Fault(f"internal error in a worker: {type(error).__name__}: {error}"))


class _Process(Protocol):
    """A child process."""

    @property
    def pid(self) -> int | None: ...

    def kill(self) -> None: ...

    def wait(self) -> int:
        """Wait for the exit code; negative for a signal."""


class _Fork(ForkProcess):
    """A fork of this process with SIGINT blocked: the parent handles Ctrl-C."""

    def __init__(self, target: Callable[..., object], args: tuple[object, ...]) -> None:
        super().__init__(target=target, args=args, daemon=True)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def wait(self) -> int:
        self.join()
        return self.exitcode or 0


class Worker:
    """The parent's handle of a worker; with a task it may be forked, without one it is a new Python."""

    def __init__(self, job: Job, task: PageTask | None = None) -> None:
        ours, theirs = socket.socketpair()
        self.line = Connection(ours.detach())
        with Connection(theirs.detach()) as line:
            self.process: _Process
            if task and _can_fork():
                task.preload()
                self._page_state = mmap.mmap(-1, _PAGE_STATE.size)
                self.process = _Fork(_forked, (line, self._page_state, task))
            else:
                with _memory(_PAGE_STATE.size) as file:
                    self._page_state = mmap.mmap(file.fileno(), _PAGE_STATE.size)
                    self.process = _new_python(line.fileno(), file.fileno())
                with suppress(ConnectionError):
                    self.line.send(job)
        self.ready = False
        self.assignment: Assignment | None = None
        self.late = False  # killed for exceeding the wall-clock limit
        self._seen: tuple[object, float] = (None, 0.0)

    def page(self) -> tuple[int, bool]:
        """Number of the current page in its unit, and whether it is being cleaned or still read."""
        number, cleaning = _PAGE_STATE.unpack_from(self._page_state, 0)
        return number, bool(cleaning)

    def start(self, assignment: Assignment) -> None:
        self.assignment = assignment
        self._seen = (None, time.monotonic())
        _PAGE_STATE.pack_into(self._page_state, 0, 0, False)
        with suppress(ConnectionError):  # noticed when waiting for its reply
            self.line.send(assignment)

    def watch(self, limit: float) -> None:
        """Kill the worker if it has been at the same page for more than `limit` seconds."""
        now, at = time.monotonic(), self.page()
        if at != self._seen[0] or self.assignment is None:
            self._seen = (at, now)
        elif now - self._seen[1] > limit:
            self.late = True
            self.process.kill()

    def end(self) -> int:
        """Kill the worker, clean up and return its exit code."""
        self.line.close()
        self.process.kill()
        code = self.process.wait()
        self._page_state.close()
        return code


def _memory(size: int) -> BinaryIO:
    """Shared memory for another process; not a file on disk, since the disk may be full."""
    if hasattr(os, "memfd_create"):
        file = FileIO(os.memfd_create("stupidos"), "w+")
    else:  # not on every system
        file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # closed by the caller
    write_all(file, bytes(size))  # allocate now: a sparse file could fail later
    return file


def _new_python(*passed: int) -> subprocess.Popen[bytes]:
    """Start a Python with the same sys.path that inherits only these descriptors."""
    return subprocess.Popen(
        [sys.executable, "-c", _START, json.dumps(sys.path), *map(str, passed)],
        pass_fds=passed,
        env=os.environ | one_thread(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
