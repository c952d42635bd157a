"""Boilerpipe's atomic text blocks: character data between any tags but links.

After Kohlschütter, Fankhauser and Nejdl, *Boilerplate Detection using Shallow Text Features* (WSDM
2010), section 4.1. A page is cut into fragments, the texts between two tags; fragments with nothing but
link tags between them are one block. density.py measures them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.render.references import unescaped
from stupidos.render.tokens import SPLIT

if TYPE_CHECKING:
    from stupidos.page import Page

Counts: TypeAlias = npt.NDArray[np.int64]
Shares: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Acts: TypeAlias = npt.NDArray[np.uint8]
Pieces: TypeAlias = list[str | None]  # text, tag name, attributes, text, ... as SPLIT gives them

FRAGMENT_END = "\0"

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


class Fragments(NamedTuple):
    """The texts between tags, blank ones left out."""

    text: str  # of all of them, each ended by NUL; references resolved
    numbers: Counts  # which token of the page each is
    blocks: Counts  # which block each belongs to, from 0 without gaps
    linked: Flags  # whether it stands inside a link


def pieces(page: Page) -> Pieces:
    """The page as text, tag name, attributes, text, ...: as the renderer left it, or split again."""
    kept: Pieces | None = None
    if page.segments:
        kept = getattr(page.segments[0].offsets, "pieces", None)
    return kept or [*SPLIT.split(page.source), None, None]  # the last text has no tag behind it


def cut(page: Pieces) -> Fragments:
    """The fragments of a whole page, with the block each belongs to.

    >>> fragments = cut(["See ", "a", "", "this", "/a", "", " page.", "p", "", " Next "])
    >>> fragments.blocks, fragments.linked
    (array([0, 0, 0, 1]), array([False,  True, False, False]))
    """
    column = page[0::3]
    acts = acts_of(page[1::3])
    numbers = np.array([at for at, text in enumerate(column) if text and not text.isspace()], dtype=np.int64)
    if (acts >= SKIP).any():
        numbers = numbers[~skipped(acts)[numbers]]
    # Up to each text, which may stand behind the last tag: the block ends, and the latest link tag.
    ended, latest = ends(acts)[numbers], latest_link(acts)[numbers]
    linked = np.concatenate(([False], acts == LINK))[latest]
    return Fragments(joined(column, numbers), numbers, numbered(ended), linked)


def cut_shown(page: Page) -> tuple[Fragments, Counts]:
    """The fragments of a page's segments alone, and which segment each is in.

    A third of the work of cutting all the page, which is most of what Boilerpipe costs. Blocks end with
    their segment; whether a segment begins inside a link, its share of linked characters tells.
    """
    segments, split = page.segments, pieces(page)
    first = np.array([segment.first for segment in segments], dtype=np.int64)
    sizes = np.array([segment.last for segment in segments], dtype=np.int64) - first + 1
    begins = np.cumsum(sizes) - sizes
    segment = np.repeat(np.arange(len(segments)), sizes)  # of each token
    tokens = np.arange(len(segment)) + (first - begins)[segment]
    texts = [split[at] for at in (3 * tokens).tolist()]
    acts = acts_of([split[at] for at in (3 * tokens + 1).tolist()])
    seen = np.array([at for at, text in enumerate(texts) if text and not text.isspace()], dtype=np.int64)
    if (acts >= SKIP).any():
        depth = depths(acts)
        seen = seen[depth[seen] <= depth[begins][segment[seen]]]
    marks = ends(acts)[seen] + segment[seen]  # both never fall, so the sum changes with either
    linked = in_link(acts, begins, segment, page)[seen]
    return Fragments(joined(texts, seen), tokens[seen], numbered(marks), linked), segment[seen]


def in_link(acts: Acts, begins: Counts, segment: Counts, page: Page) -> Flags:
    """Whether the text before each tag stands inside a link, segment by segment."""
    has_link = np.array([segment.link_share for segment in page.segments]) > 0
    tags = np.flatnonzero((acts == LINK) | (acts == LINK_END))
    # Of each segment the first link tag: one that begins a link tells that the segment began outside.
    following = np.append(tags, -1)[np.searchsorted(tags, begins)]
    outside = (acts[following] == LINK) & (segment[following] == np.arange(len(begins)))
    latest = latest_link(acts)[:-1]
    inside = np.where(latest > begins[segment], acts[latest - 1] == LINK, ~outside[segment])
    return inside & has_link[segment]


def acts_of(tags: Pieces) -> Acts:
    """What each tag does."""
    return np.frombuffer(bytes(map(CODES.__getitem__, tags)), np.uint8)


def ends(acts: Acts) -> Counts:
    """Block ends before each tag's text, and before the text behind the last tag."""
    return np.concatenate(([0], np.cumsum((acts == ENDS) | (acts >= SKIP))))


def latest_link(acts: Acts) -> Counts:
    """Number of the latest link tag before each text, from 1; 0 for none."""
    link_tags = np.where((acts == LINK) | (acts == LINK_END), np.arange(1, len(acts) + 1), 0)
    return np.concatenate(([0], np.maximum.accumulate(link_tags)))


def joined(column: Pieces, numbers: Counts) -> str:
    """The texts with these numbers, each ended by NUL, which a rendered source does not hold."""
    texts = [column[at] or "" for at in numbers.tolist()]
    return unescaped(FRAGMENT_END.join(texts) + FRAGMENT_END) if texts else ""


def numbered(marks: Counts) -> Counts:
    """Numbers from 0 for runs of equal marks.

    >>> numbered(np.array([3, 3, 4, 9]))
    array([0, 0, 1, 2])
    """
    return np.cumsum(np.diff(marks, prepend=marks[:1]) != 0)


def skipped(acts: Acts) -> Flags:
    """Whether the text before each tag, and that behind them all, lies inside an unseen element.

    >>> skipped(np.array([SKIP, ENDS, SKIP_END, SKIP_END], dtype=np.uint8))
    array([False,  True,  True, False, False])
    """
    depth = depths(acts)
    return depth > np.minimum.accumulate(depth)  # stray end tags lower the floor


def depths(acts: Acts) -> Counts:
    """Unseen elements open before each tag, and behind them all."""
    return np.concatenate(([0], np.cumsum((acts == SKIP).astype(np.int64) - (acts == SKIP_END))))
