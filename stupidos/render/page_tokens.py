"""The tokens of a rendered page, and where segments lie in its source; both computed on first access."""

from __future__ import annotations

import re
from array import array
from itertools import islice

from stupidos.render import attributes as attribute
from stupidos.render.options import RenderOptions
from stupidos.render.references import REFERENCE
from stupidos.render.tags import IMAGE, INPUT, acts_under
from stupidos.render.tokens import RAW_ELEMENT, RAW_TEXT, SPLIT, pieces_of
from stupidos.render.visible import UNSEEN, visible

_Stretch = tuple[int, int]

TAIL = re.compile(r"&[#a-zA-Z0-9]++;?\Z")  # what may be a reference at the end of a text
_MAX_REFERENCE = 40  # characters of a reference worth looking at


def trimmed(source: str, start: int, end: int, references: bool = True) -> _Stretch:
    """A stretch of the source without the white space around it, also where references stand for it.

    >>> trimmed("<p> &nbsp; tea &#160;</p>", 3, 21), trimmed("<xmp> &nbsp;</xmp>", 5, 12, references=False)
    ((11, 14), (6, 12))
    """
    while True:
        stretch = source[start:end].rstrip(UNSEEN)
        end = start + len(stretch)
        start = end - len(stretch.lstrip(UNSEEN))
        if not references:
            return start, end
        head = REFERENCE.match(source, start, end)
        if head and not visible(head[0]):
            start = head.end()
            continue
        tail = TAIL.search(source, max(start, end - _MAX_REFERENCE), end)
        if not tail or visible(tail[0]):
            return start, end
        end = tail.start()


class PageTokens:
    """Texts and tags of a page as the renderer read it; the page is split again on first access."""

    __slots__ = ("_before", "_behind", "_ends", "_options", "_pieces", "_starts", "_tags", "skips", "source")

    def __init__(
        self,
        source: str,
        options: RenderOptions,
        skips: list[_Stretch],
        pieces: list[str | None] | None = None,
        tags: int | None = None,
    ) -> None:
        self.source = source  # as it was read, without an element that would have swallowed the page
        self._pieces = pieces  # the page as it was split, if that was asked for
        self._options = options
        self.skips = skips  # first and last token inside each element that was skipped
        self._tags = tags  # that the page was split at, if not at all of them
        self._starts = array("q")
        self._ends = array("q")
        self._before: dict[int, int] = {}  # last token of a skipped element -> the one before it
        self._behind: dict[int, int] = {}  # first token of a skipped element -> the one behind it

    def __eq__(self, other: object) -> bool:
        """Equal on pages of the same source and options, so that segments can be compared."""
        if not isinstance(other, PageTokens):
            return NotImplemented
        return self.source == other.source and self._options == other._options

    def __hash__(self) -> int:
        return hash(self.source)

    @property
    def pieces(self) -> list[str | None]:
        """Text, tag name, attributes, text, ...: token n is the n-th text with the tag behind it."""
        return self._pieces if self._pieces is not None else pieces_of(self.source)

    def start(self, token: int) -> int:
        """Offset of the first visible character in the text before tag number `token`, or behind it."""
        self._split()
        at = token
        while at < len(self._starts):
            start, end = trimmed(self.source, self._starts[at], self._ends[at])
            if start < end:
                return start
            spoken = self._spoken(at)
            if spoken:
                return spoken[0]
            at = self._behind.get(at + 1, at + 1)
        return self._starts[token]

    def end(self, token: int) -> int:
        """Offset behind the last visible character of that text, or of what is before it."""
        self._split()
        at = token
        spoken = self._spoken(token)  # <xmp> ends the segment that its own text is part of
        if spoken:
            return spoken[1]
        while at >= 0:
            at = self._before.get(at, at)
            start, end = trimmed(self.source, self._starts[at], self._ends[at])
            if start < end:
                return end
            at -= 1
            spoken = self._spoken(at) if at >= 0 else None
            if spoken:
                return spoken[1]
        return self._ends[token]

    def _split(self) -> None:
        if not self._starts:
            self._before = {last: first - 1 for first, last in self.skips}
            self._behind = {first: last + 1 for first, last in self.skips}
            self._starts.append(0)
            for match in islice(SPLIT.finditer(self.source), self._tags):
                self._ends.append(match.start())
                self._starts.append(match.end())
            self._ends.append(len(self.source))

    def _spoken(self, tag: int) -> _Stretch | None:
        """Where the text of a tag lies that has one: <xmp>, or <img> and <input> if they are shown."""
        match = SPLIT.match(self.source, self._ends[tag])
        if match is None or match[1] is None:
            return None
        name, attributes = match.groups()
        raw = RAW_ELEMENT.match(name) if ">" in name else None
        if raw:
            if raw[1].lower() == "title" or (raw[1].lower() == "textarea" and not self._options.controls):
                return None
            references = RAW_TEXT.get(raw[1].lower(), True)
            start, end = trimmed(self.source, match.start(1) + raw.end(), match.end(1), references)
            return (start, end) if start < end else None
        act = acts_under(self._options).get(name.lower())
        shown = {IMAGE: attribute.alternative, INPUT: attribute.value}.get(act or 0)
        return match.span() if shown and visible(shown(attributes)) else None
