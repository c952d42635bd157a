"""Inter-annotator agreement: share of words labelled alike, and Cohen's kappa.

Cohen 1960: agreement beyond what two annotators would reach by chance who keep as many words each.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from stupidos.scripts import UNSPACED, pattern

_WORD = rf"{UNSPACED}|[^\s{UNSPACED}]+"  # in scripts without spaces each character is a word


class LabelPair(NamedTuple):
    """One segment as two annotators labelled it."""

    words: int
    first: bool  # kept by the first annotator
    second: bool


class Agreement(NamedTuple):
    """Contingency table of two annotators, in words."""

    both_keep: int = 0
    only_first: int = 0
    only_second: int = 0
    both_drop: int = 0

    @property
    def words(self) -> int:
        return sum(self)

    @property
    def observed(self) -> float:
        """Share of the words that both labelled alike; 1 if there are none."""
        return (self.both_keep + self.both_drop) / self.words if self.words else 1.0

    @property
    def expected(self) -> float:
        """Share of the words that they would label alike by chance."""
        if not self.words:
            return 1.0
        first = (self.both_keep + self.only_first) / self.words
        second = (self.both_keep + self.only_second) / self.words
        return first * second + (1 - first) * (1 - second)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None if chance alone explains everything (0/0).

        >>> round(Agreement(both_keep=20, only_first=5, only_second=10, both_drop=15).kappa, 9)
        0.4
        """
        if self.expected == 1.0:
            return None
        return (self.observed - self.expected) / (1 - self.expected)


def agreement(pairs: Iterable[LabelPair]) -> Agreement:
    """The contingency table of two annotators.

    >>> agreement([LabelPair(3, True, True), LabelPair(2, True, False)])
    Agreement(both_keep=3, only_first=2, only_second=0, both_drop=0)
    """
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for words, first, second in pairs:
        counts[first, second] += words
    return Agreement(*counts.values())


def word_count(text: str) -> int:
    """Number of words; each character counts as one in scripts without spaces.

    >>> word_count("two words"), word_count("三个字"), word_count("")
    (2, 3, 0)
    """
    return len(pattern(_WORD).findall(text))
