"""The annotated pages of L3S-GN1: Boilerpipe's blocks with the class that people gave their text.

The corpus of Kohlschütter et al. (WSDM 2010), section 4.2; research use only. On an annotated page the
assessed text is in elements of class x-nc-selN; most are spans put there for it, which are read
over, so that the blocks are those of the page as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.literature.boilerpipe_blocks import ENDS, SKIP, TAG_CODES, Blocks, blocks_of
from stupidos.literature.tokens import BoolArray, FloatArray, TokenList, as_one_segment, walk
from stupidos.render.references import unescaped
from stupidos.render.tokens import SPLIT

MARK = re.compile(r"\bx-nc-sel([0-5])\b")
ONLY_MARK = re.compile(r"""\s*class=["']?x-nc-sel[0-5]["']?\s*""")
VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
Classes: TypeAlias = npt.NDArray[np.int64]


class Label(IntEnum):
    """What the assessors saw in a text."""

    BOILERPLATE = 0
    HEADLINE = 1
    FULL_TEXT = 2
    SUPPLEMENTAL = 3
    RELATED = 4
    COMMENTS = 5


# The paper's problems: the class of each label. Its Table 1 counts related content as content.
TWO_CLASSES = (0, 1, 1, 1, 1, 1)
FOUR_CLASSES = (0, 2, 1, 3, 1, 1)  # boilerplate; full text, comments and related; headline; supplemental


class Assessed(NamedTuple):
    """The blocks of one page and the label of each."""

    name: str
    pieces: TokenList
    blocks: Blocks
    numbers: list[list[int]]  # of the tokens that each block consists of
    words: FloatArray  # of each block
    labels: Classes


def read_over(page: TokenList) -> tuple[TokenList, list[int]]:
    """The page without the spans of its assessors, and the label of each text.

    >>> page, labels = read_over(["Go", "span", ' class="x-nc-sel1"', "Rain", "/span", None, "off"])
    >>> page[1::3], labels
    ([None, None], [0, 1, 0])
    """
    page, labels = page[:], []
    open_elements: list[tuple[str, int, bool]] = [
        ("", 0, False)
    ]  # name, label inside, put there by assessors
    for number, _, name, attributes in walk(page):
        labels.append(open_elements[-1][1])
        if name.startswith("/"):
            if closed(open_elements, name[1:]):
                page[3 * number + 1] = None
        elif name and name not in VOID:
            mark = MARK.search(attributes)
            put_there = name == "span" and ONLY_MARK.fullmatch(attributes) is not None
            open_elements.append((name, int(mark[1]) if mark else open_elements[-1][1], put_there))
            if put_there:
                page[3 * number + 1] = None
    return page, labels


def closed(open_elements: list[tuple[str, int, bool]], name: str) -> bool:
    """Close the innermost element of that name, if open; whether the assessors had put it there."""
    for depth in range(len(open_elements) - 1, max(len(open_elements) - 256, 0), -1):
        if open_elements[depth][0] == name:
            put_there = open_elements[depth][2]
            del open_elements[depth:]
            return put_there
    return False


def numbers_of(page: TokenList) -> list[list[int]]:
    """The numbers of the tokens that each block of a page consists of.

    >>> numbers_of(["One ", "a", "", "two", "/a", None, " &nbsp; ", "p", None, "three", None, None])
    [[0, 1], [3]]
    """
    blocks: list[list[int]] = [[]]
    unseen = 0
    for number, text, name, _ in walk(page):
        if text and not unseen and unescaped(text).strip():
            blocks[-1].append(number)
        code = TAG_CODES[name or None]
        if code == ENDS or code >= SKIP:
            blocks.append([])
            unseen = max(unseen + (code == SKIP) - (code > SKIP), 0)
    return [block for block in blocks if block]


def assessed(name: str, source: str) -> Assessed:
    """The blocks of an annotated page; the label of a block is that of most of its words."""
    page, labels = read_over([*SPLIT.split(source), None, None])
    blocks = blocks_of(page, as_one_segment(page))
    numbers = numbers_of(page)
    votes = np.zeros((len(numbers), len(Label)))
    for block, tokens in enumerate(numbers):
        for number in tokens:
            votes[block, labels[number]] += len((page[3 * number] or "").split())
    return Assessed(name, page, blocks, numbers, blocks.words(), votes.argmax(axis=1))


def pages(folder: Path) -> Iterator[Assessed]:
    """The annotated pages of a folder, in the order of their names; those without text left out."""
    from stupidos.decode import decode

    for path in sorted(folder.glob("*.html")):
        page = assessed(path.stem, decode(path.read_bytes())[0])
        if len(page.labels):
            yield page


class WeightedScores(NamedTuple):
    """A row of the paper's Table 2: means over the classes, weighted by their words, as Weka gives them."""

    precision: float
    recall: float
    f: float
    false_positives: float

    def area(self) -> float:
        """Area under the ROC curve of a classifier without degrees, as Weka gives it.

        >>> WeightedScores(0.867, 0.867, 0.867, 0.155).area()  # the paper's: 85.6 %
        0.856
        """
        return (self.recall + 1 - self.false_positives) / 2


def weighted(actual: Classes, predicted: Classes | BoolArray, words: FloatArray) -> WeightedScores:
    """Word-weighted scores of a classification.

    >>> row = weighted(np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0]), np.array([5, 5, 10, 0]))
    >>> [round(score, 3) for score in row]
    [0.833, 0.75, 0.733, 0.25]
    """
    total = words.sum()
    scores = np.zeros(4)
    for label in np.unique(actual):
        is_label, said_label = actual == label, predicted == label
        hits = words[is_label & said_label].sum()
        precision = hits / max(words[said_label].sum(), 1)
        recall = hits / max(words[is_label].sum(), 1)
        f = 2 * precision * recall / max(precision + recall, 1e-12)
        false = words[~is_label & said_label].sum() / max(words[~is_label].sum(), 1)
        scores += words[is_label].sum() / total * np.array([precision, recall, f, false])
    return WeightedScores(*scores.tolist())
