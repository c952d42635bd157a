"""What one record holds: pages, packed or not, and everything else by its kind."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from pathlib import Path

import crawls
import pytest

from stupidos.scale import http_payload, warc
from stupidos.scale.source_items import SourceItem
from stupidos.scale.warc import Range

BODY = b"<title>T</title><p>" + b"A page of some length. " * 20


def read(tmp_path: Path, *records: bytes, most: int = 1 << 20) -> list[SourceItem]:
    path = tmp_path / "a.warc"
    crawls.write(path, records)
    return list(Range(str(path), 0, path.stat().st_size, exact=True).items(most))


def chunked(data: bytes) -> bytes:
    pieces = (data[place : place + 7] for place in range(0, len(data), 7))
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def brotli(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip("brotli").compress(data)
    return packed


Body = bytes | Callable[[], bytes]

ENCODED: dict[str, tuple[str, Body]] = {
    "plain": ("", BODY),
    "gzip": ("Content-Encoding: gzip\r\n", gzip.compress(BODY)),
    "deflate with a header": ("Content-Encoding: deflate\r\n", zlib.compress(BODY)),
    "bare deflate": ("Content-Encoding: deflate\r\n", zlib.compress(BODY)[2:-4]),
    "brotli": ("Content-Encoding: br\r\n", lambda: brotli(BODY)),
    "chunked": ("Transfer-Encoding: chunked\r\n", chunked(BODY)),
    "chunked gzip": (
        "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n",
        chunked(gzip.compress(BODY)),
    ),
    "gzip in brotli": ("Content-Encoding: gzip, br\r\n", lambda: brotli(gzip.compress(BODY))),
    "unpacked by the crawler": ("Content-Encoding: gzip\r\n", BODY),
    "unpacked by the crawler, brotli": ("Content-Encoding: br\r\n", lambda: brotli(BODY) and BODY),
    "gzip in two members": (
        "Content-Encoding: gzip\r\n",
        gzip.compress(BODY[:50]) + gzip.compress(BODY[50:]),
    ),
    "joined by the crawler": ("Transfer-Encoding: chunked\r\n", BODY),
    "of an unknown coding": ("Content-Encoding: sdch\r\n", BODY),
}


@pytest.mark.parametrize(("headers", "body"), ENCODED.values(), ids=ENCODED)
def test_bodies_are_unpacked(tmp_path: Path, headers: str, body: Body) -> None:
    body = body() if callable(body) else body
    (page,) = crawls.pages(read(tmp_path, crawls.record(1, body, headers + "Content-Type: text/html")))
    assert page.data == BODY
    assert page.error == ""


def test_a_body_cut_off_while_packed_keeps_its_start(tmp_path: Path) -> None:
    body = zlib.compress(crawls.page(1, 5000))[:-2000]
    (page,) = crawls.pages(
        read(tmp_path, crawls.record(1, body, "Content-Encoding: deflate\r\nContent-Type: text/html"))
    )
    assert len(page.data) > 1000
    assert isinstance(page.data, bytes)
    assert crawls.page(1, 5000).startswith(page.data)


def test_the_servers_charset_comes_along(tmp_path: Path) -> None:
    header = "text/html; charset=ISO-8859-2"
    (page,) = crawls.pages(read(tmp_path, crawls.record(1, BODY, f"Content-Type: {header}")))
    assert page.header == header


@pytest.mark.parametrize("coding", ["gzip", "br"])
def test_a_bomb_is_a_page_that_failed(tmp_path: Path, coding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_payload, "MAX_RECORD_BYTES", 1 << 20)
    bomb = {"gzip": gzip.compress, "br": brotli}[coding](bytes(2 << 20))
    headers = f"Content-Encoding: {coding}\r\nContent-Type: text/html"
    found = crawls.pages(read(tmp_path, crawls.record(1, bomb, headers), crawls.record(2, BODY)))
    assert [(page.id, page.error) for page in found] == [
        ("urn:uuid:1", "unpacks to more than 1 MB"),
        ("urn:uuid:2", ""),
    ]


def test_a_record_over_the_cap_is_not_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_payload, "MAX_RECORD_BYTES", 1000)
    monkeypatch.setattr(warc, "MAX_RECORD_BYTES", 1000)
    found = crawls.pages(read(tmp_path, crawls.record(1, b"x" * 2000), crawls.record(2, BODY)))
    assert [(page.id, page.data[:3], bool(page.error)) for page in found] == [
        ("urn:uuid:1", b"", True),
        ("urn:uuid:2", b"<ti", False),
    ]


def test_a_long_page_is_cut(tmp_path: Path) -> None:
    (page,) = crawls.pages(read(tmp_path, crawls.record(1, BODY), most=100))
    assert (page.data, page.truncated) == (BODY[:100], "max-bytes")


OTHERS = {
    "image/png": crawls.record(1, b"\x89PNG", "Content-Type: image/png"),
    "application/pdf": crawls.record(1, b"%PDF", "Content-Type: Application/PDF; x=y"),
    "text/plain": crawls.record(1, b"robots", "Content-Type: text/plain"),
    "other": crawls.record(1, b"what", "Content-Type: !!!"),
    "HTTP 404": crawls.record(1, BODY, status=404),
    "HTTP 301": crawls.record(1, BODY, status=301),
    "revisit": crawls.record(1, b"", kind="revisit"),
    "text/dns": crawls.record(1, b"dns", "Content-Type: text/dns", kind="resource"),
    "no content type": crawls.record(1, b"plain words", "X: y"),
    "application/octet-stream": crawls.record(1, b"\0\1\2", "Content-Type: application/octet-stream"),
}


@pytest.mark.parametrize(("kind", "other"), OTHERS.items(), ids=OTHERS)
def test_what_is_not_a_page_is_counted_by_its_kind(tmp_path: Path, kind: str, other: bytes) -> None:
    found = read(tmp_path, other, crawls.record(2, BODY))
    assert crawls.skipped(found) == [kind]
    assert [page.id for page in crawls.pages(found)] == ["urn:uuid:2"]


@pytest.mark.parametrize("kind", ["request", "metadata", "warcinfo"])
def test_a_crawlers_notes_are_not_counted(tmp_path: Path, kind: str) -> None:
    found = read(tmp_path, crawls.record(1, b"notes", kind=kind))
    assert crawls.skipped(found) == []
    assert crawls.pages(found) == []


@pytest.mark.parametrize("headers", ["X: y", "Content-Type: unk", "Content-Type:"])
def test_a_page_of_unknown_type_is_known_by_its_tags(tmp_path: Path, headers: str) -> None:
    html = b"<!DOCTYPE html><html><head><title>T</title></head><body><p>Text</p></body></html>"
    (page,) = crawls.pages(read(tmp_path, crawls.record(1, html, headers)))
    assert page.data == html


def test_resources_are_pages_too(tmp_path: Path) -> None:
    (page,) = crawls.pages(read(tmp_path, crawls.record(1, BODY, "Content-Type: text/html", kind="resource")))
    assert page.data == BODY


def test_a_wet_record_is_a_dump(tmp_path: Path) -> None:
    text = "Żółw\nA line".encode()
    (page,) = crawls.pages(
        read(tmp_path, crawls.record(1, text, "Content-Type: text/plain", kind="conversion"))
    )
    assert (page.data, page.dump, page.header) == (text, True, "utf-8")


def test_an_address_in_brackets_loses_them(tmp_path: Path) -> None:
    old = crawls.record(1, BODY).replace(b"http://example.org/1", b"<http://example.org/1>")
    (page,) = crawls.pages(read(tmp_path, old))
    assert page.url == "http://example.org/1"


def zstandard(data: bytes) -> bytes:
    packed: bytes = pytest.importorskip("zstandard").compress(data)
    return packed


MORE_ENCODED: dict[str, tuple[str, Body]] = {
    "x-gzip": ("Content-Encoding: X-GZIP\r\n", gzip.compress(BODY)),
    "zstd": ("Content-Encoding: zstd\r\n", lambda: zstandard(BODY)),
    "zstd in two frames": ("Content-Encoding: zstd\r\n", lambda: zstandard(BODY[:9]) + zstandard(BODY[9:])),
    "unpacked by the crawler, zstd": ("Content-Encoding: zstd\r\n", BODY),
    "chunks that end in bare newlines": (
        "Transfer-Encoding: chunked\r\n",
        b"5\n%s\n%x\n%s\n0\n\n" % (BODY[:5], len(BODY) - 5, BODY[5:]),
    ),
    "chunks with extensions": (
        "Transfer-Encoding: chunked\r\n",
        b"%x;name=value\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY),
    ),
    "nothing behind the last chunk": (
        "Transfer-Encoding: chunked\r\n",
        b"%x\r\n%s\r\n0\r\n\r\n5\r\nmore!" % (len(BODY), BODY),
    ),
    "something else behind a member": ("Content-Encoding: gzip\r\n", gzip.compress(BODY) + b"\0\0\0"),
}


@pytest.mark.parametrize(("headers", "body"), MORE_ENCODED.values(), ids=MORE_ENCODED)
def test_bodies_are_unpacked_however_they_are_spelt(tmp_path: Path, headers: str, body: Body) -> None:
    body = body() if callable(body) else body
    (page,) = crawls.pages(read(tmp_path, crawls.record(1, body, headers + "Content-Type: text/html")))
    assert (page.data, page.error) == (BODY, "")


@pytest.mark.parametrize("coding", ["zstd", "br", "gzip", "deflate"])
def test_a_broken_body_keeps_its_start(tmp_path: Path, coding: str) -> None:
    pack = {"zstd": zstandard, "br": brotli, "gzip": gzip.compress, "deflate": zlib.compress}[coding]
    noise = crawls.page(1, 1 << 17)
    packed = pack(noise)[: 1 << 17]
    headers = f"Content-Encoding: {coding}\r\nContent-Type: text/html"
    (page,) = crawls.pages(read(tmp_path, crawls.record(1, packed, headers)))
    assert isinstance(page.data, bytes)
    assert noise.startswith(page.data)
    assert len(page.data) > 100


@pytest.mark.parametrize("status", [200, 203, 299])
def test_an_answer_that_went_well_is_a_page(tmp_path: Path, status: int) -> None:
    assert len(crawls.pages(read(tmp_path, crawls.record(1, BODY, status=status)))) == 1


@pytest.mark.parametrize("status", [199, 300, 500])
def test_an_answer_that_did_not_is_skipped(tmp_path: Path, status: int) -> None:
    assert crawls.skipped(read(tmp_path, crawls.record(1, BODY, status=status))) == [f"HTTP {status}"]


def test_what_the_crawler_knows_goes_to_the_record(tmp_path: Path) -> None:
    headers = "Content-Type: text/html\r\nContent-Language: de"
    (page,) = crawls.pages(read(tmp_path, crawls.record(1, BODY, headers)))
    assert page.fields == {
        "warc_date": "2024-01-01T00:00:00Z",
        "http_status": 200,
        "content_type": "text/html",
        "payload_digest": None,
    }
    assert (page.language, page.truncated) == ("de", "")


@pytest.mark.parametrize(("said", "kept"), [("length", "length"), ("TIME", "time"), ("tea", "unspecified")])
def test_the_reason_why_a_record_was_cut_is_one_of_the_standard(tmp_path: Path, said: str, kept: str) -> None:
    record = crawls.record(1, BODY).replace(b"WARC-Date", b"WARC-Truncated: %s\r\nWARC-Date" % said.encode())
    (page,) = crawls.pages(read(tmp_path, record))
    assert page.truncated == kept
