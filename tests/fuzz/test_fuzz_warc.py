"""Any bytes as an archive: ranges give the pages of the whole file, and damage is never unnoticed."""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path

import crawls
import pytest
from generators import edited, edits, examples, pages
from hypothesis import given
from hypothesis import strategies as st
from test_damage import is_intact, whole

from stupidos.signatures import ZSTD

pytestmark = pytest.mark.fuzz

HEADERS = [
    *(
        "Content-Type: text/html",
        "Content-Type: image/png",
        "Content-Type: text/html\r\nContent-Encoding: gzip",
    ),
    *(
        "Content-Type: text/html\r\nContent-Encoding: br",
        "Content-Type: text/html\r\nTransfer-Encoding: chunked",
    ),
    *(
        "Content-Encoding: deflate, gzip, identity",
        "Content-Length: 99999999999",
        "",
        ": \r\n\r\n",
        "a\0b: c",
    ),
    *(
        "Content-Type: text/html; charset=\xff",
        "Content-Type: " + "x" * 3000,
        "Content-Type: application/xhtml+xml",
    ),
]
HOSTILE = [
    *(
        b"WARC/1.0\r\n",
        b"WARC/1.1\r\nWARC-Type: response\r\n\r\n",
        b"Content-Length: ",
        b"\r\n\r\n",
        b"\x1f\x8b\x08",
    ),
    *(
        gzip.compress(b"", mtime=0),
        gzip.compress(b"text", mtime=0),
        gzip.compress(b"WARC/1.0\r\n" * 9, mtime=0),
    ),
    *(
        b"\x1f\x8b\x08\x04\0\0\0\0\0\x03\xff\xff",
        b"\x1f\x8b\x08\xff",
        b"WARC/",
        b"HTTP/1.1 200 OK\r\n",
        b"\0" * 40,
    ),
]
SIZES = st.sampled_from(
    [b"0", b"5", b"300", b"-1", b"999999999999", b"1e3", b" 7 ", b"\xb2", b"0x10", b"1" * 5000]
)


def records() -> st.SearchStrategy[bytes]:
    """Records with bodies of any kind, some with a length that lies."""
    body = st.one_of(
        st.binary(max_size=200), pages(), st.binary(max_size=99).map(gzip.compress), st.sampled_from(HOSTILE)
    )
    good = st.builds(
        crawls.record,
        st.integers(0, 9),
        body,
        st.sampled_from(HEADERS),
        st.sampled_from([200, 200, 200, 404]),
        st.sampled_from(["response", "response", "conversion", "resource", "request", "warcinfo", "revisit"]),
    )
    lying = st.builds(
        lambda record, size: re.sub(rb"(Content-Length: )\d+", rb"\g<1>" + size, record, count=1), good, SIZES
    )
    return st.one_of(good, good, lying)


def members() -> st.SearchStrategy[bytes]:
    """Pieces of a file: plain and packed records, several in a member, members in members, noise."""
    group = st.lists(records(), max_size=3).map(b"".join)
    return st.one_of(
        records().map(lambda data: gzip.compress(data, mtime=0)),
        group,
        group.map(lambda data: gzip.compress(data, mtime=0)),
        group.map(lambda data: gzip.compress(gzip.compress(data, mtime=0), mtime=0)),
        st.sampled_from(HOSTILE),
        st.binary(max_size=60),
    )


def archives() -> st.SearchStrategy[bytes]:
    files = st.lists(members(), min_size=1, max_size=8).map(b"".join)
    return st.one_of(
        files, st.builds(edited, files, edits(st.one_of(st.sampled_from(HOSTILE), st.binary(max_size=9))))
    )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz") / "a.warc.gz"


@examples(180)
@given(archives(), st.sampled_from([1, 100, 700, 5000]))
def test_ranges_give_the_pages_of_the_whole_and_no_damage_goes_unnoticed(
    path: Path, data: bytes, step: int
) -> None:
    path.write_bytes(data)
    found = whole(path)
    assert found == whole(path)
    assert bool(crawls.damage(found)) or is_intact(data)
    parts, damaged = crawls.by_ranges(path, max(step, len(data) // 200))
    assert parts == crawls.pages(found)
    assert bool(damaged) == bool(crawls.damage(found))


def packed(data: bytes, form: str) -> bytes:
    if form == "zstd":
        return bytes(pytest.importorskip("zstandard").ZstdCompressor(write_checksum=True).compress(data))
    return bytes(pytest.importorskip("lz4.frame").compress(data, content_checksum=True))


def unpacked(data: bytes) -> bytes | None:
    """The content by the packages themselves; None if they refuse the file."""
    try:
        if data.startswith(ZSTD):
            zstandard = pytest.importorskip("zstandard")
            with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as reader:
                return bytes(reader.read())
        return bytes(pytest.importorskip("lz4.frame").decompress(data))
    except Exception:  # whatever they raise
        return None


@pytest.mark.parametrize("form", ["zstd", "lz4"])
@examples(50)
@given(archives(), edits(st.binary(max_size=20)), st.booleans())
def test_broken_files_of_other_compressions_are_noticed(
    path: Path, form: str, data: bytes, changes: list[tuple[str, float, int, bytes]], broken: bool
) -> None:
    file = packed(data, form)
    if broken:
        file = file[:4] + edited(file[4:], changes)
    path.write_bytes(file)
    found = whole(path)
    content = unpacked(file)
    if content is None:
        assert crawls.damage(found)
    else:
        assert bool(crawls.damage(found)) or is_intact(content)


def test_the_oracle_knows_a_whole_file_from_a_broken_one() -> None:
    record = crawls.record(1, b"<p>Tea")
    assert is_intact(record)
    assert not is_intact(zlib.compress(record))
