"""Bag-of-words F1, as newer benchmarks report it: the order of words does not count.

Words are runs of letters, digits and underscores, lower-cased. Chinese, Japanese and Thai put no blanks
between words, so their characters count one by one.
"""

from __future__ import annotations

import re
from collections import Counter

from stupidos import scripts
from stupidos.lab.match_counts import MatchCounts

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


def _bag(text: str) -> Counter[str]:
    """How often each word of a text occurs.

    >>> sorted(_bag("Tea for two. Tea!").items())
    [('for', 1), ('tea', 2), ('two', 1)]
    >>> sorted(_bag("漢字 kanji"))
    ['kanji', '字', '漢']
    """
    return Counter(_WORD.findall(text.lower()))


def bag_tally(cleaned: str, gold: str) -> MatchCounts:
    """Size of the multiset intersection of both texts, and of each bag.

    >>> bag_tally("tea tea milk", "Tea with milk")
    MatchCounts(matched=2, found=3, wanted=3)
    """
    retrieved, wanted = _bag(cleaned), _bag(gold)
    return MatchCounts((retrieved & wanted).total(), retrieved.total(), wanted.total())
