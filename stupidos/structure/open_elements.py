"""The open elements of a page while its raw tree is built, and which of them a tag closes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from stupidos.render import attributes as render_attributes
from stupidos.render.tags import CELLS, ENDS, HEADINGS, LISTS, stops
from stupidos.structure.attributes import RawNode, attributes_of
from stupidos.structure.callouts import ALONE
from stupidos.structure.code_blocks import is_line_name, is_listing
from stupidos.structure.elements import ACTS, FORMATTING, INLINES, OPEN_BLOCK, OPEN_ENDING, ROWS
from stupidos.structure.node import BOUNDARY, Node
from stupidos.structure.units import NOTE_REFERENCE

DEEPEST = 120  # open elements; those inside have no node of their own
_NEAR = 4  # block elements between an image and the one that holds the text beside it
_BESIDE = frozenset(("aside", "nav"))  # their images belong to no text outside
_TOO_LARGE = frozenset(("body", "html", ""))
_CLIMB = 64  # open elements searched for the one that a tag closes

# An open element: tag, attributes as written, its node once it is attached, what is to be remembered (the
# number of an item, the last number of an <ol>, the empty cells of a row), serial number as in Segment.place
# if it is known, whether it is a block
Entry = list[Any]
TAG, _WRITTEN, NODE, EXTRA, SERIAL, BLOCK = range(6)

# What makes a <div>, a <span> or the like worth a node: in its class names, in other attributes.
# (Looking for one after the other is five times as fast as a regular expression.)
_TELLING = (
    "katex math mjx latex tex- -tex formula equation foot note fn cite citation ref line ln gutter code lang "
    "highlight brush copy- hover sr-only comment reply callout admonition alert notice hint custom-block "
    "editsection cm-content information-macro fragment aside prompt- arithmatex"
).split()
_TELLING_BESIDES = {  # what all the others have in common -> the others
    "data-": "data-lang data-entry data-expr data-math data-latex data-tex data-formula".split(),
    "id": 'message-id comment-id id="fn id="foot id="note id="cite id="ref'.split(),
    "select:none": ("",),
    "heading": ("",),
    "doc-": ("",),
}
_CLASS = re.compile(r"""\bclass\s*=\s*("[^"]*|'[^']*|\S+)""", re.IGNORECASE)
_INSIDE = re.compile(
    r"footnote-?(?:content|text)|side-?note|margin-?note|fn-content|ltx_note_outer", re.IGNORECASE
)
_SHORT = 10  # characters; more than ` class=""` leaves room for another attribute
_LOOKED_AT = 400  # characters of attributes


@lru_cache(maxsize=4096)
def _telling(written: str) -> bool:
    names = _CLASS.search(written)
    if names is not None:
        small = names[1].lower()
        if small.strip("\"' ") in ALONE:
            return True
        for word in _TELLING:
            if word in small:
                return True
        if len(written) - len(small) < _SHORT:
            return False
    small = written[:_LOOKED_AT].lower()
    for part, words in _TELLING_BESIDES.items():
        if part in small:
            for word in words:
                if word in small:
                    return True
    return False


@lru_cache(maxsize=2048)
def _telling_cell(written: str) -> bool:
    """Whether the attributes of a cell matter: most only concern its looks."""
    return _CELL.search(written) is not None


_PLAIN = frozenset(
    "div section article main header footer form center body html fieldset nav hgroup search".split()
)
_HOLDERS = frozenset(
    "a b strong i em code tt kbd samp sub sup del s strike ins mark u q ruby rt rp picture label".split()
) | frozenset(tag for act, tag in ACTS.values() if act in (OPEN_BLOCK, OPEN_ENDING) and tag not in _PLAIN)
_ATTRIBUTED = frozenset("a li ol ul dt table pre code math abbr".split())  # their attributes are always read
_CELL = re.compile(r"span|class|\b(?:role|id|name)\b|data-|itemprop|select|lang|alttext", re.IGNORECASE)
_COUNTED = frozenset(("li", "td", "th", "pre", "sup"))
_SCOPES = frozenset(("table", "td", "th", "caption", "html", "body"))


class OpenElements:
    """The stack of open elements. One gets a node when there is content in it."""

    def __init__(self) -> None:
        self.root = Node("document")
        self.stack: list[Entry] = [["", None, self.root, None, 0, True]]
        self.solid = 1  # number of open elements that have a node
        self.full = 0  # elements open beyond DEEPEST
        self.preformatted = False  # whether there is a <pre>
        self.fragments: set[str] = set()  # of links to footnotes
        self.noted = False  # whether there may be footnotes inside the text
        self.linked = False  # whether an <a> may be open
        self.raised: list[Node] = []  # <sup> elements, which may refer to footnotes
        self.jumps: list[Node] = []  # links with a fragment, which may refer to footnotes

    # Content

    def attach(self) -> Node:
        """The node of the innermost open element, which has content from now on."""
        stack = self.stack
        parent: Node = stack[self.solid - 1][NODE]
        for at in range(self.solid, len(stack)):
            entry = stack[at]
            tag, written = entry[TAG], entry[_WRITTEN]
            telling = written is not None and (
                tag in _ATTRIBUTED
                or (_telling_cell if tag in CELLS else _telling)(written)
                or (tag == "th" and "align" in written)
            )
            if not telling and tag not in _HOLDERS and tag[:4] != "mjx-":
                entry[NODE] = parent
                if entry[BLOCK]:
                    if self.preformatted and self._in_code(at):
                        parent.children.append(Node(tag))
                        entry[NODE] = parent = parent.children[-1]  # type: ignore[assignment]
                    elif parent.children and parent.children[-1] is not BOUNDARY:
                        parent.children.append(BOUNDARY)
                continue
            node = RawNode(tag, written) if telling else Node(tag)
            if tag == "div" and telling and is_listing(written):
                node.tag, self.preformatted = "pre", True
            if tag in _COUNTED:
                self._prepare(node, entry, at)
                if tag in CELLS and entry[EXTRA] is not None:
                    entry[NODE] = parent = entry[EXTRA]  # in its row since it was closed
                    continue
            parent.children.append(node)
            entry[NODE] = parent = node
            if telling and (tag == "a" or not self.noted):
                self._look_for_notes(node, written)
        self.solid = len(stack)
        return parent

    def inline_node(self, tag: str, written: str | None, parent: Node) -> Node:
        """The new node of an inline element, or its parent if the element is not worth a node."""
        telling = written is not None and (tag in _ATTRIBUTED or _telling(written))
        if not telling and tag not in _HOLDERS:
            return parent
        node = RawNode(tag, written) if telling else Node(tag)
        parent.children.append(node)
        if tag == "sup":
            self.raised.append(node)
        if telling and (tag == "a" or not self.noted):
            assert written is not None
            self._look_for_notes(node, written)
        return node

    def _prepare(self, node: Node, entry: Entry, at: int) -> None:
        """Do what an item, a cell, a <pre> or a <sup> needs in addition to its attributes."""
        if node.tag == "li":
            if entry[EXTRA] is not None:
                node.attributes = {**node.attributes, "value": str(entry[EXTRA])}
        elif node.tag == "pre":
            self.preformatted = True
        elif node.tag == "sup":
            self.raised.append(node)
        else:
            self._flush_cells(at)

    def _look_for_notes(self, node: Node, written: str) -> None:
        if node.tag == "a":
            if "#" in written:
                self.jumps.append(node)
                found = NOTE_REFERENCE.search(written)
                if found:
                    self.fragments.add(found[1])
        elif "note" in written or "Note" in written or "fn-content" in written:
            self.noted = _INSIDE.search(written) is not None

    def _flush_cells(self, at: int) -> None:
        """Put the empty cells before the cell at `at` of the stack into its row."""
        row = self._row(at)
        if row is not None and row[EXTRA] and row[NODE] is not None:
            row[NODE].children += row[EXTRA]
            row[EXTRA] = None

    def _row(self, at: int) -> Entry | None:
        for entry in reversed(self.stack[max(0, at - 8) : at]):
            if entry[TAG] == "tr":
                return entry
            if entry[TAG] == "table":
                break
        return None

    def add(self, child: Node | str) -> None:
        node: Node = self.stack[-1][NODE] or self.attach()
        node.children.append(child)

    def keep_empty_row(self, entry: Entry) -> None:
        """Keep an element that was closed without content, if it is a blank line of code."""
        parent, written = self.stack[-1][NODE], entry[_WRITTEN]
        if parent is None or not written or "line" not in written:
            return
        inside = self._in_code(len(self.stack))
        if inside and entry[TAG] in ("span", "div") and is_line_name(attributes_of(written).get("class", "")):
            parent.children.append(RawNode(entry[TAG], written))

    def _in_code(self, end: int) -> bool:
        """Whether one of the first `end` open elements is a piece of code."""
        return any(entry[NODE] is not None and entry[NODE].tag == "pre" for entry in self.stack[:end])

    # Elements

    def cut(self, at: int) -> None:
        """Close the open elements from number `at` on."""
        stack = self.stack
        for index in range(len(stack) - 1, at - 1, -1):
            entry = stack[index]
            if entry[TAG] in ROWS and entry[NODE] is None:
                self._remember(entry, index)
            elif entry[TAG] == "tr" and entry[EXTRA]:
                entry[NODE].children += entry[EXTRA]
                entry[EXTRA] = None
            elif entry[BLOCK] and entry[NODE] is not None and entry[NODE] is stack[index - 1][NODE]:
                entry[NODE].children.append(BOUNDARY)
        del stack[at:]
        if self.solid > at:
            self.solid = at

    def _remember(self, entry: Entry, index: int) -> None:
        """Remember a cell, or a row with cells, of which nothing was kept."""
        if entry[TAG] in CELLS:
            row = self._row(index)
            if row is not None:
                if row[EXTRA] is None:
                    row[EXTRA] = []
                if len(row[EXTRA]) < 1000:
                    entry[EXTRA] = RawNode(entry[TAG], entry[_WRITTEN])
                    row[EXTRA].append(entry[EXTRA])
        elif entry[EXTRA] and index == self.solid:
            parent = self.stack[index - 1][NODE]
            entry[NODE] = Node("tr", {"dropped": ""}, entry[EXTRA])
            entry[EXTRA] = None
            parent.children.append(entry[NODE])

    def open_block(self, tag: str, written: str | None, ending: bool) -> None:
        stack = self.stack
        again: list[Entry] = []
        at = len(stack) - 1
        while stack[at][TAG] in INLINES:
            at -= 1
        if stack[at][TAG] == "p":
            again = [
                [*entry[:2], None, None, 0, False] for entry in stack[at + 1 :] if entry[TAG] in FORMATTING
            ]
            self.cut(at)
        if ending:
            self.end(tag)
        if len(stack) >= DEEPEST:
            self.full += 1
            return
        extra = self.numbered(written) if tag == "li" else None
        stack.append([tag, written, None, extra, 0, True])
        if again and len(again) < 8:
            stack += again

    def end(self, tag: str) -> None:
        """Close the elements that opening `tag` ends."""
        ends, beyond = ENDS[tag]
        stack = self.stack
        for at in range(len(stack) - 1, max(0, len(stack) - _CLIMB), -1):
            other = stack[at][TAG]
            if other in ends:
                self.cut(at)
                return
            if other in beyond:
                return

    def numbered(self, written: str | None) -> int | None:
        """The number of an item that is opened inside an <ol>."""
        for entry in reversed(self.stack[-8:]):
            if entry[TAG] == "ol":
                number = render_attributes.number(written, "value") if written else None
                if number is None and entry[EXTRA] is None and entry[_WRITTEN]:
                    number = render_attributes.number(entry[_WRITTEN], "start")
                entry[EXTRA] = (entry[EXTRA] or 0) + 1 if number is None else number
                return int(entry[EXTRA])
            if entry[TAG] in LISTS:
                break
        return None

    def close(self, tag: str) -> None:
        if self.full:
            self.full -= 1
            return
        stack = self.stack
        wanted = HEADINGS if tag in HEADINGS else (tag,)
        beyond = stops(tag)
        for at in range(len(stack) - 1, max(0, len(stack) - _CLIMB), -1):
            other = stack[at][TAG]
            if other in wanted:
                self.cut(at)
                return
            if other in beyond:
                return

    def open_inline(self, tag: str, written: str | None) -> None:
        if tag == "a":
            if self.in_link():
                self.close_inline("a")
            self.linked = True
        if len(self.stack) >= DEEPEST:
            self.full += 1
        else:
            self.stack.append([tag, written, None, None, 0, False])

    def in_link(self) -> bool:
        """Whether an <a> is open."""
        if not self.linked:
            return False
        found = "a" in [entry[TAG] for entry in self.stack[-_CLIMB:]]
        self.linked = found or len(self.stack) > _CLIMB
        return found

    def close_inline(self, tag: str) -> None:
        """Close an inline element; blocks inside it stay open without it."""
        stack = self.stack
        if self.full:
            if tag != "a":
                self.full -= 1
            return
        for at in range(len(stack) - 1, max(0, len(stack) - _CLIMB), -1):
            entry = stack[at]
            if entry[TAG] == tag:
                if all(other[TAG] in INLINES for other in stack[at + 1 :]):
                    again = (
                        [[*other[:2], None, None, 0, False] for other in stack[at + 1 :]]
                        if tag == "a"
                        else []
                    )
                    self.cut(at)
                    stack += again
                else:
                    self._split(at)
                return
            if entry[TAG] in _SCOPES:
                return

    def _split(self, at: int) -> None:
        """Take an inline element from below open blocks, which are opened again outside it."""
        stack = self.stack
        above = [
            [entry[TAG], entry[_WRITTEN], None, entry[EXTRA], entry[SERIAL], entry[BLOCK]]
            for entry in stack[at + 1 :]
        ]
        self.cut(at)
        stack += above


def near(path: list[Entry], around: list[Entry]) -> bool:
    """Whether one of the innermost blocks of a path is among these elements."""
    known = {id(entry) for entry in around if entry[TAG] not in _TOO_LARGE}
    levels, figured = 0, any(entry[TAG] == "figure" for entry in path[-12:])
    for entry in reversed(path):
        if entry[BLOCK]:
            if id(entry) in known:
                return True
            if entry[TAG] in _BESIDE:
                break
            levels += 1
            if entry[TAG] == "figure":
                levels, figured = 0, False
            if levels > _NEAR and not figured:
                break
    return False


def innermost(path: list[Entry]) -> int:
    """Identity of the innermost block of a path."""
    return id(next(entry for entry in reversed(path) if entry[BLOCK]))
