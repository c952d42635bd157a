"""Boilerpipe's atomic text blocks: character data between any tags but links.

After Kohlschütter, Fankhauser and Nejdl, *Boilerplate Detection using Shallow Text Features* (WSDM
2010), sections 3.3, 3.4 and 4.1. A page is cut into fragments, the texts between two tags; fragments
with nothing but link tags between them are one block. After the split, all of it is whole-page numpy.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.render.references import unescaped
from stupidos.render.tokens import SPLIT

if TYPE_CHECKING:
    from stupidos.page import Page

COLUMNS = 80  # w_max of section 3.4
Counts: TypeAlias = npt.NDArray[np.int64]
Shares: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Acts: TypeAlias = npt.NDArray[np.uint8]
Table: TypeAlias = npt.NDArray[np.uint8]
Pieces: TypeAlias = list[str | None]  # text, tag name, attributes, text, ... as SPLIT gives them

FRAGMENT_END = "\0"
NOT_IN_TOKEN, IN_TOKEN, IN_WORD = range(3)  # what a character is; one IN_WORD makes a token a word

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


class Blocks(NamedTuple):
    """The measures of a page's blocks, an array each; the last three are those of its fragments."""

    tokens: Counts  # delimited by white space
    words: Counts  # tokens with a letter or digit
    linked: Counts  # tokens inside links
    lines: Counts  # after wrapping at 80 columns
    full_lines: Counts  # tokens on all lines but the last
    fragment_numbers: Counts
    fragment_blocks: Counts
    fragment_words: Counts

    @property
    def link_density(self) -> Shares:
        """Share of the tokens that stand inside links; 0 for a block without any."""
        return self.linked / np.maximum(self.tokens, 1)

    @property
    def text_density(self) -> Shares:
        """Tokens a line, the last line left out unless it is the only one (equation 1)."""
        return np.where(self.lines > 1, self.full_lines / np.maximum(self.lines - 1, 1), self.tokens)


def pieces(page: Page) -> Pieces:
    """The page as text, tag name, attributes, text, ...: as the renderer left it, or split again."""
    kept: Pieces | None = None
    if page.segments:
        kept = getattr(page.segments[0].offsets, "pieces", None)
    return kept or SPLIT.split(page.source)


def cut(page: Pieces, codes: Codes = CODES) -> Fragments:
    """The fragments of a page, with the block each belongs to.

    >>> fragments = cut(["See ", "a", "", "this", "/a", "", " page.", "p", "", " Next "])
    >>> fragments.blocks, fragments.linked
    (array([0, 0, 0, 1]), array([False,  True, False, False]))
    """
    column, tags = page[0::3], page[1::3]
    # None may stand behind the last tag, where the renderer filled up the last three.
    numbers = np.array([at for at, text in enumerate(column) if text and not text.isspace()], dtype=np.int64)
    acts = np.frombuffer(bytes(map(codes.__getitem__, tags)), np.uint8)
    if (acts >= SKIP).any():
        numbers = numbers[~skipped(acts)[numbers]]
    texts = [column[at] or "" for at in numbers.tolist()]
    text = FRAGMENT_END.join(texts) + FRAGMENT_END if texts else ""  # the renderer's sources hold no NUL
    # Up to each text, which may stand behind the last tag: the block ends, and the latest link tag.
    ended = np.concatenate(([0], np.cumsum((acts == ENDS) | (acts >= SKIP))))[numbers]
    link_tags = np.where((acts == LINK) | (acts == LINK_END), np.arange(1, len(acts) + 1), 0)
    latest = np.concatenate(([0], np.maximum.accumulate(link_tags)))[numbers]
    linked = np.concatenate(([False], acts == LINK))[latest]
    return Fragments(unescaped(text), numbers, numbered(ended), linked)


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
    depth = np.concatenate(([0], np.cumsum((acts == SKIP).astype(np.int64) - (acts == SKIP_END))))
    return depth > np.minimum.accumulate(depth)  # stray end tags lower the floor


@lru_cache(maxsize=1)
def white_space() -> Table:
    """What each character is in the paper: white space separates tokens, words have a letter or digit.

    The last entry stands for all characters beyond it, the letters of rare scripts.
    """
    characters = np.arange(1 << 16, dtype="<u4").view("<U1")
    table = np.where(np.char.isspace(characters), NOT_IN_TOKEN, IN_TOKEN).astype(np.uint8)
    table[np.char.isalnum(characters)] = IN_WORD
    table[0], table[-1] = NOT_IN_TOKEN, IN_WORD
    return table


def measured(fragments: Fragments, table: Table | None = None, *, words_only: bool = False) -> Blocks:
    """The blocks of a page, measured; `words_only` passes over tokens that are no words.

    >>> blocks = measured(cut(["One two - three ", "a", "", "four", "/a", "", "", "p", "", "x"]))
    >>> blocks.tokens, blocks.words, blocks.link_density, blocks.text_density
    (array([5, 1]), array([4, 1]), array([0.2, 0. ]), array([5., 1.]))
    """
    table = white_space() if table is None else table
    codes = np.frombuffer(fragments.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    classes = table.take(codes, mode="clip")
    inside = classes != NOT_IN_TOKEN
    edges = np.flatnonzero(np.diff(inside, prepend=False))
    starts, stops = edges[0::2], edges[1::2]  # the last character of all is a FRAGMENT_END
    is_word = np.maximum.reduceat(classes, starts) == IN_WORD if len(starts) else inside[:0]
    ends = np.flatnonzero(codes == 0)
    lengths = stops - starts
    if table[0] != NOT_IN_TOKEN:  # tokens run on across the ends of fragments, which have no width
        lengths -= np.searchsorted(ends, stops) - np.searchsorted(ends, starts)
        starts, is_word, lengths = starts[lengths > 0], is_word[lengths > 0], lengths[lengths > 0]
    filled = np.diff(np.searchsorted(starts, ends), prepend=0) > 0
    if words_only:
        starts, lengths, is_word = starts[is_word], lengths[is_word], is_word[is_word]
    first = np.concatenate(([0], np.searchsorted(starts, ends)))  # number of each fragment's first token
    words = np.concatenate(([0], np.cumsum(is_word)))
    return counted(fragments, Counted(np.diff(first), np.diff(words[first]), filled), lengths)


class Counted(NamedTuple):
    """What was counted in each fragment."""

    tokens: Counts
    words: Counts
    filled: Flags  # whether there is any token; one of nothing but &nbsp; has none


def counted(fragments: Fragments, count: Counted, lengths: Counts) -> Blocks:
    """Blocks from the counts of their fragments and the lengths of all tokens; empty ones are left out."""
    edges = np.flatnonzero(np.diff(fragments.blocks, prepend=-1))

    def per_block(counts: Counts) -> Counts:
        return np.add.reduceat(counts, edges)[filled] if len(edges) else counts

    filled = np.logical_or.reduceat(count.filled, edges) if len(edges) else count.filled
    tokens = per_block(count.tokens)
    lines, full_lines = wrapped(lengths, tokens)
    return Blocks(
        tokens=tokens,
        words=per_block(count.words),
        linked=per_block(count.tokens * fragments.linked),
        lines=lines,
        full_lines=full_lines,
        fragment_numbers=fragments.numbers,
        fragment_blocks=np.maximum(np.cumsum(filled) - 1, 0)[fragments.blocks],
        fragment_words=count.words,
    )


def wrapped(lengths: Counts, tokens: Counts, columns: int = COLUMNS) -> tuple[Counts, Counts]:
    """Lines of each block after wrapping, and the tokens on all of them but the last.

    `lengths` are those of all tokens of the page, `tokens` says how many belong to each block.

    >>> wrapped(np.array([4, 4, 4, 3]), np.array([3, 1]), columns=9)
    (array([2, 1]), array([2, 0]))
    """
    stops = np.cumsum(tokens)
    starts = stops - tokens
    column = np.concatenate(([0], np.cumsum(lengths + 1)))  # of each token, on one endless line
    lines, last_line = np.minimum(tokens, 1), starts.copy()
    long = np.flatnonzero(column[stops] - column[starts] - 1 > columns)
    endless: list[int] = column.tolist() if long.size else []
    most = columns // 2 + 2  # tokens and their blanks that can fill a line
    for block, at, stop in zip(long.tolist(), starts[long].tolist(), stops[long].tolist(), strict=True):
        count = 1
        while True:
            # First token that ends past the margin; one longer than a line stands alone.
            after = bisect_right(endless, endless[at] + columns + 1, at + 1, min(at + most, stop + 1)) - 1
            after = after if after > at else at + 1
            if after >= stop:
                break
            at, count = after, count + 1
        lines[block], last_line[block] = count, at
    return lines, last_line - starts
