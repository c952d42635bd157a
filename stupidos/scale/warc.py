"""WARC and WET files: the pages of a range of bytes, past whatever is broken.

A range owns the records that start inside it. Where the first one starts is found by looking for the
next gzip member (or line) that begins a record, and proved afterwards: a range must begin where the
one before it ended, or it is read again from there. So one file keeps every core busy, and the
pages are exactly those of reading it from its start.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from stupidos.scale.compression import GZIP, broken_compression, decompressor, open_binary
from stupidos.scale.files import printable_path
from stupidos.scale.gzip_members import GZIP_BITS, Members
from stupidos.scale.http_payload import page_of_record
from stupidos.scale.source_items import MAX_RECORD_BYTES, Damage, SourceItem, Span
from stupidos.scale.warc_records import NO_RECORD, PREFIX, START, Gap, Plain, Reader, Stream

RANGE_BYTES = {GZIP: 1 << 20, PREFIX: 4 << 20}  # bytes on disk that hold some forty pages
WINDOW = 1 << 18  # bytes searched at once for the start of a record
_MEMBER_HEAD = 1 << 11  # bytes behind a start in which the first line must show
MEMBER = re.compile(rb"\x1f\x8b\x08")
_PACKED_OR_PLAIN = re.compile(MEMBER.pattern + rb"|" + START.pattern)
_NO_STOP = 1 << 62  # an offset behind the end of any file
_PACKED_TWICE = "gzip inside another compression: unpack the file first"
_MAX_TRIES = 8  # starts of records tried inside damaged bytes that were read through each time


class Range(NamedTuple):
    """The records of a WARC file that start at `start` or later and before `stop`."""

    path: str
    start: int
    stop: int
    time: int = 0  # ns, as the file system has it
    exact: bool = False  # a record does start at `start`, or the range before this one ended there

    @property
    def size(self) -> int:
        return self.stop - self.start

    def items(self, most: int) -> Iterator[SourceItem]:
        """The pages, what was skipped or is damaged, and at last the Span that they were found in."""
        with open_binary(self.path) as file:
            start, size = file.read(len(PREFIX)), end_of(file)
            if stream := decompressor(file, start):
                yield from self._unpacked(Plain(stream, 0, broken_compression()), size, most)
                return
            place = self.start if self.exact else next_start(file, self.start, self.stop)
            began, reach, tries = place, 0, 0
            while place is not None and place < self.stop:
                reader = Reader(stream_at(file, place), self.stop, MAX_RECORD_BYTES)
                yield from self._items(reader, most)
                if reader.place >= self.stop or (reader.place > place and not reader.trouble):
                    place = reader.place  # the next range, or plain records behind packed ones
                    continue
                tries = tries + 1 if place < reach else 0
                reach = max(reach, reader.reach)
                place = next_start(
                    file, reach if tries >= _MAX_TRIES else max(reader.place, place) + 1, self.stop
                )
                end = self.stop if place is None else place
                yield Damage(printable_path(self.path), reader.place, end, reader.trouble or NO_RECORD)
            yield Span(began, place)

    def _unpacked(self, stream: Plain, size: int, most: int) -> Iterator[SourceItem]:
        """The pages of a file that is read in one piece; offsets of damage are those of the unpacked file."""
        reader = Reader(stream, _NO_STOP, MAX_RECORD_BYTES)
        yield from self._items(reader, most)
        if reader.trouble or reader.place < stream.end:
            end = max(size, reader.reach) if reader.trouble else stream.end
            yield Damage(printable_path(self.path), reader.place, end, reader.trouble or _PACKED_TWICE)
        yield Span(0, size)

    def _items(self, reader: Reader, most: int) -> Iterator[SourceItem]:
        """The pages that a reader gives; of several gaps at one place the first counts."""
        reported = -1
        for item in reader:
            if isinstance(item, Gap):
                if item.start != reported:
                    yield Damage(printable_path(self.path), *item)
                    reported = item.start
            elif found := page_of_record(item, f"{printable_path(self.path)}@{item.place}", most):
                yield found


def stream_at(file: BinaryIO, place: int) -> Stream:
    """What begins at an offset: a gzip member, or plain bytes."""
    file.seek(place)
    packed = file.read(len(GZIP)) == GZIP
    file.seek(place)
    return Members(file, place) if packed else Plain(file, place)


def ranges(path: str) -> Iterator[Range]:
    """A WARC file cut up; one that is packed in another way than gzip is read in one piece."""
    with open_binary(path) as file:
        start, size = file.read(len(PREFIX)), end_of(file)
        time = os.fstat(file.fileno()).st_mtime_ns if "://" not in path else 0
    step = next((step for form, step in RANGE_BYTES.items() if start.startswith(form)), max(size, 1))
    for place in range(0, size, step):
        yield Range(path, place, min(place + step, size), time, exact=place == 0)


def whole_file(path: str) -> Range:
    """A WARC file as one range."""
    with open_binary(path) as file:
        return Range(path, 0, end_of(file), exact=True)


def end_of(file: BinaryIO) -> int:
    """The size of a file that is open; its position is then its start."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return size


def next_start(file: BinaryIO, start: int, stop: int) -> int | None:
    """The first offset from `start` on and before `stop` at which a record seems to start."""
    place = start
    while place < stop:
        file.seek(place)
        window = file.read(WINDOW + _MEMBER_HEAD)
        for match in _PACKED_OR_PLAIN.finditer(window):
            found = place + match.start()
            if found >= min(stop, place + WINDOW):
                break
            if match[0].startswith(PREFIX) or begins_record(window[match.start() :][:_MEMBER_HEAD]):
                return found
        if len(window) <= WINDOW:
            return None
        place += WINDOW
    return None


def begins_record(member: bytes) -> bool:
    """Whether a gzip member holds a record; three bytes of its magic number occur by chance.

    >>> import gzip
    >>> begins_record(gzip.compress(b"WARC/1.0")), begins_record(gzip.compress(b"text"))
    (True, False)
    """
    try:
        return zlib.decompressobj(GZIP_BITS).decompress(member, len(PREFIX)) == PREFIX
    except zlib.error:
        return False
