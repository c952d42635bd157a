"""Hashed character n-grams: a table of quantized log-odds, read by one gather for a whole page.

N-grams that share a slot share its value, which costs little since most of them are rare. The table of the
text language model is followed by that of the structure language model, so that both are read at once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stupidos.web.elements import Indices
from stupidos.web.symbols import Symbols

_LogOdds = npt.NDArray[np.float32]
HashedCounts = npt.NDArray[np.float64]
NgramTable = npt.NDArray[np.int8]  # (2 * SLOTS,): the text language model, then the structure language model

_SCALE = 24.0  # stored value per unit of natural log-odds; clipped to a signed byte
_BASE = np.uint32(2654435761)  # of the polynomial hash, modulo 2**32
_BASE_SQUARED = np.uint32(2654435761**2 % 2**32)
_MULTIPLIER = np.uint32(2146121005)

ORDER = 5  # of the n-grams; adding trigrams gained nothing
_SLOT_BITS = 17  # a larger table is no better, and fits into no cache
SLOTS = 1 << _SLOT_BITS  # of each language model
_SYMBOLS_AT_ONCE = 1 << 19  # few pages have more
LANGUAGE_MODELS = ("text", "structure")


def _slots(symbols: Symbols) -> npt.NDArray[np.uint32]:
    """The slot of every n-gram; ORDER - 1 fewer than symbols.

    >>> len(_slots(np.array([1, 2, 3, 4, 5, 6], np.uint8)))
    2
    """
    wide = symbols.astype(np.uint32)
    pairs = wide[:-1] * _BASE
    pairs += wide[1:]
    hashes = pairs[:-3] * _BASE_SQUARED
    hashes += pairs[2:-1]
    hashes *= _BASE
    hashes += wide[4:]
    hashes *= _MULTIPLIER
    hashes >>= np.uint32(32 - _SLOT_BITS)
    return hashes


def span_log_odds(table: NgramTable, symbols: Symbols, starts: Indices, structure: int) -> _LogOdds:
    """Summed log-odds of each span of symbols; the last span ends ORDER - 1 symbols before the end.

    An n-gram belongs to the span it begins in. Those from the symbol number `structure` on are read by the
    structure language model.
    """
    if len(symbols) > _SYMBOLS_AT_ONCE:
        return _span_log_odds_in_parts(table, symbols, starts, structure)
    # `take` is three times as fast as brackets, and twice as fast again where it need not convert
    slots = _slots(symbols).astype(np.intp)
    slots[structure:] += SLOTS
    sums: _LogOdds = np.add.reduceat(table.take(slots), starts, dtype=np.int32).astype(np.float32)
    sums *= np.float32(1 / _SCALE)
    return sums


def _span_log_odds_in_parts(table: NgramTable, symbols: Symbols, starts: Indices, structure: int) -> _LogOdds:
    """The same for a large page, whose n-grams would take thirty times the memory of its symbols."""
    sums = np.empty(len(starts), np.float32)
    ngrams = len(symbols) - ORDER + 1
    first = 0
    while first < len(starts):
        start = int(starts[first])
        last = max(int(starts.searchsorted(start + _SYMBOLS_AT_ONCE // 2)), first + 1)
        end = int(starts[last]) if last < len(starts) else ngrams
        slots = _slots(symbols[start : end + ORDER - 1]).astype(np.intp)
        slots[max(structure - start, 0) :] += SLOTS
        sums[first:last] = np.add.reduceat(table.take(slots), starts[first:last] - start, dtype=np.int32)
        first = last
    sums *= np.float32(1 / _SCALE)
    return sums


def character_log_odds(table: NgramTable, symbols: Symbols) -> _LogOdds:
    """Log-odds of each character by the text language model; 0 for the first ORDER - 1."""
    log_odds = np.zeros(len(symbols), np.float32)
    if len(symbols) >= ORDER:
        log_odds[ORDER - 1 :] = table.take(_slots(symbols).astype(np.intp)) / np.float32(_SCALE)
    return log_odds


def ngram_counts(
    symbols: Symbols, clean: HashedCounts, dirty: HashedCounts
) -> tuple[HashedCounts, HashedCounts]:
    """Clean and dirty counts by slot; the weights of both sides are given for each n-gram."""
    slots = _slots(symbols)
    clean_counts, dirty_counts = (
        np.bincount(slots, weights, minlength=SLOTS).astype(np.float64) for weights in (clean, dirty)
    )
    return clean_counts, dirty_counts


def quantized_log_odds(clean: HashedCounts, dirty: HashedCounts, prior: float) -> NgramTable:
    """One language model from its counts; `prior` smooths the log-odds of rare n-grams towards 0.

    >>> table = quantized_log_odds(np.array([8.0, 0, 0, 0]), np.array([0, 8.0, 0, 0]), 1.0)
    >>> (table / _SCALE).round(1).tolist()
    [2.2, -2.2, 0.0, 0.0]
    """
    # both sides are scaled to their mean, or the larger one would win everywhere
    total = (clean.sum() + dirty.sum()) / 2
    clean_share, dirty_share = clean * (total / max(clean.sum(), 1)), dirty * (total / max(dirty.sum(), 1))
    log_odds = np.log((clean_share + prior) / (dirty_share + prior))
    table: NgramTable = np.clip(np.rint(log_odds * _SCALE), -127, 127).astype(np.int8)
    return table
