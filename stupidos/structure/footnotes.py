"""Footnotes: references and definitions found in a raw tree, by their links or by their marks."""

from __future__ import annotations

import re

from stupidos.structure.loose_notes import loose, take_aside
from stupidos.structure.node import Child, Node, text_of, walk
from stupidos.structure.note_tree import (
    BLOCKS,
    MARK,
    NOTES_CLASS,
    NUMBER,
    Note,
    Notes,
    NoteTree,
    begins,
    clean,
)

_NOTE_ID = re.compile(
    r"_?(?:user-content-)?(?:fn|ftn|foot|footnote|endnote|edn|note|cite[_-]note|en|ref|r|reference|sdfootnote|bib|cit)"
    r"[-_:.]?[\w.:-]*\d|(?:fn|footnote|note)[:_-]",
    re.IGNORECASE,
)
_NOTES_HEADING = re.compile(
    r"\W*(?:foot|end|side)?\s*(?:notes?|references?|quellen|einzelnachweise|anmerkungen|fußnoten|sources)"
    r"(?:\s+and\s+notes|\s+and\s+references)?\W*",
    re.IGNORECASE,
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MOST = 2000  # links within a page, or marks; each may take time in proportion to a list of notes
_BESIDE = 4  # children looked at before a note, for its rule
_LONGEST = 8000  # characters of a note


def may_refer(link: Node) -> bool:
    """Whether the text of a link is one by which a footnote is referred to."""
    return MARK.fullmatch(text_of(link)) is not None


def may_be_mark(raised: Node) -> bool:
    """Whether a <sup> may be the mark of a footnote."""
    return NUMBER.fullmatch(text_of(raised)) is not None


def take_notes(root: Node, urls: tuple[str, ...] = ()) -> list[Note]:
    """The footnotes of a raw tree, which are taken from it; references to them become <noteref>."""
    tree, notes = NoteTree(root), Notes()
    if max(len(tree.links), len(tree.marks), len(tree.asides)) > _MOST:
        return []
    for aside in tree.asides:
        take_aside(tree, notes, aside)
    definitions = _linked(tree, notes, urls)
    if tree.marks:
        definitions += loose(tree, notes)
    _remove(tree, definitions)
    return notes.found


# References that are links


def _linked(tree: NoteTree, notes: Notes, urls: tuple[str, ...]) -> list[Node]:
    references: list[tuple[Node, Node, str]] = []  # link, definition, mark
    too_long: dict[int, bool] = {}  # definition -> whether it is too long for a note
    pages = [url.partition("#")[0] for url in urls if url]
    for link in tree.links:
        address, _, fragment = link.attributes["href"].partition("#")
        mark = MARK.fullmatch(text_of(link))
        address = address.removeprefix("./")
        elsewhere = address and pages and not any(page.endswith(address) for page in pages)
        if not mark or not fragment or elsewhere:
            continue
        target = tree.ids.get(fragment)
        definition = _definition(tree, target, link) if target is not None else None
        if definition is None:
            continue
        if id(definition) not in too_long:
            too_long[id(definition)] = len(text_of(definition)) > _LONGEST
        if not too_long[id(definition)] and _is_note(tree, definition, link, fragment):
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
        clean(node, names - {""})
    return list(unique.values())


def _definition(tree: NoteTree, target: Node, link: Node) -> Node | None:
    """The element that a reference points to: the block that begins with its anchor."""
    at = target
    while at.tag not in BLOCKS:
        parent = tree.parents.get(id(at))
        if parent is None or at is link or at.tag in _HEADINGS or at.tag == "dt":
            return None if parent is None or at is link else _below(tree, at)
        if not begins(parent, at):
            return None
        at = parent
    if any(node is link for node in tree.up(link, 0)) or tree.order[id(at)] == 0:
        return None
    parent = tree.parents.get(id(at))
    # an anchor in a paragraph of its own, or a number beside its text
    if parent is not None and parent.tag in ("li", "dd") and begins(parent, at):
        return parent
    return at


def _below(tree: NoteTree, head: Node) -> Node | None:
    """What is below a heading, or a term, that is the number of a note."""
    parent = tree.parents.get(id(head))
    if parent is None or not MARK.fullmatch(text_of(head)):
        return None
    ends = _HEADINGS if head.tag in _HEADINGS else ("dt",)
    at = next(at for at, child in enumerate(parent.children) if child is head)
    end = at + 1
    while end < len(parent.children):
        child = parent.children[end]
        if isinstance(child, Node) and child.tag in ends:
            break
        end += 1
    made = Node("div", {"class": "footnote"})
    for child in parent.children[at + 1 : end]:
        made.children += child.children if isinstance(child, Node) and child.tag == "dd" else [child]
    parent.children[at:end] = [made]
    tree.parents[id(made)] = parent
    tree.order[id(made)] = tree.order[id(head)]
    for child in made.children:
        if isinstance(child, Node):
            tree.parents[id(child)] = made
    for name in {head.attributes.get("id", ""), *(_ids(head))} - {""}:
        tree.ids[name] = made
    return made


def _ids(node: Node) -> set[str]:
    found: set[str] = set()
    for child in node.children:
        if isinstance(child, Node):
            found |= {child.attributes.get("id", ""), child.attributes.get("name", ""), *_ids(child)}
    return found


def _is_note(tree: NoteTree, definition: Node, link: Node, fragment: str) -> bool:
    """Whether a definition is one of a footnote, and no part of the page that the text refers to."""
    if definition.tag in ("section", "article", "td"):
        return False
    around = tree.up(definition, 4)
    names = " ".join(node.attributes.get("class", "") for node in (definition, *around[:3]))
    roles = " ".join(node.attributes.get("role", "") for node in (definition, *around[:3]))
    if "doc-" in roles or NOTES_CLASS.search(names):
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


def _replace_reference(tree: NoteTree, link: Node, reference: Node) -> None:
    """Put a reference in the place of its link, and of the <sup> that holds nothing else."""
    at = link
    for parent in tree.up(link, 3):
        if parent.tag in ("sup", "span", "small", "b") and MARK.fullmatch(text_of(parent)):
            at = parent
        else:
            break
    tree.replace(at, reference)
    tree.parents[id(reference)] = tree.parents[id(at)]


# What definitions leave behind


def _remove(tree: NoteTree, definitions: list[Node]) -> None:
    """Take the definitions from the tree, and the rules and headings above them if nothing else is below."""
    gone = {id(node) for node in definitions}
    parents = {
        id(parent): parent for node in definitions if (parent := tree.parents.get(id(node))) is not None
    }
    for parent in parents.values():
        kept: list[Child] = []
        for child in parent.children:
            if id(child) not in gone:
                kept.append(child)
            elif (rule := _last_rule(kept)) is not None:
                del kept[rule]
        parent.children = kept
    for parent in parents.values():
        _tidy(tree, parent)


def _last_rule(children: list[Child]) -> int | None:
    """The place of the horizontal rule that these children end with, if they do."""
    for at in range(len(children) - 1, max(len(children) - _BESIDE, 0) - 1, -1):
        child = children[at]
        if isinstance(child, Node) and child.tag == "hr":
            return at
        if _says_something(child):
            return None
    return None


def _tidy(tree: NoteTree, node: Node) -> None:
    """Remove what the definitions leave behind: headings without a section, and empty elements."""
    at: Node | None = node
    for _ in range(4):
        if at is None:
            return
        _remove_headings(at)
        if any(_says_something(child) for child in at.children):
            return
        tree.remove(at)
        at = tree.parents.get(id(at))


def _remove_headings(node: Node) -> None:
    """Remove headings of notes that nothing follows but another heading."""
    kept: list[Child] = []
    following: Child | None = None
    for child in reversed(node.children):
        heading = isinstance(child, Node) and child.tag in _HEADINGS
        bare = following is None or (isinstance(following, Node) and following.tag in _HEADINGS)
        if heading and bare and isinstance(child, Node) and _is_notes_heading(child):
            continue
        kept.append(child)
        if heading or _says_something(child):
            following = child
    node.children = kept[::-1]


def _says_something(child: Child) -> bool:
    if isinstance(child, str):
        return bool(child.strip())
    return any(isinstance(one, str) and one.strip() for node in walk(child) for one in node.children)


def _is_notes_heading(node: Node) -> bool:
    return bool(_NOTES_HEADING.fullmatch(text_of(node)))
