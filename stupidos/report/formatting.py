"""Numbers as people read them, and their place on the slider's scale."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import asinh, log2

from stupidos.page import Verdict

WIDEST = 1e6  # log-odds beyond which nothing is told apart
BAR_STEPS = 8  # lengths of the bars of a decision path, each twice the log-odds of the one before
SHORTEST_BAR = 0.125  # log-odds


def signed(value: float) -> str:
    """A log-odds with a true minus sign; decimals only where they tell something.

    >>> [signed(x) for x in (-0.127, 0.0, 3.0, -1234.5)]
    ['−0.13', '0.00', '+3.00', '−1234']
    """
    sign = "−" if value < 0 else "+" if value > 0 else ""
    return f"{sign}{abs(value):.{2 if abs(value) < 10 else 0}f}"


def words(verdicts: Iterable[Verdict]) -> int:
    """Number of words, as blanks separate them."""
    return sum(len(verdict.segment.text.split()) for verdict in verdicts)


def position(score: float) -> float:
    """Place of a score on the slider: fine around 0, coarse far away.

    >>> position(0.0), round(position(100.0), 2)
    (0.0, 5.3)
    """
    return asinh(clamped(score))


def clamped(score: float) -> float:
    """A score that can be drawn.

    >>> clamped(float("-inf"))
    -1000000.0
    """
    return max(-WIDEST, min(WIDEST, score))


def ends(scores: Sequence[float]) -> tuple[float, float]:
    """Ends of the slider: a little beyond every score, and never tight around 0.

    >>> ends([])
    (-2.0, 2.0)
    """
    places = [position(score) for score in scores]
    return min([-1.8, *places]) - 0.2, max([1.8, *places]) + 0.2


def histogram(scores: Sequence[float], bins: int) -> list[tuple[float, int]]:
    """Middle of each bin between the slider's ends, with the number of scores in it.

    >>> histogram([0.5, 0.5, -1.0], bins=2)
    [(-1.0, 1), (1.0, 2)]
    """
    low, high = ends(scores)
    width = (high - low) / bins
    counts = [0] * bins
    for score in scores:
        counts[min(bins - 1, int((position(score) - low) / width))] += 1
    return [(low + (i + 0.5) * width, count) for i, count in enumerate(counts)]


def bar(log_odds: float) -> int:
    """Length of a bar, -8 to 8; every step doubles the log-odds.

    >>> [bar(x) for x in (0.0, 0.25, -1.0, 1000.0)]
    [0, 2, -4, 8]
    """
    size = abs(clamped(log_odds))
    if size < SHORTEST_BAR:
        return 0
    length = min(BAR_STEPS, 1 + int(log2(size / SHORTEST_BAR)))
    return length if log_odds > 0 else -length
