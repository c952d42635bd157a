"""Rows of tables as lines, where the table holds data and no layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stupidos.page import Kind, Place, Segment
from stupidos.render.tags import CELL, CELLS

SHORT_CELL = 40  # characters; a row of longer ones is a layout, not a table
LONG_ROW = 160
WIDE_ROW = 3  # cells; in such a row some may have a second line


def rows(found: Iterable[Segment]) -> Iterator[Segment]:
    """Segments with each row of a data table joined: short cells, hardly any of two paragraphs."""
    row: Place | None = None
    cells: list[Segment] = []  # of the row at hand
    owners: list[Place] = []  # the <td> of each
    for segment in found:
        place = segment[4]
        if place is None or not place[4] & CELL:
            if cells:
                yield from row_of(cells, owners)
                row, cells, owners = None, [], []
            yield segment
            continue
        while place[1] not in CELLS and place[0] is not None:
            place = place[0]
        if place[0] is not row:
            if cells:
                yield from row_of(cells, owners)
                cells, owners = [], []
            row = place[0]
        cells.append(segment)
        owners.append(place)
    yield from row_of(cells, owners)


def row_of(cells: list[Segment], owners: list[Place]) -> list[Segment]:
    """The segments of a row as one, or as they are where they make no line of a table."""
    if len(cells) < 2:
        return cells
    sizes = [len(cell[0]) for cell in cells]
    if max(sizes) > SHORT_CELL or sum(sizes) > LONG_ROW:
        return cells
    if any(cell[1] is not Kind.PARAGRAPH or "\n" in cell[0] for cell in cells):
        return cells
    number = 1 + sum(owner is not before for owner, before in zip(owners[1:], owners))
    if len(cells) > (number if number < WIDE_ROW else 1.5 * number):  # several paragraphs in a cell
        return cells
    inked = [len(cell[0]) - cell[0].count(" ") for cell in cells]
    share = sum(cell.link_share * ink for cell, ink in zip(cells, inked)) / sum(inked)
    text = " ".join(cell.text for cell in cells)
    return [cells[0]._replace(text=text, link_share=share, last=cells[-1].last)]
