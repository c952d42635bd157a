"""The text of a laid-out page to Segments: references, white space, rows, numbers, hidden parts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat

from stupidos.page import Kind, Offsets, Place, Segment
from stupidos.render.layout import KEPT_BLANK, KEPT_BREAK, SEGMENT_END, PageLayout
from stupidos.render.references import unescaped
from stupidos.render.tables import rows
from stupidos.render.tags import CELL, DEPTH, DEPTH_UNIT, HIDDEN, ITEMS, LEVEL, STATES
from stupidos.render.visible import INVALID, visible

BLANKS = "\n\t\r\f\xa0\u2028\u2029\u3000"
LONG = 1 << 14  # characters of a text that may well hold long runs of blanks
# Hidden text comes to the fore where nothing else is, or next to nothing and it is a page's worth.
NEARLY_EMPTY, A_PAGE = 200, 1000  # characters

KINDS = [Kind.PARAGRAPH] * STATES
LEVELS = [0] * STATES
for _state in range(STATES):
    if _state & LEVEL:
        KINDS[_state], LEVELS[_state] = Kind.HEADING, _state & LEVEL
    elif _state & DEPTH:
        KINDS[_state], LEVELS[_state] = Kind.ITEM, (_state & DEPTH) // DEPTH_UNIT


def squeezed(text: str) -> list[str]:
    """The segments' texts with references resolved and every run of white space one blank.

    >>> squeezed("a &amp; \\t b \\0  c\\0")
    ['a & b', 'c']
    """
    if "&" in text:
        text = unescaped(text)
    for blank in BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    parts = map(str.strip, text.split(SEGMENT_END))
    del text  # may be the last of it, and a large page needs the memory
    texts = [part if "  " not in part and part.isprintable() else cleaned(part) for part in parts]
    texts.pop()
    return texts


def cleaned(text: str) -> str:
    """One text with single blanks, no invalid characters, and its preformatted white space put back."""
    if text.isprintable():
        return single_blanks(text)
    text = single_blanks(INVALID.sub("", text))
    if KEPT_BREAK not in text and KEPT_BLANK not in text:
        return text
    lines = (line.strip(" ").replace(KEPT_BLANK, " ").rstrip() for line in text.split(KEPT_BREAK))
    return "\n".join(lines).strip("\n")


def single_blanks(text: str) -> str:
    """`text` with every run of blanks made one; splitting at double ones beats splitting into words."""
    if len(text) > LONG:  # a million blanks would make a list of half a million
        text = text.replace(" " * 64, " ").replace(" " * 8, " ")
    return " ".join(filter(None, map(str.strip, text.split("  "))))


def link_share(linked: str, text: str) -> float:
    """The share of the characters of `text` that stand inside links, blanks not counted.

    >>> link_share("R&amp;D ", "R&D lab"), link_share(" x ", "x")
    (0.5, 1.0)
    """
    ink = len(text) - text.count(" ") - (text.count("\n") if "\n" in text else 0)
    plain = "&" not in linked and linked.isprintable()
    inside = len(linked) - linked.count(" ") if plain else visible(linked)
    return inside / ink if inside < ink else 1.0


def number_items(texts: list[str], places: list[Place], numbers: dict[int, int]) -> None:
    """Put the number of each ordered list item before the first of its texts."""
    for index, place in enumerate(places):
        if place[4] & DEPTH:
            while place[1] not in ITEMS and place[0] is not None:
                place = place[0]
            if place[3] in numbers and texts[index]:
                texts[index] = f"{numbers.pop(place[3])}. {texts[index]}"


def segments(laid: PageLayout, texts: list[str], offsets: Offsets, hidden: bool) -> list[Segment]:
    """The segments of a page. The layout is used up: a page of a million tags needs the memory."""
    places, linked, first, last = (laid.marks[column::4] for column in range(4))
    laid.marks.clear()
    shares = [
        0.0 if not part else 1.0 if part.strip() == text else link_share(part, text)
        for part, text in zip(linked, texts)
    ]
    states = [place[4] for place in places]
    if laid.numbers:
        number_items(texts, places, laid.numbers)
    kinds, levels = map(KINDS.__getitem__, states), map(LEVELS.__getitem__, states)
    columns = zip(texts, kinds, levels, shares, places, first, last, repeat(offsets))
    # Segment(...) for each would take twice as long
    found: Iterable[Segment] = map(tuple.__new__, repeat(Segment), columns)
    if not all(texts):
        found = [segment for segment in found if segment[0]]
    every_state = set(states)
    made = rows(found) if any(state & CELL for state in every_state) else list(found)
    return made if hidden or not any(state & HIDDEN for state in every_state) else shown(made)


def shown(found: list[Segment]) -> list[Segment]:
    """The segments a browser would show, or all where that is next to nothing."""
    seen = [segment for segment in found if not segment.place[4] & HIDDEN]  # type: ignore[index]
    if len(seen) > NEARLY_EMPTY:  # each has a character at least
        return seen
    size, all_of_it = (sum(len(segment.text) for segment in some) for some in (seen, found))
    return found if not size or (size < NEARLY_EMPTY and all_of_it > A_PAGE) else seen
