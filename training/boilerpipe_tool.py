"""Boilerpipe as its program reads a page, where that differs from the paper.

The paper cuts a page at every tag but A. The program that its authors published, and boilerpy3 which
was made from it (both Apache-2.0), also read over B, SPAN and other inline tags, keep nothing outside
BODY, skip more elements, take other characters for words, and merge neighbours of equal text density
before they ask the tree. This module follows the program, oddities included, for those who compare.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from stupidos.literature.boilerpipe import DENSITY_TREE, Boilerpipe, FeatureColumns, classify
from stupidos.literature.boilerpipe_article import from_title
from stupidos.literature.boilerpipe_blocks import wrapped_lines
from stupidos.literature.tokens import (
    BoolArray,
    FloatArray,
    IntArray,
    TokenList,
    pieces,
    segment_numbers,
    walk,
)
from stupidos.render.references import unescaped
from stupidos.render.tokens import RAW_ELEMENT
from stupidos.score.scorer import Scorer, Scores

if TYPE_CHECKING:
    from stupidos.page import Page

IGNORED = frozenset("style script option object embed applet noscript".split())
INLINE = frozenset("strike u b i em strong span sup code tt sub var font".split())
SPACED = frozenset(("abbr", "acronym"))  # inline, with a blank on either side
SHUT = re.compile(r"""(?:^|[\s"'])/$""")  # <br/>, but not <a href=x/>
TOKEN = re.compile(r"[\w\"'.,!@\-:;$?()/]+")
LETTER = re.compile(r"[^\W_]")


@dataclass(slots=True)
class Block:
    """A block as it grows: stretches of text, each inside a link or not."""

    stretches: list[tuple[str, bool]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    def add(self, text: str, linked: bool, number: int, apart: bool) -> None:
        self.numbers.append(number)
        if self.stretches and self.stretches[-1][1] == linked and not apart:
            text = self.stretches.pop()[0] + text
        self.stretches.append((text, linked))

    def words(self) -> list[tuple[str, bool]]:
        """Its words, and whether each is inside a link."""
        return [
            (token, linked)
            for text, linked in self.stretches
            for token in TOKEN.findall(text)
            if LETTER.search(token)
        ]


@dataclass(slots=True)
class Reader:
    """State of the program's parser; its counters are allowed to go wrong as they do there."""

    body: int = 0
    ignored: int = 0
    anchors: int = 0
    in_link: bool = False
    apart: bool = True  # whether there is a blank between this text and the one before
    blocks: list[Block] = field(default_factory=lambda: [Block()])

    def text(self, text: str, number: int) -> None:
        if self.body and not self.ignored:
            self.blocks[-1].add(unescaped(text), self.in_link, number, self.apart)
            self.apart = False

    def tag(self, tag: str, step: int) -> None:
        """An element begins (step 1) or ends (step -1)."""
        if tag in INLINE:
            return
        self.apart = True
        if tag == "a":
            self.anchor(step)
        elif tag not in SPACED:
            self.ignored += step if tag in IGNORED else 0
            self.body += step if tag == "body" else 0
            if self.blocks[-1].stretches:
                self.blocks.append(Block())

    def anchor(self, step: int) -> None:
        """A link begins or ends; unbalanced tags leave the count, and what it says, wrong for good."""
        self.anchors += step
        if self.anchors > 1:
            self.anchors -= 1
        if step > 0 and not self.ignored:
            self.in_link = True
        elif step < 0 and self.anchors == 0 and not self.ignored:
            self.in_link = False


class WordBlocks(NamedTuple):
    """Blocks whose tokens are words, and of which some have none."""

    texts: Sequence[str]
    numbers: Sequence[Sequence[int]]  # numbers of the tokens of the page that each consists of
    tokens: FloatArray
    linked: FloatArray
    lines: FloatArray  # that are filled after wrapping
    on_lines: FloatArray  # words on these

    def words(self) -> FloatArray:
        return self.tokens

    def link_density(self) -> FloatArray:
        return self.linked / np.maximum(self.tokens, 1)

    def text_density(self) -> FloatArray:
        return self.on_lines / self.lines


def blocks_as_program(page: TokenList) -> WordBlocks:
    """The blocks of a page as the program cuts and measures it; tokens are words there.

    >>> page = ["", "body", "", "One ", "b", "", "t", "/b", "", "wo", "p", "", "three", None, None]
    >>> blocks_as_program(page).words()
    array([2., 1.])
    """
    reader = Reader()
    for number, text, name, attributes in walk(page):
        if text:
            if text[0].isspace():
                reader.apart = True
            if not text.isspace():
                reader.text(text, number)
                reader.apart = text[-1].isspace()
        raw = RAW_ELEMENT.match(name)
        tag = raw[1] if raw else name
        if tag.startswith("/"):
            reader.tag(tag[1:], -1)
        elif tag and not SHUT.search(attributes):  # <br/> does nothing at all
            reader.tag(tag, 1)
    return columns_of(
        [block for block in reader.blocks if any(TOKEN.search(text) for text, _ in block.stretches)]
    )


def columns_of(blocks: list[Block]) -> WordBlocks:
    """The blocks measured by their words."""
    rows = []
    for block in blocks:
        words = block.words()
        lines, on_lines = wrapped_lines(" ".join(word for word, _ in words)) if words else (1, 0)
        rows.append((len(words), sum(linked for _, linked in words), lines, on_lines))
    texts = [" ".join(" ".join(text for text, _ in block.stretches).split()) for block in blocks]
    measures = np.array(rows, dtype=np.float64).reshape(len(rows), 4).T
    return WordBlocks(texts, [block.numbers for block in blocks], *measures)


def fused(blocks: WordBlocks) -> tuple[WordBlocks, IntArray]:
    """Neighbours of equal text density made one, and which one each block has become.

    >>> page = ["", "body", "", "one two", "p", "", "three four", "p", "", "five", None, None]
    >>> whole, into = fused(blocks_as_program(page))
    >>> whole.words(), into
    (array([4., 1.]), array([0, 0, 1]))
    """
    density = blocks.text_density()
    into = np.cumsum(np.diff(density, prepend=density[:1]) != 0)
    edges = np.flatnonzero(np.diff(into, prepend=-1))
    columns = (blocks.tokens, blocks.linked, blocks.lines, blocks.on_lines)
    tokens, linked, lines, on_lines = (np.add.reduceat(column, edges) for column in columns)
    return blocks._replace(tokens=tokens, linked=linked, lines=lines, on_lines=on_lines), into


def default_extractor(blocks: WordBlocks, title: str) -> BoolArray:
    """Content by the program's DefaultExtractor: fuse, then ask the density tree."""
    whole, into = fused(blocks)
    return np.asarray(classify(DENSITY_TREE, FeatureColumns(whole)), dtype=np.bool_)[into]


def article_extractor(blocks: WordBlocks, title: str) -> BoolArray:
    """Content by the program's ArticleExtractor: the runs from the title to the largest, whole."""
    return from_title(FeatureColumns(blocks), blocks.texts, title)[0]


@dataclass(frozen=True, slots=True)
class BoilerpipeTool(Boilerpipe):
    """A Boilerpipe that reads pages as the program does."""

    reading: str = "tool"
    hidden: bool = field(default=True, kw_only=True)  # the program shows what style sheets hide

    def score(self, page: Page) -> Scores:
        split = pieces(page)
        blocks = blocks_as_program(split)
        count = len(page.segments)
        if not count or not len(blocks.tokens):
            return np.full(count, -1.0)
        kept = np.repeat(self.classifier(blocks, page.title), [len(numbers) for numbers in blocks.numbers])
        numbers = np.concatenate([np.array(numbers, dtype=np.int64) for numbers in blocks.numbers])
        lengths = np.array([len((split[3 * number] or "").split()) for number in numbers.tolist()])
        segments = segment_numbers(page, numbers)
        votes = np.where(kept, lengths, -lengths) * (segments >= 0)
        return np.where(np.bincount(np.maximum(segments, 0), votes, minlength=count) > 0, 1.0, -1.0)


def density() -> Scorer:
    """The program's DefaultExtractor."""
    return BoilerpipeTool("boilerpipe-tool", default_extractor)


def article() -> Scorer:
    """The program's ArticleExtractor."""
    return BoilerpipeTool("boilerpipe-article-tool", article_extractor)
