"""The matching blocks of Python's SequenceMatcher, without its quadratic cases.

SequenceMatcher(None, a, b) takes the longest run of words that both texts share, leaving out words that are
more than 1 % of `b`, widens it by whatever is equal on either side, and does the same again before and behind
it. Here the runs of the whole page are tried from long to short instead. The boxes that are still open follow
each other in both texts, so a run inside a box is the longest of that box when its turn comes; one that
reaches over a border is cut there and waits for the turn of its new length. Runs of 2^k to 2^(k+1) - 1 words
are looked up together and inside the open boxes only: where long runs were found, few short ones are tried.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SMALL = 1_000_000  # product of the lengths below which difflib is as fast and its worst case bearable
POPULAR_FROM = 200  # words of b from which difflib leaves out the popular ones
PAIRS_AT_ONCE = 1 << 20  # pairs of places held in memory together
TRIED_AT_ONCE = 1 << 12  # runs tested against the open boxes by one array operation
IN_A, IN_B = -1, -2  # numbers that are never equal: a place that takes no part any more

Numbers = NDArray[np.int64]  # shape (places,)


class Block(NamedTuple):
    """`size` words that are equal from place `a` in one text and place `b` in the other."""

    a: int
    b: int
    size: int


class Runs(NamedTuple):
    """Runs of equal words: where they begin in either text, and their lengths."""

    a: Numbers
    b: Numbers
    size: Numbers

    def at(self, chosen: NDArray[np.bool_] | Numbers | slice) -> Runs:
        return Runs(self.a[chosen], self.b[chosen], self.size[chosen])


def matching_blocks(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Block]:
    """Blocks as SequenceMatcher(None, a, b) finds them, in order, without its empty last one.

    >>> matching_blocks("the old man and the sea".split(), "an old man and a sea".split())
    [Block(a=1, b=1, size=3), Block(a=5, b=5, size=1)]
    """
    if len(a) * len(b) <= SMALL:
        return [Block(*block) for block in SequenceMatcher(None, a, b).get_matching_blocks()[:-1]]
    return list(_joined(sorted(_Search(*numbered(a, b)).blocks())))


def numbered(a: Sequence[Hashable], b: Sequence[Hashable]) -> tuple[Numbers, Numbers]:
    """Both texts with their words as numbers, the same word as the same number."""
    numbers = {word: number for number, word in enumerate(dict.fromkeys(itertools.chain(a, b)))}
    return (
        np.fromiter(map(numbers.__getitem__, a), np.int64, len(a)),
        np.fromiter(map(numbers.__getitem__, b), np.int64, len(b)),
    )


def _joined(blocks: Sequence[Block]) -> Iterator[Block]:
    """Blocks that touch in both texts made one, as difflib does."""
    last = Block(0, 0, 0)
    for block in blocks:
        if last.a + last.size == block.a and last.b + last.size == block.b:
            last = Block(last.a, last.b, last.size + block.size)
            continue
        if last.size:
            yield last
        last = block
    if last.size:
        yield last


def _grams(a: Numbers, b: Numbers) -> list[tuple[Numbers, Numbers]]:
    """Numbers of the 2^k words from each place on, for k = 0, 1, … while both texts share any.

    What the other text has not, or what holds a popular word, has a number that is never equal.
    """
    counts = np.bincount(b, minlength=int(a.max()) + 1)
    rare = counts <= (len(b) // 100 + 1 if len(b) >= POPULAR_FROM else len(b))
    levels = [(np.where(rare[a], a, IN_A), np.where(rare[b], b, IN_B))]
    while True:
        length = 1 << (len(levels) - 1)
        base = max(len(a) + len(b), int(levels[-1][0].max()) + 1)
        key_a, key_b = (_doubled(grams, length, base) for grams in levels[-1])
        shared = np.intersect1d(key_a[key_a >= 0], key_b[key_b >= 0])
        if not len(shared):
            return levels
        levels.append((_renumbered(key_a, shared, IN_A), _renumbered(key_b, shared, IN_B)))


def _doubled(grams: Numbers, length: int, base: int) -> Numbers:
    """Each gram together with the one that follows it, as one number; -1 where either never matches."""
    left, right = grams[:-length], grams[length:]
    return np.where((left >= 0) & (right >= 0), left * base + right, -1)


def _renumbered(keys: Numbers, shared: Numbers, never: int) -> Numbers:
    place = np.minimum(np.searchsorted(shared, keys), len(shared) - 1)
    return np.where(shared[place] == keys, place, never)


class _Search:
    """The open boxes and the blocks found so far; `box_a[i] == box_b[j]` where i and j share a box."""

    def __init__(self, a: Numbers, b: Numbers) -> None:
        self.words_a: list[int] = a.tolist()
        self.words_b: list[int] = b.tolist()
        self.grams = _grams(a, b)
        self.box_a, self.box_b = np.zeros(len(a), np.int64), np.zeros(len(b), np.int64)
        room = len(a) + 2  # a block opens at most one more box
        self.low_a, self.high_a = np.zeros(room, np.int64), np.full(room, len(a), np.int64)
        self.low_b, self.high_b = np.zeros(room, np.int64), np.full(room, len(b), np.int64)
        self.boxes = 1
        self.found: list[Block] = []

    def blocks(self) -> list[Block]:
        for level in range(len(self.grams) - 1, 0, -1):
            runs = [self._runs(pairs, level) for pairs in self._pairs(level)]
            self._take_from_long_to_short(_stacked(runs), 1 << level)
        for a, b in self._pairs(0):
            self._take(Runs(a, b, np.ones(len(a), np.int64)), 1)
        self._take_popular()
        return self.found

    def _pairs(self, level: int) -> Iterator[tuple[Numbers, Numbers]]:
        """Places where the same 2^level words begin in the same box, ordered by `a`, then by `b`."""
        places_a, keys_a = self._keys(self.grams[level][0], self.box_a, 1 << level)
        places_b, keys_b = self._keys(self.grams[level][1], self.box_b, 1 << level)
        order = np.argsort(keys_b, kind="stable")
        places_b, keys_b = places_b[order], keys_b[order]
        first = np.searchsorted(keys_b, keys_a, side="left")
        many = np.searchsorted(keys_b, keys_a, side="right") - first
        ends = np.cumsum(many)
        start = 0
        while start < len(many):
            before = int(ends[start - 1]) if start else 0
            stop = max(int(np.searchsorted(ends, before + PAIRS_AT_ONCE)), start + 1)
            some = slice(start, stop)
            steps = np.arange(ends[stop - 1] - before) - np.repeat(
                ends[some] - many[some] - before, many[some]
            )
            yield (
                np.repeat(places_a[some], many[some]),
                places_b[np.repeat(first[some], many[some]) + steps],
            )
            start = stop

    def _keys(self, grams: Numbers, box: Numbers, length: int) -> tuple[Numbers, Numbers]:
        """Places whose `length` words lie in one open box, and what they must share to be a pair."""
        inside = (grams >= 0) & (box[: len(grams)] >= 0) & (box[: len(grams)] == box[length - 1 :])
        places = np.flatnonzero(inside)
        return places, grams[places] * self.boxes + box[places]

    def _runs(self, pairs: tuple[Numbers, Numbers], level: int) -> Runs:
        """Runs that begin at `pairs`, as long as they are inside their box.

        No box holds a run of 2^(level + 1) words any more when a level is asked for.
        """
        a, b = pairs
        box = self.box_a[a]
        words_a, words_b = self.grams[0]
        inner = (a > self.low_a[box]) & (b > self.low_b[box])
        begins = ~(inner & (words_a[a - 1] == words_b[b - 1]))
        a, b, box = a[begins], b[begins], box[begins]
        size = np.full(len(a), 1 << level, np.int64)
        for lower in range(level - 1, -1, -1):
            grams_a, grams_b = self.grams[lower]
            inside = (a + size < len(grams_a)) & (b + size < len(grams_b))
            step = np.where(inside, size, 0)
            size[inside & (grams_a[a + step] == grams_b[b + step])] += 1 << lower
        return Runs(a, b, np.minimum(size, np.minimum(self.high_a[box] - a, self.high_b[box] - b)))

    def _take_from_long_to_short(self, runs: Runs, shortest: int) -> None:
        """Blocks of runs below 2 * shortest words, the longest first; what is cut comes again, shorter."""
        waiting: defaultdict[int, list[Runs]] = defaultdict(list)
        _sort_in(waiting, runs)
        while waiting:
            turn = _stacked(waiting.pop(max(waiting)))
            for cut in self._take(turn.at(np.lexsort((turn.b, turn.a))), shortest):
                _sort_in(waiting, cut)

    def _take(self, runs: Runs, shortest: int) -> list[Runs]:
        """Blocks made of the runs that lie whole in a box; what a border cuts is given back, shortened."""
        cuts = []
        for start in range(0, len(runs.a), TRIED_AT_ONCE):
            left = runs.at(slice(start, start + TRIED_AT_ONCE))
            while len(left.a):
                left, cut = self._sorted_out(left, shortest)
                if len(cut.a):
                    cuts.append(cut)
                if len(left.a):
                    self._add(int(left.a[0]), int(left.b[0]), int(left.size[0]))
                    left = left.at(slice(1, None))
        return cuts

    def _sorted_out(self, runs: Runs, shortest: int) -> tuple[Runs, Runs]:
        """Runs that lie whole in a box, and what borders leave of the others.

        A run is shorter than 2 * shortest, so a piece that is long enough holds the word in the middle.
        """
        middle = shortest - 1
        box = self.box_a[runs.a + middle]
        open_ = box == self.box_b[runs.b + middle]
        runs, box = runs.at(open_), box[open_]
        begin = np.maximum(np.maximum(self.low_a[box] - runs.a, self.low_b[box] - runs.b), 0)
        end = np.minimum(np.minimum(self.high_a[box] - runs.a, self.high_b[box] - runs.b), runs.size)
        whole = (end - begin) == runs.size
        if whole.all():
            return runs, runs.at(slice(0, 0))
        cut = ~whole & (end - begin >= shortest)
        pieces = Runs(runs.a + begin, runs.b + begin, end - begin)
        return runs.at(whole), pieces.at(cut)

    def _add(self, a: int, b: int, size: int) -> None:
        """A block at the run, widened by what is equal beside it; what is left of its box becomes two."""
        box = int(self.box_a[a])
        low_a, high_a = int(self.low_a[box]), int(self.high_a[box])
        low_b, high_b = int(self.low_b[box]), int(self.high_b[box])
        words_a, words_b = self.words_a, self.words_b
        while a > low_a and b > low_b and words_a[a - 1] == words_b[b - 1]:
            a, b, size = a - 1, b - 1, size + 1
        while a + size < high_a and b + size < high_b and words_a[a + size] == words_b[b + size]:
            size += 1
        self.found.append(Block(a, b, size))
        self.box_a[a : a + size], self.box_b[b : b + size] = IN_A, IN_B
        self._open(self.boxes, (a + size, high_a), (b + size, high_b))
        self._open(box, (low_a, a), (low_b, b))
        self.boxes += 1

    def _open(self, box: int, part_a: tuple[int, int], part_b: tuple[int, int]) -> None:
        """Make `box` the two parts; nothing can match there when one of them is empty."""
        self.low_a[box], self.high_a[box] = part_a
        self.low_b[box], self.high_b[box] = part_b
        empty = part_a[0] == part_a[1] or part_b[0] == part_b[1]
        self.box_a[slice(*part_a)] = IN_A if empty else box
        self.box_b[slice(*part_b)] = IN_B if empty else box

    def _take_popular(self) -> None:
        """Equal words at the beginning of the boxes left; only there does difflib look at popular ones."""
        bounds = zip(self.low_a, self.high_a, self.low_b, self.high_b, strict=True)
        for low_a, high_a, low_b, high_b in itertools.islice(bounds, self.boxes):
            pairs = zip(self.words_a[low_a:high_a], self.words_b[low_b:high_b], strict=False)
            size = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
            if size:
                self.found.append(Block(int(low_a), int(low_b), size))


def _sort_in(waiting: defaultdict[int, list[Runs]], runs: Runs) -> None:
    """Put each run to those of its length."""
    runs = runs.at(np.argsort(runs.size, kind="stable"))
    starts = np.flatnonzero(np.diff(runs.size, prepend=0))
    for start, end in itertools.pairwise([*starts.tolist(), len(runs.size)]):
        waiting[int(runs.size[start])].append(runs.at(slice(start, end)))


def _stacked(runs: Sequence[Runs]) -> Runs:
    empty = np.zeros(0, np.int64)
    return Runs(*(np.concatenate(column) for column in zip(Runs(empty, empty, empty), *runs, strict=True)))
