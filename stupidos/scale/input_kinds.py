"""Which inputs hold many pages: by their names, or by their first bytes where the name does not tell."""

from __future__ import annotations

import os
import zlib
from typing import Any

from stupidos.errors import ExtraError
from stupidos.render.sniff import SNIFFED, many_pages
from stupidos.scale.compression import GZIP, ZSTD, zstandard
from stupidos.scale.source_items import JSONL, WARC

_PAGE_SUFFIXES = (".html", ".htm", ".xhtml")  # names that tell: a page
_PACKED_SUFFIXES = (".gz", ".zst")
_ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"  # only .warc.zst files begin with one
PACKED_START = 2 * SNIFFED  # bytes that unpack to at least SNIFFED, whatever they hold


def kind_of(path: str, input: str = "auto", field: str | None = None) -> str:
    """`warc`, `jsonl`, or nothing for a page.

    A name that tells is believed whatever `input` says; of the others `auto` looks at the first bytes.

    >>> kind_of("CC-MAIN-2024.warc.wet.gz"), kind_of("pages.ndjson.zst"), kind_of("a.html.gz")
    ('warc', 'jsonl', '')
    >>> kind_of("dump", "warc"), kind_of("dump.warc", "html")
    ('warc', 'warc')
    """
    if os.path.isdir(path):
        return ""
    if WARC.search(path) or JSONL.search(path):
        return "warc" if WARC.search(path) else "jsonl"
    if input != "auto":
        return kind_named(input)
    plain = path.lower()
    for suffix in _PACKED_SUFFIXES:
        plain = plain.removesuffix(suffix)
    if plain.endswith(_PAGE_SUFFIXES) or not os.path.isfile(path):  # a pipe can be read only once
        return ""
    try:
        with open(path, "rb") as file:
            return sniffed(file.read(PACKED_START), field)
    except OSError:
        return ""  # reading it will tell what is wrong


def kind_named(input: str) -> str:
    """What an input is by the choice of a user; nothing for a page."""
    return input if input in ("jsonl", "warc") else ""


def sniffed(start: bytes, field: str | None = None) -> str:
    """`warc`, `jsonl` or nothing, by the first bytes of a file, packed or not."""
    if start.startswith(_ZSTD_DICTIONARY):
        return "warc"
    return many_pages(unpacked_start(start), field)


def unpacked_start(start: bytes) -> bytes:
    """The first bytes without their packing; as many as there are before anything broken.

    >>> unpacked_start(zlib.compress(b"page", wbits=31)[:-8]), unpacked_start(b"<p>")
    (b'page', b'<p>')
    """
    machine: Any
    if start.startswith(GZIP):
        machine = zlib.decompressobj(31)
    elif start.startswith(ZSTD):
        try:
            machine = zstandard().ZstdDecompressor().decompressobj()
        except ExtraError:
            return b""  # reading it will tell what is missing
    else:
        return start[:SNIFFED]
    found = b""
    try:
        for at in range(0, len(start), 1 << 10):
            found += machine.decompress(start[at : at + (1 << 10)])
            if len(found) >= SNIFFED or getattr(machine, "eof", False):
                break
    except Exception:  # each package has errors of its own; reading all of it will tell
        pass
    return found[:SNIFFED]
