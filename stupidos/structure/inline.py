"""Runs of inlines: white space as a browser squeezes it, and nothing empty, doubled or nested in itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stupidos.render.visible import INVALID as UNSEEN
from stupidos.structure.node import BREAK, Child, Node

ATOMS = frozenset(("img", "math", "noteref", "code", "br", "box"))  # never empty
MERGED = frozenset(("strong", "em", "del", "ins", "mark", "sub", "sup", "q"))
_INVALID = re.compile(f"[\0-\2]|{UNSEEN.pattern}")


def squeezed(run: list[Child]) -> list[Child]:
    """The inlines of a paragraph: no white space at its edges or beside a line break. Its nodes are used up.

    >>> squeezed([" Hot\\n", Node("em", {}, [" or "]), Node("br"), " cold", Node("b")])
    ['Hot ', (em 'or'), (br), 'cold']
    """
    if len(run) == 1 and isinstance(run[0], str):
        text = run[0]
        if text.isprintable() and "  " not in text:  # the only white space is single blanks
            text = text.strip(" ")
        else:
            text = " ".join(text.split())
            text = text if text.isprintable() else _INVALID.sub("", text)
        return [text] if text else []
    return trimmed(_squeezed(run, True, ())[0])


def trimmed(found: list[Child]) -> list[Child]:
    """Squeezed inlines without white space and line breaks at their edges."""
    while found and (found[-1] == " " or (isinstance(found[-1], Node) and found[-1].tag == "br")):
        found.pop()
    if found and isinstance(found[-1], str):
        found[-1] = found[-1].rstrip()
    while found and isinstance(found[0], Node) and found[0].tag == "br":
        found.pop(0)
    return found


def _squeezed(run: list[Child], space: bool, inside: tuple[str, ...]) -> tuple[list[Child], bool]:
    """The run, squeezed after white space or not; and whether it ends in white space."""
    found: list[Child] = []
    for child in run:
        if isinstance(child, str):
            space = add_text(found, child, space)
        elif child.tag == "br":
            without_space_at_end(found)
            found.append(child)
            space = True
        elif child.tag in ATOMS:
            found.append(child)
            space = False
        else:
            space = _add_node(found, child, space, inside)
    return found, space


def add_text(found: list[Child], text: str, space: bool) -> bool:
    """Add a text, squeezed after white space or not; whether it ends in white space."""
    if text.isprintable() and "  " not in text and len(text) > 1:  # the only white space is single blanks
        _append(found, text[1:] if space and text[0] == " " else text)
        return text[-1] == " "
    words = " ".join(text.split())
    if not words.isprintable():
        words = _INVALID.sub("", words)
    if not words:
        if text and not space:
            _append(found, " ")
            return True
        return space
    if not space and text[0].isspace():
        words = " " + words
    ends = text[-1].isspace()
    _append(found, words + " " if ends else words)
    return ends


def _append(found: list[Child], text: str) -> None:
    if found and isinstance(found[-1], str):
        found[-1] += text
    else:
        found.append(text)


def without_space_at_end(found: list[Child]) -> None:
    """Take white space from the end of a run."""
    if found and isinstance(found[-1], str):
        text = found[-1].rstrip(" ")
        if text:
            found[-1] = text
        else:
            found.pop()


def _add_node(found: list[Child], node: Node, space: bool, inside: tuple[str, ...]) -> bool:
    """Add an inline element; white space and line breaks at its edges go outside."""
    if node.tag in inside:
        more, space = _squeezed(node.children, space, inside)
        for child in more:
            if isinstance(child, str):
                _append(found, child)
            else:
                found.append(child)
        return space
    inner = node.children
    if len(inner) == 1 and isinstance(inner[0], str) and inner[0].isprintable():
        text = inner[0]
        words = " ".join(text.split())
        if words:  # most elements; the same as below, without the detours
            if not space and text[0] == " ":
                _append(found, " ")
            last = found[-1] if found else None
            if isinstance(last, Node) and last.tag == node.tag and node.tag in MERGED:
                last.children.append(words)
            else:
                node.children = [words]
                found.append(node)
            if text[-1] == " ":
                found.append(" ")
                return True
            return False
    if not space and _leads_with_space(node):
        _append(found, " ")
        space = True
    children, ends = _squeezed(node.children, True, (*inside, node.tag))
    while children and isinstance(children[0], Node) and children[0].tag == "br":
        without_space_at_end(found)
        found.append(children.pop(0))
        space = True
    breaks: list[Child] = []
    while children and isinstance(children[-1], Node) and children[-1].tag == "br":
        breaks.append(children.pop())
        without_space_at_end(children)
    without_space_at_end(children)
    if not children:
        if breaks:
            without_space_at_end(found)
            found += breaks
            return True
        return space
    last = found[-1] if found else None
    if isinstance(last, Node) and last.tag == node.tag and node.tag in MERGED:
        last.children += children
    else:
        node.children = children
        found.append(node)
    if breaks:
        found += breaks
        return True
    if ends:
        found.append(" ")
    return ends


def _leads_with_space(node: Node) -> bool:
    """Whether the first text of a node begins with white space."""
    at: Child = node
    while isinstance(at, Node):
        if not at.children or at.tag in ATOMS:
            return False
        at = at.children[0]
    return at[:1].isspace()


def without_breaks(run: list[Child]) -> list[Child]:
    """A run on one line, for headings and terms."""
    return [
        " " if isinstance(child, Node) and child.tag == "br"
        else Node(child.tag, child.attributes, without_breaks(child.children))
        if isinstance(child, Node) and child.tag not in ATOMS
        else child
        for child in run
    ]  # fmt: skip


def paragraphs(run: list[Child]) -> Iterator[list[Child]]:
    """The paragraphs of a squeezed run: two line breaks in a row separate them."""
    if any(isinstance(child, Node) and len(child.children) > 3 for child in run):
        run = _opened(run)
    at, start = 0, 0
    if len(run) < 4 or sum(isinstance(child, Node) and child.tag == "br" for child in run) < 2:
        at = len(run)
    while at < len(run):
        if _is_break(run[at]) and at + 1 < len(run) and _is_break(run[at + 1]):
            if run[start:at]:
                yield run[start:at]
            while at < len(run) and _is_break(run[at]):
                at += 1
            start = at
        else:
            at += 1
    if run[start:]:
        yield run[start:]


def _opened(run: list[Child]) -> list[Child]:
    """A run in which no element holds two line breaks in a row: it is closed before them and opened again.

    >>> _opened([Node("em", {}, ["hot", Node("br"), Node("br"), "tea"])])
    [(em 'hot'), (br), (br), (em 'tea')]
    """
    found: list[Child] = []
    for child in run:
        if isinstance(child, str) or len(child.children) < 4 or child.tag in ATOMS:
            found.append(child)
            continue
        parts = list(paragraphs(child.children))
        if len(parts) < 2:
            found.append(child)
            continue
        for part in parts:
            found += [Node(child.tag, child.attributes, part), BREAK, BREAK]
        del found[-2:]
    return found


def parted(run: list[Child]) -> list[Child]:
    """The run itself, or its paragraphs if two line breaks in a row separate some.

    >>> parted(["hot", Node("br"), Node("br"), "tea"]), parted(["hot", Node("br"), "tea"])
    ([(p 'hot'), (p 'tea')], ['hot', (br), 'tea'])
    """
    parts = list(paragraphs(run))
    return run if len(parts) < 2 else [Node("p", None, part) for part in parts]


def _is_break(child: Child) -> bool:
    return isinstance(child, Node) and child.tag == "br"
