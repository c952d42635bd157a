"""Lines near the headline: bylines and dates as the page shows them.

Used only for facts that the head, JSON-LD and marked elements lack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from stupidos.metadata import dates, names
from stupidos.metadata.titles import key
from stupidos.page import Kind, Segment

_ITEM = Kind.ITEM  # a local name: attribute lookup in the enum is slow
_NAME_HINT = re.compile(
    rf"{names.CAPITAL}[\w'’.-]++\s{names.CAPITAL}\w"
    r"|(?<!\w)[Bb][Yy](?!\w)|[\u3040-\u9fff\uac00-\ud7af]",
    re.MULTILINE,
)
_DATE_HINT = re.compile(r"(?<![0-9$€£.,])[0-9]{1,4}(?![0-9%])")
_BEFORE, _BEHIND = 3, 12  # segments around the headline that may be a byline or a date
_FAR, _LONGEST_NAME = 15, 40  # segments above the headline that may be a lone name; its characters
_LONGEST_LINE = 160  # characters of such a segment
_PARTICLE = r"(?:(?i:van|von|de|der|den|di|da|del|la|le|du|dos|bin|al|el|ter|zu|af|av)\s)*+"
# Two to four words with capitals, or a name in Han, kana or Hangul; nothing that continues as a sentence
NAMES = re.compile(
    rf"(?:{names.CAPITAL}[\w'’.-]*+(?:\s{_PARTICLE}{names.CAPITAL}[\w'’.-]*+){{1,3}}+|[\u3040-\u9fff\uac00-\ud7af]{{2,5}}+)"
    r"(?=\s*+(?:$|[,;|·•–—()/@-]|[0-9]|(?:and|und|et|y|e|i|och|og|en|и|και|ve|for|in|on|updated|published)\s))"
)
_NO_NAME = re.compile(
    r"(?:on|at|in|the|this|last|updated|published|posted|copyright|page|view|read|free|new)\s"
    r"|.*\b(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?\b",
    re.IGNORECASE,
)
_NAME_FIRST = re.compile(rf"(?:\w++\s)?{names.CAPITAL}[\w'’.-]*+(?:\s|$)|[\u3040-\u9fff\uac00-\ud7af]")
# Jane Smith - May 5, 2023
_NAME_AND_DATE = re.compile(
    rf"({names.CAPITAL}[\w'’.-]*+(?:\s{names.CAPITAL}[\w'’.-]*?){{1,3}}?)\s*+[-–—|,·•/]?\s*+(?=[A-Z][a-z]{{2,8}}\.?\s[0-9]|[0-9]{{1,2}}(?!\s?min)[.\s]|[0-9]{{4}}-)"
)
# By Jane on May 5, 2023
_ONE_NAME_AND_DATE = re.compile(
    rf"(?:[Bb][Yy]\s++)?({names.CAPITAL}(?!\w*ed\s)[\w'’.-]{{2,20}}+)\son\s(?=[A-Z0-9])"
)
_AUTHOR_CLASS = re.compile(r"(?<![a-z])(?:byline|author|autor|auteur|writer|contributor)")


def may_name(lines: str) -> bool:
    """Whether these lines may hold a name; if not, an element marked as a name is not shown there."""
    return _NAME_HINT.search(lines) is not None


def may_date(lines: str) -> bool:
    """Whether these lines may hold a date."""
    return _DATE_HINT.search(lines) is not None


def short_lines(segments: Sequence[Segment]) -> str:
    """The segments that are short enough for a byline or a date, a line each."""
    return "\n".join([segment[0] for segment in segments if len(segment[0]) <= _LONGEST_LINE])


def place_of(texts: Sequence[str], headings: Iterable[int], title: str) -> int:
    """The place of the headline among the segments, -1 without one; `headings` are those of all headings."""
    wanted = key(title)
    return next((at for at in headings if (line := texts[at]) == title or key(line) == wanted), -1)


def near(segments: Sequence[Segment], at: int) -> Sequence[Segment]:
    """The segments around the headline, what follows it first; of a page without one, the first segments."""
    if at < 0:
        return segments[: _BEFORE + _BEHIND]
    return [*segments[at + 1 : at + 1 + _BEHIND], *segments[max(at - _BEFORE, 0) : at]]


def bylines(segments: Sequence[Segment], dated_lines: bool = True) -> Iterator[str]:
    """The first segment near the headline that is a byline, by its words or by the classes of its element.

    `dated_lines` is whether any line has a year.
    """
    for segment in segments:
        line = segment[0]
        if len(line) > _LONGEST_LINE or segment[1] is _ITEM:
            continue
        byline = names.prefix(line)
        if byline and NAMES.match(line, byline.end()) and any(names.names_in(line)):
            yield line
            return
        dated = None
        if dated_lines and dates.YEAR.search(line):
            dated = _NAME_AND_DATE.match(line) or _ONE_NAME_AND_DATE.match(line)
        if dated and not _NO_NAME.match(dated[1]) and dates.in_text(line[dated.end() :]):
            yield dated[1]
            return
        if ", " in line and names.has_role(line):
            yield line
            return
        if _NAME_FIRST.match(line) and _of_author(segment) and any(map(NAMES.match, names.names_in(line))):
            yield line
            return


def far_byline(segments: Sequence[Segment], at: int) -> Iterator[str]:
    """A line further above the headline, as in a side bar, that is a byline and nothing else."""
    for segment in reversed(segments[max(at - _FAR, 0) : max(at - _BEFORE, 0)]):
        line = segment[0]
        if (
            len(line) <= _LONGEST_NAME
            and (found := names.prefix(line))
            and names.PLAIN.fullmatch(line, found.end())
        ):
            yield line
            return


def _of_author(segment: Segment) -> bool:
    """Whether the attributes of a segment's element, or of its parent, mark the author."""
    place = segment[4]
    for _ in range(2):
        if place is None or not place[1]:
            return False
        if place[2] and _names_author(place[2][:200]):
            return True
        place = place[0]
    return False


def _names_author(attributes: str) -> bool:
    """Whether attributes hold a word for authors; plain search first, as most hold none.

    >>> _names_author(' class="Post-Author"'), _names_author(' class="coauthor"'), _names_author(" id=x")
    (True, False, False)
    """
    small = attributes.lower()
    if "ut" not in small and "byline" not in small and "writer" not in small:
        return False  # author, autor, auteur and contributor have "ut"
    return _AUTHOR_CLASS.search(small) is not None


def written_date(segments: Sequence[Segment], language: str) -> str | None:
    """The first date in the short lines around the headline."""
    lines = (segment.text for segment in segments if len(segment.text) <= _LONGEST_LINE)
    return next((found for line in lines if (found := dates.in_text(line, language))), None)
