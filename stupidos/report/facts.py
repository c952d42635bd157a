"""Facts of a judged page, to word reasons with: headings, copies, what was kept around a segment."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from stupidos.page import Kind, Segment, Verdict

_AROUND = 3  # segments before and after that count as neighbours
_DEEPEST = 64  # elements looked at around a segment
_SIMILAR = 3  # siblings of the same tag and attributes that are a row of similar blocks

_Key = TypeVar("_Key", bound=Hashable)
_Signature = tuple[tuple[str, str], ...]  # tag and attributes of an element, and of its parent


@dataclass(frozen=True)
class _Tally:
    """How many of some segments were kept."""

    kept: int = 0
    all: int = 0

    @property
    def dropped(self) -> int:
        return self.all - self.kept

    def without(self, keep: bool) -> _Tally:
        """The others, without a segment that was kept or not."""
        return _Tally(self.kept - keep, self.all - 1)

    def __str__(self) -> str:
        """In words.

        >>> print(_Tally(2, 5), "/", _Tally(3, 3), "/", _Tally(0, 4))
        2 of 5 / all 3 / none of 4
        """
        if self.kept == self.all:
            return f"all {self.all}"
        return f"{self.kept or 'none'} of {self.all}"

    def said_of(self, what: str) -> str:
        """A sentence about the things counted, in the singular if there is one.

        >>> print(_Tally(1, 5).said_of("neighbours"), "/", _Tally(1, 1).said_of("segments in ul"))
        1 of 5 neighbours is kept / the only segment in ul is kept
        """
        if self.all == 1:
            noun, space, rest = what.partition(" ")
            return f"the only {noun.removesuffix('s')}{space}{rest} is {'kept' if self.kept else 'dropped'}"
        return f"{self} {what} {'is' if self.kept == 1 else 'are'} kept"


class PageFacts:
    """Facts of one page; each is computed for the whole page when first asked for."""

    def __init__(self, verdicts: Sequence[Verdict], title: str = "") -> None:
        self.verdicts = verdicts
        self.title = title

    def segment(self, i: int) -> Segment:
        return self.verdicts[i].segment

    def tags(self, i: int) -> set[str]:
        """Tags open around a segment."""
        return {tag for tag, _, _ in self.segment(i).elements(_DEEPEST)}

    def element(self, i: int, steps: int = 0) -> str:
        """The element of a segment, or the ancestor `steps` levels up, as a style sheet names it."""
        names = self.segment(i).path.split(">")
        return names[-1 - steps] if steps < len(names) else ""

    def around(self, i: int) -> _Tally:
        """The nearest segments before and after."""
        near = [*self.verdicts[max(0, i - _AROUND) : i], *self.verdicts[i + 1 : i + 1 + _AROUND]]
        return _Tally(sum(verdict.keep for verdict in near), len(near))

    def heading(self, i: int) -> str:
        """Text of the nearest heading above, or of the segment if it is one; empty if there is none."""
        above = self._headings[i]
        return self.segment(above).text if above >= 0 else ""

    def section(self, i: int) -> _Tally:
        """The other segments below the same heading."""
        return self._sections[self._headings[i]].without(self.verdicts[i].keep)

    def main_heading(self, i: int) -> int | None:
        """How many segments below the first heading of level 1; None if the page has none."""
        return None if self._first_main is None else i - self._first_main

    def copies(self, i: int) -> int:
        """How many segments have the same text."""
        return self._texts[self.segment(i).text]

    def same_element(self, i: int) -> _Tally:
        """The other segments whose element and parent have the same tags and attributes."""
        return self._signatures[_signature(self.segment(i))].without(self.verdicts[i].keep)

    def larger(self, i: int) -> tuple[str, _Tally]:
        """The nearest enclosing element that holds more segments than the segment's own, and its segments."""
        elements = self.segment(i).elements(_DEEPEST)
        own = self._elements[elements[0][2]].all if elements else 0
        for step, (_, _, serial) in enumerate(elements):
            if self._elements[serial].all > own:
                return self.element(i, step), self._elements[serial]
        return "", _Tally()

    def similar(self, i: int) -> tuple[str, int]:
        """The nearest enclosing element with similar siblings (a card, a row), and how many they are."""
        elements = self.segment(i).elements(_DEEPEST)
        for step, (tag, attributes, _) in enumerate(elements):
            parent = elements[step + 1][2] if step + 1 < len(elements) else 0
            if len(self._siblings[parent, tag, attributes]) >= _SIMILAR:
                return self.element(i, step), len(self._siblings[parent, tag, attributes])
        return "", 0

    @cached_property
    def _headings(self) -> list[int]:
        headings, above = [], -1
        for i, verdict in enumerate(self.verdicts):
            above = i if verdict.segment.kind is Kind.HEADING else above
            headings.append(above)
        return headings

    @cached_property
    def _sections(self) -> dict[int, _Tally]:
        return _tallies(self.verdicts, ([above] for above in self._headings))

    @cached_property
    def _first_main(self) -> int | None:
        levels = (
            i
            for i, verdict in enumerate(self.verdicts)
            if verdict.segment.kind is Kind.HEADING and verdict.segment.level == 1
        )
        return next(levels, None)

    @cached_property
    def _texts(self) -> Counter[str]:
        return Counter(verdict.segment.text for verdict in self.verdicts)

    @cached_property
    def _signatures(self) -> dict[_Signature, _Tally]:
        return _tallies(self.verdicts, ([_signature(verdict.segment)] for verdict in self.verdicts))

    @cached_property
    def _elements(self) -> dict[int, _Tally]:
        serials = ([serial for _, _, serial in v.segment.elements(_DEEPEST)] for v in self.verdicts)
        return _tallies(self.verdicts, serials)

    @cached_property
    def _siblings(self) -> dict[tuple[int, str, str], set[int]]:
        siblings: defaultdict[tuple[int, str, str], set[int]] = defaultdict(set)
        for verdict in self.verdicts:
            elements = verdict.segment.elements(_DEEPEST)
            for step, (tag, attributes, serial) in enumerate(elements):
                parent = elements[step + 1][2] if step + 1 < len(elements) else 0
                siblings[parent, tag, attributes].add(serial)
        return siblings


def _signature(segment: Segment) -> _Signature:
    return tuple((tag, attributes) for tag, attributes, _ in segment.elements(2))


def _tallies(verdicts: Iterable[Verdict], keys: Iterable[Iterable[_Key]]) -> dict[_Key, _Tally]:
    """How many segments were kept, by the keys of each."""
    kept: Counter[_Key] = Counter()
    every: Counter[_Key] = Counter()
    for verdict, own in zip(verdicts, keys, strict=True):
        for key in own:
            kept[key] += verdict.keep
            every[key] += 1
    return {key: _Tally(kept[key], size) for key, size in every.items()}
