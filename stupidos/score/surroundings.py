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
# Windows around a segment, counted from it; the end is not in. The last: all before, all behind, the page.
FAR = 1 << 40
WINDOWS = np.array(((-3, 0), (1, 4), (-10, 11), (-FAR, 0), (1, FAR), (-FAR, FAR))).T[:, :, None]
SECTION = WINDOWS.shape[1] + len(GROUPS)  # below one heading
NEIGHBOURHOODS = SECTION + 2  # and the section, and kin

GROUP_LOGS = ["segments", "mean length", "mean plain length"]
GROUP_SHARES = ["share of text", "share of plain text", "long share", "plain share"]


class Grouped(NamedTuple):
    """The groups around the segments; a row for each of the GROUPS, a column for each segment."""

    element: Numbers
    edges: Numbers  # (2, groups, segments): the first segment of each, and the one behind its last


def grouped(around: Elements) -> Grouped:
    """The groups around each segment."""
    own = around.of_segment
    element = np.empty((len(GROUPS), len(own)), np.intp)
    element[0] = own
    around.larger.take(own, out=element[1], mode="clip")
    around.larger.take(element[1], out=element[2], mode="clip")
    around.card.take(own, out=element[3], mode="clip")
    around.parent.take(element[3], out=element[4], mode="clip")
    return Grouped(element, around.edges.take(element, axis=1))


def sums_before(rows: Matrix) -> Matrix:
    """Sums along each row up to every place, so that a stretch's sum is the difference of two."""
    sums = np.zeros((len(rows), rows.shape[1] + 1), np.float32)
    rows.cumsum(axis=1, out=sums[:, 1:])
    return sums


def group_rows(groups: Grouped, sums: Matrix, logs: Matrix, shares: Matrix) -> None:
    """Fill in how many segments each group has, how long they are and how little of them is linked.

    `sums` are those of the characters, of the plain ones, and of long segments, up to every segment.
    """
    _, kinds, segments = groups.edges.shape
    number = (groups.edges[1] - groups.edges[0]).ravel()
    before, held = sums.take(groups.edges.ravel(), axis=1).reshape(3, 2, -1).swapaxes(0, 1)
    held -= before
    logs.shape = shares.shape = (-1, kinds * segments)
    logs[0] = number
    np.divide(held[:2], number, out=logs[1:], casting="same_kind")
    np.multiply(held[:2], (1 / (sums[:2, -1:] + 1)), out=shares[:2])
    np.divide(held[2], number, out=shares[2], casting="same_kind")
    np.divide(held[1], held[0] + 1, out=shares[3])


class Headings(NamedTuple):
    """The heading that each segment stands below."""

    above: Numbers  # the nearest one before it, or the segment itself if it is one; -1 where there is none
    following: Numbers  # the next one behind it, or the end of the page


def headings(levels: Numbers, index: Numbers) -> Headings:
    """The headings above and behind each segment.

    >>> [found.tolist() for found in headings(np.array([0, 2, 0, 0, 3]), np.arange(5))]
    [[-1, 1, 1, 1, 4], [1, 4, 4, 4, 5]]
    """
    number = len(index)
    is_one = levels > 0
    following = np.empty(number, np.intp)
    following[-1] = number
    np.minimum.accumulate(np.where(is_one, index, number)[:0:-1], out=following[-2::-1])
    return Headings(np.maximum.accumulate(np.where(is_one, index, -1)), following)


def neighbourhoods(around: Elements, groups: Grouped, heading: Headings, index: Numbers) -> Places:
    """Stretches of segments whose mean opinions a segment hears."""
    number, windows = len(index), WINDOWS.shape[1]
    edges = np.empty((2, NEIGHBOURHOODS, number), np.intp)
    near = edges[:, :windows]
    np.add(index, WINDOWS, out=near)
    np.minimum(np.maximum(near, 0, out=near), number, out=near)
    edges[:, windows:SECTION] = groups.edges
    np.maximum(heading.above, 0, out=edges[0, SECTION])
    edges[1, SECTION] = heading.following
    own = around.of_segment
    family = around.spelling.take(own)
    family *= STRIDE
    family += around.spelling.take(around.parent.take(own))
    order = family.argsort(kind="stable")
    ordered = family.take(order)
    np.add(ordered.searchsorted(family), number + 1, out=edges[0, -1])
    np.add(ordered.searchsorted(family, "right"), number + 1, out=edges[1, -1])
    return Places(np.ascontiguousarray(edges.transpose(0, 2, 1)), order)
