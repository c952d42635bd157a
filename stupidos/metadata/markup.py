"""What a page marks up near its headline: microdata, rel=author, classes, <time>.

Used only for facts that the head and JSON-LD lack. Marks are searched for in the tokens of the renderer, and
first in all their attributes at once, as most pages have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice

from stupidos.metadata import dates, handles, lines, names
from stupidos.metadata.head import text
from stupidos.page import Page, Segment
from stupidos.render.attributes import values
from stupidos.render.tokens import pieces_of

_ABOVE, _BELOW, _FIRST = 60, 220, 500  # tokens around the headline; the last without one
_LARGE = 1 << 15  # characters of a page whose tokens are too many to be split at once
_LONGEST_ELEMENT = 40  # tokens of an element that holds a name or a date
_MOST_MARKS = 6  # elements of a kind that are looked at
_AUTHOR = re.compile(r"""(?<![\w-])(itemprop|rel|class)\s*+=\s*+["']?(author|byline)(\svcard["'])?""")
_MOST_WORDS = 50  # places of a word that are looked at
_VCARD = "vcard"  # the class that WordPress gives, also to names of one word
# Marks of the author's element, the clearest first, and how many such elements count
_MARKS = {"itemprop": 1, "rel": 10, _VCARD: 1, "class": 1, "byline": 1}
_SURE = frozenset(("itemprop", "rel", _VCARD))
_FOOT = 40_000  # characters at the end of the source in which the license is linked
_LINK = re.compile(r"<[aA](\s[^<>]{0,1000}+)>")
_NAME = re.compile(r"""itemprop\s*+=\s*+["']?name(?![\w-])""")
_PUBLISHED = re.compile(r"pubdate|datepublished|publish|entry-date|dt-published|posted", re.IGNORECASE)
_UPDATED = re.compile(r"datemodified|updated|modified", re.IGNORECASE)
_DATE_PUBLISHED = re.compile(r"""itemprop\s*+=\s*+["']?datePublished(?![\w-])""")


def license_link(source: str) -> str:
    """The address of a link to the license of the page, which is near its end; empty without one.

    >>> license_link('<p>Tea</p><a href="/by/4.0" rel="license">CC BY</a>'), license_link("<p>Tea</p>")
    ('/by/4.0', '')
    """
    at = source.rfind("icense", max(len(source) - _FOOT, 0))
    for _ in range(_MOST_MARKS):
        if at < 0:
            return ""
        start = source.rfind("<", 0, at)
        tag = _LINK.match(source, max(start, 0))
        attributes = values(tag[1]) if tag and tag.end() > at else {}
        if "license" in attributes.get("rel", "").lower().split():
            return text(attributes.get("href", ""))
        at = source.rfind("icense", max(len(source) - _FOOT, 0), at)
    return ""


class Surroundings:
    """The tokens around the headline, in which the page may mark its authors and dates."""

    __slots__ = ("_attributes", "_heading", "_marks", "_names", "_pieces", "_start")

    def __init__(self, page: Page, heading: Segment | None) -> None:
        tokens, at = page.tokens, heading.first if heading else -1
        if tokens is not None and tokens.at_hand:
            pieces = tokens.pieces
        else:
            pieces, at = pieces_of(page.source[:_LARGE]), -1
        start, end = max(at - _ABOVE, 0), at + _BELOW if at >= 0 else _FIRST
        self._pieces, self._start = pieces, start
        self._names = pieces[3 * start + 1 : 3 * end : 3]
        self._attributes = pieces[3 * start + 2 : 3 * end : 3]
        self._heading = at - start if at >= 0 else -1  # number of its token among these
        self._marks = "\0".join(filter(None, self._attributes))  # to be searched at once

    def authors(self) -> Sequence[str]:
        """Texts of elements that are marked as the author's name, by the clearest mark that there is.

        Among classes, the first after the headline counts: comments and related articles have authors too.
        """
        by_mark: dict[str, list[str]] = {}
        for mark, token in self._marked():
            known = by_mark.setdefault(mark, [])
            if len(known) < _MOST_MARKS:
                known.append(self._text(token))
        for mark, most in _MARKS.items():
            named = [one for one in by_mark.get(mark, ()) if _holds_name(one, mark in _SURE)]
            if named:
                return named[:most]
        return ()

    def handle(self) -> str:
        """The handle of the first user who is marked as the author, or of the only one linked after "by"."""
        linked: set[str] = set()
        for token in self._named("a", self._heading):
            attributes = self._attributes[token] or ""
            if "author" in attributes or "user" in attributes or "/u/" in attributes:
                label = self._text_behind(token).strip()
                mark = handles.mark_of(attributes, label, self._text_before(token))
                if mark == "author":
                    return label
                if mark:
                    linked.add(label)
        return linked.pop() if len(linked) == 1 else ""  # several: a list of posts

    def _text_before(self, token: int) -> str:
        return self._pieces[3 * (self._start + token)] or ""

    def _text_behind(self, token: int) -> str:
        return self._text_before(token + 1) if token + 1 < len(self._names) else ""

    def _having(self, word: str) -> Iterator[int]:
        """Numbers of the tokens whose attributes hold a word, not more than _MOST_WORDS."""
        if word in self._marks:
            tokens = (token for token, mark in enumerate(self._attributes) if mark and word in mark)
            yield from islice(tokens, _MOST_WORDS)

    def _named(self, name: str, token: int = -1) -> Iterator[int]:
        """Numbers of the tags of that name after a token."""
        with suppress(ValueError):  # there is no other
            while True:
                token = self._names.index(name, token + 1)
                yield token

    def _marked(self) -> Iterator[tuple[str, int]]:
        """Kind and number of each token that is marked as the author's."""
        for word in ("author", "byline"):
            for token in self._having(word):
                match = _AUTHOR.search(self._attributes[token] or "")
                if match and match[2] == word == "author":
                    yield (_VCARD if match[3] else match[1]), token
                elif match and match[2] == word and match[1] == "class":
                    yield word, token

    def _text(self, token: int) -> str:
        """The text of the element that a token starts; its name's if that is marked."""
        name = self._names[token]
        try:
            end = self._names.index(f"/{name}", token + 1, token + 1 + _LONGEST_ELEMENT)
        except ValueError:
            return ""
        for inner in range(token + 1, end):
            attributes = self._attributes[inner]
            if attributes and "itemprop" in attributes and _NAME.search(attributes):
                return text(self._text_before(inner + 1))
        first = 3 * (self._start + token)
        return text(" ".join(filter(None, self._pieces[first + 3 : first + 3 * (end - token) + 1 : 3])))

    def marked_date(self, language: str) -> str | None:
        """The date of an element that is marked as that of publication."""
        for token in self._having("datePublished"):
            attributes = self._attributes[token] or ""
            if _DATE_PUBLISHED.search(attributes):
                parsed = values(attributes)
                written = parsed.get("datetime") or parsed.get("content") or self._text(token)
                if found := dates.parsed(written, language):
                    return found
        return None

    def time_element(self, language: str) -> str | None:
        """The date of a <time>: one marked as that of publication, else the first after the headline."""
        first = behind = None
        for token in islice(self._named("time"), _MOST_MARKS * 2):
            tag = self._attributes[token] or ""
            written = values(tag).get("datetime") or self._text(token)
            date = None if _UPDATED.search(tag) else dates.parsed(written, language)
            if date and _PUBLISHED.search(tag):
                return date
            first = first or date
            behind = behind or (date if token > self._heading else None)
        return behind or first


def _holds_name(field: str, sure: bool) -> bool:
    """Whether the text of a marked element is a name; a class alone requires capitals."""
    return any(names.names_in(field)) if sure else any(map(lines.NAMES.match, names.names_in(field)))
