"""Log-odds of a character behind its history, clean over dirty: what the tables are filled with.

The odds of an n-gram that neither side has seen are those of its ending, one character shorter: both
sides fall back by the same factor. Where only one side has seen the history, only that side falls
back, and the odds shift by the log of that factor. The shift depends on the history alone, so every
n-gram gets two numbers, and what was never seen has

    log-odds = value of its longest ending that was seen + shift of its longest history that was seen
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.lm.alphabet import NEWLINE
from stupidos.lm.counts import Counts, Keys, Whole, aligned
from stupidos.lm.interpolate import FLOOR, Floats, history_totals, share

LogOdds: TypeAlias = npt.NDArray[np.float32]


class Entries(NamedTuple):
    """The n-grams of one order that either side has seen, and the newlines before a text."""

    order: int
    keys: Keys
    odds: LogOdds  # of the last character behind the others, mixed over this order and all below
    values: LogOdds  # likewise, less the shift of the history
    shifts: LogOdds  # of whatever follows, unless it was seen behind all of this


class _Side(NamedTuple):
    """One order while it is worked out; the arrays have a column an n-gram."""

    keys: Keys
    counts: Whole  # shape (2, ngrams): clean, dirty
    odds: Floats  # probabilities, shape (2, ngrams)
    shifts: Floats
    place: npt.NDArray[np.intp]  # where this order has the ending of each key of the highest


def entries(clean: Counts, dirty: Counts, q: float) -> Iterator[Entries]:
    """Orders 1 to n; the lowest has every symbol of the alphabet."""
    keys, rows = aligned([clean, dirty])
    base, n = clean.alphabet.base, clean.n
    side = _lowest(keys, rows, clean, q)
    texts = side.counts[:, [NEWLINE - 1]]
    start = _log_odds(side.odds)[[NEWLINE - 1]]
    yield Entries(1, side.keys, _log_odds(side.odds), _log_odds(side.odds), side.shifts.astype(np.float32))
    for order in range(2, n + 1):
        endings = keys // base ** (n - order)
        side, histories = _next(side, order, endings, rows, texts, base, q)
        odds = _log_odds(side.odds)
        newlines = np.array([NEWLINE * sum(base**digit for digit in range(order))])
        started = _alone(texts) * sum(_fall(above, q) for above in range(2, order + 2))
        yield Entries(
            order,
            np.concatenate([side.keys, newlines]),
            np.concatenate([odds, start + (started - _alone(texts) * _fall(order + 1, q))], dtype=np.float32),
            np.concatenate([odds - histories, start], dtype=np.float32),
            np.concatenate([side.shifts, started], dtype=np.float32),
        )


def _lowest(keys: Keys, rows: Whole, model: Counts, q: float) -> _Side:
    size = model.alphabet.size
    place = keys // model.alphabet.base ** (model.n - 1) - 1
    counts = np.stack([np.bincount(place, row, size).astype(np.int32) for row in rows])
    odds = np.clip((counts + 1) / (counts.sum(axis=1, keepdims=True) + size), 0, 1)
    return _Side(np.arange(1, size + 1), counts, odds, _alone(counts) * _fall(2, q), place)


def _next(
    below: _Side, order: int, endings: Keys, rows: Whole, texts: Whole, base: int, q: float
) -> tuple[_Side, Floats]:
    """The next order, and the shift of the history of each of its n-grams."""
    first = np.ones(endings.size, np.bool_)
    np.not_equal(endings[1:], endings[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    keys = endings[starts]
    counts = np.add.reduceat(rows, starts, axis=1) if starts.size else rows
    history = keys % base ** (order - 1)
    at = np.minimum(np.searchsorted(below.keys, history), below.keys.size - 1)
    totals = history_totals(history, below.counts[:, at], texts, base ** (order - 2))
    lower = below.odds[:, below.place[starts]]
    weight = share(order, q)
    with np.errstate(divide="ignore", invalid="ignore"):
        upper = weight * np.clip(counts / totals, 0, 1) + (1 - weight) * lower
    odds = np.where(totals > 0, upper, lower)
    shifts = below.shifts[below.place[starts]] + _alone(counts) * _fall(order + 1, q)
    started = _alone(texts) * sum(_fall(above, q) for above in range(2, order + 1))
    before = history_totals(history, below.shifts[at], started, base ** (order - 2))
    return _Side(keys, counts, odds, shifts, np.cumsum(first) - 1), before


def _log_odds(probabilities: Floats) -> LogOdds:
    clean, dirty = np.log(np.maximum(probabilities, FLOOR))
    odds: LogOdds = (clean - dirty).astype(np.float32)
    return odds


def _alone(counts: Whole) -> Floats:
    """1 for what clean alone has seen, -1 for dirty alone, 0 for both or none."""
    seen = (counts > 0).astype(np.float64)
    alone: Floats = seen[0] - seen[1]
    return alone


def _fall(order: int, q: float) -> float:
    """Log of the factor by which a side that has seen the history falls back from this order."""
    return float(np.log(1 - share(order, q)))
