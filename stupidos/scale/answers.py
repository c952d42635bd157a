"""What one record of a crawl holds: a page, packed or not, or something else."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from typing import Any

from stupidos.errors import ExtraError
from stupidos.scale.packed import GZIP, ZSTD
from stupidos.scale.raw import MOST_RECORD, Raw, Skipped, shortened

HTML = frozenset({"text/html", "application/xhtml+xml"})
UNSAID = frozenset({"", "unk", "unknown", "application/octet-stream"})  # then the first bytes tell
TYPE = re.compile(r"[a-z0-9.+-]{1,30}/[a-z0-9.+-]{1,60}")
SNIFFED = 1 << 12  # bytes looked at for tags
FOLD = 1 << 20  # bytes asked of a decoder at once


class TruncatedError(OSError):
    """A record that ends before its length is reached."""


class TooLargeError(Exception):
    """A record or a body that unpacks to more than MOST_RECORD, as bombs do."""


def fastwarc() -> Any:
    """The package, or how to get it."""
    try:
        import fastwarc.stream_io
        import fastwarc.warc
    except ImportError:
        raise ExtraError('WARC files need fastwarc: pip install "stupidos[warc]"') from None
    if not hasattr(fastwarc.stream_io, "GzipReader"):
        raise ExtraError('WARC files need fastwarc 1.1 or later: pip install -U "stupidos[warc]"')
    return fastwarc


def found_in(record: Any, place: str, most: int) -> Raw | Skipped | None:
    """The page in a record, the kind of what is no page, or None for a crawler's own notes.

    The record is read to its end either way; `place` is its name where it has none.
    """
    kind, headers = str(record.record_type), None
    if kind == "response":
        record.parse_http()
        headers = record.http_headers
    if kind in ("response", "resource", "conversion"):
        header = (record.headers if headers is None else headers).get("Content-Type") or ""
        skipped = unwanted(header, headers) if kind != "conversion" else ""
        if not skipped:
            name = (record.record_id or place).strip("<>")
            url = (record.headers.get("WARC-Target-URI") or "").strip("<>")  # some write WARC 0.18's brackets
            page = Raw(name, url=url, header=header)
            return filled(page._replace(dump=kind == "conversion"), record, headers, most)
    elif kind == "revisit":
        skipped = kind
    else:
        skipped = ""
    expected = record.content_length
    if record.consume() < expected:
        raise TruncatedError
    return Skipped(skipped) if skipped else None


def unwanted(header: str, headers: Any = None) -> str:
    """The kind of an answer that is no page; empty where it is or may be one.

    >>> unwanted("image/png; q=1"), unwanted("Text/HTML; charset=utf-8"), unwanted("???")
    ('image/png', '', 'other')
    """
    status = headers.status_code if headers is not None else None
    if status is not None and not 200 <= status < 300:
        return f"HTTP {status}"
    kind = header.partition(";")[0].strip().lower()
    if kind in HTML or kind in UNSAID:
        return ""
    return kind if TYPE.fullmatch(kind) else "other"


def filled(page: Raw, record: Any, headers: Any, most: int) -> Raw | Skipped:
    """The page with its bytes; one that is too large keeps its name and says so."""
    try:
        data = body(payload(record), headers)
    except TooLargeError:
        return page._replace(error=f"unpacks to more than {MOST_RECORD >> 20} MB")
    kind = (page.header or "").partition(";")[0].strip().lower()
    if not page.dump and kind in UNSAID and not has_tags(data):
        return Skipped(kind or "no content type")
    data, truncated = shortened(data, most)
    header = "utf-8" if page.dump else page.header
    return page._replace(data=data, truncated=truncated, header=header)


def payload(record: Any) -> bytes:
    """The rest of a record, all of it or an error."""
    expected: int = record.content_length
    if expected > MOST_RECORD:
        if record.consume() < expected:
            raise TruncatedError
        raise TooLargeError
    data: bytes = record.reader.read(expected)
    while len(data) < expected and (more := record.reader.read(expected - len(data))):
        data += more
    if len(data) < expected:
        raise TruncatedError
    return data


def has_tags(data: bytes) -> bool:
    """Whether bytes of unknown kind begin like HTML."""
    from stupidos.render.sniff import looks_like_html

    return looks_like_html(data[:SNIFFED].decode("latin-1"))


def body(data: bytes, headers: Any) -> bytes:
    """A body without its transfer and content encodings.

    Headers lie (many crawlers unpack and leave them as they were): what does not unpack stays as it is,
    and of a stream that breaks off the beginning is kept.
    """
    if headers is None:
        return data
    for header in ("Transfer-Encoding", "Content-Encoding"):
        for coding in reversed((headers.get(header) or "").lower().split(",")):
            decoder = DECODERS.get(coding.strip())
            if decoder:
                data = decoder(data) or data
    return data


def inflated(data: bytes) -> bytes:
    """Gzip, zlib or bare deflate, whichever it is; nothing when it is none.

    >>> inflated(zlib.compress(b"page")), inflated(b"<p>page")
    (b'page', b'')
    """
    for bits in (31,) if data.startswith(GZIP) else (15, -15):
        machine = zlib.decompressobj(bits)
        try:
            found = machine.decompress(data, MOST_RECORD + 1)
        except zlib.error:
            continue
        return limited(found)
    return b""


def streamed(reader: str) -> Callable[[bytes], bytes]:
    """A decoder made of one of fastwarc's readers; what came before an error counts."""

    def decode(data: bytes) -> bytes:
        stream = getattr(fastwarc().stream_io, reader)(io.BytesIO(data))
        pieces, size = [], 0
        try:
            while size <= MOST_RECORD and (piece := stream.read(FOLD)):
                pieces.append(piece)
                size += len(piece)
        except OSError:
            pass
        return limited(b"".join(pieces))

    return decode


def limited(data: bytes) -> bytes:
    """The data, unless there is too much of it."""
    if len(data) > MOST_RECORD:
        raise TooLargeError
    return data


def zstandard(data: bytes) -> bytes:
    return streamed("ZstdReader")(data) if data.startswith(ZSTD) else b""


DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "chunked": streamed("ChunkedReader"),
    "gzip": inflated,
    "x-gzip": inflated,
    "deflate": inflated,
    "br": streamed("BrotliReader"),
    "zstd": zstandard,
}
