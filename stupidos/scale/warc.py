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
from typing import Any, BinaryIO, NamedTuple

from stupidos.scale.answers import TruncatedError, fastwarc, found_in
from stupidos.scale.packed import GZIP, opened
from stupidos.scale.raw import Found, Skipped, Span

PLAIN = b"WARC/"  # how a record begins
STEPS = {GZIP: 1 << 20, PLAIN: 4 << 20}  # bytes on disk that hold some forty pages
WINDOW = 1 << 18  # bytes searched at once for the start of a record
HEAD = 1 << 11  # bytes behind a start in which the first line must show
BUFFER = 1 << 16
MEMBER = re.compile(rb"\x1f\x8b\x08")
LINE = re.compile(rb"(?<=\n)WARC/\d\.\d{1,2}\r?\n")


class Range(NamedTuple):
    """The records of a WARC file that start at `start` or later and before `stop`."""

    path: str
    start: int
    stop: int
    time: int = 0  # ns, as the file system has it
    exact: bool = False  # a record does start at `start`

    @property
    def size(self) -> int:
        return self.stop - self.start

    def found(self, most: int) -> Iterator[Found]:
        """The pages, what was skipped, and at last the Span that they were found in."""
        with opened(self.path) as file:
            form = form_of(file)
            place = self.start if self.exact else next_start(file, form, self.start, self.stop)
            began, counted = place, -1
            while place is not None:
                records = Records(file, form, place)
                try:
                    for record in records:
                        if records.place >= self.stop:
                            yield Span(began, records.place)
                            return
                        found = found_in(record, f"{self.path}@{records.place}", most)
                        if found:
                            yield found
                    yield Span(began, end_of(file))
                    return
                except OSError as error:
                    truncated = isinstance(error, TruncatedError)
                    place = next_start(file, form, records.place + 1, self.stop)
                    trouble = records.place if truncated else records.trouble(place)
                    if self.stop > trouble != counted:  # what lies beyond, the next range counts
                        yield Skipped("truncated record" if truncated else "broken record")
                        counted = trouble
            yield Span(began, None)


class Records:
    """The records from one place on, with where the current one starts."""

    def __init__(self, file: BinaryIO, form: bytes, place: int) -> None:
        self.place = place
        self._form = form
        self._any = False
        file.seek(place)
        self._stream: Any = file
        if form == GZIP:
            self._stream = fastwarc().stream_io.GzipReader(file, buffer_size=BUFFER)
        warc = fastwarc().warc
        self._iterator = warc.ArchiveIterator(
            self._stream, record_types=warc.WarcRecordType.any_type, parse_http=False
        )

    def __iter__(self) -> Iterator[Any]:
        for record in self._iterator:
            self._any = True
            if self._form == GZIP:  # records that share one member share its place
                self.place = self._member()
            elif self._form == PLAIN:
                self.place = record.stream_pos
            yield record

    def _member(self) -> int:
        place: int | None = self._stream.frame_start_position()
        return self.place if place is None else place

    def trouble(self, following: int | None) -> int:
        """Where reading failed: a broken member has a place, a broken record starts behind the last one."""
        if self._form == GZIP:
            return self._member()
        return following if self._any and following is not None else self.place


def ranges(path: str) -> Iterator[Range]:
    """A WARC file cut up; one that is packed in another way than gzip is read in one piece."""
    with opened(path) as file:
        form, size = form_of(file), end_of(file)
        time = os.fstat(file.fileno()).st_mtime_ns if "://" not in path else 0
    step = STEPS.get(form, max(size, 1))
    for place in range(0, size, step):
        yield Range(path, place, min(place + step, size), time, exact=place == 0)


def whole(path: str) -> Range:
    """A WARC file as one range."""
    with opened(path) as file:
        return Range(path, 0, end_of(file), exact=True)


def form_of(file: BinaryIO) -> bytes:
    """GZIP or PLAIN, which can be read from the middle; nothing for what only fastwarc knows."""
    file.seek(0)
    start = file.read(len(PLAIN))
    return next((form for form in STEPS if start.startswith(form)), b"")


def end_of(file: BinaryIO) -> int:
    """The size of a file that is open; its position is then its start."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    return size


def next_start(file: BinaryIO, form: bytes, start: int, stop: int) -> int | None:
    """The first place from `start` on and before `stop` that looks like the start of a record."""
    if form not in STEPS:
        return None
    pattern = MEMBER if form == GZIP else LINE
    place = max(start - 1, 0)  # a line needs the line end before it
    while place < stop:
        file.seek(place)
        window = file.read(WINDOW + HEAD)
        for match in pattern.finditer(window):
            found = place + match.start()
            if found >= min(stop, place + WINDOW):
                break
            if found >= start and (form == PLAIN or begins_record(window[match.start() :][:HEAD])):
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
        return zlib.decompressobj(31).decompress(member, len(PLAIN)) == PLAIN
    except zlib.error:
        return False
