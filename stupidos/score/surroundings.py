"""What stands around each segment: open tags, headings, groups of elements, neighbours and kin."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from stupidos.score.elements import TELLING, Elements, Numbers, along
from stupidos.score.net import Matrix, Places

LONG = 120  # characters of a segment
LEVELS = 3  # nested groups that are looked at
STRIDE = 100003  # a prime above the number of different elements; more only mix up kin
# Neighbours and windows of a segment, counted from it; the end is not in.
WINDOWS = ((-1, 0), (1, 2), (-3, 0), (1, 4), (-10, 11))
NEIGHBOURHOODS = len(WINDOWS) + LEVELS + 2  # and the page, and kin

TAGS = [f"in {tag}" for tag in TELLING] + [f"is {tag}" for tag in TELLING]
HEADINGS = ["below the main heading", "log segments below it", "log segments below a heading", "its level"]
KIN = ["log kin", "kin of all"]
REPEATED = ["log siblings", "share of the siblings", "their plain share", "their mean length"]
GROUP = ["log segments", "share of text", "share of plain text", "log mean length", "log mean plain length",
         "long share", "plain share"]  # fmt: skip
GROUPS = [f"group {level}: {name}" for level in range(1, LEVELS + 1) for name in GROUP]


def tags(around: Elements) -> npt.NDArray[np.uint8]:
    """The tags that are open, and the own one: their bits, one a column."""
    both = np.stack([around.inside, around.own], axis=1)[around.of_segment]
    return np.unpackbits(both.astype("<u4").view(np.uint8), axis=1, bitorder="little")


def headings_above(levels: Numbers) -> Numbers:
    """The nearest heading before each segment, or the segment itself if it is one; -1 where there is none.

    >>> headings_above(np.array([0, 2, 0, 0, 3])).tolist()
    [-1, 1, 1, 1, 4]
    """
    above: Numbers = np.maximum.accumulate(np.where(levels > 0, np.arange(len(levels)), -1))
    return above


def headed(heading: Numbers, levels: Numbers) -> Matrix:
    """How far the segment is below the page's main heading and below the nearest one, and its level."""
    index = np.arange(len(levels))
    main = np.flatnonzero(levels == 1)
    first = main[0] if len(main) else len(levels)
    found = np.empty((len(levels), len(HEADINGS)), np.float32)
    found[:, 0] = index >= first
    found[:, 1] = np.maximum(index - first, 0)
    found[:, 2] = index - heading
    np.log1p(found[:, 1:3], out=found[:, 1:3])
    found[:, 3] = np.where(heading >= 0, levels[heading], 0)
    return found


def repeated(around: Elements, sizes: Matrix, links: Matrix) -> Matrix:
    """Of the element around a segment that has most siblings like it, such as cards, rows or posts:
    how many there are, what share of the page they hold, how much of it outside links, how long each is.
    """
    number = len(around.parent)
    _, family, times = np.unique(
        around.parent * STRIDE + around.spelling, return_inverse=True, return_counts=True
    )
    siblings = times[family]
    siblings[0] = 0
    # the number of siblings and the element in one figure, so that the largest tells both
    [best] = along(around.parent, (np.maximum, (siblings * number + np.arange(number))[:, None]))
    element = best[:, 0] % number
    held, plain = (held_by(column, around)[around.parent[element]] for column in (sizes, sizes * (1 - links)))
    many = siblings[element]
    of_element = np.empty((number, len(REPEATED)), np.float32)
    of_element[:, 0] = np.log1p(many)
    of_element[:, 1] = held / (sizes.sum() + 1)
    of_element[:, 2] = plain / (held + 1)
    of_element[:, 3] = np.log1p(held / np.maximum(many, 1))
    return of_element[around.of_segment]


def held_by(column: Matrix, around: Elements) -> npt.NDArray[np.float64]:
    """The sum over the segments that each element holds."""
    sums = np.concatenate([[0.0], np.cumsum(column, dtype=np.float64)])
    found: npt.NDArray[np.float64] = sums[around.end] - sums[around.first]
    return found


def related(places: Places) -> Matrix:
    """How many segments have the same element and parent."""
    number = (places.end[-1] - places.first[-1]).astype(np.float32)
    return np.stack([np.log(number), number / len(number)], axis=1)


def groups(sizes: Matrix, links: Matrix, around: Elements) -> Matrix:
    """Of the smallest elements around a segment that differ in size: segments, length, links."""
    sums = np.zeros((len(sizes) + 1, 3), np.float64)
    np.cumsum(np.stack([sizes, (1 - links) * sizes, sizes > LONG], axis=1), axis=0, out=sums[1:])
    held = sums[around.end] - sums[around.first]  # by element
    number = (around.end - around.first)[:, None]
    per = held / np.maximum(number, 1)
    logs = np.log1p(np.concatenate([number, per[:, :2]], axis=1))
    of_element = np.concatenate(
        [
            logs[:, :1],
            held[:, :2] / (sums[-1, :2] + 1),
            logs[:, 1:],
            per[:, 2:],
            held[:, 1:2] / (held[:, :1] + 1),
        ],
        axis=1,
        dtype=np.float32,
    )
    element, found = around.of_segment, []
    for _ in range(LEVELS):
        found.append(of_element[element])
        element = around.larger[element]
    return np.concatenate(found, axis=1)


def neighbourhoods(around: Elements, number: int) -> Places:
    """Stretches of segments whose mean opinion a segment hears: windows, groups, the page, its kin."""
    first, end = np.empty((2, NEIGHBOURHOODS, number), np.intp)
    index = np.arange(number)
    low, high = np.array(WINDOWS).T[:, :, None]
    np.maximum(index + low, 0, out=first[: len(WINDOWS)])
    np.minimum(index + high, number, out=end[: len(WINDOWS)])
    element = own = around.of_segment
    for kind in range(len(WINDOWS), len(WINDOWS) + LEVELS):
        first[kind], end[kind] = around.first[element], around.end[element]
        element = around.larger[element]
    first[-2], end[-2] = 0, number
    family = around.spelling[own] * STRIDE + around.spelling[around.parent[own]]
    order = np.argsort(family, kind="stable")
    first[-1], end[-1] = kin(family[order], order)
    return Places(first, end, order)


def kin(families: Numbers, order: Numbers) -> tuple[Numbers, Numbers]:
    """For each segment the stretch of its family among the segments sorted by family.

    >>> [part.tolist() for part in kin(np.array([4, 7, 7]), np.array([1, 0, 2]))]
    [[1, 0, 1], [3, 1, 3]]
    """
    new = np.empty(len(families), np.bool_)
    new[0] = True
    np.not_equal(families[1:], families[:-1], out=new[1:])
    firsts = np.flatnonzero(new)
    lasts = np.append(firsts[1:], len(families))
    group = np.cumsum(new) - 1
    first, end = np.empty_like(order), np.empty_like(order)
    first[order], end[order] = firsts[group], lasts[group]
    return first, end
