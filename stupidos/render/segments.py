"""The text of a laid-out page to Segments: references, white space, rows, numbers, hidden parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import repeat

from stupidos.page import Kind, Place, Segment
from stupidos.render.layout import (
    CELL,
    DEPTH,
    DEPTH_UNIT,
    HIDDEN,
    KEPT_BLANK,
    KEPT_BREAK,
    LEVEL,
    SEGMENT_END,
    Laid,
)
from stupidos.render.tags import CELLS, ITEMS
from stupidos.render.references import unescaped
from stupidos.render.tokens import SPLIT

INVISIBLE = "\xad\u200b\u2060\ufeff"  # soft hyphen, zero-width blanks
INVALID = re.compile("[\x03-\x08\x0b\x0e-\x1f\x7f-\x9f]++")  # \0 to \2 are our own marks
BLANKS = "\n\t\r\f\xa0\u2028\u2029\u3000"
SHORT_CELL = 40  # characters; a row of longer ones is a layout, not a table
LONG_ROW = 160
NEARLY_EMPTY = 200  # characters shown; below, hidden text comes to the fore if there is more of it

KINDS = [Kind.PARAGRAPH] * (1 << 9)
LEVELS = [0] * (1 << 9)
for _state in range(1 << 9):
    if _state & LEVEL:
        KINDS[_state], LEVELS[_state] = Kind.HEADING, _state & LEVEL
    elif _state & DEPTH:
        KINDS[_state], LEVELS[_state] = Kind.ITEM, (_state & DEPTH) // DEPTH_UNIT


class TokenOffsets:
    """Where the text before each tag of a page lies; the page is split again when first asked."""

    __slots__ = ("_ends", "_source", "_starts")

    def __init__(self, source: str) -> None:
        self._source = source
        self._starts: list[int] | None = None
        self._ends: list[int] = []

    def _spans(self) -> tuple[list[int], list[int]]:
        if self._starts is None:
            spans = [match.span() for match in SPLIT.finditer(self._source)]
            self._starts = [0, *(end for _, end in spans)]
            self._ends = [*(start for start, _ in spans), len(self._source)]
        return self._starts, self._ends

    def start(self, token: int) -> int:
        """Offset of the first visible character of the text before tag number `token`."""
        starts, ends = self._spans()
        start, end = starts[token], ends[token]
        return end - len(self._source[start:end].lstrip())

    def end(self, token: int) -> int:
        """Offset behind the last visible character of that text, or of the nearest text before it."""
        starts, ends = self._spans()
        while token and not self._source[starts[token] : ends[token]].strip():
            token -= 1
        return starts[token] + len(self._source[starts[token] : ends[token]].rstrip())


def squeezed(text: str) -> list[str]:
    """The segments' texts with references resolved and every run of white space one blank.

    >>> squeezed("a &amp; \\t b \\0  c\\0")
    ['a & b', 'c']
    """
    if "&" in text:
        text = unescaped(text)
    for blank in BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    if not text.replace(SEGMENT_END, " ").isprintable():
        for nothing in INVISIBLE:
            if nothing in text:
                text = text.replace(nothing, "")
        if not text.replace(SEGMENT_END, " ").replace(KEPT_BREAK, " ").replace(KEPT_BLANK, " ").isprintable():
            text = INVALID.sub("", text)
    texts = [part.strip() for part in text.split(SEGMENT_END)]
    texts.pop()
    return [single_blanks(part) if "  " in part else part for part in texts]


def single_blanks(text: str) -> str:
    """`text` with every run of blanks made one; halving them is faster than splitting into words."""
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def with_kept_space(texts: list[str]) -> list[str]:
    """Texts with the white space of preformatted parts put back in, empty lines around them gone."""
    kept = []
    for text in texts:
        if KEPT_BREAK in text or KEPT_BLANK in text:
            lines = text.replace(KEPT_BLANK, " ").split(KEPT_BREAK)
            text = "\n".join(line.rstrip() for line in lines).strip("\n")
        kept.append(text)
    return kept


def segments(laid: Laid, pieces: int, source: str, hidden: bool) -> list[Segment]:
    """The segments of a page that was split into so many pieces."""
    if not laid.marks:
        return []
    texts = squeezed(laid.text)
    if laid.kept_space or KEPT_BREAK in laid.text:
        texts = with_kept_space(texts)
    places, linked, firsts, lasts = zip(*laid.marks)
    states = [place[4] for place in places]
    shares = [
        0.0 if not chars else 1.0 if chars >= len(text) else chars / len(text)
        for chars, text in zip(linked, texts)
    ]
    first = [(pieces - left) // 3 for left in firsts]
    last = [(pieces - left) // 3 - 1 for left in lasts]
    kinds, levels = map(KINDS.__getitem__, states), map(LEVELS.__getitem__, states)
    columns = zip(texts, kinds, levels, shares, places, first, last, repeat(TokenOffsets(source)))
    made = map(tuple.__new__, repeat(Segment), columns)  # Segment(...) for each would take twice as long
    found: list[Segment] = [segment for segment in made if segment[0]] if "" in texts else list(made)
    most = max(states)
    if laid.numbers:
        found = list(numbered(found, laid.numbers))
    if most >= CELL:
        found = rows(found)
    if most & HIDDEN or most >= CELL:
        found = shown(found, hidden)
    return found


def shown(found: list[Segment], hidden: bool) -> list[Segment]:
    """The segments a browser would show, or all where that is next to nothing."""
    if hidden:
        return found
    visible = [segment for segment in found if not segment.place[4] & HIDDEN]  # type: ignore[index]
    if len(visible) == len(found):
        return found
    seen, all_of_it = (sum(len(segment.text) for segment in some) for some in (visible, found))
    return found if seen < NEARLY_EMPTY and all_of_it > 2 * seen else visible


def nearest(place: Place | None, tags: frozenset[str]) -> Place | None:
    """The innermost open element with one of these names."""
    while place is not None and place[1] not in tags:
        place = place[0]
    return place


def numbered(found: list[Segment], numbers: dict[int, int]) -> Iterator[Segment]:
    """Segments with the number of their item before the first one of each ordered list item."""
    for segment in found:
        if segment.kind is not Kind.PARAGRAPH:
            item = nearest(segment.place, ITEMS)
            number = numbers.pop(item[3], None) if item else None
            if number is not None:
                segment = segment._replace(text=f"{number}. {segment.text}")
        yield segment


def rows(found: list[Segment]) -> list[Segment]:
    """Segments with the cells of each row of a data table joined: short cells, each of one paragraph."""
    joined: list[Segment] = []
    cells: list[Segment] = []  # of the row at hand
    row = cell = None
    for segment in found:
        place = segment[4]
        if place is None or not place[4] & CELL or segment[1] is not Kind.PARAGRAPH:
            joined += row_of(cells)
            cells, row = [], None
            joined.append(segment)
            continue
        while place[1] not in CELLS and place[0] is not None:
            place = place[0]
        if place[0] is not row:
            joined += row_of(cells)
            cells = []
        elif place is cell:  # more than a paragraph in a cell: a layout
            joined += cells
            cells = []
        row, cell = place[0], place
        cells.append(segment)
    return joined + row_of(cells)


def row_of(cells: list[Segment]) -> list[Segment]:
    """The cells of a row as one segment, or as they are where that would be no line of a table."""
    if len(cells) < 2:
        return cells
    sizes = [len(cell[0]) for cell in cells]
    if max(sizes) > SHORT_CELL or sum(sizes) > LONG_ROW:
        return cells
    share = sum(cell.link_share * size for cell, size in zip(cells, sizes)) / sum(sizes)
    text = " ".join(cell.text for cell in cells)
    return [cells[0]._replace(text=text, link_share=share, last=cells[-1].last)]
