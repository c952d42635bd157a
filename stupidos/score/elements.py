"""The elements around a page's segments as arrays: who stands in whom, and which segments each holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.page import Place

Numbers = npt.NDArray[np.intp]
Rows = npt.NDArray[Any]  # a row an element

LONGEST = 160  # characters of an element's attributes that are read

# Tags whose being open says something; each has one of 32 bits.
TELLING = (
    "nav footer header aside article main form table section figure blockquote pre dialog details ul ol dl "
    "li td th dd dt p div body h1 h2 h3 h4 figcaption noscript tr"
).split()
BITS = {tag: 1 << number for number, tag in enumerate(TELLING)}


class Elements(NamedTuple):
    """Every element that holds a segment, parents before their children; number 0 is the page itself."""

    written: list[str]  # different elements as written: tag and attributes
    spelling: Numbers  # which of them each element is
    parent: Numbers
    depth: Numbers
    inside: npt.NDArray[np.uint32]  # bits of the TELLING tags that are open, the element's own included
    own: npt.NDArray[np.uint32]  # bit of its own tag
    first: Numbers  # its first segment, and the one behind its last
    end: Numbers
    larger: Numbers  # the nearest element around it that holds more segments
    of_segment: Numbers  # the innermost element of each segment


def elements(places: Sequence[Place | None]) -> Elements:
    """The elements of a page, from the place of each segment."""
    numbers: dict[int, int] = {0: 0}
    spellings: dict[tuple[str, str | None], int] = {("", None): 0}
    parent, first, spelling, depth, inside, of_segment = [0], [0], [0], [0], [0], []
    chain: list[Place] = []
    spell, bit_of = spellings.setdefault, BITS.get
    for at, place in enumerate(places):
        while place is not None and place[3] not in numbers:
            chain.append(place)
            place = place[0]
        number = numbers[place[3]] if place is not None else 0
        while chain:
            _, tag, attributes, serial, _ = chain.pop()
            parent.append(number)
            depth.append(depth[number] + 1)
            inside.append(inside[number] | bit_of(tag, 0))
            number = numbers[serial] = len(first)
            first.append(at)
            spelling.append(spell((tag, attributes), len(spellings)))
        of_segment.append(number)
    end, larger = _held(parent, first, of_segment)
    table = np.array([spelling, parent, depth, first, end, larger], np.intp)
    own = np.array([bit_of(tag, 0) for tag, _ in spellings], np.uint32)[table[0]]
    written = [tag + attributes[:LONGEST] if attributes else tag for tag, attributes in spellings]
    bits = np.array(inside, np.uint32)
    return Elements(written, table[0], table[1], table[2], bits, own, table[3], table[4], table[5],
                    np.array(of_segment, np.intp))  # fmt: skip


def _held(parent: list[int], first: list[int], of_segment: list[int]) -> tuple[list[int], list[int]]:
    """The segment behind each element's last, and the nearest element around it that holds more."""
    end = [0] * len(parent)
    for at, number in enumerate(of_segment, 1):
        end[number] = at
    for number in range(len(parent) - 1, 0, -1):
        above = parent[number]
        if end[above] < end[number]:
            end[above] = end[number]
    larger = [0] * len(parent)
    for number, above in enumerate(parent):
        same = end[above] == end[number] and first[above] == first[number]
        larger[number] = larger[above] if same else above
    return end, larger


def along(parent: Numbers, *joins: tuple[np.ufunc, Rows]) -> list[Rows]:
    """For each element every ufunc over its own row and those of the elements around it.

    The distance doubles at every step, so a chain of a thousand takes ten.

    >>> [rows] = along(np.array([0, 0, 1, 2]), (np.add, np.array([[0], [1], [2], [3]], np.float32)))
    >>> rows[:, 0].tolist()
    [0.0, 1.0, 3.0, 6.0]
    """
    joined = [rows.copy() for _, rows in joins]
    above = parent
    while True:
        deep = np.flatnonzero(above)
        if not len(deep):
            return joined
        over = above[deep]
        for (join, _), rows in zip(joins, joined, strict=True):
            rows[deep] = join(rows[deep], rows[over])
        above = above[above]
