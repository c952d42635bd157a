"""The small network of the web model: what a segment is like, then what its neighbourhoods are like.

A hidden layer sees each segment alone and gives a few opinions of it, the first of them a verdict from -1 to
1. The second layer hears the means of those opinions over each of the neighbourhoods; so a run of text, a
list, a column is judged together.
Arrays have a column for each segment, so that sums along a page run through memory in order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.score.elements import Numbers

Matrix = npt.NDArray[np.float32]

AT_ONCE = 1 << 13  # segments; few pages have more, and what those hear would take more room than all else
IN_ONE_THREAD = (1 << 19) - 1  # multiplications that OpenBLAS does not share out


class Places(NamedTuple):
    """Neighbourhoods of the segments, stretches of segments each; a column for each kind of neighbourhood.

    Those of the last kind, kin, are stretches of `order` behind all the segments: at N + 1 it begins anew.
    """

    first: Numbers  # (segments, K)
    end: Numbers  # (segments, K) the one behind the last
    order: Numbers  # (segments,) sorted such that kin stand together


class Weights(NamedTuple):
    """The numbers of the network: F features, H hidden units, C opinions, K neighbourhoods, S units."""

    hidden: Matrix  # (H, F)
    hidden_bias: Matrix  # (H,)
    heads: (
        Matrix  # (C + S + 1, H): the opinions, what the second layer hears directly, and what the answer does
    )
    around: Matrix  # (S, K * C)
    around_bias: Matrix  # (S,)
    last: Matrix  # (S,)
    bias: Matrix  # (1,)
    spread: Matrix  # (F,) standard deviation of each feature in training; for people who look at weights

    @property
    def opinions(self) -> int:
        """How many opinions the neighbours are asked for."""
        return len(self.heads) - len(self.last) - 1


def product(weights: Matrix, rows: Matrix) -> Matrix:
    """`weights @ rows`, in blocks that BLAS multiplies in this thread.

    For a page its threads bring nothing, and they spin: six times the processor time was measured.
    """
    block = max(1, IN_ONE_THREAD // weights.size)
    number = rows.shape[1]
    if number <= block:
        return weights @ rows
    found = np.empty((len(weights), number), np.float32)
    for start in range(0, number, block):
        np.matmul(weights, rows[:, start : start + block], out=found[:, start : start + block])
    return found


def sums_of(opinions: Matrix, order: Numbers) -> Matrix:
    """Sums of the opinions up to every segment, in the order of the page and behind it in that of kin.

    (C, segments) to (2 * segments + 2, C): the opinions of a segment lie side by side, so that they are
    fetched together.
    """
    asked, number = opinions.shape
    sums = np.zeros((2 * number + 2, asked), np.float32)
    by_segment = np.ascontiguousarray(opinions.T)
    by_segment.cumsum(axis=0, out=sums[1 : number + 1])
    by_segment.take(order, axis=0).cumsum(axis=0, out=sums[number + 2 :])
    return sums


def means(sums: Matrix, places: Places) -> Matrix:
    """The mean of every opinion over every neighbourhood, (segments, K * C)."""
    found = sums.take(places.end.ravel(), axis=0)
    found -= sums.take(places.first.ravel(), axis=0)
    found *= one_over_sizes(places)[:, None]
    return found.reshape(len(places.end), -1)


def one_over_sizes(places: Places) -> Matrix:
    """One over the number of segments in each neighbourhood, (segments * K,); 1 where there is none."""
    sizes = (places.end - places.first).astype(np.float32).ravel()
    np.maximum(sizes, 1, out=sizes)
    return np.divide(1, sizes, out=sizes)


def log_odds(rows: Matrix, places: Places, weights: Weights) -> Matrix:
    """The network's opinion of each segment, natural log-odds; `rows` are its features, one a row."""
    hidden = product(weights.hidden, rows)
    hidden += weights.hidden_bias[:, None]
    np.maximum(hidden, 0, out=hidden)
    heads = product(weights.heads, hidden)
    np.tanh(heads[0] / 2, out=heads[0])
    asked = weights.opinions
    sums = sums_of(heads[:asked], places.order)
    found: Matrix = heads[-1] + weights.bias
    for start in range(0, len(found), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        heard = means(sums, places._replace(first=places.first[part], end=places.end[part]))
        behind = product(weights.around, heard.T)
        behind += heads[asked:-1, part]
        behind += weights.around_bias[:, None]
        np.maximum(behind, 0, out=behind)
        found[part] += product(weights.last[None], behind)[0]
    return found
