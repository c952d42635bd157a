"""Rows of tables as lines, where the table holds data and no layout."""

from __future__ import annotations

from collections.abc import Iterable

from stupidos.page import Kind, Place, Segment
from stupidos.render.tags import CELL, CELLS

_SHORT_CELL = 40  # characters; a row of longer ones is a layout, not a table
_LONG_ROW = 160  # characters
PARAGRAPH = Kind.PARAGRAPH  # looking it up in the class for each segment takes as long as the rest
_WIDE_ROW = 3  # cells; in such a row some may have a second line


def rows(found: Iterable[Segment]) -> list[Segment]:
    """Segments with each row of a data table joined: short cells, hardly any of two paragraphs."""
    joined: list[Segment] = []
    row: Place | None = None
    cell: Place | None = None
    segments: list[Segment] = []  # of the row at hand
    cells, short = 0, True
    for segment in found:
        place = segment[4]
        if place is None or not place[4] & CELL:
            if segments:
                joined += line_of(segments, cells) if short else segments
                row, segments, cells, short = None, [], 0, True
            joined.append(segment)
            continue
        while place[1] not in CELLS and place[0] is not None:
            place = place[0]
        if place[0] is not row:
            if segments:
                joined += line_of(segments, cells) if short else segments
            row, segments, cells, short = place[0], [], 0, True
        if place is not cell:
            cell = place
            cells += 1
        segments.append(segment)
        if short and (len(segment[0]) > _SHORT_CELL or segment[1] is not PARAGRAPH):
            short = False
    return joined + (line_of(segments, cells) if short else segments)


def line_of(segments: list[Segment], cells: int) -> list[Segment]:
    """The segments of a row with so many short cells as one, if they make a line of a table."""
    if len(segments) < 2 or len(segments) > (cells if cells < _WIDE_ROW else 1.5 * cells):
        return segments
    line = " ".join([segment[0] for segment in segments])
    if len(line) > _LONG_ROW or "\n" in line:
        return segments
    first, last = segments[0], segments[-1]
    row = (line, first[1], first[2], link_share(segments), first[4], first[5], last[6], first[7])
    return [tuple.__new__(Segment, row)]  # Segment(...) would take twice as long


def link_share(segments: list[Segment]) -> float:
    """The share of the characters of a row that stand inside links, blanks not counted."""
    shares = [segment[3] for segment in segments]
    if min(shares) == max(shares):
        return shares[0]
    ink = [len(segment[0]) - segment[0].count(" ") for segment in segments]
    return sum([share * size for share, size in zip(shares, ink)]) / sum(ink)
