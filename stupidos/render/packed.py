"""A compact sequence of the segments of a large dump: columns of numbers and joined texts."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import overload

from stupidos.page import Kind, Offsets, Segment

_PACK = 1 << 10  # segments whose texts are joined into one string
_KINDS = list(Kind)


class Packed(Sequence[Segment]):
    """The segments of a large dump in little memory; a Segment is created on access."""

    def __init__(self, segments: Iterator[Segment], offsets: Offsets) -> None:
        self._offsets = offsets
        self._texts: list[str] = []  # each of _PACK segments, separated by NULs
        self._kinds = bytearray()
        self._first, self._last = array("I"), array("I")
        self._unpacked: tuple[int, list[str]] = (-1, [])
        while some := list(islice(segments, _PACK)):
            self._texts.append("\0".join([segment[0] for segment in some]))
            self._kinds += bytes([_KINDS.index(segment[1]) << 6 | min(segment[2], 63) for segment in some])
            self._first.extend([segment[5] for segment in some])
            self._last.extend([segment[6] for segment in some])

    def __len__(self) -> int:
        return len(self._kinds)

    def _segment(self, at: int, text: str) -> Segment:
        kind = self._kinds[at]
        first, last = self._first[at], self._last[at]
        return Segment(text, _KINDS[kind >> 6], kind & 63, first=first, last=last, offsets=self._offsets)

    def __iter__(self) -> Iterator[Segment]:
        texts = chain.from_iterable(pack.split("\0") for pack in self._texts)
        return map(self._segment, range(len(self)), texts)

    @overload
    def __getitem__(self, at: int) -> Segment: ...

    @overload
    def __getitem__(self, at: slice) -> list[Segment]: ...

    def __getitem__(self, at: int | slice) -> Segment | list[Segment]:
        if isinstance(at, slice):
            return [self[one] for one in range(len(self))[at]]
        at = range(len(self))[at]
        pack = at // _PACK
        if self._unpacked[0] != pack:
            self._unpacked = pack, self._texts[pack].split("\0")
        return self._segment(at, self._unpacked[1][at % _PACK])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
