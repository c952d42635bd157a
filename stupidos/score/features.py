"""What the web model knows of each segment: columns of numbers, made for the whole page at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.page import Page, Segment
from stupidos.score.elements import TELLING, Elements, Numbers, along, elements
from stupidos.score.sketch import Sketch, all_sums
from stupidos.score.symbols import CLASSES, Symbols, codes_of

Columns = npt.NDArray[np.float32]  # shape (segments, features)
Ranges = list[tuple[Numbers, Numbers]]

HIDDEN, CELL = 1 << 7, 1 << 8  # bits of a place's state; see render/layout.py
NEAR, AROUND = 3, 10  # segments to either side that a window takes in
SHORT, LONG = 40, 120  # characters; of a segment
TITLE = 8  # characters; a shorter segment is in every title

BLANK, STOP, DIGIT, UPPER = (CLASSES.index(name) for name in ("blank", "stop", "digit", "upper"))
IDEOGRAPH = CLASSES.index("ideograph")


class Prepared(NamedTuple):
    """A page as the web model sees it, before any language model has read it."""

    text: Symbols  # of all segments, a newline between
    starts: Numbers  # of each segment therein
    sizes: Columns  # characters of each segment, shape (segments,)
    element_text: Symbols  # of all different elements as written
    element_starts: Numbers
    elements: Elements
    columns: Columns  # features that need no language model
    ranges: Ranges  # neighbourhoods of each segment, see neighbourhoods()


class Alphabet(NamedTuple):
    """The two tables of symbols.py, out of the model file."""

    classes: Symbols
    symbols: Symbols


def prepared(page: Page, alphabet: Alphabet) -> Prepared:
    """The page in arrays; it must have segments."""
    segments = page.segments
    texts = [segment[0] for segment in segments]
    joined = "\n" + "\n".join(texts) + "\n"
    codes = codes_of(joined)
    sizes = np.fromiter(map(len, texts), np.intp, len(texts))
    if len(codes) != len(joined):  # characters beyond the first plane take two units
        sizes = np.fromiter((len(text.encode("utf-16-le", "surrogatepass")) // 2 for text in texts), np.intp)
    starts = np.empty(len(texts), np.intp)
    starts[0] = 0
    np.cumsum(sizes[:-1] + 1, out=starts[1:])
    around = elements(segments)
    element_codes = codes_of("\n".join(around.written).lower() + "\n")
    element_starts = np.empty(len(around.written), np.intp)
    element_starts[0] = 0
    element_starts[1:] = np.flatnonzero(element_codes == 10)[: len(around.written) - 1] + 1
    wide = sizes.astype(np.float32)
    counts = class_counts(alphabet.classes[codes], starts, len(joined))
    links = np.fromiter((segment[3] for segment in segments), np.float32, len(segments))
    columns = np.concatenate(
        [
            surface(counts, wide),
            ends(codes, starts, sizes, alphabet.classes),
            linked(links, wide),
            kinds(segments, around),
            positions(wide, links, around),
            repetitions(page, texts),
            groups(wide, links, around),
        ],
        axis=1,
    )
    ranges = neighbourhoods(around, len(segments))
    return Prepared(alphabet.symbols[codes], starts, wide, alphabet.symbols[element_codes], element_starts,
                    around, columns, ranges)  # fmt: skip


def class_counts(classes: Symbols, starts: Numbers, total: int) -> Columns:
    """How many characters of each class a segment has, shape (segments, classes)."""
    owner = np.zeros(len(classes), np.intp)
    owner[starts[1:]] = len(CLASSES)
    keys = np.cumsum(owner, out=owner)
    keys += classes
    found = np.bincount(keys, minlength=len(starts) * len(CLASSES))
    return found.reshape(len(starts), len(CLASSES)).astype(np.float32)


def surface(counts: Columns, sizes: Columns) -> Columns:
    """Length, words, and the shares of the classes of characters."""
    words = counts[:, BLANK] + 0.5 * counts[:, IDEOGRAPH]  # the newline before it makes up for the last word
    shares = counts / (sizes + 1)[:, None]
    more = (np.log1p(sizes), np.log1p(words), sizes / (words + 1), np.log1p(counts[:, STOP]),
            words / (counts[:, STOP] + 1), sizes < SHORT, sizes > LONG)  # fmt: skip
    return np.concatenate([shares, np.stack(more, axis=1)], axis=1, dtype=np.float32)


def ends(codes: npt.NDArray[np.uint16], starts: Numbers, sizes: Numbers, classes: Symbols) -> Columns:
    """What the first and the last character are."""
    first, last = classes[codes[starts + 1]], classes[codes[starts + sizes]]
    colon = codes[starts + sizes] == ord(":")
    which = (first == UPPER, first == DIGIT, first == 0, last == STOP, last == DIGIT, colon)
    return np.stack(which, axis=1).astype(np.float32)


def linked(links: Columns, sizes: Columns) -> Columns:
    """How much stands inside links, and outside."""
    return np.stack([links, links > 0.9, np.log1p(links * sizes), np.log1p((1 - links) * sizes)], axis=1)


def kinds(segments: Sequence[Segment], around: Elements) -> Columns:
    """Kind, level, hidden, in a table; the tags that are open and the own one."""
    known = np.array([(segment[1] == "h", segment[1] == "l", segment[2]) for segment in segments], np.float32)
    state = np.fromiter((segment[4][4] if segment[4] else 0 for segment in segments), np.intp, len(segments))
    flags = np.stack([state & HIDDEN, state & CELL], axis=1) > 0
    bits = np.arange(len(TELLING))
    inside = (around.inside[around.of_segment][:, None] >> bits) & 1
    own = (around.own[around.of_segment][:, None] >> bits) & 1
    return np.concatenate([known, flags, inside, own], axis=1, dtype=np.float32)


def positions(sizes: Columns, links: Columns, around: Elements) -> Columns:
    """Where on the page, how deep, and what page it is."""
    number = len(sizes)
    before = np.cumsum(sizes) - sizes
    total = float(sizes.sum())
    link_share = float((links * sizes).sum()) / (total + 1)
    plain = (1 - links) * sizes
    plain_before = np.cumsum(plain) - plain
    index = np.arange(number, dtype=np.float32)
    page = (np.log1p(number), np.log1p(total), link_share, total / number / 100, float((sizes > LONG).mean()))
    columns = (index / number, np.log1p(index), np.log1p(number - index), before / (total + 1),
               plain_before / (plain.sum() + 1), np.log1p(before), np.log1p(total - before),
               around.depth[around.of_segment], sizes / (total + 1), *(np.full(number, value) for value in page))  # fmt: skip
    return np.stack(columns, axis=1).astype(np.float32)


def repetitions(page: Page, texts: list[str]) -> Columns:
    """How often the text stands on the page, and whether it is in the title."""
    times = Counter(texts)
    often = np.fromiter(map(times.__getitem__, texts), np.float32, len(texts))
    title = page.title
    titled = [len(text) >= TITLE and (text in title or (len(title) >= TITLE and title in text)) for text in texts]
    return np.stack([np.log(often), np.array(titled, np.float32)], axis=1).astype(np.float32)


def groups(sizes: Columns, links: Columns, around: Elements) -> Columns:
    """Of the three smallest elements around a segment that differ in size: segments, length, links."""
    plain = (1 - links) * sizes
    long = sizes > LONG
    sums = np.zeros((len(sizes) + 1, 4))
    np.cumsum(np.stack([sizes, plain, long, np.ones(len(sizes))], axis=1), axis=0, out=sums[1:])
    total = sums[-1]
    found = []
    element = around.of_segment
    for _ in range(3):
        held = sums[around.end[element]] - sums[around.first[element]]
        share = held[:, :2] / (total[:2] + 1)
        per = held[:, :3] / held[:, 3:]
        found += [np.log1p(held[:, 3:]), share, np.log1p(per[:, :2]), per[:, 2:], held[:, 1:2] / (held[:, :1] + 1)]
        element = around.larger[element]
    return np.concatenate(found, axis=1, dtype=np.float32)


def neighbourhoods(around: Elements, number: int) -> Ranges:
    """Stretches of segments whose mean opinion a segment hears: neighbours, windows, groups, the page."""
    index = np.arange(number)
    ranges = [(np.clip(index + low, 0, number), np.clip(index + high, 0, number))
              for low, high in ((-1, 0), (1, 2), (-2, -1), (2, 3), (-NEAR, NEAR + 1), (-AROUND, AROUND + 1))]  # fmt: skip
    element = around.of_segment
    for _ in range(4):
        ranges.append((around.first[element], around.end[element]))
        element = around.larger[element]
    ranges.append((np.zeros(number, np.intp), np.full(number, number, np.intp)))
    return ranges


def read_columns(page: Prepared, text: Sequence[Sketch], structure: Sequence[Sketch]) -> Columns:
    """What the language models say: of the text, and of the elements from the own one outwards."""
    sums = all_sums(text, page.text, page.starts)
    size = (page.sizes + 1)[:, None]
    around = page.elements
    spelled = all_sums(structure, page.element_text, page.element_starts)
    lengths = np.diff(page.element_starts, append=len(page.element_text)).astype(np.float32)
    means = spelled / np.sqrt(lengths)[:, None]
    own = np.concatenate([means, spelled], axis=1)[around.spelling]  # shape (elements, 2 sketches)
    own[0] = 0
    chain = own[:, -1] / 10
    least, most, sum_ = (along(around.parent, means[around.spelling, -1], join) for join in (np.minimum, np.maximum, np.add))
    mean = sum_ / np.maximum(around.depth, 1)
    at = around.of_segment
    above = around.parent[at]
    over = around.parent[above]
    return np.concatenate(
        [sums / size * 3, np.clip(sums, -60, 60) / 10, np.tanh(sums / 5),
         own[at, :], own[above, : means.shape[1]], own[over, : means.shape[1]],
         np.stack([least, most, sum_, mean, chain], axis=1)[at]],
        axis=1, dtype=np.float32,
    )  # fmt: skip
