"""Boilerpipe's atomic text blocks, and what is counted in them.

After Kohlschütter, Fankhauser and Nejdl, *Boilerplate Detection using Shallow Text Features* (WSDM
2010), sections 3.3, 3.4 and 4.1. A block is character data between any tags but links. Words have a
letter or digit; link density is the share of tokens inside links; text density the number of tokens a
line when the block is wrapped at 80 columns, its last line left out.

Plain loops: a page has a few hundred blocks, and sixty calls of numpy cost more than they save.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.page import Segment
from stupidos.render.pages import RETRIES, pieces_of, without_swallower
from stupidos.render.references import unescaped

if TYPE_CHECKING:
    from stupidos.page import Page

Counts: TypeAlias = npt.NDArray[np.int64]
Shares: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Pieces: TypeAlias = list[str | None]  # text, tag name, attributes, text, ... as SPLIT gives them
Row: TypeAlias = tuple[str, Sequence[int], int, int, int, int, int]  # of Blocks

COLUMNS = 80  # w_max of section 3.4
SIGNS = re.compile(r" (?:[^\w ]|_)+(?= )")  # a token that is no word

# What a tag does to the text around it. Every other tag ends a block.
ENDS, SAYS_NOTHING, LINK, LINK_END, SKIP, SKIP_END = range(6)
SKIPPED = "noscript object applet option svg template iframe".split()  # no reader sees their text
# Most tags of most pages, so that few names are missing from the table.
COMMON = (
    "p div span li ul ol br img b i em strong u font small table tbody thead tr td th h1 h2 h3 h4 h5 h6 hr "
    "form input label button section article header footer nav main aside meta link path g use figure "
    "picture source dl dt dd time body head html center sup sub code pre"
).split()


class Codes(dict[str | None, int]):
    """Tag name to code; a spelling not in the table is looked up in lower case, others end a block."""

    def __missing__(self, name: str | None) -> int:
        return self.get(name.lower(), ENDS) if name else SAYS_NOTHING


CODES = Codes({None: SAYS_NOTHING})  # None: comments, scripts and style sheets
for _name, _code in (*((name, ENDS) for name in COMMON), ("a", LINK), *((name, SKIP) for name in SKIPPED)):
    for _spelling in (_name, _name.upper()):
        CODES[_spelling], CODES["/" + _spelling] = _code, _code and _code + 1


KNOWN = dict(CODES)  # the same without what the class adds, which takes half as long


class Blocks(NamedTuple):
    """The blocks of a page, a column a measure."""

    texts: Sequence[str]  # white space squeezed
    numbers: Sequence[Sequence[int]]  # numbers of the tokens that each consists of
    segments: Counts  # number of the segment that each is in
    tokens: Shares  # delimited by white space
    linked: Shares  # tokens inside links
    lines: Shares  # that are filled after wrapping
    on_lines: Shares  # tokens on these

    def words(self) -> Shares:
        """Tokens of each block with a letter or digit."""
        signs = [len(SIGNS.findall(f" {text} ")) for text in self.texts]
        return self.tokens - np.array(signs, dtype=np.float64)

    def link_density(self) -> Shares:
        """Share of the tokens of each block that stand inside links."""
        return self.linked / self.tokens

    def text_density(self) -> Shares:
        """Tokens a line, the last line left out unless it is the only one (equation 1)."""
        return self.on_lines / self.lines


def pieces(page: Page) -> Pieces:
    """The page as text, tag name, attributes, text, ...: as the renderer left it, or split again.

    An element that swallowed most of the page is read over, as the renderer did where the segments have
    more tokens than the page.
    """
    kept: Pieces | None = getattr(page.segments[0].offsets, "pieces", None) if page.segments else None
    if kept:
        return kept
    source, needed = page.source, max((segment.last for segment in page.segments), default=0)
    split = pieces_of(source)
    for _ in range(RETRIES):
        if len(split) > 3 * needed:
            break
        source = without_swallower(source)
        split = pieces_of(source)
    return split


def segment_of(page: Page, numbers: Counts) -> Counts:
    """The segment that each token of the page is in; -1 for those that the renderer does not show."""
    size = int(max((segment.last for segment in page.segments), default=0)) + 1
    owners = np.full(max(size, int(numbers.max(initial=0)) + 1), -1, dtype=np.int64)
    for at, segment in enumerate(page.segments):
        owners[segment.first : segment.last + 1] = at
    return owners[numbers]


def whole(split: Pieces) -> list[Segment]:
    """All tokens of a page as if they were one segment."""
    return [Segment("", first=0, last=len(split) // 3 - 1)]


# One function without a call in its fast path: a page has hundreds of segments and a thousand tokens.
def blocks_of(split: Pieces, segments: Iterable[Segment]) -> Blocks:
    """The blocks of some segments of a page; none goes on from one segment to the next.

    A third of a page's tokens lie in segments, and where a segment is one block the renderer has squeezed
    its text already.

    >>> page = ["See ", "a", "", "this", "/a", "", " page.", "p", "", " Next ", None, None]
    >>> blocks = blocks_of(page, whole(page))
    >>> blocks.texts, blocks.link_density(), blocks.text_density()
    (('See this page.', 'Next'), array([0.33333333, 0.        ]), array([3., 1.]))
    """
    rows: list[Row] = []
    known, size = KNOWN.get, len(split) // 3
    for owner, (squeezed, _, _, share, _, first, last, _) in enumerate(segments):
        if last >= size:
            continue  # not of this page
        while last > first and (not (text := split[3 * last]) or text.isspace()):
            last -= 1  # tags behind the last text end nothing
        if "\n" in squeezed or "  " in squeezed:
            squeezed = ""  # preformatted
        if first == last and squeezed:
            tokens = squeezed.count(" ") + 1
            lines, on_lines = wrapped(squeezed) if len(squeezed) > COLUMNS else (1, tokens)
            rows.append((squeezed, (first,), owner, tokens, tokens if share > 0 else 0, lines, on_lines))
            continue
        parts: list[str] = []
        in_links: list[str] = []
        numbers: list[int] = []
        linked, unseen = share == 1, 0
        for number in range(first, last + 1):
            text = split[3 * number]
            if text and not text.isspace() and not unseen:
                parts.append(text)
                numbers.append(number)
                if linked:
                    in_links.append(text)
            code = known(split[3 * number + 1])
            if code is None:
                code = CODES[split[3 * number + 1]]
            if number < last and (code == ENDS or code >= SKIP):
                squeezed = ""  # more than one block, or less than all of the text
                if parts:
                    rows += measured(parts, in_links, owner, numbers, "")
                    parts, in_links, numbers = [], [], []
                if code:
                    unseen = max(unseen + (1 if code == SKIP else -1), 0)
            elif code == LINK:
                linked = True
            elif code == LINK_END:
                if share > 0 and not linked:  # a link that had begun before the segment
                    in_links = parts[:]
                linked = False
        if parts:
            rows += measured(parts, in_links if share > 0 or not squeezed else [], owner, numbers, squeezed)
    texts, numbers_of, owners, *measures = zip(*rows, strict=True) if rows else [()] * len(Blocks._fields)
    columns = (np.array(column, dtype=np.float64) for column in measures)
    return Blocks(texts, numbers_of, np.array(owners, dtype=np.int64), *columns)


def measured(
    parts: list[str], in_links: list[str], owner: int, numbers: list[int], text: str
) -> tuple[()] | tuple[Row]:
    """A block of some texts, with those of them that stand inside links; none if it is blank.

    `text` is all of it squeezed, where that is known.
    """
    if not text:
        text = parts[0] if len(parts) == 1 else " ".join(parts)
        text = " ".join((unescaped(text) if "&" in text else text).split())
        if not text:  # nothing but &nbsp;
            return ()
    tokens = text.count(" ") + 1
    linked = 0
    if in_links:
        every = len(in_links) == len(parts)
        linked = tokens if every else len(unescaped(" ".join(in_links)).split())
    lines, on_lines = wrapped(text) if len(text) > COLUMNS else (1, tokens)
    return ((text, numbers, owner, tokens, linked, lines, on_lines),)


def wrapped(text: str, columns: int = COLUMNS) -> tuple[int, int]:
    """Lines that a squeezed text fills when it is wrapped, and the tokens on them.

    The last line is not filled, unless it is the only one.

    >>> wrapped("four five 6 seven", columns=9), wrapped("four five", columns=9)
    ((1, 2), (1, 2))
    """
    start, lines = 0, 0
    while len(text) - start > columns:
        blank = text.rfind(" ", start, start + columns + 1)
        if blank < 0:  # a word longer than the line stands alone
            blank = text.find(" ", start)
            if blank < 0:
                break
        start, lines = blank + 1, lines + 1
    return (lines, text.count(" ", 0, start)) if lines else (1, text.count(" ") + 1)
