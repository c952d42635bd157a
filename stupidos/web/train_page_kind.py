"""The kind of page in training: the vocabulary of page heads, and forward and backward pass of embeddings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from stupidos.web.elements import Indices
from stupidos.web.network import Matrix, Weights

_MIN_SITES = 6  # on which a word must occur; rarer ones identify sites instead of kinds
_WORD_DROPOUT = 0.5  # share of a head's words that are dropped in a training step
_HEAD_DROPOUT = 0.3  # share of pages whose whole head is dropped, since some pages have none

Vocabulary = dict[str, int]


def vocabulary(heads: Iterable[tuple[frozenset[str], str]], min_sites: int = _MIN_SITES) -> Vocabulary:
    """The words that occur in heads of several sites, with their indices; `heads` pairs words with a site.

    >>> heads = [(frozenset(["path:tea", "path:blog"]), "a"), (frozenset(["path:blog"]), "b")]
    >>> vocabulary(heads, min_sites=2)
    {'path:blog': 0}
    """
    sites_of = defaultdict(set)
    for words, site in heads:
        for word in words:
            sites_of[word].add(site)
    frequent = sorted(word for word, sites in sites_of.items() if len(sites) >= min_sites)
    return {word: index for index, word in enumerate(frequent)}


class _PageKinds(NamedTuple):
    """The kinds of the pages of a batch, with what the backward pass needs."""

    activations: Matrix  # (pages, D), from -1 to 1
    kept: Matrix  # (pages, 1): 0 for a page whose head is dropped
    roots: Matrix  # (pages, 1): square root of the number of words
    page: Indices  # of each word
    word: Indices

    @property
    def vectors(self) -> Matrix:
        """The kind of each page as the network sees it, (pages, D)."""
        vectors: Matrix = self.activations * self.kept
        return vectors


def page_kinds(
    words: Sequence[Indices], weights: Weights, dropout: bool, rng: np.random.Generator
) -> _PageKinds:
    """The kinds of several pages, from the known words of their heads."""
    page = np.repeat(np.arange(len(words)), [len(indices) for indices in words])
    word = np.concatenate(words)
    kept = np.ones((len(words), 1), np.float32)
    if dropout:
        kept_words = rng.random(len(word)) >= _WORD_DROPOUT
        page, word = page[kept_words], word[kept_words]
        kept[:, 0] = rng.random(len(words)) >= _HEAD_DROPOUT
    roots = np.sqrt(np.maximum(np.bincount(page, minlength=len(words)), 1)).astype(np.float32)[:, None]
    sums = np.zeros((len(words), weights.words.shape[1]), np.float32)
    np.add.at(sums, page, weights.words[word])
    return _PageKinds(np.tanh(sums / roots), kept, roots, page, word)


def page_kind_gradients(
    kinds: _PageKinds, weights: Weights, hidden: Matrix, around: Matrix
) -> dict[str, Matrix]:
    """Gradients of embeddings and projections, from those of both layers' units summed by page."""
    vectors = kinds.vectors
    of_kind = hidden.T @ weights.kind_hidden + around.T @ weights.kind_around  # (pages, D)
    of_sum = of_kind * kinds.kept * (1 - kinds.activations**2) / kinds.roots
    words = np.zeros_like(weights.words)
    np.add.at(words, kinds.word, of_sum[kinds.page])
    return {"words": words, "kind_hidden": hidden @ vectors, "kind_around": around @ vectors}
