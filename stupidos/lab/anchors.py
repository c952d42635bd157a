"""Runs of equal words that some longest common subsequence holds, found without making the table.

Words that stand once in either text, taken in an order that both share and widened by the equal words around
them, make a common subsequence. It leaves `d` words of `a` and `e` words of `b` unmatched, so a longest one
leaves no more, and pairs no words further than d and e places off the diagonal. Take a run in which more than
`d` words occur within that reach nowhere else in `b`: a subsequence that stays off the run matches none of
them, so every longest one meets the run, and where it does, following the run to both ends costs nothing. The
run is certain. Texts of 10,000 words that differ in a few dozen fall into small pieces this way.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]  # shape (places,)


class Runs(NamedTuple):
    """Equal words from rows `first` to `last` (not included) of `a`, `shift` places later in `b`."""

    first: Numbers
    last: Numbers
    shift: Numbers


def certain_runs(a: Numbers, b: Numbers) -> Runs:
    """Runs that one longest common subsequence of `a` and `b` holds together, in order.

    >>> certain_runs(np.arange(9), np.array([0, 1, 2, 3, 9, 4, 5, 6, 7, 8]))
    Runs(first=array([0, 4]), last=array([4, 9]), shift=array([0, 1]))
    """
    rows, columns = _once_in_both(a, b)
    if not len(rows):
        return Runs(rows, rows, rows)
    if (columns[1:] < columns[:-1]).any():
        rising = _longest_rise(columns.tolist())
        rows, columns = rows[rising], columns[rising]
    runs = _widened(a, b, rows, columns - rows)
    matched = int((runs.last - runs.first).sum())
    missing_a, missing_b = len(a) - matched, len(b) - matched
    sizes = runs.last - runs.first
    starts = np.cumsum(sizes) - sizes
    steps = np.arange(matched) - np.repeat(starts, sizes)
    in_a = np.repeat(runs.first, sizes) + steps
    in_b = in_a + np.repeat(runs.shift, sizes)
    alone_a = np.add.reduceat(_alone(b, in_b, in_a - missing_a, in_a + missing_b), starts)
    alone_b = np.add.reduceat(_alone(a, in_a, in_b - missing_b, in_b + missing_a), starts)
    certain = (alone_a > missing_a) | (alone_b > missing_b)
    return Runs(runs.first[certain], runs.last[certain], runs.shift[certain])


def _once_in_both(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Places of the words that stand once in either text, in the order of `a`."""
    words = int(max(a.max(initial=-1), b.max(initial=-1))) + 1
    once = (np.bincount(a, minlength=words) == 1) & (np.bincount(b, minlength=words) == 1)
    place_in_b = np.zeros(words, np.int64)
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
    forth = np.repeat(shift, np.diff(rows, append=len(a)))  # of the last anchor, for each row from the first on
    stops = np.append(rows[0] + np.flatnonzero(_differ(a, b, every[rows[0] :], forth)), len(a))
    last = np.minimum(stops[np.searchsorted(stops, rows)], np.append(rows[1:], len(a)))
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
    return ~inside | (a[rows] != b[np.where(inside, columns, 0)])


def _alone(text: Numbers, places: Numbers, low: Numbers, high: Numbers) -> NDArray[np.int64]:
    """1 where the word at a place of `text` does not come again between `low` and `high`."""
    order = np.argsort(text, kind="stable")
    again = text[order][1:] == text[order][:-1]
    before, behind = np.full(len(text), -1), np.full(len(text), len(text))
    before[order[1:][again]] = order[:-1][again]
    behind[order[:-1][again]] = order[1:][again]
    return ((before[places] < np.maximum(low, 0)) & (behind[places] > np.minimum(high, len(text) - 1))).astype(np.int64)
