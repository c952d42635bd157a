"""What sources are made of: pages as they were found, and what is no page."""

from __future__ import annotations

import re
from typing import NamedTuple

WARC = re.compile(r"\.(?:warc|wet|wat)(?:\.gz|\.zst|\.lz4)?$", re.IGNORECASE)
JSONL = re.compile(r"\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$", re.IGNORECASE)
MOST_PAGE = 20 << 20  # bytes of a page that are looked at; the rest is cut off
MOST_RECORD = 64 << 20  # bytes of a WARC record or a JSONL line, unpacked; what is larger is refused


class Raw(NamedTuple):
    """A page as its source holds it, before anything is decoded."""

    id: str
    data: bytes | str = b""
    url: str = ""
    header: str | None = None  # the Content-Type line of its server
    dump: bool = False  # plain text (a WET record), not HTML
    cut: bool = False  # the page goes on, `data` does not
    error: str = ""  # why it cannot be cleaned


class Skipped(NamedTuple):
    """Something that is no page."""

    kind: str


class Span(NamedTuple):
    """The bytes of a file that a unit turned out to hold; None where the next unit must look for itself."""

    began: int | None
    ended: int | None


Found = Raw | Skipped | Span


def shortened(data: bytes, most: int) -> tuple[bytes, bool]:
    """The first `most` bytes, and whether that is not all.

    >>> shortened(b"abc", 2)
    (b'ab', True)
    """
    return data[:most], len(data) > most


def is_archive(path: str) -> bool:
    """Whether a file holds many pages, by its name.

    >>> is_archive("CC-MAIN-2024.warc.wet.gz"), is_archive("pages.ndjson.zst"), is_archive("page.html.gz")
    (True, True, False)
    """
    return bool(WARC.search(path) or JSONL.search(path))
