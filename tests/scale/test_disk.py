"""A full disk: one line that names the file, and a run that can be finished when there is room."""

from __future__ import annotations

import errno
import gc
import io
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import pytest
import standin

from stupidos.errors import StupidosError
from stupidos.scale import sinks, unit, workers
from stupidos.scale.batch import run
from stupidos.scale.compression import compressor
from stupidos.scale.job import Job
from stupidos.scale.page_task import PageTask
from stupidos.scale.workers import Worker
from stupidos.write import Style

pytestmark = pytest.mark.usefixtures("small")
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def job(inputs: Path, output: Path, **options: Any) -> Job:
    return Job((str(inputs),), str(output), cleaner=standin.NAME, **options)


def full_at(count: int, deed: Callable[..., Any]) -> Callable[..., Any]:
    """What `deed` does, until the disk is full at the n-th call; from there on it stays full."""
    calls = []

    def limited(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        if len(calls) >= count:
            raise FULL
        return deed(*arguments, **options)

    return limited


def fill(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """Let the disk be full when this is written."""
    if what == "output":
        monkeypatch.setattr(sinks, "write_all", full_at(2, sinks.write_all))
    elif what == "journal":
        fsync = os.fsync
        calls: list[str] = []

        def full(descriptor: int) -> None:
            if os.readlink(f"/proc/self/fd/{descriptor}").endswith("/journal"):
                calls.append("")
                if len(calls) > 3:
                    raise FULL
            fsync(descriptor)

        monkeypatch.setattr(os, "fsync", full)
    elif what == "page":
        monkeypatch.setattr(Path, "write_bytes", full_at(5, Path.write_bytes))
    else:
        packing = unit.compressor

        def packed(file: BinaryIO, suffix: str, level: int | None) -> Any:
            writer = packing(file, suffix, level)
            if Path(file.name).name == "2.part":
                writer.close = full_at(1, writer.close)
            return writer

        monkeypatch.setattr(unit, "compressor", packed)


FILLED = {
    "output": ("out.jsonl", r"out\.jsonl\.parts/output"),
    "journal": ("out.jsonl", r"out\.jsonl\.parts/journal"),
    "part": ("out.jsonl.gz", r"out\.jsonl\.gz\.parts/run-.*/2\.part"),
    "page": ("out", r"out/part1/4\.txt"),
}


@pytest.mark.parametrize("what", FILLED)
def test_a_full_disk_names_the_file_and_the_run_can_be_finished(
    tmp_path: Path, folder: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, message = FILLED[what]
    style = Style("text" if what == "page" else "jsonl")
    asked = job(folder, tmp_path / name, folder=what == "page", style=style)
    with monkeypatch.context() as patch:
        fill(patch, what)
        with pytest.raises(StupidosError, match=f"^{tmp_path}/{message}: No space left on device$"):
            run(asked)
    accounts = run(asked, resume=True)
    assert accounts.summary() == "read 10 = written 8 + empty 1 + failed 1"
    whole = job(folder, tmp_path / f"whole-{name}", folder=what == "page", style=style)
    run(whole)
    assert content(tmp_path / name) == content(tmp_path / f"whole-{name}")


def content(path: Path) -> dict[str, bytes]:
    found = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return {str(one.relative_to(path)): one.read_bytes() for one in found}


def test_a_full_disk_does_not_cost_what_was_done_before(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stupidos.scale.batch._COMMIT_SECONDS", 1000.0)
    with monkeypatch.context() as patch, pytest.raises(StupidosError, match="No space"):
        patch.setattr(sinks, "write_all", full_at(4, sinks.write_all))
        run(job(folder, tmp_path / "out.jsonl"))
    lines = (tmp_path / "out.jsonl.parts" / "journal").read_text().splitlines()
    assert len(lines) == 3  # the head, and the two units before


LIMITED = """
import resource, sys
from stupidos.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(main(["clean", "--model", "keep-all", "--jobs", *sys.argv[2:]]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out"])
def test_a_limit_on_the_size_of_files_is_reported_in_one_line(tmp_path: Path, name: str, jobs: str) -> None:
    folder, output = tmp_path / "pages", tmp_path / name
    folder.mkdir()
    for number in range(200):
        (folder / f"{number}.html").write_bytes(b"<p>" + os.urandom(200).hex().encode())
    (folder / "9.html").write_bytes(b"<p>" + os.urandom(40_000).hex().encode())
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def clean(limit: int, *options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", LIMITED, str(limit), jobs, str(folder), "-o", str(output), *options]
        return subprocess.run(command, env=environment, capture_output=True, text=True)

    limited = clean(20_000)
    assert limited.returncode == 1
    assert limited.stderr.startswith(f"stupidos: {output}")
    assert limited.stderr.endswith(": File too large\n")
    assert limited.stderr.count("\n") == 1
    finished = clean(resource.RLIM_INFINITY, "--resume")
    assert finished.returncode == 0
    assert finished.stderr == "stupidos: read 200 = written 200 + empty 0 + failed 0\n"


@pytest.mark.parametrize("name", ["out.jsonl", "out"])
@pytest.mark.parametrize("where", ["journal", "output", "work"])
def test_a_run_that_failed_before_it_did_anything_leaves_nothing(
    tmp_path: Path, folder: Path, name: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "journal":
        monkeypatch.setattr(os, "fsync", full_at(1, os.fsync))
    elif where == "output":
        monkeypatch.setattr(tempfile, "mkdtemp", full_at(1, tempfile.mkdtemp))
    else:
        monkeypatch.setattr("stupidos.scale.sources.units", full_at(1, list))
    style = Style("text" if name == "out" else "jsonl")
    with pytest.raises((StupidosError, OSError), match="No space left"):
        run(job(folder, tmp_path / name, folder=name == "out", style=style))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pages"]


def test_an_output_folder_that_was_there_stays(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.setattr("stupidos.scale.sources.units", full_at(1, list))
    with pytest.raises(OSError, match="No space left"):
        run(job(folder, tmp_path / "out", folder=True, style=Style("text")))
    assert list((tmp_path / "out").iterdir()) == []


def test_an_output_folder_without_pages_is_made(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run(job(tmp_path / "empty", tmp_path / "out", folder=True, style=Style("text")))
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize("copy", [True, False], ids=["copies", "new Pythons"])
@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="needs memory without a file")
def test_workers_need_no_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copy: bool) -> None:
    monkeypatch.setattr(workers, "_can_fork", lambda: copy)
    monkeypatch.setattr(tempfile, "TemporaryFile", full_at(1, tempfile.TemporaryFile))
    asked = job(tmp_path, tmp_path / "out.jsonl")
    worker = Worker(asked, PageTask(asked))
    assert worker.line.recv() is None
    assert worker.page() == (0, False)
    worker.end()


def test_without_memory_files_a_page_state_is_written_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    with workers._memory(16) as file:
        assert os.fstat(file.fileno()).st_size == 16


def test_a_compressor_is_silent_after_its_disk_is_full() -> None:
    """Collected, it writes nothing more: that would fail again, after the error was reported."""
    calls: list[int] = []

    class Full(io.BytesIO):
        def write(self, data: Any) -> int:
            calls.append(len(data))
            raise OSError(errno.ENOSPC, "No space left on device")

    writer = compressor(Full(), ".gz")
    with pytest.raises(OSError, match="No space left"):
        writer.write(bytes(100))
    before = len(calls)
    del writer
    gc.collect()
    assert len(calls) == before
