"""Tuning as in the paper (3.3): cross-entropy of raw text by cross-validation, for a grid of n and q."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stupidos.errors import CorpusError
from stupidos.lab.conditional import Estimates, mixtures
from stupidos.lab.folds import folds as names_in_folds
from stupidos.lab.followers import Corpus
from stupidos.lm.alphabet import Alphabet
from stupidos.lm.interpolate import FLOOR, Floats

Q_GRID = tuple(round(0.05 * step, 2) for step in range(1, 20))
_BLOCK_CHARACTERS = 1 << 15  # n-grams interpolated at once; they stay in the cache
_MAX_CHARACTERS = 16_000_000  # tuned on, which takes 16 s; some 15 bytes of memory each

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
    """The texts of pages by name, in folds; of a large folder an even sample."""
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
    corpus = Corpus.of(folds, alphabet, n)
    sums = np.zeros((len(qs), n))
    for part in watch(corpus.parts(), "counting n-grams", alphabet.size):
        orders, times = part.estimates(fixed_weights), part.times.astype(np.float64)
        for start in range(0, times.size, _BLOCK_CHARACTERS):
            block = slice(start, start + _BLOCK_CHARACTERS)
            sums += _bits([order[block] for order in orders], qs, times[block])
    means = sums / max(corpus.size, 1)
    return [
        EntropyPoint(order + 1, q, float(means[place, order]))
        for order in range(n)
        for place, q in enumerate(qs)
    ]


def _bits(orders: Sequence[Estimates], qs: Sequence[float], times: Floats) -> Floats:
    """Bits of some n-grams, each occurring `times` times: a row for each q and a column for each order."""
    bits = np.empty((len(qs), len(orders)))
    for place, q in enumerate(qs):
        for below, mixed in enumerate(mixtures(orders, q)):
            bits[place, below] = -(np.log2(np.maximum(mixed, np.float32(FLOOR))) @ times)
    return bits


def winner(rows: Sequence[EntropyPoint]) -> EntropyPoint:
    """The point with the lowest cross-entropy."""
    return min(rows, key=lambda row: row.bits)
