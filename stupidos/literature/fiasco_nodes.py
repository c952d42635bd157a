"""The nodes of a page's DOM tree, and its target nodes, each a block of text.

Daniel Bauer et al.: *FIASCO: Filtering the Internet by Automatic Subtree Classification, Osnabrück*
(WAC3, 2007), sections 2.1 and 2.2. A target node has at least 10 % of its text in text nodes among its
own children; the outermost ones are taken, so that they are disjoint. Text between line breaks counts
as a paragraph of its own. The tree is built in one pass, with the implied end tags that matter here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from stupidos.literature.tokens import BoolArray, IntArray, TokenList, walk
from stupidos.render.references import unescaped

_MIN_OWN_SHARE = 0.1  # of a node's text that makes it a target
_MAX_DEPTH = 200  # deeper elements count as part of their ancestor
_MAX_OPEN_SEARCHED = 64  # open elements searched for the match of an end tag

_VOID_TAGS = frozenset("area base br col embed hr img input link meta param source track wbr".split())
HIDDEN_TAGS = frozenset(
    "head noscript object applet select svg template iframe textarea button title".split()
)
_BLOCK_TAGS = frozenset(
    "html body div section article main aside nav header footer form fieldset blockquote center address "
    "ul ol dl li dt dd menu dir table thead tbody tfoot tr td th caption p h1 h2 h3 h4 h5 h6 pre figure "
    "figcaption".split()
)
# Opening the element on the left ends those on the right that are open inside the nearest of the last.
_IMPLIED_END_TAGS = {
    "li": ("li", "ul ol menu dir"),
    "dt": ("dt dd", "dl"),
    "dd": ("dt dd", "dl"),
    "td": ("td th", "tr table"),
    "th": ("td th", "tr table"),
    "tr": ("tr", "table"),
}
_IMPLIED = {
    name: (frozenset(ends.split()), frozenset(scope.split()))
    for name, (ends, scope) in _IMPLIED_END_TAGS.items()
}


class _TextNode(NamedTuple):
    """A text of the page and the node it is a child of."""

    node: int
    number: int  # of its token
    text: str


class DomTree(NamedTuple):
    """The elements of a page, parents before their children; texts in document order."""

    tags: list[str]
    parents: list[int]  # -1 above the root, which is node 0
    linked: list[bool]  # an <a> with href
    images: list[int]  # images that are children of each node
    texts: list[_TextNode]

    def sums(self, own: IntArray) -> IntArray:
        """Sums of a column over the subtree of each node."""
        totals = own.copy()
        for node in range(len(self.parents) - 1, 0, -1):
            totals[self.parents[node]] += totals[node]
        return totals

    def lengths(self) -> IntArray:
        """Characters of text that are children of each node."""
        own = np.zeros(len(self.tags), dtype=np.int64)
        for text in self.texts:
            own[text.node] += len(text.text)
        return own

    def depths(self) -> IntArray:
        """Distance of each node from the root."""
        depth = np.zeros(len(self.parents), dtype=np.int64)
        for node in range(1, len(self.parents)):
            depth[node] = depth[self.parents[node]] + 1
        return depth


@dataclass(slots=True)
class _Open:
    """An open element; its text since the last block or line break is a run, a provisional node."""

    tag: str
    node: int
    run: int = -1
    after_break: bool = False


@dataclass(slots=True)
class _Builder:
    """The tree under construction."""

    tags: list[str] = field(default_factory=lambda: [""])
    parents: list[int] = field(default_factory=lambda: [-1])
    linked: list[bool] = field(default_factory=lambda: [False])
    images: list[int] = field(default_factory=lambda: [0])
    broken: dict[int, bool] = field(default_factory=dict)  # run -> whether a line break ends or begins it
    texts: list[_TextNode] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=lambda: [_Open("", 0)])

    def add(self, tag: str, parent: int, linked: bool = False) -> int:
        self.tags.append(tag)
        self.parents.append(parent)
        self.linked.append(linked)
        self.images.append(0)
        return len(self.tags) - 1

    def run(self) -> int:
        """The run that text or an inline element belongs to now."""
        top = self.stack[-1]
        if top.run < 0:
            top.run = self.add("p", top.node)
            self.broken[top.run] = top.after_break
        return top.run

    def end_run(self, after_break: bool = False) -> None:
        top = self.stack[-1]
        if after_break and top.run >= 0:
            self.broken[top.run] = True
        top.run, top.after_break = -1, after_break

    def open(self, tag: str, attributes: str) -> None:
        if tag in _BLOCK_TAGS:
            self.imply(tag)
            self.end_run()
        top = self.stack[-1]
        if len(self.stack) > _MAX_DEPTH:
            self.stack.append(_Open(tag, top.node))
            return
        parent = top.node if tag in _BLOCK_TAGS else self.run()
        self.stack.append(_Open(tag, self.add(tag, parent, tag == "a" and "href" in attributes.lower())))

    def imply(self, tag: str) -> None:
        """Close the elements that this start tag implicitly ends."""
        if tag not in _IMPLIED:
            if self.stack[-1].tag == "p":
                self.stack.pop()
            return
        ends, scope = _IMPLIED[tag]
        for at in range(len(self.stack) - 1, max(len(self.stack) - _MAX_OPEN_SEARCHED, 0), -1):
            if self.stack[at].tag in scope:
                return
            if self.stack[at].tag in ends:
                del self.stack[at:]
                return

    def close(self, tag: str) -> None:
        for at in range(len(self.stack) - 1, max(len(self.stack) - _MAX_OPEN_SEARCHED, 0), -1):
            if self.stack[at].tag == tag:
                del self.stack[at:]
                if tag in _BLOCK_TAGS:
                    self.end_run()
                return

    def finished(self) -> DomTree:
        """The tree with runs kept only at line breaks; the content of others moves to their parents."""
        home = list(range(len(self.tags)))
        for run, broken in self.broken.items():
            if not broken:
                home[run] = home[self.parents[run]]
        parents = [home[parent] if parent >= 0 else -1 for parent in self.parents]
        texts = [text._replace(node=home[text.node]) for text in self.texts]
        for run, broken in self.broken.items():
            if not broken and self.images[run]:
                self.images[home[run]] += self.images[run]
                self.images[run] = 0
            if not broken:
                self.tags[run] = ""
        return DomTree(self.tags, parents, self.linked, self.images, texts)


def dom_tree(page: TokenList) -> DomTree:
    """The DOM tree of a page; a dissolved run remains as a nameless node without text.

    >>> nodes = dom_tree(["", "div", "", "One", "br", "", "two ", "a", " href=x", "three", "/a", None, ""])
    >>> nodes.tags, nodes.parents
    (['', 'div', 'p', 'p', 'a', ''], [-1, 0, 1, 1, 3, 4])
    """
    builder = _Builder()
    unseen, depth = "", 0
    for number, text, name, attributes in walk(page):
        if text and not unseen and not text.isspace():
            builder.texts.append(_TextNode(builder.run(), number, " ".join(unescaped(text).split())))
        if unseen:
            depth += (name == unseen) - (name == "/" + unseen)
            unseen = unseen if depth and name != "body" else ""
        elif name.startswith("/"):
            builder.close(name[1:])
        elif name == "br":
            builder.end_run(after_break=True)
        elif name == "img":
            builder.images[builder.run()] += 1
        elif name in HIDDEN_TAGS:
            unseen, depth = name, 1
        elif name and name not in _VOID_TAGS and ">" not in name:  # with one, it is a raw-text element
            builder.open(name, attributes)
    return builder.finished()


def target_flags(nodes: DomTree) -> BoolArray:
    """Which nodes are target nodes: the outermost with a tenth of their text among their own children.

    >>> nodes = dom_tree(["", "div", "", "A", "p", "", "Tea is hot and may be cold.", "b", "", "So."])
    >>> [tag for tag, target in zip(nodes.tags, target_flags(nodes)) if target]
    ['p']
    """
    own = nodes.lengths()
    whole = nodes.sums(own)
    candidates = (whole > 0) & (own >= _MIN_OWN_SHARE * whole)
    below = np.zeros(len(own), dtype=np.bool_)  # a target
    for node in range(1, len(own)):
        parent = nodes.parents[node]
        below[node] = below[parent] or candidates[parent]
    return candidates & ~below


def enclosing_target(nodes: DomTree, targets: BoolArray) -> IntArray:
    """The target that contains each node or is the node; -1 for none."""
    inside = np.full(len(targets), -1, dtype=np.int64)
    for node, is_target in enumerate(targets.tolist()):
        if is_target:
            inside[node] = node
        elif node:
            inside[node] = inside[nodes.parents[node]]
    return inside
