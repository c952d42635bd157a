"""JSON Lines and WARC files on standard input, and in files whose names do not tell."""

from __future__ import annotations

import errno
import gzip
import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import crawls
import pytest

from stupidos.cli import main
from stupidos.scale.input_kinds import PACKED_START

pytestmark = pytest.mark.usefixtures("forked")

LINES = "".join(json.dumps({"id": f"p{n}", "html": f"<p>This is page {n}."}) + "\n" for n in range(10))
IDS = [f"p{number}" for number in range(10)]
URNS = [f"urn:uuid:{number}" for number in range(10)]
Captured = pytest.CaptureFixture[str]


def zstd(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").compress(data)
    return packed


PACKINGS: dict[str, Callable[[bytes], bytes]] = {"plain": bytes, "gzip": gzip.compress, "zstd": zstd}


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def clean(*arguments: object) -> int:
    return main(["clean", "--model", "keep-all", *map(str, arguments)])


def ids(text: str) -> list[str]:
    return [json.loads(line)["id"] for line in text.splitlines()]


ONE = ["--jobs", "1"]


@pytest.mark.parametrize(
    ("packing", "options"),
    [
        *((packing, ONE) for packing in PACKINGS),
        ("gzip", ["--jobs", "2"]),
        ("gzip", [*ONE, "-"]),
        ("plain", [*ONE, "--field", "html"]),
        ("gzip", [*ONE, "--input", "jsonl"]),
    ],
)
def test_lines_on_standard_input_are_pages(
    packing: str, options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, PACKINGS[packing](LINES.encode()))
    assert clean(*options) == 0
    out, err = capsys.readouterr()
    assert ids(out) == IDS
    assert err == "stupidos: read 10 = written 10 + empty 0 + failed 0\n"


@pytest.mark.parametrize(
    ("packing", "jobs"), [*((packing, 1) for packing in PACKINGS), ("members", 1), ("members", 2)]
)
def test_a_crawl_on_standard_input_is_read_and_leaves_nothing_behind(
    packing: str, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    records = crawls.records(10)
    data = b"".join(crawls.packed(records)) if packing == "members" else PACKINGS[packing](b"".join(records))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    feed(monkeypatch, data)
    assert clean("--jobs", jobs, "-") == 0
    assert ids(capsys.readouterr().out) == URNS
    assert list(tmp_path.iterdir()) == []


def test_standard_input_need_not_be_able_to_seek() -> None:
    command = [sys.executable, "-m", "stupidos", "clean", "--model", "keep-all", "--field", "html"]
    done = subprocess.run(command, input=gzip.compress(LINES.encode() * 9), capture_output=True, check=True)
    assert ids(done.stdout.decode()) == IDS * 9


def test_lines_go_to_a_file_in_the_format_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed(monkeypatch, LINES.encode())
    assert clean("-o", tmp_path / "out.txt") == 0
    assert (tmp_path / "out.txt").read_text().startswith("==> p0 <==\n\nThis is page 0.\n")


def test_many_pages_on_standard_input_do_not_go_to_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, LINES.encode())
    assert clean("-o", tmp_path / "out") == 1
    assert capsys.readouterr().err.startswith("stupidos: standard input holds many pages: ")


def test_a_broken_line_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    feed(monkeypatch, LINES.encode() + b"nonsense\n")
    assert clean() == 1
    assert "stupidos: standard input:11: not JSON" in capsys.readouterr().err


def test_gzip_that_is_truncated_fails_after_what_is_there(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, gzip.compress(LINES.encode() * 99)[:-20])
    assert clean() == 1
    assert "stupidos: standard input: broken gzip: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("packing", "options"), [*((packing, ONE) for packing in PACKINGS), ("gzip", ["--jobs", "2"])]
)
def test_lines_are_found_in_a_file_of_any_name(
    packing: str, options: list[str], tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "dump"
    path.write_bytes(PACKINGS[packing](LINES.encode()))
    assert clean(path, *options) == 0
    assert ids(capsys.readouterr().out) == IDS


def test_a_crawl_is_found_in_a_file_of_any_name(tmp_path: Path, capsys: Captured) -> None:
    path = crawls.write(tmp_path / "dump", crawls.packed(crawls.records(10)))
    assert clean(path) == 0
    assert ids(capsys.readouterr().out) == URNS


def test_a_page_is_a_page_when_the_user_says_so(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    feed(monkeypatch, LINES.encode())
    assert clean("--input", "html") == 0
    assert capsys.readouterr().out.startswith('{"id": "p0", "html": "\n\nThis is page 0.')


def test_records_without_a_page_are_read_when_the_field_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, b'{"other": 1}\n{"body": "<p>Hello"}\n')
    assert clean("--field", "body") == 1
    out, err = capsys.readouterr()
    assert [json.loads(line)["text"] for line in out.splitlines()] == ["", "Hello\n"]
    assert "standard input:1: no text in the field body" in err


def test_a_full_disk_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", full)
    feed(monkeypatch, b"".join(crawls.records(1)))
    assert clean() == 1
    out, err = capsys.readouterr()
    assert err.startswith("stupidos: standard input: No space left on device: ")
    assert (out, err.count("\n")) == ("", 1)


def test_a_crawl_on_standard_input_cannot_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, b"".join(crawls.records(1)))
    assert clean("-o", tmp_path / "out.jsonl", "--resume") == 1
    assert "--resume needs a WARC file with a name" in capsys.readouterr().err


@pytest.mark.parametrize("packing", ["plain", "gzip"])
def test_a_page_longer_than_what_is_looked_at_stays_whole(
    packing: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, PACKINGS[packing](b"<p>" + b"word " * PACKED_START + b"end"))
    assert clean() == 0
    assert capsys.readouterr().out == "word " * PACKED_START + "end\n"


@pytest.mark.parametrize(("data", "kind"), [(LINES.encode(), "jsonl"), (b"WARC/1.1\r\n", "warc")])
def test_many_pages_are_not_rendered_as_one(
    data: bytes, kind: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    feed(monkeypatch, gzip.compress(data))
    assert main(["render"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("stupidos: standard input: holds many pages (")
    assert f"--input {kind}" in err
    assert err.count("\n") == 1
