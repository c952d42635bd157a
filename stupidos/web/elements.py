"""The elements around a page's segments as arrays: who stands in whom, and which segments each holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.page import Place

Numbers = npt.NDArray[np.intp]  # of 32 bits on a page of more than LARGE segments
Bits = npt.NDArray[np.uint32]

LONGEST = 32  # characters of an element's attributes that are read
MANY = 3  # siblings that are alike: cards, rows, posts, items
LARGE = 1 << 13  # segments; few pages have more
SLOTS = 8  # for each element in the table in which siblings are counted; few share one by chance
STRIDE = 100003  # a prime above the number of different elements; more only mix up kin

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
    inside: Bits  # bits of the TELLING tags that are open, its own included
    edges: Numbers  # (2, elements): its first segment, and the one behind its last
    larger: Numbers  # the nearest element around it that holds more segments
    siblings: Numbers  # elements of the same parent that are written like it
    card: Numbers  # the nearest one, itself or around it, that has MANY siblings
    of_segment: Numbers  # the innermost element of each segment


def elements(places: Sequence[Place]) -> Elements:
    """The elements of a page, from the place of each segment."""
    parents, firsts, spelled, spellings, of_segment = walked(places)
    number = len(parents)
    columns = parents + spelled + firsts + ends(parents, of_segment) + of_segment
    # half the memory on a large page, on which these numbers still fit
    whole: Any = np.intp if len(of_segment) <= LARGE else np.int32
    numbers: Numbers = np.fromiter(columns, whole, len(columns))  # five lists in one go
    del columns, parents, firsts, spelled, of_segment
    parent, spelling = numbers[:number], numbers[number : 2 * number]
    edges = numbers[2 * number : 4 * number].reshape(2, number)
    above = ways_up(parent)
    own = np.fromiter([BITS.get(tag, 0) for tag, _ in spellings], np.uint32, len(spellings))
    inside = own.take(spelling)
    for some in above:
        inside |= inside.take(some)
    held = edges[1] - edges[0]
    siblings = alike(parent, spelling)
    rounds = len(above)
    larger = parent.take(nearest(held != held.take(parent), parent, rounds))
    card = nearest(siblings >= MANY, parent, rounds)
    written = [tag + attributes[:LONGEST] if attributes else tag for tag, attributes in spellings]
    siblings, card = siblings.astype(whole, copy=False), card.astype(whole, copy=False)
    return Elements(written, spelling, parent, inside, edges, larger, siblings, card,
                    numbers[4 * number :])  # fmt: skip


Spellings = dict[tuple[str, str | None], int]


def walked(
    places: Sequence[Place],
) -> tuple[list[int], list[int], list[int], Spellings, list[int]]:
    """Parent, first segment and spelling of each element, all spellings, and the element of each segment.

    The one loop in Python over elements, so it does nothing that arrays can do later.
    """
    numbers = {0: 0}
    spellings: Spellings = {("", None): 0}
    parents, firsts, spelled, of_segment = [0], [0], [0], []
    known, spell = numbers.get, spellings.setdefault
    chain: list[Place] = []
    before: Place | None = None
    number = count = 0
    for at, place in enumerate(places):
        if place is not before:
            before = place
            while (found := known(place[3])) is None:
                chain.append(place)
                place = place[0]  # type: ignore[assignment]  # the root is known
            number = found
            while chain:
                _, tag, attributes, serial, _ = chain.pop()
                parents.append(number)
                firsts.append(at)
                spelled.append(spell((tag, attributes), len(spellings)))
                count += 1
                number = numbers[serial] = count
        of_segment.append(number)
    return parents, firsts, spelled, spellings, of_segment


def ends(parents: list[int], of_segment: list[int]) -> list[int]:
    """The segment behind each element's last."""
    end = [0] * len(parents)
    for at, number in enumerate(of_segment, 1):
        end[number] = at
    for number in range(len(parents) - 1, 0, -1):
        if end[number] > end[parents[number]]:
            end[parents[number]] = end[number]
    return end


def ways_up(parent: Numbers) -> list[Numbers]:
    """The element 1, 2, 4, 8 ... steps up from each, so that a chain of a thousand takes ten rounds.

    >>> [above.tolist() for above in ways_up(np.array([0, 0, 1, 2]))]
    [[0, 0, 1, 2], [0, 0, 0, 1]]
    """
    found = []
    while np.count_nonzero(parent):
        found.append(parent)
        parent = parent.take(parent)
    return found


def nearest(marked: npt.NDArray[np.bool_], parent: Numbers, rounds: int) -> Numbers:
    """The nearest marked element at or around each, or the page; so many `rounds` as there are ways_up.

    >>> parent = np.array([0, 0, 1, 2])
    >>> nearest(np.array([False, True, False, False]), parent, len(ways_up(parent))).tolist()
    [0, 1, 1, 1]
    """
    found = np.where(marked, np.arange(len(parent)), parent)
    for _ in range(rounds):
        found = found.take(found)
    return found


def alike(parent: Numbers, spelling: Numbers) -> Numbers:
    """How many elements have the same parent and spelling; by a hash, so a few too many now and then.

    >>> alike(np.array([0, 0, 0, 1]), np.array([0, 5, 5, 5])).tolist()
    [1, 2, 2, 1]
    """
    slots = parent * np.intp(STRIDE)
    slots += spelling
    slots &= (SLOTS << len(parent).bit_length()) - 1
    return np.asarray(np.bincount(slots).take(slots))
