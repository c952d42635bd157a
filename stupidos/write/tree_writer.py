"""A document tree to marked-up text by a table of element -> form, as HTML and TEI are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from stupidos.structure.node import Child, Node, Tree

Parts = tuple[str, str, list[Child]]  # start tag, end tag, what is between them
_LONGEST_NUMBER = 9  # digits
_WORD = re.compile(r"[\w.+#-]{1,40}")


class TreeWriter:
    """Writes nodes by two tables: elements whose tags are always the same, and those that need a look."""

    TAGS: ClassVar[Mapping[str, tuple[str, str]]]
    FORMS: ClassVar[Mapping[str, Callable[[Any, Node], Parts]]]  # methods
    ESCAPE: ClassVar[Callable[[str], str]]

    def __init__(self) -> None:
        self.ends: list[str] = []  # end tags of the open elements

    def written(self, node: Child) -> str:
        """A node with all below it; a loop, since a tree may be deeper than Python recurses."""
        tags, forms, escape = self.TAGS, self.FORMS, type(self).ESCAPE
        if isinstance(node, Node) and len(node.children) == 1 and node.tag in tags:
            only = node.children[0]
            if isinstance(only, str):  # most paragraphs and headings
                start, end = tags[node.tag]
                return f"{start}{escape(only)}{end}"
        out: list[str] = []
        add = out.append
        stack: list[Iterator[Child]] = []
        ends = self.ends = [""]
        children = iter((node,))
        while True:
            for child in children:
                if isinstance(child, str):
                    add(escape(child))
                    continue
                fixed = tags.get(child.tag)
                if fixed is not None:
                    start, end = fixed
                    inner = child.children
                else:
                    form = forms.get(child.tag)
                    start, end, inner = form(self, child) if form else ("", "", child.children)
                add(start)
                if len(inner) == 1 and isinstance(inner[0], str):  # most elements; saves a turn of the stack
                    add(escape(inner[0]))
                elif inner:
                    stack.append(children)
                    ends.append(end)
                    children = iter(inner)
                    break
                add(end)
            else:
                add(ends.pop())
                if not stack:
                    return "".join(out)
                children = stack.pop()

    def figure(self, node: Node) -> Parts:
        return "<figure>\n", "</figure>\n", _bare_images(node)


def escaping(forbidden: re.Pattern[str]) -> Callable[[str], str]:
    """A function that escapes text for markup and removes these characters.

    >>> escaping(re.compile("\\0"))("a\\0 < b")
    'a &lt; b'
    """

    def escaped(text: str) -> str:
        if not text.isprintable():
            text = forbidden.sub("", text)
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    return escaped


def language_of(code: Node) -> str:
    """The language of a block of code; empty if it is not known or no plain word."""
    language = code.attributes.get("language", "")
    return language if _WORD.fullmatch(language) else ""


def kind_of(callout: Node) -> str:
    """The kind of a callout, which is a plain word."""
    kind = callout.attributes.get("kind", "")
    return kind if kind.isascii() and kind.isalpha() else "note"


def footnotes(tree: Tree) -> list[Node]:
    """The footnotes of a document; a Stream has none."""
    if not isinstance(tree, Node):
        return []
    lists = (child for child in tree.children if isinstance(child, Node) and child.tag == "footnotes")
    return [note for notes in lists for note in notes.children if isinstance(note, Node)]


def is_number(text: str) -> bool:
    """Whether a text is a number that an item may have.

    >>> is_number("7"), is_number("²")
    (True, False)
    """
    return text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER


def is_header(row: Node) -> bool:
    """Whether a row of a table consists of header cells."""
    return all(isinstance(cell, Node) and cell.tag == "th" for cell in row.children)


def _bare_images(figure: Node) -> list[Child]:
    """The children of a figure, with images that are paragraphs of their own outside of these.

    >>> _bare_images(Node("figure", {}, [Node("p", {}, [Node("img", {"src": "x"})]), Node("p", {}, ["Tea"])]))
    [(img src='x'), (p 'Tea')]
    """
    found: list[Child] = []
    for child in figure.children:
        images = isinstance(child, Node) and child.tag == "p" and all(map(_is_image, child.children))
        found += child.children if images and isinstance(child, Node) else [child]
    return found


def _is_image(child: Child) -> bool:
    return isinstance(child, Node) and child.tag == "img"
