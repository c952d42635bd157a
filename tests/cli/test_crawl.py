"""`stupidos clean` on many pages, from the outside."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import crawls
import pytest

from stupidos.cli import main, progress

MODEL = ["--model", "keep-all"]


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        path = tmp_path / "pages" / "sub" / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<title>T</title><p>This is page {number}.")
    (tmp_path / "pages" / "a.png").write_bytes(b"\x89PNG")
    return tmp_path / "pages"


def clean(*arguments: object) -> int:
    return main(["clean", *MODEL, *map(str, arguments)])


def test_a_folder_becomes_a_folder(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean("pages", "-o", "out") == 0
    assert Path("out/sub/1.txt").read_text() == "This is page 1.\n"
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err == "stupidos: read 3 = written 3 + empty 0 + failed 0; skipped 1 (image/png 1)\n"


@pytest.mark.parametrize(
    ("options", "name", "start"),
    [
        ([], "out.jsonl", '{"id": "pages/sub/0.html"'),
        ([], "out.vert", '<doc id="pages/sub/0.html"'),
        ([], "out.xml", "<?xml"),
        ([], "out.txt", "==> pages/sub/0.html <==\n\nThis is page 0.\n"),
        ([], "out.html", '<article id="page:pages/sub/0.html">\n<h1>T</h1>\n<p>This is page 0.</p>\n'),
        (["--standalone"], "out.html", "<!DOCTYPE html>\n<html>\n"),
        (["--format", "vertical"], "out.corpus", '<doc id="pages/sub/0.html"'),
        (["--format", "cleaneval"], "out.txt", "<p>This is page 0."),
    ],
)
def test_the_name_of_the_output_says_its_format(
    pages: Path, options: list[str], name: str, start: str
) -> None:
    assert clean("pages", "-o", name, *options) == 0
    assert Path(name).read_text().startswith(start)


def test_every_page_in_a_folder_is_a_document_if_asked_for(pages: Path) -> None:
    assert clean("pages", "-o", "out", "--format", "html", "--standalone") == 0
    text = Path("out/sub/1.html").read_text()
    assert (text.count("<!DOCTYPE html>"), text.count("</html>")) == (1, 1)
    assert "<title>T</title>" in text


@pytest.mark.parametrize("separator", ["\n", "\0"])
def test_a_list_of_files_can_come_from_standard_input(
    pages: Path, separator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = separator.join(["pages/sub/2.html", "pages/sub/0.html"]) + separator
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(names.encode())))
    assert clean("--files-from", "-", "--jobs", 1, "-o", "out.jsonl") == 0
    found = [json.loads(line)["id"] for line in Path("out.jsonl").read_text().splitlines()]
    assert found == ["pages/sub/2.html", "pages/sub/0.html"]


def test_a_page_from_standard_input_can_go_to_a_file(pages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<p>Hello")))
    assert clean("-o", "out.jsonl") == 0
    assert json.loads(Path("out.jsonl").read_text())["text"] == "Hello\n"


def test_a_crawl_goes_to_standard_output_as_records(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    crawls.write(pages / "a.warc.gz", crawls.packed(crawls.records(3)))
    assert clean("pages/a.warc.gz") == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["title"] for record in records] == ["Page 0", "Page 1", "Page 2"]


def test_a_format_that_is_asked_for_is_given_for_archives_too(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pages / "p.jsonl").write_text('{"html": "<p>First"}\n{"html": "<p>Second"}\n')
    assert clean("pages/p.jsonl", "--format", "text", "--separator", "") == 0
    assert capsys.readouterr().out == "First\n\nSecond\n"
    assert clean("pages/p.jsonl", "--format", "text", "--separator", "", "-o", "out.jsonl") == 0
    assert Path("out.jsonl").read_text() == "First\n\nSecond\n"


def test_a_folder_may_have_a_dot_in_its_name(pages: Path) -> None:
    assert clean("pages", "-o", "example.org/", "--format", "jsonl") == 0
    assert Path("example.org/sub/1.jsonl").exists()


def test_failed_pages_are_named_and_make_the_exit_code_1(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pages / "sub" / "1.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert clean("pages", "-o", "out.jsonl") == 1
    error = capsys.readouterr().err
    assert "stupidos: pages/sub/1.html: this is" in error
    assert "read 3 = written 2 + empty 0 + failed 1" in error


def test_many_failures_are_not_all_named(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("list.txt").write_text("".join(f"none{number}.html\n" for number in range(30)))
    assert clean("--files-from", "list.txt", "--jobs", 1, "-o", "out.jsonl") == 1
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 22
    assert lines[-2] == "stupidos: and 10 more failed pages"


def test_a_terminal_shows_how_fast_it_goes(
    pages: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_enabled", lambda: True)
    assert clean("pages", "-o", "out.jsonl") == 0
    error = capsys.readouterr().err
    assert "B/s" in error
    assert error.endswith("stupidos: read 3 = written 3 + empty 0 + failed 0; skipped 1 (image/png 1)\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pages", "-o", "none/out.jsonl"], "none: no such folder"),
        (["pages", "-o", "file"], "file is a file"),
        (["pages", "-o", "out.json"], "out.json: unknown suffix"),
        (["pages", "-o", "out.jsonl.bz2"], "unknown suffix"),
        (["pages", "-o", "out.parquet", "--format", "text"], "Parquet holds records"),
        (["pages", "-o", "out.parquet.gz"], "use .parquet"),
        (["pages/p.jsonl", "-o", "pages/p.jsonl"], "is an input"),
        (["pages/p.jsonl", "-o", "out/"], "holds many pages"),
        (["--files-from", "none.txt", "-o", "out.jsonl"], "none.txt: No such file"),
    ],
)
def test_an_impossible_output_is_refused_in_one_line(
    pages: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("file").write_text("x")
    (pages / "p.jsonl").write_text('{"html": "<p>x"}\n')
    assert clean(*arguments) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "option",
    [["--jobs", "0"], ["--timeout", "-1"], ["--timeout", "nan"], ["--max-bytes", "0"], ["--max-bytes", "x"]],
)
def test_wrong_numbers_are_wrong_usage(pages: Path, option: list[str]) -> None:
    assert clean("pages", "-o", "out", *option) == 2


def test_sizes_may_have_a_unit(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pages / "sub" / "1.html").write_text("<p>" + "many words " * 500)
    assert clean("pages", "-o", "out.jsonl", "--max-bytes", "1k") == 0
    assert "; cut 1;" in capsys.readouterr().err


MEMORY = """
import os, sys
from stupidos.scale.batch import run
from stupidos.scale.job import Job
sizes = []
def on_progress(news):
    with open("/proc/self/statm") as file:
        sizes.append((news.accounts.read, int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")))
run(Job((sys.argv[1],), sys.argv[2], model="keep-all"), 1, on_progress=on_progress)
print(next(size for read, size in sizes if read >= 2000), sizes[-1][1])
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    crawls.write(path, crawls.packed(crawls.records(12_000, 1000)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", MEMORY, str(path), str(tmp_path / "out.jsonl")]
    done = subprocess.run(command, env=environment, check=True, capture_output=True)
    early, late = map(int, done.stdout.split())
    assert late < early * 1.05


def test_an_input_folder_is_not_an_output(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean("pages", "-o", "pages/") == 1
    assert capsys.readouterr().err == "stupidos: pages/ is an input: choose another output folder\n"


def test_names_of_failed_pages_cannot_write_to_the_terminal(
    pages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (pages / "a\n\x1b[31mb.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert clean("pages", "-o", "out") == 1
    error = capsys.readouterr().err
    assert "\x1b" not in error
    assert len(error.splitlines()) == 2


def test_a_name_too_long_for_a_file_is_reported(pages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean("x" * 5000) == 1
    assert capsys.readouterr().err.endswith("File name too long\n")
