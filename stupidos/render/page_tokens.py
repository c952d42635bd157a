"""The tokens of a rendered page and the source offsets of its segments; both computed on first access."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from itertools import chain, islice

from stupidos.render import attributes as attribute
from stupidos.render.options import RenderOptions
from stupidos.render.references import REFERENCE
from stupidos.render.tags import IMAGE, INPUT, acts_under
from stupidos.render.tokens import FEW_TAGS, RAW_ELEMENT, RAW_TEXT, SPLIT, WHOLE, parts, pieces_of
from stupidos.render.visible import UNSEEN, visible

_Span = tuple[int, int]

_TAIL = re.compile(r"&[#a-zA-Z0-9]++;?\Z")  # a possible reference at the end of a text
_MAX_REFERENCE = 40  # characters


def _trimmed(source: str, start: int, end: int, references: bool = True) -> _Span:
    """A span of the source without surrounding white space, including white space written as references.

    >>> _trimmed("<p> &nbsp; tea &#160;</p>", 3, 21), _trimmed("<xmp> &nbsp;</xmp>", 5, 12, references=False)
    ((11, 14), (6, 12))
    """
    while True:
        span = source[start:end].rstrip(UNSEEN)
        end = start + len(span)
        start = end - len(span.lstrip(UNSEEN))
        if not references:
            return start, end
        head = REFERENCE.match(source, start, end)
        if head and not visible(head[0]):
            start = head.end()
            continue
        tail = _TAIL.search(source, max(start, end - _MAX_REFERENCE), end)
        if not tail or visible(tail[0]):
            return start, end
        end = tail.start()


class PageTokens:
    """The texts and tags of a page as the renderer split it; the page is split again on first access."""

    __slots__ = (
        "_after", "_before", "_ends", "_options", "_pieces", "_starts", "_tags", "backwards", "skips",
        "source",
    )  # fmt: skip

    def __init__(
        self,
        source: str,
        options: RenderOptions,
        skips: list[_Span],
        pieces: list[str | None] | None = None,
        tags: int | None = None,
        backwards: dict[int, int] | None = None,
    ) -> None:
        # without the start tag of an unclosed element that contained the rest of the page
        self.source = source
        self._pieces = pieces  # the split page, if RenderOptions.pieces is set
        self._options = options
        self.skips = skips  # first and last token inside each skipped element
        self.backwards = backwards or {}  # token that opens an item of a reversed list -> its number
        self._tags = tags  # number of tags that were laid out, if not all
        self._starts = array("q")
        self._ends = array("q")
        self._before: dict[int, int] = {}  # last token of a skipped element -> the one before it
        self._after: dict[int, int] = {}  # first token of a skipped element -> the one after it

    def __eq__(self, other: object) -> bool:
        """Equal if the same page is shown the same way, so that segments can be compared."""
        if not isinstance(other, PageTokens):
            return NotImplemented
        shown = (tokens._options._replace(pieces=False, structure=False) for tokens in (self, other))
        return self.source == other.source and len(set(shown)) == 1

    def __hash__(self) -> int:
        return hash(self.source)

    @property
    def pieces(self) -> list[str | None]:
        """Text, tag name, attributes, text, ...: token n is the n-th text and the tag after it."""
        return self._pieces if self._pieces is not None else pieces_of(self.source)

    @property
    def at_hand(self) -> bool:
        """Whether the pieces are kept, or are so few that they can be made at once."""
        return self._pieces is not None or len(self.source) <= WHOLE or self.source.count("<") <= FEW_TAGS

    def stream(self) -> Iterator[str | None]:
        """The pieces one after the other; a large page is split in parts, as it would fill the memory."""
        if self.at_hand:
            return iter(self.pieces)
        return chain(chain.from_iterable(parts(self.source)), (None, None))

    def start(self, token: int) -> int:
        """Offset of the first visible character of a token, or of the tokens after it."""
        self._split()
        at = token
        while at < len(self._starts):
            start, end = _trimmed(self.source, self._starts[at], self._ends[at])
            if start < end:
                return start
            own_text = self._own_text(at)
            if own_text:
                return own_text[0]
            at = self._after.get(at + 1, at + 1)
        return self._starts[token]

    def end(self, token: int) -> int:
        """Offset after the last visible character of a token, or of the tokens before it."""
        self._split()
        at = token
        own_text = self._own_text(token)  # <xmp> ends the segment that contains its text
        if own_text:
            return own_text[1]
        while at >= 0:
            at = self._before.get(at, at)
            start, end = _trimmed(self.source, self._starts[at], self._ends[at])
            if start < end:
                return end
            at -= 1
            own_text = self._own_text(at) if at >= 0 else None
            if own_text:
                return own_text[1]
        return self._ends[token]

    def _split(self) -> None:
        if not self._starts:
            self._before = {last: first - 1 for first, last in self.skips}
            self._after = {first: last + 1 for first, last in self.skips}
            self._starts.append(0)
            for match in islice(SPLIT.finditer(self.source), self._tags):
                self._ends.append(match.start())
                self._starts.append(match.end())
            self._ends.append(len(self.source))

    def _own_text(self, tag: int) -> _Span | None:
        """Span of the text that a tag itself carries: <xmp>, or <img> and <input> if they are shown."""
        match = SPLIT.match(self.source, self._ends[tag])
        if match is None or match[1] is None:
            return None
        name, attributes = match.groups()
        raw = RAW_ELEMENT.match(name) if ">" in name else None
        if raw:
            if raw[1].lower() == "title" or (raw[1].lower() == "textarea" and not self._options.controls):
                return None
            references = RAW_TEXT.get(raw[1].lower(), True)
            start, end = _trimmed(self.source, match.start(1) + raw.end(), match.end(1), references)
            return (start, end) if start < end else None
        act = acts_under(self._options).get(name.lower())
        shown = {IMAGE: attribute.alternative, INPUT: attribute.value}.get(act or 0)
        return match.span() if shown and visible(shown(attributes)) else None
