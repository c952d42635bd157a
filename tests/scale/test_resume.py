"""Stopped at any moment, a run is finished by the same command to the same bytes."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import crawls
import pytest
import standin

from stupidos.errors import StupidosError
from stupidos.scale.batch import Progress, run
from stupidos.scale.job import Job
from stupidos.scale.sinks import OneFile
from stupidos.write import Style

pytestmark = pytest.mark.usefixtures("small")


class StoppedError(Exception):
    """Somebody pulled the plug."""


def job(inputs: Path, output: Path, **options: Any) -> Job:
    return Job((str(inputs),), str(output), cleaner=standin.NAME, **options)


def stop_after(count: int) -> Any:
    def on_progress(news: Progress, left: list[int] = [count]) -> None:  # noqa: B006
        left[0] -= 1
        if not left[0]:
            raise StoppedError

    return on_progress


def crawl(tmp_path: Path) -> Path:
    path = tmp_path / "a.warc.gz"
    crawls.write(path, crawls.packed(crawls.records(20)))
    return path


@pytest.mark.parametrize(("suffix", "count"), [(".jsonl.gz", 1), (".jsonl.gz", 3), (".xml", 2)])
def test_a_stopped_run_is_finished_to_the_same_bytes(
    tmp_path: Path, folder: Path, suffix: str, count: int
) -> None:
    style = Style("tei" if suffix == ".xml" else "jsonl")
    whole, output = tmp_path / f"whole{suffix}", tmp_path / f"out{suffix}"
    expected = run(job(folder, whole, style=style))
    with pytest.raises(StoppedError):
        run(job(folder, output, style=style), on_progress=stop_after(count))
    assert not output.exists()
    accounts = run(job(folder, output, style=style), resume=True)
    assert output.read_bytes() == whole.read_bytes()
    assert accounts == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["pages", whole.name, output.name])


def test_a_crawl_stopped_again_and_again_loses_nothing(tmp_path: Path) -> None:
    path = crawl(tmp_path)  # six ranges
    run(job(path, tmp_path / "whole.jsonl"))
    for count in range(2, 30):
        try:
            run(job(path, tmp_path / "out.jsonl"), resume=True, on_progress=stop_after(count))
        except StoppedError:
            continue
        break
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_every_moment_on_the_disk_can_be_gone_on_from(tmp_path: Path) -> None:
    """Copies of the state folder at every news are what kill -9 would have left, and a bit more output."""
    path, output = crawl(tmp_path), tmp_path / "out.jsonl"
    state, copies = tmp_path / "out.jsonl.parts", tmp_path / "copies"

    def keep(news: Progress) -> None:
        shutil.copytree(state, copies / str(len(list(copies.glob("*")))))

    copies.mkdir()
    run(job(path, output), on_progress=keep)
    expected = output.read_bytes()
    moments = sorted(copies.iterdir())
    assert len(moments) > 4
    for moment in moments:
        output.unlink()
        shutil.copytree(moment, state)
        with (state / "output").open("ab") as file:
            file.write(b"half a re")
        run(job(path, output), resume=True)
        assert output.read_bytes() == expected


def test_a_part_half_added_is_added_again(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take, calls = OneFile.append, []

    def stopped(self: OneFile, part: Path) -> int:
        calls.append(part)
        if len(calls) == 3:
            self._file.write(part.read_bytes()[:40])
            raise KeyboardInterrupt
        return take(self, part)

    run(job(folder, tmp_path / "whole.jsonl"))
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(OneFile, "append", stopped)
        run(job(folder, tmp_path / "out.jsonl"))
    run(job(folder, tmp_path / "out.jsonl"), resume=True)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_run_that_ended_before_it_could_tidy_up_is_finished(tmp_path: Path, folder: Path) -> None:
    output, state = tmp_path / "out.jsonl", tmp_path / "out.jsonl.parts"
    with pytest.raises(StoppedError):
        run(job(folder, output), on_progress=stop_after(4))
    (state / "output").write_text("all there is\n")
    with (state / "journal").open("a") as file:
        file.write('{"finished": true}\n')
    run(job(folder, output), resume=True)
    assert output.read_text() == "all there is\n"
    assert not state.exists()


def test_a_folder_stopped_has_whole_files_only(tmp_path: Path, folder: Path) -> None:
    output = tmp_path / "out"
    asked = job(folder, output, folder=True, style=Style("text"))
    with pytest.raises(StoppedError):
        run(asked, on_progress=stop_after(2))
    found = [path for path in output.rglob("*.txt") if ".stupidos" not in path.parts]
    assert len(found) in (5, 6)
    assert all(path.read_text() in ("", f"This is page {path.stem}.\n") for path in found)
    accounts = run(asked, resume=True)
    assert accounts.summary() == "read 10 = written 8 + empty 1 + failed 1"
    assert not (output / ".stupidos").exists()


def test_without_resume_a_stopped_run_is_not_touched(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(StoppedError):
        run(job(folder, tmp_path / "out.jsonl"), on_progress=stop_after(2))
    with pytest.raises(StupidosError, match="--resume"):
        run(job(folder, tmp_path / "out.jsonl"))


@pytest.mark.parametrize(
    "change",
    [{"max_bytes": 1000}, {"style": Style("jsonl", segments=True)}, {"seconds": 5.0}, {"field": "x"}],
)
def test_another_command_is_refused(tmp_path: Path, folder: Path, change: dict[str, Any]) -> None:
    with pytest.raises(StoppedError):
        run(job(folder, tmp_path / "out.jsonl"), on_progress=stop_after(2))
    with pytest.raises(StupidosError, match="another command"):
        run(job(folder, tmp_path / "out.jsonl", **change), resume=True)


@pytest.mark.parametrize("deed", ["touched", "removed", "added"])
def test_changed_inputs_are_refused(tmp_path: Path, folder: Path, deed: str) -> None:
    with pytest.raises(StoppedError):
        run(job(folder, tmp_path / "out.jsonl"), on_progress=stop_after(2))
    if deed == "touched":
        os.utime(folder / "part0" / "0.html", ns=(1, 1))
    elif deed == "removed":
        shutil.rmtree(folder)
        folder.mkdir()
    else:
        (folder / "part0" / "0a.html").write_text("<p>New")
    with pytest.raises(StupidosError, match="remove the folder"):
        run(job(folder, tmp_path / "out.jsonl"), resume=True)


def test_resume_without_anything_to_resume_starts(tmp_path: Path, folder: Path) -> None:
    assert run(job(folder, tmp_path / "out.jsonl"), resume=True).read == 10


def test_a_run_without_order_is_finished_too(tmp_path: Path, folder: Path) -> None:
    run(job(folder, tmp_path / "whole.jsonl"))
    asked = job(folder, tmp_path / "out.jsonl", ordered=False)
    with pytest.raises(StoppedError):
        run(asked, on_progress=stop_after(2))
    run(asked, resume=True)
    whole, out = (sorted((tmp_path / name).read_text().splitlines()) for name in ("whole.jsonl", "out.jsonl"))
    assert whole == out


RUN = """
import sys
from stupidos.scale.batch import run
from stupidos.scale.job import Job
from stupidos.scale.sinks import OneFile
inputs, output, jobs = tuple(sys.argv[1:-2]), sys.argv[-2], int(sys.argv[-1])
run(Job(inputs, output, cleaner="standin:Standin"), jobs, resume=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "threads"), [(1, 1), (2, 1), (2, 2)])
def test_killed_three_times_the_same_command_gives_the_same_bytes(
    tmp_path: Path, jobs: int, threads: int
) -> None:
    """Pages take 20 ms each, so that no machine is done before it is killed.

    With one thread workers are copies of the first process, with two they are new Pythons.
    """
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(250 * jobs):
        (folder / f"{number:04}.html").write_text(f"<p>Page {number}<p>Dear stand-in, wait")
    wait = b"<p>Dear stand-in, wait"
    parts = [crawls.record(number, crawls.page(number, 9000) + wait) for number in range(100 * jobs)]
    crawls.write(tmp_path / "a.warc.gz", crawls.packed(parts))
    inputs = str(folder), str(tmp_path / "a.warc.gz")
    output, journal = tmp_path / "out.jsonl.gz", tmp_path / "out.jsonl.gz.parts" / "journal"
    command = [sys.executable, "-c", RUN, *inputs, str(output), str(jobs)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OMP_NUM_THREADS": str(threads)}
    whole = [sys.executable, "-c", RUN, *inputs, str(tmp_path / "whole.jsonl.gz"), "4"]
    subprocess.run(whole, env=environment, check=True)
    chance = random.Random(jobs)
    for _ in range(3):
        before = journal.stat().st_size if journal.exists() else 200
        with subprocess.Popen(command, env=environment) as process:
            while not journal.exists() or journal.stat().st_size <= before:
                time.sleep(0.01)
                assert process.poll() is None
            time.sleep(chance.random() / 2)
            process.kill()
            assert process.wait() == -signal.SIGKILL
    assert not output.exists()
    subprocess.run(command, env=environment, check=True)
    assert output.read_bytes() == (tmp_path / "whole.jsonl.gz").read_bytes()
    assert not journal.parent.exists()
