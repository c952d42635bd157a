"""What sources are made of: pages as they were found, and what is no page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import AnyStr, NamedTuple

WARC = re.compile(r"\.(?:warc|wet|wat)(?:\.gz|\.zst|\.lz4)?$", re.IGNORECASE)
JSONL = re.compile(r"\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$", re.IGNORECASE)
MOST_PAGE = 20 << 20  # bytes of a page that are looked at; the rest is cut off
MOST_RECORD = 64 << 20  # bytes of a WARC record or a JSONL line, unpacked; what is larger is refused
MAX_BYTES = "max-bytes"  # why a page is truncated: the limit of the job


class Raw(NamedTuple):
    """A page as its source holds it, before anything is decoded."""

    id: str
    data: bytes | str = b""
    url: str = ""
    header: str | None = None  # the Content-Type line of its server
    dump: bool = False  # plain text (a WET record), not HTML
    truncated: str = ""  # why the page goes on and `data` does not: MAX_BYTES, or what a crawler said
    error: str = ""  # why it cannot be cleaned
    parse: Callable[[Raw], Raw] | None = None  # makes a page of `data`, within the page's limit of time


class Skipped(NamedTuple):
    """Something that is no page."""

    kind: str


class Damage(NamedTuple):
    """Bytes of an archive that cannot be read, or not as they were meant."""

    path: str
    start: int  # offset in the file; in an archive that is read in one piece, in what it unpacks to
    end: int
    reason: str


class Span(NamedTuple):
    """The bytes of a file that a unit turned out to hold; None where the next unit must look for itself."""

    began: int | None
    ended: int | None


Found = Raw | Skipped | Damage | Span


def shortened(data: AnyStr, most: int) -> tuple[AnyStr, str]:
    """The first `most` bytes or characters, and why that is not all; empty if it is.

    >>> shortened(b"abc", 2), shortened("abc", 3)
    ((b'ab', 'max-bytes'), ('abc', ''))
    """
    return data[:most], MAX_BYTES if len(data) > most else ""


def is_archive(path: str) -> bool:
    """Whether a file holds many pages, by its name.

    >>> is_archive("CC-MAIN-2024.warc.wet.gz"), is_archive("pages.ndjson.zst"), is_archive("page.html.gz")
    (True, True, False)
    """
    return bool(WARC.search(path) or JSONL.search(path))
