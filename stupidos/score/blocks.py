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
Pieces: TypeAlias = list[str | None]  # text, tag name, attributes, text, ... as SPLIT gives them

# What a tag does to the text around it. Every other tag ends a block.
ENDS, SAYS_NOTHING, LINK, LINK_END, SKIP, SKIP_END = range(6)
SKIPPED = "noscript object applet option svg template iframe".split()  # no reader sees their text


class Codes(dict[str | None, int]):
    """Tag name to code; a spelling not in the table is looked up in lower case, others end a block."""

    def __missing__(self, name: str | None) -> int:
        return self.get(name.lower(), ENDS) if name else SAYS_NOTHING


# Most tags of most pages, so that few names are missing from the table.
COMMON = (
    "p div span li ul ol br img b i em strong u font small table tbody thead tr td th h1 h2 h3 h4 h5 h6 hr form "
    "input label button section article header footer nav main aside meta link path g use figure picture source "
    "dl dt dd time body head html center sup sub code pre"
).split()
CODES = Codes()
for _name, _code in (*((name, ENDS) for name in COMMON), ("a", LINK), *((name, SKIP) for name in SKIPPED)):
    for _spelling in (_name, _name.upper()):
        CODES[_spelling], CODES["/" + _spelling] = _code, _code and _code + 1
CODES[None] = SAYS_NOTHING  # comments, scripts and style sheets


class Fragments(NamedTuple):
    """The texts between tags, blank ones left out."""

    texts: list[str]
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


def cut(tokens: Pieces, codes: Codes = CODES) -> Fragments:
    """The fragments of a page, with the block each belongs to.

    >>> page = ["See ", "a", "", "this", "/a", "", " page.", "p", "", " Next "]
    >>> fragments = cut(page)
    >>> fragments.blocks, fragments.linked
    (array([0, 0, 0, 1]), array([False,  True, False, False]))
    """
    column, tags = tokens[0::3], tokens[1::3]
    numbers = np.array([at for at, text in enumerate(column) if text and not text.isspace()], dtype=np.int64)
    acts = np.fromiter(map(codes.__getitem__, tags), np.int8, len(tags))
    if (acts >= SKIP).any():
        numbers = numbers[~skipped(acts)[numbers]]
    texts = [unescaped(column[at] or "") for at in numbers.tolist()]
    if any(map(str.isspace, texts)):  # nothing but &nbsp;
        numbers = numbers[[not text.isspace() for text in texts]]
        texts = [text for text in texts if not text.isspace()]
    # Up to each text, which may stand behind the last tag: the block ends, and the latest link tag.
    ended = np.concatenate(([0], np.cumsum((acts == ENDS) | (acts >= SKIP))))[numbers]
    link_tags = np.where((acts == LINK) | (acts == LINK_END), np.arange(1, len(acts) + 1), 0)
    latest = np.concatenate(([0], np.maximum.accumulate(link_tags)))[numbers]
    blocks = np.cumsum(np.diff(ended, prepend=ended[:1]) != 0)
    return Fragments(texts, numbers, blocks, np.concatenate(([False], acts == LINK))[latest])


def skipped(acts: npt.NDArray[np.int8]) -> Flags:
    """Whether the text before each tag, and that behind them all, lies inside an unseen element.

    >>> skipped(np.array([SKIP, ENDS, SKIP_END, SKIP_END], dtype=np.int8))
    array([False,  True,  True, False, False])
    """
    depth = np.concatenate(([0], np.cumsum((acts == SKIP).astype(np.int64) - (acts == SKIP_END))))
    return depth > np.minimum.accumulate(depth)  # stray end tags lower the floor


class Spelling(NamedTuple):
    """How text falls into tokens: two tables over the Basic Multilingual Plane."""

    within: Flags  # characters that tokens are made of
    word: Flags  # characters that make a token a word
    words_only: bool = False  # whether other tokens are passed over
    glue: str = " "  # what stands between two fragments


@lru_cache(maxsize=1)
def white_space() -> Spelling:
    """The paper's tokens: what white space separates; words have a letter or digit."""
    characters = np.arange(1 << 16, dtype="<u4").view("<U1")
    return Spelling(~np.char.isspace(characters), np.char.isalnum(characters))


def measured(fragments: Fragments, spelling: Spelling | None = None) -> Blocks:
    """The blocks of a page, measured.

    >>> page = ["One two - three ", "a", "", "four", "/a", "", "", "p", "", "x"]
    >>> blocks = measured(cut(page))
    >>> blocks.tokens, blocks.words, blocks.link_density, blocks.text_density
    (array([5, 1]), array([4, 1]), array([0.2, 0. ]), array([5., 1.]))
    """
    spelling = spelling or white_space()
    codes = code_points(spelling.glue.join(fragments.texts) + " ")
    inside = spelling.within[codes]
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    if inside[0]:
        edges = np.concatenate(([0], edges))
    starts, stops = edges[0::2], edges[1::2]
    letters = np.concatenate(([0], np.cumsum(spelling.word[codes])))
    is_word = letters[stops] > letters[starts]
    if spelling.words_only:
        starts, stops, is_word = starts[is_word], stops[is_word], is_word[is_word]
    words = np.concatenate(([0], np.cumsum(is_word)))
    lengths = np.fromiter(map(len, fragments.texts), np.int64, len(fragments.texts)) + len(spelling.glue)
    # Number of the first token of each fragment, and one more: a token belongs where it starts.
    first = np.searchsorted(starts, np.concatenate(([0], np.cumsum(lengths))))
    return counted(fragments, np.diff(first), np.diff(words[first]), stops - starts)


def code_points(text: str) -> npt.NDArray[np.uint32]:
    """Code points of `text`; those beyond the tables count as letters."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return codes if codes.max() < 1 << 16 else np.where(codes < 1 << 16, codes, ord("a"))


def counted(fragments: Fragments, tokens: Counts, words: Counts, lengths: Counts) -> Blocks:
    """Blocks from the tokens and words of each fragment and the lengths of all tokens."""
    edges = np.flatnonzero(np.diff(fragments.blocks, prepend=-1))

    def per_block(counts: Counts) -> Counts:
        return np.add.reduceat(counts, edges) if len(edges) else counts

    all_tokens = per_block(tokens)
    lines, full_lines = wrapped(lengths, all_tokens)
    return Blocks(
        tokens=all_tokens,
        words=per_block(words),
        linked=per_block(tokens * fragments.linked),
        lines=lines,
        full_lines=full_lines,
        fragment_numbers=fragments.numbers,
        fragment_blocks=fragments.blocks,
        fragment_words=words,
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
    for block in long.tolist():
        at, stop, count = int(starts[block]), int(stops[block]), 1
        while True:
            # First token that ends past the margin; one longer than a line stands alone.
            after = max(bisect_right(endless, endless[at] + columns + 1, at) - 1, at + 1)
            if after >= stop:
                break
            at, count = after, count + 1
        lines[block], last_line[block] = count, at
    return lines, last_line - starts
