"""Recognise inputs of many pages by name, or by their first bytes if the name is not conclusive."""

from __future__ import annotations

import os
from typing import Any

from stupidos.errors import ExtraError
from stupidos.render.sniff import SNIFFED, many_pages
from stupidos.scale.source_items import JSONL, WARC
from stupidos.signatures import GZIP, ZSTD

_PAGE_SUFFIXES = (".html", ".htm", ".xhtml")  # names that are certainly pages
_PACKED_SUFFIXES = (".gz", ".zst")
_ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"  # only .warc.zst files start with one
PACKED_START = 2 * SNIFFED  # bytes that decompress to at least SNIFFED, whatever they contain


def kind_of(path: str, input: str = "auto", field: str | None = None) -> str:
    """`warc`, `jsonl`, or the empty string for a page.

    A known suffix takes precedence over `input`; for other names, `auto` examines the first bytes.

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
        return ""  # the error is reported when the file is read


def kind_named(input: str) -> str:
    """The kind of input that the user chose; the empty string for a page."""
    return input if input in ("jsonl", "warc") else ""


def sniffed(start: bytes, field: str | None = None) -> str:
    """`warc`, `jsonl` or the empty string, from the first bytes of a file, compressed or not."""
    if start.startswith(_ZSTD_DICTIONARY):
        return "warc"
    return many_pages(_unpacked_start(start), field)


def _unpacked_start(start: bytes) -> bytes:
    """Decompress the first bytes, up to the first error.

    >>> import zlib
    >>> _unpacked_start(zlib.compress(b"page", wbits=31)[:-8]), _unpacked_start(b"<p>")
    (b'page', b'<p>')
    """
    if not start.startswith((GZIP, ZSTD)):
        return start[:SNIFFED]
    try:
        machine = _decompressor(start)
    except ExtraError:
        return b""  # the missing package is reported when the file is read
    data = b""
    try:
        for at in range(0, len(start), 1 << 10):
            data += machine.decompress(start[at : at + (1 << 10)])
            if len(data) >= SNIFFED or getattr(machine, "eof", False):
                break
    except Exception:  # each package has its own errors; they are reported when the file is read
        pass
    return data[:SNIFFED]


def _decompressor(start: bytes) -> Any:
    """A decompressor for data that begin like this."""
    if start.startswith(GZIP):
        import zlib

        return zlib.decompressobj(31)
    from stupidos.scale.compression import zstandard

    return zstandard().ZstdDecompressor().decompressobj()
