"""Runs of equal words that some longest common subsequence holds, told without making the whole table.

Words that stand once in either text, taken in an order that both share and widened by the equal words around
them, make runs. With what can be matched between them they are a common subsequence; say it leaves `d` words
of `a` and `e` words of `b` unmatched. A longest one leaves no more, and pairs no words further than d and e
places off the diagonal. Some words of `a`, say `f`, occur nowhere in `b` within that reach: no longest one
matches them. Take a run in which more than d - f words occur in reach there and nowhere else: a subsequence
that stays off the run matches none of them, so every longest one meets the run, and where it does, following
the run to both ends costs nothing. The run is certain. In texts that differ little, nearly all runs are.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

ROUNDS = 3  # of anchors; a fourth adds next to nothing

Numbers = NDArray[np.int64]  # shape (places,)


class Runs(NamedTuple):
    """Equal words from rows `first` to `last` (not included) of `a`, `shift` places later in `b`."""

    first: Numbers
    last: Numbers
    shift: Numbers

    def at(self, chosen: NDArray[np.bool_] | slice) -> Runs:
        return Runs(self.first[chosen], self.last[chosen], self.shift[chosen])

    def places(self) -> tuple[Numbers, Numbers]:
        """Every place of the runs in `a`, and that in `b`."""
        sizes = self.last - self.first
        offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        rows = np.repeat(self.first, sizes) + offsets
        return rows, rows + np.repeat(self.shift, sizes)


NO_RUNS = Runs(*np.zeros((3, 0), np.int64))


def common_runs(a: Numbers, b: Numbers) -> Runs:
    """Runs of a common subsequence, in order: from anchors, and from anchors in the gaps they leave.

    >>> common_runs(np.arange(9), np.array([0, 1, 2, 3, 9, 4, 5, 6, 7, 8]))
    Runs(first=array([0, 4]), last=array([4, 9]), shift=array([0, 1]))
    """
    runs = NO_RUNS
    rows, columns = runs.places()
    for _ in range(ROUNDS):
        places_a, gap_a = _between(runs.first, runs.last, len(a))
        places_b, gap_b = _between(runs.first + runs.shift, runs.last + runs.shift, len(b))
        words = int(a.max()) + 1
        in_a, in_b = _once_in_both(a[places_a] + words * gap_a, b[places_b] + words * gap_b)
        if not len(in_a):
            break
        more_rows, more_columns = places_a[in_a], places_b[in_b]
        if (more_columns[1:] < more_columns[:-1]).any():
            rising = _longest_rise(more_columns.tolist())
            more_rows, more_columns = more_rows[rising], more_columns[rising]
        rows, columns = np.sort(np.append(rows, more_rows)), np.sort(np.append(columns, more_columns))
        runs = _widened(a, b, rows, columns - rows)
    return runs


def certain(a: Numbers, b: Numbers, runs: Runs, matched: int) -> NDArray[np.bool_]:
    """Which runs one longest common subsequence holds together, when one of `matched` words is known.

    >>> nine, ten = np.arange(9), np.array([0, 1, 2, 3, 9, 4, 5, 6, 7, 8])
    >>> certain(nine, ten, common_runs(nine, ten), matched=9)
    array([ True,  True])
    """
    missing_a, missing_b = len(a) - matched, len(b) - matched
    in_a, in_b = runs.places()
    sizes = runs.last - runs.first
    starts = np.cumsum(sizes) - sizes
    stands_a, stands_b = _Stands.of(a), _Stands.of(b)
    alone_a = stands_b.alone(in_b, in_a - missing_a, in_a + missing_b)
    alone_b = stands_a.alone(in_a, in_b - missing_b, in_b + missing_a)
    left_a, _ = _between(runs.first, runs.last, len(a))
    left_b, _ = _between(runs.first + runs.shift, runs.last + runs.shift, len(b))
    slack_a = missing_a - stands_b.nowhere(a[left_a], left_a - missing_a, left_a + missing_b)
    slack_b = missing_b - stands_a.nowhere(b[left_b], left_b - missing_b, left_b + missing_a)
    told: NDArray[np.bool_] = np.add.reduceat(alone_a, starts) > slack_a
    return told | (np.add.reduceat(alone_b, starts) > slack_b)


class _Stands(NamedTuple):
    """Where each word of a text stands."""

    text: Numbers
    order: Numbers  # places sorted by their words, those of one word in order

    @classmethod
    def of(cls, text: Numbers) -> _Stands:
        narrow = (
            text.astype(np.uint16) if text.max() < 1 << 16 else text
        )  # sorted by radix, ten times as fast
        return cls(text, np.argsort(narrow, kind="stable"))

    def alone(self, places: Numbers, low: Numbers, high: Numbers) -> Numbers:
        """1 where the word at a place does not come again from `low` to `high`, else 0."""
        words = self.text[self.order]
        again = words[1:] == words[:-1]
        before, behind = np.full(len(self.text), -1), np.full(len(self.text), len(self.text))
        before[self.order[1:]] = np.where(again, self.order[:-1], -1)
        behind[self.order[:-1]] = np.where(again, self.order[1:], len(self.text))
        far_before, far_behind = before[places] < np.maximum(low, 0), behind[places] > high
        alone: Numbers = (far_before & (far_behind | (behind[places] == len(self.text)))).astype(np.int64)
        return alone

    def nowhere(self, words: Numbers, low: Numbers, high: Numbers) -> int:
        """How many of `words` do not stand from `low` to `high`."""
        base = len(self.text) + 1
        stands = self.text[self.order] * base + self.order
        first = np.searchsorted(stands, words * base + np.clip(low, 0, len(self.text)))
        last = np.searchsorted(stands, words * base + np.clip(high + 1, 0, len(self.text)))
        return int(np.count_nonzero(first == last))


def _between(first: Numbers, last: Numbers, end: int) -> tuple[Numbers, Numbers]:
    """Places between the runs, and the number of the gap that each lies in."""
    starts, ends = np.append(0, last), np.append(first, end)
    sizes = ends - starts
    offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.repeat(starts, sizes) + offsets, np.repeat(np.arange(len(sizes)), sizes)


def _once_in_both(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Places of the words that stand once in either text, in the order of `a`."""
    highest = int(max(a.max(initial=0), b.max(initial=0)))
    if highest > 4 * (len(a) + len(b)):
        both = np.unique(np.append(a, b), return_inverse=True)[1]
        a, b, highest = both[: len(a)], both[len(a) :], len(both)
    once = (np.bincount(a, minlength=highest + 1) == 1) & (np.bincount(b, minlength=highest + 1) == 1)
    place_in_b = np.zeros(highest + 1, np.int64)
    place_in_b[b] = np.arange(len(b))
    rows = np.flatnonzero(once[a])
    return rows, place_in_b[a[rows]]


def _longest_rise(columns: list[int]) -> list[int]:
    """Which of `columns`, all different, make a longest rising series.

    >>> _longest_rise([5, 1, 2, 9, 3])
    [1, 2, 4]
    """
    ends: list[int] = []  # smallest column in which a rising series of each length ends
    at: list[int] = []  # and its index
    before: list[int] = []
    for index, column in enumerate(columns):
        length = bisect_left(ends, column)
        ends[length : length + 1] = [column]
        at[length : length + 1] = [index]
        before.append(at[length - 1] if length else -1)
    series = [at[-1]]
    while before[series[-1]] >= 0:
        series.append(before[series[-1]])
    return series[::-1]


def _widened(a: Numbers, b: Numbers, rows: Numbers, shift: Numbers) -> Runs:
    """The anchors with the equal words before and behind them; neighbours on one diagonal are joined."""
    every = np.arange(len(a))
    forth = np.repeat(
        shift, np.diff(rows, append=len(a))
    )  # of the last anchor, for each row from the first on
    stops = np.append(rows[0] + np.flatnonzero(_differ(a, b, every[rows[0] :], forth)), len(a))
    last = np.minimum(stops[np.searchsorted(stops, rows)], len(a))
    last[:-1] = np.minimum(last[:-1], rows[1:] + np.minimum(shift[1:] - shift[:-1], 0))
    back = np.repeat(shift, np.diff(rows, prepend=-1))  # of the next anchor, for each row up to the last
    stops = np.append(-1, np.flatnonzero(_differ(a, b, every[: rows[-1] + 1], back)))
    first = stops[np.searchsorted(stops, rows) - 1] + 1
    first[1:] = np.maximum(first[1:], last[:-1] + np.maximum(shift[:-1] - shift[1:], 0))
    new = np.ones(len(rows), bool)
    new[1:] = (shift[1:] != shift[:-1]) | (first[1:] != last[:-1])
    return Runs(first[new], last[np.append(new[1:], True)], shift[new])


def _differ(a: Numbers, b: Numbers, rows: Numbers, shift: Numbers) -> NDArray[np.bool_]:
    """Where row and shifted column hold different words, or there is no such column."""
    columns = rows + shift
    inside = (columns >= 0) & (columns < len(b))
    differ: NDArray[np.bool_] = a[rows] != b[np.where(inside, columns, 0)]
    return differ | ~inside
