"""Read the pages in a range of bytes of a WARC or WET file, skipping damaged parts.

A range owns the records that start inside it. Its first record is found by searching for the next gzip member
(or line) that begins one. This is verified later: a range must start where the previous one ended, or it is
read again from there. So the ranges of one file can be read in parallel, with the same pages as in a
sequential read.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from stupidos.gzip_members import GZIP_BITS, Members
from stupidos.scale.compression import broken_compression, decompressor, open_binary
from stupidos.scale.files import printable_path
from stupidos.scale.http_payload import page_of_record
from stupidos.scale.remote import is_url
from stupidos.scale.source_items import MAX_RECORD_BYTES, Damage, SourceItem, Span
from stupidos.scale.warc_records import NO_RECORD, PREFIX, START, ByteStream, Gap, Plain, Reader
from stupidos.signatures import GZIP

_RANGE_BYTES = {GZIP: 1 << 20, PREFIX: 4 << 20}  # bytes on disk, about forty pages
_REMOTE_RANGES = 8  # times larger, as each costs some requests
_WINDOW = 1 << 18  # bytes searched at once for the start of a record
_MEMBER_HEAD = 1 << 11  # compressed bytes that must contain the first line of a record
_MEMBER = re.compile(rb"\x1f\x8b\x08")
_PACKED_OR_PLAIN = re.compile(_MEMBER.pattern + rb"|" + START.pattern)
_NO_STOP = 1 << 62  # an offset beyond the end of any file
_PACKED_TWICE = "gzip inside another compression: unpack the file first"
_MAX_TRIES = 8  # candidate starts inside damaged bytes, each of which rereads them


class Range(NamedTuple):
    """The records of a WARC file that start at `start` or later and before `stop`."""

    path: str
    start: int
    stop: int
    time: int = 0  # modification time of the file in ns
    exact: bool = False  # a record is known to start at `start`

    @property
    def size(self) -> int:
        return self.stop - self.start

    def items(self, most: int) -> Iterator[SourceItem]:
        """The pages, skipped records and damaged places, and finally the Span that was read."""
        with open_binary(self.path) as file:
            start, size = file.read(len(PREFIX)), _end_of(file)
            if stream := decompressor(file, start):
                yield from self._unpacked(Plain(stream, 0, broken_compression()), size, most)
                return
            place = self.start if self.exact else _next_start(file, self.start, self.stop)
            began, reach, tries = place, 0, 0
            while place is not None and place < self.stop:
                reader = Reader(_stream_at(file, place), self.stop, MAX_RECORD_BYTES)
                yield from self._items(reader, most)
                if reader.place >= self.stop or (reader.place > place and not reader.trouble):
                    place = reader.place  # the next range, or uncompressed records after compressed ones
                    continue
                tries = tries + 1 if place < reach else 0
                reach = max(reach, reader.reach)
                place = _next_start(
                    file, reach if tries >= _MAX_TRIES else max(reader.place, place) + 1, self.stop
                )
                end = self.stop if place is None else place
                yield Damage(printable_path(self.path), reader.place, end, reader.trouble or NO_RECORD)
            yield Span(began, place)

    def _unpacked(self, stream: Plain, size: int, most: int) -> Iterator[SourceItem]:
        """The pages of a file that must be read as a whole; offsets are those of the decompressed file."""
        reader = Reader(stream, _NO_STOP, MAX_RECORD_BYTES)
        yield from self._items(reader, most)
        if reader.trouble or reader.place < stream.end:
            end = max(size, reader.reach) if reader.trouble else stream.end
            yield Damage(printable_path(self.path), reader.place, end, reader.trouble or _PACKED_TWICE)
        yield Span(0, size)

    def _items(self, reader: Reader, most: int) -> Iterator[SourceItem]:
        """The pages of a reader; only the first of several gaps at one offset is reported."""
        reported = -1
        for item in reader:
            if isinstance(item, Gap):
                if item.start != reported:
                    yield Damage(printable_path(self.path), *item)
                    reported = item.start
                continue
            page = page_of_record(item, f"{printable_path(self.path)}@{item.place}", most)
            del item  # its content, which may be large
            if page:
                yield page


def _stream_at(file: BinaryIO, place: int) -> ByteStream:
    """A stream from an offset: gzip members or plain bytes."""
    file.seek(place)
    packed = file.read(len(GZIP)) == GZIP
    file.seek(place)
    return Members(file, place) if packed else Plain(file, place)


def ranges(path: str) -> Iterator[Range]:
    """Cut a WARC file into ranges; one compressed otherwise than by gzip is a single range."""
    with open_binary(path) as file:
        start, size = file.read(len(PREFIX)), _end_of(file)
        time = 0 if is_url(path) else os.fstat(file.fileno()).st_mtime_ns
    step = next((step for form, step in _RANGE_BYTES.items() if start.startswith(form)), max(size, 1))
    step *= _REMOTE_RANGES if is_url(path) else 1
    for place in range(0, size, step):
        yield Range(path, place, min(place + step, size), time, exact=place == 0)


def record_start(path: str, place: int) -> int | None:
    """The first record at or after an offset, found by reading the file up to there; None in damage."""
    ended = None
    for item in Range(path, 0, place, exact=True).items(most=0):
        if isinstance(item, Span):
            ended = item.ended
    return ended


def whole_file(path: str) -> Range:
    """A WARC file as one range."""
    with open_binary(path) as file:
        return Range(path, 0, _end_of(file), exact=True)


def _end_of(file: BinaryIO) -> int:
    """The size of an open file; its position is reset to the start."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return size


def _next_start(file: BinaryIO, start: int, stop: int) -> int | None:
    """The first offset in [start, stop) at which a record seems to start."""
    place = start
    while place < stop:
        file.seek(place)
        window = file.read(_WINDOW + _MEMBER_HEAD)
        for match in _PACKED_OR_PLAIN.finditer(window):
            candidate = place + match.start()
            if candidate >= min(stop, place + _WINDOW):
                break
            if match[0].startswith(PREFIX) or _begins_record(window[match.start() :][:_MEMBER_HEAD]):
                return candidate
        if len(window) <= _WINDOW:
            return None
        place += _WINDOW
    return None


def _begins_record(member: bytes) -> bool:
    """Whether a gzip member contains a record; its three magic bytes also occur by chance.

    >>> import gzip
    >>> _begins_record(gzip.compress(b"WARC/1.0")), _begins_record(gzip.compress(b"text"))
    (True, False)
    """
    try:
        return zlib.decompressobj(GZIP_BITS).decompress(member, len(PREFIX)) == PREFIX
    except zlib.error:
        return False
