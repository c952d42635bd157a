"""Markdown: CommonMark with the tables, strikethrough and footnotes of GitHub, and $formulas$.

A thin writer over the document tree (structure/node.py): tables of element -> form. What would be read
as markup is
escaped, so that the output parses back to the same tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from stupidos.structure.node import Child, Node, Tree
from stupidos.write import Judged, Style, blocks, structured
from stupidos.write.markdown_html import html_table
from stupidos.write.markdown_inline import Inlines, escaped, harmless, plain, starts_escaped

__all__ = ["escaped", "write"]

_BLANK_LINE = re.compile(r"\n\s*\n")
_LONGEST_NUMBER = 999_999_999
_NO_BLANK_LINE = frozenset(("ul", "pre", "blockquote"))  # they may follow the text of an item directly


def write(document: Judged, style: Style) -> Iterator[str]:
    """A page in pieces; dropped segments, if included, are struck through."""
    return blocks(_top_level(structured(document, style)))


def _top_level(tree: Tree) -> Iterator[str]:
    """The blocks of a document, with blank lines between them."""
    first, before = True, None
    for child in tree.children:
        text = _block(child, before)
        if text:
            yield f"{text}\n" if first else f"\n{text}\n"
            first = False
            before = _list_mark(child, before)


# What separates a list from one of the same kind before it: another mark

_BEFORE = tuple[str, str]  # tag and mark of the list before


def _list_mark(node: Child, before: _BEFORE | None) -> _BEFORE | None:
    if not isinstance(node, Node) or node.tag not in ("ul", "ol"):
        return None
    mark = _mark(node.tag, before)
    if node.tag == "ol":
        numbers = _numbers(node)
        breaks = sum(behind != ahead + 1 for ahead, behind in pairwise(numbers))
        mark = mark if breaks % 2 == 0 else _other(mark)
    return node.tag, mark


def _mark(tag: str, before: _BEFORE | None) -> str:
    marks = "-*" if tag == "ul" else ".)"
    return marks[1] if before == (tag, marks[0]) else marks[0]


def _other(mark: str) -> str:
    return {".": ")", ")": ".", "-": "*", "*": "-"}[mark]


def _all_blocks(children: list[Child], tight: bool = False) -> str:
    """Blocks, or inlines followed by blocks, separated by blank lines where they need one."""
    parts: list[str] = []
    before: _BEFORE | None = None
    start = next(
        (at for at, one in enumerate(children) if isinstance(one, Node) and one.block), len(children)
    )
    if start:
        parts.append(paragraph(children[:start]))
    for child in children[start:]:
        text = _block(child, before)
        if text:
            if parts:
                close = tight and isinstance(child, Node) and _may_follow(child)
                parts.append("\n" if close else "\n\n")
            parts.append(text)
            before = _list_mark(child, before)
    return "".join(parts)


def _may_follow(node: Node) -> bool:
    return node.tag in _NO_BLANK_LINE or (node.tag == "ol" and "start" not in node.attributes)


def paragraph(children: list[Child]) -> str:
    text = plain(children)
    return starts_escaped(text if text is not None else Inlines(children).marked())


def _block(node: Child, before: _BEFORE | None = None) -> str:
    """One block without the line end after it."""
    if isinstance(node, str):
        return paragraph([node])
    if node.tag in ("ul", "ol"):
        return _list(node, before)
    form = _FORMS.get(node.tag)
    return form(node) if form is not None else _all_blocks(node.children)


def _heading(node: Node) -> str:
    text = plain(node.children)
    if text is None:
        text = Inlines(node.children, " ").marked()
    if text.endswith("#"):
        text = f"{text[:-1]}\\#"
    return f"{'#' * int(node.tag[1])} {text}" if text else ""


def _paragraph(node: Node) -> str:
    return paragraph(node.children)


def _numbers(node: Node) -> list[int]:
    found: list[int] = []
    for item in node.children:
        value = item.attributes.get("value", "") if isinstance(item, Node) else ""
        number = int(value) if value.isdigit() and len(value) < 10 else (found[-1] + 1 if found else 1)
        found.append(min(number, _LONGEST_NUMBER))
    return found


def _list(node: Node, before: _BEFORE | None) -> str:
    """A list; where a number is missing another list begins, as numbers are counted from the first."""
    items = [item for item in node.children if isinstance(item, Node)]
    tight = not any(isinstance(child, Node) and child.tag == "p" for item in items for child in item.children)
    mark, numbers = _mark(node.tag, before), _numbers(node)
    lines: list[str] = []
    for at, item in enumerate(items):
        if node.tag == "ol" and at and numbers[at] != numbers[at - 1] + 1:
            mark = _other(mark)
        sign = f"{mark} " if node.tag == "ul" else f"{numbers[at]}{mark} "
        text = _indented(_all_blocks(item.children, tight), " " * len(sign))
        lines.append(sign + text)
    return ("\n" if tight else "\n\n").join(lines)


def _indented(text: str, indent: str) -> str:
    """Text whose lines but the first are indented, unless they are blank."""
    return _LINE_END.sub("\n" + indent, text) if "\n" in text else text


_LINE_END = re.compile(r"\n(?!\n|\Z)")


def _definitions(node: Node) -> str:
    """Terms, and definitions after a colon, as Pandoc and Markdown Extra read them."""
    lines: list[str] = []
    for child in node.children:
        if not isinstance(child, Node):
            continue
        if child.tag == "dt":
            lines.append(("\n" if lines else "") + paragraph(child.children))
        else:
            first = child.children[0]
            begins_with_text = isinstance(first, str) or not first.block or first.tag == "p"
            lines.append((": " if begins_with_text else "\n") + _all_blocks(child.children))
    return "\n".join(lines)


def _code(node: Node) -> str:
    text = "".join(child for child in node.children if isinstance(child, str))
    runs = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * max(3, runs + 1)
    return f"{fence}{node.attributes.get('language', '')}\n{text}\n{fence}"


def _quote(node: Node) -> str:
    return _quoted(_all_blocks(node.children))


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))


def _callout(node: Node) -> str:
    kind = node.attributes["kind"]
    title = escaped(node.attributes.get("title", "") or kind.capitalize())
    return _quoted(f"[!{kind}] {title}\n{_all_blocks(node.children)}")


def _rule(node: Node) -> str:
    return "---"


def _formula(node: Node) -> str:
    latex = "".join(child for child in node.children if isinstance(child, str)).strip()
    return f"$$\n{_BLANK_LINE.sub(chr(10), harmless(latex))}\n$$"


_ALIGNED = {"left": ":---", "right": "---:", "center": ":---:"}  # below the header of a column


def _table(node: Node) -> str:
    caption = [child for child in node.children if isinstance(child, Node) and child.tag == "caption"]
    rows = [child for child in node.children if isinstance(child, Node) and child.tag == "tr"]
    before = f"{paragraph(caption[0].children)}\n\n" if caption else ""
    if any(_holds_blocks(cell) for row in rows for cell in row.children):
        return before + html_table(rows)
    lines = [_row(row) for row in rows]
    marks = (
        _ALIGNED.get(cell.attributes.get("align", ""), "---")
        for cell in rows[0].children
        if isinstance(cell, Node)
    )
    lines.insert(1, f"| {' | '.join(marks)} |")
    return before + "\n".join(lines)


def _holds_blocks(cell: Child) -> bool:
    return isinstance(cell, Node) and any(isinstance(one, Node) and one.block for one in cell.children)


def _row(row: Node) -> str:
    cells = (_cell(cell.children) if isinstance(cell, Node) else "" for cell in row.children)
    return "| " + " | ".join(cells) + " |"


def _cell(children: list[Child]) -> str:
    text = plain(children)
    if text is None:
        text = Inlines(children, "<br>").marked()
    return text.replace("|", "\\|").replace("\n", " ")


def _footnotes(node: Node) -> str:
    notes = (child for child in node.children if isinstance(child, Node))
    return "\n\n".join(
        f"[^{note.attributes['id']}]: {_indented(_all_blocks(note.children), '    ')}" for note in notes
    )


_FORMS: dict[str, Callable[[Node], str]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _heading),
    **dict.fromkeys(("p", "figcaption", "caption", "dt"), _paragraph),
    "dl": _definitions,
    "pre": _code,
    "blockquote": _quote,
    "callout": _callout,
    "hr": _rule,
    "math": _formula,
    "table": _table,
    "footnotes": _footnotes,
}


def markdown(tree: Node) -> str:
    """A tree as Markdown.

    >>> markdown(Node("document", {}, [Node("h1", {}, ["Tea"]), Node("ul", {}, [Node("li", {}, ["*hot*"])])]))
    '# Tea\\n\\n- \\\\*hot\\\\*\\n'
    """
    return "".join(_top_level(tree))
