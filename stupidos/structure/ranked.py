"""Tables that only number the entries of one column: listings, references and charts, laid out as tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from stupidos.structure.node import BREAK, Child, Node, text_of

if TYPE_CHECKING:
    from stupidos.structure.flow import Converter

_RANK = re.compile(r"\s*(\d{1,5})\.\s*")
_FEWEST = 2  # numbered rows


class _Part(NamedTuple):
    """An item, or what is between two of them."""

    number: int  # 0 if it is not an item
    cells: list[Node]


def ranked_parts(rows: list[list[Node]]) -> list[_Part]:
    """The parts of a table of rows that begin with a number, each with one more filled cell; else none.

    A row without a number whose first cell is empty belongs to the item above it, as in listings of forums.
    """
    parts: list[_Part] = []
    before = 0  # number of the last item
    for row in rows:
        if any(cell.tag == "th" for cell in row):
            return []
        filled = [cell for cell in row if text_of(cell).strip()]
        rank = _RANK.fullmatch(text_of(filled[0])) if filled else None
        if rank and len(filled) == 2 and before < int(rank[1]):
            before = int(rank[1])
            parts.append(_Part(before, [filled[1]]))
        elif parts and not rank and len(filled) == 1:
            if parts[-1].number and filled[0] is not row[0]:
                parts[-1].cells.append(filled[0])
            else:
                parts.append(_Part(0, filled))
        elif filled:
            return []
    return parts if sum(part.number > 0 for part in parts) >= _FEWEST else []


def ranked_list(converter: Converter, parts: list[_Part]) -> list[Child]:
    """The numbered lists that such parts make, and what is between and after them."""
    *others, last = parts
    most = max(len(part.cells) for part in others)  # rows of an item; further rows at the end belong to none
    parts = [*others, _Part(last.number, last.cells[:most]), _Part(0, last.cells[most:])]
    found: list[Child] = []
    for part in parts:
        if not part.number:
            found += [block for cell in part.cells for block in converter.blocks(cell)]
            continue
        listed = found[-1] if found else None
        if not isinstance(listed, Node) or listed.tag != "ol":
            listed = Node("ol", {"start": str(part.number)} if part.number != 1 else {})
            found.append(listed)
        listed.children.append(Node("li", {"value": str(part.number)}, _content(converter, part.cells)))
    return found


def _content(converter: Converter, cells: list[Node]) -> list[Child]:
    """The content of an item: a line for each cell, or the blocks in them."""
    parts = [converter.blocks(cell) for cell in cells]
    if any(len(part) != 1 or not isinstance(part[0], Node) or part[0].tag != "p" for part in parts):
        return [block for part in parts for block in part]
    lines: list[Child] = []
    for part in parts:
        if isinstance(part[0], Node):
            lines += [*([BREAK] if lines else []), *part[0].children]
    return lines
