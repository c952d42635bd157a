"""The network of the web model: a hidden layer per segment, then a layer over pooled neighbourhoods.

The hidden layer sees each segment alone and has a few output channels, the first of them trained as a
verdict from -1 to 1. The second layer sees the mean of every channel over each neighbourhood, so that a run
of text, a list or a column is judged together.
Arrays have a column for each segment, so that prefix sums run through memory in order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.web.elements import Indices

Matrix = npt.NDArray[np.float32]
Columns = Callable[[int, int], Matrix]  # the features of the segments from one to before another

SEGMENTS_AT_ONCE = 1 << 13  # few pages have more, and their pooled channels would take most of the memory
_LARGEST_SPAN = 1 << 16  # segments; the mean over a larger neighbourhood divides by this
_SMALLEST_NORMAL = np.finfo(np.float32).smallest_normal
_SINGLE_THREADED = (1 << 19) - 1  # multiplications up to which OpenBLAS stays in the calling thread


class Neighbourhoods(NamedTuple):
    """The K neighbourhoods of each segment, as spans of `order`.

    Those of the last kind, segments of the same signature, lie in its second half.
    """

    spans: Indices  # (2, segments, K): first position, and the one after the last
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

    def without_subnormals(self) -> Weights:
        """The same weights with zeros for subnormal numbers.

        Weight decay leaves them in units that no longer learn; a product with them takes ten times as long.
        """
        return Weights(*(np.where(np.abs(array) < _SMALLEST_NORMAL, np.float32(0), array) for array in self))


def _product(weights: Matrix, columns: Matrix) -> Matrix:
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
    values = np.arange(_LARGEST_SPAN + 1, dtype=np.float32)
    values[0] = 1
    return np.reciprocal(values, out=values)


def _page_kind(words: Sequence[int], weights: Weights) -> Matrix:
    """The kind of page as a vector from -1 to 1, shape (D,), from the known words of its head."""
    total = np.add.reduce(weights.words.take(words, axis=0), axis=0)
    total /= max(len(words), 1) ** 0.5
    kind: Matrix = np.tanh(total)
    return kind


def _hidden_outputs(features: Matrix, weights: Weights, hidden_bias: Matrix) -> Matrix:
    """The outputs of the hidden layer, (C + S + 1, segments)."""
    hidden = _hidden_units(features, weights, hidden_bias)
    outputs = _product(weights.heads, hidden)
    np.tanh(outputs[0] / 2, out=outputs[0])
    return outputs


def _hidden_units(features: Matrix, weights: Weights, hidden_bias: Matrix) -> Matrix:
    """The hidden layer itself, (H, segments)."""
    hidden = _product(weights.hidden, features)
    hidden += hidden_bias
    np.maximum(hidden, 0, out=hidden)
    return hidden


def _outputs_of_part(
    columns: Columns, part: slice, count: int, weights: Weights, hidden_bias: Matrix
) -> Matrix:
    """The outputs of some segments, bit for bit as all at once: BLAS gets the same blocks of columns."""
    outer = _whole_blocks(part, _block_columns(weights.heads), count)
    inner = _whole_blocks(outer, _block_columns(weights.hidden), count)
    hidden = _hidden_units(columns(inner.start, inner.stop), weights, hidden_bias)
    outputs = _product(weights.heads, hidden[:, outer.start - inner.start : outer.stop - inner.start])
    outputs = outputs[:, part.start - outer.start : part.stop - outer.start]
    np.tanh(outputs[0] / 2, out=outputs[0])
    return outputs


def _whole_blocks(part: slice, block: int, count: int) -> slice:
    """The blocks of columns that a part lies in, of `count` columns.

    >>> _whole_blocks(slice(25, 31), 10, 38)
    slice(20, 38, None)
    """
    return slice(part.start // block * block, min(-(-part.stop // block) * block, count))


def log_odds(
    features: Matrix | Columns, neighbourhoods: Neighbourhoods, weights: Weights, words: Sequence[int] = ()
) -> Matrix:
    """Natural log-odds of each segment, clean over dirty.

    `features` has a row per feature, or computes them for some of the segments, which is done twice on a page
    of more than SEGMENTS_AT_ONCE; `words` are the indices of the known words of the page's head.
    """
    kind = _page_kind(words, weights)
    hidden_bias = (weights.hidden_bias + weights.kind_hidden @ kind)[:, None]
    around_bias = weights.around_bias + weights.kind_around @ kind
    columns = features if callable(features) else lambda first, end: features[:, first:end]
    count, channels = neighbourhoods.spans.shape[1], weights.channels
    if count <= SEGMENTS_AT_ONCE:
        outputs = _hidden_outputs(columns(0, count), weights, hidden_bias)
        sums = prefix_sums(outputs[:channels], neighbourhoods.order)
        return _around(outputs, sums, neighbourhoods.spans, weights, around_bias)
    # All outputs together would take more memory than anything else; only the channels are needed at once
    parts = [slice(at, min(at + SEGMENTS_AT_ONCE, count)) for at in range(0, count, SEGMENTS_AT_ONCE)]
    pooling = np.empty((channels, count), np.float32)
    for part in parts:
        pooling[:, part] = _outputs_of_part(columns, part, count, weights, hidden_bias)[:channels]
    sums = prefix_sums(pooling, neighbourhoods.order)
    del pooling
    scores: Matrix = np.empty(count, np.float32)
    for part in parts:
        outputs = _outputs_of_part(columns, part, count, weights, hidden_bias)
        scores[part] = _around(outputs, sums, neighbourhoods.spans[:, part], weights, around_bias)
    return scores


def _around(outputs: Matrix, sums: Matrix, spans: Indices, weights: Weights, around_bias: Matrix) -> Matrix:
    """The second layer: log-odds from the outputs of segments and the prefix sums of the page's channels."""
    scores: Matrix = outputs[-1] + weights.bias
    units = _product(weights.around, pooled(sums, spans).T)
    units += outputs[weights.channels : -1]
    units += around_bias[:, None]
    np.maximum(units, 0, out=units)
    scores += _product(weights.last[None], units)[0]
    return scores
