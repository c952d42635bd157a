"""Pages as the web model learns from them: arrays and labels, and the sketches counted from both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.lab.align import matched_shares
from stupidos.page import Page, Segment
from stupidos.web import hashed_ngrams
from stupidos.web.elements import Numbers
from stupidos.web.features import Prepared, prepared, read_rows
from stupidos.web.hashed_ngrams import KINDS, SLOTS, Counts, Table
from stupidos.web.network import Matrix, Places
from stupidos.web.page_kind import numbered
from stupidos.web.symbols import Symbols
from stupidos.web.train_page_kind import Vocabulary, vocabulary

PRIORS = {"text": 2.0, "structure": 1.0}  # characters' worth of even odds that every n-gram starts with
IMPORTANCE = 0.7  # power of a segment's words that it weighs: long paragraphs count, but not all
LONG_PAGE = 10_000  # characters; a longer page counts as one of this length
COPIED = 40  # characters; shorter texts are repeated by chance
ELEMENT_MASS = 30.0  # what the elements of a page weigh together, in characters

Pair = tuple[Counts, Counts]  # clean and dirty
Weighted = npt.NDArray[np.float32]


class WebPage(NamedTuple):
    """A page to learn from."""

    name: str
    made: Prepared
    labels: Weighted  # share of each segment's words that people kept
    weights: Weighted  # of each segment in the loss; a page's add up to its corpus's weight
    fold: int
    site: str


class Lesson(NamedTuple):
    """What the network is shown of a page."""

    rows: Matrix
    places: Places
    labels: Weighted
    weights: Weighted
    words: Numbers  # of the head, those that are known


def web_page(
    name: str, page: Page, gold: Sequence[Segment], symbol_of: Symbols, weight: float, site: str, fold: int
) -> WebPage:
    """A page with the labels that its gold text gives."""
    made = prepared(page, symbol_of)
    importance: Weighted = np.power(made.sizes / 5 + 0.5, np.float32(IMPORTANCE))
    importance *= np.float32(weight) / importance.sum()  # in 32 bits with numpy 1 as well
    labels = matched_shares(page.segments, gold).astype(np.float32)
    first_copies(labels, [segment.text for segment in page.segments])
    return WebPage(name, made, labels, importance, fold, site)


def first_copies(labels: Weighted, texts: Sequence[str]) -> None:
    """Of a long text that the page has more often than the gold, the first copies are the clean ones.

    Pages for screens of all sizes hold their text twice; which copy is aligned to the gold is chance.

    >>> labels = np.array([0, 1], np.float32)
    >>> first_copies(labels, ["Tea " * COPIED] * 2)
    >>> labels
    array([1., 0.], dtype=float32)
    """
    copies: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        if len(text) >= COPIED:
            copies.setdefault(text, []).append(at)
    for places in copies.values():
        if len(places) > 1:
            labels[places] = np.sort(labels[places])[::-1]


def counted(page: WebPage) -> list[Pair]:
    """The n-grams of a page's text and of its elements, as many clean as its labels say."""
    made, clean = page.made, page.labels.astype(np.float64)
    edge = made.starts[len(clean)]
    lengths = np.diff(made.starts)
    share = min(1.0, LONG_PAGE / edge)
    sides = [np.repeat(side * share, lengths[: len(clean)]) for side in (clean, 1 - clean)]
    around = made.elements
    mass = np.sqrt(made.sizes + 1)
    mass *= ELEMENT_MASS / mass.sum()
    element_sides = []
    for side in (clean, 1 - clean):
        below = np.concatenate([[0.0], np.cumsum(mass * side)])
        by_spelling = np.bincount(
            around.spelling, np.diff(below[around.edges], axis=0)[0], minlength=len(around.written)
        )
        by_spelling[0] = 0  # the page itself
        element_sides.append(np.repeat(by_spelling.astype(np.float64), lengths[len(clean) :]))
    return [
        hashed_ngrams.counted(made.symbols[: edge + hashed_ngrams.ORDER - 1], *sides),
        hashed_ngrams.counted(made.symbols[edge:], *element_sides),
    ]


def fold_counts(pages: Iterable[WebPage], folds: int) -> list[list[Pair]]:
    """Counts of the pages of each fold, by KINDS."""
    found = [[(np.zeros(SLOTS), np.zeros(SLOTS)) for _ in KINDS] for _ in range(folds)]
    for page in pages:
        for (clean, dirty), (more_clean, more_dirty) in zip(found[page.fold], counted(page), strict=True):
            clean += more_clean
            dirty += more_dirty
    return found


def ngram_table(parts: Sequence[Sequence[Pair]]) -> Table:
    """The table learnt from the counts of several folds."""
    learnt = []
    for at, kind in enumerate(KINDS):
        clean, dirty = (np.sum([part[at][side] for part in parts], axis=0) for side in (0, 1))
        learnt.append(hashed_ngrams.learnt(clean, dirty, PRIORS[kind]))
    return np.concatenate(learnt)


def words_of(pages: Iterable[WebPage]) -> Vocabulary:
    """The words that the heads of these pages know of each other."""
    return vocabulary((page.made.words, page.site) for page in pages)


def lesson(page: WebPage, ngrams: Table, known: Vocabulary) -> Lesson:
    """A page read by language models that have not seen it."""
    rows = read_rows(page.made, ngrams)
    words = np.array(numbered(page.made.words, known), np.intp)
    return Lesson(rows, page.made.places, page.labels, page.weights, words)
