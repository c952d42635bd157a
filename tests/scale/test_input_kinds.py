"""Whether an input holds one page or many, by its name and by its first bytes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stupidos.render.sniff import SNIFFED
from stupidos.scale.input_kinds import kind_of, sniffed

LINE = json.dumps({"url": "https://example.org/", "html": "<p>Tea"}).encode() + b"\n"
RECORD = b"WARC/1.0\r\nWARC-Type: response\r\n\r\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize(
    ("data", "kind"), [(LINE * 2, "jsonl"), (RECORD, "warc"), (b"<p>Tea", ""), (b"", "")]
)
def test_a_file_without_a_known_suffix_is_looked_into(
    tmp_path: Path, pack: Callable[[bytes], bytes], data: bytes, kind: str
) -> None:
    path = tmp_path / "dump"
    path.write_bytes(pack(data))
    assert kind_of(str(path)) == kind == sniffed(pack(data))


@pytest.mark.parametrize(
    ("name", "input", "kind"),
    [
        ("a.warc", "auto", "warc"), ("a.WARC.GZ", "auto", "warc"), ("a.wet.zst", "auto", "warc"),
        ("a.jsonl", "html", "jsonl"), ("a.ndjson.gz", "auto", "jsonl"), ("a.parquet", "auto", "jsonl"),
        ("a.html", "auto", ""), ("a.HTM.gz", "auto", ""), ("a.xhtml.zst", "auto", ""),
        ("a.html", "jsonl", "jsonl"), ("a.html", "warc", "warc"), ("a.html", "text", ""), ("a", "html", ""),
        ("a.warc.txt", "warc", "warc"),
    ],
)  # fmt: skip
def test_a_suffix_goes_before_the_option_and_both_before_the_content(
    tmp_path: Path, name: str, input: str, kind: str
) -> None:
    (tmp_path / name).write_bytes(LINE if "html" in name.lower() or name == "a" else b"<p>Tea")
    assert kind_of(str(tmp_path / name), input) == kind


def test_what_cannot_be_looked_into_is_a_page(tmp_path: Path) -> None:
    (tmp_path / "dump.warc").mkdir()
    assert kind_of(str(tmp_path / "dump.warc")) == ""
    assert kind_of(str(tmp_path / "missing")) == ""
    secret = tmp_path / "secret"
    secret.symlink_to(secret)
    assert kind_of(str(secret)) == ""


@pytest.mark.parametrize(
    "start",
    [gzip.compress(LINE)[:12], b"\x1f\x8b\x08 no gzip at all", b"\x28\xb5\x2f\xfd no"],
    ids=["cut off", "no gzip", "no zstd"],  # the first has the time of day in it
)
def test_broken_compression_is_reported_when_the_file_is_read(start: bytes) -> None:
    assert sniffed(start) == ""


def test_a_field_makes_any_object_a_line_of_pages() -> None:
    line = b'{"body": "<p>Tea"}\n'
    assert sniffed(line, "body") == "jsonl"


def test_a_dictionary_of_zstandard_begins_a_crawl() -> None:
    assert sniffed(b"\x5d\x2a\x4d\x18\0\0\0\0") == "warc"


def test_enough_of_a_packed_file_is_unpacked() -> None:
    long = json.dumps({"html": "x" * (SNIFFED // 2)}).encode() + b"\n"
    assert sniffed(gzip.compress(long * 2)) == sniffed(long * 2)
