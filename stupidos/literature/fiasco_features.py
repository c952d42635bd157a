"""FIASCO's features of a target node: its words, its tags and, if a browser laid out the page, its shape.

Bauer et al. (2007), sections 3.1 to 3.3; the part-of-speech features, which did harm there, are optional.
Lengths and counts are taken as logarithms, or a few long nodes would leave the others no room between
-1 and 1.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from stupidos.literature.fiasco_nodes import DomTree, dom_tree, enclosing_target, target_flags
from stupidos.literature.fiasco_regions import Box, Boxes, text_lines, visual_features
from stupidos.literature.tokens import BoolArray, FloatArray, IntArray, pieces
from stupidos.page import Page

_LINGUISTIC = (
    "length",
    "length of own text",
    "words",
    "types",
    "sentences",
    "sentence length",
    "clean keywords",
    "dirty keywords",
    "symbols",
)
# "Clean nodes are often contained in paragraph, heading, or list elements": the node or one above it.
_CONTAINERS = {
    "in a list item": frozenset(("li", "dt", "dd")),
    "in a paragraph": frozenset(("p",)),
    "in a cell": frozenset(("td",)),
    "in a link": frozenset(("a",)),
}
# "Tag densities in the subtree"; the paper gives some of its tags as examples and does not list the others.
_DENSITY_TAGS = ("li", "td", "table", "b", "i", "font", "span", "div", "p")
_STRUCTURAL = (
    *("depth", "heading", "paragraph", "share of a", "share of href", "share of img"),
    *_CONTAINERS,
    *(f"share of {tag}" for tag in _DENSITY_TAGS),
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
NODE_FEATURES = (*_LINGUISTIC, *_STRUCTURAL)

WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?]+(?=\s|$)")
_SYMBOL = re.compile(r"[^\w\s.,]")


class TargetNodes(NamedTuple):
    """The target nodes of a page and the texts in them."""

    tree: DomTree
    targets: IntArray  # nodes, in document order
    text_target: IntArray  # row of the target that each text lies in; -1 for none

    def texts(self) -> list[str]:
        """The text below each target."""
        parts: list[list[str]] = [[] for _ in self.targets]
        for text, row in zip(self.tree.texts, self.text_target.tolist(), strict=True):
            if row >= 0:
                parts[row].append(text.text)
        return [" ".join(part) for part in parts]


def target_nodes(page: Page) -> TargetNodes:
    """The target nodes of a page."""
    nodes = dom_tree(pieces(page))
    is_target = target_flags(nodes)
    rows = np.flatnonzero(is_target)
    row_of = np.full(len(is_target) + 1, -1, dtype=np.int64)  # the last entry stands for "no target"
    row_of[rows] = np.arange(len(rows))
    holder = enclosing_target(nodes, is_target)
    text_nodes = np.array([text.node for text in nodes.texts], dtype=np.int64)
    return TargetNodes(nodes, rows, row_of[holder[text_nodes]])


class Keywords(NamedTuple):
    """Words typical of clean and of dirty text."""

    clean: frozenset[str]
    dirty: frozenset[str]


def _linguistic_features(text: str, keywords: Keywords) -> tuple[float, ...]:
    """The features of a node's text, except the length of its own text.

    >>> values = _linguistic_features("Rain. More rain soon!", Keywords(frozenset(["rain"]), frozenset()))
    >>> [round(value, 2) for value in values[1:5]]
    [1.61, 1.39, 1.1, 1.1]
    """
    words = [word.lower() for word in WORD.findall(text)]
    sentences = len(_SENTENCE_END.findall(text))
    count = max(len(words), 1)
    return (
        math.log1p(len(text)),
        math.log1p(len(words)),
        math.log1p(len(set(words))),
        math.log1p(sentences),
        math.log1p(len(words) / max(sentences, 1)),
        sum(word in keywords.clean for word in words) / count,
        sum(word in keywords.dirty for word in words) / count,
        len(_SYMBOL.findall(text)) / max(len(text), 1),
    )


def feature_table(
    nodes: TargetNodes, keywords: Keywords, boxes: Boxes | None = None, pos: FloatArray | None = None
) -> FloatArray:
    """One row per target: NODE_FEATURES, POS_FEATURES if tagged, VISUAL_FEATURES if laid out."""
    page, rows = nodes.tree, nodes.targets
    text = np.array([_linguistic_features(text, keywords) for text in nodes.texts()]).reshape(
        len(rows), len(_LINGUISTIC) - 1
    )
    tags = np.array(page.tags)
    below = {
        name: page.sums(np.array(column, dtype=np.int64))[rows]
        for name, column in (
            *(("a", tags == "a"), ("href", page.linked), ("img", page.images)),
            *((tag, tags == tag) for tag in _DENSITY_TAGS),
        )
    }
    elements = page.sums((tags != "").astype(np.int64))[rows] + below["img"]
    columns = [
        text[:, 0],
        np.log1p(page.lengths()[rows]),
        *text.T[1:],
        page.depths()[rows],
        _within(page, _HEADINGS)[rows],
        tags[rows] == "p",
        *(below[name] / np.maximum(elements, 1) for name in ("a", "href", "img")),
        *(_within(page, names)[rows] for names in _CONTAINERS.values()),
        *(below[tag] / np.maximum(elements, 1) for tag in _DENSITY_TAGS),
    ]
    if pos is not None:
        columns += [*pos.T]
    if boxes is not None:
        columns += [*_visual_features(nodes, boxes).T]
    return np.column_stack(columns).astype(np.float64)


def _within(page: DomTree, names: frozenset[str]) -> BoolArray:
    """Whether each node is one of these elements or inside one."""
    inside: list[bool] = []
    for tag, parent in zip(page.tags, page.parents):
        inside.append(tag in names or (parent >= 0 and inside[parent]))
    return np.array(inside, dtype=np.bool_)


def _visual_features(nodes: TargetNodes, boxes: Boxes) -> FloatArray:
    """The visual features of each target, from the boxes of the texts in it."""
    parts: list[list[Box]] = [[] for _ in nodes.targets]
    for text, row in zip(nodes.tree.texts, nodes.text_target.tolist(), strict=True):
        if row >= 0:
            parts[row] += boxes.get(text.number, ())
    return visual_features(
        [text_lines(part) for part in parts], _within(nodes.tree, _HEADINGS)[nodes.targets].tolist()
    )
