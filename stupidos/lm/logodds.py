"""Log-odds of a character given its history, clean over dirty: the values of the tables.

An n-gram that neither model has seen has the log-odds of its suffix, one character shorter: both models
back off by the same factor. If only one model has seen the history, only that one backs off, and the
log-odds change by the log of its back-off weight (`backoff`). It depends on the history alone, so every
n-gram stores two numbers, and an unseen n-gram has

    log-odds = value of its longest seen suffix + back-off of its longest seen history

With fixed weights (the published formula) an unseen history has probability 0 and keeps its weight. The
weights then cancel out between the two models, and every back-off is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.lm.alphabet import NEWLINE_CODE, Alphabet
from stupidos.lm.counts import CountArray, NgramCounts, NgramKeys, aligned
from stupidos.lm.interpolate import FLOOR, Floats, clamped_quotients, history_totals, share

_AT_ONCE = 1 << 16  # n-grams; all at once would take five times the memory of the model

CERTAIN = 1e5  # log-odds where only one side has probability 0: more than a segment adds up to

LogOdds: TypeAlias = npt.NDArray[np.float32]


class OrderEntries(NamedTuple):
    """The n-grams of one order that either side has seen, and the newlines before a text."""

    order: int
    keys: NgramKeys
    odds: LogOdds  # of the last character given the others, interpolated over this order and all below
    values: LogOdds  # likewise, less the back-off of the history
    backoffs: LogOdds  # added to the value of an unseen continuation


class _Order(NamedTuple):
    """One order during the computation; arrays have one column per n-gram."""

    n: int
    keys: NgramKeys
    counts: CountArray  # shape (2, ngrams): clean, dirty
    chances: Floats  # probabilities of the last character, shape (2, ngrams)
    before: Floats  # back-off of the history
    backoffs: Floats
    place: npt.NDArray[Any]  # where this order has the ending of each key of the highest


class _Sides(NamedTuple):
    """Counts of both sides for the same keys of the highest order."""

    keys: NgramKeys
    rows: CountArray  # shape (2, keys)
    alphabet: Alphabet
    n: int
    q: float
    fixed_weights: bool

    def lowest(self) -> _Order:
        size = self.alphabet.size
        place = self.keys // self.alphabet.base ** (self.n - 1) - 1
        counts = np.stack([np.bincount(place, row, size).astype(np.int32) for row in self.rows])
        chances = clamped_quotients(counts + 1, counts.sum(axis=1, keepdims=True) + size)
        backoffs = self.backoffs(counts, 2)
        return _Order(1, np.arange(1, size + 1), counts, chances, np.zeros(size), backoffs, place)

    def backoffs(self, counts: CountArray, order: int) -> Floats:
        """What an order adds to the back-off of each history."""
        if self.fixed_weights:
            return np.zeros(counts.shape[1])
        return _seen_by_one_side(counts) * _log_backoff(order, self.q)

    def chances(self, lower: Floats, counts: CountArray, totals: CountArray, order: int) -> Floats:
        """Probabilities of one order, interpolated with those of all lower ones."""
        weight = share(order, self.q)
        if self.fixed_weights:
            return weight * clamped_quotients(counts, totals) + (1 - weight) * lower
        return _interpolated(lower, counts, totals, weight)

    def next(self, below: _Order, start: _Start) -> _Order:
        order, base = below.n + 1, self.alphabet.base
        endings = self.keys // base ** (self.n - order)
        first = np.ones(endings.size, np.bool_)
        np.not_equal(endings[1:], endings[:-1], out=first[1:])
        firsts = np.flatnonzero(first).astype(np.int32)
        keys = endings[firsts]
        del endings
        counts = np.add.reduceat(self.rows, firsts, axis=1) if firsts.size else self.rows
        history = keys % base ** (order - 1)
        at = np.minimum(np.searchsorted(below.keys, history), below.keys.size - 1)
        newest = base ** (order - 2)
        totals = history_totals(history, below.counts[:, at], start.texts, newest)
        before = history_totals(history, below.backoffs[at], start.backoff(order - 1), newest)
        del at, history
        ending = below.place[firsts]
        chances = np.empty(counts.shape)
        backoffs = np.empty(keys.size)
        for begin in range(0, keys.size, _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            lower = below.chances[:, ending[part]]
            chances[:, part] = self.chances(lower, counts[:, part], totals[:, part], order)
            backoffs[part] = below.backoffs[ending[part]] + self.backoffs(counts[:, part], order + 1)
        place = np.cumsum(first, dtype=np.int32)
        place -= 1
        return _Order(order, keys, counts, chances, before, backoffs, place)


class _Start(NamedTuple):
    """The newlines before a text: a history that was never counted itself."""

    texts: CountArray  # how many there are, shape (2, 1)
    value: LogOdds  # of the newline alone, shape (1,)
    q: float
    fixed_weights: bool

    def backoff(self, order: int) -> Floats:
        """Back-off of `order` newlines."""
        if self.fixed_weights:
            return np.zeros(1)
        return _seen_by_one_side(self.texts) * sum(
            _log_backoff(above, self.q) for above in range(2, order + 2)
        )

    def key(self, order: int, base: int) -> NgramKeys:
        """The key of `order` newlines."""
        return np.array([NEWLINE_CODE * sum(base**digit for digit in range(order))])


def entries(
    clean: NgramCounts, dirty: NgramCounts, q: float, fixed_weights: bool = False
) -> Iterator[OrderEntries]:
    """Orders 1 to n; the lowest has every symbol of the alphabet."""
    sides = _Sides(*aligned([clean, dirty]), clean.alphabet, clean.n, q, fixed_weights)
    order = sides.lowest()
    log_odds = _literal_log_odds if fixed_weights else _log_odds
    odds = log_odds(order.chances)
    yield OrderEntries(1, order.keys, odds, odds, order.backoffs.astype(np.float32))
    start = _Start(order.counts[:, [NEWLINE_CODE - 1]], odds[[NEWLINE_CODE - 1]], q, fixed_weights)
    while order.n < clean.n:
        order = sides.next(order, start)
        odds = log_odds(order.chances)
        yield OrderEntries(
            order.n,
            np.concatenate([order.keys, start.key(order.n, clean.alphabet.base)]),
            np.concatenate([odds, start.value + start.backoff(order.n - 1)], dtype=np.float32),
            np.concatenate([odds - order.before, start.value], dtype=np.float32),
            np.concatenate([order.backoffs, start.backoff(order.n)], dtype=np.float32),
        )


def _interpolated(lower: Floats, counts: CountArray, totals: CountArray, weight: float) -> Floats:
    """Interpolate one order with all lower ones, where its history was seen."""
    with np.errstate(divide="ignore", invalid="ignore"):
        upper = weight * np.clip(counts / totals, 0, 1) + (1 - weight) * lower
    return np.where(totals > 0, upper, lower)


def _log_odds(probabilities: Floats) -> LogOdds:
    odds = np.empty(probabilities.shape[1], np.float32)
    for start in range(0, odds.size, _AT_ONCE):
        clean, dirty = np.log(np.maximum(probabilities[:, start : start + _AT_ONCE], FLOOR))
        odds[start : start + _AT_ONCE] = clean - dirty
    return odds


def _literal_log_odds(probabilities: Floats) -> LogOdds:
    """Log-odds without a floor: a text that one side gives the probability 0 belongs to the other."""
    odds = _log_odds(probabilities)
    clean, dirty = probabilities > 0
    odds[clean & ~dirty] = CERTAIN
    odds[~clean & dirty] = -CERTAIN
    return odds


def _seen_by_one_side(counts: CountArray) -> Floats:
    """1 if only the clean model has seen it, -1 if only the dirty one, else 0."""
    seen = (counts > 0).astype(np.float64)
    alone: Floats = seen[0] - seen[1]
    return alone


def _log_backoff(order: int, q: float) -> float:
    """Log of the back-off weight of an order."""
    return float(np.log(1 - share(order, q)))
