"""Character n-grams in hashed tables: a log-odds for every n-gram, one gather for a whole page.

Two orders side by side, the short one for what is common and the long one for what is telling; n-grams
that share a place in a table share its value, which costs little as most of them are rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.score.symbols import Symbols

Slots = npt.NDArray[np.intp]
Odds = npt.NDArray[np.float32]
Counts = npt.NDArray[np.float64]

SCALE = 24.0  # a stored number is this many times the natural log-odds, clipped to a signed byte
# Odd numbers without a pattern, one for each character of an n-gram counted from its end.
MULTIPLIERS = np.array([2654435761, 2246822519, 3266489917, 668265263, 374761393, 1274126177], np.uint32)
MIX = np.uint32(2146121005)


def slots(symbols: Symbols, order: int, bits: int) -> Slots:
    """The place in a table of 2**bits of the n-gram that ends at each character, from the n-th on."""
    wide = symbols.astype(np.uint32)
    size = max(len(wide) - order + 1, 0)
    key = np.zeros(size, np.uint32)
    for back in range(order):
        start = order - 1 - back
        key += wide[start : start + size] * MULTIPLIERS[back]
    key ^= key >> np.uint32(15)
    key *= MIX
    return (key >> np.uint32(32 - bits)).astype(np.intp)


class Sketch(NamedTuple):
    """The log-odds of one order of n-grams, clean over dirty."""

    order: int
    bits: int
    table: npt.NDArray[np.int8]  # shape (2**bits,)

    def sums(self, symbols: Symbols, starts: Slots) -> Odds:
        """Summed log-odds of each stretch of symbols; n-grams belong to the stretch they end in."""
        if len(symbols) < self.order:
            return np.zeros(len(starts), np.float32)
        found = np.zeros(len(symbols), np.int32)
        found[self.order - 1 :] = self.table[slots(symbols, self.order, self.bits)]
        return np.add.reduceat(found, starts).astype(np.float32) / np.float32(SCALE)

    def odds(self, symbols: Symbols) -> Odds:
        """Log-odds of the n-gram that ends at each character; 0 for the first ones."""
        found = np.zeros(len(symbols), np.float32)
        if len(symbols) >= self.order:
            found[self.order - 1 :] = self.table[slots(symbols, self.order, self.bits)] / SCALE
        return found


def learnt(order: int, bits: int, clean: Counts, dirty: Counts, prior: float) -> Sketch:
    """The sketch of counted n-grams; `prior` pulls the odds of rare ones towards even.

    >>> sketch = learnt(1, 2, np.array([8.0, 0, 0, 0]), np.array([0, 8.0, 0, 0]), 1.0)
    >>> (sketch.table / SCALE).round(1).tolist()
    [2.2, -2.2, 0.0, 0.0]
    """
    # both sides on the scale of their mean, lest the larger side win everywhere
    total = (clean.sum() + dirty.sum()) / 2
    clean_share, dirty_share = clean * (total / max(clean.sum(), 1)), dirty * (total / max(dirty.sum(), 1))
    odds = np.log((clean_share + prior) / (dirty_share + prior))
    return Sketch(order, bits, np.clip(np.rint(odds * SCALE), -127, 127).astype(np.int8))


def counted(symbols: Symbols, order: int, bits: int, weights: Counts) -> Counts:
    """Weighted counts of the n-grams of a text; a weight for each character."""
    if len(symbols) < order:
        return np.zeros(1 << bits)
    found = slots(symbols, order, bits)
    return np.bincount(found, weights[order - 1 :], minlength=1 << bits)


def all_sums(sketches: Sequence[Sketch], symbols: Symbols, starts: Slots) -> Odds:
    """Sums of several sketches, shape (stretches, sketches)."""
    return np.stack([sketch.sums(symbols, starts) for sketch in sketches], axis=1)
