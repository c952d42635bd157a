"""Fit the confidence estimate: the precision of a cleaned page as a linear function of its statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from statistics import mean, stdev
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stupidos.confidence import KEY, STATISTICS, layout_of, statistics
from stupidos.lab.examples import Example, Problem
from stupidos.lab.folds import folds as names_in_folds
from stupidos.lab.measure import compare
from stupidos.lab.retrain import Retrainer, ngrams_retrained
from stupidos.lab.train import Recipe
from stupidos.page import Segment, Verdict
from stupidos.pipeline import Cleaner
from stupidos.write import plain, verdicts_of

MIN_REGRESSION_PAGES = 20  # fewer are not enough to fit a line: their mean precision is used
MIN_PAGES = 5  # with text kept; fewer say nothing about others
_MAX_PAGES = 400  # more change the weights in the third digit and take minutes
_RIDGE = 1.0  # added to the diagonal, so that correlated statistics share their weight


class ConfidenceSample(NamedTuple):
    """A cleaned page: its statistics and its precision."""

    statistics: list[float]  # in the order of confidence.STATISTICS
    precision: float


def sample(verdicts: Sequence[Verdict], gold: Sequence[Segment]) -> ConfidenceSample | None:
    """A sample of a cleaned page; None if nothing of it was kept."""
    values = statistics(layout_of(verdicts))
    if values is None:
        return None
    return ConfidenceSample(values, compare(plain(verdicts), plain(verdicts_of(gold))).words.precision)


def fitted(examples: Sequence[Example], retrainer: Retrainer) -> dict[str, Any]:
    """The `confidence` of a model file's header, fitted on held-out pages.

    Empty below MIN_PAGES; of many pages an even sample is used.
    """
    step = -(-len(examples) // _MAX_PAGES) or 1
    return weights(list(_out_of_fold(examples[::step], retrainer)))


def confidence_header(pages: Sequence[Example | Problem], recipe: Recipe) -> dict[str, Any]:
    """Header entry of an n-gram model with its confidence; empty if there are too few pages."""
    examples = [page for page in pages if isinstance(page, Example)]
    line = fitted(examples, partial(ngrams_retrained, recipe, "model"))
    return {KEY: line} if line else {}


def _out_of_fold(examples: Sequence[Example], retrainer: Retrainer) -> Iterator[ConfidenceSample]:
    """Samples of held-out pages, without those of which nothing is kept."""
    if len(examples) < MIN_PAGES:
        return
    by_name = {example.name: example for example in examples}
    parts = [[by_name[name] for name in names] for names in names_in_folds(list(by_name))]
    for scorer, part in zip(retrainer(parts), parts, strict=True):
        cleaner = Cleaner(scorer, scorer)
        for example in part:
            measured = sample(cleaner.document(example.page).verdicts, example.gold)
            if measured:
                yield measured


def weights(samples: Sequence[ConfidenceSample]) -> dict[str, Any]:
    """The ridge regression as a model file stores it; of few pages only a constant, their mean precision.

    >>> weights([ConfidenceSample([0.0] * 7, 0.5)] * 3 + [ConfidenceSample([0.0] * 7, 1.0)] * 3)
    {'base': 0.75, 'weights': {}, 'pages': 6, 'residual': 0.2739}
    """
    if len(samples) < MIN_PAGES:
        return {}
    if len(samples) < MIN_REGRESSION_PAGES:
        return _constant([one.precision for one in samples])
    rows = np.array([one.statistics for one in samples])  # shape (pages, statistics)
    precisions = np.array([one.precision for one in samples])
    slopes, base = _least_squares(rows, precisions)
    residual = float(np.std(precisions - rows @ slopes - base, ddof=min(len(slopes) + 1, len(rows) - 1)))
    return {
        "base": round(base, 6),
        "weights": {name: round(float(slope), 6) for name, slope in zip(STATISTICS, slopes, strict=True)},
        "pages": len(samples),
        "residual": round(residual, 4),  # standard error of a prediction
    }


def _constant(precisions: Sequence[float]) -> dict[str, Any]:
    """A confidence without weights: the mean precision."""
    return {
        "base": round(mean(precisions), 6),
        "weights": {},
        "pages": len(precisions),
        "residual": round(stdev(precisions), 4),
    }


def _least_squares(
    rows: NDArray[np.float64], precisions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    means = rows.mean(axis=0)
    scales = np.maximum(rows.std(axis=0), 1e-9)
    standard = (rows - means) / scales
    square = standard.T @ standard + _RIDGE * np.eye(rows.shape[1])
    slopes = np.linalg.solve(square, standard.T @ (precisions - precisions.mean())) / scales
    return slopes, float(precisions.mean() - means @ slopes)


def held_out(folds: Sequence[Sequence[ConfidenceSample]]) -> list[list[float]]:
    """Confidence of each page, fitted on the other folds."""
    expected: list[list[float]] = []
    for number, fold in enumerate(folds):
        others = _rows(one for other, part in enumerate(folds) if other != number for one in part)
        slopes, base = _least_squares(*others)
        expected.append(np.clip(_rows(fold)[0] @ slopes + base, 0, 1).tolist())
    return expected


def _rows(samples: Iterable[ConfidenceSample]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    every = list(samples)
    rows = np.array([one.statistics for one in every], np.float64).reshape(len(every), len(STATISTICS))
    return rows, np.array([one.precision for one in every], np.float64)
