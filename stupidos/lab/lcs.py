"""The exact longest common subsequence of two texts, a row of its table in one big number.

Row i of the table holds the lengths for the first i words of one text and every beginning of the other. From
one word to the next the length grows by 0 or 1, so a row is a number whose zero bits mark where it grows, and
the next row follows by three operations on such numbers (Hyyrö 2004, "Bit-parallel LCS-length computation
revisited"). Only a band of the table is made: a subsequence that leaves `d` words of the rows and `e` words
of the columns unmatched never leaves the diagonals -d to e. The band is guessed from the bags of words; when
what it gives leaves more words unmatched, a second band as wide as that is certain to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np

from stupidos.lab.anchors import NO_RUNS, Numbers, certain_runs
from stupidos.lab.matches import Block, numbered

BITS_KEPT = 1 << 29  # 64 MB of rows; beyond, only the first of each strip is kept and the rest made again
STRIP = 512  # rows that share a window of columns
PART = 512  # words from which a part is searched for certain runs first
SPARE = 32  # the guess allows for 64 words, and one in 32, beyond what the bags of words cannot match

Words = Sequence[Hashable]
Pairs = list[tuple[int, int]]


class Strip(NamedTuple):
    """Rows from `top` on, in the columns from `left` to `right`; `row` is the one above them."""

    top: int
    left: int
    right: int
    row: int


def common_blocks(a: Words, b: Words) -> list[Block]:
    """Blocks of one longest common subsequence, in order.

    >>> common_blocks("the old man and the sea".split(), "an old man and a sea".split())
    [Block(a=1, b=1, size=3), Block(a=5, b=5, size=1)]
    """
    numbers_a, numbers_b = numbered(a, b)
    places_a, places_b = _shared_places(numbers_a, numbers_b)
    rows, columns = numbers_a[places_a], numbers_b[places_b]
    matched_a, matched_b = _subsequence(rows, columns)
    return _blocks(places_a[matched_a], places_b[matched_b])


def _shared_places(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Places of the words that both texts have; the others are in no common subsequence."""
    words = int(max(a.max(initial=-1), b.max(initial=-1))) + 1
    both = (np.bincount(a, minlength=words) > 0) & (np.bincount(b, minlength=words) > 0)
    return np.flatnonzero(both[a]), np.flatnonzero(both[b])


def _blocks(a: Numbers, b: Numbers) -> list[Block]:
    """Pairs of equal places as blocks, neighbours joined."""
    if not len(a):
        return []
    first = np.flatnonzero(np.append(True, (np.diff(a) != 1) | (np.diff(b) != 1)))
    sizes = np.diff(first, append=len(a))
    return [Block(*block) for block in zip(a[first].tolist(), b[first].tolist(), sizes.tolist(), strict=True)]


def _subsequence(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """Places of equal words along one longest common subsequence: certain runs, and tables between them."""
    found = [np.zeros((0, 2), np.int64)]  # places in a and in b
    parts = [(0, len(a), 0, len(b))]
    while parts:
        top, bottom, left, right = parts.pop()
        rows, columns = a[top:bottom], b[left:right]
        runs = certain_runs(rows, columns) if min(len(rows), len(columns)) > PART else NO_RUNS
        if not len(runs.first):
            matched = np.array(_pairs(rows.tolist(), columns.tolist()), np.int64).reshape(-1, 2)
            found.append(matched + np.array([top, left]))
            continue
        found.append(np.stack(runs.places(), axis=1) + np.array([top, left]))
        tops = np.append(0, runs.last) + top
        bottoms = np.append(runs.first, len(rows)) + top
        lefts = np.append(0, runs.last + runs.shift) + left
        rights = np.append(runs.first + runs.shift, len(columns)) + left
        wide = (tops < bottoms) & (lefts < rights)
        parts += zip(*(bound[wide].tolist() for bound in (tops, bottoms, lefts, rights)), strict=True)
    pairs = np.concatenate(found)
    pairs = pairs[np.argsort(pairs[:, 0])]
    return pairs[:, 0], pairs[:, 1]


def _pairs(rows: Words, columns: Words) -> Pairs:
    """Places of equal words along one longest common subsequence, by the table."""
    if len(rows) > len(columns):  # few rows of many bits are faster than many rows of few bits
        return [(row, column) for column, row in _pairs(columns, rows)]
    places: dict[Hashable, list[int]] = {word: [] for word in rows}
    for place, word in enumerate(columns):
        if word in places:
            places[word].append(place)
    longer = len(columns) - len(rows)
    spare = SPARE * 2 + len(rows) // SPARE
    below = spare + len(rows) - sum(min(many, len(places[word])) for word, many in Counter(rows).items())
    masks = {word: sum(map((1).__lshift__, where)) for word, where in places.items()}
    band = _Band(rows, columns, masks, below, below + longer)
    missed = len(rows) - band.length
    if missed > below:
        band = _Band(rows, columns, masks, missed, missed + longer)
    return band.pairs()


class _Band:
    """The table of lengths between the diagonals -below and above, strip by strip."""

    def __init__(
        self, rows: Words, columns: Words, masks: dict[Hashable, int], below: int, above: int
    ) -> None:
        self.rows, self.columns, self.masks = rows, columns, masks
        kept = len(rows) * (below + above + STRIP) <= BITS_KEPT
        self.strips: list[Strip] = []
        self.tables: list[list[int]] = []  # rows of each strip, if there is room for them
        self.length = 0
        left = right = row = 0
        for top in range(0, len(rows), STRIP):
            dropped, left = max(top - below, 0) - left, max(top - below, 0)
            self.length += dropped - (row & ((1 << dropped) - 1)).bit_count()
            row >>= dropped
            added, right = (
                min(top + STRIP + above, len(columns)) - right,
                min(top + STRIP + above, len(columns)),
            )
            row |= ((1 << added) - 1) << right - added - left
            self.strips.append(Strip(top, left, right, row))
            table = self._table(self.strips[-1])
            if kept:
                self.tables.append(table)
            row = table[-1] & ((1 << right - left) - 1)
        self.length += right - left - row.bit_count()

    def _table(self, strip: Strip) -> list[int]:
        """The row above a strip and its own; bits beyond the window mean nothing."""
        _, left, right, row = strip
        words = self.rows[strip.top : strip.top + STRIP]
        window = (1 << right - left) - 1
        masks = {word: self.masks[word] >> left & window for word in set(words)}
        table = [row]
        for word in words:
            met = row & masks[word]
            row = (row + met) | (row - met)
            table.append(row)
        return table

    def pairs(self) -> Pairs:
        """Matched places, from the end of the table back to its beginning, turned round."""
        found: Pairs = []
        column = len(self.columns)
        while self.strips:
            strip = self.strips.pop()
            table = self.tables.pop() if self.tables else self._table(strip)
            column = self._walk_back(strip, table, min(column, strip.right), found)
        return found[::-1]

    def _walk_back(self, strip: Strip, table: Sequence[int], column: int, found: Pairs) -> int:
        """Put the pairs of a strip behind those found below it; give the column in which they leave it."""
        top, left, _, _ = strip
        rows, columns = self.rows, self.columns
        row = len(table) - 1
        while row and column > left:
            if (
                rows[top + row - 1] != columns[column - 1]
            ):  # equal words at the end are matched by some longest one
                grows = ~table[row] & ((1 << column - left) - 1)
                if not grows:
                    return left
                place = grows.bit_length() - 1
                column = left + place + 1
                if not table[row - 1] >> place & 1:
                    row -= 1
                    continue
            row, column = row - 1, column - 1
            found.append((top + row, column))
        return column
