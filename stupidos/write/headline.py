"""The headline on top of a page, once: put first where the model dropped it, or taken out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress, count, islice
from typing import NamedTuple

from stupidos.page import Kind, Segment, Verdict
from stupidos.render.columns import headings_of, levels_of
from stupidos.write import TITLED, Style

_REASON = "title"  # of the verdict on a headline that was put first
_SEARCHED = 12  # kept segments in which a headline is looked for
_WORD = re.compile(r"\w+")
_SAME = 0.7  # share of words in common by which a heading of the page is its headline


class _Headline(NamedTuple):
    """What is to be done about the headline of a page."""

    put_first: str = ""  # empty if nothing is to be put first
    kept_at: int | None = None  # number of the kept segment that is the headline


def _headline(title: str, kept: Sequence[Segment], style: Style) -> _Headline:
    """The headline to put first, and which of the kept segments already is it.

    >>> kept = [Segment("Tea is hot", Kind.HEADING, 1), Segment("Very hot.")]
    >>> _headline("Tea is hot", kept, Style("markdown")), _headline("Tea is hot", kept[1:], Style("markdown"))
    (_Headline(put_first='', kept_at=0), _Headline(put_first='Tea is hot', kept_at=None))
    >>> _headline("Tea is hot", kept[1:], Style("text"))
    _Headline(put_first='', kept_at=None)
    """
    at = next((at for at, one in enumerate(kept[:_SEARCHED]) if _is_headline(one, title)), None)
    wanted = style.title == "keep" or (style.title == "auto" and style.format in TITLED)
    has_one = at is not None or any(one.kind is Kind.HEADING and one.level == 1 for one in kept[:_SEARCHED])
    return _Headline(title if wanted and not has_one else "", at)


def _is_headline(segment: Segment, title: str) -> bool:
    """Whether a segment says what the title does: the same words, or nearly the same if it is a heading."""
    if not title or len(segment.text) > 2 * len(title) + 20:
        return False
    words, wanted = ({*_WORD.findall(text.casefold())} for text in (segment.text, title))
    if words == wanted:
        return True
    most = max(len(words), len(wanted), 1)
    return segment.kind is Kind.HEADING and segment.level <= 1 and len(words & wanted) / most >= _SAME


class Placement(NamedTuple):
    """Where the headline of a page comes from."""

    at: int = -1  # number of the segment that is it
    keep: bool = True  # what is to be done about that segment
    put_first: str = ""  # a headline that the page does not show, to be put before all


def placement(segments: Sequence[Segment], keep: Sequence[int], title: str, style: Style) -> Placement:
    """What to do about the headline of a page, as the style asks.

    A heading of the page that was dropped is kept after all, if nothing is kept before it.
    """
    if not title or (style.title == "auto" and style.format not in TITLED):
        return Placement()
    kept = list(islice(compress(count(), keep), _SEARCHED))
    found = _headline(title, [segments[at] for at in kept], style)
    if style.title == "drop" and found.kept_at is not None:
        return Placement(kept[found.kept_at], keep=False)
    if not found.put_first or not kept:
        return Placement()
    headings = (at for at, _ in headings_of(segments) if at < kept[0])
    at = next((at for at in headings if _is_headline(segments[at], title)), -1)
    return Placement(at, put_first="" if at >= 0 else found.put_first)


def needs_title(segments: Sequence[Segment], keep: Sequence[int], style: Style) -> bool:
    """Whether the placement depends on the title: not if a main heading is kept and none is to be dropped."""
    if style.title == "drop":
        return True
    if style.title == "auto" and style.format not in TITLED:
        return False
    return 1 not in islice(compress(levels_of(segments), keep), _SEARCHED)


def titled(verdicts: Sequence[Verdict], title: str, style: Style) -> Sequence[Verdict]:
    """The verdicts with the headline first, or without it, as the style asks."""
    segments, flags = [verdict.segment for verdict in verdicts], [verdict.keep for verdict in verdicts]
    at, keep, put_first = placement(segments, flags, title, style)
    if put_first:
        return [Verdict(Segment(put_first, Kind.HEADING, 1), 0.0, True, _REASON), *verdicts]
    if at < 0:
        return verdicts
    return [*verdicts[:at], verdicts[at]._replace(keep=keep, reason=_REASON), *verdicts[at + 1 :]]
