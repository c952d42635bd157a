"""Lists and definitions, with the numbers of their items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stupidos.structure import boxes
from stupidos.structure.inline import squeezed
from stupidos.structure.node import BOUNDARY, Attributes, Child, Node, walk
from stupidos.structure.runs import is_blank

if TYPE_CHECKING:
    from stupidos.structure.flow import Converter

LISTS = frozenset(("ul", "ol", "menu", "dir"))


def bullets(converter: Converter, node: Node, out: list[Child]) -> None:
    items: list[Child] = []
    converter.around.append(node)
    ordered = node.tag == "ol"
    _items(converter, node, items, ordered)
    converter.around.pop()
    if not items:
        return
    if ordered:
        out.append(node.become("ol", items, _numbered(items, "reversed" in node.attributes)))
    else:
        out.append(node.become("ul", items))


def _numbered(items: list[Child], backwards: bool) -> Attributes:
    """Give those items a number that have none; the attributes of their list."""
    step = -1 if backwards else 1
    number = len(items) + 1 if backwards else 0
    for item in items:
        if isinstance(item, Node):
            number = int(item.attributes.get("value") or number + step)
            item.attributes = {"value": str(number)}
    first = items[0]
    start = first.attributes["value"] if isinstance(first, Node) else "1"
    attributes = {"start": start} if start != "1" else {}
    return attributes | {"reversed": ""} if backwards else attributes


def _items(converter: Converter, node: Node, items: list[Child], ordered: bool) -> None:
    """The items of a list; a list beside its items belongs to the one before it."""
    for child in node.children:
        if isinstance(child, str):
            if text := squeezed([child]):
                items.append(Node("li", {}, text))
        elif child.tag == "li":
            boxes.mark(child, node)
            content = converter.mixed(child)
            if content:
                number = child.attributes.get("value", "") if ordered else ""
                items.append(child.become("li", content, {"value": number} if ordered else {}))
        elif child.tag not in LISTS and any(inner.tag == "li" for inner in walk(child)):
            _items(converter, child, items, ordered)
        else:
            content = converter.mixed(Node("li", {}, [child]))
            last = items[-1] if items else None
            if child.tag in LISTS and isinstance(last, Node):
                last.children += content
            elif content:
                items.append(Node("li", {}, content))


def stray_item(converter: Converter, node: Node, out: list[Child]) -> None:
    """An item outside any list, beside others that make one."""
    content = converter.mixed(node)
    if not content:
        return
    last = next((one for one in reversed(out) if one is not BOUNDARY and not is_blank([one])), None)
    if isinstance(last, Node) and last.tag == "ul":
        last.children.append(Node("li", {}, content))
    else:
        out.append(Node("ul", {}, [Node("li", {}, content)]))


def definitions(converter: Converter, node: Node, out: list[Child]) -> None:
    found: list[Child] = []
    _terms(converter, node, found)
    if found:
        out.append(Node("dl", None, found))


def _terms(converter: Converter, node: Node, found: list[Child]) -> None:
    for child in node.children:
        if isinstance(child, str):
            if text := squeezed([child]):
                found.append(Node("dd", None, text))
        elif child.tag == "dt":
            content = converter.inlines(child)
            if content:
                found.append(child.become("dt", content))
        elif child.tag == "dd" or not any(inner.tag in ("dt", "dd") for inner in walk(child)):
            definition = child if child.tag == "dd" else Node("dd", None, [child])
            content = converter.mixed(definition)
            if content:
                found.append(definition.become("dd", content))
        else:
            _terms(converter, child, found)


def stray_definition(converter: Converter, node: Node, out: list[Child]) -> None:
    out += [BOUNDARY, *converter.blocks(node), BOUNDARY]
