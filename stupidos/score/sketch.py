"""Character n-grams in hashed tables: a log-odds for every n-gram, one gather for a whole page.

Two orders side by side, the short one for what is common and the long one for what is telling; n-grams
that share a place in a table share its value, which costs little as most of them are rare. What a page says
and how it is built lie one behind the other in one table, so that both are read in one go.
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


ORDERS = ((3, 16), (5, 18))  # order of the n-grams, and bits of the table; the second is longer by two
KINDS = ("text", "structure")


class Sketch(NamedTuple):
    """The log-odds of one order of n-grams, clean over dirty."""

    order: int
    bits: int
    table: npt.NDArray[np.int8]  # shape (2 * 2**bits,): of what the page says, then of how it is built


Pair = tuple[Sketch, Sketch]  # of the short and the long n-grams


def keys(symbols: Symbols) -> tuple[Keys, Keys]:
    """A key for every n-gram of the two ORDERS; longer keys are made of shorter ones.

    >>> [len(found) for found in keys(np.array([1, 2, 3, 4, 5, 6], np.uint8))]
    [4, 2]
    """
    wide = symbols.astype(np.uint32)
    pairs = wide[:-1] * BASE
    pairs += wide[1:]
    short = pairs[:-1] * BASE
    short += wide[2:]
    long = short[:-2] * SQUARE
    long += pairs[3:]
    return short, long


def slots(found: Keys, bits: int) -> Keys:
    """The place in a table of 2**bits that each key has."""
    mixed = found * MIX
    mixed >>= np.uint32(32 - bits)
    return mixed


def sums(pair: Pair, symbols: Symbols, starts: Numbers, structure: int) -> Odds:
    """Summed log-odds of each stretch of symbols, by two sketches, shape (2, stretches).

    An n-gram belongs to the stretch it ends in; those from `structure` on are read as structure.
    """
    added = np.zeros((2, len(starts)), np.float32)
    if len(symbols) < pair[1].order:
        return added
    for row, sketch, found in zip(added, pair, keys(symbols), strict=True):
        behind = sketch.order - 1
        places = slots(found, sketch.bits)
        places[max(structure - behind, 0) :] += np.uint32(1 << sketch.bits)
        firsts = np.minimum(np.maximum(starts - behind, 0), len(found) - 1)
        # `take` is three times as fast as brackets
        row[:] = np.add.reduceat(sketch.table.take(places), firsts, dtype=np.int32)
    added /= np.float32(SCALE)
    return added


def odds(pair: Pair, symbols: Symbols) -> Odds:
    """Log-odds of each character of a text, the mean of both sketches; 0 for the first ones."""
    found = np.zeros(len(symbols), np.float32)
    if len(symbols) >= pair[1].order:
        for sketch, some in zip(pair, keys(symbols), strict=True):
            found[sketch.order - 1 :] += sketch.table.take(slots(some, sketch.bits)) / np.float32(2 * SCALE)
    return found


def counted(symbols: Symbols, clean: Counts, dirty: Counts) -> list[tuple[Counts, Counts]]:
    """Counts of a text's n-grams on either side, for each of the ORDERS; weights are one a character."""
    if len(symbols) < ORDERS[1][0]:
        return [(np.zeros(1 << bits), np.zeros(1 << bits)) for _, bits in ORDERS]
    counts = []
    for (order, bits), some in zip(ORDERS, keys(symbols), strict=True):
        places = slots(some, bits)
        both = [
            np.bincount(places, side[order - 1 :], minlength=1 << bits).astype(np.float64)
            for side in (clean, dirty)
        ]
        counts.append((both[0], both[1]))
    return counts


def learnt(clean: Counts, dirty: Counts, prior: float) -> npt.NDArray[np.int8]:
    """The table of counted n-grams; `prior` pulls the odds of rare ones towards even.

    >>> (learnt(np.array([8.0, 0, 0, 0]), np.array([0, 8.0, 0, 0]), 1.0) / SCALE).round(1).tolist()
    [2.2, -2.2, 0.0, 0.0]
    """
    # both sides on the scale of their mean, lest the larger side win everywhere
    total = (clean.sum() + dirty.sum()) / 2
    clean_share, dirty_share = clean * (total / max(clean.sum(), 1)), dirty * (total / max(dirty.sum(), 1))
    log_odds = np.log((clean_share + prior) / (dirty_share + prior))
    table: npt.NDArray[np.int8] = np.clip(np.rint(log_odds * SCALE), -127, 127).astype(np.int8)
    return table
