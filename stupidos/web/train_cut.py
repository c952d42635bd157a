"""Training of the learnt cut: the network is trained on the F of its own choice.

It learns from pages that the model behind the scores has not seen. The loss is the expected F of a choice by
softmax over the cuts of a page; regressing the F of each cut gained nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from stupidos.score.cut import CutNetwork, cuts
from stupidos.score.scorer import Scores
from stupidos.web.network import Matrix

_UNITS = 24
_NETWORKS = 3  # trained alike from other random weights, and added up
_EPOCHS = 20
_BATCH = 64  # pages
_LEARNING_RATE = 4e-3
_DECAY = 1e-4
_SCALE = 10.0  # of the loss: differences of F are small


class CutSample(NamedTuple):
    """The cuts of a page and what each is worth."""

    features: Matrix  # (cuts, features)
    f: Matrix  # (cuts,): F of the text that each keeps
    weight: float


def cut_sample(
    scores: Scores, sizes: Scores, words: Scores, shares: Scores, gold: int, weight: float = 1.0
) -> CutSample:
    """A sample of a page: words of each segment, share of them in the gold, and words of the gold."""
    found = cuts(scores, sizes)
    kept = words.take(found.order).cumsum().take(found.last)
    hits = (words * shares).take(found.order).cumsum().take(found.last)
    return CutSample(found.features, (2 * hits / np.maximum(kept + gold, 1)).astype(np.float32), weight)


def train_cut(samples: Sequence[CutSample]) -> CutNetwork:
    """A network that rates cuts: the sum of several, since one alone depends much on its random start."""
    networks = [_trained(samples, np.random.default_rng(seed)) for seed in range(_NETWORKS)]
    return CutNetwork(*(np.concatenate(parts) for parts in zip(*networks, strict=True)))


def _trained(samples: Sequence[CutSample], rng: np.random.Generator) -> CutNetwork:
    """One network, with the standardization of its inputs folded in."""
    features = np.stack([sample.features for sample in samples])  # (pages, cuts, features)
    f = np.stack([sample.f for sample in samples])
    weights = np.array([sample.weight for sample in samples], np.float32)
    flat = features.reshape(-1, features.shape[2])
    mean, spread = flat.mean(axis=0), flat.std(axis=0) + np.float32(1e-3)
    inputs = (features - mean) / spread
    network = CutNetwork(
        rng.normal(0, features.shape[2] ** -0.5, (_UNITS, features.shape[2])).astype(np.float32),
        np.zeros(_UNITS, np.float32),
        rng.normal(0, 0.1, _UNITS).astype(np.float32),
    )
    moments = [(np.zeros_like(part), np.zeros_like(part)) for part in network]
    batches = len(samples) // _BATCH + 1
    steps = _EPOCHS * batches
    for step in range(1, steps + 1):
        if step % batches == 1 or batches == 1:
            parts = np.array_split(rng.permutation(len(samples)), batches)
        chosen = parts[(step - 1) % batches]
        gradients = _gradients(network, inputs[chosen], f[chosen], weights[chosen])
        rate = _LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
        network = CutNetwork(*adam(network, gradients, moments, rate, step))
    hidden = network.cut_hidden / spread
    return CutNetwork(
        hidden.astype(np.float32), (network.cut_bias - hidden @ mean).astype(np.float32), network.cut_last
    )


def _gradients(network: CutNetwork, inputs: Matrix, f: Matrix, weights: Matrix) -> CutNetwork:
    """Gradients of minus the expected F of a choice by softmax."""
    pages, count, size = inputs.shape
    flat = inputs.reshape(-1, size)
    hidden = np.tanh(flat @ network.cut_hidden.T + network.cut_bias)
    ratings = (hidden @ network.cut_last).reshape(pages, count)
    chances = np.exp(ratings - ratings.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    gain = f - (chances * f).sum(axis=1, keepdims=True)
    d_ratings = (chances * gain * (-_SCALE / pages * weights)[:, None]).reshape(-1, 1)
    d_hidden = d_ratings * network.cut_last * (1 - hidden * hidden)
    return CutNetwork(
        d_hidden.T @ flat + np.float32(_DECAY) * network.cut_hidden,
        d_hidden.sum(axis=0),
        hidden.T @ d_ratings[:, 0] + np.float32(_DECAY) * network.cut_last,
    )


def adam(
    network: Sequence[Matrix],
    gradients: Sequence[Matrix],
    moments: Sequence[tuple[Matrix, Matrix]],
    rate: float,
    step: int,
) -> list[Matrix]:
    """The parameters after one step; `moments` are updated in place."""
    updated = []
    for value, gradient, (first, second) in zip(network, gradients, moments, strict=True):
        first += np.float32(0.1) * (gradient - first)
        second += np.float32(0.001) * (gradient * gradient - second)
        move = first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        updated.append((value - rate * move).astype(np.float32))
    return updated
