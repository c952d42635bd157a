"""The features of each segment, computed for a whole page at once.

A page has a few hundred segments, so the number of numpy calls is what costs, not their size: features are
written into one array by blocks of rows, and all logarithms are taken together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, islice, pairwise
from struct import pack
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.page import CELL_END, Page
from stupidos.render.columns import columns_of
from stupidos.render.tags import CELL, DEPTH, DEPTH_UNIT, HIDDEN, LEVEL, STATES
from stupidos.web.elements import INFORMATIVE_TAGS, Elements, Indices, elements_of
from stupidos.web.hashed_ngrams import ORDER, NgramTable, span_log_odds
from stupidos.web.neighbourhoods import GROUPS, groups_of, headings_of, neighbourhoods_of
from stupidos.web.network import Matrix, Neighbourhoods
from stupidos.web.page_kind import page_head
from stupidos.web.symbols import Symbols, symbols_of

_HEAD, _TAIL = 32, 8  # characters read of a long segment, from its start and its end
_SHORTEST_TITLE = 8  # characters; shorter parts of a title match by chance
_LONGEST_TITLE = 400  # characters that are read
_TITLE_SEPARATOR = re.compile(r" ?[|»«·•›] ?| [-–—:/~] |: |_")
_MOST_SEPARATORS = 6
_DESCRIPTION_START = 24  # characters of a description that are searched for; fewer match by chance
_LARGEST_SUM = 60  # natural log-odds of a segment's text, either sign
PADDING = "\0" * (ORDER - 1)  # after the last element, so that an n-gram can start at each of its characters

# Features by the step that computes them; each step writes a block of rows. The order and the names are
# those of model files; "kin" are segments whose element and parent have the same signatures.
_PAGE_FEATURES = {
    "kinds": ["heading", "item", "heading's level", "list depth", "hidden", "cell"],
    "tags": [f"in {tag}" for tag in INFORMATIVE_TAGS],
    "links": ["link share", "all link"],
    "positions": ["index share", "characters before", "plain text before"],
    "headings": ["below the main heading", "level of its heading", "has a main heading"],
    "same signature": ["kin of all"],
    "repetition": ["in title", "seen before", "has further copies"],
    "description": ["begins in the description", "has a description"],
    # the rest of this table is logarithms
    "amounts": ["log characters", "log linked characters", "log plain characters"],
    "distances": ["log index", "log index from the end", "log characters before", "log characters after"],
    "heading distances": ["log segments below the main heading", "log segments below its heading"],
    "counts": ["log times", "log kin", "log siblings"],
}  # fmt: skip
# An element's log-odds are divided by the square root of its length.
_LANGUAGE_MODEL_FEATURES = {
    "text": ["text mean", "text sum", "text sign"],
    "heading": ["text of its heading"],
    "elements": [
        f"{whose} element" for whose in ("own", "parent's", "grandparent's", *(f"{g}'s" for g in GROUPS))
    ],
}
_BLOCKS = _PAGE_FEATURES | _LANGUAGE_MODEL_FEATURES
FEATURES = [name for names in _BLOCKS.values() for name in names]
_EDGES = accumulate(map(len, _BLOCKS.values()), initial=0)
ROWS = {block: slice(*edges) for block, edges in zip(_BLOCKS, pairwise(_EDGES), strict=True)}
_LOGARITHMS = slice(ROWS["amounts"].start, ROWS["counts"].stop)


class PageArrays(NamedTuple):
    """A page in arrays, before any language model has read it; what `features` are computed from."""

    symbols: Symbols  # of all segments, a newline before each, then of the distinct element signatures
    starts: Indices  # of each segment and signature in `symbols`, and the end
    lengths: Matrix  # of each segment in `symbols`, newline included
    sizes: Matrix  # characters of each segment on the page
    link_shares: Matrix
    states: Indices  # of the renderer: bits for kind, level, depth, hidden
    levels: Indices  # of headings, 0 for other segments
    first_copy: Indices  # first segment with the same text
    has_copies: bool  # whether any text occurs twice
    in_title: list[int]  # segments, each the first copy of its text, that are part of the page's title
    described: int  # segment that starts like the page's description, -1 if none does
    has_description: bool
    elements: Elements
    groups: Indices  # enclosing elements of each segment, a row for each of GROUPS
    heading: Indices  # nearest heading above each segment, -1 where there is none
    neighbourhoods: Neighbourhoods
    words: frozenset[str]  # of the page's head, indicating the kind of page


def page_arrays(page: Page, symbol_table: Symbols) -> PageArrays:
    """A page in arrays; it must have segments."""
    columns = columns_of(page.segments)
    count = len(columns)
    states: Indices = np.frombuffer(pack(f"{count}n", *columns.states), np.intp)
    elements = elements_of(columns.places)
    groups = groups_of(elements)
    levels = states & LEVEL
    headings = headings_of(levels)
    neighbourhoods = neighbourhoods_of(elements, groups, headings)
    texts = columns.texts
    sizes = np.fromiter(map(len, texts), np.intp, count)
    texts = _shortened(texts)
    joined = "\n" + "\n".join(texts)
    if CELL_END in joined:  # models read a blank there
        texts = [text.replace(CELL_END, " ") for text in texts]
        joined = joined.replace(CELL_END, " ")
    symbols, starts, lengths = _symbols(joined, sizes, elements.signatures, symbol_table)
    first_of: dict[str, int] = {}  # text -> first segment that has it
    first_copy = np.fromiter(map(first_of.setdefault, texts, range(count)), np.intp, count)
    head = page_head(page)
    return PageArrays(
        symbols,
        starts,
        lengths,
        sizes.astype(np.float32),
        np.frombuffer(pack(f"{count}f", *columns.link_shares), np.float32),
        states,
        levels,
        first_copy,
        len(first_of) < count,
        [first_of[part] for part in _title_parts(page.title) if part in first_of],
        _described_segment(joined, starts, head.description),
        bool(head.description),
        elements,
        groups,
        headings.above,
        neighbourhoods,
        head.words,
    )


def _shortened(texts: Iterable[str]) -> list[str]:
    """The part of each text that is read: start and end of long ones."""
    return [text if len(text) <= _HEAD + _TAIL else text[:_HEAD] + text[-_TAIL:] for text in texts]


def _symbols(
    joined: str, sizes: Indices, signatures: Sequence[str], symbol_table: Symbols
) -> tuple[Symbols, Indices, Matrix]:
    """Symbols of segments and signatures, the start of each in them, and the lengths of the segments."""
    structure = "\0".join(signatures).lower()  # attributes may contain newlines
    if structure.count("\0") >= len(signatures):  # and even NUL
        structure = "\0".join(text.replace("\0", " ") for text in signatures).lower()
    symbols = symbols_of(f"{joined}\0{structure}{PADDING}", symbol_table)
    count = len(sizes)
    lengths = np.minimum(sizes, _HEAD + _TAIL)
    lengths += 1
    ends = lengths.cumsum()
    end = int(ends[-1])
    signature_starts = (symbols[end : 1 - len(PADDING)] == 0).nonzero()[0]
    starts = np.empty(count + len(signature_starts), np.intp)
    starts[0] = 0
    starts[1:count] = ends[:-1]
    np.add(signature_starts, end, out=starts[count:])
    return symbols, starts, lengths.astype(np.float32)


def _title_parts(title: str) -> set[str]:
    """The title and what precedes and follows each separator in it, shortened as segments are.

    >>> sorted(_title_parts("All about tea | Tea House"))
    ['All about tea', 'All about tea | Tea House', 'Tea House']
    """
    title = title[:_LONGEST_TITLE]
    parts = [title]
    for match in islice(_TITLE_SEPARATOR.finditer(title), _MOST_SEPARATORS):
        parts += (title[: match.start()], title[match.end() :])
    return set(_shortened(part for part in parts if len(part) >= _SHORTEST_TITLE))


def _described_segment(joined: str, starts: Indices, description: str) -> int:
    """The first segment that starts like the description, -1 if none does."""
    at = joined.find(f"\n{description[:_DESCRIPTION_START]}") if description else -1
    return int(starts.searchsorted(at, "right")) - 1 if at >= 0 else -1


class _WholePage(NamedTuple):
    """What the features of a segment need of the rest of its page."""

    log_odds: Matrix  # of each segment's text
    clipped: Matrix  # the same, no larger than _LARGEST_SUM
    of_element: Matrix  # log-odds of each element over the square root of its length
    amounts: Matrix  # (3, segments): characters, those that are linked, and the others
    passed: Matrix  # (2, segments): characters up to the end of each, of all text and of what is not linked
    copies: Indices  # how many other segments have the same text; empty if no text occurs twice
    main_heading: int  # the first segment of level 1, -1 if there is none


def whole_page(page: PageArrays, ngrams: NgramTable) -> _WholePage:
    """Read a page with the language models, and add up what concerns the page as a whole."""
    count = len(page.sizes)
    log_odds = span_log_odds(ngrams, page.symbols, page.starts[:-1], structure=int(page.starts[count]))
    by_signature = log_odds[count:] / np.sqrt(page.starts[count + 1 :] - page.starts[count:-1])
    by_signature[0] = 0  # the page itself
    amounts = np.empty((3, count), np.float32)
    all_text, linked, plain = amounts
    all_text[:] = page.sizes
    np.multiply(all_text, page.link_shares, out=linked)
    np.subtract(all_text, linked, out=plain)
    copies = page.first_copy[:0]
    if page.has_copies:
        copies = np.bincount(page.first_copy, minlength=count).take(page.first_copy)
        copies -= 1
    main = int((page.levels == 1).argmax())
    texts = log_odds[:count]
    return _WholePage(
        texts,
        np.minimum(np.maximum(texts, -_LARGEST_SUM), _LARGEST_SUM),
        by_signature.astype(np.float32).take(page.elements.signature),
        amounts,
        amounts[::2].cumsum(axis=1),
        copies,
        main if page.levels[main] == 1 else -1,
    )


def features(page: PageArrays, ngrams: NgramTable) -> Matrix:
    """All FEATURES of a page, (features, segments)."""
    return feature_rows(page, whole_page(page, ngrams), 0, len(page.sizes))


def feature_rows(page: PageArrays, whole: _WholePage, first: int, end: int) -> Matrix:
    """All FEATURES of the segments from `first` to before `end`."""
    part = slice(first, end)
    rows = np.empty((len(FEATURES), end - first), np.float32)
    _kinds_by_state().take(page.states[part], axis=1, out=rows[ROWS["kinds"]], mode="clip")
    rows[ROWS["tags"]] = _open_tags(page.elements, part)
    index = np.arange(first, end)
    _write_repetition(rows, page, whole, part, index)
    _write_amounts(rows, page, whole, part, index)
    _write_headings(rows, page, whole, part, index)
    _write_siblings(rows, page, part)
    logarithms = rows[_LOGARITHMS]
    logarithms += 1
    np.log(logarithms, out=logarithms)
    _write_text_log_odds(rows, page, whole, part)
    _write_element_log_odds(rows, page, whole, part)
    return rows


@lru_cache(maxsize=1)
def _kinds_by_state() -> Matrix:
    """The "kinds" features for every state of the renderer."""
    states = np.arange(STATES)
    level, depth = states & LEVEL, (states & DEPTH) // DEPTH_UNIT
    rows = [level > 0, (level == 0) & (depth > 0), level, depth, (states & HIDDEN) > 0, (states & CELL) > 0]
    return np.array(rows, np.float32)


def _open_tags(elements: Elements, part: slice) -> npt.NDArray[np.uint8]:
    """Whether each of INFORMATIVE_TAGS is open, (tags, segments)."""
    bits = elements.open_tags.take(elements.of_segment[part]).astype("<u4", copy=False)
    return np.unpackbits(bits.view(np.uint8).reshape(-1, 4), axis=1, bitorder="little").T


def _write_repetition(rows: Matrix, page: PageArrays, whole: _WholePage, part: slice, index: Indices) -> None:
    """Whether a text is in the title or starts the description, and how often the page has it.

    A text that was seen before has further copies if there are two others, the first one if there is one.
    """
    first_copy = page.first_copy[part]
    in_title, seen_before, further_copies = rows[ROWS["repetition"]]
    in_title[:] = False
    for segment in page.in_title:
        in_title += first_copy == segment
    starts_description, has_description = rows[ROWS["description"]]
    starts_description[:] = False
    has_description[:] = page.has_description
    if part.start <= page.described < part.stop:
        starts_description[page.described - part.start] = True
    copies = rows[ROWS["counts"].start]
    if not page.has_copies:
        seen_before[:] = further_copies[:] = copies[:] = 0
        return
    copies[:] = others = whole.copies[part]
    seen_before[:] = seen = first_copy < index
    np.greater(others, seen, out=further_copies, casting="unsafe")


def _write_amounts(rows: Matrix, page: PageArrays, whole: _WholePage, part: slice, index: Indices) -> None:
    """How much text a segment has, how much of it is linked, and how much precedes and follows it."""
    count, shares = len(page.sizes), page.link_shares[part]
    link_share, all_link = rows[ROWS["links"]]
    link_share[:] = shares
    np.greater(shares, 0.9, out=all_link, casting="unsafe")
    rows[ROWS["amounts"]] = whole.amounts[:, part]
    passed, totals = whole.passed[:, part], whole.passed[:, -1:]
    positions = rows[ROWS["positions"]]
    np.divide(passed, totals + 1, out=positions[1:])
    indices, from_end, before, after = rows[ROWS["distances"]]
    indices[:] = index
    np.multiply(indices, np.float32(1 / count), out=positions[0])
    np.subtract(count, indices, out=from_end)
    before[:] = passed[0]
    np.subtract(totals[0], passed[0], out=after)


def _write_headings(rows: Matrix, page: PageArrays, whole: _WholePage, part: slice, index: Indices) -> None:
    """How far a segment is below the page's main heading and below the nearest one."""
    main, headings = whole.main_heading, page.heading[part]
    below_main, level, main_exists = rows[ROWS["headings"]]
    below_main[:] = index >= main if main >= 0 else False
    level[:] = page.levels.take(headings, mode="clip")  # without a heading above, segment 0 is none either
    main_exists[:] = main >= 0
    from_main, from_heading = rows[ROWS["heading distances"]]
    from_main[:] = np.maximum(index - main, 0) if main >= 0 else 0
    from_heading[:] = index - headings


def _write_siblings(rows: Matrix, page: PageArrays, part: slice) -> None:
    """How many segments have the same signatures, and how many siblings the card around it has."""
    _, same_signature, siblings = rows[ROWS["counts"]]
    firsts, ends = page.neighbourhoods.spans[:, part, -1]
    same_signature[:] = ends - firsts
    np.multiply(same_signature, np.float32(1 / len(page.sizes)), out=rows[ROWS["same signature"].start])
    siblings[:] = page.elements.siblings.take(page.groups[GROUPS.index("card"), part])


def _write_text_log_odds(rows: Matrix, page: PageArrays, whole: _WholePage, part: slice) -> None:
    """The log-odds of a segment and of the heading above it by the text language model."""
    headings = page.heading[part]
    mean, total, sign = rows[ROWS["text"]]
    np.divide(whole.log_odds[part], page.lengths[part], out=mean)
    total[:] = whole.clipped[part]
    np.tanh(np.multiply(total, np.float32(0.2), out=sign), out=sign)
    of_heading = rows[ROWS["heading"].start]
    whole.clipped.take(headings, out=of_heading, mode="clip")
    of_heading *= headings >= 0


def _write_element_log_odds(rows: Matrix, page: PageArrays, whole: _WholePage, part: slice) -> None:
    """The log-odds of the elements around a segment by the structure language model."""
    own = page.elements.of_segment[part]
    parent = page.elements.parent.take(own)
    block = rows[ROWS["elements"]]
    whole.of_element.take(own, out=block[0], mode="clip")
    whole.of_element.take(parent, out=block[1], mode="clip")
    whole.of_element.take(page.elements.parent.take(parent), out=block[2], mode="clip")
    whole.of_element.take(page.groups[:, part], out=block[3:], mode="clip")
