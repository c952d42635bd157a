"""Bag-of-words F1, as newer benchmarks report it: the order of words does not count.

Words are runs of letters, digits and underscores, lower-cased. Chinese, Japanese and Thai put no blanks
between words, so their characters count one by one.
"""

from __future__ import annotations

import re
from collections import Counter

from stupidos.lab.match_counts import MatchCounts

# Thai and Lao, kana, Han (with its extensions and compatibility forms)
_UNSPACED_SCRIPTS = (
    "\u0e00-\u0eff\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
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
    found, wanted = _bag(cleaned), _bag(gold)
    return MatchCounts((found & wanted).total(), found.total(), wanted.total())
