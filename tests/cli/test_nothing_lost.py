"""Nothing is lost and nothing is hidden: what the command line says of damaged, odd and hostile inputs.

Nothing but files, arguments, output and exit codes: these tests hold for any implementation.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from stupidos.cli import main

pytestmark = pytest.mark.usefixtures("forked")

HANGS = 60  # seconds


class Outcome(NamedTuple):
    """What one command left behind."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def texts(self) -> list[str]:
        return [str(record["text"]).strip() for record in self.records]


Clean = Callable[..., Outcome]


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Clean]:
    """`stupidos clean` with a model that keeps all text; a command that hangs fails."""

    def run(*arguments: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        try:
            code = main(["clean", "--model", "keep-all", *map(str, arguments)])
        except SystemExit as exit:  # wrong usage
            code = int(str(exit.code))
        return Outcome(code, *capsys.readouterr())

    def hung(*_: object) -> None:
        raise AssertionError("this hangs")

    before = signal.signal(signal.SIGALRM, hung)
    signal.alarm(HANGS)
    yield run
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def text(number: int) -> str:
    return f"This is page {number} of them all."


def record(number: int, body: bytes = b"", http: str = "", warc: str = "") -> bytes:
    """A WARC record with the HTTP response of a page."""
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n" % http.encode()
    block += body or f"<p>{text(number)}</p>".encode()
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"WARC-Target-URI: http://example.org/{number}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n{warc}"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def crawl(numbers: range) -> list[bytes]:
    """Members of a .warc.gz file, a page each; noise keeps them from being small."""
    return [gzip.compress(record(number, noisy(number)), mtime=0) for number in numbers]


def noisy(number: int) -> bytes:
    return f"<p>{text(number)}</p><p>{random.Random(number).randbytes(2000).hex()}</p>".encode()


def with_bad_checksum(members: list[bytes]) -> bytes:
    broken = bytearray(members[4])
    broken[-8] ^= 0xFF  # of the CRC in the last eight bytes of a member
    return b"".join([*members[:4], bytes(broken), *members[5:]])


DAMAGED: dict[str, tuple[str, bytes, int]] = {  # file name, content, pages that can be read for certain
    "cut": ("a.warc.gz", b"".join(crawl(range(20)))[:-30_000], 4),
    "cut, not packed": ("a.warc", b"".join(map(record, range(20)))[:-3_000], 4),
    "random bytes": ("a.warc.gz", random.Random(1).randbytes(30_000), 0),
    "bad checksum": ("a.warc.gz", with_bad_checksum(crawl(range(10))), 9),
    "an HTML page": ("a.warc", b"<!DOCTYPE html><title>Tea</title><p>This page is no archive at all.", 0),
    "noise between": ("a.warc.gz", b"".join([*crawl(range(5)), b"\x07noise\x07", *crawl(range(5, 10))]), 10),
}


@pytest.mark.parametrize(("name", "data", "least"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_archive_is_named_with_an_offset_and_fails(
    name: str, data: bytes, least: int, tmp_path: Path, clean: Clean
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    code, out, err = clean(path)
    assert code == 1
    assert f"stupidos: {path}@" in err
    assert "damaged 1" in err.splitlines()[-1]
    assert len(out.splitlines()) >= least
    assert "Traceback" not in err


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_empty_gzip_member_ends_nothing(jobs: int, tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "a.warc.gz"
    path.write_bytes(b"".join([*crawl(range(10)), gzip.compress(b""), *crawl(range(10, 40))]))
    outcome = clean("--jobs", jobs, path)
    assert [record["id"] for record in outcome.records] == [f"urn:uuid:{number}" for number in range(40)]
    assert outcome.code == 0


def test_an_archive_with_bare_newlines_is_read_or_refused(tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(map(record, range(3))).replace(b"\r\n", b"\n"))
    outcome = clean(path)
    assert outcome.code == 1 or outcome.texts == [text(number) for number in range(3)]


def test_a_body_of_two_gzip_members_is_joined(tmp_path: Path, clean: Clean) -> None:
    body = gzip.compress(b"<p>The first half.</p>") + gzip.compress(b"<p>The second half.</p>")
    path = tmp_path / "a.warc"
    path.write_bytes(record(0, body, http="Content-Encoding: gzip\r\n"))
    outcome = clean(path)
    assert outcome.texts == ["The first half.\n\nThe second half."]


def test_a_record_that_the_crawler_truncated_says_so(tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(record(0, warc="WARC-Truncated: length\r\n") + record(1))
    outcome = clean(path)
    assert [record["truncated"] for record in outcome.records] == ["length", None]


def folder_of(path: Path, *names: str) -> Path:
    """A folder of pages, each of which says its own path."""
    path.mkdir()
    for name in names:
        (path / name).write_text(f"<p>This is {path.name}/{name} and no other.</p>")
    return path


def outputs(folder: Path) -> dict[str, str]:
    """Path and text of every file that a reader would see in a folder."""
    found = (path for path in sorted(folder.rglob("*.txt")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_text().strip() for path in found}


COLLISIONS = {
    "two folders": {"a": ["p.html"], "b": ["p.html"]},
    "suffixes": {"a": ["a.html", "a.htm", "a.html.html"]},
    "folders and suffixes": {"a": ["p.html", "p.htm"], "b": ["p.html", "p.txt"]},
}


@pytest.mark.parametrize("folders", COLLISIONS.values(), ids=COLLISIONS)
def test_no_two_pages_write_one_file(folders: dict[str, list[str]], tmp_path: Path, clean: Clean) -> None:
    inputs = [folder_of(tmp_path / name, *pages) for name, pages in folders.items()]
    assert clean(*inputs, "-o", tmp_path / "out").code == 0
    expected = {f"This is {name}/{page} and no other." for name, pages in folders.items() for page in pages}
    written = outputs(tmp_path / "out")
    assert set(written.values()) == expected
    assert len(written) == len(expected)
    clean(*inputs, "-o", tmp_path / "again")
    assert outputs(tmp_path / "again") == written


def test_a_name_too_long_for_its_output_is_shortened(tmp_path: Path, clean: Clean) -> None:
    folder = folder_of(tmp_path / "in", "x" * 254, "page.html")
    outcome = clean(folder / ("x" * 254), folder / "page.html", "-o", tmp_path / "out")
    assert outcome.code == 0
    assert len(outputs(tmp_path / "out")) == 2


def loop(folder: Path) -> Path:
    path = folder / "b.html"
    path.symlink_to(path)
    return path


def fifo(folder: Path) -> Path:
    path = folder / "b.jsonl"
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("made", [loop, fifo])
def test_one_bad_file_neither_stops_nor_hangs_a_crawl(
    made: Callable[[Path], Path], tmp_path: Path, clean: Clean
) -> None:
    folder = folder_of(tmp_path / "in", "a.html", "c.html")
    bad = made(folder)
    output = tmp_path / "out.jsonl"
    outcome = clean("--jobs", 1, folder, bad, "-o", output)
    assert outcome.code == 1
    assert str(bad) in outcome.err
    pages = [json.loads(line)["text"].strip() for line in output.read_text().splitlines()]
    assert [page for page in pages if page] == [f"This is in/{name}.html and no other." for name in "ac"]


def run(folder: Path, *options: str, limit: str = "unlimited") -> Outcome:
    """Clean `in` to `out.jsonl` in a process whose files are limited in size, as if the disk were full."""
    words = [sys.executable, "-m", "stupidos", "clean", "--model", "keep-all", "--jobs", "1", "in"]
    done = subprocess.run(
        ["bash", "-c", f'ulimit -f {limit}; exec "$@"', "bash", *words, "-o", "out.jsonl", *options],
        capture_output=True,
        text=True,
        timeout=HANGS,
        check=False,
        cwd=folder,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def stopped(tmp_path: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Outcome]:
    """A folder with a run that a full disk has stopped half way, and what it said."""
    monkeypatch.setenv("PYTHONPATH", str(checkout))
    (tmp_path / "in").mkdir()
    for number in range(200):
        (tmp_path / "in" / f"{number:03}.html").write_bytes(noisy(number))
    return tmp_path, run(tmp_path, limit="400")  # kB


def test_a_full_disk_names_the_file_and_costs_nothing(stopped: tuple[Path, Outcome]) -> None:
    folder, (code, _, err) = stopped
    assert code == 1
    assert err.count("\n") == 1
    assert "out.jsonl" in err
    assert run(folder, "--resume").code == 0
    assert len((folder / "out.jsonl").read_text().splitlines()) == 200


def test_a_wrong_line_in_the_journal_is_one_line_of_error(stopped: tuple[Path, Outcome]) -> None:
    folder, _ = stopped
    (journal,) = folder.rglob("*journal*")
    good = journal.read_bytes()
    journal.write_bytes(good + b"{}\n" + good.splitlines(keepends=True)[-1])
    code, _, err = run(folder, "--resume")
    assert code == 1
    assert err.count("\n") == 1
    assert "journal" in err


LINES = "".join(json.dumps({"id": str(number), "page": f"<p>{text(number)}"}) + "\n" for number in range(10))
STREAMS = {
    "JSON Lines": (LINES.replace('"page"', '"html"').encode(), []),
    "JSON Lines with a field": (LINES.encode(), ["--field", "page"]),
    "packed JSON Lines": (gzip.compress(LINES.encode()), ["--field", "page"]),
    "WARC": (b"".join(map(record, range(10))), []),
    "packed WARC": (b"".join(gzip.compress(record(number)) for number in range(10)), []),
}


@pytest.mark.parametrize(("data", "options"), STREAMS.values(), ids=STREAMS)
def test_many_pages_on_standard_input_stay_many(data: bytes, options: list[str], clean: Clean) -> None:
    outcome = clean("--jobs", 1, *options, stdin=data)
    assert outcome.code == 0
    assert outcome.texts == [text(number) for number in range(10)]


def test_a_page_of_too_many_tags_says_so_in_its_record(tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "page.html"
    path.write_text("<p>x" * 300_000)
    outcome = clean("--format", "jsonl", path)
    assert outcome.records[0]["truncated"]
    assert outcome.err


def test_a_packed_page_of_two_members_is_joined(tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes(gzip.compress(b"<p>The first half.</p>") + gzip.compress(b"<p>The second half.</p>"))
    assert clean(path) == (0, "The first half.\n\nThe second half.\n", "")


def test_a_packed_page_with_a_broken_member_is_written_up_to_it(tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "page.html.gz"
    members = [gzip.compress(b"<p>All there is.</p>"), gzip.compress(b"<p>More.</p>")] * 3
    path.write_bytes(with_bad_checksum(members))
    code, out, err = clean(path)
    assert (code, err.count("\n")) == (1, 1)
    assert out.startswith("All there is.\n")
    assert "page.html.gz: broken gzip member" in err


@pytest.mark.parametrize("tail", [-9, -1])
def test_a_truncated_packed_page_is_written_and_named(tail: int, tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "page.html.gz"
    path.write_bytes((gzip.compress(b"<p>All there is.</p>") + gzip.compress(b"<p>The rest."))[:tail])
    code, out, err = clean(path)
    assert code == 1
    assert out.startswith("All there is.\n")
    assert err.startswith(f"stupidos: {path}: ")
    assert err.count("\n") == 1


def zstd(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").compress(data)
    return packed


@pytest.mark.parametrize("missing", [1, 20_000])
@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".zst", zstd)])
def test_packed_lines_that_are_truncated_are_read_up_to_there(
    suffix: str, pack: Callable[[bytes], bytes], missing: int, tmp_path: Path, clean: Clean
) -> None:
    path = tmp_path / f"pages.jsonl{suffix}"
    lines = [json.dumps({"id": str(number), "html": noisy(number).decode()}) for number in range(100)]
    path.write_bytes(pack("\n".join(lines).encode())[:-missing])
    outcome = clean("--jobs", 1, path)
    assert outcome.code == 1
    assert f"stupidos: {path}: broken" in outcome.err
    pages = [record["id"] for record in outcome.records if not record["error"]]
    assert pages == [str(number) for number in range(len(pages))]
    assert len(pages) >= (90 if missing == 1 and suffix == ".gz" else 30)


@pytest.mark.parametrize("missing", [1, 20_000])
def test_a_zstandard_archive_that_is_truncated_is_damaged(missing: int, tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "a.warc.zst"
    path.write_bytes(zstd(b"".join(record(number, noisy(number)) for number in range(100)))[:-missing])
    outcome = clean("--jobs", 1, path)
    assert outcome.code == 1
    assert "damaged 1" in outcome.err.splitlines()[-1]
    assert len(outcome.records) >= 30


def test_a_zstandard_page_that_is_truncated_has_failed(tmp_path: Path, clean: Clean) -> None:
    path = tmp_path / "page.html.zst"
    path.write_bytes(zstd(noisy(1))[:-9])
    outcome = clean("--format", "jsonl", path)
    assert outcome.code == 1
    assert f"stupidos: {path}: broken" in outcome.err
