"""Tables: those that hold data as a grid of cells, those that only lay out the page unwrapped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from stupidos.structure.formulas import equation
from stupidos.structure.images import is_tiny
from stupidos.structure.node import Attributes, Child, Node, text_of, walk
from stupidos.structure.ranked import ranked_list, ranked_parts

if TYPE_CHECKING:
    from stupidos.structure.flow import Converter

_IMPLIED: Attributes = {"implied": ""}  # of a row made of cells without one
_STRAY: Attributes = {"stray": ""}  # of a row made of what stands between rows
_BESIDE_ROWS = frozenset(("caption", "boundary", "br"))
_SPARSE = 50  # a table with fewer cells than one in this many places of its grid is not one
_SPAN = re.compile(r"\s*(\d{1,4})")
_TEXT_ALIGN = re.compile(r"\btext-align\s*:\s*(\w+)", re.IGNORECASE)
_PRESENTATION = frozenset(("presentation", "none"))
_LAYOUT = frozenset("h1 h2 h3 h4 h5 h6 table article section nav aside main header footer form".split())
_CODE_TABLE = re.compile(
    r"highlight|rouge|hljs|codehilite|lntable|linenos|js-file-line|blob|crayon|syntaxhighlighter"
)
_CODE_CELL = re.compile(r"(?:^|\s)(?:code|rouge-code|blob-code[\w-]*|hljs-ln-code|lntd|crayon-code)(?:\s|$)")
_EQUATIONS = "ltx_eqn_table"  # LaTeXML's, with a number beside each formula
_BLOCKS = frozenset("p ul ol dl blockquote pre figure hr boundary".split())
_LONG_CELL = 400  # characters; a table of hardly any cells that are so long is a layout

_Row = list[Node]  # its cells


def table(converter: Converter, node: Node, out: list[Child]) -> None:
    """A table of data as one, of code or formulas as those; of any other what is in it."""
    rows = list(_rows_of(node))
    above = [row.children[0] for row in takewhile(_is_stray, rows)]
    del rows[: len(above)]
    cells = [found for row in rows if (found := _cells_of(row))]
    equations = _EQUATIONS in node.attributes.get("class", "")
    code = None if equations else _code_cell(node, cells)
    filled = any(cell.children for row in cells for cell in row)
    if not equations and code is None and (not filled or _is_layout(node, cells)):
        converter.unwrapped(node, out)
        return
    for stray in above:
        out += converter.blocks(stray)  # type: ignore[arg-type]
    if equations:
        for row in rows:
            out += [formula] if (formula := equation(row)) else converter.blocks(row)
    elif code is not None:
        pre = next((inner for inner in walk(code) if inner.tag == "pre"), code)
        converter.around.append(node)
        converter.code_block(pre, out)
        converter.around.pop()
    elif parts := ranked_parts(cells):
        out += ranked_list(converter, parts)
    else:
        _data_table(converter, node, rows, out)


def _data_table(converter: Converter, node: Node, rows: list[Node], out: list[Child]) -> None:
    found: list[Child] = []
    for child in node.children:
        if isinstance(child, Node) and child.tag == "caption":
            line = converter.inlines(child)
            if line:
                found.append(Node("caption", None, line))
    if (
        len(rows) > 1
        and rows[0].attributes is _IMPLIED
        and len(rows[0].children) + 1 == len(_cells_of(rows[1]))
    ):
        rows[0].children.insert(0, Node("th"))  # empty cells are remembered by their rows
    made: list[Child] = []
    for cells in _grid(rows):
        row = [
            Node("td") if cell is None else Node(cell.tag, _alignment(cell), converter.mixed(cell))
            for cell in cells
        ]
        if any(cell.children for cell in row):
            _set_header(row, first=not made)
            made.append(Node("tr", None, list(row)))
    if made:
        out.append(Node("table", None, found + made))


def _alignment(cell: Node) -> Attributes | None:
    """How the header of a column says that it is aligned."""
    if cell.tag != "th" or not cell.attributes:
        return None
    style = _TEXT_ALIGN.search(cell.attributes.get("style", ""))
    align = (style[1] if style else cell.attributes.get("align", "")).strip().lower()
    return {"align": align} if align in ("left", "right", "center") else None


def _rows_of(table: Node) -> Iterator[Node]:
    """The rows of a table, not of those inside it; what is outside of them is a row of its own."""
    cells: _Row = []  # without a row around them
    for child in table.children:
        if isinstance(child, Node) and child.tag in ("td", "th"):
            cells.append(child)
            continue
        if isinstance(child, str) and not child.strip():
            continue
        if cells:
            yield Node("tr", _IMPLIED, [*cells])
            cells = []
        if isinstance(child, str):
            yield _stray_row(child)
        elif child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot", "div", "form"):
            yield from _rows_of(child)
        elif child.tag not in _BESIDE_ROWS:
            yield _stray_row(child)
    if cells:
        yield Node("tr", _IMPLIED, [*cells])


def _stray_row(child: Child) -> Node:
    return Node("tr", _STRAY, [Node("td", None, [child])])


def _is_stray(row: Node) -> bool:
    return row.attributes is _STRAY


def _cells_of(row: Node) -> _Row:
    """The cells of a row; what stands between them is one of its own."""
    cells: _Row = []
    for child in row.children:
        if isinstance(child, str):
            if child.strip():
                cells.append(Node("td", None, [child]))
        elif child.tag in ("td", "th"):
            cells.append(child)
        elif child.tag not in _BESIDE_ROWS:
            cells.append(Node("td", None, [child]))
    return cells


def _is_layout(table: Node, rows: list[_Row]) -> bool:
    """Whether a table only lays out what is in it."""
    if table.attributes.get("role", "").strip().lower() in _PRESENTATION:
        return True
    widest = max(map(len, rows), default=0)
    if widest < 2 or widest * len(rows) > _SPARSE * sum(map(len, rows)):
        return True
    headed = any(cell.tag == "th" for row in rows for cell in row)
    for row in rows:
        for cell in row:
            if not _is_text(cell) and _holds(cell, _LAYOUT):
                return True
    if headed:
        return False
    filled = [cell for row in rows for cell in row if cell.children]
    if all(sum(map(_is_filled, row)) < 2 for row in rows):
        return True
    if not any(text_of(cell).strip() for cell in filled):
        return True  # images alone
    if len(rows) == 1 and any(map(_holds_blocks, filled)):
        return True
    long = sum(len(text_of(cell)) > _LONG_CELL for cell in filled)
    return bool(filled) and long * 2 > len(filled)


def _is_text(cell: Node) -> bool:
    """Whether a cell holds one text or nothing, as most do."""
    children = cell.children
    return not children or (len(children) == 1 and isinstance(children[0], str))


def _holds_blocks(cell: Node) -> bool:
    """Whether a cell holds more than a line: blocks, or a long text."""
    return _holds(cell, _BLOCKS) or len(text_of(cell)) > _LONG_CELL // 2


def _holds(node: Node, tags: frozenset[str]) -> bool:
    """Whether one of these elements is below a node, which is not nested deeper than Python recurses."""
    for child in node.children:
        if isinstance(child, Node) and (child.tag in tags or (child.children and _holds(child, tags))):
            return True
    return False


def _is_filled(cell: Node) -> bool:
    """Whether a cell shows anything: text, or an image that is not a spacer."""
    if _is_text(cell):
        return bool(text_of(cell).strip())
    return any(
        child.strip() if isinstance(child, str) else child.tag == "img" and not is_tiny(child.attributes)
        for node in walk(cell)
        for child in node.children
    )


def _grid(rows: list[Node]) -> list[list[Node | None]]:
    """The cells of each row in their columns; None where a cell spans several columns or rows.

    >>> wide, tall = Node("td", {"colspan": "2"}, ["a"]), Node("td", {"rowspan": "2"}, ["b"])
    >>> _grid([Node("tr", {}, [wide, tall]), Node("tr", {}, [Node("td", {}, ["c"])])])
    [[(td colspan='2' 'a'), None, (td rowspan='2' 'b')], [(td 'c'), None, None]]
    """
    each = [_cells_of(row) for row in rows]
    spanned = any(cell.attributes for cells in each for cell in cells)
    found: list[list[Node | None]] = _spread(each) if spanned else [list(cells) for cells in each]
    found = [cells for cells, row in zip(found, rows) if "dropped" not in row.attributes]
    width = max(map(len, found), default=0)
    for cells in found:
        cells += [None] * (width - len(cells))
    return _without_empty_columns(found)


def _spread(rows: list[_Row]) -> list[list[Node | None]]:
    """The cells of each row in their columns, where some span several."""
    open_spans: dict[int, int] = {}  # column -> rows that a cell above still takes
    columns = max(map(len, rows), default=0)
    found: list[list[Node | None]] = []
    for row in rows:
        cells: list[Node | None] = []
        for cell in row:
            _skip_spanned(cells, open_spans)
            start = len(cells)
            cells += [cell, *[None] * (min(_span(cell, "colspan"), columns) - 1)]
            tall = _span(cell, "rowspan")
            if tall > 1:
                open_spans.update(dict.fromkeys(range(start, len(cells)), tall - 1))
        _skip_spanned(cells, open_spans)
        found.append(cells)
    return found


def _skip_spanned(cells: list[Node | None], open_spans: dict[int, int]) -> None:
    while open_spans.get(len(cells), 0):
        open_spans[len(cells)] -= 1
        cells.append(None)


def _span(cell: Node, name: str) -> int:
    number = _SPAN.match(cell.attributes.get(name, ""))
    return max(1, int(number[1])) if number else 1


def _without_empty_columns(rows: list[list[Node | None]]) -> list[list[Node | None]]:
    """The grid without columns at its right edge that hold nothing in any row."""
    width = len(rows[0]) if rows else 0
    while width > 1 and all(row[width - 1] is None for row in rows):
        width -= 1
    return [row[:width] for row in rows]


def _code_cell(table: Node, rows: list[_Row]) -> Node | None:
    """The code of a table that shows line numbers beside it; None if it is not such a table."""
    names = table.attributes.get("class", "")
    named = [cell for row in rows for cell in row if "class" in cell.attributes]
    codes = [cell for cell in named if _CODE_CELL.search(cell.attributes["class"])]
    if not codes or not (_CODE_TABLE.search(names) or _numbered(rows)):
        return None
    with_pre = [cell for cell in codes if any(node.tag == "pre" for node in walk(cell))]
    if with_pre:
        return with_pre[-1]
    body = Node("pre", dict(table.attributes))
    for cell in codes:
        body.children += [Node("div", {}, [*cell.children])]
    return body


def _numbered(rows: list[_Row]) -> bool:
    """Whether the first cell of every row holds nothing but numbers."""
    firsts = [text_of(row[0]) for row in rows]
    return bool(firsts) and all(
        text.replace("\n", "").replace(" ", "").isdigit() or not text.strip() for text in firsts
    )


def _set_header(row: list[Node], first: bool) -> None:
    """Make a row one of header cells or of others: in a row that has both, the header is of the row only."""
    filled = [cell for cell in row if cell.children]
    header = first and all(cell.tag == "th" for cell in filled)
    for cell in row:
        cell.tag = "th" if header else "td"
        if not header:
            cell.attributes = {}
