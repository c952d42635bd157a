"""Join the rows of data tables into one segment each, a tab between cells; layout tables are left alone."""

from __future__ import annotations

from collections.abc import Iterable

from stupidos.page import CELL_END, Kind, Place, Segment
from stupidos.render.tags import CELL, CELLS

_SHORT_CELL = 40  # characters; longer cells mean a layout table
_LONG_ROW = 160  # characters
_PARAGRAPH = Kind.PARAGRAPH  # a global: the attribute lookup would double the time of the loop
_WIDE_ROW = 3  # cells; in rows this wide some cells may have a second paragraph


def rows(segments: Iterable[Segment]) -> list[Segment]:
    """Join the segments of each row of a data table: short cells, hardly any with two paragraphs."""
    joined: list[Segment] = []
    row: Place | None = None
    cell: Place | None = None
    open_row: list[Segment] = []  # segments of the current row
    cells: list[str] = []  # their texts
    short = True
    for segment in segments:
        place = segment[4]
        if place is None or not place[4] & CELL:
            if open_row:
                joined += _line_of(open_row, cells) if short else open_row
                row, open_row, cells, short = None, [], [], True
            joined.append(segment)
            continue
        while place[1] not in CELLS and place[0] is not None:
            place = place[0]
        if place[0] is not row:
            if open_row:
                joined += _line_of(open_row, cells) if short else open_row
            row, open_row, cells, short = place[0], [], [], True
        if place is not cell:
            cell = place
            cells.append(segment[0])
        elif short:
            cells[-1] += f" {segment[0]}"
        open_row.append(segment)
        if short and (len(segment[0]) > _SHORT_CELL or segment[1] is not _PARAGRAPH):
            short = False
    return joined + (_line_of(open_row, cells) if short else open_row)


def _line_of(segments: list[Segment], cells: list[str]) -> list[Segment]:
    """The segments of a row of short cells, joined into one if together they are a short line."""
    count = len(cells)
    if len(segments) < 2 or len(segments) > (count if count < _WIDE_ROW else 1.5 * count):
        return segments
    line = CELL_END.join(cells)
    if len(line) > _LONG_ROW or "\n" in line:
        return segments
    first, last = segments[0], segments[-1]
    row = (line, first[1], first[2], link_share(segments), first[4], first[5], last[6], first[7])
    return [tuple.__new__(Segment, row)]  # twice as fast as Segment(...)


def link_share(segments: list[Segment]) -> float:
    """Share of the non-blank characters of a row that are inside links."""
    shares = [segment[3] for segment in segments]
    if min(shares) == max(shares):
        return shares[0]
    ink = [len(segment[0]) - segment[0].count(" ") for segment in segments]
    return sum([share * size for share, size in zip(shares, ink)]) / sum(ink)
