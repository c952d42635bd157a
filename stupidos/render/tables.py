"""Join the rows of data tables into one segment each, a tab between cells; layout tables are left alone."""

from __future__ import annotations

from stupidos.page import CELL_END, Place
from stupidos.render.columns import SegmentColumns
from stupidos.render.tags import CELL, CELLS, DEPTH, LEVEL

_SHORT_CELL = 40  # characters; longer cells mean a layout table
_LONG_ROW = 160  # characters
_NO_PARAGRAPH = LEVEL | DEPTH  # bits of a heading's or an item's state
_WIDE_ROW = 3  # cells; in rows this wide some cells may have a second paragraph


def join_rows(columns: SegmentColumns) -> SegmentColumns:
    """Join the segments of each row of a data table: short cells, hardly any with two paragraphs.

    A joined row takes the place of its first segment, in these columns too.
    """
    texts = columns.texts
    joined: list[int] = []  # segments that stay
    row: Place | None = None
    cell: Place | None = None
    open_row: list[int] = []  # segments of the current row
    cells: list[str] = []  # their texts
    short = True
    for at, (place, state) in enumerate(zip(columns.places, columns.states)):
        if not state & CELL:
            if open_row:
                joined += _line_of(columns, open_row, cells) if short else open_row
                row, open_row, cells, short = None, [], [], True
            joined.append(at)
            continue
        while place[1] not in CELLS and place[0] is not None:
            place = place[0]
        if place[0] is not row:
            if open_row:
                joined += _line_of(columns, open_row, cells) if short else open_row
            row, open_row, cells, short = place[0], [], [], True
        text = texts[at]
        if place is not cell:
            cell = place
            cells.append(text)
        elif short:
            cells[-1] += f" {text}"
        open_row.append(at)
        if short and (len(text) > _SHORT_CELL or state & _NO_PARAGRAPH):
            short = False
    joined += _line_of(columns, open_row, cells) if short else open_row
    if len(joined) == len(texts):
        return columns
    stays = bytearray(len(texts))
    for at in joined:
        stays[at] = 1
    return columns.where(stays)


def _line_of(columns: SegmentColumns, row: list[int], cells: list[str]) -> list[int]:
    """The segments of a row of short cells, or its first one, if it can hold all of them: a short line."""
    count = len(cells)
    if len(row) < 2 or len(row) > (count if count < _WIDE_ROW else 1.5 * count):
        return row
    line = CELL_END.join(cells)
    if len(line) > _LONG_ROW or "\n" in line:
        return row
    first = row[0]
    columns.link_shares[first] = _link_share(columns, row)
    columns.texts[first], columns.last[first] = line, columns.last[row[-1]]
    return [first]


def _link_share(columns: SegmentColumns, row: list[int]) -> float:
    """Share of the non-blank characters of a row that are inside links."""
    shares = [columns.link_shares[at] for at in row]
    if min(shares) == max(shares):
        return shares[0]
    texts = [columns.texts[at] for at in row]
    ink = [len(text) - text.count(" ") for text in texts]
    return sum([share * size for share, size in zip(shares, ink)]) / sum(ink)
