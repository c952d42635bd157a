"""Precision, recall and F of a result against a reference."""

from __future__ import annotations

from typing import NamedTuple


class MatchCounts(NamedTuple):
    """How many items the result has, the reference has, and both have.

    >>> MatchCounts(matched=3, found=4, wanted=6).f
    0.6
    >>> MatchCounts(0, 0, 5).precision
    0.0
    """

    matched: int = 0
    found: int = 0  # in the result
    wanted: int = 0  # in the reference

    @property
    def precision(self) -> float:
        """Share of the result that is correct."""
        return self.matched / max(self.found, 1)

    @property
    def recall(self) -> float:
        """Share of the reference that is in the result."""
        return self.matched / max(self.wanted, 1)

    @property
    def f(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    def plus(self, other: MatchCounts) -> MatchCounts:
        """The sum of both."""
        return MatchCounts(self.matched + other.matched, self.found + other.found, self.wanted + other.wanted)
