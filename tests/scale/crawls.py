"""Small crawls to test with: WARC records, made by hand so that they can be broken by hand."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterable
from pathlib import Path

from stupidos.scale.source_items import Damage, Raw, Skipped, SourceItem, Span
from stupidos.scale.warc import Range

HTML = "text/html; charset=utf-8"
MOST = 1 << 20  # bytes of a page


def record(
    number: int,
    body: bytes,
    headers: str = f"Content-Type: {HTML}",
    status: int = 200,
    kind: str = "response",
) -> bytes:
    """A record with an HTTP answer (or with the body alone, if it is no response)."""
    block = b"HTTP/1.1 %d Whatever\r\n%s\r\n\r\n" % (status, headers.encode()) + body
    media = "application/http; msgtype=response"
    if kind != "response":
        block, media = body, headers.removeprefix("Content-Type: ")
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
        f"WARC-Target-URI: http://example.org/{number}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        f"Content-Type: {media}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def page(number: int, size: int = 300) -> bytes:
    """A page that compresses badly, as real ones do not."""
    noise = random.Random(number).randbytes(size).hex()
    return f"<title>Page {number}</title><p>This is page {number} of them all.<p>{noise}".encode()


def records(count: int, size: int = 300) -> list[bytes]:
    return [record(number, page(number, size)) for number in range(count)]


def packed(parts: Iterable[bytes]) -> list[bytes]:
    return [gzip.compress(part, mtime=0) for part in parts]


def write(path: Path, parts: Iterable[bytes]) -> str:
    path.write_bytes(b"".join(parts))
    return str(path)


def pages(found: Iterable[SourceItem]) -> list[Raw]:
    return [one for one in found if isinstance(one, Raw)]


def skipped(found: Iterable[SourceItem]) -> list[str]:
    return [one.kind for one in found if isinstance(one, Skipped)]


def damage(found: Iterable[SourceItem]) -> list[Damage]:
    return [one for one in found if isinstance(one, Damage)]


def span(found: Iterable[SourceItem]) -> Span:
    (one,) = (one for one in found if isinstance(one, Span))
    return one


def by_ranges(path: Path, step: int) -> tuple[list[Raw], list[Damage]]:
    """Pages and damage of a WARC file read in ranges, each begun where the one before it ended."""
    pages_read: list[Raw] = []
    gaps: list[Damage] = []
    size = path.stat().st_size
    start: int | None = 0
    for place in range(0, size, step):
        stop = min(place + step, size)
        if start is not None and start >= stop:
            continue
        found = list(Range(str(path), place, stop, exact=place == 0).items(MOST))
        if start is not None and span(found).began != start:
            found = list(Range(str(path), start, stop, exact=True).items(MOST))
        start = span(found).ended
        pages_read += pages(found)
        gaps += damage(found)
    return pages_read, gaps


# A page that says everything about itself, and what its record says
TOLD = """<html lang=en-GB><head><title>Tea is hot | Harbour Post</title>
<meta name=author content="Jane Smith"><meta property="article:published_time" content="2023-12-22T10:00Z">
<meta property="article:modified_time" content="2023-12-23">
<meta property="og:site_name" content="Harbour Post"><meta name=description content="About tea.">
<meta property="og:image" content="https://post.example/tea.png">
<link rel=canonical href="https://post.example/tea"><meta property="article:section" content="Food">
<meta name=keywords content="tea, milk"></head><body><h1>Tea is hot</h1>
<p>The height of the tea in the pot and the age of its leaves are not known to us.</p>
<a rel=license href="https://cc.example/by/4.0/">CC BY</a>"""
METADATA = {
    "title": "Tea is hot",
    "authors": ["Jane Smith"],
    "date": "2023-12-22T10:00Z",
    "modified": "2023-12-23",
    "site": "Harbour Post",
    "language": "en-GB",
    "language_source": "declared",
    "description": "About tea.",
    "image": "https://post.example/tea.png",
    "license": "https://cc.example/by/4.0/",
    "categories": ["Food"],
    "tags": ["tea", "milk"],
}
