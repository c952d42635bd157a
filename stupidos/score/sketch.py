"""Character n-grams in hashed tables: a log-odds for every n-gram, one gather for a whole page.

Two orders side by side, the short one for what is common and the long one for what is telling; n-grams
that share a place in a table share its value, which costs little as most of them are rare.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.score.symbols import Symbols

Numbers = npt.NDArray[np.intp]
Keys = npt.NDArray[np.uint32]
Odds = npt.NDArray[np.float32]
Counts = npt.NDArray[np.float64]

SCALE = 24.0  # a stored number is this many times the natural log-odds, clipped to a signed byte
BASE = np.uint32(2654435761)  # keys are polynomials in it, modulo 2**32
SQUARE = np.uint32(2654435761**2 % 2**32)
MIX = np.uint32(2146121005)


class Sketch(NamedTuple):
    """The log-odds of one order of n-grams, clean over dirty."""

    order: int
    bits: int
    table: npt.NDArray[np.int8]  # shape (2**bits,)


def keys(symbols: Symbols, orders: tuple[int, int]) -> tuple[Keys, Keys]:
    """A key for every n-gram of two orders, the longer one by two; longer keys are made of shorter ones.

    >>> [len(found) for found in keys(np.array([1, 2, 3, 4, 5, 6], np.uint8), (3, 5))]
    [4, 2]
    """
    short, long = orders
    wide = symbols.astype(np.uint32)
    pairs = wide[:-1] * BASE + wide[1:]
    found = pairs
    for order in range(short - 2):
        found = found[:-1] * BASE + wide[2 + order :]
    longer = found[: -(long - short)] * SQUARE + pairs[short:]
    return found, longer


def slots(found: Keys, bits: int) -> Keys:
    """The place in a table of 2**bits that each key has."""
    mixed = found >> np.uint32(15)
    mixed ^= found
    mixed *= MIX
    mixed >>= np.uint32(32 - bits)
    return mixed


def sums(pair: tuple[Sketch, Sketch], symbols: Symbols, starts: Numbers) -> Odds:
    """Summed log-odds of each stretch of symbols, by two sketches, shape (stretches, 2).

    An n-gram belongs to the stretch it ends in.
    """
    added = np.zeros((len(starts), 2), np.float32)
    if len(symbols) < pair[1].order:
        return added
    both = keys(symbols, (pair[0].order, pair[1].order))
    for at, (sketch, found) in enumerate(zip(pair, both, strict=True)):
        firsts = np.minimum(np.maximum(starts - (sketch.order - 1), 0), len(found) - 1)
        added[:, at] = np.add.reduceat(sketch.table[slots(found, sketch.bits)], firsts, dtype=np.int32)
    added /= np.float32(SCALE)
    return added


def odds(pair: tuple[Sketch, Sketch], symbols: Symbols) -> Odds:
    """Log-odds of each character, the mean of both sketches; 0 for the first ones."""
    found = np.zeros(len(symbols), np.float32)
    if len(symbols) >= pair[1].order:
        for sketch, some in zip(pair, keys(symbols, (pair[0].order, pair[1].order)), strict=True):
            found[sketch.order - 1 :] += sketch.table[slots(some, sketch.bits)] / np.float32(2 * SCALE)
    return found


def counted(
    symbols: Symbols, orders: tuple[tuple[int, int], tuple[int, int]], clean: Counts, dirty: Counts
) -> list[tuple[Counts, Counts]]:
    """Counts of a text's n-grams on either side; `orders` are (order, bits), weights one a character."""
    if len(symbols) < orders[1][0]:
        return [(np.zeros(1 << bits), np.zeros(1 << bits)) for _, bits in orders]
    found = keys(symbols, (orders[0][0], orders[1][0]))
    counts = []
    for (order, bits), some in zip(orders, found, strict=True):
        places = slots(some, bits)
        both = [
            np.bincount(places, side[order - 1 :], minlength=1 << bits).astype(np.float64)
            for side in (clean, dirty)
        ]
        counts.append((both[0], both[1]))
    return counts


def learnt(order: int, bits: int, clean: Counts, dirty: Counts, prior: float) -> Sketch:
    """The sketch of counted n-grams; `prior` pulls the odds of rare ones towards even.

    >>> sketch = learnt(1, 2, np.array([8.0, 0, 0, 0]), np.array([0, 8.0, 0, 0]), 1.0)
    >>> (sketch.table / SCALE).round(1).tolist()
    [2.2, -2.2, 0.0, 0.0]
    """
    # both sides on the scale of their mean, lest the larger side win everywhere
    total = (clean.sum() + dirty.sum()) / 2
    clean_share, dirty_share = clean * (total / max(clean.sum(), 1)), dirty * (total / max(dirty.sum(), 1))
    log_odds = np.log((clean_share + prior) / (dirty_share + prior))
    return Sketch(order, bits, np.clip(np.rint(log_odds * SCALE), -127, 127).astype(np.int8))
