"""Items read from inputs: raw pages, skipped records, damage, and byte ranges."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import AnyStr, NamedTuple

WARC = re.compile(r"\.(?:warc|wet|wat)(?:\.gz|\.zst|\.lz4)?$", re.IGNORECASE)
PARQUET = ".parquet"
JSONL = re.compile(r"\.(?:(?:jsonl|ndjson)(?:\.gz|\.zst)?|parquet)$", re.IGNORECASE)  # files of records
MAX_PAGE_BYTES = 20 << 20  # longer pages are truncated
MAX_RECORD_BYTES = 64 << 20  # of a WARC record or JSONL line, decompressed; larger ones fail
CRAWL_FIELDS = ("warc_date", "http_status", "content_type", "payload_digest")  # of the pages of WARC files
MAX_BYTES = "max-bytes"  # reason of a truncation: the limit of the job


class Raw(NamedTuple):
    """A page as stored in its source, not yet decoded."""

    id: str
    data: bytes | str = b""
    url: str = ""
    header: str | None = None  # Content-Type header of the server
    dump: bool = False  # plain text (a WET record), not HTML
    truncated: str = ""  # reason if `data` is incomplete: MAX_BYTES, or the one given by the crawler
    error: str = ""  # why it cannot be cleaned
    fields: Mapping[str, object] = {}  # what else the source says about the page, for its record
    language: str = ""  # Content-Language header of the server
    parse: Callable[[Raw], Raw] | None = None  # parses `data` into a page, within the page's time limit


class Skipped(NamedTuple):
    """A record or file that is not a page."""

    kind: str


class Damage(NamedTuple):
    """A damaged range of bytes in an archive."""

    path: str
    start: int  # offset in the file; in the decompressed data if the archive is read as a whole
    end: int
    reason: str


class Span(NamedTuple):
    """Offsets of the first record of a unit and of the end of its last one; None if unknown."""

    began: int | None
    ended: int | None


SourceItem = Raw | Skipped | Damage | Span


def shortened(data: AnyStr, most: int) -> tuple[AnyStr, str]:
    """The first `most` bytes or characters, and the reason of the truncation, empty if complete.

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
