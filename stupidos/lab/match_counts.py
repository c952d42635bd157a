"""Precision, recall and F of a result against a reference; bag-of-words counts of two texts.

The bag of words is the measure of newer benchmarks: the order of words does not count. Words are runs of
letters, digits and underscores, lower-cased. Chinese, Japanese and Thai put no blanks between words, so their
characters count one by one.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from stupidos import scripts

# Ranges, so that scores do not depend on the version of Unicode. Myanmar and Khmer are not split: all figures
# reported so far were measured this way.
_UNSPACED_SCRIPTS = (
    scripts.THAI_LAO
    + scripts.HAN_MARKS
    + scripts.KANA
    + scripts.KANA_EXTENSIONS
    + scripts.HALFWIDTH_KANA
    + scripts.HAN
    + scripts.HAN_SUPPLEMENT
)
_WORD = re.compile(rf"(?=\w)[{_UNSPACED_SCRIPTS}]|[^\W{_UNSPACED_SCRIPTS}]+")


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


def _bag(text: str) -> Counter[str]:
    """How often each word of a text occurs.

    >>> sorted(_bag("Tea for two. Tea!").items())
    [('for', 1), ('tea', 2), ('two', 1)]
    >>> sorted(_bag("漢字 kanji"))
    ['kanji', '字', '漢']
    """
    return Counter(_WORD.findall(text.lower()))


def bag_counts(cleaned: str, gold: str) -> MatchCounts:
    """Size of the multiset intersection of both texts, and of each bag.

    >>> bag_counts("tea tea milk", "Tea with milk")
    MatchCounts(matched=2, found=3, wanted=3)
    """
    retrieved, wanted = _bag(cleaned), _bag(gold)
    return MatchCounts((retrieved & wanted).total(), retrieved.total(), wanted.total())
