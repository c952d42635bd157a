"""The measures of Boilerpipe's blocks: words, links, and text density.

Kohlschütter et al. (WSDM 2010), sections 3.3 and 3.4: words have a letter or digit, link density is the
share of tokens inside links, text density the number of tokens a line when the block is wrapped at 80
columns, its last line left out. All blocks of a page are measured at once.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.score.blocks import Counts, Flags, Fragments, Shares

COLUMNS = 80  # w_max of section 3.4
NOT_IN_TOKEN, IN_TOKEN, IN_WORD = range(3)  # what a character is; one IN_WORD makes a token a word
Table: TypeAlias = npt.NDArray[np.uint8]


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


def words(classes: Table, starts: Counts, stops: Counts) -> Flags:
    """Whether each token has a character of a word; nearly all do at one end."""
    found = (classes[starts] == IN_WORD) | (classes[stops - 1] == IN_WORD)
    for at in np.flatnonzero(~found).tolist():
        found[at] = (classes[starts[at] : stops[at]] == IN_WORD).any()
    return found


def measured(fragments: Fragments, table: Table | None = None, *, words_only: bool = False) -> Blocks:
    """The blocks of a page, measured; `words_only` passes over tokens that are no words.

    >>> blocks = measured(cut(["One two - three ", "a", "", "four", "/a", "", "", "p", "", "x"]))
    >>> blocks.tokens, blocks.words, blocks.link_density, blocks.text_density
    (array([5, 1]), array([4, 1]), array([0.2, 0. ]), array([5., 1.]))
    """
    table = white_space() if table is None else table
    codes = np.frombuffer(fragments.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    classes = table.take(codes, mode="clip")
    inside = np.zeros(len(classes) + 1, dtype=np.bool_)
    np.not_equal(classes, NOT_IN_TOKEN, out=inside[1:])
    edges = np.flatnonzero(inside[1:] != inside[:-1])
    starts, stops = edges[0::2], edges[1::2]  # the last character of all is in no token
    is_word = words(classes, starts, stops)
    ends = np.flatnonzero(codes == 0)
    lengths = stops - starts
    if table[0] != NOT_IN_TOKEN:  # tokens run on across the ends of fragments, which have no width
        lengths -= np.searchsorted(ends, stops) - np.searchsorted(ends, starts)
        starts, is_word, lengths = starts[lengths > 0], is_word[lengths > 0], lengths[lengths > 0]
    first = np.append(0, np.searchsorted(starts, ends))  # number of each fragment's first token
    filled = first[1:] > first[:-1]
    if words_only:
        starts, lengths, is_word = starts[is_word], lengths[is_word], is_word[is_word]
        first = np.append(0, np.searchsorted(starts, ends))
    count = np.append(0, np.cumsum(is_word))[first]
    return counted(fragments, Counted(np.diff(first), np.diff(count), filled), lengths)


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
    # Behind the last token there is room for the search to run on.
    endless: list[int] = [*column.tolist(), *[1 << 62] * columns] if long.size else []
    most = columns // 2 + 2  # tokens that a line can hold, each with a blank, and one more
    for block, at, stop in zip(long.tolist(), starts[long].tolist(), stops[long].tolist(), strict=True):
        count = 1
        while True:
            # First token that ends past the margin; one longer than a line stands alone.
            after = bisect_right(endless, endless[at] + columns + 1, at + 1, at + most) - 1
            if after <= at:
                after = at + 1
            if after >= stop:
                break
            at, count = after, count + 1
        lines[block], last_line[block] = count, at
    return lines, last_line - starts
