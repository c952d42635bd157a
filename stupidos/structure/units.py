"""Units that may not be torn: rows of a table, parts of a <pre>, captions, titles of callouts, footnotes.

The verdicts stay the model's; this only decides what else the structured formats show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stupidos.page import Page, Place, Segment
from stupidos.render.columns import columns_of
from stupidos.render.tags import CELL, PRE
from stupidos.structure.callouts import TITLE

_MOST_ROWS = 2  # consecutive dropped rows that are shown between kept ones
NOTE_REFERENCE = re.compile(
    r"""href\s*=\s*["']?[^"'\s>#]*#((?:user-content-)?(?:fn|ftn|_ftn|foot|endnote|edn|note|cite[_-]note|sdfootnote)"""
    r"""[^"'\s>]*)""",
    re.IGNORECASE,
)
_IDS = re.compile(r"""\b(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_NEAR = 4  # elements around a segment that may be the note it is part of
_FORMULAS = ("MathJax_Display", "ltx_eqn_")  # MathJax 2 and LaTeXML
_CELLS, _FIRST_CELLS = 100, 12  # characters of cells of a row kept in part; of those that a table begins with
_MOST_CAPTIONS, _LONGEST_CAPTIONS = 4, 500  # segments and characters between two kept segments
_SHORT = 200  # characters of a title, or of a formula
_LEVELS = 8  # elements around code and around the text beside it, of which one is the same
_WHOLE_PAGE = ("html", "body")
# Highlighters that write no <pre>: names of tables, or of the elements around those, and attributes of <div>s
_CODE_TABLES = ("syntaxhighlighter", "crayon-table", "js-file-line")
_CODE_BLOCKS = ('class="fragment"',)  # Doxygen
_LABELS, _LABEL = 2, 30  # dropped segments between code and kept text, and characters of each


def completed(page: Page, keep: Sequence[int]) -> Sequence[int]:
    """`keep` with what a kept unit lacks."""
    if all(keep) or not any(keep):
        return keep
    segments, shown = page.segments, list(keep)
    columns = columns_of(segments)
    places, states = columns.places, columns.states
    for at in _beside_kept(keep, shown):
        state = states[at]
        if state & PRE:
            continue
        if at and shown[at - 1] and _is_formula(places[at]):
            _complete_formulas(segments, places, keep, shown, at)
        elif state & CELL:
            _complete_table(segments, places, keep, shown, at)
        elif at and keep[at - 1] and _within(places[at], "figcaption"):
            _complete_captions(segments, places, keep, shown, at)
        elif at + 1 < len(keep) and keep[at + 1] and _is_title(places[at]):
            shown[at] = int(len(segments[at].text) <= _SHORT)
    others = any(name in page.source for name in _CODE_TABLES + _CODE_BLOCKS)
    if others or any(state & PRE for state in set(states)):
        _complete_code(segments, [_code_around(place, others) for place in places], keep, shown)
    return shown


def _beside_kept(keep: Sequence[int], shown: list[int]) -> Iterator[int]:
    """Dropped segments before a kept one, or after one that is shown by then."""
    flags = bytes(map(bool, keep))
    at = flags.find(0)
    while at >= 0:
        if not (at and shown[at - 1]):
            kept = flags.find(1, at + 1)
            if kept < 0:
                return
            at = kept - 1
        yield at
        at = flags.find(0, at + 1)


def _within(place: Place | None, tag: str) -> int:
    """Serial number of the nearest element of this name around a place, or 0."""
    while place is not None and place[1]:
        if place[1] == tag:
            return place[3]
        place = place[0]
    return 0


def _code_around(place: Place, others: bool) -> int:
    """Serial number of the <pre> around a place, or of what a highlighter writes instead; else 0."""
    if place[4] & PRE:
        return _within(place, "pre")
    at: Place | None = place
    while others and at is not None:
        if at[1] == "table":
            names = f"{at[2]} {at[0] and at[0][2]}"
            return at[3] if any(name in names for name in _CODE_TABLES) else 0
        if at[1] == "div" and at[2] and any(name in at[2] for name in _CODE_BLOCKS):
            return at[3]
        at = at[0]
    return 0


def _complete_code(
    segments: Sequence[Segment], code: list[int], keep: Sequence[int], shown: list[int]
) -> None:
    """Show the rest of each piece of code that is kept in part, and those between kept text.

    `code` has the serial number of the code that each segment is part of, or 0.
    """
    kept, dropped = set[int](), dict[int, list[int]]()
    for at, own in enumerate(code):
        if own and keep[at]:
            kept.add(own)
        elif own:
            dropped.setdefault(own, []).append(at)
    if not dropped:
        return
    before = _kept_before(segments, code, keep)
    behind = _kept_before(segments[::-1], code[::-1], keep[::-1])[::-1]
    for own, parts in dropped.items():
        if own in kept or _is_amid(own, segments[parts[0]], before[parts[0]], behind[parts[-1]]):
            for at in parts:
                shown[at] = 1


def _is_amid(own: int, code: Segment, before: Segment | None, behind: Segment | None) -> bool:
    """Whether there is kept text of the same container before and after the piece of code number `own`."""
    if before is None or behind is None:
        return False
    around = {serial for tag, _, serial in before.elements(_LEVELS) if tag not in _WHOLE_PAGE}
    around &= {serial for _, _, serial in behind.elements(_LEVELS)}
    outwards = [serial for _, _, serial in code.elements() if serial <= own]
    return any(serial in around for serial in outwards[:_LEVELS])


def _kept_before(
    segments: Sequence[Segment], code: Sequence[int], keep: Sequence[int]
) -> list[Segment | None]:
    """The nearest kept segment before each one, if there are only labels and other code in between."""
    nearest: list[Segment | None] = []
    kept: Segment | None = None
    labels = 0
    for segment, own, flag in zip(segments, code, keep):
        nearest.append(kept if labels <= _LABELS else None)
        if segment[4] is None:
            kept = None
        elif flag:
            kept, labels = segment, 0
        elif not own and not segment[0].isdecimal():  # a line number
            labels += 1 if len(segment[0]) <= _LABEL else _LABELS + 1
    return nearest


def _complete_table(
    segments: Sequence[Segment], places: list[Place], keep: Sequence[int], shown: list[int], at: int
) -> None:
    """Show dropped rows between kept ones of the same table, and those that it begins with.

    Of a row that is kept in part only short cells: a table that lays out a page has long ones.
    """
    own = _within(places[at], "table")
    end = at
    while end < len(keep) and not keep[end] and _within(places[end], "table") == own:
        end += 1
    if not own or end == len(keep) or not keep[end] or _within(places[end], "table") != own:
        return
    before = at > 0 and _within(places[at - 1], "table") == own
    rows = {_within(place, "tr") for place in places[at:end]}
    if len(rows) > _MOST_ROWS or (before and not keep[at - 1]):
        return
    beside = [places[end], *([places[at - 1]] if before else [])]
    if rows & {_within(place, "tr") for place in beside}:
        cells = {_within(place, "td") for place in places[at:end]}
        size = sum(len(segments[inner].text) for inner in range(at, end))
        kept_cells = {_within(place, "td") for place in beside} - {0}
        if cells & kept_cells or size > (_CELLS if before else _FIRST_CELLS):
            return
    shown[at:end] = [1] * (end - at)


def _complete_captions(
    segments: Sequence[Segment], places: list[Place], keep: Sequence[int], shown: list[int], at: int
) -> None:
    """Show captions between kept segments: their images are shown, too."""
    end = at
    while end < len(keep) and not keep[end] and _within(places[end], "figcaption"):
        end += 1
    few = end - at <= _MOST_CAPTIONS and end < len(keep) and keep[end]
    if few and sum(len(segments[inner].text) for inner in range(at, end)) <= _LONGEST_CAPTIONS:
        shown[at:end] = [1] * (end - at)


def _is_title(place: Place | None) -> bool:
    """Whether a place is the title of a callout."""
    for _ in range(2):
        if place is None:
            return False
        if place[2]:
            small = place[2].lower()
            if ("title" in small or "heading" in small) and TITLE.search(place[2]):
                return True
        place = place[0]
    return False


def _is_formula(place: Place) -> bool:
    """Whether a place is that of a formula on a line of its own, which the model takes for noise."""
    names = f"{place[2]} {place[0] and place[0][2]}"
    return any(name in names for name in _FORMULAS)


def _complete_formulas(
    segments: Sequence[Segment], places: list[Place], keep: Sequence[int], shown: list[int], at: int
) -> None:
    """Show the lines of formulas from `at` on, if the text behind them is kept."""
    end = at
    while end < len(keep) and not keep[end] and _is_formula(places[end]):
        end += 1
    if end < len(keep) and keep[end]:
        for line in range(at, end):
            shown[line] = int(len(segments[line].text) <= _SHORT)


def with_notes(page: Page, keep: Sequence[int], wanted: set[str]) -> list[int]:
    """`keep` with the definitions of the footnotes that kept text refers to."""
    segments, shown = page.segments, list(keep)
    end = 0
    for at, segment in enumerate(segments):
        if segment.offsets is None:
            continue
        if not shown[at] and (_names(segment) & wanted or _names_before(page.source, end, segment) & wanted):
            shown[at] = 1
        end = segment.end
    return shown


def _names(segment: Segment) -> set[str]:
    """Ids of the elements around a segment."""
    found: set[str] = set()
    for tag, attributes, _ in segment.elements(_NEAR):
        if attributes and tag not in ("body", "html", "main", "article", "section"):
            found.update("".join(groups) for groups in _IDS.findall(attributes))
    return found


def _names_before(source: str, start: int, segment: Segment) -> set[str]:
    """Ids of the anchors in a segment and just before it."""
    start = max(start, segment.start - 400)
    return {"".join(groups) for groups in _IDS.findall(source, start, segment.end)}
