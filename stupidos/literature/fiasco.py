"""FIASCO: a support vector machine classifies the text blocks of a page's DOM tree.

Daniel Bauer et al.: *FIASCO: Filtering the Internet by Automatic Subtree Classification, Osnabrück*
(WAC3, 2007). Target nodes (fiasco_nodes.py) are described by features (fiasco_features.py) and
classified one by one. Training needs scikit-learn (fiasco_train.py); scoring is a sum over support vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.errors import ModelError
from stupidos.literature.boilerpipe import LiteratureScorer
from stupidos.literature.fiasco_features import (
    NODE_FEATURES,
    Keywords,
    TargetNodes,
    feature_table,
    target_nodes,
)
from stupidos.literature.fiasco_pos import LANGUAGES, POS_FEATURES, tagger
from stupidos.literature.fiasco_regions import VISUAL_FEATURES, Boxes
from stupidos.literature.tokens import FloatArray, segment_numbers
from stupidos.lm import archive
from stupidos.page import Page
from stupidos.score.scorer import Scorer, Scores

_FORMAT = "fiasco"
_MAX_VECTORS = 1 << 16
_MAX_KEYWORDS = 1 << 14
_BATCH_ROWS = 1024  # bounds the memory for a page of a million nodes
_NO_TARGET_SCORE = 1e-3  # text in no target node is kept, with the lowest confidence

_SCHEMA = {
    "vectors": archive.Member("<f4", 2, _MAX_VECTORS * 64),
    "weights": archive.Member("<f4", 1, _MAX_VECTORS),
    "low": archive.Member("<f8", 1, 64),
    "high": archive.Member("<f8", 1, 64),
}


class RbfSvm(NamedTuple):
    """A support vector machine with an RBF kernel."""

    vectors: npt.NDArray[np.float32]  # (support vectors, features), scaled
    weights: npt.NDArray[np.float32]  # (support vectors,), label times multiplier
    low: FloatArray  # of each feature in training, scaled to -1
    high: FloatArray  # scaled to 1
    gamma: float
    bias: float
    slope: float  # margin to natural log-odds

    def scores(self, table: FloatArray) -> FloatArray:
        """Natural log-odds of each row, clean over dirty."""
        rows = scale_features(table, self.low, self.high)
        margins = [self.margins(rows[at : at + _BATCH_ROWS]) for at in range(0, len(rows), _BATCH_ROWS)]
        return self.slope * np.concatenate(margins)

    def margins(self, rows: FloatArray) -> FloatArray:
        """Signed distances from the decision boundary, positive for clean."""
        # (rows, vectors): squared distances by the binomial formula
        distances = (rows**2).sum(axis=1)[:, None] + (self.vectors**2).sum(axis=1) - 2 * rows @ self.vectors.T
        return np.asarray(
            np.exp(-self.gamma * np.maximum(distances, 0)) @ self.weights + self.bias, dtype=np.float64
        )


def scale_features(table: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Scale the range of the training data to [-1, 1]; values outside are clipped to [-2, 2].

    >>> scale_features(np.array([[5.0], [99.0]]), np.array([0.0]), np.array([10.0])).tolist()
    [[0.0], [2.0]]
    """
    return np.clip(2 * (table - low) / np.where(high > low, high - low, 1.0) - 1, -2.0, 2.0)


@dataclass(frozen=True, slots=True)
class Fiasco(LiteratureScorer):
    """A Scorer: the score of a segment is that of its target nodes."""

    name: str
    machine: RbfSvm
    keywords: Keywords
    layout: Callable[[str], Boxes] | None = None  # boxes of a page by its source, for visual features

    @property
    def signature(self) -> str:
        keys = ("C", "gamma", "visual", *filter(self.header.get, ("pos", "reference")))
        settings = ((key, self.header.get(key, "?")) for key in keys)
        return f"model:{self.name}|" + "|".join(f"{key}:{value}" for key, value in settings)

    def score(self, page: Page) -> Scores:
        nodes = target_nodes(page)
        if not len(nodes.targets) or not page.segments:
            return np.full(len(page.segments), _NO_TARGET_SCORE)
        boxes = self._boxes(page) if self.header.get("visual") else None
        language = self.header.get("pos")
        pos = tagger(language).table(nodes.texts()) if language else None
        scores = self.machine.scores(feature_table(nodes, self.keywords, boxes, pos))
        return _segment_scores(page, nodes, scores)

    def _boxes(self, page: Page) -> Boxes:
        if self.layout is None:
            raise ModelError(_needs_layout(self.name))
        return self.layout(page.source)


def _needs_layout(name: str) -> str:
    """The error of a model with visual features that is used without them."""
    return f"the model {name} was trained with visual features: add --visual, which needs Chromium"


def with_layout(scorer: Scorer, visual: bool) -> Scorer:
    """The scorer, able to see pages if it was trained to; refused if that does not fit `visual`."""
    trained = isinstance(scorer, Fiasco) and bool(scorer.header.get("visual"))
    if not visual and trained:
        raise ModelError(_needs_layout(scorer.name))
    if visual and not trained:
        raise ModelError(f"the model {scorer.name} has no visual features: leave --visual out")
    if isinstance(scorer, Fiasco) and trained and scorer.layout is None:
        return replace(scorer, layout=_shared_layout())
    return scorer


@cache
def _shared_layout() -> Callable[[str], Boxes]:
    """The layout of this process: one browser, whatever the number of models."""
    from stupidos.literature.page_layout import LayoutCache

    return LayoutCache()


def _segment_scores(page: Page, nodes: TargetNodes, node_scores: FloatArray) -> Scores:
    """Mean score of the texts of each segment, weighted by their lengths."""
    count = len(page.segments)
    segment = segment_numbers(page, np.array([text.number for text in nodes.tree.texts], dtype=np.int64))
    lengths = np.array([len(text.text) for text in nodes.tree.texts]) * (segment >= 0)
    scores = np.where(nodes.text_target >= 0, node_scores[nodes.text_target], _NO_TARGET_SCORE)
    sums = np.bincount(np.maximum(segment, 0), scores * lengths, minlength=count)
    weights = np.bincount(np.maximum(segment, 0), lengths, minlength=count)
    return np.where(weights > 0, sums / np.maximum(weights, 1.0), _NO_TARGET_SCORE)


def digest(source: str) -> str:
    """Hash that identifies a measured page."""
    from hashlib import sha256

    return sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def save(path: Path, machine: RbfSvm, keywords: Keywords, header: Mapping[str, Any]) -> None:
    """Write a model file."""
    settings = {"format": _FORMAT, "bias": machine.bias, "slope": machine.slope, "gamma": machine.gamma}
    words = {"clean": sorted(keywords.clean), "dirty": sorted(keywords.dirty)}
    arrays = {name: getattr(machine, name) for name in _SCHEMA}
    archive.write(path, {**header, **settings, "keywords": words}, arrays)


_LARGEST_VALUE = 1e9  # of vectors scaled to 2, multipliers and feature ranges; squares stay finite


def load(path: Path | str) -> Scorer:
    """The scorer of a model file."""
    header, arrays = archive.read(path, _SCHEMA)
    try:
        machine, keywords = _machine(header, arrays), _keywords(header["keywords"])
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path}: is not a valid FIASCO model: {error}") from error
    if header.get("pos"):
        tagger(header["pos"])  # a missing tagger is reported now and not for each page
    return Fiasco(archive.stem(path), machine, keywords, header=header)


def _machine(header: archive.Header, arrays: archive.Arrays) -> RbfSvm:
    if header["format"] != _FORMAT or type(header["visual"]) is not bool:
        raise ValueError(f"its format is {header['format']!r}")
    numbers = [header[key] for key in ("gamma", "bias", "slope")]
    if (
        not all(type(number) is float and abs(number) < 1e6 for number in numbers)
        or min(numbers[0], numbers[2]) <= 0
    ):
        raise ValueError(f"gamma, bias and slope are {numbers}")
    if header.get("pos", "en") not in LANGUAGES:
        raise ValueError(f"its part-of-speech tagger is {header['pos']!r}")
    columns = len(NODE_FEATURES) + (len(POS_FEATURES) if "pos" in header else 0)
    columns += len(VISUAL_FEATURES) if header["visual"] else 0
    vectors, weights, low, high = (arrays[name] for name in _SCHEMA)
    if vectors.shape != (len(weights), columns) or low.shape != (columns,) or high.shape != (columns,):
        raise ValueError("its arrays do not fit each other")
    if not all(np.abs(array).max(initial=0) < _LARGEST_VALUE for array in (vectors, weights, low, high)):
        raise ValueError(f"its arrays hold values beyond {_LARGEST_VALUE:g}")
    return RbfSvm(vectors, weights, low, high, *numbers)


def _keywords(entry: Any) -> Keywords:
    sides = [entry["clean"], entry["dirty"]]
    for side in sides:
        if (
            not isinstance(side, list)
            or len(side) > _MAX_KEYWORDS
            or not all(isinstance(word, str) for word in side)
        ):
            raise ValueError("its keywords are not a list of words")
    return Keywords(*map(frozenset, sides))
