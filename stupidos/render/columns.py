"""The segments of a page as columns: a Segment is created on first access.

Scorers read columns, and of most pages only the text of the kept segments is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, repeat
from operator import itemgetter
from typing import Any, overload

from stupidos.page import Kind, Offsets, Place, Segment
from stupidos.render.tags import DEPTH, DEPTH_UNIT, LEVEL, STATES

ROOT: Place = (None, "", None, 0, 0)
_STATE = itemgetter(4)  # of a place
_TEXT, _TEXT_AND_KIND = itemgetter(0), itemgetter(0, 1)  # of a segment

_KINDS = [Kind.PARAGRAPH] * STATES
_LEVELS = [0] * STATES
for _state in range(STATES):
    if _state & LEVEL:
        _KINDS[_state], _LEVELS[_state] = Kind.HEADING, _state & LEVEL
    elif _state & DEPTH:
        _KINDS[_state], _LEVELS[_state] = Kind.ITEM, (_state & DEPTH) // DEPTH_UNIT
_ARE_ITEMS = [kind is Kind.ITEM for kind in _KINDS]


class SegmentColumns(Sequence[Segment]):
    """The segments of an HTML page; fields as in Segment, which has kind and level from its place."""

    __slots__ = ("_segments", "first", "last", "link_shares", "offsets", "places", "states", "texts")

    def __init__(
        self,
        texts: list[str],
        link_shares: list[float],
        places: list[Place],
        states: list[int],
        first: list[int],
        last: list[int],
        offsets: Offsets | None,
    ) -> None:
        self.texts, self.link_shares, self.places, self.states = texts, link_shares, places, states
        self.first, self.last, self.offsets = first, last, offsets
        self._segments: list[Segment] | None = None  # created on first access

    def where(self, chosen: Sequence[object]) -> SegmentColumns:
        """The segments whose item in `chosen` is true."""
        return SegmentColumns(
            list(compress(self.texts, chosen)),
            list(compress(self.link_shares, chosen)),
            list(compress(self.places, chosen)),
            list(compress(self.states, chosen)),
            list(compress(self.first, chosen)),
            list(compress(self.last, chosen)),
            self.offsets,
        )

    def __len__(self) -> int:
        return len(self.texts)

    def _all(self) -> list[Segment]:
        if self._segments is None:
            self._segments = self._made(slice(None))
        return self._segments

    def _made(self, part: slice) -> list[Segment]:
        states = self.states[part]
        kinds, levels = map(_KINDS.__getitem__, states), map(_LEVELS.__getitem__, states)
        rows = zip(self.texts[part], kinds, levels, self.link_shares[part], self.places[part],
                   self.first[part], self.last[part], repeat(self.offsets))  # fmt: skip
        # twice as fast as Segment(...)
        return list(map(tuple.__new__, repeat(Segment), rows))

    @overload
    def __getitem__(self, at: int) -> Segment: ...

    @overload
    def __getitem__(self, at: slice) -> list[Segment]: ...

    def __getitem__(self, at: int | slice) -> Segment | list[Segment]:
        if self._segments is not None:
            return self._segments[at]
        if isinstance(at, slice):
            return self._made(at)
        state, first, last = self.states[at], self.first[at], self.last[at]
        kind, level, place = _KINDS[state], _LEVELS[state], self.places[at]
        return Segment(self.texts[at], kind, level, self.link_shares[at], place, first, last, self.offsets)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == list(other)

    __hash__ = None  # type: ignore[assignment]


def columns_of(segments: Sequence[Segment]) -> SegmentColumns:
    """Segments as columns; those that are not on the page get the root for their place."""
    if isinstance(segments, SegmentColumns):
        return segments
    fields: Iterable[list[Any]] = map(list, zip(*segments)) if segments else ([] for _ in Segment._fields)
    texts, _, _, link_shares, places, first, last, _ = fields
    places = [place or ROOT for place in places]
    columns = SegmentColumns(texts, link_shares, places, states_of(places), first, last, None)
    columns._segments = list(segments)
    return columns


def states_of(places: Iterable[Place]) -> list[int]:
    """The renderer's state at each place: heading level, list depth, hidden and the like."""
    return list(map(_STATE, places))


def texts_of(segments: Sequence[Segment]) -> Iterable[str]:
    """The text of each segment."""
    return segments.texts if isinstance(segments, SegmentColumns) else map(_TEXT, segments)


def levels_of(segments: Sequence[Segment]) -> Iterable[int]:
    """The heading level of each segment, found when it is asked for; 0 for what is no heading.

    >>> list(levels_of([Segment("Tea", Kind.HEADING, 1), Segment("milk", Kind.ITEM, 2)]))
    [1, 0]
    """
    if isinstance(segments, SegmentColumns):
        return map(LEVEL.__and__, segments.states)
    return (one.level if one.kind is Kind.HEADING else 0 for one in segments)


def headings_of(segments: Sequence[Segment]) -> list[tuple[int, int]]:
    """Number and level of each heading among the segments.

    >>> headings_of([Segment("Tea", Kind.HEADING, 1), Segment("Hot.")])
    [(0, 1)]
    """
    if isinstance(segments, SegmentColumns):
        levels = list(map(LEVEL.__and__, segments.states))
        return list(compress(enumerate(levels), levels))
    return [(at, one.level) for at, one in enumerate(segments) if one.kind is Kind.HEADING]


def items_of(segments: Sequence[Segment]) -> Iterable[bool]:
    """Whether each segment is a list item."""
    if isinstance(segments, SegmentColumns):
        return map(_ARE_ITEMS.__getitem__, segments.states)
    return (segment[1] is Kind.ITEM for segment in segments)


def kept_of(segments: Sequence[Segment], keep: Sequence[object]) -> Iterable[Segment]:
    """The segments whose item in `keep` is true."""
    return segments.where(keep) if isinstance(segments, SegmentColumns) else compress(segments, keep)


def kept_texts(segments: Sequence[Segment], keep: Sequence[object]) -> Iterable[tuple[str, Kind]]:
    """Text and kind of the segments whose item in `keep` is true."""
    if not isinstance(segments, SegmentColumns):
        return map(_TEXT_AND_KIND, compress(segments, keep))
    return zip(compress(segments.texts, keep), map(_KINDS.__getitem__, compress(segments.states, keep)))
