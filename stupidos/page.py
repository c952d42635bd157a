"""Data types: a Page consists of Segments; each Segment gets a Verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

_ANCESTORS = 6  # nearest block ancestors in Segment.ancestors; the tree filter needs at most five

# An open block element: (parent, tag, attributes as written, serial number, state). A chain of bare
# tuples, since thousands are made a page; it ends in a root without a name. The state is the
# renderer's: heading level, list depth, hidden and the like.
Place = tuple["Place | None", str, str | None, int, int]

# Quoted values are skipped, so that title="what class=x means" does not match.
_NAMED = re.compile(
    r"""(?<![^\s"'/])(id|class)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))|"[^"]*+"|'[^']*+'""",
    re.IGNORECASE,
)
DEEPEST = 256  # elements in a path
MAX_SEGMENTS = "max-segments"
CELL_END = "\t"  # between the cells of a table row that is one segment; models read a blank


def _named(tag: str, attributes: str) -> str:
    """A tag with its id and classes, as a style sheet would write it.

    >>> _named("div", ' class="post body" id=main')
    'div#main.post.body'
    """
    words = {"id": "", "class": "", "": ""}
    for name, *values in _NAMED.findall(attributes):
        words[name.lower()] = words[name.lower()] or " ".join("".join(values).split())
    identity = "#" + words["id"] if words["id"] else ""
    return tag + identity + "".join("." + word for word in words["class"].split())


class Kind(StrEnum):
    """Kind of a segment, as abbreviated in CleanEval."""

    PARAGRAPH = "p"
    HEADING = "h"
    ITEM = "l"


class Offsets(Protocol):
    """Offsets of a page's tokens, or of a dump's lines, in the decoded source; computed lazily."""

    def start(self, token: int) -> int: ...

    def end(self, token: int) -> int: ...


class _Tokens(Protocol):
    """The tokens of a page, each a text and the tag after it; computed lazily."""

    source: str  # as it was read
    skips: list[tuple[int, int]]  # first and last token inside each element that was skipped
    backwards: dict[int, int]  # token that opens an item of a reversed list -> its number

    @property
    def pieces(self) -> list[str | None]: ...

    @property
    def at_hand(self) -> bool: ...

    def stream(self) -> Iterator[str | None]: ...


class Segment(NamedTuple):
    """A paragraph, heading or list item, and its position on the page."""

    text: str
    kind: Kind = Kind.PARAGRAPH
    level: int = 0  # 1 to 6 for headings, nesting depth for list items, else 0
    link_share: float = 0.0  # share of the characters inside links
    place: Place | None = None  # innermost open block element
    first: int = 0  # number of the first token on the page
    last: int = 0  # number of the last token
    offsets: Offsets | None = None  # None for text that the page does not show

    @property
    def path(self) -> str:
        """Open block elements from the outermost on, with their ids and classes.

        >>> body = ((None, "", None, 0, 0), "body", None, 1, 0)
        >>> Segment("Hi", place=(body, "p", ' class="lead big" id=x', 2, 0)).path
        'body>p#x.lead.big'
        """
        return ">".join(_named(tag, attributes) for tag, attributes, _ in self.elements(DEEPEST)[::-1])

    @property
    def ancestors(self) -> tuple[int, ...]:
        """Serial numbers of the nearest block elements, the segment's own first."""
        return tuple(serial for _, _, serial in self.elements(_ANCESTORS))

    def elements(self, most: int = 1 << 30) -> list[tuple[str, str, int]]:
        """Open block elements as (tag, attributes, serial), the innermost first."""
        elements: list[tuple[str, str, int]] = []
        place = self.place
        while place is not None and place[1] and len(elements) < most:
            elements.append((place[1], place[2] or "", place[3]))
            place = place[0]
        return elements

    @property
    def start(self) -> int:
        """Offset of the first character in the decoded source."""
        return self.offsets.start(self.first) if self.offsets else 0

    @property
    def end(self) -> int:
        """Offset after the last character in the decoded source."""
        return self.offsets.end(self.last) if self.offsets else 0


class Page(NamedTuple):
    """A rendered page, the input of the scorers."""

    source: str  # decoded HTML, or the dump
    title: str
    segments: Sequence[Segment]
    markup: bool = True  # False for a plain-text dump
    encoding: str = "unicode"  # what the bytes were decoded from
    head: Sequence[str] = ()  # attributes of <meta> and <link> as written
    truncated: str = ""  # MAX_SEGMENTS if the rest of the page was merged into one segment
    tokens: _Tokens | None = None  # None for a dump


class Verdict(NamedTuple):
    """The decision on one segment and its reason."""

    segment: Segment
    score: float  # natural log-odds of the segment, clean over dirty
    keep: bool
    reason: str  # name of the model or of the rule that decided
