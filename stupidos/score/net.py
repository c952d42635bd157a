"""The small network of the web model: what a segment is like, then what its neighbourhoods are like.

A hidden layer sees each segment alone. Its units, mixed once for each kind of neighbourhood and averaged
over that neighbourhood, add up to a second layer; so a run of text, a list, a column is judged together.
Arrays have a column for each segment, so that sums along a page run through memory in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.score.elements import Numbers

Matrix = npt.NDArray[np.float32]


class Places(NamedTuple):
    """Neighbourhoods of the segments, stretches of segments each; a row for each kind of neighbourhood.

    Those of the last kind, kin, lie in the order in which kin stand together.
    """

    first: Numbers  # (K, segments)
    end: Numbers  # (K, segments) the one behind the last
    order: Numbers  # (segments,) sorted such that kin stand together


class Weights(NamedTuple):
    """The numbers of the network; F features, H hidden units, K kinds of neighbourhood, M units behind."""

    least: Matrix  # (F,) what is beyond is cut
    most: Matrix  # (F,)
    hidden: Matrix  # (F, H)
    hidden_bias: Matrix  # (H,)
    mixed: Matrix  # (H, (1 + K) * M); the segment itself first, kin last
    mixed_bias: Matrix  # (M,)
    last: Matrix  # (M,)
    direct: Matrix  # (H,)
    bias: Matrix  # (1,)


def cut(columns: Matrix, weights: Weights) -> Matrix:
    """Features without what lies far out."""
    within = np.maximum(columns, weights.least)
    np.minimum(within, weights.most, out=within)
    return within


def means(mixed: Matrix, places: Places, units: int) -> Matrix:
    """The means over all neighbourhoods added up: ((1 + K) * M, segments) to (M, segments)."""
    rows, number = mixed.shape
    sums = np.zeros((rows - units, number + 1), np.float32)
    np.cumsum(mixed[units:-units], axis=1, out=sums[:-units, 1:])
    np.cumsum(mixed[-units:, places.order], axis=1, out=sums[-units:, 1:])
    total = mixed[:units].copy()
    sizes = (places.end - places.first).astype(np.float32)
    np.maximum(sizes, 1, out=sizes)
    edges = np.concatenate([places.end, places.first], axis=1)
    for kind, size in enumerate(sizes):
        both = sums[kind * units : (kind + 1) * units].take(edges[kind], axis=1)
        mean = both[:, :number] - both[:, number:]
        mean /= size
        total += mean
    return total


def product(rows: Matrix, weights: Matrix) -> Matrix:
    """`rows @ weights`, in blocks that BLAS multiplies in this thread.

    For a page its threads bring nothing, and they spin: six times the processor time was measured.
    OpenBLAS uses one thread up to 2**18 products of matrices and 9,216 of a vector.
    """
    block = max(1, min((1 << 18) // weights.size, 9216 // len(weights)))
    if len(rows) <= block:
        return rows @ weights
    found = np.empty((len(rows), weights.shape[1]), np.float32)
    for start in range(0, len(rows), block):
        np.matmul(rows[start : start + block], weights, out=found[start : start + block])
    return found


def log_odds(columns: Matrix, places: Places, weights: Weights) -> Matrix:
    """The network's opinion of each segment, natural log-odds."""
    hidden = product(cut(columns, weights), weights.hidden)
    hidden += weights.hidden_bias
    np.maximum(hidden, 0, out=hidden)
    mixed = np.ascontiguousarray(product(hidden, weights.mixed).T)
    behind = means(mixed, places, len(weights.last)).T + weights.mixed_bias
    np.maximum(behind, 0, out=behind)
    found: Matrix = product(behind, weights.last[:, None]) + product(hidden, weights.direct[:, None])
    return found[:, 0] + weights.bias
