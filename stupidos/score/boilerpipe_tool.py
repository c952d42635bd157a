"""Boilerpipe as its program reads a page, where that differs from the paper.

The paper cuts a page at every tag but A. The program that its authors published, and boilerpy3 which
was made from it (both Apache-2.0), also read over B, SPAN and other inline tags, keep nothing outside
BODY, skip more elements, take other characters for words, and merge neighbours of equal text density
before they ask the tree. This module follows the program, oddities included, for those who compare.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from stupidos.render.references import unescaped
from stupidos.render.tokens import RAW_ELEMENT
from stupidos.score.article import from_title
from stupidos.score.blocks import FRAGMENT_END, Counts, Flags, Fragments, Pieces, numbered, pieces
from stupidos.score.boilerpipe import DENSITY_TREE, Boilerpipe, content, features, per_segment
from stupidos.score.density import IN_TOKEN, IN_WORD, NOT_IN_TOKEN, Blocks, Table, measured
from stupidos.score.scorer import Scorer, Scores

if TYPE_CHECKING:
    from stupidos.page import Page

IGNORED = frozenset("style script option object embed applet noscript".split())
INLINE = frozenset("strike u b i em strong span sup code tt sub var font".split())
SPACED = frozenset(("abbr", "acronym"))  # inline, with a blank on either side
SHUT = re.compile(r"""(?:^|[\s"'])/$""")  # <br/>, but not <a href=x/>
SIGNS = "\"'.,!@-:;$?()/_"  # tokens are made of these, letters and digits


@lru_cache(maxsize=1)
def signs() -> Table:
    """What each character is in the program: all but letters, digits and a few signs separates tokens."""
    characters = np.arange(1 << 16, dtype="<u4").view("<U1")
    table = np.where(np.char.isalnum(characters), IN_WORD, NOT_IN_TOKEN).astype(np.uint8)
    table[[ord(sign) for sign in SIGNS]] = IN_TOKEN
    table[-1] = IN_WORD
    table[0] = IN_TOKEN  # ends a fragment, but not the word that an inline tag cuts through
    return table


@dataclass(slots=True)
class Reader:
    """State of the program's parser; its counters are allowed to go wrong as they do there."""

    body: int = 0
    ignored: int = 0
    anchors: int = 0
    in_link: bool = False
    block: int = 0

    def tag(self, name: str, open_and_shut: bool) -> str:
        """What stands between the texts before and behind a tag: a blank or nothing. May end the block."""
        closes = name.startswith("/")
        tag, step = name.lstrip("/"), -1 if closes else 1
        if open_and_shut and not closes:
            return ""  # <br/> does nothing at all
        if tag == "a":
            return self.anchor(step)
        if tag in INLINE:
            return ""
        if tag in SPACED:
            return " "
        if tag in IGNORED:
            self.ignored += step
        elif tag == "body":
            self.body += step
        self.block += 1
        return " "

    def anchor(self, step: int) -> str:
        """A link begins or ends; unbalanced tags leave the count, and what it says, wrong for good."""
        self.anchors += step
        if self.anchors > 1:
            self.anchors -= 1
        if step > 0 and not self.ignored:
            self.in_link = True
        elif step < 0 and self.anchors == 0 and not self.ignored:
            self.in_link = False
        return " "


def cut_as_program(page: Pieces) -> Fragments:
    """The fragments of a page as the program cuts it.

    >>> cut_as_program(["", "body", "", "a ", "b", "", "b", "/b", "", " c", "p", "", "d"]).blocks
    array([0, 0, 0, 1])
    """
    reader = Reader()
    texts: list[str] = []
    rows: list[tuple[int, int, bool]] = []
    column, tags, attributes = page[0::3], [*page[1::3], None], [*page[2::3], None]
    for number, text in enumerate(column):
        if text and not text.isspace() and reader.body and not reader.ignored:
            texts.append(unescaped(text))
            rows.append((number, reader.block, reader.in_link))
        name = tags[number]
        if name is None:
            continue
        raw = RAW_ELEMENT.match(name)
        between = reader.tag(
            raw[1].lower() if raw else name.lower(), SHUT.search(attributes[number] or "") is not None
        )
        if texts and between:
            texts[-1] += between
    numbers, blocks, linked = (list(part) for part in zip(*rows, strict=True)) if rows else ([], [], [])
    return Fragments(
        "".join(text + FRAGMENT_END for text in texts) + " ",  # the blank ends the last word
        np.array(numbers, dtype=np.int64),
        numbered(np.array(blocks, dtype=np.int64)),
        np.array(linked, dtype=np.bool_),
    )


def fused(blocks: Blocks) -> tuple[Blocks, Counts]:
    """Neighbours of equal text density made one, and which one each block has become.

    >>> from stupidos.score.blocks import cut
    >>> blocks, into = fused(measured(cut(["one two", "p", "", "three four", "p", "", "five"])))
    >>> blocks.words, into
    (array([4, 1]), array([0, 0, 1]))
    """
    density = blocks.text_density
    into = np.cumsum(np.diff(density, prepend=density[:1]) != 0)
    edges = np.flatnonzero(np.diff(into, prepend=-1))
    wraps = np.add.reduceat(np.maximum(blocks.lines - 1, 1), edges)
    full = np.add.reduceat(np.where(blocks.lines > 1, blocks.full_lines, blocks.tokens), edges)
    whole = blocks._replace(
        tokens=np.add.reduceat(blocks.tokens, edges),
        words=np.add.reduceat(blocks.words, edges),
        linked=np.add.reduceat(blocks.linked, edges),
        lines=wraps + 1,  # so that text_density divides by the wraps
        full_lines=full,
    )
    return whole, into


def default_extractor(fragments: Fragments, blocks: Blocks, title: str) -> Flags:
    """Content by the program's DefaultExtractor: fuse, then ask the density tree."""
    whole, into = fused(blocks)
    return np.asarray(content(DENSITY_TREE, features(whole)), dtype=np.bool_)[into]


def article_extractor(fragments: Fragments, blocks: Blocks, title: str) -> Flags:
    """Content by the program's ArticleExtractor: the runs from the title to the largest, whole."""
    return from_title(fragments, blocks, title)[0]


@dataclass(frozen=True, slots=True)
class BoilerpipeTool(Boilerpipe):
    """A Boilerpipe that reads pages as the program does."""

    reading: str = "tool"
    hidden: bool = True  # the program shows what style sheets hide, so the renderer must too

    def score(self, page: Page) -> Scores:
        fragments = cut_as_program(pieces(page))
        blocks = measured(fragments, signs(), words_only=True)
        if not page.segments or not len(blocks.tokens):
            return np.full(len(page.segments), -1.0)
        kept = self.judge(fragments, blocks, page.title)
        segments = segment_of(page, fragments.numbers)
        seen = segments >= 0
        blocks = blocks._replace(
            fragment_words=blocks.fragment_words[seen], fragment_blocks=blocks.fragment_blocks[seen]
        )
        return per_segment(segments[seen], len(page.segments), blocks, kept)


def segment_of(page: Page, numbers: Counts) -> Counts:
    """The segment that each text of the page is in; -1 for those that the renderer does not show."""
    first = np.array([segment.first for segment in page.segments], dtype=np.int64)
    last = np.array([segment.last for segment in page.segments], dtype=np.int64)
    found = np.searchsorted(first, numbers, side="right") - 1
    return np.where((found >= 0) & (numbers <= last[found]), found, -1)


def density() -> Scorer:
    """The program's DefaultExtractor."""
    return BoilerpipeTool("boilerpipe-tool", default_extractor)


def article() -> Scorer:
    """The program's ArticleExtractor."""
    return BoilerpipeTool("boilerpipe-article-tool", article_extractor)
