"""Inputs and outputs behind URLs: globs, retries, uploads, errors of one line."""

from __future__ import annotations

import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from stupidos.cli import main
from stupidos.errors import StupidosError
from stupidos.scale import remote
from stupidos.scale.remote import open_url

PAGES = 30


@pytest.fixture
def store() -> Iterator[Any]:
    """An empty file system in memory, memory://."""
    fsspec = pytest.importorskip("fsspec")
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "_FIRST_PAUSE", 0.0)


def clean(*arguments: object) -> int:
    return main(["clean", "--model", "keep-all", "--jobs", "1", *map(str, arguments)])


def lines(first: int) -> bytes:
    records = ({"id": str(number), "html": f"<p>Page {number}"} for number in range(first, first + PAGES))
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def ids(path: Path) -> list[int]:
    return [int(json.loads(line)["id"]) for line in path.read_text().splitlines()]


def test_wildcards_of_a_url_are_matched_in_order(store: Any, tmp_path: Path) -> None:
    for number in (2, 0, 1):
        store.pipe_file(f"/crawl/{number}.jsonl.gz", gzip.compress(lines(number * PAGES)))
    store.pipe_file("/crawl/notes.txt", b"not asked for")
    out = tmp_path / "out.jsonl"
    assert clean("memory://crawl/*.jsonl.gz", "-o", out) == 0
    assert ids(out) == list(range(3 * PAGES))


def test_wildcards_work_in_lists_of_files(store: Any, tmp_path: Path) -> None:
    store.pipe_file("/crawl/a.jsonl", lines(0))
    names, out = tmp_path / "names", tmp_path / "out.jsonl"
    names.write_text("memory://crawl/*.jsonl\n")
    assert clean("--files-from", names, "-o", out) == 0
    assert ids(out) == list(range(PAGES))


@pytest.mark.usefixtures("store")
def test_wildcards_without_a_match_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert clean("memory://crawl/*.warc.gz") == 1
    assert capsys.readouterr().err == "stupidos: memory://crawl/*.warc.gz: no such files\n"


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".txt"])
def test_output_is_uploaded_when_it_is_complete(
    store: Any, suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_bytes(lines(0))
    assert clean("in.jsonl", "-o", f"local{suffix}") == 0
    assert clean("in.jsonl", "-o", f"memory://clean/pages{suffix}") == 0
    assert store.cat_file(f"/clean/pages{suffix}") == (tmp_path / f"local{suffix}").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["in.jsonl", f"local{suffix}"]


def test_failed_upload_is_made_up_by_resume(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_bytes(lines(0))

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("the bucket\nis closed")

    with monkeypatch.context() as closed:
        closed.setattr(type(store), "put_file", refuse)
        assert clean("in.jsonl", "-o", "memory://clean/pages.jsonl") == 1
    assert "memory://clean/pages.jsonl: the bucket is closed" in capsys.readouterr().err
    assert clean("in.jsonl", "-o", "memory://clean/pages.jsonl", "--resume") == 0
    assert store.cat_file("/clean/pages.jsonl").count(b"\n") == PAGES


def test_remote_folder_is_refused(capsys: pytest.CaptureFixture[str], lighthouse: Path) -> None:
    assert clean(lighthouse, "-o", "s3://bucket/clean/") == 1
    assert "write one file, such as s3://bucket/clean/clean.jsonl.gz" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["memory://a.warc.gz"], ["a.html", "-o", "memory://out.jsonl"]])
def test_missing_package_is_named(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.html").write_text("<p>A page")
    monkeypatch.setitem(sys.modules, "fsspec", None)
    assert clean(*arguments) == 1
    assert "pip install '.[remote]'" in capsys.readouterr().err


class FlakyFile:
    """A file that breaks off after some bytes, as often as `failures` says."""

    failures = 0

    def __init__(self, file: Any) -> None:
        self.file = file

    def seek(self, place: int) -> None:
        self.file.seek(place)

    def read(self, size: int) -> bytes:
        if self.file.tell() > 0 and FlakyFile.failures:
            FlakyFile.failures -= 1
            raise ConnectionResetError("connection reset")
        return bytes(self.file.read(min(size, 1000)))

    def close(self) -> None:
        self.file.close()


@pytest.fixture
def flaky(store: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    opened = type(store).open
    monkeypatch.setattr(type(store), "open", lambda *a, **k: FlakyFile(opened(*a, **k)))
    return store


def test_read_that_fails_half_way_continues_there(flaky: Any) -> None:
    data = bytes(range(256)) * 40
    flaky.pipe_file("/file", data)
    FlakyFile.failures = 2
    with open_url("memory://file") as file:
        assert file.read() == data
    assert FlakyFile.failures == 0


def test_read_that_keeps_failing_is_an_error_that_names_the_file(flaky: Any) -> None:
    flaky.pipe_file("/file", bytes(5000))
    FlakyFile.failures = 99
    file = open_url("memory://file")
    with file, pytest.raises(StupidosError, match=r"memory://.*connection reset"):
        file.read()
    FlakyFile.failures = 0


def test_missing_remote_file_is_a_failed_input(
    store: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store.pipe_file("/a.jsonl", lines(0))
    out = tmp_path / "out.jsonl"
    assert clean("memory://a.jsonl", "memory://b.jsonl", "-o", out) == 1
    assert f"read {PAGES + 1} = written {PAGES} + empty 0 + failed 1" in capsys.readouterr().err


def test_remote_archive_is_read_in_ranges(
    store: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stupidos.scale import warc

    def record(number: int) -> bytes:
        http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Page %d" % number
        head = b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://example.org/%d\r\n" % number
        head += b"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n" % len(http)
        return gzip.compress(head + http + b"\r\n\r\n")

    monkeypatch.setattr(warc, "_RANGE_BYTES", {b"\x1f\x8b": 100})
    store.pipe_file("/a.warc.gz", b"".join(map(record, range(PAGES))))
    assert len(list(warc.ranges("memory://a.warc.gz"))) > 3
    out = tmp_path / "out.jsonl"
    assert clean("memory://a.warc.gz", "-o", out) == 0
    urls = [json.loads(line)["url"] for line in out.read_text().splitlines()]
    assert urls == [f"http://example.org/{number}" for number in range(PAGES)]


def test_parquet_and_pages_behind_urls_are_read(store: Any, tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"id": ["1", "2"], "html": ["<p>One", "<p>Two"]})
    parquet.write_table(table, tmp_path / "pages.parquet")
    store.pipe_file("/pages.parquet", (tmp_path / "pages.parquet").read_bytes())
    store.pipe_file("/page.html", b"<p>Three")
    out = tmp_path / "out.jsonl"
    assert clean("memory://pages.parquet", "memory://page.html", "-o", out) == 0
    texts = [json.loads(line)["text"].strip() for line in out.read_text().splitlines()]
    assert texts == ["One", "Two", "Three"]


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """An S3 server on loopback with an empty bucket; the client's settings come from the environment."""
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    s3fs = pytest.importorskip("s3fs")
    server.start()
    host, port = server.get_host_and_port()
    urlopen(f"http://{host}:{port}/moto-api/reset", data=b"").close()  # servers share their state
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": str(tmp_path / "none"),
    }.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()
    system = s3fs.S3FileSystem()
    system.mkdir("bucket")
    yield system
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_archive_goes_from_s3_to_s3(
    bucket: Any, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in (1, 0):
        bucket.pipe_file(f"bucket/crawl/{number}.jsonl.gz", gzip.compress(lines(number * PAGES)))
    command = ["clean", "--model", "keep-all", "--jobs", str(jobs), "s3://bucket/crawl/*.gz"]
    assert main([*command, "-o", "s3://bucket/clean/pages.jsonl.gz"]) == 0
    bucket.invalidate_cache()
    records = gzip.decompress(bucket.cat_file("bucket/clean/pages.jsonl.gz")).splitlines()
    assert [int(json.loads(line)["id"]) for line in records] == list(range(2 * PAGES))


@pytest.mark.slow
@pytest.mark.usefixtures("bucket")
def test_bucket_that_is_not_there_is_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_bytes(lines(0))
    assert clean("in.jsonl", "-o", "s3://nowhere/pages.jsonl") == 1
    assert "stupidos: s3://nowhere/pages.jsonl: " in capsys.readouterr().err
