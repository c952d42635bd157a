"""Tuning on the cleaning score itself: n, q and threshold by the F of cross-validated pages.

The author found that cross-entropy prefers larger models than the task needs. To try thousands of settings,
each page is aligned with its gold only once; a setting is scored by the matched words in the segments it
keeps. The caller measures the best setting exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.errors import CorpusError
from stupidos.lab.conditional import (
    CharacterCounts,
    CharacterFlags,
    Characters,
    Estimates,
    estimates,
    mixtures,
    unigrams,
)
from stupidos.lab.cross_validation import HeldOutPage
from stupidos.lab.lcs import common_blocks
from stupidos.lab.measure import MARKERS, words
from stupidos.lab.tune import Q_GRID, Watch, unwatched
from stupidos.lm.alphabet import Alphabet
from stupidos.lm.interpolate import FLOOR
from stupidos.lm.logodds import CERTAIN
from stupidos.rules import broken_rules
from stupidos.write import marked, verdicts_of

_THRESHOLDS = (-8.0, -6.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)  # natural log-odds
_BLOCK_CHARACTERS = 1 << 15  # characters interpolated at once

_FloatArray: TypeAlias = npt.NDArray[np.float64]


class _FScorePoint(NamedTuple):
    """One setting and its macro-averaged score."""

    n: int
    q: float
    threshold: float
    f: float
    precision: float
    recall: float


class _AlignedPages(NamedTuple):
    """The segments of all pages, one after the other, matched with their gold."""

    size: _FloatArray  # words of each segment, including its marker
    matched: _FloatArray  # those that the gold has
    judged: npt.NDArray[np.bool_]  # False where a rule drops it
    page: npt.NDArray[np.int64]  # first segment of each page
    edges: _FloatArray  # matched empty words at both ends of each page, see measure.py
    gold: _FloatArray  # words of each page's gold


def tuned(
    folds: Sequence[Sequence[HeldOutPage]],
    alphabet: Alphabet,
    n: int,
    qs: Sequence[float] = Q_GRID,
    watch: Watch = unwatched,
    fixed_weights: bool = False,
) -> list[_FScorePoint]:
    """The best threshold and its score for every n and q."""
    items = [item for fold in folds for item in fold if item.example.page.segments]
    alignment = _aligned(list(watch(items, "comparing with gold", len(items))))
    corpus = _Corpus.of(folds, alphabet, n)
    clean, dirty = corpus.sides(watch, fixed_weights)
    rows = []
    for q in watch(qs, "trying values of q", len(qs)):
        for order, scores in enumerate(_scores(clean, dirty, corpus.starts, q, fixed_weights), 1):
            rows.append(
                max((_point(alignment, scores, order, q, t) for t in _THRESHOLDS), key=lambda row: row.f)
            )
    return sorted(rows)


def _aligned(items: Sequence[HeldOutPage]) -> _AlignedPages:
    """Words of each segment and how many of them are matched, by one alignment per page."""
    sizes, matches, judged, edges, golds = [], [], [], [], []
    for item in items:
        segments = item.example.page.segments
        page, gold = words(marked(verdicts_of(segments))), words(item.gold)
        hit = np.zeros(len(page), np.float64)
        try:
            blocks = common_blocks(page, gold)
        except CorpusError as error:
            raise CorpusError(f"{item.example.name}: {error}; remove this page") from error
        for place, _, size in blocks:
            hit[place : place + size] = 1
        starts = [place for place, word in enumerate(page) if word in MARKERS]
        if len(starts) != len(segments):  # a text with markers of its own: they belong to its segment
            starts = _own_starts([segment.text for segment in segments])
        sizes.append(np.diff(starts, append=len(page) - 1).astype(np.float64))
        matches.append(np.add.reduceat(hit[:-1], starts))
        edges.append(hit[0] + hit[-1])
        judged.append([not rule for rule in broken_rules(segments, frozenset())])
        golds.append(len(gold))
    counts = [len(part) for part in sizes]
    first = np.cumsum([0, *counts[:-1]])
    return _AlignedPages(
        np.concatenate(sizes),
        np.concatenate(matches),
        np.concatenate(judged),
        first,
        np.array(edges, np.float64),
        np.array(golds, np.float64),
    )


def _own_starts(texts: Sequence[str]) -> list[int]:
    """Place of each segment's own marker among the words of the page; the first word is the empty one."""
    starts, place = [], 1
    for text in texts:
        starts.append(place)
        place += len([word for word in words(f"<p>{text}") if word])
    return starts


def _point(pages: _AlignedPages, scores: _FloatArray, n: int, q: float, threshold: float) -> _FScorePoint:
    kept = (scores > threshold) & pages.judged
    size = np.add.reduceat(pages.size * kept, pages.page) + 2
    matched = np.add.reduceat(pages.matched * kept, pages.page) + pages.edges
    precision = matched / np.maximum(size, 1)
    recall = matched / np.maximum(pages.gold, 1)
    f = 2 * matched / (size + pages.gold)
    return _FScorePoint(n, q, threshold, float(f.mean()), float(precision.mean()), float(recall.mean()))


@dataclass(frozen=True, eq=False)
class _Corpus:
    """Raw and gold texts of all folds, counted together: the gold texts of a fold follow its raw texts."""

    characters: Characters
    raw: CharacterFlags  # characters of raw pages, which are scored
    learnt: CharacterFlags  # characters of pages that are trained on
    starts: npt.NDArray[np.int64]  # first character of each raw text among the raw ones

    @classmethod
    def of(cls, folds: Sequence[Sequence[HeldOutPage]], alphabet: Alphabet, n: int) -> _Corpus:
        texts: list[list[str]] = []
        flags: list[tuple[int, bool, bool]] = []  # length with its newline, raw, learnt
        for fold in folds:
            raw = [
                (segment.text or " ", not item.flaw)
                for item in fold
                for segment in item.example.page.segments
            ]
            gold = [segment.text for item in fold if not item.flaw for segment in item.example.gold]
            texts.append([*(text for text, _ in raw), *gold])
            flags += [(len(text) + 1, True, learnt) for text, learnt in raw]
            flags += [(len(text) + 1, False, True) for text in gold]
        lengths, is_raw, learnt = (np.array(column) for column in zip(*flags, strict=True))
        raw_lengths = lengths[is_raw]
        return cls(
            Characters.of(texts, alphabet, n),
            np.repeat(is_raw, lengths),
            np.repeat(learnt, lengths),
            np.cumsum(raw_lengths) - raw_lengths,
        )

    def sides(self, watch: Watch, fixed_weights: bool = False) -> tuple[list[Estimates], list[Estimates]]:
        """Estimates of the clean and the dirty model for each raw character, by order."""
        gold, raw = self.learnt & ~self.raw, self.learnt & self.raw
        clean = _Side(self.characters, [gold], self.raw, fixed_weights)
        dirty = _Side(self.characters, [raw, gold], self.raw, fixed_weights)
        for endings in watch(self.characters.endings(), "counting n-grams", self.characters.n):
            clean.add(endings)
            dirty.add(endings)
        return clean.orders, dirty.orders


class _Side:
    """One model: characters counted, characters subtracted, and its estimates for those asked."""

    def __init__(
        self,
        characters: Characters,
        members: Sequence[CharacterFlags],
        asked: CharacterFlags,
        fixed_weights: bool,
    ) -> None:
        self.characters, self.members, self.asked = characters, members, asked
        self.fixed_weights = fixed_weights
        self.orders: list[Estimates] = []
        fold = characters.fold
        sizes, texts = self._by_fold(np.ones_like(characters.first)), self._by_fold(characters.first)
        self.totals = (sizes.sum() - sizes).astype(np.int32)[fold[asked]]
        self.texts = (texts.sum() - texts).astype(np.int32)[fold[asked]]
        self.below = self.totals

    def _by_fold(self, chosen: CharacterFlags) -> npt.NDArray[np.int64]:
        """How many chosen characters each fold has, counted minus subtracted."""
        counts = [
            np.bincount(self.characters.fold[members & chosen], minlength=self.characters.folds)
            for members in self.members
        ]
        return counts[0] - sum(counts[1:], np.zeros_like(counts[0]))

    def add(self, endings: CharacterCounts) -> None:
        """Add the estimates of the next order."""
        tallies = self.characters.elsewhere(endings, self.members[0], self.asked)
        for members in self.members[1:]:
            tallies -= self.characters.elsewhere(endings, members, self.asked)
        if self.orders:
            first = self.characters.first[self.asked]
            self.orders.append(estimates(tallies, self.below, first, self.texts, self.fixed_weights))
        else:
            self.orders.append(unigrams(tallies, self.totals, self.characters.alphabet.size))
        self.below = tallies


def _scores(
    clean: Sequence[Estimates],
    dirty: Sequence[Estimates],
    starts: npt.NDArray[np.int64],
    q: float,
    fixed_weights: bool = False,
) -> Iterator[_FloatArray]:
    """Natural log-odds of each raw text for n = 1, 2, …

    With fixed weights the dirty model cannot write some characters, and a text that has one is clean.
    """
    odds = np.empty((len(clean), len(clean[0])), np.float32)
    for start in range(0, odds.shape[1], _BLOCK_CHARACTERS):
        stop = min(start + _BLOCK_CHARACTERS, odds.shape[1])
        sides = [mixtures([order[start:stop] for order in side], q) for side in (clean, dirty)]
        for row, both in zip(odds, zip(*sides, strict=True), strict=True):
            likely, unlikely = (np.log(np.maximum(mixed, np.float32(FLOOR))) for mixed in both)
            row[start:stop] = likely - unlikely
            if fixed_weights:
                row[start:stop][both[1] == 0] = CERTAIN
    for row in odds:
        scores: _FloatArray = np.add.reduceat(row, starts, dtype=np.float64)
        yield scores
