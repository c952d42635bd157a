"""Turn the layout of a page into Segments: references, white space, table rows, item numbers, hidden text."""

from __future__ import annotations

from stupidos.page import Offsets, Place
from stupidos.render.columns import SegmentColumns, states_of
from stupidos.render.layout import KEPT_BLANK, KEPT_BREAK, SEGMENT_END, PageLayout
from stupidos.render.references import unescaped
from stupidos.render.tables import join_rows
from stupidos.render.tags import CELL, DEPTH, HIDDEN, ITEMS
from stupidos.render.visible import INVALID, visible

_BLANKS = "\n\t\r\f\xa0\u2028\u2029\u3000"
_LONG = 1 << 14  # characters; longer texts may contain very long runs of blanks
# Hidden text is shown if there is no other, or if less than _NEARLY_EMPTY is visible and all text exceeds
# _A_PAGE.
_NEARLY_EMPTY, _A_PAGE = 200, 1000  # characters


def squeezed(text: str) -> list[str]:
    """The text of each segment, with references resolved and runs of white space collapsed.

    >>> squeezed("a &amp; \\t b \\0  c\\0")
    ['a & b', 'c']
    """
    if "&" in text:
        text = unescaped(text)
    for blank in _BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    parts = map(str.strip, text.split(SEGMENT_END))
    del text  # release the memory of a large page early
    texts = [part if "  " not in part and part.isprintable() else _cleaned(part) for part in parts]
    texts.pop()
    return texts


def _cleaned(text: str) -> str:
    """Collapse blanks, drop invalid characters and restore preformatted white space."""
    if text.isprintable():
        return _single_blanks(text)
    text = _single_blanks(INVALID.sub("", text))
    if KEPT_BREAK not in text and KEPT_BLANK not in text:
        return text
    lines = (line.strip(" ").replace(KEPT_BLANK, " ").rstrip() for line in text.split(KEPT_BREAK))
    return "\n".join(lines).strip("\n")


def _single_blanks(text: str) -> str:
    """Collapse runs of blanks; splitting at double blanks is faster than splitting into words."""
    if len(text) > _LONG:  # a million blanks would be split into half a million strings
        text = text.replace(" " * 64, " ").replace(" " * 8, " ")
    return " ".join(filter(None, map(str.strip, text.split("  "))))


def _link_share(linked: str, text: str) -> float:
    """Share of the non-blank characters of `text` that are inside links.

    >>> _link_share("R&amp;D ", "R&D lab"), _link_share(" x ", "x")
    (0.5, 1.0)
    """
    ink = len(text) - text.count(" ") - (text.count("\n") if "\n" in text else 0)
    plain = "&" not in linked and linked.isprintable()
    inside = len(linked) - linked.count(" ") if plain else visible(linked)
    return inside / ink if inside < ink else 1.0


def _number_items(texts: list[str], places: list[Place], numbers: dict[int, int]) -> None:
    """Prefix the first text of each ordered list item with its number."""
    for index, place in enumerate(places):
        if place[4] & DEPTH:
            while place[1] not in ITEMS and place[0] is not None:
                place = place[0]
            if place[3] in numbers and texts[index]:
                texts[index] = f"{numbers.pop(place[3])}. {texts[index]}"


def segments(laid: PageLayout, texts: list[str], offsets: Offsets, hidden: bool) -> SegmentColumns:
    """The segments of a page. Clears the layout, to save memory on pages of a million tags."""
    places, linked, first, last = (laid.marks[column::4] for column in range(4))
    laid.marks.clear()
    link_shares = [
        0.0 if not part else 1.0 if part.strip() == text else _link_share(part, text)
        for part, text in zip(linked, texts)
    ]
    if laid.numbering.numbers:
        _number_items(texts, places, laid.numbering.numbers)
    columns = SegmentColumns(texts, link_shares, places, states_of(places), first, last, offsets)
    if not all(texts):
        columns = columns.where(texts)
    bits = 0  # of the states of all of them
    for state in set(columns.states):
        bits |= state
    if bits & CELL:
        columns = join_rows(columns)
    return columns if hidden or not bits & HIDDEN else visible_segments(columns)


def visible_segments(columns: SegmentColumns) -> SegmentColumns:
    """The segments a browser would show, or all of them if those are nearly empty."""
    shown = columns.where([not state & HIDDEN for state in columns.states])
    if len(shown) > _NEARLY_EMPTY:  # each has at least one character
        return shown
    size, total = (sum(map(len, some.texts)) for some in (shown, columns))
    return columns if not size or (size < _NEARLY_EMPTY and total > _A_PAGE) else shown
