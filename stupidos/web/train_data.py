"""Training data of the web model: pages aligned to their gold, n-gram counts, inputs of the network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from stupidos.lab.align import matched_shares
from stupidos.page import Page, Segment
from stupidos.web.elements import Indices
from stupidos.web.features import PageArrays, features, page_arrays
from stupidos.web.hashed_ngrams import (
    LANGUAGE_MODELS,
    ORDER,
    SLOTS,
    HashedCounts,
    NgramTable,
    ngram_counts,
    quantized_log_odds,
)
from stupidos.web.network import Matrix, Neighbourhoods
from stupidos.web.page_kind import word_indices
from stupidos.web.symbols import Symbols
from stupidos.web.train_page_kind import Vocabulary, vocabulary

_PRIORS = {"text": 2.0, "structure": 1.0}  # pseudo-counts of every n-gram on either side
_SIZE_EXPONENT = 0.7  # a segment's weight in the loss grows with its words to this power
_LONG_PAGE = 10_000  # characters; a longer page counts like one of this length
_SHORTEST_COPY = 40  # characters; shorter texts are repeated by chance
_STRUCTURE_MASS = 30.0  # total count of a page's elements, in characters

_CountPair = tuple[HashedCounts, HashedCounts]  # clean and dirty
FoldCounts = list[_CountPair]  # one pair for each of LANGUAGE_MODELS


class AlignedPage(NamedTuple):
    """A page with labels from its gold text."""

    name: str
    arrays: PageArrays
    labels: Matrix  # share of each segment's words that are in the gold text
    weights: Matrix  # of each segment in the loss; they sum to the weight of the page's source
    fold: int
    site: str
    conventions: tuple[str, ...] = ()  # words that name what the gold counts as text


class TrainingPage(NamedTuple):
    """What the network is trained on."""

    features: Matrix
    neighbourhoods: Neighbourhoods
    labels: Matrix
    weights: Matrix
    words: Indices  # known words of the page's head
    conventions: Indices  # and those of its convention


def aligned_page(
    name: str, page: Page, gold: Sequence[Segment], symbol_table: Symbols, weight: float, site: str, fold: int
) -> AlignedPage:
    """A page with the labels and weights of its segments."""
    arrays = page_arrays(page, symbol_table)
    weights: Matrix = np.power(arrays.sizes / 5 + 0.5, np.float32(_SIZE_EXPONENT))
    weights *= np.float32(weight) / weights.sum()  # float32 with numpy 1 as well
    labels = matched_shares(page.segments, gold).astype(np.float32)
    labels = _first_copies_clean(labels, [segment.text for segment in page.segments])
    return AlignedPage(name, arrays, labels, weights, fold, site)


def _first_copies_clean(labels: Matrix, texts: Sequence[str]) -> Matrix:
    """Labels that prefer the first copies of a long text which the page has more often than the gold.

    Responsive pages hold their text twice; which copy is aligned to the gold is arbitrary.

    >>> _first_copies_clean(np.array([0, 1], np.float32), ["Tea " * _SHORTEST_COPY] * 2)
    array([1., 0.], dtype=float32)
    """
    copies_of: dict[str, list[int]] = {}
    for segment, text in enumerate(texts):
        if len(text) >= _SHORTEST_COPY:
            copies_of.setdefault(text, []).append(segment)
    labels = labels.copy()
    for copies in copies_of.values():
        if len(copies) > 1:
            labels[copies] = np.sort(labels[copies])[::-1]
    return labels


def _page_counts(page: AlignedPage) -> FoldCounts:
    """The n-gram counts of a page's text and of its element signatures, split by the labels."""
    arrays, clean = page.arrays, page.labels.astype(np.float64)
    end = arrays.starts[len(clean)]  # of the text
    lengths = np.diff(arrays.starts)
    share = min(1.0, _LONG_PAGE / end)
    text_weights = [np.repeat(side * share, lengths[: len(clean)]) for side in (clean, 1 - clean)]
    elements = arrays.elements
    mass = np.sqrt(arrays.sizes + 1)
    mass *= _STRUCTURE_MASS / mass.sum()
    structure_weights = []
    for side in (clean, 1 - clean):
        passed = np.concatenate([[0.0], np.cumsum(mass * side)])
        by_signature = np.bincount(
            elements.signature, np.diff(passed[elements.spans], axis=0)[0], minlength=len(elements.signatures)
        )
        by_signature[0] = 0  # the page itself
        structure_weights.append(np.repeat(by_signature.astype(np.float64), lengths[len(clean) :]))
    return [
        ngram_counts(arrays.symbols[: end + ORDER - 1], *text_weights),
        ngram_counts(arrays.symbols[end:], *structure_weights),
    ]


def no_counts() -> FoldCounts:
    """The counts of no page."""
    return [(np.zeros(SLOTS), np.zeros(SLOTS)) for _ in LANGUAGE_MODELS]


def fold_counts(pages: Iterable[AlignedPage], folds: int) -> list[FoldCounts]:
    """The n-gram counts of each fold."""
    counts = [no_counts() for _ in range(folds)]
    for page in pages:
        for (clean, dirty), (page_clean, page_dirty) in zip(
            counts[page.fold], _page_counts(page), strict=True
        ):
            clean += page_clean
            dirty += page_dirty
    return counts


def ngram_table(counts: Sequence[FoldCounts]) -> NgramTable:
    """Both language models, from the counts of several folds."""
    tables = []
    for index, name in enumerate(LANGUAGE_MODELS):
        clean, dirty = (np.sum([fold[index][side] for fold in counts], axis=0) for side in (0, 1))
        tables.append(quantized_log_odds(clean, dirty, _PRIORS[name]))
    return np.concatenate(tables)


def vocabulary_of(pages: Sequence[AlignedPage]) -> Vocabulary:
    """The words of the conventions, then the vocabulary of the pages' heads."""
    conventions = sorted({word for page in pages for word in page.conventions})
    heads = vocabulary((page.arrays.words, page.site) for page in pages)
    return {word: index for index, word in enumerate([*conventions, *heads])}


def training_pages(
    pages: Sequence[AlignedPage], counts: Sequence[FoldCounts], known_words: Vocabulary
) -> list[TrainingPage]:
    """Every page, its features by language models of the other folds."""
    tables = [ngram_table(_other_folds(counts, fold)) for fold in range(len(counts))]
    return [
        TrainingPage(
            features(page.arrays, tables[page.fold]),
            page.arrays.neighbourhoods,
            page.labels,
            page.weights,
            np.array(word_indices(page.arrays.words, known_words), np.intp),
            np.array(word_indices(page.conventions, known_words), np.intp),
        )
        for page in pages
    ]


def _other_folds(counts: Sequence[FoldCounts], fold: int) -> list[FoldCounts]:
    """The counts of all folds but one; of that one if there is no other."""
    return [part for index, part in enumerate(counts) if index != fold] or list(counts)
