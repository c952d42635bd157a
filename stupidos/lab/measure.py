"""The CLEANEVAL measure as the author of StupidOS implemented it: aligned words, matched segment breaks.

A text is tokenised as that script does. Lines that begin with `URL` are dropped (the address of a page),
control characters are blanks, a marker `<p>`, `<h>` or `<l>` stands apart, and words are what blanks
separate: markers are words too, and so is the empty string before a leading blank and after a trailing one,
which matches that of the other text. Only ASCII blanks separate; the script works on bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import accumulate
from typing import Literal, NamedTuple

from stupidos.errors import CorpusError
from stupidos.lab.lcs import common_blocks
from stupidos.lab.match_counts import MatchCounts, bag_counts

_URL_LINE = re.compile(r"^[^\S\n]*URL.*$", re.MULTILINE | re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f]+")
MARKER = re.compile(r"(<[phl]>)", re.IGNORECASE)
MARKERS = ("<p>", "<h>", "<l>", "<P>", "<H>", "<L>")
_BLANKS = re.compile(r" +")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_MAX_STEPS = 100_000_000  # of difflib: ten seconds, 20 times the longest page of CLEANEVAL


def _matching_blocks(a: Sequence[str], b: Sequence[str]) -> list[Match]:
    """The matching blocks of difflib, in order, without its empty last one.

    >>> _matching_blocks("the old man and the sea".split(), "an old man and a sea".split())
    [Match(a=1, b=1, size=3), Match(a=5, b=5, size=1)]
    """
    return _BoundedMatcher(a, b).get_matching_blocks()[:-1]


class _BoundedMatcher(SequenceMatcher[str]):
    """difflib's SequenceMatcher, which gives up on a page it would take hours for."""

    a: Sequence[str]
    b: Sequence[str]
    b2j: dict[str, list[int]]  # places of each word of `b` but the popular ones

    def __init__(self, a: Sequence[str], b: Sequence[str]) -> None:
        super().__init__(None, a, b)
        # Steps that the words up to each place of `a` cost: one, and one for each place in `b`.
        self.costs = [0, *accumulate(1 + len(self.b2j.get(word, ())) for word in a)]
        self.steps = 0

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        self.steps += self.costs[-1 if ahi is None else ahi] - self.costs[alo]
        if self.steps > _MAX_STEPS:
            lengths = f"{len(self.a):,} words with {len(self.b):,}"
            raise CorpusError(f"too long for difflib to align: {lengths}; try --align lcs")
        return super().find_longest_match(alo, ahi, blo, bhi)


_AlignmentName = Literal["difflib", "lcs"]
_ALIGNMENTS: dict[_AlignmentName, Callable[[Sequence[str], Sequence[str]], list[Match]]] = {
    "difflib": _matching_blocks,
    "lcs": common_blocks,
}


@dataclass(frozen=True, slots=True)
class Measure:
    """How a cleaned text is compared with its gold text."""

    align: _AlignmentName = "difflib"
    unlabelled: bool = False  # every marker counts as `<p>`, for the words too
    ascii: bool = False  # drop other characters

    @property
    def signature(self) -> str:
        """Settings that differ from the defaults, for the signature of a score."""
        settings = {"align:lcs": self.align == "lcs", "unlabelled": self.unlabelled, "ascii": self.ascii}
        return "".join(f"|{name}" for name, on in settings.items() if on)


class Comparison(NamedTuple):
    """Matches between a cleaned text and its gold text."""

    words: MatchCounts
    segments: MatchCounts | None  # breaks of the right kind in the right place; None without markers
    unlabelled: MatchCounts | None  # segment breaks in the right place
    bag: MatchCounts  # words in any order


def compare(cleaned: str, gold: str, measure: Measure = Measure()) -> Comparison:
    """Score one page. Markers count as words, as in CLEANEVAL, unless one of the texts has none.

    >>> compare("<p>Tea is hot", "URL: x\\n<h>Tea <p>is hot").words
    MatchCounts(matched=4, found=5, wanted=6)
    >>> compare("Tea is hot", "<h>Tea <p>is hot")[:2]
    (MatchCounts(matched=3, found=3, wanted=3), None)
    """
    bags = bag_counts(_without_markers(cleaned), _without_markers(gold))
    if not _both_marked(cleaned, gold):
        if MARKER.search(cleaned) or MARKER.search(gold):
            cleaned, gold = _without_markers(cleaned).strip(), _without_markers(gold).strip()
        retrieved, wanted = words(cleaned, measure), words(gold, measure)
        return Comparison(_aligned(retrieved, wanted, measure.align)[0], None, None, bags)
    retrieved, wanted = words(cleaned, measure), words(gold, measure)
    in_words, segments = _aligned(retrieved, wanted, measure.align)
    unlabelled = segments
    if any(marker in text for text in (retrieved, wanted) for marker in MARKERS[1:]):
        unlabelled = _aligned(_without_labels(retrieved), _without_labels(wanted), measure.align)[1]
    return Comparison(in_words, segments, unlabelled, bags)


def _both_marked(cleaned: str, gold: str) -> bool:
    """Whether both texts have markers; an empty text may have had some."""
    return bool(MARKER.search(gold) and (MARKER.search(cleaned) or empty(cleaned)))


def words(text: str, measure: Measure = Measure()) -> list[str]:
    """Words of a text, including its markers.

    >>> words("URL: http://x.org/\\n<h>Tea<p>It is\\thot.\\n")
    ['', '<h>', 'Tea', '<p>', 'It', 'is', 'hot.', '']
    """
    text = _CONTROL.sub(" ", _URL_LINE.sub("", text))
    text = MARKER.sub(" <p> " if measure.unlabelled else r" \1 ", text)
    if measure.ascii:
        text = _NOT_ASCII.sub("", _BLANKS.sub(" ", text))
    return _BLANKS.split(text)


def _without_markers(text: str) -> str:
    """The text without its address and markers."""
    return MARKER.sub(" ", _URL_LINE.sub("", text))


def empty(gold: str) -> bool:
    """Whether a gold text has no words, so that nothing can be scored against it."""
    return not _without_markers(gold).strip(" \t\n\r\f\v\ufeff")


def _aligned(
    cleaned: Sequence[str], gold: Sequence[str], align: _AlignmentName
) -> tuple[MatchCounts, MatchCounts]:
    """Words and markers matched by the alignment."""
    blocks = _ALIGNMENTS[align](cleaned, gold)
    matched = [word for place, _, size in blocks for word in cleaned[place : place + size]]
    return (
        MatchCounts(len(matched), len(cleaned), len(gold)),
        MatchCounts(_markers(matched), _markers(cleaned), _markers(gold)),
    )


def _without_labels(words: Sequence[str]) -> list[str]:
    return ["<p>" if word in MARKERS else word for word in words]


def _markers(words: Sequence[str]) -> int:
    return sum(map(words.count, MARKERS))
