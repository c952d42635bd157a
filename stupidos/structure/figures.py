"""Figures with their captions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stupidos.structure import images
from stupidos.structure.inline import squeezed
from stupidos.structure.node import BOUNDARY, Child, Node
from stupidos.structure.runs import flat

if TYPE_CHECKING:
    from stupidos.structure.flow import Converter

_CAPTIONED = frozenset(("pre", "table", "blockquote"))  # they need no figure around them


def figure(converter: Converter, node: Node, out: list[Child]) -> None:
    captions = [child for child in node.children if isinstance(child, Node) and child.tag == "figcaption"]
    content = converter.blocks(
        Node("figure", node.attributes, [c for c in node.children if c not in captions])
    )
    content = images.one_of_each(content)
    caption: list[Child] = []
    for one in captions:
        caption += [*converter.flow(one), " "]
    line = squeezed(flat(caption))
    if content and all(isinstance(one, Node) and one.tag in _CAPTIONED for one in content):
        out += [BOUNDARY, *content, *([Node("p", None, line)] if line else []), BOUNDARY]
    elif content or line:
        out.append(Node("figure", None, [*content, *([Node("figcaption", None, line)] if line else [])]))
