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
from numpy.typing import NDArray

from stupidos.lab.anchors import NO_RUNS, Numbers, Runs, certain, common_runs
from stupidos.lab.matches import Block, numbered

BITS_KEPT = 1 << 29  # 64 MB of rows; beyond, only the first of each strip is kept and the rest made again
STRIP = 512  # rows that share a window of columns
SMALL = 160  # words up to which one table is made for the whole text
SPARE = 16  # the guess allows for 64 words, and one in 16, beyond what the bags of words cannot match

Words = Sequence[Hashable]
Pairs = list[tuple[int, int]]
Bounds = tuple[int, int, int, int]  # rows from and to, columns from and to


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
    matched = _subsequence(rows, columns)
    return _blocks(places_a[matched[0]], places_b[matched[1]])


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


def _subsequence(a: Numbers, b: Numbers) -> Numbers:
    """Places of equal words along one longest common subsequence: shape (2, words)."""
    runs = common_runs(a, b) if min(len(a), len(b)) > SMALL else NO_RUNS
    if 2 * len(runs.places()[0]) < min(len(a), len(b)):  # so little that hardly a run would be certain
        runs = NO_RUNS
    found = _Parts(a, b).subsequence(runs)
    return found[:, np.argsort(found[0])]


class _Parts:
    """Longest common subsequences of parts of the texts, each worked out once.

    The runs in a part and tables for the gaps between them tell a length, and that tells which runs are
    certain. They divide the part into smaller ones, in which more may be certain; where none is, a table
    decides.
    """

    def __init__(self, a: Numbers, b: Numbers) -> None:
        self.a, self.b = a, b
        self.rows: list[int] = a.tolist()
        self.columns: list[int] = b.tolist()
        self.known: dict[Bounds, Numbers] = {}

    def subsequence(self, runs: Runs) -> Numbers:
        found = [np.zeros((2, 0), np.int64)]
        parts = [((0, len(self.rows), 0, len(self.columns)), runs)]
        while parts:
            bounds, runs = parts.pop()
            if not len(runs.first) or bounds[1] - bounds[0] <= SMALL:
                found.append(self.table(bounds))
                continue
            sure = self.certain(bounds, runs)
            kept = runs.at(sure)
            found.append(np.stack(kept.places()))
            if sure.any():
                # runs between two certain ones go with the gap they lie in
                cuts = np.flatnonzero(sure)
                edges = zip([-1, *cuts.tolist()], [*cuts.tolist(), len(sure)], strict=True)
                for gap, (before, behind) in zip(_gaps(bounds, kept), edges, strict=True):
                    if gap[0] < gap[1] and gap[2] < gap[3]:
                        parts.append((gap, runs.at(slice(before + 1, behind))))
            else:
                found.append(self.table(bounds))
        return np.concatenate(found, axis=1)

    def certain(self, bounds: Bounds, runs: Runs) -> NDArray[np.bool_]:
        """Which runs of a part are certain, by what it holds at least."""
        top, bottom, left, right = bounds
        gaps = [gap for gap in _gaps(bounds, runs) if gap[0] < gap[1] and gap[2] < gap[3]]
        matched = int((runs.last - runs.first).sum()) + sum(self.table(gap).shape[1] for gap in gaps)
        here = Runs(runs.first - top, runs.last - top, runs.shift + top - left)
        return certain(self.a[top:bottom], self.b[left:right], here, matched)

    def table(self, bounds: Bounds) -> Numbers:
        """The longest common subsequence of some rows and columns."""
        if bounds not in self.known:
            top, bottom, left, right = bounds
            pairs = _pairs(self.rows[top:bottom], self.columns[left:right])
            self.known[bounds] = np.array(pairs, np.int64).reshape(-1, 2).T + np.array([[top], [left]])
        return self.known[bounds]


def _gaps(bounds: Bounds, runs: Runs) -> list[Bounds]:
    """What lies before, between and behind the runs of a part."""
    top, bottom, left, right = bounds
    first, last, first_b, last_b = (
        side.tolist() for side in (runs.first, runs.last, runs.first + runs.shift, runs.last + runs.shift)
    )
    return list(zip([top, *last], [*first, bottom], [left, *last_b], [*first_b, right], strict=True))


def _pairs(rows: Words, columns: Words) -> Pairs:
    """Places of equal words along one longest common subsequence, by the table."""
    if len(rows) > len(columns):  # few rows of many bits are faster than many rows of few bits
        return [(row, column) for column, row in _pairs(columns, rows)]
    if len(rows) == 1:
        return [(0, columns.index(rows[0]))] if rows[0] in columns else []
    places: dict[Hashable, list[int]] = {word: [] for word in rows}
    for place, word in enumerate(columns):
        if word in places:
            places[word].append(place)
    masks = {word: sum(map((1).__lshift__, where)) for word, where in places.items()}
    if len(rows) <= STRIP:
        return _Band(rows, columns, masks, len(rows), len(columns)).pairs()
    longer = len(columns) - len(rows)
    below = SPARE * 4 + len(rows) // SPARE + len(rows)
    below -= sum(min(many, len(places[word])) for word, many in Counter(rows).items())
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
