"""BTE, body text extraction: the one stretch of a page with the most words and the fewest tags.

Aidan Finn, Nicholas Kushmerick, Barry Smyth: *Fact or fiction: content classification for digital libraries*
(DELOS workshop, 2001); the best system of CLEANEVAL in Kohlschütter et al. (2010), section 4.3.2. The
text between token i and token j is kept so that the words inside and the tags outside are most. Finn et al.
try all pairs, in quadratic time. With +1 for a word and -1 for a tag, it is the stretch with the largest sum,
which takes one pass (Bentley, *Programming Pearls*).

    >>> from stupidos.render import read
    >>> menu = "<ul><li><a>Home</a><li><a>News</a></ul>"
    >>> page = read(f"{menu}<p>It rained all day, and the ferry was late.<hr><p>Top")
    >>> bte().score(page)
    array([-1., -1.,  1., -1.])
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stupidos.literature.boilerpipe import LiteratureScorer
from stupidos.literature.tokens import IntArray, TokenList, pieces
from stupidos.score.scorer import Scorer, Scores

if TYPE_CHECKING:
    from stupidos.page import Page


def _body_text(words: IntArray, tags: IntArray) -> tuple[int, int]:
    """First and last text of the stretch with the largest sum of words less tags; the first of equal ones.

    `words` are those of each text, `tags` the tags after it (0 or 1).

    >>> _body_text(np.array([0, 0, 6, 0, 5, 0]), np.array([1, 1, 1, 1, 1, 1]))
    (2, 4)
    """
    # sums before and after each text: a stretch runs from a text to a text, without the tag after that
    before = np.cumsum(words - tags) - (words - tags)
    behind = before + words
    gains = behind - np.minimum.accumulate(before)
    last = int(gains.argmax())
    return int(before[: last + 1].argmin()), last


def _body_start(names: TokenList) -> int:
    """Number of the first text after <body>; 0 without one."""
    return next((at + 1 for at, name in enumerate(names) if name and name.lower() == "body"), 0)


def _word_counts(split: TokenList) -> IntArray:
    """Number of words of each text, blanks that are written as references aside."""
    texts = ((text or "").replace("&nbsp;", " ") for text in split[0::3])
    return np.array([len(text.split()) for text in texts], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class _Bte(LiteratureScorer):
    """A Scorer: 1 for a segment with most of its words inside the body text, else -1."""

    name: str = "bte"

    @property
    def signature(self) -> str:
        return f"model:{self.name}"

    def score(self, page: Page) -> Scores:
        split = pieces(page)
        if not page.segments:
            return np.zeros(0)
        names, words = split[1::3], _word_counts(split)
        tags = np.zeros(len(words), dtype=np.int64)
        tags[: len(names)] = [bool(name) for name in names[: len(words)]]
        start = _body_start(names)
        if start >= len(words):
            start = 0
        first, last = (start + at for at in _body_text(words[start:], tags[start:]))
        sums = np.concatenate([[0], np.cumsum(words)])
        begins, ends = (
            np.array([getattr(segment, end) for segment in page.segments], dtype=np.int64)
            for end in ("first", "last")
        )
        ends = np.minimum(ends, len(words) - 1) + 1
        inside = sums[np.clip(ends, first, last + 1)] - sums[np.clip(begins, first, last + 1)]
        return np.where(2 * inside > sums[ends] - sums[np.minimum(begins, ends)], 1.0, -1.0)


def bte() -> Scorer:
    """Body text extraction, in linear time."""
    return _Bte()
