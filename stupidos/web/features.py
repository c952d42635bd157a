"""What the web model knows of each segment: rows of numbers, made for the whole page at once.

A page has a few hundred segments, so what costs is the number of steps and not their size: features are
filled into one array by blocks, and all logarithms are taken together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, islice, pairwise
from operator import itemgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.page import Page
from stupidos.render.layout import ROOT
from stupidos.render.tags import CELL, DEPTH, DEPTH_UNIT, HIDDEN, LEVEL, STATES
from stupidos.web.elements import TELLING, Elements, Numbers, elements
from stupidos.web.hashed_ngrams import ORDER, Table, sums
from stupidos.web.neighbourhoods import GROUPS, grouped, headings, neighbourhoods
from stupidos.web.network import Matrix, Places
from stupidos.web.page_kind import head_of
from stupidos.web.symbols import Symbols, symbols_of

HEAD, TAIL = 32, 8  # characters of a long segment that are read
TITLE = 8  # characters; a shorter segment is in every title
SEPARATOR = re.compile(r" ?[|»«·•›] ?| [-–—:/~] |: |_")
MOST_SEPARATORS = 6
LONGEST_TITLE = 400  # characters that are looked at
EDGE = 24  # characters of a description that are looked for; fewer are found by chance
TEXT, SHARE, PLACE = itemgetter(0), itemgetter(3), itemgetter(4)  # of a segment
STATE = itemgetter(4)  # of a place
BEHIND = "\0" * (ORDER - 1)  # the last element, so that n-grams may begin anywhere in it

# Features by the step that makes them; each part is a block of rows.
PLAIN = {
    "kinds": ["heading", "item", "heading's level", "list depth", "hidden", "cell"],
    "tags": [f"in {tag}" for tag in TELLING],
    "links": ["link share", "all link"],
    "positions": ["index share", "characters before", "plain text before"],
    "headed": ["below the main heading", "level of its heading", "has a main heading"],
    "kin": ["kin of all"],
    "repetition": ["in title", "seen before", "has further copies"],
    "description": ["begins in the description", "has a description"],
    # of these the logarithm is taken in the end
    "amounts": ["log characters", "log linked characters", "log plain characters"],
    "distances": ["log index", "log index from the end", "log characters before", "log characters after"],
    "below": ["log segments below the main heading", "log segments below its heading"],
    "relatives": ["log times", "log kin", "log siblings"],
}  # fmt: skip
# What the language models add. An element's log-odds are divided by the root of its length.
STEPS = ("own", "parent's", "grandparent's", *(f"{group}'s" for group in GROUPS))
READ = {
    "text": ["text mean", "text sum", "text sign"],
    "heading": ["text of its heading"],
    "elements": [f"{step} element" for step in STEPS],
}
PLAIN_FEATURES = [name for names in PLAIN.values() for name in names]
FEATURES = PLAIN_FEATURES + [name for names in READ.values() for name in names]


def blocks(parts: dict[str, list[str]], start: int = 0) -> dict[str, slice]:
    """Where the rows of each part lie."""
    edges = list(accumulate(map(len, parts.values()), initial=start))
    return {name: slice(*edge) for name, edge in zip(parts, pairwise(edges), strict=True)}


AT = blocks(PLAIN) | blocks(READ, len(PLAIN_FEATURES))
LOGS = slice(AT["amounts"].start, AT["relatives"].stop)


class Prepared(NamedTuple):
    """A page as the web model sees it, before any language model has read it."""

    symbols: (
        Symbols  # of all segments, a newline before each; behind them of all different elements as written
    )
    starts: Numbers  # of each segment and element therein, and the end
    lengths: Matrix  # of each segment therein, the newline included
    sizes: Matrix  # characters of each segment on the page
    elements: Elements
    groups: Numbers  # elements of the GROUPS around each segment, a row each
    rows: Matrix  # all FEATURES; those that the language models READ are still to be filled in
    heading: Numbers  # the heading above each segment, -1 where there is none
    places: Places
    words: frozenset[str]  # of the head, which tell what kind of page it is


def prepared(page: Page, symbol_of: Symbols) -> Prepared:
    """The page in arrays; it must have segments."""
    texts = list(map(TEXT, page.segments))
    places_of = list(map(PLACE, page.segments))
    if not all(places_of):
        places_of = [place or ROOT for place in places_of]
    number = len(texts)
    sizes = np.fromiter(map(len, texts), np.intp, number)
    links = np.fromiter(map(SHARE, page.segments), np.float32, number)
    states = np.fromiter(map(STATE, places_of), np.intp, number)
    around = elements(places_of)
    del places_of
    groups = grouped(around)
    levels = states & LEVEL
    heading = headings(levels)
    places = neighbourhoods(around, groups, heading)

    rows = np.empty((len(FEATURES), number), np.float32)
    short = shortened(texts)
    said = "\n" + "\n".join(short)
    symbols, starts, lengths = spelt(said, sizes, around.written, symbol_of)
    kinds().take(states, axis=1, out=rows[AT["kinds"]], mode="clip")
    rows[AT["tags"]] = tag_bits(around)
    head = head_of(page)
    del texts
    echoes(rows, short, page.title)
    described(rows, said, starts, head.description)
    amounts(rows, sizes, links)
    below(rows, levels, heading.above)
    related(rows, around, groups, places)
    logs = rows[LOGS]
    logs += 1
    np.log(logs, out=logs)
    in_floats = sizes.astype(np.float32)
    return Prepared(
        symbols, starts, lengths, in_floats, around, groups, rows, heading.above, places, head.words
    )


def fill(rows: Matrix, part: str, *values: npt.ArrayLike) -> None:
    """Fill in the rows of a part, one value or array each."""
    for at, value in enumerate(values, AT[part].start):
        rows[at] = value


@lru_cache(maxsize=1)
def kinds() -> Matrix:
    """The rows of "kinds" for every state of the renderer."""
    states = np.arange(STATES)
    level, depth = states & LEVEL, (states & DEPTH) // DEPTH_UNIT
    rows = [level > 0, (level == 0) & (depth > 0), level, depth, (states & HIDDEN) > 0, (states & CELL) > 0]
    return np.array(rows, np.float32)


def spelt(
    said: str, sizes: Numbers, written: Sequence[str], symbol_of: Symbols
) -> tuple[Symbols, Numbers, Matrix]:
    """The symbols of segments and elements, where each of them begins, and the lengths of the segments."""
    built = "\0".join(written).lower()  # attributes may hold newlines
    if built.count("\0") >= len(written):  # and even this
        built = "\0".join(text.replace("\0", " ") for text in written).lower()
    symbols = symbols_of(f"{said}\0{built}{BEHIND}", symbol_of)
    number = len(sizes)
    lengths = np.minimum(sizes, HEAD + TAIL)
    lengths += 1
    ends = lengths.cumsum()  # of each segment
    end = int(ends[-1])
    element_starts = (symbols[end : 1 - len(BEHIND)] == 0).nonzero()[0]
    starts = np.empty(number + len(element_starts), np.intp)
    starts[0] = 0
    starts[1:number] = ends[:-1]
    np.add(element_starts, end, out=starts[number:])
    return symbols, starts, lengths.astype(np.float32)


def shortened(texts: Sequence[str]) -> list[str]:
    """Texts of which the long ones are read only in part."""
    return [text if len(text) <= HEAD + TAIL else text[:HEAD] + text[-TAIL:] for text in texts]


def tag_bits(around: Elements) -> npt.NDArray[np.uint8]:
    """The tags that are open: their bits, one a row."""
    inside = around.inside.take(around.of_segment).astype("<u4", copy=False)
    return np.unpackbits(inside.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little").T


def echoes(rows: Matrix, short: Sequence[str], title: str) -> None:
    """Fill in what else on the page says the same: other segments and the title."""
    where: dict[str, int] = {}
    firsts = np.fromiter(map(where.setdefault, short, range(len(short))), np.intp, len(short))
    titled = rows[AT["repetition"].start]
    titled[:] = False
    for part in parts_of(title):
        if part in where:
            titled += firsts == where[part]
    copies(rows, firsts, len(where))


def described(rows: Matrix, said: str, starts: Numbers, description: str) -> None:
    """Fill in which segment begins as the page's description does."""
    fill(rows, "description", False, bool(description))
    at = said.find(f"\n{description[:EDGE]}") if description else -1
    if at >= 0:
        rows[AT["description"].start, starts.searchsorted(at, "right") - 1] = True


def parts_of(title: str) -> set[str]:
    """The title, and what stands before and behind each separator in it, shortened as segments are.

    >>> sorted(parts_of("All about tea | Tea House"))
    ['All about tea', 'All about tea | Tea House', 'Tea House']
    """
    title = title[:LONGEST_TITLE]
    parts = [title]
    for found in islice(SEPARATOR.finditer(title), MOST_SEPARATORS):
        parts += (title[: found.start()], title[found.end() :])
    return set(shortened([part for part in parts if len(part) >= TITLE]))


def copies(rows: Matrix, firsts: Numbers, different: int) -> None:
    """Fill in how often each text comes, whether it was seen before, and whether it has further copies.

    `firsts` are the numbers of the first segments with the same text. A text that was seen before has
    further copies if there are two others, the first of all if there is one.
    """
    number, repetition, times = len(firsts), AT["repetition"].start, rows[AT["relatives"].start]
    if different == number:
        rows[repetition + 1 : repetition + 3] = times[:] = 0
        return
    others = np.bincount(firsts, minlength=number).take(firsts)
    others -= 1
    times[:] = others
    seen = firsts < np.arange(number)
    rows[repetition + 1] = seen
    np.greater(others, seen, out=rows[repetition + 2], casting="unsafe")


def amounts(rows: Matrix, sizes: Numbers, links: Matrix) -> None:
    """Fill in how much text each segment has, how much of it is linked, how much stands before and behind."""
    number, at, log = len(sizes), AT["positions"].start, AT["distances"].start
    link = AT["links"].start
    rows[link] = links
    np.greater(links, 0.9, out=rows[link + 1], casting="unsafe")
    amount = rows[AT["amounts"]]
    amount[0] = sizes
    np.multiply(amount[0], links, out=amount[1])
    np.subtract(amount[0], amount[1], out=amount[2])
    passed = amount[::2].cumsum(axis=1)  # of all text, and of what is not linked
    totals = passed[:, -1:]
    np.divide(passed, totals + 1, out=rows[at + 1 : at + 3])
    index = rows[log]
    index[:] = np.arange(number)
    np.multiply(index, np.float32(1 / number), out=rows[at])
    np.subtract(number, index, out=rows[log + 1])
    rows[log + 2] = passed[0]
    np.subtract(totals[0], passed[0], out=rows[log + 3])


def below(rows: Matrix, levels: Numbers, above: Numbers) -> None:
    """Fill in how far a segment is below the page's main heading and below the nearest one."""
    main = int((levels == 1).argmax())
    has_main = bool(levels[main] == 1)
    index = np.arange(len(levels))
    under_main = np.maximum(index - main, 0) if has_main else 0
    is_under = index >= main if has_main else False
    # where there is no heading above, the first segment is none
    fill(rows, "headed", is_under, levels.take(above, mode="clip"), has_main)
    fill(rows, "below", under_main, index - above)


def related(rows: Matrix, around: Elements, groups: Numbers, places: Places) -> None:
    """Fill in how many segments have the same element and parent, and how many siblings its card has."""
    at, share = AT["relatives"].start, AT["kin"].start
    kin = rows[at + 1]
    kin[:] = places.edges[1, :, -1] - places.edges[0, :, -1]
    np.multiply(kin, np.float32(1 / len(kin)), out=rows[share])
    rows[at + 2] = around.siblings.take(groups[GROUPS.index("card")])


def read_rows(page: Prepared, ngrams: Table) -> Matrix:
    """All features, now with what the language models say of the text and of the elements around it."""
    rows, around, number = page.rows, page.elements, len(page.sizes)
    found = sums(ngrams, page.symbols, page.starts[:-1], structure=int(page.starts[number]))
    read, spelled = found[:number], found[number:]
    at = AT["text"].start
    total, sign = rows[at + 1], rows[at + 2]
    np.divide(read, page.lengths, out=rows[at])
    np.minimum(np.maximum(read, -60, out=total), 60, out=total)
    np.tanh(np.multiply(total, np.float32(0.2), out=sign), out=sign)
    headline = rows[AT["heading"].start]
    total.take(page.heading, out=headline, mode="clip")
    headline *= page.heading >= 0
    spelled /= np.sqrt(page.starts[number + 1 :] - page.starts[number:-1])
    spelled[0] = 0
    own = around.of_segment
    of_element = spelled.take(around.spelling)
    parent = around.parent.take(own)
    steps = rows[AT["elements"]]
    of_element.take(own, out=steps[0], mode="clip")
    of_element.take(parent, out=steps[1], mode="clip")
    of_element.take(around.parent.take(parent), out=steps[2], mode="clip")
    of_element.take(page.groups, out=steps[3:], mode="clip")
    return rows
