"""Label the segments of a raw page by aligning its words with the gold text.

Words of page and gold are aligned along a longest common subsequence. That alone would match a lone "the" of
the navigation with one in the text, so only runs count: a few words in a row, with hardly a word between them
in either text. Gold text in another order is found by its shingles.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import Match
from itertools import accumulate
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos import scripts
from stupidos.errors import CorpusError
from stupidos.lab.lcs import common_blocks
from stupidos.page import Segment

_FloatArray: TypeAlias = npt.NDArray[np.float64]  # shape (segments,), from 0 to 1
_BoolArray: TypeAlias = npt.NDArray[np.bool_]

_MIN_RUN_WORDS = 3  # shorter runs are matched by chance
_MAX_GAP_WORDS = 2  # between the blocks of one run
_SHINGLE_WORDS = 5  # gold text in another order is found by these
_MIN_MATCHED_SHARE = 0.5  # of a clean segment's words

# Scripts without blanks between words: each character is one.
_UNSPACED_SCRIPTS = scripts.THAI_LAO + scripts.MYANMAR + scripts.KHMER + scripts.KANA + scripts.HAN
_WORD = re.compile(rf"[{_UNSPACED_SCRIPTS}]|[^\W{_UNSPACED_SCRIPTS}]+")


def words(text: str) -> list[str]:
    """Words of a text, without case and punctuation.

    >>> words("Don't panic, 漢字!")
    ['don', 't', 'panic', '漢', '字']
    """
    return _WORD.findall(text.lower())


def clean_segments(segments: Sequence[Segment], gold: Sequence[Segment]) -> _BoolArray:
    """Whether each segment is part of the gold text.

    >>> page = [Segment(text) for text in ("Home", "Tea is hot.", "It may be cold.", "Contact us")]
    >>> clean_segments(page, [Segment("Tea is hot. It may be cold.")])
    array([False,  True,  True, False])
    """
    clean: _BoolArray = matched_shares(segments, gold) >= _MIN_MATCHED_SHARE
    return clean


def matched_shares(segments: Sequence[Segment], gold: Sequence[Segment]) -> _FloatArray:
    """Share of each segment's words that the gold text has in the same place; 0 where there are none."""
    parts = [words(segment.text) for segment in segments]
    raw_words = [word for part in parts for word in part]
    gold_words = [word for segment in gold for word in words(segment.text)]
    try:
        blocks = _local(common_blocks(raw_words, gold_words))
    except CorpusError:  # too long to align: the shingles decide alone
        blocks = []
    matched = _covered(len(raw_words), [(block.a, block.size) for block in blocks])
    left = ~_covered(len(gold_words), [(block.b, block.size) for block in blocks])
    matched |= _reordered(raw_words, matched, gold_words, left)
    ends = np.fromiter(accumulate(map(len, parts)), np.int64, len(parts))
    sums = np.concatenate([[0], np.cumsum(matched)])
    sizes = np.fromiter(map(len, parts), np.int64, len(parts))
    shares: _FloatArray = (sums[ends] - sums[ends - sizes]) / np.maximum(sizes, 1)
    return shares


def _local(blocks: Sequence[Match]) -> list[Match]:
    """Blocks that are long enough by themselves or with adjacent blocks.

    >>> _local([Match(0, 7, 1), Match(50, 20, 9), Match(60, 30, 1)])
    [Match(a=50, b=20, size=9), Match(a=60, b=30, size=1)]
    """
    groups: list[list[Match]] = []
    for block in blocks:
        last = groups[-1][-1] if groups else None
        if last and max(block.a - last.a, block.b - last.b) - last.size <= _MAX_GAP_WORDS:
            groups[-1].append(block)
        else:
            groups.append([block])
    return [
        block for group in groups if sum(block.size for block in group) >= _MIN_RUN_WORDS for block in group
    ]


def _covered(size: int, runs: Sequence[tuple[int, int]]) -> _BoolArray:
    covered = np.zeros(size, np.bool_)
    for start, length in runs:
        covered[start : start + length] = True
    return covered


def _reordered(raw: list[str], matched: _BoolArray, gold: list[str], left: _BoolArray) -> _BoolArray:
    """Unmatched words of the page in a shingle that the unmatched gold text has too."""
    moved = np.zeros(len(raw), np.bool_)
    wanted = {shingle for _, shingle in _shingles(gold, left)}
    if wanted:
        for start, shingle in _shingles(raw, ~matched):
            if shingle in wanted:
                moved[start : start + _SHINGLE_WORDS] = True
    return moved


def _shingles(text: list[str], free: _BoolArray) -> list[tuple[int, tuple[str, ...]]]:
    """Every shingle of unmatched words, with the place of its first word."""
    if len(text) < _SHINGLE_WORDS:
        return []
    all_free = np.lib.stride_tricks.sliding_window_view(free, _SHINGLE_WORDS).all(axis=1)
    return [
        (start, tuple(text[start : start + _SHINGLE_WORDS])) for start in np.flatnonzero(all_free).tolist()
    ]
