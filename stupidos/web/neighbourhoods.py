"""What surrounds each segment: enclosing elements, headings, and neighbourhoods to pool over."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from stupidos.web.elements import SIGNATURE_STRIDE, Elements, Indices
from stupidos.web.network import SEGMENTS_AT_ONCE, Neighbourhoods

# Enclosing elements of a segment: two that hold more segments than the one inside, the nearest that has
# many same-signature siblings (a card, a row, a post), and the parent of those (a grid, a table, a thread).
GROUPS = ("largest", "grid", "larger", "card")
_POOLED_GROUPS = 2  # the last ones of GROUPS, whose segments form a neighbourhood
# The order is that of the weights in model files.
NEIGHBOURHOODS = ("before", "after", "page", *GROUPS[-_POOLED_GROUPS:], "section", "same signature")
_SECTION = NEIGHBOURHOODS.index("section")
_WINDOW = 3  # segments before, and as many after


def groups_of(elements: Elements) -> Indices:
    """The enclosing elements of each segment, a row for each of the GROUPS."""
    own = elements.of_segment
    groups = np.empty((len(GROUPS), len(own)), own.dtype)
    elements.larger.take(own, out=groups[2], mode="clip")
    elements.card.take(own, out=groups[3], mode="clip")
    elements.larger.take(groups[2], out=groups[0], mode="clip")
    elements.parent.take(groups[3], out=groups[1], mode="clip")
    return groups


class _Headings(NamedTuple):
    """The headings around each segment."""

    above: Indices  # nearest one before it, or itself if it is one; -1 where there is none
    following: Indices  # next one after it, or the end of the page


def headings_of(levels: Indices) -> _Headings:
    """The headings around each segment, from heading levels (0 for other segments).

    >>> [indices.tolist() for indices in headings_of(np.array([0, 2, 0, 0, 3]))]
    [[-1, 1, 1, 1, 4], [1, 4, 4, 4, 5]]
    """
    headings = levels.nonzero()[0]
    bounds = np.empty(len(headings) + 2, np.intp)
    bounds[0], bounds[-1] = -1, len(levels)
    bounds[1:-1] = headings
    passed = headings.searchsorted(np.arange(len(levels)), "right")
    return _Headings(bounds.take(passed), bounds[1:].take(passed))


@lru_cache(maxsize=1)
def _padded_range(most: int = SEGMENTS_AT_ONCE) -> Indices:
    """0 to `most` with _WINDOW more on either side, clipped at 0."""
    return np.maximum(np.arange(-_WINDOW, most + _WINDOW + 1), 0)


def neighbourhoods_of(elements: Elements, groups: Indices, headings: _Headings) -> Neighbourhoods:
    """The spans of segments that the network pools over, one per segment and each of NEIGHBOURHOODS."""
    count = groups.shape[1]
    # int32 halves the memory of a large page and still holds its indices
    dtype = np.intp if count <= SEGMENTS_AT_ONCE else np.int32
    spans = np.empty((2, len(NEIGHBOURHOODS), count), dtype)
    firsts, ends = spans[0], spans[1]
    shift = _WINDOW + 1
    padded = _padded_range() if count <= SEGMENTS_AT_ONCE else _padded_range.__wrapped__(count)
    clipped = np.minimum(padded[: count + _WINDOW + shift], count)
    firsts[0], ends[0] = clipped[:count], clipped[_WINDOW : count + _WINDOW]
    firsts[1], ends[1] = clipped[shift : count + shift], clipped[_WINDOW + shift :]
    firsts[2], ends[2] = 0, count
    spans[:, _SECTION - _POOLED_GROUPS : _SECTION] = elements.spans.take(groups[-_POOLED_GROUPS:], axis=1)
    np.maximum(headings.above, 0, out=firsts[_SECTION], casting="same_kind")
    ends[_SECTION] = headings.following
    own = elements.of_segment
    key = elements.signature.take(own).astype(np.intp, copy=False)  # of the element and its parent
    key *= SIGNATURE_STRIDE
    key += elements.signature.take(elements.parent.take(own))
    by_key = key.argsort(kind="stable")
    sorted_keys = key.take(by_key)
    np.add(sorted_keys.searchsorted(key), count, out=firsts[-1], casting="same_kind")
    np.add(sorted_keys.searchsorted(key, "right"), count, out=ends[-1], casting="same_kind")
    order = np.empty(2 * count, dtype)
    order[:count] = np.arange(count)
    order[count:] = by_key
    return Neighbourhoods(np.ascontiguousarray(spans.transpose(0, 2, 1)), order)
