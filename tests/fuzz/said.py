"""What an output says: its letters, to be compared with those of the text that was kept."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from html.parser import HTMLParser
from itertools import compress
from typing import Any
from xml.etree import ElementTree

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from stupidos.document import Document
from stupidos.structure.node import HEADINGS, Node, text_of, walk
from stupidos.structure.units import NOTE_REFERENCE, completed
from stupidos.write import Style, closing, opening, structured

LETTER = re.compile(r"[^\W\d_]")


def letters(text: str) -> list[str]:
    """The letters of a text; what Unicode composes differently is the same letter."""
    return LETTER.findall(unicodedata.normalize("NFKD", text))


class Texts(HTMLParser):
    """The text of HTML, without that of attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def html_text(text: str) -> str:
    reader = Texts()
    reader.feed(text)
    reader.close()
    return "".join(reader.texts)


@cache
def parser() -> Any:
    nested = {"maxNesting": 500}  # by default it gives up at 20, and pages may nest 120 deep
    return MarkdownIt("commonmark", nested).enable(["table", "strikethrough"]).use(footnote_plugin)


def markdown_text(text: str) -> str:
    return html_text(parser().render(text))


def tei_text(text: str) -> str:
    root = ElementTree.fromstring(opening("tei", 1) + text + closing("tei", 1))
    body = root.find(".//{*}text")
    return "" if body is None else "".join(body.itertext())


READERS = {"html": html_text, "markdown": markdown_text, "tei": tei_text}

# The renderer resolves the references of a page at once, so that it reads "&a<b>mp;" as one.
SPLIT_REFERENCE = re.compile(r"&#?\w*<[^<>]*>[\w;#]")
SHOWN = ("alt", "title", "kind", "id", "language")  # attributes that some format writes as text


def added(document: Document, tree: Node) -> Counter[str]:
    """Letters that may come besides the kept text: the rest of rows, the headline, descriptions."""
    verdicts, nodes = document.verdicts, list(walk(tree))
    shown = completed(document.page, [int(verdict.keep) for verdict in verdicts])
    texts = [one.segment.text for one in compress(verdicts, shown) if not one.keep]
    texts += [" ".join(node.attributes.get(name, "") for name in SHOWN) for node in nodes]
    texts += [node.attributes["kind"].capitalize() for node in nodes if node.tag == "callout"]
    headings = [text_of(node) for node in nodes if node.tag in HEADINGS]
    texts += [text for text in (*headings, document.title) if text_of(tree).startswith(text)][:1]
    return Counter(letters(" ".join(texts)))


def check_said(text: str, document: Document, style: Style, kept: Iterable[str]) -> None:
    """All of the kept text is written, once and in its order, and nothing else but what `added` lists.

    Formulas become LaTeX: pages that have some are not compared, nor are those with a reference that a tag
    splits. Footnotes move to their marks or to the end.
    """
    if SPLIT_REFERENCE.search(document.page.source):
        return
    tree = structured(document, style)
    tags = {node.tag for node in walk(tree)}
    if "math" in tags or "<math" in document.page.source.lower():
        return
    expected, found = letters(" ".join(kept)), letters(READERS[style.format](text))
    lost, extra = Counter(expected), Counter(found)
    assert not lost - extra
    if not NOTE_REFERENCE.search(document.page.source):  # it may bring any text as its note
        assert not extra - lost - added(document, tree)
    if "footnotes" not in tags:
        there = iter(found)
        assert all(letter in there for letter in expected)
