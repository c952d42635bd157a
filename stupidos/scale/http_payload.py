"""Extract the page from a WARC record: parse the HTTP response, undo transfer and content encodings."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from stupidos.errors import ExtraError, missing_extra
from stupidos.scale.compression import zstandard
from stupidos.scale.source_items import MAX_RECORD_BYTES, Raw, Skipped, shortened
from stupidos.scale.warc_records import BLANK_LINE, Record, fields
from stupidos.signatures import GZIP, ZSTD

_HTML = frozenset({"text/html", "application/xhtml+xml"})
_UNSAID = frozenset({"", "unk", "unknown", "application/octet-stream"})  # then the first bytes decide
_TYPE = re.compile(r"[a-z0-9.+-]{1,30}/[a-z0-9.+-]{1,60}")
_STATUS = re.compile(rb"HTTP/[\d.]+[ \t]+(\d{3})\b")
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[^\n]{0,1000}\n")  # may have extensions
_MAX_HEADER_BYTES = 1 << 18  # bytes of an HTTP header
_SNIFFED = 1 << 12  # bytes looked at for tags
_CHUNK = 1 << 20  # bytes asked of a decoder at once
_PAGES = frozenset({"response", "resource", "conversion"})
_TRUNCATED = frozenset({"length", "time", "disconnect", "unspecified"})  # reasons defined by the standard


class _TooLargeError(Exception):
    """A record or body that decompresses to more than MAX_RECORD_BYTES, such as a zip bomb."""


class _HttpResponse(NamedTuple):
    """An HTTP response; `status` is 0 without a status line; then all bytes are the body."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


def page_of_record(record: Record, place: str, most: int) -> Raw | Skipped | None:
    """The page in a record, Skipped if it is not a page, None for metadata of the crawler.

    `place` is the id of a page whose record has none.
    """
    kind = record.headers.get("warc-type", "").lower()
    if kind not in _PAGES:
        return Skipped(kind) if kind == "revisit" else None
    response = _HttpResponse(0, record.headers, record.content)
    if kind == "response":
        response = _parse_response(record.content)
    header = response.headers.get("content-type", "")
    if kind != "conversion" and (other := _unwanted(header, response.status)):
        return Skipped(other)
    page = Raw(
        (record.headers.get("warc-record-id") or place).strip("<>"),
        url=record.headers.get("warc-target-uri", "").strip("<>"),  # some write WARC 0.18's brackets
        header=header,
        dump=kind == "conversion",
        truncated=_truncated(record),
        fields=_crawl_fields(record, response),
        language=response.headers.get("content-language", ""),
    )
    if not record.held:
        return page._replace(error=_too_large())
    return _filled(page, response, most)


def _crawl_fields(record: Record, response: _HttpResponse) -> dict[str, object]:
    """What the crawler knows of a page, under the names that it has in a record."""
    headers = record.headers
    return {
        "warc_date": headers.get("warc-date"),
        "http_status": response.status or None,
        "content_type": response.headers.get("content-type"),
        "payload_digest": headers.get("warc-payload-digest"),
    }


def _too_large() -> str:
    return f"unpacks to more than {MAX_RECORD_BYTES >> 20} MB"


def _truncated(record: Record) -> str:
    """Why a record is truncated, as given by the crawler or detected; empty if it is complete."""
    reason = record.headers.get("warc-truncated", "").lower()
    if reason:
        return reason if reason in _TRUNCATED else "unspecified"
    return "unspecified" if record.damage else ""


def _parse_response(content: bytes) -> _HttpResponse:
    """The HTTP response in a record.

    >>> _parse_response(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n<p>")
    _HttpResponse(status=200, headers={'content-type': 'text/html'}, body=b'<p>')
    """
    status = _STATUS.match(content)
    if not status:
        return _HttpResponse(0, {}, content)
    end = BLANK_LINE.search(content, 0, _MAX_HEADER_BYTES)
    if not end:
        return _HttpResponse(int(status[1]), fields(content[:_MAX_HEADER_BYTES]), b"")
    return _HttpResponse(int(status[1]), fields(content[: end.end()]), content[end.end() :])


def _unwanted(header: str, status: int = 0) -> str:
    """Why a response is not a page (media type or status); empty if it is or may be one.

    >>> _unwanted("image/png; q=1"), _unwanted("Text/HTML; charset=utf-8")
    ('image/png', '')
    >>> _unwanted("???"), _unwanted("", 404)
    ('other', 'HTTP 404')
    """
    if status and not 200 <= status < 300:
        return f"HTTP {status}"
    kind = _media_type(header)
    if kind in _HTML or kind in _UNSAID:
        return ""
    return kind if _TYPE.fullmatch(kind) else "other"


def _media_type(header: str) -> str:
    return header.partition(";")[0].strip().lower()


def _filled(page: Raw, response: _HttpResponse, most: int) -> Raw | Skipped:
    """The page with its decoded body, or with an error if that cannot be decompressed."""
    try:
        data = response.body if page.dump else _body(response)
    except _TooLargeError:
        return page._replace(error=_too_large())
    except ExtraError as error:
        return page._replace(error=str(error))
    kind = _media_type(page.header or "")
    if not page.dump and kind in _UNSAID and not _has_tags(data):
        return Skipped(kind or "no content type")
    data, cut = shortened(data, most)
    header = "utf-8" if page.dump else page.header
    return page._replace(data=data, truncated=cut or page.truncated, header=header)


def _has_tags(data: bytes) -> bool:
    """Whether bytes of unknown type look like HTML."""
    from stupidos.render.sniff import looks_like_html

    return looks_like_html(data[:_SNIFFED].decode("latin-1"))


def _body(response: _HttpResponse) -> bytes:
    """A body without its transfer and content encodings.

    Headers may be wrong (many crawlers decompress and keep the header): data that does not decompress stays
    as it is, and the readable start of a truncated stream is kept.
    """
    data = response.body
    for header in ("transfer-encoding", "content-encoding"):
        for coding in reversed(response.headers.get(header, "").lower().split(",")):
            decoder = _DECODERS.get(coding.strip())
            if decoder:
                data = decoder(data) or data
    return data


def _joined(pieces: Iterator[bytes]) -> bytes:
    """Join all pieces; TooLargeError if they exceed the limit."""
    kept, size = [], 0
    for piece in pieces:
        kept.append(piece)
        size += len(piece)
        if size > MAX_RECORD_BYTES:
            raise _TooLargeError
    return b"".join(kept)


def _inflated(data: bytes) -> bytes:
    """Decompress gzip (all members), zlib or raw deflate; empty if it is none of them.

    >>> _inflated(zlib.compress(b"page")), _inflated(b"<p>page")
    (b'page', b'')
    """
    if data.startswith(GZIP):
        return _joined(_members(data, 31))
    return _joined(_members(data, 15)) or _joined(_members(data, -15))


def _members(data: bytes, bits: int) -> Iterator[bytes]:
    """The pieces of one compressed stream after the other, up to the first that is broken."""
    while data:
        decompressor = zlib.decompressobj(bits)
        while data and not decompressor.eof:
            try:
                yield decompressor.decompress(data, _CHUNK)
            except zlib.error:
                return
            data = decompressor.unused_data if decompressor.eof else decompressor.unconsumed_tail
        if not data.startswith(GZIP):
            return


def _dechunked(data: bytes) -> bytes:
    """Join a chunked body; empty if it is not chunked."""
    return _joined(_chunks(data))


def _chunks(data: bytes) -> Iterator[bytes]:
    place = 0
    while match := _CHUNK_SIZE.match(data, place):
        size = int(match[1], 16)
        yield data[match.end() : match.end() + size]
        place = match.end() + size
        if not size:
            return
        place += 2 if data.startswith(b"\r\n", place) else 1 if data.startswith(b"\n", place) else 0


def _decode_brotli(data: bytes) -> bytes:
    """Decompress Brotli; empty if it is not Brotli."""
    try:
        import brotli
    except ImportError:
        raise missing_extra("pages packed by Brotli need brotli", "warc") from None

    def pieces() -> Iterator[bytes]:
        decompressor = brotli.Decompressor()
        try:
            yield decompressor.process(data, output_buffer_limit=_CHUNK)
            while not decompressor.is_finished() and (
                piece := decompressor.process(b"", output_buffer_limit=_CHUNK)
            ):
                yield piece
        except brotli.error:
            return

    return _joined(pieces())


def _decode_zstandard(data: bytes) -> bytes:
    """Decompress Zstandard frames; empty if there are none."""
    if not data.startswith(ZSTD):
        return b""
    package = zstandard()

    def pieces() -> Iterator[bytes]:
        stream = package.ZstdDecompressor().stream_reader(data, read_across_frames=True)
        try:
            while piece := stream.read(_CHUNK):
                yield piece
        except package.ZstdError:
            return

    return _joined(pieces())


_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "chunked": _dechunked,
    "gzip": _inflated,
    "x-gzip": _inflated,
    "deflate": _inflated,
    "br": _decode_brotli,
    "zstd": _decode_zstandard,
}
