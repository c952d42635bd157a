"""The network of the web model: a hidden layer per segment, then a layer over pooled neighbourhoods.

The hidden layer sees each segment alone and has a few output channels, the first of them trained as a
verdict from -1 to 1. The second layer sees the mean of every channel over each neighbourhood, so that a run
of text, a list or a column is judged together.
Arrays have a column for each segment, so that prefix sums run through memory in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.web.elements import Indices

Matrix = npt.NDArray[np.float32]

SEGMENTS_AT_ONCE = 1 << 13  # few pages have more, and their pooled channels would take most of the memory
_LARGEST_STEP = 1 << 16  # segments that go through the hidden layer together
_LARGEST_SPAN = 1 << 16  # segments; the mean over a larger neighbourhood divides by this
_SINGLE_THREADED = (1 << 19) - 1  # multiplications up to which OpenBLAS stays in the calling thread


class Neighbourhoods(NamedTuple):
    """The K neighbourhoods of each segment, as spans of `order`.

    Those of the last kind, segments of the same signature, lie in its second half.
    """

    spans: Indices  # (2, segments, K): first position, and the one behind the last
    order: Indices  # (2 * segments,): segments as on the page, then grouped by signature


class Weights(NamedTuple):
    """Parameters: F features, H hidden units, C channels, K neighbourhoods, S units of the second layer.

    V words of page heads with embeddings of D numbers. Field names are array names of model files.
    """

    hidden: Matrix  # (H, F)
    hidden_bias: Matrix  # (H,)
    heads: Matrix  # (C + S + 1, H): channels to pool, skip connection to the second layer, and to the output
    around: Matrix  # (S, K * C)
    around_bias: Matrix  # (S,)
    last: Matrix  # (S,)
    bias: Matrix  # (1,)
    words: Matrix  # (V, D): embedding of each known word of a page's head
    kind_hidden: Matrix  # (H, D): what the kind of page adds to the hidden units
    kind_around: Matrix  # (S, D): and to those of the second layer
    spread: Matrix  # (F,) standard deviation of each feature in training; only for display

    @property
    def channels(self) -> int:
        """The number of channels that are pooled."""
        return len(self.heads) - len(self.last) - 1


def product(weights: Matrix, columns: Matrix) -> Matrix:
    """`weights @ columns`, in blocks that BLAS multiplies in the calling thread.

    For one page its threads gain nothing, and they spin: six times the processor time was measured.
    """
    block = _block_columns(weights)
    count = columns.shape[1]
    if count <= block:
        return weights @ columns
    result = np.empty((len(weights), count), np.float32)
    for start in range(0, count, block):
        np.matmul(weights, columns[:, start : start + block], out=result[:, start : start + block])
    return result


def _block_columns(weights: Matrix) -> int:
    """Columns of a product that are multiplied together."""
    return max(1, _SINGLE_THREADED // weights.size)


def prefix_sums(channels: Matrix, order: Indices) -> Matrix:
    """Prefix sums of the channels along `order`, (C, segments) to (2 * segments + 1, C).

    The channels of one position are adjacent, so that they are fetched together.
    """
    sums = np.empty((len(order) + 1, len(channels)), np.float32)
    sums[0] = 0
    if len(order) <= 2 * SEGMENTS_AT_ONCE:
        sums[1:] = channels.take(order, axis=1).cumsum(axis=1).T
        return sums
    for index, channel in enumerate(channels):  # one at a time: less memory
        sums[1:, index] = channel.take(order).cumsum()
    return sums


def pooled(sums: Matrix, spans: Indices) -> Matrix:
    """The mean of every channel over every neighbourhood, (segments, K * C)."""
    _, count, kinds = spans.shape
    before, means = sums.take(spans.reshape(-1), axis=0).reshape(2, count * kinds, -1)
    means -= before
    means *= inverse_sizes(spans)[:, None]
    return means.reshape(count, -1)


def inverse_sizes(spans: Indices) -> Matrix:
    """One over the number of segments in each neighbourhood, (segments * K,); 1 for an empty one."""
    sizes = (spans[1] - spans[0]).reshape(-1)
    return np.asarray(_reciprocals().take(sizes, mode="clip"))


@lru_cache(maxsize=1)
def _reciprocals() -> Matrix:
    """One over each number up to _LARGEST_SPAN, with 1 for 0."""
    values: Matrix = (1 / np.maximum(np.arange(_LARGEST_SPAN + 1), 1)).astype(np.float32)
    return values


def page_kind(words: Sequence[int], weights: Weights) -> Matrix:
    """The kind of page as a vector from -1 to 1, shape (D,), from the known words of its head."""
    total = np.add.reduce(weights.words.take(words, axis=0), axis=0)
    total /= max(len(words), 1) ** 0.5
    kind: Matrix = np.tanh(total)
    return kind


def _hidden_outputs(features: Matrix, weights: Weights, hidden_bias: Matrix) -> Matrix:
    """The outputs of the hidden layer, (C + S + 1, segments)."""
    hidden = product(weights.hidden, features)
    hidden += hidden_bias
    np.maximum(hidden, 0, out=hidden)
    outputs = product(weights.heads, hidden)
    np.tanh(outputs[0] / 2, out=outputs[0])
    return outputs


def log_odds(
    features: Matrix, neighbourhoods: Neighbourhoods, weights: Weights, words: Sequence[int] = ()
) -> Matrix:
    """Natural log-odds of each segment, clean over dirty.

    `features` has a row per feature; `words` are the indices of the known words of the page's head.
    On a page of more than SEGMENTS_AT_ONCE segments the features are overwritten to save memory.
    """
    kind = page_kind(words, weights)
    hidden_bias = (weights.hidden_bias + weights.kind_hidden @ kind)[:, None]
    if features.shape[1] <= SEGMENTS_AT_ONCE or len(weights.heads) > len(features):
        outputs = _hidden_outputs(features, weights, hidden_bias)
    else:
        outputs = features[: len(weights.heads)]
        # steps end where the blocks of both products do: the same sums in the same order as all at once
        step = lcm(_block_columns(weights.hidden), _block_columns(weights.heads))
        step = step if step <= _LARGEST_STEP else SEGMENTS_AT_ONCE
        for start in range(0, features.shape[1], step):
            part = slice(start, start + step)
            outputs[:, part] = _hidden_outputs(features[:, part], weights, hidden_bias)
    channels = weights.channels
    sums = prefix_sums(outputs[:channels], neighbourhoods.order)
    scores: Matrix = outputs[-1] + weights.bias
    around_bias = weights.around_bias + weights.kind_around @ kind
    for start in range(0, len(scores), SEGMENTS_AT_ONCE):
        part = slice(start, start + SEGMENTS_AT_ONCE)
        means = pooled(sums, neighbourhoods.spans[:, part])
        units = product(weights.around, means.T)
        units += outputs[channels:-1, part]
        units += around_bias[:, None]
        np.maximum(units, 0, out=units)
        scores[part] += product(weights.last[None], units)[0]
    return scores
