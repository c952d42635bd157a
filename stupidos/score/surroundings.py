"""What stands around each segment: groups of elements, headings, neighbours and kin."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stupidos.score.elements import STRIDE, Elements, Numbers
from stupidos.score.net import Matrix, Places

LONG = 120  # characters of a segment
# Groups of segments around one, each an element: three that differ in size, the nearest that has many
# siblings like it (a card, a row, a post), and what holds those (a grid, a table, a thread).
GROUPS = ("element", "larger", "largest", "card", "grid")
# Windows around a segment, counted from it; the end is not in.
WINDOWS = np.array(((-3, 0), (1, 4), (-10, 11)))[:, :, None]
SECTION = len(WINDOWS) + len(GROUPS)  # below one heading
NEIGHBOURHOODS = SECTION + 5  # and the section, all before, all behind, the page, and kin

GROUP_LOGS = ["segments", "mean length", "mean plain length"]
GROUP_SHARES = ["share of text", "share of plain text", "long share", "plain share"]


class Grouped(NamedTuple):
    """The groups around the segments; a row for each of the GROUPS, a column for each segment."""

    element: Numbers
    first: Numbers
    end: Numbers


def grouped(around: Elements) -> Grouped:
    """The groups around each segment."""
    own = around.of_segment
    element = np.empty((len(GROUPS), len(own)), np.intp)
    element[0] = own
    around.larger.take(own, out=element[1], mode="clip")
    around.larger.take(element[1], out=element[2], mode="clip")
    around.card.take(own, out=element[3], mode="clip")
    around.parent.take(element[3], out=element[4], mode="clip")
    return Grouped(element, around.first[element], around.end[element])


def sums_before(rows: Matrix) -> Matrix:
    """Sums along each row up to every place, so that a stretch's sum is the difference of two."""
    sums = np.zeros((len(rows), rows.shape[1] + 1), np.float32)
    rows.cumsum(axis=1, out=sums[:, 1:])
    return sums


def group_rows(groups: Grouped, sizes: Matrix, plain: Matrix, logs: Matrix, shares: Matrix) -> None:
    """Fill in how many segments each group has, how long they are and how little of them is linked."""
    many = len(groups.first), groups.first.shape[1]
    sums = sums_before(np.array([sizes, plain, sizes > LONG], np.float32))
    held = sums.take(groups.end.ravel(), axis=1)
    held -= sums.take(groups.first.ravel(), axis=1)
    number = (groups.end - groups.first).astype(np.float32).ravel()
    per = held / number
    logs.shape = shares.shape = (-1, many[0] * many[1])
    logs[0] = number
    logs[1:] = per[:2]
    np.multiply(held[:2], (1 / (sums[:2, -1:] + 1)), out=shares[:2])
    shares[2] = per[2]
    np.divide(held[1], held[0] + 1, out=shares[3])


def headings_above(levels: Numbers, index: Numbers) -> Numbers:
    """The nearest heading before each segment, or the segment itself if it is one; -1 where there is none.

    >>> headings_above(np.array([0, 2, 0, 0, 3]), np.arange(5)).tolist()
    [-1, 1, 1, 1, 4]
    """
    above: Numbers = np.maximum.accumulate(np.where(levels > 0, index, -1))
    return above


def runs(values: Numbers) -> tuple[Numbers, Numbers]:
    """For each value the stretch of equal ones it stands in.

    >>> [part.tolist() for part in runs(np.array([-1, 1, 1, 1, 4]))]
    [[0, 1, 1, 1, 4], [1, 4, 4, 4, 5]]
    """
    inner = (values[1:] != values[:-1]).nonzero()[0]
    edges = np.empty(len(inner) + 2, np.intp)
    edges[0], edges[-1] = 0, len(values)
    np.add(inner, 1, out=edges[1:-1])
    lengths = edges[1:] - edges[:-1]
    return edges[:-1].repeat(lengths), edges[1:].repeat(lengths)


def neighbourhoods(around: Elements, groups: Grouped, heading: Numbers, index: Numbers) -> Places:
    """Stretches of segments whose mean opinions a segment hears."""
    number = len(index)
    first, end = np.empty((2, NEIGHBOURHOODS, number), np.intp)
    np.maximum(index + WINDOWS[:, 0], 0, out=first[: len(WINDOWS)])
    np.minimum(index + WINDOWS[:, 1], number, out=end[: len(WINDOWS)])
    np.minimum(first[: len(WINDOWS)], end[: len(WINDOWS)], out=first[: len(WINDOWS)])
    first[len(WINDOWS) : SECTION], end[len(WINDOWS) : SECTION] = groups.first, groups.end
    first[SECTION], end[SECTION] = runs(heading)
    first[SECTION + 1], end[SECTION + 1] = 0, index
    first[SECTION + 2], end[SECTION + 2] = index + 1, number
    first[-2], end[-2] = 0, number
    own = around.of_segment
    family = around.spelling[own]
    family *= STRIDE
    family += around.spelling[around.parent[own]]
    order = family.argsort(kind="stable")
    first[-1, order], end[-1, order] = runs(family[order])
    first[-1] += number + 1
    end[-1] += number + 1
    return Places(np.ascontiguousarray(first.T), np.ascontiguousarray(end.T), order)
