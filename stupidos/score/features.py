"""What the web model knows of each segment: columns of numbers, made for the whole page at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stupidos.page import Page
from stupidos.render.layout import CELL, DEPTH, DEPTH_UNIT, HIDDEN, LEVEL
from stupidos.render.shell import description_of
from stupidos.score.elements import Elements, Numbers, along, elements
from stupidos.score.net import Matrix, Places
from stupidos.score.sketch import Sketch, sums
from stupidos.score.surroundings import (
    GROUPS,
    HEADINGS,
    KIN,
    LONG,
    REPEATED,
    TAGS,
    groups,
    headed,
    headings_above,
    neighbourhoods,
    related,
    repeated,
    tags,
)
from stupidos.score.symbols import CLASSES, Codes, Symbols, codes_of

SHORT = 40  # characters of a segment
TITLE = 8  # characters; a shorter segment is in every title
BEGINNING = 30  # characters of a text by which it is found in the page's description

BLANK, STOP, DIGIT, UPPER, IDEOGRAPH = (
    CLASSES.index(name) for name in ("blank", "stop", "digit", "upper", "ideograph")
)

SURFACE = [f"share of {name}" for name in CLASSES] + [
    "log characters", "log words", "word length", "log stops", "words a stop", "short", "long",
]  # fmt: skip
ENDS = ["begins with a capital", "begins with a digit", "begins with a sign", "ends in a stop",
        "ends in a digit", "ends in a colon"]  # fmt: skip
LINKS = ["link share", "all link", "log linked characters", "log plain characters"]
KINDS = ["heading", "item", "level", "hidden", "cell"]
POSITIONS = ["index share", "log index", "log index from the end", "characters before", "plain text before",
             "log characters before", "log characters after", "depth", "share of the page",
             "log segments", "log page", "page link share", "mean length", "long share"]  # fmt: skip
REPETITION = ["log times", "in title", "in description"]
PLAIN_FEATURES = (
    SURFACE + ENDS + LINKS + KINDS + TAGS + POSITIONS + REPETITION + GROUPS + REPEATED + HEADINGS + KIN
)
# What the language models add; the second sketch of each pair is that of the longer n-grams.
READ_FEATURES = (
    [f"text {what} {order}" for what in ("mean", "sum", "sign") for order in ("short", "long")]
    + [
        f"{who} element {order}"
        for who in ("own", "parent's", "grandparent's")
        for order in ("short", "long")
    ]
    + ["heading above", "own element sum", "least element", "most element", "all elements", "mean element"]
)
FEATURES = PLAIN_FEATURES + READ_FEATURES


Pair = tuple[Sketch, Sketch]  # of the short and the long n-grams


class Alphabet(NamedTuple):
    """The two tables of symbols.py, out of the model file."""

    classes: Symbols
    symbols: Symbols


class Prepared(NamedTuple):
    """A page as the web model sees it, before any language model has read it."""

    text: Symbols  # of all segments, a newline before each
    starts: Numbers  # of each segment therein
    sizes: Matrix  # characters of each segment, shape (segments,)
    element_text: Symbols  # of all different elements as written
    element_starts: Numbers
    elements: Elements
    columns: Matrix  # PLAIN_FEATURES
    heading: Numbers  # the heading above each segment, -1 where there is none
    places: Places


def prepared(page: Page, alphabet: Alphabet) -> Prepared:
    """The page in arrays; it must have segments."""
    texts, _, _, link_shares, places_of, *_ = zip(*page.segments, strict=True)
    joined = "\n" + "\n".join(texts)
    codes = codes_of(joined)
    sizes = np.fromiter(map(len, texts), np.intp, len(texts))
    if len(codes) != len(joined):  # characters beyond the first plane take two units
        sizes = np.fromiter((len(text.encode("utf-16-le", "surrogatepass")) // 2 for text in texts), np.intp)
    starts = starts_of(sizes)
    around = elements(places_of)
    element_codes = codes_of("\0" + "\0".join(around.written).lower())  # attributes may hold newlines
    element_starts = np.flatnonzero(element_codes == 0)
    columns = np.empty((len(texts), len(PLAIN_FEATURES)), np.float32)
    places = neighbourhoods(around, len(texts))
    states = np.array([place[4] if place else 0 for place in places_of], np.intp)
    heading = headings_above(states & LEVEL)
    links = np.array(link_shares, np.float32)
    fill(columns, page, texts, codes, starts, sizes, around, alphabet.classes, states, links)
    columns[:, -len(HEADINGS) - len(KIN) : -len(KIN)] = headed(heading, states & LEVEL)
    columns[:, -len(KIN) :] = related(places)
    return Prepared(
        alphabet.symbols[codes],
        starts,
        sizes.astype(np.float32),
        alphabet.symbols[element_codes],
        element_starts,
        around,
        columns,
        heading,
        places,
    )


def starts_of(sizes: Numbers) -> Numbers:
    """Where each text starts, with a newline before each.

    >>> starts_of(np.array([3, 1, 2])).tolist()
    [0, 4, 6]
    """
    starts = np.zeros(len(sizes), np.intp)
    np.cumsum(sizes[:-1] + 1, out=starts[1:])
    return starts


def fill(
    columns: Matrix, page: Page, texts: Sequence[str], codes: Codes, starts: Numbers, sizes: Numbers,
    around: Elements, classes: Symbols, states: Numbers, links: Matrix,
) -> None:  # fmt: skip
    """Fill in the PLAIN_FEATURES, a group of them after the other."""
    wide = sizes.astype(np.float32)
    parts = (
        (SURFACE, surface(class_counts(classes[codes], starts), wide)),
        (ENDS, ends(codes, starts, sizes, classes)),
        (LINKS, linked(links, wide)),
        (KINDS, kinds(states)),
        (TAGS, tags(around)),
        (POSITIONS, positions(wide, links, around)),
        (REPETITION, repetitions(page, texts, sizes)),
        (GROUPS, groups(wide, links, around)),
        (REPEATED, repeated(around, wide, links)),
    )
    at = 0
    for names, part in parts:
        columns[:, at : at + len(names)] = part
        at += len(names)


def class_counts(classes: Symbols, starts: Numbers) -> Matrix:
    """How many characters of each class a segment has, shape (segments, classes)."""
    lengths = np.diff(starts, append=len(classes))
    keys = np.repeat(np.arange(0, len(starts) * len(CLASSES), len(CLASSES)), lengths)
    keys += classes
    found = np.bincount(keys, minlength=len(starts) * len(CLASSES))
    return found.reshape(len(starts), len(CLASSES)).astype(np.float32)


def surface(counts: Matrix, sizes: Matrix) -> Matrix:
    """Length, words, and the shares of the classes of characters."""
    words = counts[:, BLANK] + 0.5 * counts[:, IDEOGRAPH]  # the newline before it makes up for the last word
    stops = counts[:, STOP]
    found = np.empty((len(sizes), len(SURFACE)), np.float32)
    np.divide(counts, (sizes + 1)[:, None], out=found[:, : len(CLASSES)])
    logs = np.log1p(np.stack([sizes, words, stops], axis=1))
    found[:, len(CLASSES) : len(CLASSES) + 2] = logs[:, :2]
    more = (sizes / (words + 1), logs[:, 2], words / (stops + 1), sizes < SHORT, sizes > LONG)
    for at, column in enumerate(more, len(CLASSES) + 2):
        found[:, at] = column
    return found


def ends(codes: Codes, starts: Numbers, sizes: Numbers, classes: Symbols) -> Matrix:
    """What the first and the last character are."""
    last_codes = codes[starts + sizes]
    first, last = classes[codes[starts + 1]], classes[last_codes]
    found = np.empty((len(starts), len(ENDS)), np.float32)
    which = (first == UPPER, first == DIGIT, first == 0, last == STOP, last == DIGIT, last_codes == ord(":"))
    for at, column in enumerate(which):
        found[:, at] = column
    return found


def linked(links: Matrix, sizes: Matrix) -> Matrix:
    """How much stands inside links, and outside."""
    inside = links * sizes
    return np.stack([links, links > 0.9, np.log1p(inside), np.log1p(sizes - inside)], axis=1)


def kinds(states: Numbers) -> Matrix:
    """Kind, level, hidden, in a table: out of the bits the renderer left."""
    level, depth = states & LEVEL, (states & DEPTH) // DEPTH_UNIT
    found = np.empty((len(states), len(KINDS)), np.float32)
    found[:, 0] = level > 0
    found[:, 1] = (level == 0) & (depth > 0)
    found[:, 2] = np.where(level > 0, level, depth)
    found[:, 3] = (states & HIDDEN) > 0
    found[:, 4] = (states & CELL) > 0
    return found


def positions(sizes: Matrix, links: Matrix, around: Elements) -> Matrix:
    """Where on the page, how deep, and what page it is."""
    number = len(sizes)
    plain = (1 - links) * sizes
    before, plain_before = np.cumsum(sizes) - sizes, np.cumsum(plain) - plain
    total, plain_total = float(sizes.sum()), float(plain.sum())
    index = np.arange(number, dtype=np.float32)
    found = np.empty((number, len(POSITIONS)), np.float32)
    logs = np.log1p(np.stack([index, number - index, before, total - before], axis=1))
    found[:, 1:3], found[:, 5:7] = logs[:, :2], logs[:, 2:]
    found[:, 0] = index / number
    found[:, 3] = before / (total + 1)
    found[:, 4] = plain_before / (plain_total + 1)
    found[:, 7] = around.depth[around.of_segment]
    found[:, 8] = sizes / (total + 1)
    found[:, 9:] = (np.log1p(number), np.log1p(total), 1 - plain_total / (total + 1), total / number / 100,
                    np.count_nonzero(sizes > LONG) / number)  # fmt: skip
    return found


def repetitions(page: Page, texts: Sequence[str], sizes: Numbers) -> Matrix:
    """How often the text stands on the page, and whether it is in the title or the description."""
    found = np.zeros((len(texts), len(REPETITION)), np.float32)
    times = Counter(texts)
    if len(times) < len(texts):
        found[:, 0] = np.log(np.fromiter(map(times.__getitem__, texts), np.float32, len(texts)))
    title, description = page.title, description_of(page.source)
    within = np.flatnonzero((sizes >= TITLE) & (sizes <= len(title))).tolist()
    around = np.flatnonzero(sizes > len(title)).tolist() if len(title) >= TITLE else []
    found[[at for at in within if texts[at] in title] + [at for at in around if title in texts[at]], 1] = 1
    beginning = description[:BEGINNING]
    if len(beginning) == BEGINNING:
        long = np.flatnonzero(sizes >= BEGINNING).tolist()
        found[[at for at in long if beginning in texts[at] or texts[at][:BEGINNING] in description], 2] = 1
    return found


def read_columns(page: Prepared, text: Pair, structure: Pair) -> Matrix:
    """READ_FEATURES: what the language models say of the text and of the elements around it."""
    read = sums(text, page.text, page.starts)
    around = page.elements
    spelled = sums(structure, page.element_text, page.element_starts)
    lengths = np.diff(page.element_starts, append=len(page.element_text)).astype(np.float32)
    means: Matrix = np.divide(spelled, np.sqrt(lengths)[:, None], dtype=np.float32)
    means[0] = spelled[0] = 0
    own = means[around.spelling]
    parent = around.parent
    both = np.stack([own[:, 1], -own[:, 1]], axis=1)
    total, least = along(parent, (np.add, own[:, 1:]), (np.minimum, both))
    of_element = np.empty((len(parent), 11), np.float32)
    of_element[:, :2] = own
    of_element[:, 2:4] = own[parent]
    of_element[:, 4:6] = own[parent[parent]]
    of_element[:, 6] = spelled[around.spelling, 1] / 10
    of_element[:, 7] = least[:, 0]
    of_element[:, 8] = -least[:, 1]
    of_element[:, 9] = total[:, 0]
    of_element[:, 10] = total[:, 0] / np.maximum(around.depth, 1)
    found = np.empty((len(read), len(READ_FEATURES)), np.float32)
    found[:, :2] = read * (3 / (page.sizes + 1))[:, None]
    found[:, 2:4] = np.clip(read, -60, 60) / 10
    found[:, 4:6] = np.tanh(read / 5)
    found[:, 6:12] = of_element[around.of_segment, :6]
    found[:, 12] = np.where(page.heading >= 0, found[page.heading, 2], 0)
    found[:, 13:] = of_element[around.of_segment, 6:]
    return found
