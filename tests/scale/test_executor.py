"""Worker processes: the same bytes as one process, and no page can stop the others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import crawls
import pytest
import standin
from conftest import DEED

from stupidos.errors import StupidosError
from stupidos.scale import executor, workers
from stupidos.scale.batch import Progress, run
from stupidos.scale.executor import WorkerPool
from stupidos.scale.job import Job
from stupidos.scale.page_task import PageTask
from stupidos.scale.sources import units
from stupidos.scale.workers import Worker
from stupidos.write import Style

pytestmark = pytest.mark.usefixtures("small")


@pytest.fixture(params=["copies", "new Pythons"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers of either kind, whatever threads run here."""
    monkeypatch.setattr(workers, "_can_fork", lambda: request.param == "copies")


def job(inputs: Path, output: Path, **options: Any) -> Job:
    return Job((str(inputs),), str(output), **{"cleaner": standin.NAME, **options})


def failures(asked: Job, jobs: int = 2) -> dict[str, str]:
    news: list[Progress] = []
    accounts = run(asked, jobs, on_progress=news.append)
    found = {Path(page).name: reason for one in news for page, reason in one.failures}
    assert accounts.read == 10
    assert accounts.failed == len(found)
    return found


@pytest.mark.usefixtures("kind")
def test_a_page_that_ends_its_worker_is_named_and_the_rest_is_processed(tmp_path: Path, folder: Path) -> None:
    (folder / "part0" / "1.html").write_text(f"{DEED}exit")
    (folder / "part0" / "2.html").write_text(f"{DEED}exit")
    assert failures(job(folder, tmp_path / "out.jsonl")) == {
        "1.html": "ended 2 workers (exit code 3)",
        "2.html": "ended 2 workers (exit code 3)",
        "7.html": "ZeroDivisionError: as asked",
    }
    lines = (tmp_path / "out.jsonl").read_text().splitlines()
    assert [f"page {number}" in line for number, line in enumerate(lines)] == [
        number not in (1, 2, 4, 7) for number in range(10)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.usefixtures("kind")
def test_workers_write_what_one_process_writes(tmp_path: Path, folder: Path, ordered: bool) -> None:
    crawls.write(folder / "b.warc.gz", crawls.packed(crawls.records(40)))
    (folder / "c.jsonl").write_text('{"html": "<p>A line"}\n' * 10)
    alone, together = tmp_path / "alone.jsonl", tmp_path / "together.jsonl"
    one = run(job(folder, alone), 1)
    three = run(job(folder, together, ordered=ordered), 3)
    assert one == three
    assert one.read == 60
    written = [path.read_bytes().splitlines() for path in (alone, together)]
    assert sorted(written[0]) == sorted(written[1])
    assert written[0] == written[1] or not ordered


@pytest.mark.slow
@pytest.mark.usefixtures("kind")
def test_workers_fill_a_folder(tmp_path: Path, folder: Path) -> None:
    for name, jobs in ("a", 1), ("b", 2):
        run(job(folder, tmp_path / name, folder=True, style=Style("text")), jobs)
    a, b = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.txt")}
        for name in "ab"
    )
    assert a == b
    assert len(a) == 9


@pytest.mark.slow
@pytest.mark.usefixtures("kind")
def test_a_page_that_takes_too_long_does_not_end_its_worker(tmp_path: Path, folder: Path) -> None:
    (folder / "part0" / "1.html").write_text(f"{DEED}loop")
    found = failures(job(folder, tmp_path / "out.jsonl", seconds=0.2))
    assert found["1.html"] == "needs more than 0.2 s"


@pytest.mark.slow
@pytest.mark.usefixtures("kind")
def test_code_that_cannot_be_interrupted_is_ended_by_the_kernel(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "_WALL_FACTOR", 10_000)
    (folder / "part0" / "1.html").write_text(f"{DEED}hold")
    found = failures(job(folder, tmp_path / "out.jsonl", seconds=0.2))
    assert found["1.html"] == "needs more than 0.2 s"


@pytest.mark.slow
@pytest.mark.usefixtures("kind")
def test_a_worker_that_sleeps_is_woken_by_nobody_and_replaced(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "_MIN_WALL_SECONDS", 3.0)
    (folder / "part0" / "1.html").write_text(f"{DEED}sleep")
    found = failures(job(folder, tmp_path / "out.jsonl", seconds=0.1))
    assert found["1.html"] == "no reply within 3 s"


@pytest.mark.slow
@pytest.mark.usefixtures("kind")
def test_a_worker_killed_for_nothing_costs_no_page(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Worker] = []
    start = Worker.__init__

    def noted(self: Worker, asked: Job, task: PageTask | None = None) -> None:
        start(self, asked, task)
        started.append(self)

    monkeypatch.setattr(Worker, "__init__", noted)
    for path in folder.rglob("*.html"):
        path.write_text(f"{DEED}wait<p>{path.stem}")
    killed: list[int] = []

    def kill_one(news: Progress) -> None:
        if len(killed) < 2:
            killed.append(started[-1].process.pid or 0)
            os.kill(killed[-1], 9)

    accounts = run(job(folder, tmp_path / "out.jsonl"), 2, on_progress=kill_one)
    assert accounts.summary() == "read 10 = written 10 + empty 0 + failed 0"
    assert len(killed) == 2


@pytest.mark.slow
def test_workers_that_cannot_start_end_the_run(tmp_path: Path, folder: Path) -> None:
    together = WorkerPool(job(folder, tmp_path / "out.jsonl", cleaner="os:_exit", model="3"), tmp_path, 2)
    together.start(next(units([str(folder)])))
    with pytest.raises(StupidosError):
        together.finished()
    together.close()


@pytest.mark.slow
@pytest.mark.usefixtures("kind")
def test_a_fault_in_a_worker_ends_the_run(tmp_path: Path, folder: Path) -> None:
    output = tmp_path / "out"
    (output / "part0" / "0.txt").mkdir(parents=True)
    with pytest.raises(StupidosError, match="remove the link, or the folder"):
        run(job(folder, output, folder=True, style=Style("text")), 2)


def open_files(pid: int | None) -> set[str]:
    folder = Path(f"/proc/{pid}/fd")
    return {os.path.realpath(path) for path in folder.iterdir()}


@pytest.mark.usefixtures("kind")
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="shows open files nowhere else")
def test_a_worker_holds_no_file_of_its_parent(tmp_path: Path) -> None:
    """Or else a lock would outlive the parent, and the next run would be refused."""
    asked = job(tmp_path, tmp_path / "out.jsonl")
    with (tmp_path / "lock").open("w"):
        worker = Worker(asked, PageTask(asked))
        assert worker.line.recv() is None
        assert str(tmp_path / "lock") in open_files(os.getpid())
        assert str(tmp_path / "lock") not in open_files(worker.process.pid)
        worker.end()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no forks elsewhere")
@pytest.mark.parametrize("forked", [True, False])
def test_copies_share_the_models_of_encodings_and_languages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forked: bool
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(workers, "_can_fork", lambda: forked)
    monkeypatch.setattr("stupidos.decode.load_detector", lambda: loaded.append("encodings"))
    monkeypatch.setattr("stupidos.metadata.detect.load_classifier", lambda: loaded.append("languages"))
    asked = job(tmp_path, tmp_path / "out.jsonl")
    worker = Worker(asked, PageTask(asked))
    assert worker.line.recv() is None
    worker.end()
    assert loaded == ["encodings", "languages"] * forked


@pytest.mark.parametrize(
    ("options", "needed"),
    [
        ({}, True),
        ({"style": Style("text")}, False),
        ({"style": Style("text"), "languages": ("de",)}, True),
        ({"returned": True}, False),
        ({"returned": True, "languages": ("de",)}, True),
    ],
    ids=["records", "text", "text in some languages", "documents", "documents in some languages"],
)
def test_languages_are_loaded_in_advance_if_every_page_may_need_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], needed: bool
) -> None:
    loaded: list[bool] = []
    monkeypatch.setattr("stupidos.decode.load_detector", lambda: None)
    monkeypatch.setattr("stupidos.metadata.detect.load_classifier", lambda: loaded.append(True))
    PageTask(job(tmp_path, tmp_path / "out", **options)).preload()
    assert loaded == [True] * needed


FORKS = """
import threading
from stupidos.scale import workers
alone, ends = workers._can_fork(), threading.Event()
threading.Thread(target=ends.wait).start()
print(alone, workers._can_fork())
ends.set()
"""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs the list of threads of Linux")
def test_only_a_process_without_threads_is_copied() -> None:
    environment = os.environ | workers.one_thread()  # without those of numpy
    done = subprocess.run(
        [sys.executable, "-c", FORKS], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "True False\n"
