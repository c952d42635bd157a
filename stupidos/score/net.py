"""The small network of the web model: what a segment is like, then what its neighbourhoods are like.

A hidden layer sees each segment alone. Its units, mixed once for each kind of neighbourhood and averaged
over that neighbourhood, add up to a second layer; so a run of text, a list, a column is judged together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.score.elements import Numbers

Matrix = npt.NDArray[np.float32]

FARTHEST = 5.0  # standard deviations; what is beyond is cut


class Places(NamedTuple):
    """Neighbourhoods of the segments: stretches in the page's order, and one in the order of kin."""

    ranges: Sequence[tuple[Numbers, Numbers]]  # first segment, and the one behind the last
    order: Numbers  # the segments sorted such that kin stand together
    kin: tuple[Numbers, Numbers]  # stretches in that order, one a segment of the page's order


class Weights(NamedTuple):
    """The numbers of the network; F features, H hidden units, K kinds of neighbourhood, M units behind."""

    mean: Matrix  # (F,)
    scale: Matrix  # (F,) one over the standard deviation
    hidden: Matrix  # (F, H)
    hidden_bias: Matrix  # (H,)
    mixed: Matrix  # (H, (1 + K) * M); the segment itself first, kin last
    mixed_bias: Matrix  # (M,)
    last: Matrix  # (M,)
    direct: Matrix  # (H,)
    bias: Matrix  # (1,)


def standardised(columns: Matrix, weights: Weights) -> Matrix:
    """Features on one scale."""
    return np.clip((columns - weights.mean) * weights.scale, -FARTHEST, FARTHEST)


def means(mixed: Matrix, places: Places, units: int) -> Matrix:
    """The sum over the kinds of neighbourhood of their mean, shape (segments, M)."""
    number = len(mixed)
    total = mixed[:, :units].copy()
    sums = np.zeros((number + 1, mixed.shape[1]), np.float32)
    kinds = len(places.ranges)
    np.cumsum(mixed[:, : (1 + kinds) * units], axis=0, out=sums[1:, : (1 + kinds) * units])
    np.cumsum(mixed[places.order, (1 + kinds) * units :], axis=0, out=sums[1:, (1 + kinds) * units :])
    for kind, (first, end) in enumerate((*places.ranges, places.kin), 1):
        part = sums[:, kind * units : (kind + 1) * units]
        size = np.maximum(end - first, 1).astype(np.float32)
        total += (part[end] - part[first]) / size[:, None]
    return total


def log_odds(columns: Matrix, places: Places, weights: Weights) -> Matrix:
    """The network's opinion of each segment, natural log-odds."""
    units = len(weights.last)
    hidden = np.maximum(standardised(columns, weights) @ weights.hidden + weights.hidden_bias, 0)
    behind = np.maximum(means(hidden @ weights.mixed, places, units) + weights.mixed_bias, 0)
    found: Matrix = behind @ weights.last + hidden @ weights.direct + weights.bias
    return found
