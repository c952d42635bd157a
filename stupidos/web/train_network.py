"""Training of the network: Adam on the weighted cross-entropy, in plain numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stupidos.web.elements import Indices
from stupidos.web.network import Matrix, Neighbourhoods, Weights, inverse_sizes, pooled, prefix_sums
from stupidos.web.train_data import TrainingPage
from stupidos.web.train_page_kind import page_kind_gradients, page_kinds

_TRAINED = tuple(name for name in Weights._fields if name != "spread")
_DECAYED = ("hidden", "heads", "around", "kind_hidden", "kind_around")
_FIRST_CHANNEL_LOSS = np.float32(0.3)  # weight of the auxiliary loss that makes the first channel a verdict
_WARM_UP = 100  # steps
_MIN_BATCHES = 8  # per epoch; batches of a small corpus are smaller
_MIN_SPREAD = 0.1  # of a feature; scaled to unit variance, rare flags would become outliers


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """Sizes of the network and settings of its training."""

    hidden: int = 32  # units
    channels: int = 6
    units: int = 32  # of the second layer
    kind_size: int = 8  # of the vector that represents a kind of page
    epochs: int = 18
    min_steps: int = 400  # a small corpus gets more epochs
    learning_rate: float = 3e-3
    dropout: float = 0.2
    weight_decay: float = 2e-3
    batch_pages: int = 12
    longest_page: int = 800  # segments; longer pages are skipped, as they cost most and teach least
    seed: int = 2007


class _Batch(NamedTuple):
    """Several training pages concatenated."""

    features: Matrix
    neighbourhoods: Neighbourhoods
    labels: Matrix
    weights: Matrix
    words: list[Indices]  # of each page's head
    conventions: list[Indices]  # words that name the convention of each page's gold
    starts: Indices  # first segment of each page


class _Standardization(NamedTuple):
    """Mean and standard deviation of the features."""

    mean: Matrix  # (F, 1)
    spread: Matrix  # (F, 1) standard deviation, _MIN_SPREAD at least

    def standardized(self, features: Matrix) -> Matrix:
        """Features in standard deviations from the mean."""
        result: Matrix = (features - self.mean) / self.spread
        return result


def train_network(
    pages: Sequence[TrainingPage],
    options: TrainingOptions,
    vocabulary_size: int = 0,
    on_epoch: Callable[[], object] = lambda: None,
) -> Weights:
    """A network trained on the pages; `on_epoch` is called after each epoch."""
    rng = np.random.default_rng(options.seed)
    used = [page for page in pages if len(page.labels) <= options.longest_page] or list(pages)
    scale = _standardization(used)
    kinds = used[0].neighbourhoods.spans.shape[2]
    weights = _initial_weights((len(scale.mean), kinds, vocabulary_size), options, rng)
    standardized = [scale.standardized(page.features).astype(np.float16) for page in used]
    batches = -(-len(used) // min(options.batch_pages, max(1, len(used) // _MIN_BATCHES)))
    epochs = max(options.epochs, -(-options.min_steps // batches))
    adam = _Adam(weights, options, epochs * batches)
    for _ in range(epochs):
        for chosen in np.array_split(rng.permutation(len(used)), batches):
            batch = _batch_of([used[index]._replace(features=standardized[index]) for index in chosen])
            weights = adam.step(weights, _gradients(weights, batch, options.dropout, rng))
        on_epoch()
    return _for_raw_features(weights, scale)


def _batch_of(pages: Sequence[TrainingPage]) -> _Batch:
    """Pages as one batch; the loss is their mean."""
    return _Batch(
        np.concatenate([page.features for page in pages], axis=1).astype(np.float32),
        _concatenated([page.neighbourhoods for page in pages]),
        np.concatenate([page.labels for page in pages]),
        np.divide(np.concatenate([page.weights for page in pages]), len(pages), dtype=np.float32),
        [page.words for page in pages],
        [page.conventions for page in pages],
        np.cumsum([0, *(len(page.labels) for page in pages[:-1])]),
    )


def _standardization(pages: Sequence[TrainingPage]) -> _Standardization:
    """Mean and standard deviation of the features, from every third segment."""
    sample = np.concatenate([page.features[:, ::3] for page in pages], axis=1)
    spread = np.maximum(sample.std(axis=1, keepdims=True), np.float32(_MIN_SPREAD))
    return _Standardization(sample.mean(axis=1, keepdims=True), spread)


def _initial_weights(
    sizes: tuple[int, int, int], options: TrainingOptions, rng: np.random.Generator
) -> Weights:
    """Random weights for these numbers of features, neighbourhoods and words."""
    features, neighbourhoods, words = sizes

    def random(*shape: int, inputs: int) -> Matrix:
        return np.asarray(rng.standard_normal(shape) * np.sqrt(2 / inputs), np.float32)

    def zeros(size: int) -> Matrix:
        return np.zeros(size, np.float32)

    pooled_inputs = neighbourhoods * options.channels
    heads = random(options.channels + options.units + 1, options.hidden, inputs=2 * options.hidden)
    heads[-1] = 0
    hidden = random(options.hidden, features, inputs=features)
    around = random(options.units, pooled_inputs, inputs=2 * pooled_inputs)
    last = random(options.units, inputs=options.units)
    embeddings = random(words, options.kind_size, inputs=800)
    kind_hidden, kind_around = (
        random(size, options.kind_size, inputs=200) for size in (options.hidden, options.units)
    )
    return Weights(hidden, zeros(options.hidden), heads, around, zeros(options.units), last, zeros(1),
                   embeddings, kind_hidden, kind_around, zeros(features))  # fmt: skip


def _for_raw_features(weights: Weights, scale: _Standardization) -> Weights:
    """The same network with the standardization folded into its first layer."""
    hidden = weights.hidden / scale.spread.T
    bias: Matrix = (weights.hidden_bias - (hidden @ scale.mean)[:, 0]).astype(np.float32)
    return weights._replace(hidden=hidden, hidden_bias=bias, spread=scale.spread[:, 0])


def _concatenated(pages: Sequence[Neighbourhoods]) -> Neighbourhoods:
    """The neighbourhoods of several pages, as if they were one page."""
    counts = [page.spans.shape[1] for page in pages]
    spans: list[Indices] = []
    orders: list[Indices] = []
    before = 0
    for page, count in zip(pages, counts, strict=True):
        offset = np.full(page.spans.shape[2], before)
        offset[-1] += sum(counts) - count  # same-signature spans lie in the second half of `order`
        spans.append(page.spans + offset)
        orders.append(page.order.reshape(2, -1) + before)
        before += count
    return Neighbourhoods(np.concatenate(spans, axis=1), np.concatenate(orders, axis=1).ravel())


def _pooling_backward(pooled_gradient: Matrix, neighbourhoods: Neighbourhoods) -> Matrix:
    """Backward pass of network.pooled: gradients of the means, (N, K * C), to those of channels, (C, N)."""
    _, count, kinds = neighbourhoods.spans.shape
    per_segment = pooled_gradient.reshape(count * kinds, -1) * inverse_sizes(neighbourhoods.spans)[:, None]
    gradient = np.empty((per_segment.shape[1], count), np.float32)
    for channel, values in zip(gradient, np.ascontiguousarray(per_segment.T), strict=True):
        firsts, ends = (
            np.bincount(edge.ravel(), values, minlength=2 * count + 1) for edge in neighbourhoods.spans
        )
        suffix_sums = np.cumsum((ends - firsts)[:0:-1])[::-1]  # a segment is in all prefix sums after it
        channel[:] = suffix_sums[:count]
        channel[neighbourhoods.order[count:]] += suffix_sums[count:].astype(np.float32)
    return gradient


def _sigmoid(log_odds: Matrix) -> Matrix:
    probability: Matrix = np.float32(0.5) + np.float32(0.5) * np.tanh(log_odds / 2)
    return probability


def _gradients(
    weights: Weights, batch: _Batch, dropout: float, rng: np.random.Generator
) -> dict[str, Matrix]:
    """Gradients of the loss, for everything _TRAINED: forward pass, then backward pass."""
    features, neighbourhoods, labels, importance, words, conventions, starts = batch
    channels = weights.channels
    kinds = page_kinds(words, conventions, weights, rng if dropout > 0 else None)
    page = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(labels)))
    kind = kinds.vectors.T[:, page]  # (D, segments)
    inputs = weights.hidden @ features + weights.kind_hidden @ kind + weights.hidden_bias[:, None]
    mask = ((inputs > 0) & (rng.random(inputs.shape, dtype=np.float32) >= dropout)) / np.float32(1 - dropout)
    hidden: Matrix = np.multiply(inputs, mask, dtype=np.float32)
    outputs = weights.heads @ hidden
    first_log_odds = outputs[0].copy()
    outputs[0] = np.tanh(first_log_odds / 2)
    means = pooled(prefix_sums(outputs[:channels], neighbourhoods.order), neighbourhoods.spans)
    units = weights.around @ means.T + outputs[channels:-1] + weights.around_bias[:, None]
    units += weights.kind_around @ kind
    active = np.maximum(units, 0)
    log_odds = weights.last @ active + outputs[-1] + weights.bias

    d_log_odds = importance * (_sigmoid(log_odds) - labels)
    d_units = np.outer(weights.last, d_log_odds) * (units > 0)
    d_channels = _pooling_backward(d_units.T @ weights.around, neighbourhoods)
    d_outputs = np.concatenate([d_channels, d_units, d_log_odds[None]])
    d_outputs[0] *= (1 - outputs[0] ** 2) / 2
    d_outputs[0] += _FIRST_CHANNEL_LOSS * importance * (_sigmoid(first_log_odds) - labels)
    d_hidden = (weights.heads.T @ d_outputs) * mask
    by_page = [np.add.reduceat(gradient, starts, axis=1) for gradient in (d_hidden, d_units)]
    return page_kind_gradients(kinds, weights, *by_page) | {
        "hidden": d_hidden @ features.T, "hidden_bias": d_hidden.sum(axis=1),
        "heads": d_outputs @ hidden.T, "around": d_units @ means, "around_bias": d_units.sum(axis=1),
        "last": active @ d_log_odds, "bias": d_log_odds.sum(keepdims=True),
    }  # fmt: skip


class _Adam:
    """Adam (Kingma and Ba 2015) with warm-up and cosine decay of the learning rate."""

    def __init__(self, weights: Weights, options: TrainingOptions, steps: int) -> None:
        self.options, self.steps, self.done = options, steps, 0
        self.first_moments = {name: np.zeros_like(getattr(weights, name)) for name in _TRAINED}
        self.second_moments = {name: np.zeros_like(getattr(weights, name)) for name in _TRAINED}

    def step(self, weights: Weights, gradients: dict[str, Matrix]) -> Weights:
        """The weights after one step."""
        self.done += 1
        warmed_up = self.options.learning_rate * min(1.0, self.done / _WARM_UP)
        rate = warmed_up * 0.5 * (1 + np.cos(np.pi * self.done / self.steps))
        updated = {}
        for name in _TRAINED:
            value = getattr(weights, name)
            gradient = gradients[name]
            if name in _DECAYED:
                gradient = gradient + self.options.weight_decay * value
            self.first_moments[name] = 0.9 * self.first_moments[name] + 0.1 * gradient
            self.second_moments[name] = 0.999 * self.second_moments[name] + 0.001 * gradient * gradient
            # float64, as numpy 1 would stay with float32
            mean = (self.first_moments[name] / (1 - 0.9**self.done)).astype(np.float64)
            square = self.second_moments[name] / (1 - 0.999**self.done)
            updated[name] = (value - rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        return weights._replace(**updated)
