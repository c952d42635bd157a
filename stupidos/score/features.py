"""What the web model knows of each segment: rows of numbers, made for the whole page at once.

A page has a few hundred segments, so what costs is the number of steps and not their size: features are
filled into one array by blocks, and all logarithms are taken together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.page import Page
from stupidos.render.tags import CELL, DEPTH, DEPTH_UNIT, HIDDEN, LEVEL, STATES
from stupidos.score.elements import TELLING, Elements, Numbers, elements
from stupidos.score.head import head_of, in_description
from stupidos.score.net import Matrix, Places
from stupidos.score.sketch import Table, sums
from stupidos.score.surroundings import (
    GROUP_LOGS,
    GROUP_SHARES,
    GROUPS,
    LONG,
    Grouped,
    group_rows,
    grouped,
    headings,
    neighbourhoods,
    sums_before,
)
from stupidos.score.symbols import COUNTED, Symbols, class_of_symbol, packed_classes, symbols_of

HEAD, TAIL = 40, 16  # characters of a long segment that are read; together below 255, as counts are bytes
FARTHEST = 100  # sums over elements that are nested more deeply than any page needs are cut here
TITLE = 8  # characters; a shorter segment is in every title
BLANK, STOP, IDEOGRAPH = (COUNTED.index(name) for name in ("blank", "stop", "ideograph"))

# Features by the step that makes them; each part is a block of rows.
PLAIN = {
    "classes": [f"share of {name}" for name in COUNTED],
    "begins": ["begins with a capital", "begins with a digit", "begins with a sign"],
    "ends": ["ends in a stop", "ends in a digit", "ends in a colon"],
    "kinds": ["heading", "item", "heading's level", "list depth", "hidden", "cell"],
    "tags": [f"in {tag}" for tag in TELLING] + [f"is {tag}" for tag in TELLING],
    "links": ["link share", "all link"],
    "positions": ["index share", "characters before", "plain text before", "below the main heading",
                  "level of its heading", "kin of all"],
    "page": ["page link share", "page long share", "has a main heading"],
    "repetition": ["in title", "seen before", "comes again"],
    "description": ["begins in the description", "has a description"],
    "group shares": [f"{group}: {name}" for name in GROUP_SHARES for group in GROUPS],
    "logs": ["log characters", "log words", "log stops", "log linked characters", "log plain characters",
             "log index", "log index from the end", "log characters before", "log characters after",
             "log times", "log segments below the main heading", "log segments below its heading", "log kin",
             "log siblings", "log segments", "log page"],
    "group logs": [f"{group}: log {name}" for name in GROUP_LOGS for group in GROUPS],
}  # fmt: skip
# What the language models add. An element's log-odds are divided by the root of its length.
STEPS = ("own", "parent's", "grandparent's", *(f"{group}'s" for group in GROUPS[1:]))
READ = {
    "text": ["text mean", "text sum", "text sign"],
    "heading": ["text of its heading"],
    "elements": [f"{step} element" for step in STEPS],
    "along": ["all elements", "all good elements", "depth", "mean element"],
}
PLAIN_FEATURES = [name for names in PLAIN.values() for name in names]
FEATURES = PLAIN_FEATURES + [name for names in READ.values() for name in names]


def blocks(parts: dict[str, list[str]], start: int = 0) -> dict[str, slice]:
    """Where the rows of each part lie."""
    edges = list(accumulate(map(len, parts.values()), initial=start))
    return {name: slice(*edge) for name, edge in zip(parts, pairwise(edges), strict=True)}


AT = blocks(PLAIN) | blocks(READ, len(PLAIN_FEATURES))
ALL_LOGS = slice(AT["logs"].start, AT["group logs"].stop)
# Of the logs, the first of six about positions, which are filled in as they stand.
LINKED = AT["logs"].start + PLAIN["logs"].index("log linked characters")


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
    segments = page.segments
    texts = [segment[0] for segment in segments]
    places_of = [segment[4] for segment in segments]
    number = len(texts)
    sizes = np.fromiter(map(len, texts), np.float32, number)
    links = np.fromiter([segment[3] for segment in segments], np.float32, number)
    states = np.fromiter([place[4] if place else 0 for place in places_of], np.intp, number)
    index = np.arange(number)
    around = elements(places_of)
    groups = grouped(around)
    levels = states & LEVEL
    heading = headings(levels, index)
    places = neighbourhoods(around, groups, heading, index)

    rows = np.empty((len(FEATURES), len(texts)), np.float32)
    plain = sizes * (1 - links)
    symbols, starts, lengths = surface(rows, texts, sizes, around.written, symbol_of)
    tables()[2].take(states, axis=1, out=rows[AT["kinds"]], mode="clip")
    rows[AT["tags"]] = tag_bits(around)
    fill(rows, "links", links, links > 0.9)
    head = head_of(page)
    echoes(rows, texts, page.title, head.description)
    np.subtract(sizes, plain, out=rows[LINKED])
    rows[LINKED + 1] = plain
    before = sums_before(np.array((sizes, plain, sizes > LONG), np.float32))
    positions(rows, before, index)
    headed(rows, heading.above, levels, index)
    related(rows, around, groups, places)
    group_rows(groups, before, rows[AT["group logs"]], rows[AT["group shares"]])
    logs = rows[ALL_LOGS]
    logs += 1
    np.log(logs, out=logs)

    return Prepared(
        symbols, starts, lengths, sizes, around, groups.element, rows, heading.above, places, head.words
    )


def fill(rows: Matrix, part: str, *values: npt.ArrayLike) -> None:
    """Fill in the rows of a part, one value or array each."""
    for at, value in enumerate(values, AT[part].start):
        rows[at] = value


def fill_logs(rows: Matrix, first: str, *values: npt.ArrayLike) -> None:
    """Fill in some of the logs from `first` on; the logarithm is taken later."""
    for at, value in enumerate(values, AT["logs"].start + PLAIN["logs"].index(first)):
        rows[at] = value


@lru_cache(maxsize=1)
def tables() -> tuple[Matrix, Matrix, Matrix]:
    """Rows of features by the first symbol, by the last symbol, and by the renderer's state."""
    first, last = np.zeros((2, 3, 256), np.float32)
    for symbol in range(256):
        name = class_of_symbol(symbol)
        first[:, symbol] = name == "upper", name == "digit", name in ("sign", "bar")
        last[:, symbol] = name == "stop", name == "digit", symbol == ord(":")
    states = np.arange(STATES)
    level, depth = states & LEVEL, (states & DEPTH) // DEPTH_UNIT
    kinds = [level > 0, (level == 0) & (depth > 0), level, depth, (states & HIDDEN) > 0, (states & CELL) > 0]
    return first, last, np.array(kinds, np.float32)


def surface(
    rows: Matrix, texts: Sequence[str], sizes: Matrix, written: Sequence[str], symbol_of: Symbols
) -> tuple[Symbols, Numbers, Matrix]:
    """Fill in what the characters of each segment are; the symbols of segments and elements, and where."""
    said, built = "\n".join(shortened(texts)), "\0".join(written).lower()  # attributes may hold newlines
    if built.count("\0") >= len(written):  # and even this
        built = "\0".join(text.replace("\0", " ") for text in written).lower()
    symbols = symbols_of(f"\n{said}\0{built}\0", symbol_of)
    number = len(texts)
    lengths = np.minimum(sizes, HEAD + TAIL)
    lengths += 1
    ends = lengths.cumsum(dtype=np.float64).astype(np.intp)  # of each segment
    element_starts = (symbols[ends[-1] :] == 0).nonzero()[0]
    starts = np.zeros(number + len(element_starts), np.intp)
    starts[1:number] = ends[:-1]
    np.add(element_starts, ends[-1], out=starts[number:])
    counts = class_counts(symbols[: ends[-1]], starts[:number])
    first, last, _ = tables()
    np.divide(counts, lengths, out=rows[AT["classes"]])
    first.take(symbols[starts[:number] + 1], axis=1, out=rows[AT["begins"]], mode="clip")
    last.take(symbols[ends - 1], axis=1, out=rows[AT["ends"]], mode="clip")
    scale = (sizes + 1) / lengths  # of what was read to all
    words = counts[BLANK] + 0.5 * counts[IDEOGRAPH]  # the newline before it makes up for the last word
    fill_logs(rows, "log characters", sizes, words * scale, counts[STOP] * scale)
    return symbols, starts, lengths


def shortened(texts: Sequence[str]) -> list[str]:
    """Texts of which the long ones are read only in part."""
    return [text if len(text) <= HEAD + TAIL else text[:HEAD] + text[-TAIL:] for text in texts]


def class_counts(text: Symbols, starts: Numbers) -> npt.NDArray[np.uint8]:
    """How many characters of each class a segment has, shape (classes, segments).

    Eight counts lie side by side in one number of 64 bits: none reaches 256, as segments are shortened.
    """
    found = np.add.reduceat(packed_classes().take(text.astype(np.intp)), starts)
    return found.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8).T


def tag_bits(around: Elements) -> npt.NDArray[np.uint8]:
    """The tags that are open, and the own one: their bits, one a row."""
    both = np.empty((len(around.of_segment), 2), "<u4")
    both[:, 0], both[:, 1] = around.inside[around.of_segment], around.own[around.of_segment]
    return np.unpackbits(both.view(np.uint8), axis=1, bitorder="little").T


def echoes(rows: Matrix, texts: Sequence[str], title: str, description: str) -> None:
    """Fill in what else on the page says the same: other segments, the title, the description."""
    fill(rows, "repetition", False, *copies(rows, texts))
    rows[AT["repetition"].start, in_title(title, texts)] = True
    fill(rows, "description", False, bool(description))
    if description:
        rows[AT["description"].start, in_description(description, texts)] = True


def in_title(title: str, texts: Sequence[str]) -> list[int]:
    """The numbers of the texts that are in the title.

    >>> in_title("All about tea | Tea House", ["Home", "All about tea", "Tea House"])
    [1, 2]
    """
    size = len(title)
    return [at for at, text in enumerate(texts) if TITLE <= len(text) <= size and text in title]


def copies(rows: Matrix, texts: Sequence[str]) -> tuple[npt.ArrayLike, npt.ArrayLike]:
    """Whether each text was seen before, and whether it comes again; fills in how often."""
    number = len(texts)
    where: dict[str, int] = {}
    firsts = np.fromiter(map(where.setdefault, texts, range(number)), np.intp, number)
    if len(where) == number:
        fill_logs(rows, "log times", 0)
        return False, False
    times = np.bincount(firsts, minlength=len(texts))[firsts]
    fill_logs(rows, "log times", times - 1)
    seen = firsts < np.arange(number)
    return seen, (times > 1) & ~seen


def positions(rows: Matrix, sums: Matrix, index: Numbers) -> None:
    """Fill in where on the page a segment stands, and what page it is.

    `sums` are those of the characters, of the plain ones, and of long segments, up to every segment.
    """
    number = len(index)
    before, totals = sums[:2, :-1], sums[:, -1]
    total, plain_total, long = totals.tolist()
    at, log = AT["positions"].start, LINKED + 2
    np.divide(index, number, out=rows[at], casting="same_kind")
    np.divide(before, totals[:2, None] + 1, out=rows[at + 1 : at + 3])
    rows[log] = index
    np.subtract(number, index, out=rows[log + 1], casting="unsafe")
    rows[log + 2] = before[0]
    np.subtract(total, before[0], out=rows[log + 3])
    fill_logs(rows, "log segments", number, total)
    fill(rows, "page", 1 - plain_total / (total + 1), long / number)


def headed(rows: Matrix, heading: Numbers, levels: Numbers, index: Numbers) -> None:
    """Fill in how far a segment is below the page's main heading and below the nearest one."""
    main = int((levels == 1).argmax())
    has_main = bool(levels[main] == 1)
    below = index - main if has_main else np.zeros(len(index))
    at = AT["positions"].start + PLAIN["positions"].index("below the main heading")
    rows[at] = below >= 0 if has_main else 0
    rows[at + 1] = np.where(heading >= 0, levels[heading], 0)
    rows[AT["page"].stop - 1] = has_main
    fill_logs(rows, "log segments below the main heading", np.maximum(below, 0), index - heading)


def related(rows: Matrix, around: Elements, groups: Grouped, places: Places) -> None:
    """Fill in how many segments have the same element and parent, and how many siblings its card has."""
    first, end = places.edges[:, :, -1]
    kin = end - first
    rows[AT["positions"].stop - 1] = kin / len(kin)
    fill_logs(rows, "log kin", kin, around.siblings[groups.element[GROUPS.index("card")]])


def read_rows(page: Prepared, ngrams: Table) -> Matrix:
    """All features, now with what the language models say of the text and of the elements around it."""
    rows, around, number = page.rows, page.elements, len(page.sizes)
    found = sums(ngrams, page.symbols, page.starts[:-1], structure=int(page.starts[number]))
    read, spelled = found[:number], found[number:]
    mean, total, sign = rows[AT["text"]]
    np.multiply(read, 3 / page.lengths, out=mean)
    np.minimum(np.maximum(read, -60, out=total), 60, out=total)
    total *= np.float32(0.1)
    np.tanh(2 * total, out=sign)
    rows[AT["heading"]] = np.where(page.heading >= 0, total[page.heading], 0)
    spelled /= np.sqrt(page.starts[number + 1 :] - page.starts[number:-1])
    spelled[0] = 0
    own, *larger = page.groups
    parent = around.parent[own]
    steps = np.concatenate([own, parent, around.parent[parent], *larger])
    rows[AT["elements"]] = spelled.take(around.spelling[steps]).reshape(-1, len(own))
    along = np.ones((3, len(around.parent)), np.float32)
    along[0] = spelled.take(around.spelling)
    np.maximum(along[0], 0, out=along[1])
    along[:, 0] = 0
    for above in around.above:
        along += along.take(above, axis=1)
    at = AT["along"].start
    np.minimum(np.maximum(along.take(own, axis=1), -FARTHEST), FARTHEST, out=rows[at : at + 3])
    np.divide(rows[at], rows[at + 2] + 1, out=rows[at + 3])
    return rows
