"""A tree without its links or images, as --links and --images ask."""

from __future__ import annotations

from itertools import chain

from stupidos.structure.inline import ATOMS, squeezed
from stupidos.structure.node import Child, Node, Stream, Tree

_RUNS = frozenset("p h1 h2 h3 h4 h5 h6 dt figcaption caption".split())
_MAY_BE_EMPTY = frozenset(("td", "th", "hr", "document"))


def with_first(heading: str, tree: Tree) -> Tree:
    """The tree with a heading on top."""
    first = Node("h1", None, [heading])
    if isinstance(tree, Stream):
        return Stream(chain((first,), tree.children))
    return Node(tree.tag, tree.attributes, [first, *tree.children])


def selected(tree: Tree, links: str, images: str) -> Tree:
    """The tree with its links kept, as text or dropped, and its images kept, as alternative text or dropped.

    >>> link, image = Node("a", {"href": "x"}, ["tea"]), Node("img", {"src": "y", "alt": "cup"})
    >>> tree = Node("p", {}, ["Hot ", link, " ", image])
    >>> selected(tree, "text", "drop"), selected(tree, "drop", "alt")
    ((p 'Hot tea'), (p 'Hot cup'))
    """
    if isinstance(tree, Node):
        return _selected(tree, links, images)
    each = (_selected(Node("document", None, [child]), links, images) for child in tree.children)
    return Stream(chain.from_iterable(one.children for one in each))


def _selected(node: Node, links: str, images: str) -> Node:
    children: list[Child] = []
    for child in node.children:
        if isinstance(child, str):
            children.append(child)
        elif child.tag == "img":
            children += _image(child, images)
        elif child.tag == "a" and links != "keep":
            if links == "text":
                children += _selected(child, links, images).children
        else:
            kept = _selected(child, links, images)
            if kept.children or kept.tag in ATOMS or kept.tag in _MAY_BE_EMPTY:
                children.append(kept)
    if node.tag in _RUNS:
        children = squeezed(children)
    elif node.tag not in ATOMS and any(isinstance(child, str) for child in children) and node.tag in _MIXED:
        children = _squeezed_start(children)
    return Node(node.tag, node.attributes, children)


_MIXED = frozenset(("li", "dd", "td", "th"))


def _squeezed_start(children: list[Child]) -> list[Child]:
    """Mixed content with its inlines squeezed."""
    at = next(
        (at for at, child in enumerate(children) if isinstance(child, Node) and child.block), len(children)
    )
    return squeezed(children[:at]) + children[at:]


def _image(node: Node, images: str) -> list[Child]:
    if images == "keep":
        return [node]
    return [node.attributes["alt"]] if images == "alt" and node.attributes.get("alt") else []
