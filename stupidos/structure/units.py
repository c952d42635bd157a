"""Units that may not be torn: rows of a table, parts of a <pre>, titles of callouts, footnotes.

The verdicts stay the model's; this only decides what the structured formats show besides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stupidos.page import Page, Place, Segment
from stupidos.render.tags import CELL, PRE
from stupidos.structure.callouts import TITLE

_MOST_ROWS = 2  # dropped rows behind each other that are shown between kept ones
NOTE_REFERENCE = re.compile(
    r"""href\s*=\s*["']?[^"'\s>#]*#((?:user-content-)?(?:fn|ftn|_ftn|foot|endnote|edn|note|cite[_-]note|sdfootnote)"""
    r"""[^"'\s>]*)""",
    re.IGNORECASE,
)
_IDS = re.compile(r"""\b(?:id|name)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_NEAR = 4  # elements around a segment that may be the note it is part of
_SHORT = 200  # characters of a title


def completed(page: Page, keep: Sequence[int]) -> Sequence[int]:
    """`keep` with what a kept unit lacks."""
    if all(keep) or not any(keep):
        return keep
    segments, shown = page.segments, list(keep)
    for at in _beside_kept(keep, shown):
        place = segments[at].place
        if place is None:
            continue
        if place[4] & PRE:
            shown[at] = int(_touches(segments, keep, at, "pre"))
        elif place[4] & CELL:
            _complete_table(segments, keep, shown, at)
        elif at + 1 < len(keep) and keep[at + 1] and _is_title(segments[at]):
            shown[at] = 1
    return shown


def _beside_kept(keep: Sequence[int], shown: list[int]) -> Iterator[int]:
    """Dropped segments before a kept one, or behind one that is shown by then."""
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


def _touches(segments: Sequence[Segment], keep: Sequence[int], at: int, tag: str) -> bool:
    """Whether a segment beside this one is kept and in the same element."""
    own = _within(segments[at].place, tag)
    return any(
        0 <= near < len(keep) and keep[near] and _within(segments[near].place, tag) == own
        for near in (at - 1, at + 1)
    )


def _complete_table(segments: Sequence[Segment], keep: Sequence[int], shown: list[int], at: int) -> None:
    """Show dropped rows that kept ones of the same table stand around, or that it begins with."""
    own = _within(segments[at].place, "table")
    end = at
    while end < len(keep) and not keep[end] and _within(segments[end].place, "table") == own:
        end += 1
    if end == len(keep) or not keep[end] or _within(segments[end].place, "table") != own:
        return
    before = at > 0 and _within(segments[at - 1].place, "table") == own
    rows = {_within(segment.place, "tr") for segment in segments[at:end]}
    if len(rows) <= _MOST_ROWS and (not before or keep[at - 1]):
        for inner in range(at, end):
            shown[inner] = 1


def _is_title(segment: Segment) -> bool:
    place = segment.place
    for _ in range(2):
        if place is None or len(segment.text) > _SHORT:
            return False
        if place[2]:
            small = place[2].lower()
            if ("title" in small or "heading" in small) and TITLE.search(place[2]):
                return True
        place = place[0]
    return False


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
