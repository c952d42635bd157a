"""The small network of the web model: what a segment is like, then what its neighbourhoods are like.

A hidden layer sees each segment alone and gives a few opinions of it, the first of them a verdict from -1 to
1. The second layer hears the means of those opinions over each of the neighbourhoods; so a run of text, a
list, a column is judged together.
Arrays have a column for each segment, so that sums along a page run through memory in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.web.elements import Numbers

Matrix = npt.NDArray[np.float32]

AT_ONCE = 1 << 13  # segments; few pages have more, and what those hear would take more room than all else
MOST_AT_ONCE = 1 << 16  # segments of which the hidden layer is worked out together
LARGEST = 1 << 16  # segments; a larger neighbourhood counts as one of that size
IN_ONE_THREAD = (1 << 19) - 1  # multiplications that OpenBLAS does not share out


class Places(NamedTuple):
    """Neighbourhoods of the segments, stretches of segments each; a column for each kind of neighbourhood.

    All are stretches of `order`, those of the last kind, kin, of its second half.
    """

    edges: Numbers  # (2, segments, K): the first of each, and the one behind the last
    order: Numbers  # (2 * segments,) as they are on the page, and then again such that kin stand together


class Weights(NamedTuple):
    """The numbers of the network: F features, H hidden units, C opinions, K neighbourhoods, S units.

    V words of heads, each D numbers that tell a kind of page.
    """

    hidden: Matrix  # (H, F)
    hidden_bias: Matrix  # (H,)
    heads: (
        Matrix  # (C + S + 1, H): the opinions, what the second layer hears directly, and what the answer does
    )
    around: Matrix  # (S, K * C)
    around_bias: Matrix  # (S,)
    last: Matrix  # (S,)
    bias: Matrix  # (1,)
    words: Matrix  # (V, D): what each known word of a page's head says of its kind
    kind_hidden: Matrix  # (H, D): what the kind of page adds to the hidden units
    kind_around: Matrix  # (S, D): and to the second layer's
    spread: Matrix  # (F,) standard deviation of each feature in training; for people who look at weights

    @property
    def opinions(self) -> int:
        """How many opinions the neighbours are asked for."""
        return len(self.heads) - len(self.last) - 1


def product(weights: Matrix, rows: Matrix) -> Matrix:
    """`weights @ rows`, in blocks that BLAS multiplies in this thread.

    For a page its threads bring nothing, and they spin: six times the processor time was measured.
    """
    block = block_of(weights)
    number = rows.shape[1]
    if number <= block:
        return weights @ rows
    found = np.empty((len(weights), number), np.float32)
    for start in range(0, number, block):
        np.matmul(weights, rows[:, start : start + block], out=found[:, start : start + block])
    return found


def block_of(weights: Matrix) -> int:
    """Columns of a product that are worked out together."""
    return max(1, IN_ONE_THREAD // weights.size)


def sums_of(opinions: Matrix, order: Numbers) -> Matrix:
    """Sums of the opinions up to every segment, in the order of the page and on in that of kin.

    (C, segments) to (2 * segments + 1, C): the opinions of a segment lie side by side, so that they are
    fetched together.
    """
    sums = np.empty((len(order) + 1, len(opinions)), np.float32)
    sums[0] = 0
    if len(order) <= 2 * AT_ONCE:
        sums[1:] = opinions.take(order, axis=1).cumsum(axis=1).T
        return sums
    for at, opinion in enumerate(opinions):  # one after the other: less memory
        sums[1:, at] = opinion.take(order).cumsum()
    return sums


def means(sums: Matrix, edges: Numbers) -> Matrix:
    """The mean of every opinion over every neighbourhood, (segments, K * C)."""
    _, number, kinds = edges.shape
    before, found = sums.take(edges.reshape(-1), axis=0).reshape(2, number * kinds, -1)
    found -= before
    found *= one_over_sizes(edges)[:, None]
    return found.reshape(number, -1)


def one_over_sizes(edges: Numbers) -> Matrix:
    """One over the number of segments in each neighbourhood, (segments * K,); 1 where there is none."""
    sizes = (edges[1] - edges[0]).reshape(-1)
    return np.asarray(reciprocals().take(sizes, mode="clip"))


@lru_cache(maxsize=1)
def reciprocals() -> Matrix:
    """One over each number up to LARGEST, with 1 for 0."""
    found: Matrix = (1 / np.maximum(np.arange(LARGEST + 1), 1)).astype(np.float32)
    return found


def kind_of(words: Sequence[int], weights: Weights) -> Matrix:
    """The kind of page that the words of a head tell, numbers from -1 to 1, shape (D,)."""
    told = np.add.reduce(weights.words.take(words, axis=0), axis=0)
    told /= max(len(words), 1) ** 0.5
    kind: Matrix = np.tanh(told)
    return kind


def heads_of(rows: Matrix, weights: Weights, hidden_bias: Matrix) -> Matrix:
    """What the hidden layer tells: (C + S + 1, segments)."""
    hidden = product(weights.hidden, rows)
    hidden += hidden_bias
    np.maximum(hidden, 0, out=hidden)
    heads = product(weights.heads, hidden)
    np.tanh(heads[0] / 2, out=heads[0])
    return heads


def log_odds(rows: Matrix, places: Places, weights: Weights, words: Sequence[int] = ()) -> Matrix:
    """The network's opinion of each segment, natural log-odds.

    `rows` are the features of the segments, one a row, and `words` the numbers of the head's known words.
    Of a page of more than AT_ONCE segments the rows are overwritten: two such arrays would be too many.
    """
    kind = kind_of(words, weights)
    hidden_bias = (weights.hidden_bias + weights.kind_hidden @ kind)[:, None]
    if rows.shape[1] <= AT_ONCE or len(weights.heads) > len(rows):
        heads = heads_of(rows, weights, hidden_bias)
    else:
        heads = rows[: len(weights.heads)]
        # parts that end where the blocks of both products do: the same sums in the same order as all at once
        step = lcm(block_of(weights.hidden), block_of(weights.heads))
        step = step if step <= MOST_AT_ONCE else AT_ONCE
        for start in range(0, rows.shape[1], step):
            part = slice(start, start + step)
            heads[:, part] = heads_of(rows[:, part], weights, hidden_bias)
    asked = weights.opinions
    sums = sums_of(heads[:asked], places.order)
    found: Matrix = heads[-1] + weights.bias
    around_bias = weights.around_bias + weights.kind_around @ kind
    for start in range(0, len(found), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        heard = means(sums, places.edges[:, part])
        behind = product(weights.around, heard.T)
        behind += heads[asked:-1, part]
        behind += around_bias[:, None]
        np.maximum(behind, 0, out=behind)
        found[part] += product(weights.last[None], behind)[0]
    return found
