"""Character n-grams in a hashed table: a log-odds for every n-gram, one gather for a whole page.

N-grams that share a place in the table share its value, which costs little as most of them are rare. What a
page says and how it is built lie one behind the other in the table, so that both are read in one go.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stupidos.web.symbols import Symbols

Numbers = npt.NDArray[np.intp]
Keys = npt.NDArray[np.uint32]
Odds = npt.NDArray[np.float32]
Counts = npt.NDArray[np.float64]
Table = npt.NDArray[np.int8]  # shape (2 * SLOTS,): of what the page says, then of how it is built

SCALE = 24.0  # a stored number is this many times the natural log-odds, clipped to a signed byte
BASE = np.uint32(2654435761)  # keys are polynomials in it, modulo 2**32
SQUARE = np.uint32(2654435761**2 % 2**32)
MIX = np.uint32(2146121005)

ORDER = 5  # of the n-grams; trigrams beside them brought nothing
BITS = 17  # of the table, for each kind; a larger one is no better, and fits into no cache
SLOTS = 1 << BITS
AT_ONCE = 1 << 19  # symbols; few pages have more
KINDS = ("text", "structure")


def slots(symbols: Symbols) -> Keys:
    """The place in the table of every n-gram; the last of its characters is ORDER - 1 behind the first.

    >>> len(slots(np.array([1, 2, 3, 4, 5, 6], np.uint8)))
    2
    """
    wide = symbols.astype(np.uint32)
    pairs = wide[:-1] * BASE
    pairs += wide[1:]
    found = pairs[:-3] * SQUARE
    found += pairs[2:-1]
    found *= BASE
    found += wide[4:]
    found *= MIX
    found >>= np.uint32(32 - BITS)
    return found


def sums(table: Table, symbols: Symbols, starts: Numbers, structure: int) -> Odds:
    """Summed log-odds of each stretch of symbols, the last of which ends ORDER - 1 before the end of them.

    An n-gram belongs to the stretch it begins in; those from `structure` on are read as structure.
    """
    if len(symbols) > AT_ONCE:
        return sums_in_parts(table, symbols, starts, structure)
    # `take` is three times as fast as brackets, and twice as fast again where it need not convert
    places = slots(symbols).astype(np.intp)
    places[structure:] += SLOTS
    added: Odds = np.add.reduceat(table.take(places), starts, dtype=np.int32).astype(np.float32)
    added *= np.float32(1 / SCALE)
    return added


def sums_in_parts(table: Table, symbols: Symbols, starts: Numbers, structure: int) -> Odds:
    """The same for the symbols of a large page, whose n-grams would take thirty times their memory."""
    found = np.empty(len(starts), np.float32)
    end = len(symbols) - ORDER + 1  # of the n-grams
    first = 0
    while first < len(starts):
        begin = int(starts[first])
        last = max(int(starts.searchsorted(begin + AT_ONCE // 2)), first + 1)
        behind = int(starts[last]) if last < len(starts) else end
        places = slots(symbols[begin : behind + ORDER - 1]).astype(np.intp)
        places[max(structure - begin, 0) :] += SLOTS
        added = np.add.reduceat(table.take(places), starts[first:last] - begin, dtype=np.int32)
        found[first:last] = added
        first = last
    found *= np.float32(1 / SCALE)
    return found


def odds(table: Table, symbols: Symbols) -> Odds:
    """Log-odds of each character of a text; 0 for the first ones."""
    found = np.zeros(len(symbols), np.float32)
    if len(symbols) >= ORDER:
        found[ORDER - 1 :] = table.take(slots(symbols).astype(np.intp)) / np.float32(SCALE)
    return found


def counted(symbols: Symbols, clean: Counts, dirty: Counts) -> tuple[Counts, Counts]:
    """Counts of a text's n-grams on either side; weights are one for each that begins."""
    places = slots(symbols)
    there, elsewhere = (
        np.bincount(places, side, minlength=SLOTS).astype(np.float64) for side in (clean, dirty)
    )
    return there, elsewhere


def learnt(clean: Counts, dirty: Counts, prior: float) -> Table:
    """The half of a table for counted n-grams; `prior` pulls the odds of rare ones towards even.

    >>> (learnt(np.array([8.0, 0, 0, 0]), np.array([0, 8.0, 0, 0]), 1.0) / SCALE).round(1).tolist()
    [2.2, -2.2, 0.0, 0.0]
    """
    # both sides on the scale of their mean, lest the larger side win everywhere
    total = (clean.sum() + dirty.sum()) / 2
    clean_share, dirty_share = clean * (total / max(clean.sum(), 1)), dirty * (total / max(dirty.sum(), 1))
    log_odds = np.log((clean_share + prior) / (dirty_share + prior))
    table: Table = np.clip(np.rint(log_odds * SCALE), -127, 127).astype(np.int8)
    return table
