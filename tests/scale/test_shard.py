"""A run split over machines: the outputs of the shards, joined, are those of one run."""

from __future__ import annotations

import gzip
import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from stupidos.cli import main
from stupidos.scale import warc
from stupidos.scale.shard import Shard
from stupidos.scale.warc_records import PREFIX
from stupidos.signatures import GZIP

SHARDS = 5


def record(number: int, body: bytes = b"") -> bytes:
    """A response record; a page may hold a whole WARC record of its own."""
    page = b"<p>Page %d of the archive of the old harbour office.</p>" % number + body
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/%d\r\n" % number
    head += b"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n" % len(http)
    return head + http + b"\r\n\r\n"


def nested(number: int) -> bytes:
    """A record whose page quotes records: what stands in it looks like the start of one."""
    return record(number, b"<pre>" + b"".join(record(1000 + inner) for inner in range(9)) + b"</pre>")


@pytest.fixture
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ranges of a few records, so that shards meet inside a file."""
    monkeypatch.setattr(warc, "_RANGE_BYTES", {GZIP: 700, PREFIX: 700})


def clean(*arguments: object) -> int:
    return main(["clean", "--model", "keep-all", "--jobs", "1", *map(str, arguments)])


def joined(folder: Path, *arguments: object, suffix: str, shards: int = SHARDS) -> bytes:
    """The outputs of all shards, in order."""
    parts = [folder / f"{number}{suffix}" for number in range(1, shards + 1)]
    for number, part in enumerate(parts, 1):
        assert clean(*arguments, "--shard", f"{number}/{shards}", "-o", part) == 0
    return b"".join(part.read_bytes() for part in parts)


@pytest.fixture
def archive(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A plain or packed WARC file of forty records, every third one with nested records."""
    records = [nested(number) if number % 3 == 0 else record(number) for number in range(40)]
    packed = request.param == "gz"
    path = tmp_path / ("crawl.warc.gz" if packed else "crawl.warc")
    path.write_bytes(b"".join(gzip.compress(one, mtime=0) if packed else one for one in records))
    return path


@pytest.mark.usefixtures("small_ranges")
@pytest.mark.parametrize("archive", ["plain", "gz"], indirect=True)
@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".xml", ".txt", ".md"])
def test_shards_of_an_archive_join_to_the_bytes_of_one_run(
    archive: Path, suffix: str, tmp_path: Path
) -> None:
    whole = tmp_path / f"whole{suffix}"
    assert clean(archive, "-o", whole) == 0
    assert joined(tmp_path, archive, suffix=suffix) == whole.read_bytes()


@pytest.mark.usefixtures("small_ranges")
@pytest.mark.parametrize("archive", ["plain"], indirect=True)
def test_every_page_of_an_archive_is_in_one_shard(archive: Path, tmp_path: Path) -> None:
    lines = joined(tmp_path, archive, suffix=".jsonl", shards=17).decode().splitlines()
    urls = [json.loads(line)["url"] for line in lines]
    assert urls == [f"http://example.org/{number}" for number in range(40)]


@pytest.mark.usefixtures("small_ranges")
@pytest.mark.parametrize("archive", ["plain", "gz"], indirect=True)
def test_shards_of_a_damaged_archive_join_to_the_bytes_of_one_run(archive: Path, tmp_path: Path) -> None:
    data = bytearray(archive.read_bytes())
    for place in range(len(data) * 4 // 5, 0, -len(data) // 4):
        del data[place : place + 40]
    archive.write_bytes(data)
    whole = tmp_path / "whole.jsonl"
    assert clean(archive, "-o", whole) == 1
    parts = [tmp_path / f"{number}.jsonl" for number in range(1, SHARDS + 1)]
    codes = [clean(archive, "--shard", f"{n}/{SHARDS}", "-o", part) for n, part in enumerate(parts, 1)]
    assert max(codes) == 1
    assert b"".join(part.read_bytes() for part in parts) == whole.read_bytes()


def test_shards_of_a_folder_write_the_files_of_one_run(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    for number in range(300):
        path = pages / f"{number % 7}" / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<p>Page {number}")
    (pages / "0" / "0.htm").write_text("<p>A twin by name")
    assert clean(pages, "-o", f"{tmp_path / 'whole'}/") == 0
    for number in range(1, 4):
        assert clean(pages, "-o", f"{tmp_path / 'shards'}/", "--shard", f"{number}/3") == 0
    whole, shards = (
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (tmp_path / "whole", tmp_path / "shards")
    )
    assert len(whole) == 301
    assert shards == whole


def test_shards_of_json_lines_and_listed_files_join_to_one_run(tmp_path: Path) -> None:
    lines = [json.dumps({"id": str(number), "html": f"<p>Page {number}"}) for number in range(500)]
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    (tmp_path / "b.html").write_text("<p>A single page")
    names = tmp_path / "names"
    names.write_text(f"{tmp_path / 'a.jsonl.gz'}\n{tmp_path / 'b.html'}\n")
    whole = tmp_path / "whole.jsonl"
    assert clean("--files-from", names, "-o", whole) == 0
    assert joined(tmp_path, "--files-from", names, suffix=".jsonl") == whole.read_bytes()


@pytest.mark.usefixtures("small_ranges")
@pytest.mark.parametrize("archive", ["plain"], indirect=True)
def test_shard_is_resumed_where_it_was_interrupted(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stupidos.scale import batch

    out, kept = tmp_path / "2.jsonl", tmp_path / "kept"
    monkeypatch.setattr(batch, "_COMMIT_SECONDS", -1.0)
    remove = batch.Journal.remove
    # the state of a run that was killed before it was published: its last entries are cut off
    monkeypatch.setattr(
        batch.Journal, "remove", lambda self: (shutil.copytree(self.folder, kept), remove(self))[1]
    )
    assert clean(archive, "--shard", "2/3", "-o", out) == 0
    monkeypatch.setattr(batch.Journal, "remove", remove)
    done = out.read_bytes()
    lines = (kept / "journal").read_text().splitlines(keepends=True)
    (kept / "journal").write_text("".join(lines[:4]))
    (kept / "output").write_bytes(done)
    kept.rename(tmp_path / "2.jsonl.parts")
    out.unlink()
    assert clean(archive, "--shard", "2/3", "-o", out, "--resume") == 0
    assert out.read_bytes() == done


def test_more_shards_than_work_leave_some_empty(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>The only page")
    assert joined(tmp_path, tmp_path / "a.html", suffix=".jsonl.gz", shards=3).count(GZIP) == 1


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "a/b", "²/3", "1/0", "1/2/3"])
def test_what_is_not_a_shard_is_wrong_usage(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean("page.html", "--shard", text) == 2
    assert f"{text} is not a shard such as 3/16" in capsys.readouterr().err


def test_standard_input_cannot_be_split(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"<p>A page")))
    assert clean("--shard", "1/2") == 1
    assert "--shard needs inputs by name" in capsys.readouterr().err


def test_shards_cover_all_units_once() -> None:
    names = [str(Path(__file__).parent)] * 3
    from stupidos.scale.sources import ReadOptions, units

    numbers = [unit.number for unit in units(names)]
    for count in (2, 3, 7):
        parts = [Shard(number, count).units(names, ReadOptions()) for number in range(1, count + 1)]
        assert [unit.number for part in parts for unit in part] == numbers
