"""Content on the way to a tree: inlines and blocks beside each other, cut into runs."""

from __future__ import annotations

from stupidos.structure.node import BLOCKS, BOUNDARY, Attributes, Child, Node

_SEPARATE = BLOCKS | {BOUNDARY.tag}


def runs(content: list[Child]) -> list[Node | list[Child]]:
    """Content as blocks, and as runs of inlines between them."""
    found: list[Node | list[Child]] = []
    run: list[Child] = []
    for child in content:
        if isinstance(child, Node) and (child.tag in _SEPARATE or (child.tag == "math" and child.block)):
            if run:
                found.append(run)
                run = []
            if child is not BOUNDARY:
                found.append(child)
        else:
            run.append(child)
    if run:
        found.append(run)
    return found


def is_blank(run: list[Child]) -> bool:
    return all(not child.strip() if isinstance(child, str) else child.tag == "br" for child in run)


def has_only_images(content: list[Child]) -> bool:
    """Whether content is one image or more without text."""
    shown = [one for one in content if not isinstance(one, str) or one.strip()]
    return bool(shown) and all(isinstance(one, Node) and one.tag == "img" for one in shown)


def flat(content: list[Child]) -> list[Child]:
    """Content as inlines: of blocks what they hold, with blanks between them."""
    found: list[Child] = []
    for child in content:
        if child is BOUNDARY:
            found.append(" ")
        elif isinstance(child, Node) and child.block:
            if child.tag == "math":
                found.append(Node("math", None, child.children))
            else:
                found += [" ", *flat(child.children), " "]
        else:
            found.append(child)
    return found


def wrapped(tag: str, attributes: Attributes, content: list[Child]) -> list[Child]:
    """Content inside an inline element, which is put inside the blocks if there are any.

    >>> wrapped("a", {"href": "x"}, [Node("h2", {}, ["Tea"]), "hot"])
    [(h2 (a href='x' 'Tea')), (a href='x' 'hot')]
    """
    found: list[Child] = []
    run: list[Child] = []
    for child in content:
        if isinstance(child, Node) and (child.tag in _SEPARATE or (child.tag == "math" and child.block)):
            if run:
                found += [run[0]] if len(run) == 1 and is_blank(run) else [Node(tag, attributes, run)]
                run = []
            if child is not BOUNDARY and child.tag not in ("pre", "hr", "math"):
                child = Node(child.tag, child.attributes, wrapped(tag, attributes, child.children))
            found.append(child)
        else:
            run.append(child)
    if run:
        found += run if found and is_blank(run) else [Node(tag, attributes, run)]
    return found
