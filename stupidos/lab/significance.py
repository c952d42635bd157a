"""Significance of the difference between two cleaners: paired tests across pages, as in the paper."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, lgamma, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_CONFIDENCE_LEVEL = 0.95  # of the intervals
_RESAMPLES = 10_000
_SEED = 2007
_CONVERGED = 1e-15  # the continued fraction stops when a step changes less
_TINY = 1e-300
_MAX_ITERATIONS = 10_000


class Gain(NamedTuple):
    """How much one cleaner scores above another on the same pages."""

    mean: float
    t: float
    df: int
    p: float  # two-sided, of the t-test
    low: float  # confidence interval of the mean gain, by the t-test
    high: float
    bootstrap_low: float  # likewise, by resampling the pages
    bootstrap_high: float
    bootstrap_p: float  # two-sided


def gain(scores: Sequence[float], baseline: Sequence[float], seed: int = _SEED) -> Gain:
    """The gain over a baseline, page by page.

    >>> paired = gain([0.9, 0.8, 0.95, 0.7], [0.8, 0.75, 0.9, 0.72])
    >>> round(paired.mean, 4), round(paired.t, 3), paired.df, round(paired.p, 4)
    (0.045, 1.824, 3, 0.1656)
    """
    differences = np.asarray(scores, np.float64) - np.asarray(baseline, np.float64)
    pages = len(differences)
    mean = float(differences.mean()) if pages else 0.0
    error = float(differences.std(ddof=1)) / sqrt(pages) if pages > 1 else 0.0
    t = mean / error if error else (inf if mean > 0 else -inf if mean < 0 else 0.0)
    df = max(pages - 1, 1)
    margin = _t_quantile((1 + _CONFIDENCE_LEVEL) / 2, df) * error
    return Gain(mean, t, df, _t_test_p(t, df), mean - margin, mean + margin, *_bootstrap(differences, seed))


def _bootstrap(differences: NDArray[np.float64], seed: int) -> tuple[float, float, float]:
    """Interval and two-sided p of the mean, by resampling pages."""
    if not len(differences):
        return 0.0, 0.0, 1.0
    rng = np.random.default_rng(seed)
    # Multinomial counts of the pages drawn, so that no (resamples, pages) index array is needed.
    chance = np.full(len(differences), 1 / len(differences))
    means = np.concatenate(
        [rng.multinomial(len(differences), chance, size=500) @ differences for _ in range(_RESAMPLES // 500)]
    ) / len(differences)
    low, high = np.quantile(means, [(1 - _CONFIDENCE_LEVEL) / 2, (1 + _CONFIDENCE_LEVEL) / 2])
    beyond = min((means <= 0).mean(), (means >= 0).mean())
    return float(low), float(high), float(min(1.0, max(2 * beyond, 1 / _RESAMPLES)))


def _t_test_p(t: float, df: int) -> float:
    """Two-sided p of Student's t; the paper's t = 1.976, df = 157 gives its p = .0499.

    >>> round(_t_test_p(1.976, 157), 4)
    0.0499
    """
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t)) if abs(t) < inf else 0.0


def _t_quantile(probability: float, df: int) -> float:
    """Value that Student's t exceeds with 1 - `probability`, for probabilities above one half.

    >>> round(_t_quantile(0.975, 10), 4)
    2.2281
    """
    low, high = 0.0, 1e4
    for _ in range(200):  # bisection
        middle = (low + high) / 2
        if 1 - _t_test_p(middle, df) / 2 < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz).

    >>> round(_incomplete_beta(2, 3, 0.5), 6)
    0.6875
    """
    if not 0 < x < 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # the fraction converges slowly there: use the other tail
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    c, d = 1.0, 1 / (_away_from_0(1 - (a + b) * x / (a + 1)))
    fraction = d
    for step in range(1, _MAX_ITERATIONS):
        for numerator in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            d = 1 / _away_from_0(1 + numerator * d)
            c = _away_from_0(1 + numerator / c)
            fraction *= c * d
        if abs(c * d - 1) < _CONVERGED:
            break
    return front * fraction


def _away_from_0(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
