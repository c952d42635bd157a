"""A raw tree as the search for footnotes sees it, and the footnotes as they are found."""

from __future__ import annotations

import re
from typing import NamedTuple

from stupidos.structure.node import Child, Node, text_of

MARK = re.compile(
    r"\s*[\[(]?\s*(?:note\s+)?(\d{1,4}|[a-z]{1,2}|[*†‡§¶]{1,3})\s*[\])]?\s*[.:]?\s*", re.IGNORECASE
)
NUMBER = re.compile(r"\s*[\[(]?\s*(\d{1,3})\s*[\])]?\s*[.:]?\s*")
_LEADING = re.compile(r"\s*(?:[\[(]\s*\d{1,4}\s*[\])]|\d{1,4}\s*[.:)]|\^|[.:]\s)\s*")
_BRACKETS = " \t\r\n\f\xa0[]"  # around a number, and left when it was a link back to the text
NOTES_CLASS = re.compile(
    r"(?:^|[\s_-])(?:foot|end|side)-?notes?|(?:^|[\s_-])(?:references?|reflist|citations|notes)(?:[\s_-]|$)",
    re.I,
)
_BACK = re.compile(r"back-?(?:ref|link)|backlink|reverse-?footnote|footnote-?back|jump-?link", re.IGNORECASE)
_ARROWS = re.compile(r"[\s↩↪⤴↑⏎⬆︎\ufe0e\ufe0f^\[\]←]+|back|return")
_INSIDE = re.compile(
    r"(?:^|\s)(?:footnote-?content|footnote-?text|sidenote|side-note|marginnote|margin-note|fn-content|ltx_note_outer)(?:\s|$)",
    re.IGNORECASE,
)
BLOCKS = frozenset("li p div dd td section aside article blockquote".split())


class Note(NamedTuple):
    """A footnote, still in raw nodes."""

    id: str
    node: Node


class NoteTree:
    """A raw tree with what the search for footnotes asks of it."""

    def __init__(self, root: Node) -> None:
        self.parents: dict[int, Node] = {}
        self.order: dict[int, int] = {}
        self.ids: dict[str, Node] = {}
        self.links: list[Node] = []
        self.targets = set[str]()  # ids that links lead to
        self.marks: list[Node] = []  # <sup> and the like without a link
        self.asides: list[Node] = []  # notes at the place that refers to them
        stack = [root]
        while stack:
            node = stack.pop()
            self.order[id(node)] = len(self.order)
            self._note(node)
            for child in reversed(node.children):
                if isinstance(child, Node):
                    self.parents[id(child)] = node
                    stack.append(child)

    def _note(self, node: Node) -> None:
        found = node.attributes
        if not found:
            if node.tag == "sup":
                self.marks.append(node)
            return
        for name in ("id", "name"):
            if found.get(name):
                self.ids.setdefault(found[name], node)
        if node.tag == "a" and "#" in found.get("href", ""):
            self.links.append(node)
            self.targets.add(found["href"].partition("#")[2])
        elif node.tag == "sup":
            self.marks.append(node)
        elif "class" in found and _INSIDE.search(found["class"]):
            self.asides.append(node)

    def up(self, node: Node, levels: int) -> list[Node]:
        """The elements around a node, the nearest first."""
        found: list[Node] = []
        at = self.parents.get(id(node))
        while at is not None and len(found) < levels:
            found.append(at)
            at = self.parents.get(id(at))
        return found

    def remove(self, node: Node) -> None:
        parent = self.parents.get(id(node))
        if parent is not None:
            parent.children = [child for child in parent.children if child is not node]

    def replace(self, node: Node, by: Node) -> None:
        parent = self.parents.get(id(node))
        if parent is not None:
            parent.children = [by if child is node else child for child in parent.children]


class Notes:
    """Footnotes as they are found; each gets an id of its own."""

    def __init__(self) -> None:
        self.found: list[Note] = []
        self.by_node: dict[int, str] = {}
        self.taken: set[str] = set()

    def id_of(self, node: Node, mark: str) -> str:
        known = self.by_node.get(id(node))
        if known is not None:
            return known
        taken = self.taken
        name = mark if mark.isalnum() else ""
        number = len(taken) + 1
        while not name or name in taken:
            name = str(number) if str(number) not in taken else ""
            number += 1
        self.by_node[id(node)] = name
        taken.add(name)
        self.found.append(Note(name, node))
        return name


def begins(parent: Node, node: Node) -> bool:
    """Whether a node is the first thing in its parent."""
    for child in parent.children:
        if child is node:
            return True
        if not isinstance(child, str) or child.strip():
            return False
    return False


def text_of_child(child: Child) -> str:
    return child if isinstance(child, str) else text_of(child)


def clean(node: Node, names: set[str]) -> None:
    """Take from a definition its number and the links back to the text."""
    node.children = [child for child in node.children if not _is_back(child, names)]
    for child in node.children:
        if isinstance(child, Node):
            _clean_inside(child, names)
    take_mark(node)


def _clean_inside(node: Node, names: set[str]) -> None:
    node.children = [child for child in node.children if not _is_back(child, names)]
    for child in node.children:
        if isinstance(child, Node):
            _clean_inside(child, names)


def _is_back(child: Child, names: set[str]) -> bool:
    if not isinstance(child, Node):
        return False
    found = child.attributes
    if child.tag in ("a", "span", "sup") and _BACK.search(found.get("class", "") + found.get("rev", "")):
        return True
    if child.tag != "a" or "#" not in found.get("href", ""):
        return False
    text = text_of(child).strip().lower()
    fragment = found["href"].partition("#")[2]
    return fragment in names or not text or bool(_ARROWS.fullmatch(text))


def take_mark(node: Node) -> None:
    """Take the number that a definition begins with."""
    for at, child in enumerate(node.children):
        if isinstance(child, str):
            if not child.strip(_BRACKETS):
                node.children[at] = ""
                continue
            rest = _LEADING.sub("", child, count=1) if _LEADING.match(child) else child
            node.children[at] = rest
            return
        if child.tag in ("sup", "a", "span", "b", "strong", "small") and (
            MARK.fullmatch(text_of(child)) or not text_of(child).strip(_BRACKETS)
        ):
            child.children = []
            continue
        if child.tag in BLOCKS or child.tag in ("a", "span"):
            take_mark(child)
        return
