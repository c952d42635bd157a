"""`stupidos render`, from bytes in a file or a pipe to text."""

from __future__ import annotations

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from stupidos.cli import main

Captured = pytest.CaptureFixture[str]
PAGE = "<title>T</title><h1>Head</h1><p>One<br>two &amp; three<ul><li>item</ul>"
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1"


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_text(PAGE)
    return path


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--br", "line"], "Head\n\nOne\ntwo & three\n\nitem\n"),
        (["--br", "paragraph"], "Head\n\nOne\n\ntwo & three\n\nitem\n"),
        (["--br", "line", "--format", "cleaneval"], "<h>Head\n\n<p>One\ntwo & three\n\n<l>item\n"),
        (["--input", "text", "--format", "text"], f"{PAGE}\n"),
    ],
)
def test_a_page_is_shown_in_its_format(options: list[str], shown: str, page: Path, capsys: Captured) -> None:
    assert main(["render", *options, str(page)]) == 0
    assert capsys.readouterr() == (shown, "")


def test_json_says_where_each_segment_stood(page: Path, capsys: Captured) -> None:
    assert main(["render", "--format", "jsonl", "--br", "line", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["id"], found["title"]) == (str(page), "T")
    head, paragraph, item = found["segments"]
    assert (head["kind"], head["level"], PAGE[head["start"] : head["end"]]) == ("h", 1, "Head")
    assert PAGE[paragraph["start"] : paragraph["end"]] == "One<br>two &amp; three"
    assert item["path"].endswith("ul>li")
    assert all(isinstance(serial, int) for serial in item["ancestors"])


@pytest.mark.parametrize("names", [[], ["-"]])
def test_standard_input_is_the_default(
    names: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, b"<p>caf\xc3\xa9")
    assert main(["render", *names]) == 0
    assert capsys.readouterr().out == "café\n"


@pytest.mark.parametrize("format", ["text", "cleaneval"])
def test_empty_input_gives_empty_output(
    format: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, b"")
    assert main(["render", "--format", format]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "data",
    [
        "<p>été".encode("utf-16"),
        "<p>été".encode("utf-16-le"),
        "<p>été".encode("utf-8-sig"),
        '<meta charset="latin1"><p>été'.encode("latin-1"),
        b"<p>\xc3\xa9t\xc3\xa9\0",
        gzip.compress("<p>été".encode()),
    ],
    ids=["utf-16", "utf-16-le without mark", "utf-8 with mark", "latin-1", "nul", "gzip"],
)
def test_text_in_any_dress_is_text(data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    feed(monkeypatch, data)
    assert main(["render"]) == 0
    out, err = capsys.readouterr()
    assert (out.strip("\n\ufffd"), err) == ("été", "")  # HTML shows a NUL as U+FFFD


def test_a_picture_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    feed(monkeypatch, PNG)
    assert main(["render"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("stupidos: standard input: ")
    assert "PNG" in err


def test_a_bad_file_is_named_and_the_rest_is_processed(page: Path, tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    names = [str(tmp_path / "none.html"), str(tmp_path / "a.png"), str(page), str(tmp_path), str(page)]
    assert main(["render", "--br", "line", *names]) == 1
    out, err = capsys.readouterr()
    assert out == "\n".join(["Head\n\nOne\ntwo & three\n\nitem\n"] * 2)
    assert [line.split(": ")[:2] for line in err.splitlines()] == [
        ["stupidos", name] for name in (names[0], names[1], names[3])
    ]


@pytest.mark.parametrize("name", ["a\nb", "\udcff", "a\x1b[31mb"])
def test_a_strange_name_cannot_break_the_line(name: str, capsys: Captured) -> None:
    assert main(["render", name]) == 1
    assert capsys.readouterr().err == f"stupidos: {name!a}: No such file or directory\n"


@pytest.mark.parametrize("data", [b"\x1f\x8b", b"\x1f\x8bxx", gzip.compress(b"<p>a", mtime=0)[:-9]])
def test_a_broken_gzip_file_is_text_or_one_line(
    data: bytes, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, data)
    code = main(["render"])
    out, err = capsys.readouterr()
    assert (code, err.count("\n")) in {(0, 0), (1, 1)}
    assert "Traceback" not in out + err


def test_a_lying_encoding_is_a_warning_that_names_the_file(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "lie.html"
    path.write_bytes(b'<meta charset="utf-8"><p>' + "Größe und Maß, für alle Fälle".encode("latin-1"))
    assert main(["render", str(path)]) == 0
    out, err = capsys.readouterr()
    assert out == "Größe und Maß, für alle Fälle\n"
    assert err.startswith(f"stupidos: {path}: warning: ")
    assert err.count("\n") == 1


def test_lone_surrogates_in_a_page_come_out_as_replacements(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, b"<p>a&#xD800;b")
    assert main(["render"]) == 0
    assert capsys.readouterr().out == "a\ufffdb\n"


def test_the_same_bytes_give_the_same_output(lighthouse: Path, capsys: Captured) -> None:
    outputs = []
    for _ in range(2):
        assert main(["render", "--format", "jsonl", str(lighthouse)]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
