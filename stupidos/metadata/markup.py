"""What a page marks up or shows near its headline: microdata, rel=author, <time>, bylines, dates.

Asked only for what the head and JSON-LD do not tell. Markers are searched for as plain text, which takes
C a tenth of a millisecond a page; a regular expression looks only at what is near one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stupidos.metadata import dates, names
from stupidos.metadata.head import text
from stupidos.metadata.titles import key
from stupidos.page import Kind, Segment
from stupidos.render.attributes import values

_ITEM = Kind.ITEM  # a local name: attribute lookup in the enum is slow
_LONGEST_TAG = 1500  # characters
_LONGEST_ELEMENT = 1200  # characters of an element that holds a name
_NAME_HINT = re.compile(
    rf"{names.CAPITAL}[\w'’.-]++\s{names.CAPITAL}\w"
    r"|(?<!\w)[Bb][Yy](?!\w)|[\u3040-\u9fff\uac00-\ud7af]",
    re.MULTILINE,
)
_DATE_HINT = re.compile(r"(?<![0-9$€£.,])[0-9]{1,4}(?![0-9%])")
_CLASS = 'class="'
# What stands before the word "author" in a tag of the author's, and how many such elements count
_VCARD = "vcard"  # the class that WordPress gives, also to names of one word
_MARKS = {'itemprop="': 1, 'rel="': 10, "rel=": 10, _VCARD: 1, _CLASS: 1}
_MARKED = {'="author': ('itemprop="', 'rel="', _CLASS), "=author": ("rel=",)}  # what to find -> marks
_MOST_WORDS = 400  # places of a word that are looked at
_ABOVE, _BELOW, _FIRST = 3_000, 15_000, 30_000  # characters of the source; the last without an <h1>
_MOST_MARKERS = 6  # elements of a kind that are looked at
_TAGS = re.compile(r"<[^<>]*+>")
_NAME = re.compile(r"""itemprop=["']?name["'\s>]""")
_BEFORE, _BEHIND = 3, 12  # segments around the headline that may be a byline or a date
_LONGEST_LINE = 160  # characters of such a segment
_PARTICLE = r"(?:(?i:van|von|de|der|den|di|da|del|la|le|du|dos|bin|al|el|ter|zu|af|av)\s)*+"
# Two to four words with capitals, or a name in Han, kana or Hangul; nothing that goes on as a sentence
_NAMES = re.compile(
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
    rf"({names.CAPITAL}[\w'’.-]*+(?:\s{names.CAPITAL}[\w'’.-]*?){{1,3}}?)\s*+[-–—|,·•/]?\s*+(?=[A-Z][a-z]{{2,8}}\.?\s[0-9]|[0-9]{{1,2}}[.\s]|[0-9]{{4}}-)"
)
_AUTHOR_CLASS = re.compile(r"(?<![a-z])(?:byline|author|autor|auteur|writer|contributor)")
_PUBLISHED = re.compile(r"pubdate|datepublished|publish|entry-date|dt-published|posted", re.IGNORECASE)
_UPDATED = re.compile(r"datemodified|updated|modified", re.IGNORECASE)


def around_heading(source: str, heading: bool) -> str:
    """The source around the first heading, or its start; markers are looked for only here."""
    at = source.find("</h1>") if heading else -1
    return source[:_FIRST] if at < 0 else source[max(at - _ABOVE, 0) : at + _BELOW]


def may_name(lines: str) -> bool:
    """Whether a name may stand in these lines; where none does, what is marked as one is not shown there."""
    return _NAME_HINT.search(lines) is not None


def may_date(lines: str) -> bool:
    """Whether a date may stand in these lines."""
    return _DATE_HINT.search(lines) is not None


def short_lines(segments: Sequence[Segment]) -> str:
    """The segments that are short enough for a byline or a date, a line each."""
    return "\n".join([segment[0] for segment in segments if len(segment[0]) <= _LONGEST_LINE])


def marked_authors(source: str) -> Sequence[str]:
    """Texts of elements that are marked as the author's name, by the clearest mark that there is.

    Of classes the first behind the headline counts: comments and related articles have authors too.
    """
    by_mark: dict[str, list[int]] = {}
    for word, marks in _MARKED.items():
        for at in _places(source, word, _MOST_WORDS):
            at += word.index("a")
            if mark := next((mark for mark in marks if source.endswith(mark, 0, at)), ""):
                if mark == _CLASS and source.startswith('author vcard"', at):
                    mark = _VCARD
                by_mark.setdefault(mark, []).append(at)
    for mark, most in _MARKS.items():
        texts = [_element_text(source, at) for at in by_mark.get(mark, ())[:_MOST_MARKERS]]
        if mark == _CLASS:
            texts = [one for one in texts if any(map(_NAMES.match, names.names_in(one)))]
        named = [one for one in texts if any(names.names_in(one))]
        if named:
            return named[:most]
    texts = [_element_text(source, at) for at in _places(source, 'class="byline', _MOST_MARKERS)]
    return [one for one in texts if any(map(_NAMES.match, names.names_in(one)))][:1]


def _places(source: str, word: str, most: int) -> Iterator[int]:
    """Where a word stands in the source, at most so often."""
    at = source.find(word)
    while at >= 0 and most:
        yield at
        at = source.find(word, at + len(word))
        most -= 1


def _element_text(source: str, at: int) -> str:
    """The text of the element whose start tag holds the character `at`; its name's if that is marked.

    >>> _element_text('<a rel="author" href=x><b>Jane</b> Smith</a> said', 5)
    'Jane Smith'
    """
    start = source.rfind("<", max(at - _LONGEST_TAG, 0), at)
    end = source.find(">", at, at + _LONGEST_TAG)
    if start < 0 or end < 0:
        return ""
    tag = re.match(r"<([a-zA-Z][a-zA-Z0-9]*+)", source[start : start + 40])
    if tag is None:
        return ""
    if tag[1].lower() == "meta":
        return text(values(source[start + len(tag[0]) : end]).get("content", ""))
    behind = source.find(f"</{tag[1]}", end, end + _LONGEST_ELEMENT)
    if behind < 0:
        return ""
    inner = source[end + 1 : behind]
    if name := _NAME.search(inner):
        begin = inner.find(">", name.end() - 1)
        return text(inner[begin + 1 :].partition("<")[0]) if begin >= 0 else ""
    return text(_TAGS.sub(" ", inner))


def near(segments: Sequence[Segment], headings: Sequence[int], title: str) -> Sequence[Segment]:
    """The segments around the headline, what follows it first; of a page without one, the first segments.

    `headings` are the places of all headings among the segments.
    """
    wanted = key(title)
    at = next((at for at in headings if (line := segments[at][0]) == title or key(line) == wanted), -1)
    if at < 0:
        return segments[: _BEFORE + _BEHIND]
    return [*segments[at + 1 : at + 1 + _BEHIND], *segments[max(at - _BEFORE, 0) : at]]


def bylines(segments: Sequence[Segment], dated_lines: bool = True) -> Iterator[str]:
    """The first segment near the headline that is a byline, by its words or by the classes of its element."""
    for segment in segments:
        line = segment[0]
        if len(line) > _LONGEST_LINE or segment[1] is _ITEM:
            continue
        found = names.prefix(line)
        if found and _NAMES.match(line, found.end()) and any(names.names_in(line)):
            yield line
            return
        dated = _NAME_AND_DATE.match(line) if dated_lines and dates.YEAR.search(line) else None
        if dated and not _NO_NAME.match(dated[1]) and dates.in_text(line[dated.end() :]):
            yield dated[1]
            return
        if _NAME_FIRST.match(line) and _of_author(segment) and any(map(_NAMES.match, names.names_in(line))):
            yield line
            return


def _of_author(segment: Segment) -> bool:
    """Whether a segment's element, or the one around it, is that of the author by its attributes."""
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


def marked_date(source: str, language: str) -> str | None:
    """The date of an element that is marked as that of publication."""
    if "datePublished" not in source:
        return None
    for marker in ('itemprop="datePublished"', "itemprop='datePublished'", "itemprop=datePublished"):
        at = source.find(marker)
        if at >= 0:
            start = source.rfind("<", max(at - _LONGEST_TAG, 0), at)
            end = source.find(">", at, at + _LONGEST_TAG)
            attributes = values(source[start + 1 : end]) if 0 <= start < end else {}
            said = attributes.get("datetime") or attributes.get("content") or _element_text(source, at)
            if found := dates.parsed(said, language):
                return found
    return None


def time_element(source: str, language: str) -> str | None:
    """The date of a <time>: one that says it is of publication, else the first behind the first <h1>."""
    first = behind = None
    at = source.find("<time")
    heading = max(source.find("<h1"), 0) if at >= 0 else 0
    for _ in range(_MOST_MARKERS * 2):
        if at < 0:
            break
        end = source.find(">", at, at + _LONGEST_TAG)
        tag = source[at + len("<time") : end] if end > 0 else ""
        said = values(tag).get("datetime") or _element_text(source, at + 1)
        found = None if _UPDATED.search(tag) else dates.parsed(said, language)
        if found and _PUBLISHED.search(tag):
            return found
        first = first or found
        behind = behind or (found if at > heading else None)
        at = source.find("<time", at + 1)
    return behind or first


def written_date(segments: Sequence[Segment], language: str) -> str | None:
    """The first date in the short lines around the headline."""
    lines = (segment.text for segment in segments if len(segment.text) <= _LONGEST_LINE)
    return next((found for line in lines if (found := dates.in_text(line, language))), None)
