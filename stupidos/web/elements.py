"""The HTML elements around a page's segments as arrays: parents, spans of segments, repeated siblings."""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.page import Place

Indices = npt.NDArray[np.intp]  # int32 on a page of more than _LARGE_PAGE segments
_TagBits = npt.NDArray[np.uint32]

_CARD_SIBLINGS = 3  # siblings with the same signature that make an element a card: rows, posts, items
SIGNATURE_STRIDE = 100003  # a prime above the number of signatures; beyond it, pairs of them may collide
_ATTRIBUTE_CHARACTERS = 32  # of an element's attributes that go into its signature
_LARGE_PAGE = 1 << 13  # segments; few pages have more
_SLOTS_PER_ELEMENT = 8  # of the hash table that counts siblings; collisions are rare

# Tags whose being open is a feature; each has one of 32 bits.
INFORMATIVE_TAGS = (
    "nav footer header aside article main form table section figure blockquote pre dialog details ul ol dl "
    "li td th dd dt p div body h1 h2 h3 h4 figcaption noscript tr"
).split()
_TAG_BITS = {tag: 1 << number for number, tag in enumerate(INFORMATIVE_TAGS)}


class Elements(NamedTuple):
    """Every element that holds a segment, parents before their children; element 0 is the page itself."""

    signatures: list[str]  # the distinct ones: tag and attributes as written
    signature: Indices  # of each element, an index into `signatures`
    parent: Indices
    open_tags: _TagBits  # _TAG_BITS of the tags open inside the element, its own included
    spans: Indices  # (2, elements): first segment, and the one after the last
    larger: Indices  # nearest ancestor that holds more segments
    siblings: Indices  # number of children of the same parent with the same signature, itself included
    card: Indices  # nearest of the element and its ancestors with _CARD_SIBLINGS siblings
    of_segment: Indices  # innermost element of each segment


def elements_of(places: Sequence[Place]) -> Elements:
    """The elements of a page, from the place of each segment."""
    parents, firsts, signature_of, signatures, of_segment = _collect(places)
    count = len(parents)
    columns = parents + signature_of + firsts + _span_ends(parents, of_segment) + of_segment
    # int32 halves the memory of a large page and still holds its indices
    code, dtype = ("n", np.intp) if len(of_segment) <= _LARGE_PAGE else ("i", np.int32)
    # one conversion for five lists, and in half the time of numpy
    flat: Indices = np.frombuffer(pack(f"{len(columns)}{code}", *columns), dtype)
    del columns, parents, firsts, signature_of, of_segment
    parent, signature = flat[:count], flat[count : 2 * count]
    spans = flat[2 * count : 4 * count].reshape(2, count)
    jumps = _ancestor_jumps(parent)
    own_bits = np.fromiter([_TAG_BITS.get(tag, 0) for tag, _ in signatures], np.uint32, len(signatures))
    open_tags = own_bits.take(signature)
    for jump in jumps:
        open_tags |= open_tags.take(jump)
    sizes = spans[1] - spans[0]
    siblings = _same_signature_siblings(parent, signature)
    larger = parent.take(_nearest(sizes != sizes.take(parent), parent, len(jumps)))
    card = _nearest(siblings >= _CARD_SIBLINGS, parent, len(jumps))
    texts = [
        tag + attributes[:_ATTRIBUTE_CHARACTERS] if attributes else tag for tag, attributes in signatures
    ]
    siblings, card = siblings.astype(dtype, copy=False), card.astype(dtype, copy=False)
    return Elements(texts, signature, parent, open_tags, spans, larger, siblings, card, flat[4 * count :])


_Signatures = dict[tuple[str, str | None], int]


def _collect(
    places: Sequence[Place],
) -> tuple[list[int], list[int], list[int], _Signatures, list[int]]:
    """Parent, first segment and signature of each element, all signatures, and the element of each segment.

    The only Python loop over elements, so whatever arrays can do is left to them.
    """
    index_of = {0: 0}  # serial number of an element -> its index
    signatures: _Signatures = {("", None): 0}
    parents, firsts, signature_of, of_segment = [0], [0], [0], []
    known_index, signature_index = index_of.get, signatures.setdefault
    chain: list[Place] = []
    previous: Place | None = None
    index = count = 0
    for segment, place in enumerate(places):
        if place is not previous:
            previous = place
            while (known := known_index(place[3])) is None:
                chain.append(place)
                place = place[0]  # type: ignore[assignment]  # the root is known
            index = known
            while chain:
                _, tag, attributes, serial, _ = chain.pop()
                parents.append(index)
                firsts.append(segment)
                signature_of.append(signature_index((tag, attributes), len(signatures)))
                count += 1
                index = index_of[serial] = count
        of_segment.append(index)
    return parents, firsts, signature_of, signatures, of_segment


def _span_ends(parents: list[int], of_segment: list[int]) -> list[int]:
    """The segment after the last one of each element."""
    ends = [0] * len(parents)
    for end, index in enumerate(of_segment, 1):
        ends[index] = end
    for index in range(len(parents) - 1, 0, -1):
        if ends[index] > ends[parents[index]]:
            ends[parents[index]] = ends[index]
    return ends


def _ancestor_jumps(parent: Indices) -> list[Indices]:
    """The ancestor 1, 2, 4, 8 ... levels up (binary lifting): a chain of a thousand takes ten rounds.

    >>> [jump.tolist() for jump in _ancestor_jumps(np.array([0, 0, 1, 2]))]
    [[0, 0, 1, 2], [0, 0, 0, 1]]
    """
    jumps = []
    while np.count_nonzero(parent):
        jumps.append(parent)
        parent = parent.take(parent)
    return jumps


def _nearest(marked: npt.NDArray[np.bool_], parent: Indices, rounds: int) -> Indices:
    """The nearest marked one of each element and its ancestors, or the page; one round per _ancestor_jumps.

    >>> parent = np.array([0, 0, 1, 2])
    >>> _nearest(np.array([False, True, False, False]), parent, len(_ancestor_jumps(parent))).tolist()
    [0, 1, 1, 1]
    """
    nearest = np.where(marked, np.arange(len(parent)), parent)
    for _ in range(rounds):
        nearest = nearest.take(nearest)
    return nearest


def _same_signature_siblings(parent: Indices, signature: Indices) -> Indices:
    """How many elements share both parent and signature; hashed, so rarely a few too many.

    >>> _same_signature_siblings(np.array([0, 0, 0, 1]), np.array([0, 5, 5, 5])).tolist()
    [1, 2, 2, 1]
    """
    slots = parent * np.intp(SIGNATURE_STRIDE)
    slots += signature
    slots &= (_SLOTS_PER_ELEMENT << len(parent).bit_length()) - 1
    return np.asarray(np.bincount(slots).take(slots))
