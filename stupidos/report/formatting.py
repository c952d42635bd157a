"""Number formats of a report, and the scale of its threshold slider."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import asinh, log2

from stupidos.page import Verdict

_MAX_LOG_ODDS = 1e6  # larger scores are clamped
_MAX_BAR_LENGTH = 8  # every step doubles the log-odds
_SHORTEST_BAR = 0.125  # log-odds of a bar of length 1


def signed(value: float, decimals: int | None = None) -> str:
    """A log-odds with its sign (a real minus), by default with decimals only below 10.

    >>> [signed(x) for x in (-0.127, 0.0, 3.0, -1234.5)], signed(12.345, 1)
    (['−0.13', '0.00', '+3.00', '−1234'], '+12.3')
    """
    if decimals is None:
        decimals = 2 if abs(value) < 10 else 0
    sign = "−" if value < 0 else "+" if value > 0 else ""
    return f"{sign}{abs(value):.{decimals}f}"


def total_words(verdicts: Iterable[Verdict]) -> int:
    """Number of words separated by white space."""
    return sum(len(verdict.segment.text.split()) for verdict in verdicts)


def slider_position(score: float) -> float:
    """Position of a score on the slider: fine around 0, coarse far away.

    >>> slider_position(0.0), round(slider_position(100.0), 2)
    (0.0, 5.3)
    """
    return asinh(clamped(score))


def clamped(score: float) -> float:
    """A finite score.

    >>> clamped(float("-inf"))
    -1000000.0
    """
    return max(-_MAX_LOG_ODDS, min(_MAX_LOG_ODDS, score))


def slider_range(scores: Sequence[float]) -> tuple[float, float]:
    """Both ends of the slider: a little beyond every score, and at least 2 on either side of 0.

    >>> slider_range([])
    (-2.0, 2.0)
    """
    positions = [slider_position(score) for score in scores]
    return min([-1.8, *positions]) - 0.2, max([1.8, *positions]) + 0.2


def histogram(scores: Sequence[float], bins: int) -> list[tuple[float, int]]:
    """Centre of each bin over the range of the slider, with the number of scores in it.

    >>> histogram([0.5, 0.5, -1.0], bins=2)
    [(-1.0, 1), (1.0, 2)]
    """
    low, high = slider_range(scores)
    width = (high - low) / bins
    counts = [0] * bins
    for score in scores:
        counts[min(bins - 1, int((slider_position(score) - low) / width))] += 1
    return [(low + (i + 0.5) * width, count) for i, count in enumerate(counts)]


def bar_length(log_odds: float) -> int:
    """Length of the bar of a score, -8 to 8.

    >>> [bar_length(x) for x in (0.0, 0.25, -1.0, 1000.0)]
    [0, 2, -4, 8]
    """
    size = abs(clamped(log_odds))
    if size < _SHORTEST_BAR:
        return 0
    length = min(_MAX_BAR_LENGTH, 1 + int(log2(size / _SHORTEST_BAR)))
    return length if log_odds > 0 else -length
