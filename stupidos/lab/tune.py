"""Tuning as in the paper (3.3): cross-entropy of raw text by cross-validation, for a grid of n and q."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stupidos.errors import CorpusError
from stupidos.lab.conditional import Characters, Estimates, estimates, mixtures, unigrams
from stupidos.lab.folds import folds as names_in_folds
from stupidos.lm.alphabet import Alphabet
from stupidos.lm.interpolate import FLOOR

Q_GRID = tuple(round(0.05 * step, 2) for step in range(1, 20))
_BLOCK_CHARACTERS = 1 << 15  # characters interpolated at once; they stay in the cache
_MAX_CHARACTERS = 16_000_000  # tuned on; about 120 bytes of memory each

Watch = Callable[[Iterable[Any], str, int], Iterable[Any]]  # progress of an iteration: items, label, total


class EntropyPoint(NamedTuple):
    """One point of the grid."""

    n: int
    q: float
    bits: float  # cross-entropy per character


class TuningSample(NamedTuple):
    """The texts to tune on, and their size."""

    folds: list[list[str]]
    pages: int
    characters: int
    step: int  # 1 if every page is in, 3 if every third


def tuning_sample(texts: Mapping[str, Sequence[str]], folder: Path) -> TuningSample:
    """The texts of pages by name, in folds; of a large folder an even sample that fits into memory."""
    sizes = {name: sum(map(len, segments)) for name, segments in texts.items() if segments}
    if not sizes:
        raise CorpusError(f"{folder}: no page has any text")
    step = -(-sum(sizes.values()) // _MAX_CHARACTERS)
    chosen = sorted(sizes)[::step]
    parts = [[text for name in part for text in texts[name]] for part in names_in_folds(chosen)]
    return TuningSample(parts, len(chosen), sum(sizes[name] for name in chosen), step)


def unwatched(items: Iterable[Any], label: str, total: int) -> Iterable[Any]:
    """The default Watch: no progress."""
    return items


def cross_entropies(
    folds: Sequence[Sequence[str]],
    alphabet: Alphabet,
    n: int,
    qs: Sequence[float] = Q_GRID,
    watch: Watch = unwatched,
    fixed_weights: bool = False,
) -> list[EntropyPoint]:
    """Bits per character for 1 to `n` and every q, each fold estimated on the others."""
    characters = Characters.of(folds, alphabet, n)
    orders = _conditional_estimates(characters, watch, fixed_weights)
    sums = np.zeros((len(qs), n))
    starts = range(0, characters.keys.size, _BLOCK_CHARACTERS)
    for start in watch(starts, "trying values of q", len(starts)):
        block = [order[start : start + _BLOCK_CHARACTERS] for order in orders]
        for place, q in enumerate(qs):
            for below, mixed in enumerate(mixtures(block, q)):
                bits = np.log2(np.maximum(mixed, np.float32(FLOOR)))
                sums[place, below] -= bits.sum(dtype=np.float64)
    means = sums / max(characters.keys.size, 1)
    return [
        EntropyPoint(order + 1, q, float(means[place, order]))
        for order in range(n)
        for place, q in enumerate(qs)
    ]


def _conditional_estimates(characters: Characters, watch: Watch, fixed_weights: bool) -> list[Estimates]:
    """Estimates of each order for each character, from the counts of the other folds."""
    sizes = np.bincount(characters.fold, minlength=characters.folds)
    texts = np.bincount(characters.fold[characters.first], minlength=characters.folds)
    totals = (sizes.sum() - sizes).astype(np.int32)[characters.fold]
    other_texts = (texts.sum() - texts).astype(np.int32)[characters.fold]
    orders: list[Estimates] = []
    below = totals
    for endings in watch(characters.endings(), "counting n-grams", characters.n):
        tallies = characters.elsewhere(endings, None, None)
        if orders:
            orders.append(estimates(tallies, below, characters.first, other_texts, fixed_weights))
        else:
            orders.append(unigrams(tallies, totals, characters.alphabet.size))
        below = tallies
    return orders


def winner(rows: Sequence[EntropyPoint]) -> EntropyPoint:
    """The point with the lowest cross-entropy."""
    return min(rows, key=lambda row: row.bits)
