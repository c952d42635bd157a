"""The tokens of a page as the systems of the literature read them: text, tag, text, tag, and so on.

The renderer splits a page once; these systems walk over the same pieces instead of parsing it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.page import Segment
from stupidos.render.tokens import pieces_of

if TYPE_CHECKING:
    from stupidos.page import Page

IntArray: TypeAlias = npt.NDArray[np.int64]
FloatArray: TypeAlias = npt.NDArray[np.float64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
TokenList: TypeAlias = list[str | None]  # text, tag name, attributes, text, ... as SPLIT gives them
_Token: TypeAlias = tuple[int, str, str, str]  # number, text, name of the tag after it, its attributes


def pieces(page: Page) -> TokenList:
    """The page as text, tag name, attributes, text, ...: as the renderer read it."""
    return page.tokens.pieces if page.tokens is not None else pieces_of(page.source)


def segment_numbers(page: Page, numbers: IntArray) -> IntArray:
    """The segment that each token of the page is in; -1 for those that are not rendered."""
    size = int(max((segment.last for segment in page.segments), default=0)) + 1
    owners = np.full(max(size, int(numbers.max(initial=0)) + 1), -1, dtype=np.int64)
    for at, segment in enumerate(page.segments):
        owners[segment.first : segment.last + 1] = at
    return owners[numbers]


def as_one_segment(split: TokenList) -> list[Segment]:
    """All tokens of a page as if they were one segment."""
    return [Segment("", first=0, last=len(split) // 3 - 1)]


def walk(split: TokenList) -> Iterator[_Token]:
    """Every token: its number, text, lower-case tag name ("/p" for an end tag) and attributes.

    The name is empty for comments, scripts and style sheets, and after the last text.

    >>> list(walk(["Tea ", "B", "", "is", "/b", None, " hot"]))
    [(0, 'Tea ', 'b', ''), (1, 'is', '/b', ''), (2, ' hot', '', '')]
    """
    names, attributes = (*split[1::3], None), (*split[2::3], None)
    for number, (text, name, details) in enumerate(zip(split[0::3], names, attributes)):
        yield number, text or "", name.lower() if name else "", details or ""
