"""Read the records of a WARC file from an offset on; damaged bytes are skipped and reported.

Reading is strictly forward and complete: every byte belongs to a record, to the blank lines between records,
or to a `Gap`.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from io import BytesIO
from typing import BinaryIO, NamedTuple, Protocol

from stupidos.gzip_members import MAGIC, Members

PREFIX = b"WARC/"
_VERSION = re.compile(rb"WARC/\d\.\d[^\n]{0,20}\n")
START = re.compile(_VERSION.pattern + rb"[A-Za-z-]{1,40}[ \t]{0,20}:")  # searched for in damaged bytes
BLANK_LINE = re.compile(rb"\n\r?\n")
_BLANKS = re.compile(rb"[\r\n]*")
_FOLD = re.compile(r"\r?\n[ \t]+")
_LONGEST_START = 128  # bytes, the maximum of _VERSION and START
_MAX_HEADER_BYTES = 1 << 16  # bytes of a record's header
_MAX_BLANK_BYTES = 1 << 10  # bytes of blank lines skipped to the next record
_MAX_LENGTH_DIGITS = 20  # digits of a Content-Length
_CHUNK = 1 << 16  # bytes read at once from an uncompressed file
_FIRST_PIECES = 2  # pieces kept of content that is too large: enough to recognise its type
NO_RECORD = "not a WARC record"
_NO_LENGTH = "a WARC record without a Content-Length"
_CUT_OFF = "the file ends inside a record"
_TOO_SHORT = "the record is longer than its Content-Length"
_TOO_LONG = "the record is shorter than its Content-Length"


class Record(NamedTuple):
    """A record with its content, or with the start of content that is too large."""

    place: int  # offset of the record, or of the gzip member in which it starts
    headers: dict[str, str]  # names in lower case
    content: bytes
    held: bool  # whether `content` is complete
    damage: str  # what is wrong with the content, which may be cut off


class Gap(NamedTuple):
    """Bytes of a file without a readable record."""

    start: int
    end: int
    reason: str


_NOTHING = Record(0, {}, b"", True, "")


class ByteStream(Protocol):
    """The bytes of a file from an offset on, divided into members if it has any."""

    start: int  # offset of the current member
    end: int  # offset after the bytes read so far
    damage: str  # of the current member, known at its end
    lost: bool  # whether the next member has to be searched for

    def advance(self) -> bool: ...

    def piece(self) -> bytes: ...


class Plain:
    """An uncompressed file, or one that a decompressor reads: a single long member."""

    def __init__(self, file: BinaryIO, place: int, errors: tuple[type[Exception], ...] = ()) -> None:
        self._file, self._errors = file, errors
        self._begun = False
        self.start = self.end = place
        self.damage, self.lost = "", False

    def advance(self) -> bool:
        first, self._begun = not self._begun, True
        return first

    def piece(self) -> bytes:
        try:
            data = self._file.read(_CHUNK)
        except self._errors as error:
            self.damage, self.lost = f"broken compression: {error}", True
            return b""
        self.end += len(data)
        return data


class Reader:
    """Iterates over records and gaps in file order; afterwards `place` is the offset where it stopped.

    It stops before a record at `stop` or later, at the end of the file, or where the next record has to be
    searched for; `trouble` says why. Content of more than `most` bytes is not kept.
    """

    def __init__(self, stream: ByteStream, stop: int, most: int) -> None:
        self._stream, self._stop, self._most = stream, stop, most
        self._packed = isinstance(stream, Members)
        self._buffer, self._at = b"", 0  # `_at` is the next byte in the buffer
        self._fresh = True  # nothing of the current member has been consumed
        self._exhausted = False  # the buffer holds the rest of the member; no record continues behind it
        self._clean = stream.start  # offset of the last member that began with a record
        self.place = stream.start
        self.trouble = ""
        self.reach = stream.start  # end of the damaged bytes that were read
        self._record = _NOTHING

    def __iter__(self) -> Iterator[Record | Gap]:
        going = self._stream.advance()
        while going:
            while going and not self._skip_blanks():
                going = yield from self._next_member()
            if going:
                going = yield from self._item()

    def _next_member(self) -> Generator[Gap, None, bool]:
        """Advance to the next member, and report damage of the finished one as a gap. False at the end."""
        stream = self._stream
        if stream.lost:
            return self._give_up(stream.start, stream.damage)
        if stream.damage:
            yield Gap(stream.start, stream.end, stream.damage)
        self._fresh, self._exhausted = True, False
        self.place = stream.end
        return stream.advance()

    def _give_up(self, place: int, trouble: str) -> bool:
        self.place, self.trouble, self.reach = place, trouble, self._stream.end
        return False

    def _item(self) -> Generator[Record | Gap, None, bool]:
        """The record that starts here, or a gap; False where reading stops."""
        self.place = place = self._here()
        if place >= self._stop or self._at_packed():
            return False
        member = self._stream.start
        headers = self._header()
        length = _content_length(headers)
        if self._fresh and self._stream.start != member:  # the header ran into a member that begins a record
            yield Gap(place, self._stream.start, NO_RECORD)
            return True
        if length is None:
            return (yield from self._gap(place, NO_RECORD if headers is None else _NO_LENGTH))
        held = length <= self._most
        content, complete = self._content(length, held)
        damage = ""
        if not complete:
            damage = _TOO_LONG if self._fresh else self._stream.damage or _CUT_OFF
        elif not self._at_boundary():
            damage = _TOO_SHORT
        embedded = b""
        if damage:
            content, embedded = self._without_next(content, complete)
        self._record = Record(place, headers or {}, content, held, damage)
        del content
        yield self._release_record()
        if embedded:
            yield from self._records_of(embedded, place)
        if damage and not held:
            return self._give_up(place, damage)
        if damage == _TOO_SHORT and not self._at_boundary():
            return (yield from self._gap(place, damage))
        if damage and self._fresh:  # what the stream says is of the next member
            yield Gap(place, self._stream.start, damage)
        elif damage and not self._stream.lost:
            yield Gap(place, self._consumed(), damage)
        return True

    def _release_record(self) -> Record:
        """The record that was read; nothing here holds it while its page, which may be large, is cleaned."""
        record, self._record = self._record, _NOTHING
        return record

    def _gap(self, place: int, reason: str) -> Generator[Gap, None, bool]:
        """Skip to the next start of a record in this member; give up a plain file that has none."""
        if not self._search() and (not self._packed or self._stream.lost):
            return self._give_up(place, self._stream.damage or reason)
        yield Gap(place, self._consumed(), self._stream.damage or reason)
        return True

    def _here(self) -> int:
        """The offset of the next byte, or of the last gzip member that began with a record."""
        if not self._packed:
            return self._consumed()
        if self._fresh:
            self._clean = self._stream.start
        return self._clean

    def _consumed(self) -> int:
        """The offset after the consumed bytes; the end of the member if the file is compressed."""
        return self._stream.end - (0 if self._packed else len(self._buffer) - self._at)

    def _more(self) -> bool:
        """Read more bytes of the current member into the buffer."""
        piece = self._stream.piece()
        if piece:  # without one, the rest is not copied
            self._buffer, self._at = self._buffer[self._at :] + piece, 0
        return bool(piece)

    def _skip_blanks(self) -> bool:
        """Skip line ends; False if the member contains nothing else."""
        while True:
            match = _BLANKS.match(self._buffer, self._at)
            self._at = match.end() if match else self._at
            if self._at < len(self._buffer):
                return True
            if not self._more():
                return False

    def _looking_at(self, prefix: bytes) -> bool:
        while len(self._buffer) - self._at < len(prefix) and self._more():
            pass
        return self._buffer.startswith(prefix, self._at)

    def _at_boundary(self) -> bool:
        """Whether a record may end here: blank lines and another record follow, or the member ends.

        Consumes nothing: if the record cannot end here, these bytes are part of its content.
        """
        while True:
            blanks = _BLANKS.match(self._buffer, self._at)
            end = blanks.end() if blanks else self._at
            if end - self._at > _MAX_BLANK_BYTES:
                return True
            enough = len(self._buffer) - end >= _LONGEST_START
            rest = self._buffer[end : end + _LONGEST_START]
            if enough or not self._more():
                break
        return not rest or bool(_VERSION.match(rest)) or (not self._packed and rest.startswith(MAGIC))

    def _at_packed(self) -> bool:
        """Whether a gzip member starts here in a file that was uncompressed so far."""
        return not self._packed and self._looking_at(MAGIC)

    def _version(self) -> re.Match[bytes] | None:
        while len(self._buffer) - self._at < _LONGEST_START and self._more():
            pass
        return _VERSION.match(self._buffer, self._at)

    def _header(self) -> dict[str, str] | None:
        """Consume a record header and return its fields; None if there is none."""
        if not self._version():
            return None
        while not (match := BLANK_LINE.search(self._buffer, self._at)):
            if len(self._buffer) - self._at > _MAX_HEADER_BYTES or not (self._more() or self._cross()):
                return None
        if match.end() - self._at > _MAX_HEADER_BYTES:
            return None
        headers = fields(self._buffer[self._at : match.end()])
        self._at, self._fresh = match.end(), False
        return headers

    def _cross(self) -> bool:
        """Continue in the next member, unless that begins with a record."""
        if self._stream.damage or not self._stream.advance():
            return False
        self._exhausted = False
        rest, self._buffer, self._at = self._buffer[self._at :], b"", 0
        if self._looking_at(PREFIX):
            self._fresh = True
            return False
        self._buffer = rest + self._buffer
        return bool(self._buffer) or self._cross()

    def _content(self, length: int, held: bool) -> tuple[bytes, bool]:
        """The next `length` bytes (only the first if not `held`), and whether all of them exist."""
        if self._exhausted and length > len(self._buffer) - self._at:
            match = START.search(self._buffer, self._at)
            if match:  # without copying all that follows, which many records may claim
                start, self._at = self._at, match.start()
                return self._buffer[start : self._at], False
        pieces: list[bytes] = []
        while True:
            piece = self._buffer[self._at : self._at + length]
            self._at += len(piece)
            length -= len(piece)
            if held or len(pieces) < _FIRST_PIECES:
                pieces.append(piece)
            if not length:
                return b"".join(pieces), True
            if not (self._more() or self._cross()):
                return b"".join(pieces), False

    def _without_next(self, content: bytes, complete: bool) -> tuple[bytes, bytes]:
        """Content of the wrong length, cut before a record inside it.

        That one is put back into the buffer, or returned if the buffer already holds the next member.
        """
        match = START.search(content)
        if not match:
            return content, b""
        content, following = content[: match.start()], content[match.start() :]
        if self._fresh:
            return content, following
        self._buffer, self._at, self._exhausted = following + self._buffer[self._at :], 0, not complete
        return content, b""

    def _records_of(self, content: bytes, place: int) -> Iterator[Record]:
        """The records in some content, at the place of the record that it was part of."""
        reader = Reader(Plain(BytesIO(content), place), self._stop + len(content), self._most)
        return (item._replace(place=place) for item in reader if isinstance(item, Record))

    def _search(self) -> bool:
        """Skip to the next line of this member that looks like the start of a record."""
        while True:
            match = START.search(self._buffer, self._at + 1)
            if match:
                self._at = match.start()
                return True
            self._at = max(self._at, len(self._buffer) - _LONGEST_START)
            if (not self._packed and self._consumed() >= self._stop) or not self._more():
                self._at = len(self._buffer)
                return False


def fields(header: bytes) -> dict[str, str]:
    """The fields of a header, with names in lower case; the first of repeated fields counts.

    >>> fields(b"WARC/1.0\\r\\nWARC-Type: response\\r\\nX: a\\r\\n  b\\r\\n\\r\\n")
    {'warc-type': 'response', 'x': 'a b'}
    """
    parsed: dict[str, str] = {}
    for line in _FOLD.sub(" ", _decoded(header)).split("\n")[1:]:
        name, colon, value = line.partition(":")
        if colon:
            parsed.setdefault(name.strip().lower(), value.strip())
    return parsed


def _decoded(header: bytes) -> str:
    """A header as text: UTF-8 as in the standard, else Latin-1."""
    try:
        return header.decode()
    except UnicodeDecodeError:
        return header.decode("latin-1")


def _content_length(headers: dict[str, str] | None) -> int | None:
    """The Content-Length of a header, if it is valid."""
    text = (headers or {}).get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_LENGTH_DIGITS else None
