"""Training of the second look: the cross-entropy of corrected scores, on pages that their model has not seen.

It learns from scores for the convention of each page's gold. From those for one convention it would learn
how the golds of a corpus differ from that, and on another corpus be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from stupidos.web.network import Matrix
from stupidos.web.second_look import INPUTS, SecondLook
from stupidos.web.train_cut import adam

_UNITS = 16
_NETWORKS = 3  # trained alike from other random weights; their mean is taken
_EPOCHS = 12
_BATCH = 12  # pages
_LEARNING_RATE = 3e-3
_WARM_UP = 100  # steps
_DECAY = np.float32(2e-3)
_DROPOUT = 0.1
_MIN_SPREAD = np.float32(0.1)  # of an input; scaled to unit variance, rare flags would become outliers
_LARGEST_PAGE = 800  # segments; longer pages are skipped, as for the network itself


class LookSample(NamedTuple):
    """A page whose first scores are unsure."""

    inputs: Matrix  # (INPUTS, segments)
    scores: Matrix  # to be corrected
    labels: Matrix
    weights: Matrix  # of each segment in the loss


class _Segments(NamedTuple):
    """The segments of all samples, one page after the other."""

    inputs: Matrix  # standardized
    scores: Matrix
    labels: Matrix
    weights: Matrix

    def of(self, pages: Sequence[slice]) -> _Segments:
        """Those of some pages; the loss is the mean of the pages."""
        inputs, scores, labels, weights = (
            np.concatenate([array[..., page] for page in pages], axis=-1) for array in self
        )
        return _Segments(inputs, scores, labels, np.divide(weights, len(pages), dtype=np.float32))


def train_second_look(samples: Sequence[LookSample]) -> SecondLook | None:
    """A network that corrects the scores of such pages: the mean of several; None without a page."""
    used = [sample for sample in samples if len(sample.scores) <= _LARGEST_PAGE]
    if not used:
        return None
    inputs, scores, labels, weights = (np.concatenate(arrays, axis=-1) for arrays in zip(*used, strict=True))
    mean = inputs.mean(axis=1, keepdims=True)
    spread = np.maximum(inputs.std(axis=1, keepdims=True), _MIN_SPREAD)
    inputs -= mean
    inputs /= spread
    segments = _Segments(inputs, scores, labels, weights)
    edges = np.cumsum([0, *(len(sample.scores) for sample in used)]).tolist()
    pages = [slice(*edge) for edge in pairwise(edges)]
    networks = [_trained(segments, pages, np.random.default_rng(seed)) for seed in range(_NETWORKS)]
    hidden, bias, last = (np.concatenate(parts) for parts in zip(*networks, strict=True))
    hidden = hidden / spread.T
    bias = bias - (hidden @ mean)[:, 0]
    return SecondLook(*(part.astype(np.float32) for part in (hidden, bias, last / _NETWORKS)))


def _trained(segments: _Segments, pages: Sequence[slice], rng: np.random.Generator) -> SecondLook:
    """One network for standardized inputs; at first it corrects nothing."""
    network = SecondLook(
        (rng.standard_normal((_UNITS, len(INPUTS))) * (2 / len(INPUTS)) ** 0.5).astype(np.float32),
        np.zeros(_UNITS, np.float32),
        np.zeros(_UNITS, np.float32),
    )
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in network]
    batches = -(-len(pages) // _BATCH)
    steps = _EPOCHS * batches
    done = 0
    for _ in range(_EPOCHS):
        for chosen in np.array_split(rng.permutation(len(pages)), batches):
            done += 1
            batch = segments.of([pages[index] for index in chosen])
            rate = _LEARNING_RATE * min(1.0, done / _WARM_UP) * 0.5 * (1 + np.cos(np.pi * done / steps))
            network = SecondLook(*adam(network, _gradients(network, batch, rng), moments, rate, done))
    return network


def _gradients(network: SecondLook, batch: _Segments, rng: np.random.Generator) -> SecondLook:
    """Gradients of the weighted cross-entropy of the corrected scores."""
    inputs = network.look_hidden @ batch.inputs + network.look_bias[:, None]
    kept = rng.random(inputs.shape, dtype=np.float32) >= _DROPOUT
    mask = ((inputs > 0) & kept) / np.float32(1 - _DROPOUT)
    hidden: Matrix = np.multiply(inputs, mask, dtype=np.float32)
    scores = batch.scores + network.look_last @ hidden
    probabilities = np.float32(0.5) + np.float32(0.5) * np.tanh(scores / 2)
    d_scores = batch.weights * (probabilities - batch.labels)
    d_hidden = np.outer(network.look_last, d_scores) * mask
    return SecondLook(
        (d_hidden @ batch.inputs.T + _DECAY * network.look_hidden).astype(np.float32),
        d_hidden.sum(axis=1, dtype=np.float32),
        (hidden @ d_scores + _DECAY * network.look_last).astype(np.float32),
    )
