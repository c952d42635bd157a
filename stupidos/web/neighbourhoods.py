"""What stands around each segment: groups of elements, headings, neighbours and kin."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from stupidos.web.elements import STRIDE, Elements, Numbers
from stupidos.web.network import AT_ONCE, Places

# Elements around a segment: two that hold more segments than the one inside, the nearest that has many
# siblings like it (a card, a row, a post), and what holds those (a grid, a table, a thread).
GROUPS = ("largest", "grid", "larger", "card")
HEARD = 2  # of these, the last ones: their segments are neighbours
NEAR = 3  # segments before, and as many behind; the third neighbourhood is the page
SECTION = 3 + HEARD  # below one heading
NEIGHBOURHOODS = SECTION + 2  # and the section, and kin


def grouped(around: Elements) -> Numbers:
    """The elements that make the groups around each segment, a row for each of the GROUPS."""
    own = around.of_segment
    element = np.empty((len(GROUPS), len(own)), own.dtype)
    around.larger.take(own, out=element[2], mode="clip")
    around.card.take(own, out=element[3], mode="clip")
    around.larger.take(element[2], out=element[0], mode="clip")
    around.parent.take(element[3], out=element[1], mode="clip")
    return element


class Headings(NamedTuple):
    """The heading that each segment stands below."""

    above: Numbers  # the nearest one before it, or the segment itself if it is one; -1 where there is none
    following: Numbers  # the next one behind it, or the end of the page


def headings(levels: Numbers) -> Headings:
    """The headings above and behind each segment.

    >>> [found.tolist() for found in headings(np.array([0, 2, 0, 0, 3]))]
    [[-1, 1, 1, 1, 4], [1, 4, 4, 4, 5]]
    """
    some = levels.nonzero()[0]
    stops = np.empty(len(some) + 2, np.intp)
    stops[0], stops[-1] = -1, len(levels)
    stops[1:-1] = some
    passed = some.searchsorted(np.arange(len(levels)), "right")
    return Headings(stops.take(passed), stops[1:].take(passed))


@lru_cache(maxsize=1)
def ruler(most: int = AT_ONCE) -> Numbers:
    """The numbers of segments from NEAR before the first one on, which there is nothing before."""
    return np.maximum(np.arange(-NEAR, most + NEAR + 1), 0)


def neighbourhoods(around: Elements, groups: Numbers, heading: Headings) -> Places:
    """Stretches of segments whose mean opinions a segment hears."""
    number = groups.shape[1]
    # half the memory on a large page, on which numbers of segments still fit
    whole = np.intp if number <= AT_ONCE else np.int32
    edges = np.empty((2, NEIGHBOURHOODS, number), whole)
    firsts, ends = edges[0], edges[1]
    beside = NEAR + 1
    marks = ruler() if number <= AT_ONCE else ruler.__wrapped__(number)
    within = np.minimum(marks[: number + NEAR + beside], number)
    firsts[0], ends[0] = within[:number], within[NEAR : number + NEAR]
    firsts[1], ends[1] = within[beside : number + beside], within[NEAR + beside :]
    firsts[2], ends[2] = 0, number
    edges[:, SECTION - HEARD : SECTION] = around.edges.take(groups[-HEARD:], axis=1)
    np.maximum(heading.above, 0, out=firsts[SECTION], casting="same_kind")
    ends[SECTION] = heading.following
    own = around.of_segment
    family = around.spelling.take(own).astype(np.intp, copy=False)
    family *= STRIDE
    family += around.spelling.take(around.parent.take(own))
    order = family.argsort(kind="stable")
    ordered = family.take(order)
    np.add(ordered.searchsorted(family), number, out=firsts[-1], casting="same_kind")
    np.add(ordered.searchsorted(family, "right"), number, out=ends[-1], casting="same_kind")
    both = np.empty(2 * number, whole)
    both[:number] = np.arange(number)
    both[number:] = order
    return Places(np.ascontiguousarray(edges.transpose(0, 2, 1)), both)
