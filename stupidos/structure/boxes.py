"""Boxes of lists of tasks: those that a reader sees ticked or not, and cannot change."""

from __future__ import annotations

from stupidos.structure.node import Node

CHARACTERS = ("☐", "☑")  # for formats without boxes: to do, done
_AROUND = frozenset(("p", "div", "label", "span"))  # a box and its text


def mark(item: Node, listed: Node) -> None:
    """Turn the box that an item of a list of tasks begins with into a node of the tree."""
    at = item
    for _ in range(3):
        place = next((n for n, one in enumerate(at.children) if not isinstance(one, str) or one.strip()), -1)
        first = at.children[place] if place >= 0 else ""
        if isinstance(first, str):
            return
        if first.tag == "input":
            if _is_box(first, item, listed):
                box = Node("box", {"checked": ""} if "checked" in first.attributes else {})
                at.children[place : place + 1] = [box, " "]
            return
        if first.tag not in _AROUND:
            return
        at = first


def _is_box(box: Node, item: Node, listed: Node) -> bool:
    """Whether a field of a form is the box of a task; others are there to be chosen from."""
    if box.attributes.get("type", "").strip().lower() != "checkbox":
        return False
    return "disabled" in box.attributes or any(
        "task" in node.attributes.get("class", "").lower() for node in (box, item, listed)
    )
