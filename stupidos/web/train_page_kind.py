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
_CONVENTION_DROPOUT = 0.5  # share of pages whose convention is withheld, as most users name none

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

    vectors: Matrix  # (pages, D), from -1 to 1
    roots: Matrix  # (pages, 1): square root of the number of words
    page: Indices  # of each word
    word: Indices


def page_kinds(
    words: Sequence[Indices],
    conventions: Sequence[Indices],
    weights: Weights,
    rng: np.random.Generator | None = None,
) -> _PageKinds:
    """The kinds of several pages, from the known words of their heads and of their conventions.

    With `rng`, words, heads and conventions are dropped at random.
    """
    page, convention_page = (
        np.repeat(np.arange(len(parts)), [len(part) for part in parts]) for parts in (words, conventions)
    )
    word, convention = np.concatenate(words), np.concatenate(conventions)
    if rng is not None:
        named = rng.random(len(words)) >= _CONVENTION_DROPOUT
        with_head = rng.random(len(words)) >= _HEAD_DROPOUT
        kept = (rng.random(len(word)) >= _WORD_DROPOUT) & with_head[page]
        page, word = page[kept], word[kept]
        kept = named[convention_page]
        convention_page, convention = convention_page[kept], convention[kept]
    page, word = np.concatenate([page, convention_page]), np.concatenate([word, convention])
    roots = np.sqrt(np.maximum(np.bincount(page, minlength=len(words)), 1)).astype(np.float32)[:, None]
    sums = np.zeros((len(words), weights.words.shape[1]), np.float32)
    np.add.at(sums, page, weights.words[word])
    return _PageKinds(np.tanh(sums / roots), roots, page, word)


def page_kind_gradients(
    kinds: _PageKinds, weights: Weights, hidden: Matrix, around: Matrix
) -> dict[str, Matrix]:
    """Gradients of embeddings and projections, from those of both layers' units summed by page."""
    of_kind = hidden.T @ weights.kind_hidden + around.T @ weights.kind_around  # (pages, D)
    of_sum = of_kind * (1 - kinds.vectors**2) / kinds.roots
    words = np.zeros_like(weights.words)
    np.add.at(words, kinds.word, of_sum[kinds.page])
    return {"words": words, "kind_hidden": hidden @ kinds.vectors, "kind_around": around @ kinds.vectors}
