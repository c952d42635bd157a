"""The proof: hostile folders, killed three times and resumed, lose no page and share no name."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import standin
from hostile import Hostile, hostile

from stupidos.scale.batch import run
from stupidos.scale.job import Job
from stupidos.scale.names import _stem
from stupidos.write import Style

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other file systems do not have such names")

RUN = """
import json, os, signal, sys

os.fsync = lambda descriptor: None  # what is killed loses nothing that it wrote: no power goes off here

from stupidos.scale import batch, unit, sources
from stupidos.scale.job import Job
from stupidos.write import Style

output, jobs, files, when, *inputs = sys.argv[1:]
kind, _, count = when.partition(":")
left, first = [int(count or 0)], os.getpid()

def counted(name, deed):
    def deed_or_death(*arguments):
        left[0] -= name == kind
        if name == kind and not left[0]:
            os.kill(first, signal.SIGKILL)  # a worker goes on for a while
        return deed(*arguments)
    return deed_or_death

unit.fsync, os.replace = counted("sync", unit.fsync), counted("rename", os.replace)
sources._MAX_UNIT_FILES, batch._COMMIT_SECONDS = int(files), 0.0
job = Job(tuple(inputs), output, folder=True, style=Style("text"), cleaner="standin:Standin")
accounts = batch.run(job, int(jobs), resume=True, on_progress=counted("news", lambda news: None))
print(json.dumps(accounts.as_json()))
"""
KILLS = ("rename", "news", "sync")


def start(found: Hostile, output: Path, jobs: int, files: int, kill: str = "") -> dict[str, Any] | None:
    """The accounts of a run; none if it was killed."""
    command = [sys.executable, "-c", RUN, str(output), str(jobs), str(files), kill, *found.inputs]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env={**environment, "OPENBLAS_NUM_THREADS": "1"}, stdout=subprocess.PIPE)
    assert done.returncode == (-signal.SIGKILL if kill else 0)
    return None if kill else json.loads(done.stdout)


def outputs(folder: Path) -> dict[bytes, bytes]:
    found = {}
    for path, _, names in os.walk(os.fsencode(folder)):
        for name in names:
            with open(os.path.join(path, name), "rb") as file:
                found[os.path.relpath(os.path.join(path, name), os.fsencode(folder))] = file.read()
    return found


def check(found: Hostile, accounts: dict[str, Any], written: dict[bytes, bytes]) -> None:
    """Every page has an output of its own with its text, and a name that comes from its own."""
    skipped = sum(accounts["skipped"].values())
    assert (accounts["failed"], accounts["empty"], skipped) == (found.failed, found.empty, found.skipped)
    assert len(written) == accounts["written"] + accounts["empty"]
    numbers = Counter(int(text.split()[1].rstrip(b".")) for text in written.values() if text)
    assert numbers == {number: len(paths) for number, paths in found.pages.items()}
    for name, text in written.items():
        if match := re.fullmatch(rb"Page (\d+)\.\n", text):
            starts = [
                os.fsencode(_stem(os.fsdecode(os.path.basename(path)))) for path in found.pages[int(match[1])]
            ]
            assert any(os.path.basename(name).startswith(start[:200]) or b"\x80" in start for start in starts)


class StoppedError(Exception):
    """Somebody pulled the plug."""


def test_hostile_folders_stopped_three_times_lose_nothing(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = hostile(tmp_path, 150)
    inputs = tuple(map(os.fsdecode, found.inputs))
    replace, left = os.replace, [0]

    def stopping(*paths: Any) -> None:
        left[0] -= 1
        if not left[0]:
            raise StoppedError
        replace(*paths)

    def cleaned(name: str, stop: int = 0) -> dict[str, Any]:
        left[0] = stop
        job = Job(inputs, str(tmp_path / name), folder=True, style=Style("text"), cleaner=standin.NAME)
        return run(job, resume=True).as_json()

    monkeypatch.setattr(os, "replace", stopping)
    whole, expected = cleaned("whole"), outputs(tmp_path / "whole")
    check(found, whole, expected)
    for _ in range(3):
        with pytest.raises(StoppedError):
            cleaned("out", 25)
    assert cleaned("out") == whole
    assert outputs(tmp_path / "out") == expected


@pytest.mark.slow
@pytest.mark.parametrize(("count", "files"), [(150, 4), (10_000, 64)])
def test_hostile_folders_killed_three_times_lose_nothing(tmp_path: Path, count: int, files: int) -> None:
    found = hostile(tmp_path, count)
    whole = start(found, tmp_path / "whole", 1, files)
    assert whole is not None
    expected = outputs(tmp_path / "whole")
    check(found, whole, expected)
    for jobs in (1, 2):
        out = tmp_path / f"out{jobs}"
        for kind, part in zip(KILLS, (10, 5, 10), strict=True):
            units = count // files
            start(found, out, jobs, files, f"{kind}:{(units if kind == 'news' else count) // part}")
            assert (out / ".stupidos" / "journal").exists()
        assert start(found, out, jobs, files) == whole
        assert outputs(out) == expected
