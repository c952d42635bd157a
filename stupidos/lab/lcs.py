"""The exact longest common subsequence of two texts, a row of its table in one big number.

Row i of the table holds the lengths for the first i words of one text and every prefix of the other. From one
word to the next the length grows by 0 or 1, so a row is a number whose zero bits mark where it grows, and the
next row follows by three operations on such numbers (Hyyrö 2004, "Bit-parallel LCS-length computation
revisited"). Only a band of the table is computed: a subsequence that leaves `d` words of the rows and `e`
words of the columns unmatched never leaves the diagonals -d to e. The band is estimated from the bags of
words; if its result leaves more words unmatched, a second band of that width is guaranteed to suffice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from difflib import Match
from typing import NamedTuple

from stupidos.errors import CorpusError

_MAX_CELLS = 1 << 31  # of the whole table: seconds, and at most 500 MB of bit masks
_MAX_KEPT_BITS = 1 << 29  # 64 MB of rows; beyond, rows are recomputed strip by strip
_STRIP_ROWS = 512  # rows that share a window of columns
_SPARE = 16  # the estimated band allows for 64 words, and one in 16, beyond what the bags cannot match

_Words = Sequence[Hashable]
_Pairs = list[tuple[int, int]]  # places of equal words in either text


class _Strip(NamedTuple):
    """Rows from `top` on, in the columns from `left` to `right`; `row` is the one above them."""

    top: int
    left: int
    right: int
    row: int


def common_blocks(a: _Words, b: _Words) -> list[Match]:
    """Blocks of one longest common subsequence, in order.

    >>> common_blocks("the old man and the sea".split(), "an old man and a sea".split())
    [Match(a=1, b=1, size=3), Match(a=5, b=5, size=1)]
    """
    # Words that only one text has are in no common subsequence.
    in_a, in_b = set(a), set(b)
    places_a = [place for place, word in enumerate(a) if word in in_b]
    places_b = [place for place, word in enumerate(b) if word in in_a]
    if len(places_a) * len(places_b) > _MAX_CELLS:
        raise CorpusError(f"too long to align: {len(a):,} words with {len(b):,}")
    pairs = _pairs([a[place] for place in places_a], [b[place] for place in places_b])
    return _blocks((places_a[row], places_b[column]) for row, column in pairs)


def _blocks(pairs: Iterable[tuple[int, int]]) -> list[Match]:
    """Join consecutive pairs of places into blocks."""
    blocks: list[Match] = []
    start_a = start_b = size = 0
    for a, b in pairs:
        if size and a == start_a + size and b == start_b + size:
            size += 1
            continue
        if size:
            blocks.append(Match(start_a, start_b, size))
        start_a, start_b, size = a, b, 1
    return [*blocks, Match(start_a, start_b, size)] if size else blocks


def _pairs(rows: _Words, columns: _Words) -> _Pairs:
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
    if len(rows) <= _STRIP_ROWS:
        return _Band(rows, columns, masks, len(rows), len(columns)).pairs()
    longer = len(columns) - len(rows)
    below = _SPARE * 4 + len(rows) // _SPARE + len(rows)
    below -= sum(min(many, len(places[word])) for word, many in Counter(rows).items())
    band = _Band(rows, columns, masks, below, below + longer)
    missed = len(rows) - band.length
    if missed > below:
        band = _Band(rows, columns, masks, missed, missed + longer)
    return band.pairs()


class _Band:
    """The table of lengths between the diagonals -below and above, strip by strip."""

    def __init__(
        self, rows: _Words, columns: _Words, masks: dict[Hashable, int], below: int, above: int
    ) -> None:
        self.rows, self.columns, self.masks = rows, columns, masks
        kept = len(rows) * (below + above + _STRIP_ROWS) <= _MAX_KEPT_BITS
        self.strips: list[_Strip] = []
        self.tables: list[list[int]] = []  # rows of each strip, if there is room for them
        self.length = 0
        left = right = row = 0
        for top in range(0, len(rows), _STRIP_ROWS):
            dropped, left = max(top - below, 0) - left, max(top - below, 0)
            self.length += dropped - (row & ((1 << dropped) - 1)).bit_count()
            row >>= dropped
            added, right = (
                min(top + _STRIP_ROWS + above, len(columns)) - right,
                min(top + _STRIP_ROWS + above, len(columns)),
            )
            row |= ((1 << added) - 1) << right - added - left
            self.strips.append(_Strip(top, left, right, row))
            table = self._table(self.strips[-1])
            if kept:
                self.tables.append(table)
            row = table[-1] & ((1 << right - left) - 1)
        self.length += right - left - row.bit_count()

    def _table(self, strip: _Strip) -> list[int]:
        """The row above a strip and its own; bits beyond the window are undefined."""
        _, left, right, row = strip
        words = self.rows[strip.top : strip.top + _STRIP_ROWS]
        window = (1 << right - left) - 1
        masks = {word: self.masks[word] >> left & window for word in set(words)}
        table = [row]
        for word in words:
            met = row & masks[word]
            row = (row + met) | (row - met)
            table.append(row)
        return table

    def pairs(self) -> _Pairs:
        """Matched places, by backtracking from the end of the table."""
        pairs: _Pairs = []
        column = len(self.columns)
        while self.strips:
            strip = self.strips.pop()
            table = self.tables.pop() if self.tables else self._table(strip)
            column = self._walk_back(strip, table, min(column, strip.right), pairs)
        return pairs[::-1]

    def _walk_back(self, strip: _Strip, table: Sequence[int], column: int, pairs: _Pairs) -> int:
        """Append the pairs of a strip in reverse; return the column in which the path leaves it."""
        top, left, _, _ = strip
        rows, columns = self.rows, self.columns
        row = len(table) - 1
        while row and column > left:
            # Equal words at the end are matched by some longest subsequence.
            if rows[top + row - 1] != columns[column - 1]:
                grows = ~table[row] & ((1 << column - left) - 1)
                if not grows:
                    return left
                place = grows.bit_length() - 1
                column = left + place + 1
                if not table[row - 1] >> place & 1:
                    row -= 1
                    continue
            row, column = row - 1, column - 1
            pairs.append((top + row, column))
        return column
