"""Boilerpipe: two decision trees over the links and the length of a block and its neighbours.

Christian Kohlschütter, Peter Fankhauser, Wolfgang Nejdl: *Boilerplate Detection using Shallow Text
Features*, WSDM 2010. Every number is from there: the trees from Algorithms 1 and 2, the rules of one
feature from Table 2 and section 4.3.2.

    >>> from stupidos.render import read
    >>> page = read("<p>" + "All of this is one long paragraph that says something. " * 4 + "<p>The end.")
    >>> density().score(page)
    array([ 1., -1.])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from stupidos.score.blocks import Blocks, Flags, Shares, cut, measured, pieces
from stupidos.score.scorer import Decision, Scorer, Scores

if TYPE_CHECKING:
    from stupidos.page import Page

MOSTLY_LINKS = 0.333333  # link density of a block, both trees
AFTER_LINKS = 0.555556  # link density of the block before, both trees


class Split(NamedTuple):
    """A question of a decision tree: is the feature at most the threshold?"""

    feature: str
    threshold: float
    at_most: Split | bool  # the answer is a further question or, in the end, content
    above: Split | bool


# Algorithm 1, "Densitometric Classifier".
DENSITY_TREE = Split(
    "link density", MOSTLY_LINKS,
    at_most=Split(
        "previous link density", AFTER_LINKS,
        at_most=Split(
            "text density", 9,
            at_most=Split(
                "next text density", 10,
                at_most=Split("previous text density", 4, at_most=False, above=True),
                above=True,
            ),
            above=Split("next text density", 0, at_most=False, above=True),
        ),
        above=Split("next text density", 11, at_most=False, above=True),
    ),
    above=False,
)  # fmt: skip

# Algorithm 2, "Classifier based on Number of Words".
WORD_TREE = Split(
    "link density", MOSTLY_LINKS,
    at_most=Split(
        "previous link density", AFTER_LINKS,
        at_most=Split(
            "words", 16,
            at_most=Split(
                "next words", 15,
                at_most=Split("previous words", 4, at_most=False, above=True),
                above=True,
            ),
            above=True,
        ),
        above=Split(
            "words", 40,
            at_most=Split("next words", 17, at_most=False, above=True),
            above=True,
        ),
    ),
    above=False,
)  # fmt: skip

# Rules of one feature. Table 2, but for "at least 10 words" (section 4.3.2).
ONE_FEATURE = {
    "at least 10 words": Split("words", 9, at_most=False, above=True),
    "words @15": Split("words", 15, at_most=False, above=True),
    "link density @0.33": Split("link density", 0.33, at_most=True, above=False),
    "text density @10.5": Split("text density", 10.5, at_most=False, above=True),
}

Features: TypeAlias = Mapping[str, Shares]


def features(blocks: Blocks) -> Features:
    """The columns the trees ask for: those of a block, of the one before it and of the one behind it.

    A block that is not there has no words and no links.
    """
    own = {
        "link density": blocks.link_density,
        "text density": blocks.text_density,
        "words": blocks.words.astype(np.float64),
    }
    before = {f"previous {name}": np.concatenate(([0.0], column[:-1])) for name, column in own.items()}
    behind = {f"next {name}": np.concatenate((column[1:], [0.0])) for name, column in own.items()}
    return {**own, **before, **behind} if len(blocks.words) else {**own, **before, **behind}


def content(tree: Split | bool, columns: Features) -> Flags:
    """What a tree takes for content, block by block.

    >>> columns = {"words": np.array([9.0, 10.0])}
    >>> content(ONE_FEATURE["at least 10 words"], columns)
    array([False,  True])
    """
    if isinstance(tree, bool):
        return np.full(len(next(iter(columns.values()))), tree)
    at_most = columns[tree.feature] <= tree.threshold
    return np.where(at_most, content(tree.at_most, columns), content(tree.above, columns))
