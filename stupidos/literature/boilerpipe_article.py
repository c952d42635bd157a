"""Boilerpipe's heuristics for news: Largest Content Filter and Main Content Filter.

Kohlschütter et al. (WSDM 2010), section 4.3.2, in a few words: the content block with the most words
is taken; text below a clear comments section and above a clear title is removed. What the paper leaves
open is taken from the program its authors published (boilerpipe 1.2, Apache-2.0): which blocks make up
one, which strings open a comments section, what matches the title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from stupidos.literature.boilerpipe import WORD_TREE, FeatureColumns, classify
from stupidos.literature.boilerpipe_blocks import BlockFeatures
from stupidos.literature.tokens import BoolArray, FloatArray, IntArray

_MAX_GAP = 2  # blocks between content blocks of one run: the block before each, and one more
_SHORT_BLOCK_WORDS = 15  # the strings below open a comments section only in shorter blocks
_FULL_TEXT_DENSITY = 9  # minimum text density of full text
_MIN_BLOCK_CHARACTERS = 8  # of a block that opens a comments section
_MIN_FULL_TEXT_WORDS = 60  # before a comments section

# "A block solely containing one out of 11 indicator strings"; the published program has these. In lower case.
_COMMENTS_HEADINGS = re.compile(
    r"^(?:comments|\d+ comments|\d+ users responded in|© reuters|please rate this|post a comment"
    r"|thanks for your comments - this feedback is now closed$)",
    re.MULTILINE,
)
_COMMENTS_PHRASES = (
    "what you think...",
    "add your comment",
    "add comment",
    "reader views",
    "have your say",
    "reader comments",
)
# Separators between the title of a story and the name of the site, the rarest first.
_TITLE_PARTS = tuple(re.compile(rf" *[{signs}] *") for signs in ("|:", "|:()", r"|:()\-", r"|,:()\-"))


def _longest_part(title: str, between: re.Pattern[str]) -> str:
    """The part of a title with the most words or characters, site addresses aside; "" for a whole one.

    >>> _longest_part("News: Rain at last, says Met Office: rain.com", _TITLE_PARTS[0])
    'Rain at last, says Met Office'
    """
    parts = between.split(title)
    best, most = "", 0
    for part in parts if len(parts) > 1 else []:
        words = len(re.findall(r"\w+", part))
        if ".com" not in part and (words > most or len(part) > len(best)):
            best, most = part, words
    return best.strip()


def _possible_titles(title: str) -> frozenset[str]:
    """The title and its longest parts, in lower case.

    >>> sorted(_possible_titles("Rain at last: floods | News"))
    ['rain at last', 'rain at last: floods | news']
    """
    return frozenset(
        part.lower() for part in (title, *(_longest_part(title, between) for between in _TITLE_PARTS)) if part
    )


def _content_runs(kept: BoolArray) -> IntArray:
    """Which run each block belongs to, from 1; 0 for none.

    A run of content takes in the block before it, and bridges one block more.

    >>> _content_runs(np.array([False, False, True, True, False, False, True, False, False, False, True]))
    array([0, 1, 1, 1, 0, 1, 1, 0, 0, 2, 2])
    """
    taken = kept.copy()
    taken[:-1] |= kept[1:]
    places = np.flatnonzero(taken)
    numbers = np.zeros(len(kept), dtype=np.int64)
    numbers[places] = np.cumsum(np.diff(places, prepend=-_MAX_GAP - 1) > _MAX_GAP)
    return numbers


def _above_comments(kept: BoolArray, columns: FeatureColumns, texts: Sequence[str]) -> BoolArray:
    """`kept` without the blocks from the comments section on, if enough full text precedes it."""
    words = columns["words"]
    full_text = np.cumsum(np.where(kept & (columns["text density"] >= _FULL_TEXT_DENSITY), words, 0))
    short = np.flatnonzero((words < _SHORT_BLOCK_WORDS) & (full_text >= _MIN_FULL_TEXT_WORDS)).tolist()
    places = [at for at in short if len(texts[at]) >= _MIN_BLOCK_CHARACTERS]
    line = _comments_line("\n".join([texts[at] for at in places]).lower())
    return np.where(np.arange(len(kept)) < places[line], kept, False) if line >= 0 else kept


def _comments_line(lines: str) -> int:
    """Number of the first line that opens a comments section; -1 if none does.

    >>> _comments_line("rain at last\\n12 comments\\nadd your comment")
    1
    """
    beginning = _COMMENTS_HEADINGS.search(lines)
    places = [beginning.start() if beginning else -1, *map(lines.find, _COMMENTS_PHRASES)]
    first = min((place for place in places if place >= 0), default=-1)
    return lines.count("\n", 0, first) if first >= 0 else -1


def _largest_run(run: IntArray, words: FloatArray) -> int:
    """Number of the first run with the most words; 0 if there are no runs."""
    totals = np.bincount(run, words)
    return int(totals[1:].argmax()) + 1 if len(totals) > 1 else 0


def largest_content(blocks: BlockFeatures, title: str) -> BoolArray:
    """The Largest Content Filter after the word tree."""
    columns = FeatureColumns(blocks)
    run = _content_runs(np.asarray(classify(WORD_TREE, columns), dtype=np.bool_))
    main: BoolArray = (run == _largest_run(run, columns["words"])) & (run > 0)
    return main


def from_title(columns: FeatureColumns, texts: Sequence[str], title: str) -> tuple[BoolArray, list[int]]:
    """All runs from the last one with the title to the largest, as the published program keeps them.

    Also the numbers of the blocks that are the title and stand above the longest block.
    """
    words = columns["words"]
    run = _content_runs(
        _above_comments(np.asarray(classify(WORD_TREE, columns), dtype=np.bool_), columns, texts)
    )
    main = _largest_run(run, words)
    titles = _possible_titles(title)
    candidates = np.flatnonzero((run > 0) & (run <= main)).tolist()
    headlines = [at for at in candidates if texts[at].lower() in titles]
    longest = int(np.where(run == main, words, -1).argmax())
    first = run[headlines[-1]] if headlines else main
    return (run > 0) & (run >= first) & (run <= main), [at for at in headlines if at < longest]


def main_content(blocks: BlockFeatures, title: str) -> BoolArray:
    """The Main Content Filter: the largest run, from the title down to the comments."""
    kept, headlines = from_title(FeatureColumns(blocks), blocks.texts, title)
    if headlines:
        kept[: headlines[-1]] = False
    return kept
