"""Worker processes: each takes a unit at a time; one that dies is replaced and its page blamed.

Plain child processes rather than `multiprocessing.Process`, which would run the caller's script again
in each of them and hide how a child ended. A worker writes its output itself and sends back counts only.
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
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from stupidos.errors import StupidosError
from stupidos.scale.desk import Desk, quiet
from stupidos.scale.job import Job
from stupidos.scale.parts import Poison, worked
from stupidos.scale.sources import Unit

START = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from stupidos.scale.workers import main; main()"
)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
SLATE = struct.Struct("qq")  # page of the unit, whether it is being cleaned


class Fault(NamedTuple):
    """What stops the whole run: no model, a full disk."""

    message: str


class Task(NamedTuple):
    """A unit, where its output goes, and what is known of its pages."""

    unit: Unit
    part: Path
    poison: Poison = Poison()


def one_thread() -> dict[str, str]:
    """Settings that keep numpy to one thread, unless somebody has set them.

    Pages are small matrices: on a busy machine two threads used 43 ms of processor time a page, one 8 ms.
    """
    return {name: os.environ.get(name, "1") for name in THREADS}


def main() -> None:
    """The life of a worker; it ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    line = Connection(int(sys.argv[2]))
    slate = mmap.mmap(int(sys.argv[3]), SLATE.size)

    def announce(number: int, cleaning: bool) -> None:
        SLATE.pack_into(slate, 0, number, cleaning)

    with suppress(EOFError, ConnectionError), quiet():
        try:
            desk = Desk(line.recv(), deadly=True)
            gc.freeze()  # the models are no garbage and need not be looked through
            line.send(None)
            while True:
                task: Task = line.recv()
                line.send(worked(task.unit, desk, task.part, task.poison, announce))
        except (EOFError, ConnectionError):
            raise
        except (StupidosError, OSError) as error:
            line.send(Fault(str(error)))
        except Exception as error:  # ours to mend; the parent must not wait for ever
            line.send(Fault(f"internal error in a worker: {type(error).__name__}: {error}"))


class Worker:
    """A worker as its parent sees it."""

    def __init__(self, job: Job) -> None:
        ours, theirs = socket.socketpair()
        self.line = Connection(ours.detach())
        with tempfile.TemporaryFile() as file, theirs:
            file.truncate(SLATE.size)
            self._slate = mmap.mmap(file.fileno(), SLATE.size)
            passed = (theirs.fileno(), file.fileno())
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, json.dumps(sys.path), *map(str, passed)],
                pass_fds=passed,
                env=os.environ | one_thread(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
        self.ready = False
        self.task: Task | None = None
        self.late = False  # it was ended for not answering
        self._seen: tuple[object, float] = (None, 0.0)
        with suppress(ConnectionError):
            self.line.send(job)

    def page(self) -> tuple[int, bool]:
        """The page it is at (in its unit), and whether it cleans it or still reads."""
        number, cleaning = SLATE.unpack_from(self._slate, 0)
        return number, bool(cleaning)

    def start(self, task: Task) -> None:
        self.task = task
        self._seen = (None, time.monotonic())
        SLATE.pack_into(self._slate, 0, 0, False)
        with suppress(ConnectionError):  # its end will be seen when waiting for it
            self.line.send(task)

    def watch(self, patience: float) -> None:
        """End it if it has been at the same page for too long."""
        now, at = time.monotonic(), self.page()
        if at != self._seen[0] or self.task is None:
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
