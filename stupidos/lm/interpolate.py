"""Conditional probabilities of every order, and their geometric interpolation.

Pr*(c | history) = (1-q)/(1-qⁿ) · (Pr_n + q·Pr_n-1 + ... + qⁿ⁻¹·Pr_1), where each Pr_k is the maximum
likelihood estimate behind the last k-1 characters and Pr_1 has one added to every count. An order
whose history was never seen is left out and the others share its weight. That is the same as going
up the orders one at a time, Pr*_k = share·Pr_k + (1-share)·Pr*_k-1, which is how it is computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.lm.alphabet import Alphabet
from stupidos.lm.counts import Counts, Keys, Whole, aligned

Floats: TypeAlias = npt.NDArray[np.float64]

FLOOR = 1e-12  # probability below which the log is not taken


class Order(NamedTuple):
    """All n-grams of one order, counted in several texts at once (a row each)."""

    n: int
    keys: Keys  # sorted, shape (ngrams,)
    counts: Whole  # shape (rows, ngrams)
    histories: Keys  # sorted, shape (histories,)
    history: npt.NDArray[np.intp]  # which of them stands before each n-gram
    totals: Whole  # counts of the histories, shape (rows, histories)
    ending: npt.NDArray[np.intp]  # where the order below has the n-gram without its oldest character
    within: npt.NDArray[np.intp]  # which n-gram of this order each one of the highest ends with


def interpolation_weights(n: int, q: float) -> Floats:
    """Weights of the orders, longest history first.

    The unigrams of the paper's 6-gram model weigh 0.03:

    >>> interpolation_weights(6, 0.6).round(2)
    array([0.42, 0.25, 0.15, 0.09, 0.05, 0.03])
    """
    return q ** np.arange(n) * share(n, q)


def share(order: int, q: float) -> float:
    """Weight of the order itself against all the lower ones together.

    >>> share(1, 0.5), share(3, 0.5)
    (1.0, 0.5714285714285714)
    """
    return (1 - q) / (1 - q**order)


def orders(keys: Keys, rows: Whole, base: int, n: int) -> Iterator[Order]:
    """The orders 1 to n, from counts of the highest; `rows` has the shape (rows, keys)."""
    below = np.zeros(keys.size, np.intp)
    for order in range(1, n + 1):
        endings = keys // base ** (n - order)
        first = np.ones(keys.size, np.bool_)
        np.not_equal(endings[1:], endings[:-1], out=first[1:])
        starts = np.flatnonzero(first)
        counts = np.add.reduceat(rows, starts, axis=1) if starts.size else rows
        found = endings[starts]
        histories, history = np.unique(found % base ** (order - 1), return_inverse=True)
        totals = np.stack([np.bincount(history, row, histories.size) for row in counts])
        within = np.cumsum(first) - 1
        yield Order(
            order, found, counts, histories, history, totals.astype(np.int32), below[starts], within
        )
        below = within


def likelihoods(order: Order, alphabet: Alphabet) -> Floats:
    """Maximum likelihood of each n-gram's last character, NaN behind a history never seen.

    Differences of counts may leave the range of probabilities and are clamped into it.
    """
    if order.n == 1:
        return np.clip((order.counts + 1) / (order.totals + alphabet.size), 0, 1)
    totals = order.totals[:, order.history]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(totals > 0, np.clip(order.counts / totals, 0, 1), np.nan)


def conditionals(counts: Counts, asked: Counts) -> tuple[Keys, Floats]:
    """What each order says of each n-gram of two texts: shape (orders, keys), NaN where it is silent.

    `counts` is what the model was trained on, `asked` the text it shall explain; the keys are those
    of both. Computed once, they can be mixed for every q.

    >>> from stupidos.lm.alphabet import ALPHABETS
    >>> from stupidos.lm.counts import count
    >>> seen, asked = (count([text], ALPHABETS["ascii"], 2) for text in ("aab", "ab"))
    >>> keys, estimates = conditionals(seen, asked)
    >>> dict(zip(seen.shown(), estimates[1].round(2).tolist()))  # here the keys sort alike
    {'\\na': 1.0, 'aa': 1.0, 'ab': 0.5, 'b\\n': 0.5}
    """
    keys, rows = aligned([counts, asked])
    found = np.empty((counts.n, keys.size))
    for order in orders(keys, rows[:1], counts.alphabet.base, counts.n):
        found[order.n - 1] = likelihoods(order, counts.alphabet)[0, order.within]
    return keys, found


def mixed(estimates: Floats, q: float) -> Floats:
    """Interpolated probability of each n-gram, out of the estimates of all orders, lowest first.

    >>> mixed(np.array([[0.1, 0.1], [0.5, np.nan]]), q=0.5).round(3)
    array([0.367, 0.1  ])
    """
    probability = estimates[0]
    for order, estimate in enumerate(estimates[1:], 2):
        weight = share(order, q)
        probability = np.where(
            np.isnan(estimate), probability, weight * estimate + (1 - weight) * probability
        )
    return probability


def cross_entropy(counts: Counts, asked: Counts, q: float) -> float:
    """Bits a character of `asked` costs a model trained on `counts`."""
    keys, estimates = conditionals(counts, asked)
    weights = np.zeros(keys.size)
    weights[np.searchsorted(keys, asked.keys)] = np.maximum(asked.counts, 0)
    bits = -np.log2(np.maximum(mixed(estimates, q), FLOOR))
    return float(weights @ bits / max(1.0, weights.sum()))
