"""The expected precision and recall of a page: two logistic regressions, fitted on pages not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.confidence import EXPECTATION_KEY, SIGNALS

_RIDGE = 3.0  # on standardized weights, so that correlated signals share their weight
_ROUNDS = 30  # of Newton's method; ten are enough
_Vector = npt.NDArray[np.float64]


class ExpectationSample(NamedTuple):
    """A cleaned page: its signals, and what they are to predict."""

    signals: list[float]  # in the order of confidence.SIGNALS
    precision: float
    recall: float
    weight: float = 1.0


def expectation_header(samples: Sequence[ExpectationSample]) -> dict[str, Any]:
    """The header entry with both regressions.

    >>> good, bad = ExpectationSample([3.0] * 16, 1.0, 1.0), ExpectationSample([0.0] * 16, 0.0, 1.0)
    >>> entry = expectation_header([good, bad] * 20)["expectation"]
    >>> sorted(entry), entry["pages"]
    (['pages', 'precision', 'recall'], 40)
    """
    rows = np.array([sample.signals for sample in samples])
    weights = np.array([sample.weight for sample in samples])
    models = {
        name: _regression(rows, np.array([getattr(sample, name) for sample in samples]), weights)
        for name in ("precision", "recall")
    }
    return {EXPECTATION_KEY: {**models, "pages": len(samples)}}


def _regression(rows: _Vector, shares: _Vector, weights: _Vector) -> dict[str, Any]:
    """A logistic regression of shares between 0 and 1, by Newton's method."""
    means, spreads = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    inputs = np.column_stack([(rows - means) / spreads, np.ones(len(rows))])
    slopes = np.zeros(inputs.shape[1])
    ridge = np.diag([_RIDGE] * rows.shape[1] + [0.01])
    for _ in range(_ROUNDS):
        expected = 1 / (1 + np.exp(-inputs @ slopes))
        gradient = inputs.T @ (weights * (expected - shares)) + ridge @ slopes
        curvature = (inputs * (weights * expected * (1 - expected))[:, None]).T @ inputs + ridge
        slopes -= np.linalg.solve(curvature, gradient)
    raw = slopes[:-1] / spreads
    return {
        "base": round(float(slopes[-1] - raw @ means), 6),
        "weights": {name: round(float(slope), 6) for name, slope in zip(SIGNALS, raw, strict=True)},
    }
