"""Boilerpipe: decision trees on the link density and length of a block and its neighbours.

Christian Kohlschütter, Peter Fankhauser, Wolfgang Nejdl: *Boilerplate Detection using Shallow Text
Features*, WSDM 2010. Every number is from there: the trees from Algorithms 1 and 2, the rules of one
feature from Table 2 and section 4.3.2.

    >>> from stupidos.render import read
    >>> paragraph = "All of this is one long paragraph that says something. " * 4
    >>> page = read(f"<p>{paragraph}<p><a href=/>Home</a>")
    >>> density().score(page)
    array([ 1., -1.])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import nextafter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from stupidos.literature.boilerpipe_blocks import BlockFeatures, blocks_of
from stupidos.literature.tokens import BoolArray, FloatArray, pieces
from stupidos.score.scorer import DecisionRule, Scorer, Scores

if TYPE_CHECKING:
    from stupidos.page import Page

_MAX_LINK_DENSITY = 0.333333  # link density of a block, both trees
_MAX_PREVIOUS_LINK_DENSITY = 0.555556  # link density of the block before, both trees


class _Split(NamedTuple):
    """A question of a decision tree: is the feature at most the threshold?"""

    feature: str
    threshold: float
    at_most: _Split | bool  # a further question, or whether the block is content
    above: _Split | bool


# Algorithm 1, "Densitometric Classifier".
DENSITY_TREE = _Split(
    "link density", _MAX_LINK_DENSITY,
    at_most=_Split(
        "previous link density", _MAX_PREVIOUS_LINK_DENSITY,
        at_most=_Split(
            "text density", 9,
            at_most=_Split(
                "next text density", 10,
                at_most=_Split("previous text density", 4, at_most=False, above=True),
                above=True,
            ),
            above=_Split("next text density", 0, at_most=False, above=True),
        ),
        above=_Split("next text density", 11, at_most=False, above=True),
    ),
    above=False,
)  # fmt: skip

# Algorithm 2, "Classifier based on Number of Words".
WORD_TREE = _Split(
    "link density", _MAX_LINK_DENSITY,
    at_most=_Split(
        "previous link density", _MAX_PREVIOUS_LINK_DENSITY,
        at_most=_Split(
            "words", 16,
            at_most=_Split(
                "next words", 15,
                at_most=_Split("previous words", 4, at_most=False, above=True),
                above=True,
            ),
            above=True,
        ),
        above=_Split(
            "words", 40,
            at_most=_Split("next words", 17, at_most=False, above=True),
            above=True,
        ),
    ),
    above=False,
)  # fmt: skip

# Single-feature rules: Table 2, except "at least 10 words" (section 4.3.2).
ONE_FEATURE = {
    "at least 10 words": _Split("words", 9, at_most=False, above=True),
    "words @15": _Split("words", 15, at_most=False, above=True),
    "link density @0.33": _Split("link density", 0.33, at_most=True, above=False),
    "text density @10.5": _Split("text density", 10.5, at_most=False, above=True),
}

# "Accept all blocks that have a minimum text density of 7 and a maximum link density of 0.35": section 4.3.2,
# the rule that was trained on CleanEval.
_CLEANEVAL_RULE = _Split(
    "link density", 0.35,
    at_most=_Split("text density", nextafter(7, 0), at_most=False, above=True),
    above=False,
)  # fmt: skip

_FeatureTable: TypeAlias = Mapping[str, FloatArray]
# The measured blocks of a page and its title -> which blocks are content
BlockClassifier: TypeAlias = Callable[[Any, str], BoolArray]


def shifted(column: FloatArray, by: int) -> FloatArray:
    """A column shifted by `by` blocks, padded with 0.

    >>> shifted(np.array([1.0, 2.0, 3.0]), 1), shifted(np.array([1.0, 2.0, 3.0]), -1)
    (array([0., 1., 2.]), array([2., 3., 0.]))
    """
    moved = np.zeros(len(column))
    if by > 0:
        moved[by:] = column[:-by]
    else:
        moved[:by] = column[-by:]
    return moved


class FeatureColumns(dict[str, FloatArray]):
    """The features of a page's blocks, computed on first use.

    A name with "previous" or "next" before it is that of the block before or after.
    """

    def __init__(self, blocks: BlockFeatures) -> None:
        super().__init__()
        self.blocks = blocks

    def __missing__(self, name: str) -> FloatArray:
        where, _, rest = name.partition(" ")
        if where in _NEIGHBOUR_SHIFTS:
            column = shifted(self[rest], _NEIGHBOUR_SHIFTS[where])
        else:
            column = _BLOCK_FEATURES[name](self.blocks)
        self[name] = column
        return column


_NEIGHBOUR_SHIFTS = {"previous": 1, "next": -1}
_BLOCK_FEATURES: dict[str, Callable[[BlockFeatures], FloatArray]] = {
    "link density": lambda blocks: blocks.link_density(),
    "text density": lambda blocks: blocks.text_density(),
    "words": lambda blocks: blocks.words(),
}


def classify(tree: _Split | bool, columns: _FeatureTable) -> BoolArray | bool:
    """Evaluate a decision tree for all blocks at once.

    >>> classify(ONE_FEATURE["at least 10 words"], {"words": np.array([9, 10])})
    array([False,  True])
    """
    if isinstance(tree, bool):
        return tree
    at_most = columns[tree.feature] <= tree.threshold
    return np.where(at_most, classify(tree.at_most, columns), classify(tree.above, columns))


def tree_classifier(tree: _Split) -> BlockClassifier:
    """A classifier that is one decision tree."""

    def content_blocks(blocks: BlockFeatures, title: str) -> BoolArray:
        return np.asarray(classify(tree, FeatureColumns(blocks)), dtype=np.bool_)

    return content_blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteratureScorer:
    """Common settings of these scorers: they need HTML and decide at zero, without rules."""

    decision: DecisionRule = "zero"
    rules: bool = False
    markup: bool = True
    hidden: bool = False
    pieces: bool = True  # the renderer keeps its tokens, which are walked again
    header: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Boilerpipe(LiteratureScorer):
    """A Scorer on Boilerpipe's blocks: 1 for a segment with more content than boilerplate tokens, else -1."""

    name: str
    classifier: BlockClassifier
    reading: str = "paper"  # or "tool": see training/boilerpipe_tool.py

    @property
    def signature(self) -> str:
        return f"model:{self.name}|blocks:{self.reading}"

    def score(self, page: Page) -> Scores:
        blocks = blocks_of(pieces(page), page.segments)
        if not len(blocks.tokens):
            return np.full(len(page.segments), -1.0)
        votes = np.where(self.classifier(blocks, page.title), blocks.tokens, -blocks.tokens)
        return np.where(np.bincount(blocks.segments, votes, minlength=len(page.segments)) > 0, 1.0, -1.0)


def density() -> Scorer:
    """Algorithm 1, the tree of text and link densities."""
    return Boilerpipe("boilerpipe", tree_classifier(DENSITY_TREE))


def words() -> Scorer:
    """Algorithm 2, the tree of word counts and link densities."""
    return Boilerpipe("boilerpipe-words", tree_classifier(WORD_TREE))


def cleaneval_rule() -> Scorer:
    """The rule trained on CleanEval: text density at least 7, link density at most 0.35."""
    return Boilerpipe("boilerpipe-cleaneval", tree_classifier(_CLEANEVAL_RULE))


def one_rule() -> Scorer:
    """Weka's 1R over all features: text density above 10.5."""
    return Boilerpipe("boilerpipe-1r", tree_classifier(ONE_FEATURE["text density @10.5"]))


def ten_words() -> Scorer:
    """Blocks with at least ten words."""
    return Boilerpipe("boilerpipe-10-words", tree_classifier(ONE_FEATURE["at least 10 words"]))


def largest() -> Scorer:
    """Algorithm 2 and the Largest Content Filter."""
    from stupidos.literature.boilerpipe_article import largest_content

    return Boilerpipe("boilerpipe-largest", largest_content)


def article() -> Scorer:
    """Algorithm 2 and the heuristics for news: Largest and Main Content Filter."""
    from stupidos.literature.boilerpipe_article import main_content

    return Boilerpipe("boilerpipe-article", main_content)
