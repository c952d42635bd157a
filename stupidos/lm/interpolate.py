"""Conditional probabilities of every order, and their geometric interpolation.

Pr*(c | history) = (1-q)/(1-qⁿ) · (Pr_n + q·Pr_n-1 + ... + qⁿ⁻¹·Pr_1), where each Pr_k is the maximum
likelihood estimate given the last k-1 characters and Pr_1 has one added to every count. An order
whose history was never seen is omitted and its weight redistributed; with fixed weights, as the formula is
published, its estimate is 0 and its weight is lost. This is equivalent to the
recursion over orders, Pr*_k = share·Pr_k + (1-share)·Pr*_k-1, which is what the code computes.

By hand, for the text `ab` and n=2, q=0.5: of the three characters a, b, newline each was seen once,
so Pr_1(b) = (1+1)/(3+96); b always follows a, so Pr_2(b|a) = 1; the shares are 2/3 and 1/3.

    >>> from stupidos.lm.alphabet import ALPHABETS
    >>> from stupidos.lm.counts import count, ngrams
    >>> seen = count(["ab"], ALPHABETS["ascii"], n=2)
    >>> estimates = _conditionals(seen, seen.keys)
    >>> dict(zip(ngrams(seen.keys, seen.alphabet, 2), mixed(estimates, q=0.5).round(6).tolist()))
    {'b\\n': 0.673401, '\\na': 0.673401, 'ab': 0.673401}
    >>> round(2 / 3 * 1 + 1 / 3 * 2 / 99, 6)
    0.673401
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.lm.alphabet import NEWLINE_CODE
from stupidos.lm.counts import NgramCounts, NgramKeys

Floats: TypeAlias = npt.NDArray[np.float64]
_Tallies: TypeAlias = npt.NDArray[Any]  # counts of n-grams, of one text or a row each of several

_PIECE = 1 << 20  # n-grams estimated at once
FLOOR = 1e-12  # probability below which the log is not taken


def interpolation_weights(n: int, q: float) -> Floats:
    """Weights of the orders, longest history first.

    The unigrams of the paper's 6-gram model weigh 0.03:

    >>> interpolation_weights(6, 0.6).round(2)
    array([0.42, 0.25, 0.15, 0.09, 0.05, 0.03])
    """
    return share(n, q) * np.float64(q) ** np.arange(n)


def share(order: int, q: float) -> float:
    """Weight of the order itself against all the lower ones together.

    >>> share(1, 0.5), share(3, 0.5)
    (1.0, 0.5714285714285714)
    """
    return (1 - q) / (1 - q**order)


class _SuffixCounts:
    """Counts of suffixes of any order: n-grams with the same suffix are adjacent."""

    def __init__(self, counts: NgramCounts) -> None:
        self.counts = counts
        self._sums = np.zeros(counts.keys.size + 1, np.int64)
        np.cumsum(counts.counts, out=self._sums[1:])

    def count(self, asked: NgramKeys, order: int) -> npt.NDArray[np.int64]:
        """Count of each n-gram of this order."""
        width = self.counts.alphabet.base ** (self.counts.n - order)
        low = np.searchsorted(self.counts.keys, asked * width)
        high = np.searchsorted(self.counts.keys, (asked + 1) * width)
        counts: npt.NDArray[np.int64] = self._sums[high] - self._sums[low]
        return counts

    def conditionals(self, keys: NgramKeys, fixed_weights: bool = False) -> Floats:
        """Estimate of each order for each n-gram, see `_conditionals`; with fixed weights 0, not NaN."""
        base, n, size = self.counts.alphabet.base, self.counts.n, self.counts.alphabet.size
        texts = self.count(np.array([NEWLINE_CODE]), 1)[0]
        estimates = np.empty((n, keys.size))
        estimates[0] = clamped_quotients(self.count(keys // base ** (n - 1), 1) + 1, self._sums[-1] + size)
        for order in range(2, n + 1):
            asked = keys // base ** (n - order)
            history = asked % base ** (order - 1)
            total = history_totals(history, self.count(history, order - 1), texts, base ** (order - 2))
            estimates[order - 1] = clamped_quotients(self.count(asked, order), total)
            if not fixed_weights:
                estimates[order - 1, total <= 0] = np.nan
        return estimates


def _conditionals(counts: NgramCounts, keys: NgramKeys) -> Floats:
    """Estimate of each order for each n-gram: shape (orders, keys), NaN where its history is unseen.

    The first k rows are those of a model of order k, so that one call serves every n and every q.
    Differences of counts may leave the range of probabilities and are clamped into it.
    """
    return _SuffixCounts(counts).conditionals(keys)


def history_totals(history: NgramKeys, tallies: _Tallies, texts: _Tallies, newest: int) -> _Tallies:
    """How often any character followed each history: as often as the history itself occurs.

    The exception are the newlines before a text, which are not counted since nothing predicts them; there are
    as many as texts. `newest` is the place value of the newest character.
    """
    return np.where(history // newest == NEWLINE_CODE, texts, tallies)


def clamped_quotients(counts: _Tallies, totals: _Tallies) -> Floats:
    """Counts as shares of their totals, clamped to [0, 1]; 0 where the total is 0.

    Of differences of counts, both may be negative: the quotient is taken as it is.

    >>> clamped_quotients(np.array([1, -1, 3, -1, 1]), np.array([2, 2, 2, -2, 0]))
    array([0.5, 0. , 1. , 0.5, 0. ])
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        quotients = np.clip(counts / totals, 0, 1)
    return np.where(totals == 0, 0.0, quotients)


def mixed(estimates: Floats, q: float) -> Floats:
    """Interpolated probability of each n-gram, out of the estimates of all orders, lowest first.

    >>> mixed(np.array([[0.1, 0.1], [0.5, np.nan]]), q=0.5).round(3)
    array([0.367, 0.1  ])
    """
    probability: Floats = estimates[0]
    for order, estimate in enumerate(estimates[1:], 2):
        weight = share(order, q)
        probability = np.where(
            np.isnan(estimate), probability, weight * estimate + (1 - weight) * probability
        )
    return probability


def cross_entropy(counts: NgramCounts, asked: NgramCounts, q: float, fixed_weights: bool = False) -> float:
    """Bits a character of `asked` costs a model trained on `counts`."""
    endings = _SuffixCounts(counts)
    bits, characters = 0.0, 0
    for start in range(0, asked.keys.size, _PIECE):
        piece = slice(start, start + _PIECE)
        weights = np.maximum(asked.counts[piece], 0)
        probabilities = mixed(endings.conditionals(asked.keys[piece], fixed_weights), q)
        bits -= float(weights @ np.log2(np.maximum(probabilities, FLOOR)))
        characters += int(weights.sum(dtype=np.int64))
    return bits / max(1, characters)
