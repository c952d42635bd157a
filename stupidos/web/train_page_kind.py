"""Kinds of pages in training: the words of heads that are known, and what the network learns of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.web.elements import Numbers
from stupidos.web.network import Matrix, Weights

SITES = 6  # that a word must come from: what fewer say is their own affair
WORD_DROPOUT = 0.5  # share of a head's words that are not heard in a step of training
PAGE_DROPOUT = 0.3  # share of the pages that are judged without their head, as some have none

Vocabulary = dict[str, int]


def vocabulary(heads: Iterable[tuple[frozenset[str], str]], sites: int = SITES) -> Vocabulary:
    """The words that the heads of several sites have, numbered; heads come with their sites.

    >>> vocabulary([(frozenset(["path:tea", "path:blog"]), "a"), (frozenset(["path:blog"]), "b")], sites=2)
    {'path:blog': 0}
    """
    seen = defaultdict(set)
    for words, site in heads:
        for word in words:
            seen[word].add(site)
    return {word: at for at, word in enumerate(sorted(word for word in seen if len(seen[word]) >= sites))}


class Kinds(NamedTuple):
    """The kinds of the pages of a batch, and what they were made of."""

    told: Matrix  # (pages, D), from -1 to 1
    heard: npt.NDArray[np.float32]  # (pages, 1): 0 for a page judged without its head
    roots: Matrix  # (pages, 1): root of the number of words
    page: Numbers  # of each word
    word: Numbers

    @property
    def vectors(self) -> Matrix:
        """What the network hears of each page, (pages, D)."""
        found: Matrix = self.told * self.heard
        return found


def kinds(words: Sequence[Numbers], weights: Weights, dropout: bool, rng: np.random.Generator) -> Kinds:
    """The kinds that the words of several heads tell."""
    page = np.repeat(np.arange(len(words)), [len(some) for some in words])
    word = np.concatenate(words)
    heard = np.ones((len(words), 1), np.float32)
    if dropout:
        kept = rng.random(len(word)) >= WORD_DROPOUT
        page, word = page[kept], word[kept]
        heard[:, 0] = rng.random(len(words)) >= PAGE_DROPOUT
    roots = np.sqrt(np.maximum(np.bincount(page, minlength=len(words)), 1)).astype(np.float32)[:, None]
    sums = np.zeros((len(words), weights.words.shape[1]), np.float32)
    np.add.at(sums, page, weights.words[word])
    return Kinds(np.tanh(sums / roots), heard, roots, page, word)


def slopes_of(found: Kinds, weights: Weights, hidden: Matrix, around: Matrix) -> dict[str, Matrix]:
    """Slopes of the loss for what is learnt of kinds, from those of both layers, added up for each page."""
    vectors = found.vectors
    by_kind = hidden.T @ weights.kind_hidden + around.T @ weights.kind_around  # (pages, D)
    by_sum = by_kind * found.heard * (1 - found.told**2) / found.roots
    words = np.zeros_like(weights.words)
    np.add.at(words, found.word, by_sum[found.page])
    return {"words": words, "kind_hidden": hidden @ vectors, "kind_around": around @ vectors}
