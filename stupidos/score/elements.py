"""The elements around a page's segments as arrays: who stands in whom, and which segments each holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.page import Place, Segment

Numbers = npt.NDArray[np.intp]

LONGEST = 160  # characters of an element's attributes that are read

# Tags whose being open says something; each has a bit.
TELLING = (
    "nav footer header aside article main form table section figure blockquote pre dialog details ul ol dl p li "
    "td th dd dt div body h1 h2 h3 h4 h5 h6 figcaption caption summary noscript address center fieldset"
).split()
BITS = {tag: 1 << number for number, tag in enumerate(TELLING)}


class Elements(NamedTuple):
    """Every element that holds a segment, parents before their children; number 0 is the page itself."""

    written: list[str]  # different elements as written: tag and attributes, in small letters
    spelling: Numbers  # which of them each element is
    parent: Numbers
    depth: Numbers
    inside: npt.NDArray[np.int64]  # bits of the TELLING tags that are open, the element's own included
    own: npt.NDArray[np.int64]  # bit of its own tag
    first: Numbers  # its first segment, and the one behind its last
    end: Numbers
    larger: Numbers  # the nearest element around it that holds more segments
    of_segment: Numbers  # the innermost element of each segment


def elements(segments: Sequence[Segment]) -> Elements:
    """The elements of a page."""
    numbers: dict[int, int] = {0: 0}
    spellings: dict[tuple[str, str | None], int] = {("", None): 0}
    spelling, parent, depth, inside, own, first, end = [0], [0], [0], [0], [0], [0], [len(segments)]
    of_segment = []
    chain: list[Place] = []
    for at, segment in enumerate(segments):
        place = segment[4]
        while place is not None and place[3] not in numbers:
            chain.append(place)
            place = place[0]
        number = numbers[place[3]] if place is not None else 0
        while chain:
            _, tag, attributes, serial, _ = chain.pop()
            bit = BITS.get(tag, 0)
            spelling.append(spellings.setdefault((tag, attributes), len(spellings)))
            parent.append(number)
            depth.append(depth[number] + 1)
            inside.append(inside[number] | bit)
            own.append(bit)
            first.append(at)
            end.append(at + 1)
            number = numbers[serial] = len(parent) - 1
        of_segment.append(number)
        end[number] = at + 1
    larger = _larger(parent, first, end)
    written = [tag + attributes[:LONGEST] if attributes else tag for tag, attributes in spellings]
    made = (np.array(column, np.intp) for column in (spelling, parent, depth))
    bits = (np.array(column, np.int64) for column in (inside, own))
    rest = (np.array(column, np.intp) for column in (first, end, larger, of_segment))
    return Elements(written, *made, *bits, *rest)


def _larger(parent: list[int], first: list[int], end: list[int]) -> list[int]:
    """The nearest element around each that holds more segments; ends of parents are set on the way."""
    for number in range(len(parent) - 1, 0, -1):
        above = parent[number]
        if end[above] < end[number]:
            end[above] = end[number]
    larger = [0] * len(parent)
    for number in range(1, len(parent)):
        above = parent[number]
        grows = end[above] - first[above] > end[number] - first[number]
        larger[number] = above if grows else larger[above]
    return larger


def along(parent: Numbers, values: npt.NDArray[np.float32], join: np.ufunc) -> npt.NDArray[np.float32]:
    """For each element `join` over itself and all elements around it, by doubling the distance.

    >>> along(np.array([0, 0, 1, 2]), np.array([0, 1, 2, 3], np.float32), np.add).tolist()
    [0.0, 1.0, 3.0, 6.0]
    """
    joined, above = values.copy(), parent
    while above.any():
        joined = np.where(above > 0, join(joined, joined[above]), joined)
        above = above[above]
    return joined
