"""One bad file never stops or hangs a run: it is a page that failed, or was no page at all."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import crawls
import pytest
import standin

from stupidos.cli import main
from stupidos.scale import files, jsonl, unit
from stupidos.scale.batch import Progress, run
from stupidos.scale.files import File, Files
from stupidos.scale.job import Job
from stupidos.scale.sources import Unit, sizes, units
from stupidos.scale.warc import Range
from stupidos.write import Style

pytestmark = pytest.mark.usefixtures("small", "alarm")


@pytest.fixture
def alarm() -> Iterator[None]:
    """What hangs fails: a signal interrupts the call."""

    def hung(*_: object) -> None:
        raise AssertionError("this hangs")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def job(*inputs: Path | str, output: Path | str = "", **options: Any) -> Job:
    return Job(tuple(map(str, inputs)), str(output), cleaner=standin.NAME, **options)


def failures(asked: Job, jobs: int = 1) -> dict[str, str]:
    """Names and reasons of the pages that failed; those of the fixture apart."""
    news: list[Progress] = []
    accounts = run(asked, jobs, on_progress=news.append, write=lambda text: None)
    found = {os.path.basename(page): reason for one in news for page, reason in one.failures}
    assert accounts.failed == len(found)
    assert accounts.written == 8
    del found["7.html"]
    return found


@pytest.mark.parametrize("name", ["a.html", "a.jsonl", "x.warc", "x.warc.gz", "a.jsonl.gz"])
@pytest.mark.parametrize("output", ["out.jsonl", "out"])
def test_a_fifo_in_a_folder_is_not_a_page(tmp_path: Path, folder: Path, name: str, output: str) -> None:
    os.mkfifo(folder / name)
    style = Style("text" if output == "out" else "jsonl")
    accounts = run(job(folder, output=tmp_path / output, folder=output == "out", style=style))
    assert accounts.summary() == "read 10 = written 8 + empty 1 + failed 1; skipped 1 (no file 1)"


@pytest.mark.parametrize("name", ["a.html", "a.jsonl", "x.warc"])
def test_a_fifo_among_the_inputs_is_a_page_that_failed(tmp_path: Path, folder: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    assert "not a regular file" in failures(job(folder, tmp_path / name))[name]


def test_a_page_that_became_a_fifo_has_failed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.html")
    (page,) = crawls.pages(Files((File(str(tmp_path / "a.html")),)).items(100))
    assert page.error == "not a regular file"


def test_a_crawl_that_became_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.warc")
    with pytest.raises(OSError, match="not a regular file"):
        list(Range(str(tmp_path / "a.warc"), 0, 100).items(100))


def test_a_socket_or_device_in_a_folder_is_not_a_page(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # the path of a socket is at most 107 bytes
    with socket.socket(socket.AF_UNIX) as open_socket:
        open_socket.bind("s.html")
    (folder / "null.jsonl").symlink_to("/dev/null")
    accounts = run(job(folder, output=tmp_path / "out.jsonl"))
    assert accounts.skipped["no file"] == 2


@pytest.mark.parametrize("name", ["loop.html", "loop", "loop.jsonl"])
def test_a_link_to_itself_is_a_page_that_failed(folder: Path, name: str) -> None:
    (folder / name).symlink_to(name)
    assert "symbolic links" in failures(job(folder))[name]
    assert list(sizes([str(folder / name)])) == [0]


@pytest.mark.parametrize("name", ["none.html", "none.jsonl", "none.warc"])
def test_a_link_to_nowhere_is_a_page_that_failed(folder: Path, name: str) -> None:
    (folder / name).symlink_to("/no/such/file")
    assert failures(job(folder))[name] == "No such file or directory"


def test_a_folder_that_cannot_be_listed_is_a_page_that_failed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "part3").mkdir()
    scandir = os.scandir

    def refused(path: Any) -> Any:
        if str(path).endswith("part3"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refused)
    assert failures(job(folder)) == {"part3": "Permission denied"}


def test_a_folder_that_vanishes_is_a_page_that_failed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "part3").mkdir()
    is_folder = files._is_folder

    def vanishing(entry: Any, follow: bool) -> bool:
        found = is_folder(entry, follow)
        if entry.name == "part3":
            os.rmdir(entry.path)
        return found

    monkeypatch.setattr(files, "_is_folder", vanishing)
    assert failures(job(folder)) == {"part3": "No such file or directory"}


def test_a_page_that_vanishes_has_failed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "z.html"
    path.write_text("<p>Soon gone")

    def vanishing(unit: Any, *rest: Any) -> Any:
        path.unlink(missing_ok=True)
        return run_unit(unit, *rest)

    run_unit = unit.run_unit
    monkeypatch.setattr("stupidos.scale.executor.run_unit", vanishing)
    assert failures(job(folder)) == {"z.html": "No such file or directory"}


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_archive_that_vanishes_is_a_page_that_failed_for_each_range(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, jobs: int
) -> None:
    path = tmp_path / "a.warc"
    crawls.write(path, crawls.records(8))  # more than one range
    (unit, *_), size = list(units([str(path)])), path.stat().st_size
    assert unit.size < size

    def vanishing(names: Any, wanted: Any) -> Iterator[Any]:
        plan = list(units(names, wanted))
        path.unlink()
        return iter(plan)

    monkeypatch.setattr("stupidos.scale.sources.units", vanishing)
    found = failures(job(folder, path, output=tmp_path / "out.jsonl"), jobs)
    assert set(found.values()) == {f"not read from here on: {path}: No such file or directory"}
    assert "a.warc@0" in found


def test_a_nul_in_a_list_of_names_is_a_page_that_failed(folder: Path, tmp_path: Path) -> None:
    accounts = run(
        job(output=tmp_path / "out.jsonl"), names=[str(folder), "a\0b.html", "a\0b.jsonl", "a\0b.warc"]
    )
    assert accounts.failed == 4


@pytest.mark.parametrize("place", ["content", "page"])
def test_no_memory_to_read_a_page_is_its_failure(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (folder / "b.jsonl").write_text('{"html": "<p>A line"}\n')

    def no_memory(*_: Any, **__: Any) -> bytes:
        raise MemoryError

    if place == "content":
        content = files.content
        monkeypatch.setattr(
            files,
            "content",
            lambda path, most: no_memory() if path.endswith("4.html") else content(path, most),
        )
    else:
        monkeypatch.setattr(jsonl, "page", no_memory)
    news: list[Progress] = []
    accounts = run(job(folder, output=tmp_path / "out.jsonl"), on_progress=news.append)
    assert accounts.failed == 2
    assert any("out of memory" in reason for one in news for _, reason in one.failures)


def test_no_memory_to_write_a_page_is_its_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from stupidos.scale import page_task

    pieces = page_task.pieces

    def no_memory(document: Any, style: Any) -> Any:
        if document.id.endswith("4.html") and not document.error:
            raise MemoryError
        return pieces(document, style)

    monkeypatch.setattr(page_task, "pieces", no_memory)
    assert failures(job(folder))["4.html"] == "out of memory"


def test_bad_inputs_make_the_exit_code_1(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "part1" / "7.html").unlink()
    (folder / "loop.html").symlink_to("loop.html")
    long = str(tmp_path / ("x" * 300))
    assert main(["clean", "--model", "keep-all", str(folder), long, "-o", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert "loop.html: Too many levels of symbolic links" in error
    assert f"{long}: File name too long" in error
    assert "read 11 = written 9 + empty 0 + failed 2" in error


def test_a_page_can_come_through_a_fifo(tmp_path: Path) -> None:
    """`stupidos clean <(curl ...)` is such a page."""
    os.mkfifo(tmp_path / "a.html")
    command = [sys.executable, "-m", "stupidos", "clean", "--model", "keep-all", str(tmp_path / "a.html")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as process:
        (tmp_path / "a.html").write_text("<p>Through a pipe")
        assert process.communicate()[0] == b"Through a pipe\n"


def test_names_of_outputs_are_those_of_the_pages_found() -> None:
    found = Files(
        (File("x.html", "x.txt", 5), files.unreadable("y", OSError(13, "No")), File("z.html", "z.txt"))
    )
    assert list(found.names()) == ["x.txt", "", "z.txt"]


@pytest.mark.parametrize("start", [b'{"html": "<p>A line"}\n{"html": "<p>Another"}\n', b"WARC/1.0\r\n"])
def test_a_file_of_many_pages_in_a_folder_is_not_a_page(folder: Path, tmp_path: Path, start: bytes) -> None:
    (folder / "dump").write_bytes(start)
    reasons = failures(job(folder, output=tmp_path / "out.jsonl"))
    assert reasons["dump"].startswith("holds many pages")


@pytest.mark.parametrize(
    ("work", "name"),
    [
        (Range("a.warc", 7, 9), "a.warc@7"),
        (jsonl.Lines("a.jsonl", 3, ()), "a.jsonl:3"),
        (Files(()), "files"),
    ],
)
def test_what_is_left_of_a_unit_is_named_by_its_place(work: Any, name: str) -> None:
    assert unit._source(Unit(0, 0, work, "", 0)) == name
