"""The nodes of a document tree, and the small vocabulary that every writer may rely on.

The root is `document`. Its children, like those of `blockquote`, `callout`, `figure` and `div`, are blocks:

| block | attributes | children |
|---|---|---|
| h1 ... h6, p | | inlines |
| ul, ol | ol: start, reversed | li |
| li | in an ol: value | mixed |
| dl | | dt (inlines), dd (mixed) |
| table | | caption (inlines, first, if there is one), tr |
| tr | | td, th (mixed); as many as the widest row has; a header row consists of th |
| th | align (left, right, center), if the page says it | |
| pre | language, if known | one text, to the character, without the last line end |
| blockquote, div | | blocks |
| callout | kind (note, warning ...), title (may be missing) | blocks |
| figure | | blocks, and figcaption (inlines) |
| hr | | |
| math | display="block" | the LaTeX, one text |
| footnotes | | note: id; blocks. The last child of the document |

*Mixed* is either blocks, or inlines, or inlines followed by blocks: a run of inlines is a paragraph
that had no <p>.

| inline | attributes | children |
|---|---|---|
| a | href (absolute where the base is known), title | inlines, no a |
| strong, em, del, ins, sub, sup, kbd, mark, q, ruby, rt | | inlines |
| code | | one text |
| img | src, alt, title (the last two may be missing) | |
| br | | |
| math | | the LaTeX, one text |
| noteref | id: that of a note | |
| box | checked, if it is; the first inline of an item | |

Texts are unescaped; white space is squeezed as a browser does it, with none at the edges of a block or
of a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

Child: TypeAlias = "Node | str"
Tree: TypeAlias = "Node | Stream"  # a document that a writer reads once, from the first block to the last
Attributes: TypeAlias = Mapping[str, str]
_NO_ATTRIBUTES: Attributes = MappingProxyType({})  # one for all nodes: a dict would be half of a small node

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = frozenset(
    "h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd table caption tr td th pre blockquote figure figcaption hr "
    "callout div footnotes note document".split()
)


class Node:
    """An element with its attributes and children."""

    __slots__ = ("attributes", "children", "tag")

    def __init__(
        self, tag: str, attributes: Attributes | None = None, children: list[Child] | None = None
    ) -> None:
        self.tag = tag
        self.attributes: Attributes = attributes or _NO_ATTRIBUTES
        self.children: list[Child] = [] if children is None else children

    def become(self, tag: str, children: list[Child], attributes: Attributes = _NO_ATTRIBUTES) -> Node:
        """The same node as another element."""
        self.tag, self.attributes, self.children = tag, attributes, children
        return self

    def __repr__(self) -> str:
        """The node as nested brackets.

        >>> Node("p", {}, ["Hot ", Node("a", {"href": "x"}, ["tea"])])
        (p 'Hot ' (a href='x' 'tea'))
        """
        attributes = [f"{name}={value!r}" for name, value in self.attributes.items()]
        return f"({' '.join([self.tag, *attributes, *map(repr, self.children)])})"

    @property
    def block(self) -> bool:
        """Whether the node is a block."""
        return self.tag in BLOCKS or (self.tag == "math" and "display" in self.attributes)


BOUNDARY = Node("boundary")  # where a block begins or ends that has no node; never in a finished tree
BREAK = Node("br")  # all line breaks are the same


class Stream:
    """A document whose blocks are made while they are read, once: that of a page too large for a tree."""

    __slots__ = ("children",)

    def __init__(self, children: Iterator[Child]) -> None:
        self.children = children


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, in the order of the page."""
    stack = [node]
    while stack:
        at = stack.pop()
        yield at
        stack += [child for child in reversed(at.children) if isinstance(child, Node)]


def text_of(node: Node) -> str:
    """The text of a node and all below it.

    >>> text_of(Node("p", {}, ["Hot ", Node("em", {}, ["tea"])]))
    'Hot tea'
    """
    children = node.children
    while len(children) == 1:  # most cells, links and marks
        only = children[0]
        if isinstance(only, str):
            return only
        children = only.children
    parts: list[str] = []
    stack: list[Child] = children[::-1]
    while stack:
        at = stack.pop()
        if isinstance(at, str):
            parts.append(at)
        else:
            stack += reversed(at.children)
    return "".join(parts)
