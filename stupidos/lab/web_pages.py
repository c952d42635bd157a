"""Pages as the web model learns from them: arrays and labels, and the sketches counted from both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.lab.align import matched_shares
from stupidos.page import Page, Segment
from stupidos.score import sketch
from stupidos.score.features import Alphabet, Prepared, prepared, read_columns
from stupidos.score.net import Matrix, Places
from stupidos.score.sketch import Counts, Sketch
from stupidos.score.web import ORDERS, SKETCHES, pair

PRIORS = {"text": 2.0, "structure": 1.0}  # characters' worth of even odds that every n-gram starts with
LONG_PAGE = 10_000  # characters; a longer page counts as one of this length
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


class Lesson(NamedTuple):
    """What the network is shown of a page."""

    columns: Matrix
    places: Places
    labels: Weighted
    weights: Weighted


def web_page(
    name: str, page: Page, gold: Sequence[Segment], alphabet: Alphabet, weight: float, fold: int
) -> WebPage:
    """A page with the labels that its gold text gives."""
    made = prepared(page, alphabet)
    importance = np.sqrt(made.sizes / 5 + 0.5)  # the root of the words: long paragraphs count, but not all
    importance *= weight / importance.sum()
    return WebPage(name, made, matched_shares(page.segments, gold).astype(np.float32), importance, fold)


def counted(page: WebPage) -> list[Pair]:
    """The n-grams of a page's text and of its elements, as many clean as its labels say."""
    made, clean = page.made, page.labels.astype(np.float64)
    lengths = np.diff(made.starts, append=len(made.text))
    share = min(1.0, LONG_PAGE / len(made.text))
    sides = [np.repeat(side * share, lengths) for side in (clean, 1 - clean)]
    around = made.elements
    mass = np.sqrt(made.sizes + 1)
    mass *= ELEMENT_MASS / mass.sum()
    element_lengths = np.diff(made.element_starts, append=len(made.element_text))
    element_sides = []
    for side in (clean, 1 - clean):
        below = np.concatenate([[0.0], np.cumsum(mass * side)])
        by_spelling = np.bincount(
            around.spelling, below[around.end] - below[around.first], minlength=len(around.written)
        )
        by_spelling[0] = 0  # the page itself
        element_sides.append(np.repeat(by_spelling.astype(np.float64), element_lengths))
    text = sketch.counted(made.text, ORDERS["text"], *sides)
    return text + sketch.counted(made.element_text, ORDERS["structure"], *element_sides)


def fold_counts(pages: Iterable[WebPage], folds: int) -> list[list[Pair]]:
    """Counts of the pages of each fold."""
    found = [[(np.zeros(1 << bits), np.zeros(1 << bits)) for bits in SKETCHES.values()] for _ in range(folds)]
    for page in pages:
        for (clean, dirty), (more_clean, more_dirty) in zip(found[page.fold], counted(page), strict=True):
            clean += more_clean
            dirty += more_dirty
    return found


def sketches(parts: Sequence[Sequence[Pair]]) -> dict[str, Sketch]:
    """The sketches learnt from the counts of several folds, by their names in the model file."""
    found = {}
    names = [(kind, order, bits) for kind, orders in ORDERS.items() for order, bits in orders]
    for at, (kind, order, bits) in enumerate(names):
        clean, dirty = (np.sum([part[at][side] for part in parts], axis=0) for side in (0, 1))
        found[f"{kind}_{order}"] = sketch.learnt(order, bits, clean, dirty, PRIORS[kind])
    return found


def lesson(page: WebPage, learnt: dict[str, Sketch]) -> Lesson:
    """A page read by language models that have not seen it."""
    tables = {name: found.table for name, found in learnt.items()}
    text, structure = pair(tables, "text"), pair(tables, "structure")
    columns = np.concatenate([page.made.columns, read_columns(page.made, text, structure)], axis=1)
    return Lesson(columns, page.made.places, page.labels, page.weights)
