"""Label the target nodes of a page by its gold text.

Bauer et al. (FIASCO, 2007), section 5.1: every paragraph of the gold text is looked for among the
subtrees of the page by the Dice coefficient of their words. A subtree that is like it is clean, and so
are the target nodes inside it and those of whose text more than half is in clean subtrees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stupidos.lab.align import words
from stupidos.literature.fiasco_features import TargetNodes
from stupidos.literature.fiasco_nodes import DomTree
from stupidos.literature.tokens import BoolArray
from stupidos.page import Segment

_MIN_DICE = 0.7  # minimum Dice coefficient of a subtree and a paragraph of the gold text
_MAX_NODES_PER_WORD = (
    40  # nodes that may contain a word; a more frequent word does not help to find a paragraph
)
_MAX_PARAGRAPH_WORDS = 3000  # of a subtree that could be one paragraph


class _AlignedTargets(NamedTuple):
    """The label of each target, and the coverage of the gold text."""

    clean: BoolArray
    found: float  # share of the gold paragraphs that have a node


def _subtree_bags(page: DomTree) -> list[Counter[str] | None]:
    """The words below each node; None for a node with too many for one paragraph."""
    bags: list[Counter[str] | None] = [Counter() for _ in page.tags]
    for text in page.texts:
        bag = bags[text.node]
        if bag is not None:
            bag.update(words(text.text))
    for node in range(len(page.tags) - 1, 0, -1):
        bag, above = bags[node], bags[page.parents[node]]
        if bag is None or above is None or above.total() + bag.total() > _MAX_PARAGRAPH_WORDS:
            bags[page.parents[node]] = None
        else:
            above.update(bag)
    return bags


def _dice(one: Counter[str], other: Counter[str]) -> float:
    """Dice coefficient of two bags of words.

    >>> _dice(Counter("aab"), Counter("abc"))
    0.6666666666666666
    """
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def _gold_nodes(page: DomTree, gold: Sequence[Segment]) -> tuple[set[int], float]:
    """Nodes that are a paragraph of the gold text, and the share of paragraphs that have one."""
    bags = _subtree_bags(page)
    holders: dict[str, list[int]] = {}
    for node, bag in enumerate(bags):
        for word in bag or ():
            holders.setdefault(word, []).append(node)
    matched: set[int] = set()
    last, missed = 0, 0
    paragraphs = [bag for bag in (Counter(words(segment.text)) for segment in gold) if bag]
    for paragraph in paragraphs:
        likeness = {
            node: _dice(paragraph, bags[node] or Counter()) for node in _candidates(paragraph, holders)
        }
        alike = max(likeness.values(), default=0.0)
        if alike < _MIN_DICE:
            missed += 1
            continue
        last = _next_free([node for node in likeness if likeness[node] == alike], matched, last)
        matched.add(last)
    return matched, 1 - missed / max(len(paragraphs), 1)


def _next_free(nodes: Sequence[int], taken: set[int], last: int) -> int:
    """The next unused one of equally good nodes: "Yes." may occur more than once on a page.

    >>> _next_free([3, 8, 9], {3, 8}, 8)
    9
    """
    return max(nodes, key=lambda node: (node not in taken, node > last, -abs(node - last)))


def _candidates(paragraph: Counter[str], holders: dict[str, list[int]]) -> set[int]:
    """Nodes that share the rarer words of a paragraph."""
    rare = sorted((word for word in paragraph if word in holders), key=lambda word: len(holders[word]))
    nodes: set[int] = set()
    for word in rare[:5]:
        if len(holders[word]) <= _MAX_NODES_PER_WORD or not nodes:
            nodes.update(holders[word][: 10 * _MAX_NODES_PER_WORD])
    return nodes


def align_targets(nodes: TargetNodes, gold: Sequence[Segment]) -> _AlignedTargets:
    """Label the target nodes that contain the gold text.

    >>> from stupidos.render import read
    >>> from stupidos.literature.fiasco_features import target_nodes
    >>> page = read("<p><a href=/>Home</a><div><p>Tea is hot.<p>Or it is not.</div>")
    >>> align_targets(target_nodes(page), [Segment("Tea is hot."), Segment("Or it is not.")])
    _AlignedTargets(clean=array([False,  True,  True]), found=1.0)
    """
    page = nodes.tree
    clean, share_found = _gold_nodes(page, gold)
    inside = np.zeros(len(page.tags), dtype=np.bool_)
    for node in range(len(page.tags)):
        inside[node] = node in clean or (node > 0 and inside[page.parents[node]])
    share = np.zeros((len(nodes.targets), 2))  # characters outside and inside clean subtrees
    for text, row in zip(page.texts, nodes.text_target.tolist(), strict=True):
        if row >= 0:
            share[row, int(inside[text.node])] += len(text.text)
    return _AlignedTargets(share[:, 1] > share[:, 0], share_found)
