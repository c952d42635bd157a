"""Footnotes: references and definitions found in a raw tree, by their links or by their marks."""

from __future__ import annotations

import re
from typing import NamedTuple

from stupidos.structure.node import Child, Node, text_of

_MARK = re.compile(
    r"\s*[\[(]?\s*(?:note\s+)?(\d{1,4}|[a-z]{1,2}|[*†‡§¶]{1,3})\s*[\])]?\s*[.:]?\s*", re.IGNORECASE
)
_NUMBER = re.compile(r"\s*[\[(]?\s*(\d{1,3})\s*[\])]?\s*[.:]?\s*")
_LEADING = re.compile(r"\s*(?:[\[(]\s*\d{1,4}\s*[\])]|\d{1,4}\s*[.:)]|\^)\s*")
_NOTE_ID = re.compile(
    r"_?(?:user-content-)?(?:fn|ftn|foot|footnote|endnote|edn|note|cite[_-]note|en|ref|r|reference|sdfootnote|bib|cit)"
    r"[-_:.]?[\w.:-]*\d|(?:fn|footnote|note)[:_-]",
    re.IGNORECASE,
)
_NOTES_CLASS = re.compile(
    r"(?:^|[\s_-])(?:foot|end|side)-?notes?|(?:^|[\s_-])(?:references?|reflist|citations|notes)(?:[\s_-]|$)",
    re.I,
)
_NOTES_HEADING = re.compile(
    r"\W*(?:foot|end|side)?\s*(?:notes?|references?|quellen|einzelnachweise|anmerkungen|fußnoten|sources)"
    r"(?:\s+and\s+notes|\s+and\s+references)?\W*",
    re.IGNORECASE,
)
_BACK = re.compile(r"back-?(?:ref|link)|backlink|reverse-?footnote|footnote-?back|jump-?link", re.IGNORECASE)
_ARROWS = re.compile(r"[\s↩↪⤴↑⏎⬆︎\ufe0e\ufe0f^\[\]←]+|back|return")
_INSIDE = re.compile(
    r"(?:^|\s)(?:footnote-?content|footnote-?text|sidenote|side-note|marginnote|margin-note|fn-content)(?:\s|$)",
    re.IGNORECASE,
)
_BLOCKS = frozenset("li p div dd td section aside article blockquote".split())
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LONGEST = 8000  # characters of a note


class Note(NamedTuple):
    """A footnote, still in raw nodes."""

    id: str
    node: Node


class _Tree:
    """A raw tree with what the search for footnotes asks of it."""

    def __init__(self, root: Node) -> None:
        self.parents: dict[int, Node] = {}
        self.order: dict[int, int] = {}
        self.ids: dict[str, Node] = {}
        self.links: list[Node] = []
        self.marks: list[Node] = []  # <sup> and the like without a link
        self.asides: list[Node] = []  # notes that stand where they are referred to
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


class _Notes:
    """Footnotes as they are found; each gets an id of its own."""

    def __init__(self) -> None:
        self.found: list[Note] = []
        self.by_node: dict[int, str] = {}

    def id_of(self, node: Node, mark: str) -> str:
        known = self.by_node.get(id(node))
        if known is not None:
            return known
        taken = set(self.by_node.values())
        name = mark if mark.isalnum() else ""
        number = len(taken) + 1
        while not name or name in taken:
            name = str(number) if str(number) not in taken else ""
            number += 1
        self.by_node[id(node)] = name
        self.found.append(Note(name, node))
        return name


def take_notes(root: Node, url: str = "") -> list[Note]:
    """The footnotes of a raw tree, which are taken from it; references to them become <noteref>."""
    tree, notes = _Tree(root), _Notes()
    for aside in tree.asides:
        _take_aside(tree, notes, aside)
    definitions = _linked(tree, notes, url)
    if tree.marks:
        definitions += _loose(tree, notes)
    for node in definitions:
        _remove(tree, node)
    return notes.found


# References that are links


def _linked(tree: _Tree, notes: _Notes, url: str) -> list[Node]:
    references: list[tuple[Node, Node, str]] = []  # link, definition, mark
    page = url.partition("#")[0]
    for link in tree.links:
        address, _, fragment = link.attributes["href"].partition("#")
        mark = _MARK.fullmatch(text_of(link))
        if not mark or not fragment or (address and address != page and not page.endswith(address)):
            continue
        target = tree.ids.get(fragment)
        definition = _definition(tree, target, link) if target is not None else None
        if definition is not None and _is_note(tree, definition, link, fragment):
            references.append((link, definition, mark[1]))
    defined = {id(definition) for _, definition, _ in references}
    names = set[str]()
    found: list[Node] = []
    for link, definition, mark_text in references:
        around = tree.up(link, 30)
        if any(id(node) in defined for node in around):
            continue  # the way back, or a note that refers to another
        names |= {node.attributes.get(name, "") for node in (link, *around[:2]) for name in ("id", "name")}
        reference = Node("noteref", {"id": notes.id_of(definition, mark_text)})
        _replace_reference(tree, link, reference)
        found.append(definition)
    unique = {id(node): node for node in found}
    for node in unique.values():
        _clean(node, names - {""})
    return list(unique.values())


def _definition(tree: _Tree, target: Node, link: Node) -> Node | None:
    """The element that a reference leads to: the block that begins with its anchor."""
    at = target
    while at.tag not in _BLOCKS:
        parent = tree.parents.get(id(at))
        if parent is None or at is link or at.tag in _HEADINGS:
            return _under_heading(tree, at) if at.tag in _HEADINGS else None
        if not _begins(parent, at):
            return None
        at = parent
    if any(node is link for node in tree.up(link, 0)) or tree.order[id(at)] == 0:
        return None
    parent = tree.parents.get(id(at))
    # an anchor in a paragraph of its own, or a number beside its text
    if parent is not None and parent.tag in ("li", "dd") and _begins(parent, at):
        return parent
    return at


def _under_heading(tree: _Tree, heading: Node) -> Node | None:
    """What stands below a heading that is the number of a note."""
    parent = tree.parents.get(id(heading))
    if parent is None or not _MARK.fullmatch(text_of(heading)):
        return None
    at = next(at for at, child in enumerate(parent.children) if child is heading)
    end = at + 1
    while end < len(parent.children):
        child = parent.children[end]
        if isinstance(child, Node) and child.tag in _HEADINGS:
            break
        end += 1
    made = Node("div", {"class": "footnote"}, parent.children[at + 1 : end])
    parent.children[at:end] = [made]
    tree.parents[id(made)] = parent
    tree.order[id(made)] = tree.order[id(heading)]
    for child in made.children:
        if isinstance(child, Node):
            tree.parents[id(child)] = made
    for name in {heading.attributes.get("id", ""), *(_ids(heading))} - {""}:
        tree.ids[name] = made
    return made


def _ids(node: Node) -> set[str]:
    found: set[str] = set()
    for child in node.children:
        if isinstance(child, Node):
            found |= {child.attributes.get("id", ""), child.attributes.get("name", ""), *_ids(child)}
    return found


def _begins(parent: Node, node: Node) -> bool:
    """Whether a node is the first thing in its parent."""
    for child in parent.children:
        if child is node:
            return True
        if not isinstance(child, str) or child.strip():
            return False
    return False


def _is_note(tree: _Tree, definition: Node, link: Node, fragment: str) -> bool:
    """Whether a definition is one of a footnote, and no part of the page that the text refers to."""
    if definition.tag in ("section", "article", "td") or len(text_of(definition)) > _LONGEST:
        return False
    around = tree.up(definition, 4)
    names = " ".join(node.attributes.get("class", "") for node in (definition, *around[:3]))
    roles = " ".join(node.attributes.get("role", "") for node in (definition, *around[:3]))
    if "doc-" in roles or _NOTES_CLASS.search(names):
        return True
    if _NOTE_ID.match(fragment):
        return True
    backs = {link.attributes.get(name, "") for name in ("id", "name")}
    backs |= {node.attributes.get("id", "") for node in tree.up(link, 2)}
    return any(f"#{name}" in _hrefs(definition) for name in backs if name)


def _hrefs(node: Node) -> set[str]:
    found: set[str] = set()
    for child in node.children:
        if isinstance(child, Node):
            found |= {child.attributes.get("href", ""), *_hrefs(child)}
    return found


def _replace_reference(tree: _Tree, link: Node, reference: Node) -> None:
    """Put a reference in the place of its link, and of the <sup> that holds nothing else."""
    at = link
    for parent in tree.up(link, 3):
        if parent.tag in ("sup", "span", "small", "b") and _MARK.fullmatch(text_of(parent)):
            at = parent
        else:
            break
    tree.replace(at, reference)
    tree.parents[id(reference)] = tree.parents[id(at)]


def _clean(node: Node, names: set[str]) -> None:
    """Take from a definition its number and the links back to the text."""
    node.children = [child for child in node.children if not _is_back(child, names)]
    for child in node.children:
        if isinstance(child, Node):
            _clean_inside(child, names)
    _take_mark(node)


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


def _take_mark(node: Node) -> None:
    """Take the number that a definition begins with."""
    for at, child in enumerate(node.children):
        if isinstance(child, str):
            if not child.strip():
                continue
            rest = _LEADING.sub("", child, count=1) if _LEADING.match(child) else child
            node.children[at] = rest
            return
        if child.tag in ("sup", "a", "span", "b", "strong", "small") and (
            _MARK.fullmatch(text_of(child)) or not text_of(child).strip()
        ):
            child.children = []
            continue
        if child.tag in _BLOCKS or child.tag in ("a", "span"):
            _take_mark(child)
        return


# References without links: <sup>1</sup> ... <p><sup>1</sup> The note


def _loose(tree: _Tree, notes: _Notes) -> list[Node]:
    marks: dict[str, list[Node]] = {}
    definitions: dict[str, Node] = {}
    for sup in tree.marks:
        number = _NUMBER.fullmatch(text_of(sup))
        parent = tree.parents.get(id(sup))
        if number is None or parent is None or any(node.tag == "a" for node in tree.up(sup, 3)):
            continue
        if any(isinstance(child, Node) and child.tag == "a" for child in sup.children):
            continue
        if (
            parent.tag in ("p", "li", "div")
            and _begins(parent, sup)
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
        _clean(definition, set())
    return list(definitions.values())


def _behind_rule(tree: _Tree, marks: dict[str, list[Node]], definitions: dict[str, Node]) -> None:
    """Definitions that begin with a number in bold, behind a rule."""
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
                    number = _NUMBER.fullmatch(text_of(first))
                    if number and number[1] in marks:
                        definitions.setdefault(number[1], child)


def _in_asides(tree: _Tree, marks: dict[str, list[Node]], definitions: dict[str, Node]) -> None:
    """Definitions that are numbered items in an <aside>, or in an element named after notes."""
    for node in list(tree.parents.values()):
        if node.tag != "ol":
            continue
        around = tree.up(node, 2)
        if not any(
            one.tag == "aside" or _NOTES_CLASS.search(one.attributes.get("class", "")) for one in around
        ):
            continue
        for item in node.children:
            if isinstance(item, Node) and item.tag == "li" and item.attributes.get("value") in marks:
                definitions.setdefault(item.attributes["value"], item)


# Notes that stand where they are referred to


def _take_aside(tree: _Tree, notes: _Notes, aside: Node) -> None:
    """A note in the text: its mark stands before it, or is what the element around it begins with."""
    parent = tree.parents.get(id(aside))
    if parent is None or not text_of(aside).strip():
        return
    at = next((at for at, child in enumerate(parent.children) if child is aside), None)
    if at is None:
        return
    before = at - 1
    while before >= 0 and not _text(parent.children[before]).strip():
        before -= 1
    mark = _MARK.fullmatch(_text(parent.children[before])) if before >= 0 else None
    _take_mark(aside)
    body = Node("div", {}, aside.children)
    reference = Node("noteref", {"id": notes.id_of(body, mark[1] if mark else "")})
    if mark:
        parent.children[before : at + 1] = [reference]
    else:
        parent.children[at] = reference


def _text(child: Child) -> str:
    return child if isinstance(child, str) else text_of(child)


# What definitions leave behind


def _remove(tree: _Tree, node: Node) -> None:
    """Take a definition from the tree, and the heading above it if nothing else is below that."""
    around = [node, *tree.up(node, 4)]
    tree.remove(node)
    for inner, outer in zip(around, around[1:]):
        if inner is not node and (text_of(inner).strip() and not _only_heading(inner)):
            return
        before = [child for child in outer.children if isinstance(child, Node) and child is not inner]
        if inner is not node:
            tree.remove(inner)
        headings = [child for child in before if child.tag in _HEADINGS and _is_notes_heading(child)]
        for heading in headings:
            behind = outer.children[outer.children.index(heading) + 1 :]
            rest = [child for child in behind if _text(child).strip()]
            if not rest or (isinstance(rest[0], Node) and rest[0].tag in _HEADINGS):
                tree.remove(heading)


def _only_heading(node: Node) -> bool:
    rest = [child for child in node.children if _text(child).strip()]
    return all(
        isinstance(child, Node) and child.tag in _HEADINGS and _is_notes_heading(child) for child in rest
    )


def _is_notes_heading(node: Node) -> bool:
    return bool(_NOTES_HEADING.fullmatch(text_of(node)))
