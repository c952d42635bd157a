"""The exact longest common subsequence of two texts, a whole row of the table in one big number.

Row i of the table holds the lengths for the first i words of one text and every beginning of the other. From
one word of it to the next the length grows by 0 or 1, so a row is a number whose zero bits mark where it
grows, and the next row follows by four operations on such numbers (Hyyrö 2004, "Bit-parallel LCS-length
computation revisited").
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import isqrt

from stupidos.lab.matches import Block

BITS_KEPT = 1 << 29  # 64 MB of rows; beyond, some are kept and those between are made again

Words = Sequence[Hashable]


def common_blocks(a: Words, b: Words) -> list[Block]:
    """Blocks of one longest common subsequence, in order.

    >>> common_blocks("the old man and the sea".split(), "an old man and a sea".split())
    [Block(a=1, b=1, size=3), Block(a=5, b=5, size=1)]
    """
    head = _shared_head(a, b)
    tail = _shared_head(a[head:][::-1], b[head:][::-1])
    end_a, end_b = len(a) - tail, len(b) - tail
    in_a, in_b = set(a[head:end_a]), set(b[head:end_b])
    places_a = [place for place in range(head, end_a) if a[place] in in_b]
    places_b = [place for place in range(head, end_b) if b[place] in in_a]
    middle = _pairs([a[place] for place in places_a], [b[place] for place in places_b])
    pairs = [(place, place) for place in range(head)]
    pairs += [(places_a[i], places_b[j]) for i, j in middle]
    pairs += [(end_a + step, end_b + step) for step in range(tail)]
    return _blocks(pairs)


def _shared_head(a: Words, b: Words) -> int:
    """Number of words that both begin with."""
    for place, (one, other) in enumerate(zip(a, b, strict=False)):
        if one != other:
            return place
    return min(len(a), len(b))


def _blocks(pairs: Sequence[tuple[int, int]]) -> list[Block]:
    """Pairs of equal places as blocks, neighbours joined."""
    blocks: list[Block] = []
    start, size = (0, 0), 0
    for pair in pairs:
        if size and pair == (start[0] + size, start[1] + size):
            size += 1
            continue
        if size:
            blocks.append(Block(*start, size))
        start, size = pair, 1
    return [*blocks, Block(*start, size)] if size else blocks


def _pairs(a: Words, b: Words) -> list[tuple[int, int]]:
    """Places of equal words along one longest common subsequence."""
    if len(a) > len(b):  # few rows of many bits are faster than many rows of few bits
        return [(i, j) for j, i in _pairs(b, a)]
    masks: dict[Hashable, int] = {}
    for place, word in enumerate(b):
        masks[word] = masks.get(word, 0) | 1 << place
    rows = [masks[word] for word in a]
    every = isqrt(len(rows)) + 1 if len(a) * len(b) > BITS_KEPT else len(rows) + 1
    starts = range(0, len(rows), every)
    kept = [(1 << len(b)) - 1]
    for start in starts[:-1]:
        kept.append(_table(kept[-1], rows[start : start + every])[-1])
    found: list[tuple[int, int]] = []
    for start in reversed(starts):
        _walk_back(_table(kept.pop(), rows[start : start + every]), start, found, len(b))
    return found[::-1]


def _table(row: int, masks: Sequence[int]) -> list[int]:
    """`row` and those that follow it; bits beyond the width of the table mean nothing."""
    table = [row]
    for mask in masks:
        met = row & mask
        row = (row + met) | (row - met)
        table.append(row)
    return table


def _walk_back(table: Sequence[int], start: int, found: list[tuple[int, int]], width: int) -> None:
    """Pairs of the rows from `start` on, the last first, put behind those found below."""
    column = found[-1][1] if found else width
    row = len(table) - 1
    while row and (grows := ~table[row] & ((1 << column) - 1)):
        column = grows.bit_length() - 1  # the length is reached here, with this row or one before it
        while row > 1 and not table[row - 1] >> column & 1:
            row -= 1
        if row == 1 and not table[0] >> column & 1:
            return  # a row before `start` reached it
        row -= 1
        found.append((start + row, column))
