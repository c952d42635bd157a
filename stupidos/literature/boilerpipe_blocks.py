"""Boilerpipe's atomic text blocks and their features.

After Kohlschütter, Fankhauser and Nejdl, *Boilerplate Detection using Shallow Text Features* (WSDM
2010), sections 3.3, 3.4 and 4.1. A block is character data between any tags but links. Words have a
letter or digit; link density is the share of tokens inside links; text density the number of tokens a
line when the block is wrapped at 80 columns, its last line left out.

Plain loops: a page has a few hundred blocks, and sixty calls of numpy cost more than they save.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from stupidos.literature.tokens import FloatArray, IntArray, TokenList
from stupidos.page import Segment
from stupidos.render.references import unescaped

_WRAP_COLUMNS = 80  # w_max of section 3.4
_PUNCTUATION_TOKEN = re.compile(r" (?:[^\w \n]|_)+(?= )")  # a token without letters or digits
_TEXT_SEPARATOR = " \n "  # joins texts, so that one search finds the tokens of all

# What a tag does to the text around it. Every other tag ends a block.
ENDS, _NO_EFFECT, _LINK, _LINK_END, SKIP, _SKIP_END = range(6)
_SKIPPED_TAGS = "noscript object applet option svg template iframe".split()  # their text is not displayed
# Frequent tags, so that few lookups miss the table.
_COMMON_TAGS = (
    "p div span li ul ol br img b i em strong u font small table tbody thead tr td th h1 h2 h3 h4 h5 h6 hr "
    "form input label button section article header footer nav main aside meta link path g use figure "
    "picture source dl dt dd time body head html center sup sub code pre"
).split()


class _TagCodes(dict[str | None, int]):
    """Tag name to code; a spelling not in the table is looked up in lower case, others end a block."""

    def __missing__(self, name: str | None) -> int:
        return self.get(name.lower(), ENDS) if name else _NO_EFFECT


TAG_CODES = _TagCodes({None: _NO_EFFECT})  # None: comments, scripts and style sheets
for _name, _code in (
    *((name, ENDS) for name in _COMMON_TAGS),
    ("a", _LINK),
    *((name, SKIP) for name in _SKIPPED_TAGS),
):
    for _spelling in (_name, _name.upper()):
        TAG_CODES[_spelling], TAG_CODES["/" + _spelling] = _code, _code and _code + 1


_KNOWN_CODES = dict(TAG_CODES)  # a plain dict, which is twice as fast
_KNOWN_CODES[""] = ENDS  # after the last text of a segment
_INLINE_TAGS = frozenset(
    name for name, code in _KNOWN_CODES.items() if code in (_NO_EFFECT, _LINK, _LINK_END)
)


class BlockFeatures(Protocol):
    """The features of blocks that the decision trees use."""

    @property
    def texts(self) -> Sequence[str]: ...

    @property
    def tokens(self) -> FloatArray: ...

    def words(self) -> FloatArray: ...

    def link_density(self) -> FloatArray: ...

    def text_density(self) -> FloatArray: ...


class Blocks(NamedTuple):
    """The blocks of a page, one column per feature."""

    texts: Sequence[str]  # white space squeezed
    segments: IntArray  # number of the segment that each is in
    tokens: FloatArray  # delimited by white space
    linked: FloatArray  # tokens inside links

    def words(self) -> FloatArray:
        """Tokens of each block with a letter or digit."""
        ends = np.cumsum([len(text) + len(_TEXT_SEPARATOR) for text in self.texts], dtype=np.int64)
        signs = [
            token.start() for token in _PUNCTUATION_TOKEN.finditer(f" {_TEXT_SEPARATOR.join(self.texts)} ")
        ]
        return self.tokens - np.bincount(np.searchsorted(ends, signs, side="right"), minlength=len(ends))

    def link_density(self) -> FloatArray:
        """Share of the tokens of each block inside links."""
        return self.linked / self.tokens

    def text_density(self) -> FloatArray:
        """Tokens per line, without the last line unless it is the only one (equation 1)."""
        density = self.tokens.tolist()
        for at, text in enumerate(self.texts):
            if len(text) > _WRAP_COLUMNS:
                lines, start = _full_lines(text)
                if lines:
                    density[at] = (density[at] - 1 - text.count(" ", start)) / lines
        return np.array(density, dtype=np.float64)


def blocks_of(split: TokenList, segments: Sequence[Segment]) -> Blocks:
    """The blocks of some segments of a page; no block spans two segments.

    Most segments are one block, whose text the renderer has squeezed already; only the others are cut.

    >>> page = ["See ", "a", "", "this", "/a", "", " page.", "p", "", " Next ", None, None]
    >>> from stupidos.literature.tokens import as_one_segment
    >>> blocks = blocks_of(page, as_one_segment(page))
    >>> blocks.texts, blocks.link_density(), blocks.text_density()
    (['See this page.', 'Next'], array([0.33333333, 0.        ]), array([3., 1.]))
    """
    words, names = split[0::3], split[1::3]
    texts = [segment[0] for segment in segments]
    tokens = [text.count(" ") + 1 for text in texts]
    linked = [count if segment[3] else 0 for segment, count in zip(segments, tokens)]
    columns: tuple[list[str], list[int], list[int], list[int]] = ([], [], [], [])
    done = 0
    for at, first, last in _segments_of_several_texts(words, segments):
        text, share, inside = texts[at], segments[at][3], names[first:last]
        is_one = text and _INLINE_TAGS.issuperset(inside) and "\n" not in text
        if is_one and not 0 < share < 1:
            continue
        link = 0 < share < 1 and _link_ends_first(inside) and _in_link(split, first)
        pieces, counts, links = _split_at_tags(
            words[first : last + 1], inside, link or share == 1, share == 1
        )
        if is_one:
            linked[at] = sum(links)
            continue
        if text and not share:
            links = [0] * len(pieces)  # <a name=x> is not a link
        columns[0].extend(texts[done:at] + pieces)
        columns[1].extend(tokens[done:at] + counts)
        columns[2].extend(linked[done:at] + links)
        columns[3].extend([*range(done, at), *[at] * len(pieces)])
        done = at + 1
    return Blocks(
        columns[0] + texts[done:],
        np.array([*columns[3], *range(done, len(texts))], dtype=np.int64),
        np.array(columns[1] + tokens[done:], dtype=np.float64),
        np.array(columns[2] + linked[done:], dtype=np.float64),
    )


def _segments_of_several_texts(words: TokenList, segments: Sequence[Segment]) -> list[tuple[int, int, int]]:
    """Segments with more than one text, or preformatted: number, first and last token with text."""
    ranges = []
    at, size = -1, len(words)
    for text, _, _, _, _, first, last, _ in segments:
        at += 1
        if first != last < size and words[first] != text:
            while last > first and (not (behind := words[last]) or behind.isspace()):
                last -= 1  # tags after the last text end nothing
            if first != last:
                ranges.append((at, first, last))
                continue
        if not text or "\n" in text:
            ranges.append((at, first, last))
    return ranges


def _split_at_tags(
    words: TokenList, names: TokenList, link: bool, always: bool
) -> tuple[list[str], list[int], list[int]]:
    """The texts of the blocks in a segment, their tokens, and how many of these are inside links.

    `names` are those of the tags between the words, `link` tells whether a link is open before the first,
    `always` whether all of them are inside links.
    """
    texts: list[str] = []
    tokens: list[int] = []
    linked: list[int] = []
    block: list[str] = []
    inside, unseen, known = 0, 0, _KNOWN_CODES.get
    for text, name in zip(words, [*names, ""]):
        if text and not unseen:
            if "&" in text:
                text = text.replace("&nbsp;", " ")  # most of them, and a blank here
                if "&" in text:
                    text = unescaped(text)
            tokens_here = text.split()
            if tokens_here:
                block += tokens_here
                if link:
                    inside += len(tokens_here)
        code = known(name)
        if code is None:
            code = TAG_CODES[name]
        if ENDS < code < SKIP:
            if code != _NO_EFFECT:
                link = always or code == _LINK
            continue
        if block:
            texts.append(" ".join(block))
            tokens.append(len(block))
            linked.append(inside)
            block, inside = [], 0
        if code:
            unseen = max(unseen + (1 if code == SKIP else -1), 0)
    return texts, tokens, linked


def _link_ends_first(names: TokenList) -> bool:
    """Whether the first link tag among these is an end tag."""
    codes = map(TAG_CODES.__getitem__, names)
    return next((code for code in codes if code in (_LINK, _LINK_END)), _LINK) == _LINK_END


def _in_link(split: TokenList, number: int) -> bool:
    """Whether a token is inside a link with href, by the nearest link tag before it.

    >>> _in_link(["", "a", " href=x", "", "b", "", "Tea", "/b", ""], 2)
    True
    >>> _in_link(["", "a", " id=x", "Tea"], 1)
    False
    """
    for at in range(3 * number - 2, 0, -3):
        code = TAG_CODES[split[at]]
        if code in (_LINK, _LINK_END):
            return code == _LINK and "href" in (split[at + 1] or "").lower()
    return False


def _full_lines(text: str, columns: int = _WRAP_COLUMNS) -> tuple[int, int]:
    """Number of full lines of a wrapped text, and the offset of the last line.

    >>> _full_lines("four five 6 seven", columns=9), _full_lines("four five", columns=9)
    ((1, 10), (0, 0))
    """
    start, lines, last, blank_before = 0, 0, len(text) - columns, text.rfind
    while start < last:
        blank = blank_before(" ", start, start + columns + 1)
        if blank < 0:  # a word longer than the line has a line of its own
            blank = text.find(" ", start)
            if blank < 0:
                break
        start, lines = blank + 1, lines + 1
    return lines, start


def wrapped_lines(text: str, columns: int = _WRAP_COLUMNS) -> tuple[int, int]:
    """Lines that count for the text density, and the tokens on them.

    >>> wrapped_lines("four five 6 seven", columns=9), wrapped_lines("four five", columns=9)
    ((1, 2), (1, 2))
    """
    lines, start = _full_lines(text, columns)
    return (lines, text.count(" ", 0, start)) if lines else (1, text.count(" ") + 1)
