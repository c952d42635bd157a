"""What a page marks up near its headline: microdata, rel=author, classes, <time>.

Asked only for what the head and JSON-LD do not tell. Marks are searched for in the tokens of the renderer,
and first in all their attributes at once, as most pages have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stupidos.metadata import dates, names
from stupidos.metadata.head import text
from stupidos.metadata.lines import NAMES
from stupidos.page import Page, Segment
from stupidos.render.attributes import values
from stupidos.render.tokens import pieces_of

_ABOVE, _BELOW, _FIRST = 60, 220, 500  # tokens around the headline; the last without one
_LARGE = 1 << 15  # characters of a page whose tokens are too many to be split at once
_LONGEST_ELEMENT = 40  # tokens of an element that holds a name or a date
_MOST_MARKS = 6  # elements of a kind that are looked at
_AUTHOR = re.compile(r"""(?<![\w-])(itemprop|rel|class)\s*+=\s*+["']?(author|byline)(\svcard["'])?""")
_VCARD = "vcard"  # the class that WordPress gives, also to names of one word
# Marks of the author's element, the clearest first, and how many such elements count
_MARKS = {"itemprop": 1, "rel": 10, _VCARD: 1, "class": 1, "byline": 1}
_SURE = frozenset(("itemprop", "rel", _VCARD))
_NAME = re.compile(r"""itemprop\s*+=\s*+["']?name(?![\w-])""")
_PUBLISHED = re.compile(r"pubdate|datepublished|publish|entry-date|dt-published|posted", re.IGNORECASE)
_UPDATED = re.compile(r"datemodified|updated|modified", re.IGNORECASE)
_DATE_PUBLISHED = re.compile(r"""itemprop\s*+=\s*+["']?datePublished(?![\w-])""")


class Surroundings:
    """The tokens around the headline, in which the page may mark its authors and dates."""

    __slots__ = ("_attributes", "_heading", "_names", "_texts", "marks")

    def __init__(self, page: Page, heading: Segment | None) -> None:
        tokens, at = page.tokens, heading.first if heading else -1
        if tokens is not None and tokens.at_hand:
            pieces = tokens.pieces
        else:
            pieces, at = pieces_of(page.source[:_LARGE]), -1
        start = max(at - _ABOVE, 0)
        near = pieces[3 * start : 3 * (at + _BELOW if at >= 0 else _FIRST)]
        self._texts, self._names, self._attributes = near[::3], near[1::3], near[2::3]
        self._heading = at - start if at >= 0 else -1  # number of its token among these
        self.marks = "\n".join(filter(None, self._attributes))  # all attributes, to be searched at once

    def authors(self) -> Sequence[str]:
        """Texts of elements that are marked as the author's name, by the clearest mark that there is.

        Of classes the first behind the headline counts: comments and related articles have authors too.
        """
        if "author" not in self.marks and "byline" not in self.marks:
            return ()
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

    def _marked(self) -> Iterator[tuple[str, int]]:
        """Kind and number of each token that is marked as the author's."""
        for token, attributes in enumerate(self._attributes):
            if attributes and ("author" in attributes or "byline" in attributes):
                match = _AUTHOR.search(attributes)
                if match and match[2] == "author":
                    yield (_VCARD if match[3] else match[1]), token
                elif match and match[1] == "class":
                    yield "byline", token

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
                return text(self._texts[inner + 1] or "")
        return text(" ".join(filter(None, self._texts[token + 1 : end + 1])))

    def marked_date(self, language: str) -> str | None:
        """The date of an element that is marked as that of publication."""
        if "datePublished" not in self.marks:
            return None
        for token, attributes in enumerate(self._attributes):
            if attributes and "datePublished" in attributes and _DATE_PUBLISHED.search(attributes):
                parsed = values(attributes)
                said = parsed.get("datetime") or parsed.get("content") or self._text(token)
                if found := dates.parsed(said, language):
                    return found
        return None

    def time_element(self, language: str) -> str | None:
        """The date of a <time>: one that says it is of publication, else the first behind the headline."""
        first = behind = None
        token = -1
        for _ in range(_MOST_MARKS * 2):
            try:
                token = self._names.index("time", token + 1)
            except ValueError:
                break
            tag = self._attributes[token] or ""
            said = values(tag).get("datetime") or self._text(token)
            found = None if _UPDATED.search(tag) else dates.parsed(said, language)
            if found and _PUBLISHED.search(tag):
                return found
            first = first or found
            behind = behind or (found if token > self._heading else None)
        return behind or first


def _holds_name(field: str, sure: bool) -> bool:
    """Whether the text of a marked element is a name; of a sure mark any, of a class one with capitals."""
    return any(names.names_in(field)) if sure else any(map(NAMES.match, names.names_in(field)))
