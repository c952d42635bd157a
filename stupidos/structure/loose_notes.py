"""Footnotes without links: marks and definitions that only their numbers join, and notes inside the text."""

from __future__ import annotations

from stupidos.structure.node import Node, text_of
from stupidos.structure.note_tree import (
    MARK,
    NOTES_CLASS,
    NUMBER,
    Notes,
    NoteTree,
    begins,
    clean,
    take_mark,
    text_of_child,
)


def loose(tree: NoteTree, notes: Notes) -> list[Node]:
    marks: dict[str, list[Node]] = {}
    definitions: dict[str, Node] = {}
    for sup in tree.marks:
        number = NUMBER.fullmatch(text_of(sup))
        parent = tree.parents.get(id(sup))
        if number is None or parent is None or any(node.tag == "a" for node in tree.up(sup, 3)):
            continue
        if any(isinstance(child, Node) and child.tag == "a" for child in sup.children):
            continue
        if (
            parent.tag in ("p", "li", "div")
            and begins(parent, sup)
            and text_of(parent).strip() != text_of(sup).strip()
        ):
            if number[1] in marks:
                definitions.setdefault(number[1], parent)
        else:
            marks.setdefault(number[1], []).append(sup)
    if marks:
        _behind_rule(tree, marks, definitions)
        _in_asides(tree, marks, definitions)
    for number_text, definition in definitions.items():
        name = notes.id_of(definition, number_text)
        for sup in marks[number_text]:
            reference = Node("noteref", {"id": name})
            tree.replace(sup, reference)
        clean(definition, set())
    return list(definitions.values())


def _behind_rule(tree: NoteTree, marks: dict[str, list[Node]], definitions: dict[str, Node]) -> None:
    """Definitions that begin with a number in bold, after a horizontal rule."""
    parent = tree.parents.get(id(next(iter(marks.values()))[0]))
    for node in tree.up(parent, 6) if parent is not None else ():
        ruled = False
        for child in node.children:
            if not isinstance(child, Node):
                continue
            ruled = ruled or child.tag == "hr"
            if ruled and child.tag == "p" and child.children:
                first = next((one for one in child.children if not isinstance(one, str) or one.strip()), "")
                if isinstance(first, Node) and first.tag in ("strong", "b"):
                    number = NUMBER.fullmatch(text_of(first))
                    if number and number[1] in marks:
                        definitions.setdefault(number[1], child)


def _in_asides(tree: NoteTree, marks: dict[str, list[Node]], definitions: dict[str, Node]) -> None:
    """Definitions that are numbered items in an <aside>, or in an element named after notes."""
    for node in {id(node): node for node in tree.parents.values() if node.tag == "ol"}.values():
        around = tree.up(node, 2)
        if not any(
            one.tag == "aside" or NOTES_CLASS.search(one.attributes.get("class", "")) for one in around
        ):
            continue
        for item in node.children:
            if isinstance(item, Node) and item.tag == "li" and item.attributes.get("value") in marks:
                definitions.setdefault(item.attributes["value"], item)


def take_aside(tree: NoteTree, notes: Notes, aside: Node) -> None:
    """A note in the text: its mark precedes it, or is what the element around it begins with.

    If links lead to the mark, it is that of a definition, and its text is no note in the text.
    """
    parent = tree.parents.get(id(aside))
    if parent is None or not text_of(aside).strip():
        return
    at = next((at for at, child in enumerate(parent.children) if child is aside), None)
    if at is None:
        return
    before = at - 1
    while before >= 0 and not text_of_child(parent.children[before]).strip():
        before -= 1
    first = parent.children[before] if before >= 0 else ""
    if isinstance(first, Node) and first.attributes.get("id", "") in tree.targets:
        return
    mark = MARK.fullmatch(text_of_child(first))
    take_mark(aside)
    body = Node("div", {}, aside.children)
    reference = Node("noteref", {"id": notes.id_of(body, mark[1] if mark else "")})
    if mark:
        parent.children[before : at + 1] = [reference]
    else:
        parent.children[at] = reference
