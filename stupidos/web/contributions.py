"""How far each feature and each neighbourhood of a segment moved its score: integrated gradients.

The second layer sees the features of a segment and the channels pooled over its neighbourhoods. It is
followed from the average segment of the page to the segment itself; the mean gradient along that way, times
the difference of an input, is what the input contributed (Sundararajan, Taly and Yan 2017). Contributions and
the score of the average segment add up to the score; a second look is one contribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stupidos.score.scorer import Scores
from stupidos.web.features import FEATURES
from stupidos.web.neighbourhoods import NEIGHBOURHOODS
from stupidos.web.network import (
    Matrix,
    Neighbourhoods,
    Weights,
    _hidden_outputs,
    _page_kind,
    pooled,
    prefix_sums,
)

AVERAGE = "average segment"  # name of the score of the page's average segment
SECOND_LOOK = "second look"  # name of the correction of a page of which the network is unsure
AROUND = "around: "  # before the names of NEIGHBOURHOODS
_STEPS = 16  # of the way from the average segment
_SEGMENTS_AT_ONCE = 1 << 7  # so few that BLAS stays in the calling thread, see network.py
_Inputs = npt.NDArray[np.float64]  # (segments, features + K * C)


def contributions(
    features: Matrix, neighbourhoods: Neighbourhoods, weights: Weights, words: Sequence[int]
) -> dict[str, Scores]:
    """Natural log-odds that each input contributed to each segment's score; the arguments are `log_odds`'.

    The keys are AVERAGE, the FEATURES, and the NEIGHBOURHOODS with AROUND before them.
    """
    kind = _page_kind(words, weights)
    hidden_bias = weights.hidden_bias + weights.kind_hidden @ kind
    network = _SecondLayer(weights, hidden_bias, weights.around_bias + weights.kind_around @ kind)
    channels = _hidden_outputs(features, weights, hidden_bias[:, None])[: weights.channels]
    means = pooled(prefix_sums(channels, neighbourhoods.order), neighbourhoods.spans)
    inputs = np.concatenate([features.T, means], axis=1, dtype=np.float64)
    average = inputs.mean(axis=0)
    parts = [
        network.contributions(inputs[start : start + _SEGMENTS_AT_ONCE], average)
        for start in range(0, len(inputs), _SEGMENTS_AT_ONCE)
    ]
    moved = np.concatenate(parts)
    around = moved[:, len(features) :].reshape(len(moved), len(NEIGHBOURHOODS), -1).sum(axis=2)
    return {
        AVERAGE: np.full(len(moved), network.scores(average[None])[0]),
        **dict(zip(FEATURES, moved[:, : len(features)].T, strict=True)),
        **{AROUND + name: part for name, part in zip(NEIGHBOURHOODS, around.T, strict=True)},
    }


@dataclass(frozen=True, slots=True)
class _SecondLayer:
    """The network as a function of features and pooled channels of one segment."""

    weights: Weights
    hidden_bias: Matrix
    around_bias: Matrix

    def contributions(self, inputs: _Inputs, average: _Inputs) -> _Inputs:
        """What each input contributed, so that each row adds up to its score less that of the average."""
        difference = inputs - average
        gradient = np.zeros_like(inputs)
        for step in range(_STEPS):
            gradient += self._gradient(average + difference * ((step + 0.5) / _STEPS))
        moved = gradient * difference / _STEPS
        sizes = np.abs(moved)
        missing = self.scores(inputs) - self.scores(average[None]) - moved.sum(axis=1)  # of a finite sum
        totals = np.maximum(sizes.sum(axis=1), np.finfo(np.float64).tiny)
        return np.asarray(moved + sizes * (missing / totals)[:, None])

    def scores(self, inputs: _Inputs) -> Scores:
        """Natural log-odds."""
        weights = self.weights
        hidden, units = self._units(inputs)
        direct = np.maximum(hidden, 0) @ weights.heads[-1]
        return np.asarray(direct + np.maximum(units, 0) @ weights.last + weights.bias, np.float64)

    def _units(self, inputs: _Inputs) -> tuple[_Inputs, _Inputs]:
        """Hidden units and those of the second layer, before they are rectified."""
        weights, count = self.weights, self.weights.hidden.shape[1]
        hidden = inputs[:, :count] @ weights.hidden.T + self.hidden_bias
        skip = weights.heads[weights.channels : -1]
        units = np.maximum(hidden, 0) @ skip.T + inputs[:, count:] @ weights.around.T + self.around_bias
        return hidden, units

    def _gradient(self, inputs: _Inputs) -> _Inputs:
        """Derivative of the score by each input."""
        weights = self.weights
        hidden, units = self._units(inputs)
        by_unit = (units > 0) * weights.last
        by_hidden = by_unit @ weights.heads[weights.channels : -1] + weights.heads[-1]
        return np.concatenate([((hidden > 0) * by_hidden) @ weights.hidden, by_unit @ weights.around], axis=1)
