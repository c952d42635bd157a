"""What one WARC record holds: a page, its transfer and content encodings undone, or something else."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from stupidos.errors import ExtraError
from stupidos.scale.compression import GZIP, ZSTD, zstandard
from stupidos.scale.source_items import MOST_RECORD, Raw, Skipped, shortened
from stupidos.scale.warc_records import BLANK_LINE, Record, fields

HTML = frozenset({"text/html", "application/xhtml+xml"})
UNSAID = frozenset({"", "unk", "unknown", "application/octet-stream"})  # then the first bytes tell
TYPE = re.compile(r"[a-z0-9.+-]{1,30}/[a-z0-9.+-]{1,60}")
STATUS = re.compile(rb"HTTP/[\d.]+[ \t]+(\d{3})\b")
CHUNK_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[^\n]{0,1000}\n")  # may have extensions
MOST_HEADER = 1 << 18  # bytes of an HTTP header
SNIFFED = 1 << 12  # bytes looked at for tags
FOLD = 1 << 20  # bytes asked of a decoder at once
PAGES = frozenset({"response", "resource", "conversion"})
TRUNCATED = frozenset({"length", "time", "disconnect", "unspecified"})  # reasons that the standard knows


class TooLargeError(Exception):
    """A record or a body that unpacks to more than MOST_RECORD, as bombs do."""


class Answer(NamedTuple):
    """An HTTP response; `status` is 0 where there is no status line, then all bytes are the body."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


def page_in(record: Record, place: str, most: int) -> Raw | Skipped | None:
    """The page in a record, the kind of what is no page, or None for a crawler's own notes.

    `place` is the name of a page whose record has none.
    """
    kind = record.headers.get("warc-type", "").lower()
    if kind not in PAGES:
        return Skipped(kind) if kind == "revisit" else None
    answer = Answer(0, record.headers, record.content)
    if kind == "response":
        answer = answer_in(record.content)
    header = answer.headers.get("content-type", "")
    if kind != "conversion" and (other := unwanted(header, answer.status)):
        return Skipped(other)
    page = Raw(
        (record.headers.get("warc-record-id") or place).strip("<>"),
        url=record.headers.get("warc-target-uri", "").strip("<>"),  # some write WARC 0.18's brackets
        header=header,
        dump=kind == "conversion",
        truncated=truncated(record),
    )
    if not record.held:
        return page._replace(error=too_large())
    return filled(page, answer, most)


def too_large() -> str:
    return f"unpacks to more than {MOST_RECORD >> 20} MB"


def truncated(record: Record) -> str:
    """Why the end of a record is missing, as the crawler tells or because we saw it; empty if it is not."""
    told = record.headers.get("warc-truncated", "").lower()
    if told:
        return told if told in TRUNCATED else "unspecified"
    return "unspecified" if record.damage else ""


def answer_in(content: bytes) -> Answer:
    """The HTTP response in a record.

    >>> answer_in(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n<p>")
    Answer(status=200, headers={'content-type': 'text/html'}, body=b'<p>')
    """
    status = STATUS.match(content)
    if not status:
        return Answer(0, {}, content)
    end = BLANK_LINE.search(content, 0, MOST_HEADER)
    if not end:
        return Answer(int(status[1]), fields(content[:MOST_HEADER]), b"")
    return Answer(int(status[1]), fields(content[: end.end()]), content[end.end() :])


def unwanted(header: str, status: int = 0) -> str:
    """The kind of an answer that is no page; empty where it is or may be one.

    >>> unwanted("image/png; q=1"), unwanted("Text/HTML; charset=utf-8"), unwanted("???"), unwanted("", 404)
    ('image/png', '', 'other', 'HTTP 404')
    """
    if status and not 200 <= status < 300:
        return f"HTTP {status}"
    kind = media_type(header)
    if kind in HTML or kind in UNSAID:
        return ""
    return kind if TYPE.fullmatch(kind) else "other"


def media_type(header: str) -> str:
    return header.partition(";")[0].strip().lower()


def filled(page: Raw, answer: Answer, most: int) -> Raw | Skipped:
    """The page with its bytes; one that cannot be unpacked keeps its name and says why."""
    try:
        data = answer.body if page.dump else body(answer)
    except TooLargeError:
        return page._replace(error=too_large())
    except ExtraError as error:
        return page._replace(error=str(error))
    kind = media_type(page.header or "")
    if not page.dump and kind in UNSAID and not has_tags(data):
        return Skipped(kind or "no content type")
    data, cut = shortened(data, most)
    header = "utf-8" if page.dump else page.header
    return page._replace(data=data, truncated=cut or page.truncated, header=header)


def has_tags(data: bytes) -> bool:
    """Whether bytes of unknown kind begin like HTML."""
    from stupidos.render.sniff import looks_like_html

    return looks_like_html(data[:SNIFFED].decode("latin-1"))


def body(answer: Answer) -> bytes:
    """A body without its transfer and content encodings.

    Headers lie (many crawlers unpack and leave them as they were): what does not unpack stays as it is,
    and of a stream that breaks off the beginning is kept.
    """
    data = answer.body
    for header in ("transfer-encoding", "content-encoding"):
        for coding in reversed(answer.headers.get(header, "").lower().split(",")):
            decoder = DECODERS.get(coding.strip())
            if decoder:
                data = decoder(data) or data
    return data


def joined(pieces: Iterator[bytes]) -> bytes:
    """All pieces, unless they are too many; an error ends them, and what came before it counts."""
    found, size = [], 0
    for piece in pieces:
        found.append(piece)
        size += len(piece)
        if size > MOST_RECORD:
            raise TooLargeError
    return b"".join(found)


def inflated(data: bytes) -> bytes:
    """Gzip, zlib or bare deflate, whichever it is; nothing when it is none. Gzip members are joined.

    >>> inflated(zlib.compress(b"page")), inflated(b"<p>page")
    (b'page', b'')
    """
    if data.startswith(GZIP):
        return joined(members(data, 31))
    return joined(members(data, 15)) or joined(members(data, -15))


def members(data: bytes, bits: int) -> Iterator[bytes]:
    """The pieces of one compressed stream after the other, up to the first that is broken."""
    while data:
        machine = zlib.decompressobj(bits)
        while data and not machine.eof:
            try:
                yield machine.decompress(data, FOLD)
            except zlib.error:
                return
            data = machine.unused_data if machine.eof else machine.unconsumed_tail
        if not data.startswith(GZIP):
            return


def dechunked(data: bytes) -> bytes:
    """A chunked body put together; nothing when it is not chunked."""
    return joined(chunks(data))


def chunks(data: bytes) -> Iterator[bytes]:
    place = 0
    while match := CHUNK_SIZE.match(data, place):
        size = int(match[1], 16)
        yield data[match.end() : match.end() + size]
        place = match.end() + size
        if not size:
            return
        place += 2 if data.startswith(b"\r\n", place) else 1 if data.startswith(b"\n", place) else 0


def unbrotlied(data: bytes) -> bytes:
    """A Brotli stream unpacked; nothing when it is none."""
    try:
        import brotli
    except ImportError:
        raise ExtraError('pages packed by Brotli need brotli: pip install "stupidos[warc]"') from None

    def pieces() -> Iterator[bytes]:
        machine = brotli.Decompressor()
        try:
            yield machine.process(data, output_buffer_limit=FOLD)
            while not machine.is_finished() and (piece := machine.process(b"", output_buffer_limit=FOLD)):
                yield piece
        except brotli.error:
            return

    return joined(pieces())


def unzstandarded(data: bytes) -> bytes:
    """Zstandard frames unpacked; nothing when there are none."""
    if not data.startswith(ZSTD):
        return b""
    package = zstandard()

    def pieces() -> Iterator[bytes]:
        stream = package.ZstdDecompressor().stream_reader(data, read_across_frames=True)
        try:
            while piece := stream.read(FOLD):
                yield piece
        except package.ZstdError:
            return

    return joined(pieces())


DECODERS: dict[str, Callable[[bytes], bytes]] = {
    "chunked": dechunked,
    "gzip": inflated,
    "x-gzip": inflated,
    "deflate": inflated,
    "br": unbrotlied,
    "zstd": unzstandarded,
}
