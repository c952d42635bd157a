"""Tables that Markdown cannot hold, as HTML: those with lists, code or several paragraphs in their cells."""

from __future__ import annotations

import re

from stupidos.structure.boxes import CHARACTERS
from stupidos.structure.node import Child, Node

_SPECIAL = re.compile(r"[&<>\"\n]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;"}
_ATTRIBUTES = {"a": ("href", "title"), "img": ("src", "alt", "title"), "ol": ("start",)}
_VOID = frozenset(("img", "br", "hr"))
_NAMES = {"callout": "blockquote", "math": "code", "footnotes": "div", "note": "div"}


def html_table(rows: list[Node]) -> str:
    """The rows of a table as HTML without blank lines, which would end it."""
    lines = ["<table>", *(_html(row) for row in rows), "</table>"]
    return "\n".join(lines)


def _html(node: Child) -> str:
    """A node as HTML on one line.

    >>> _html(Node("td", {}, [Node("pre", {}, ["a\\n\\nb<c"])]))
    '<td><pre><code>a&#10;&#10;b&lt;c</code></pre></td>'
    """
    if isinstance(node, str):
        return _escaped(node)
    if node.tag == "noteref":
        return f"<sup>{_escaped(node.attributes['id'])}</sup>"
    if node.tag == "box":
        return CHARACTERS["checked" in node.attributes]
    tag = _NAMES.get(node.tag, node.tag)
    attributes = ""
    for name in _ATTRIBUTES.get(tag, ()):
        if name in node.attributes:
            attributes += f' {name}="{_escaped(node.attributes[name])}"'
    if tag in _VOID:
        return f"<{tag}{attributes}>"
    children = node.children
    if len(children) == 1 and isinstance(children[0], str):
        inner = _escaped(children[0])
    else:
        inner = "".join(map(_html, children))
    if tag == "pre":
        inner = f"<code>{inner}</code>"
    return f"<{tag}{attributes}>{inner}</{tag}>"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(lambda match: _ESCAPES[match[0]], text) if _SPECIAL.search(text) else text
