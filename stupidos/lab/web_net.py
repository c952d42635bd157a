"""Training the network of the web model: Adam on the weighted cross-entropy, in plain numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stupidos.lab.web_pages import Lesson
from stupidos.score.elements import Numbers
from stupidos.score.net import Matrix, Places, Weights, means

LEARNT = ("hidden", "hidden_bias", "mixed", "mixed_bias", "last", "direct", "bias")
DECAYED = ("hidden", "mixed")
WARM_UP = 100  # batches
FEWEST_BATCHES = 8  # a small corpus is cut smaller
FARTHEST = np.float32(5)  # standard deviations; what is beyond is cut


@dataclass(frozen=True, slots=True)
class Schooling:
    """How a network is trained."""

    hidden: int = 48
    units: int = 12
    epochs: int = 8
    steps: int = 400  # at least; a small corpus is seen more often
    rate: float = 3e-3
    dropout: float = 0.1
    decay: float = 1e-5
    batch: int = 24  # pages
    longest: int = 800  # segments; pages with more are left out, as they cost most and tell least
    seed: int = 2007


class Scale(NamedTuple):
    """Where the features lie and how far they spread."""

    mean: Matrix
    spread: Matrix  # standard deviation; 1 where a feature never varies

    def scaled(self, columns: Matrix) -> Matrix:
        """Features in standard deviations, cut at FARTHEST."""
        found: Matrix = np.clip((columns - self.mean) / self.spread, -FARTHEST, FARTHEST).astype(np.float32)
        return found


def schooled(lessons: Sequence[Lesson], how: Schooling, told: Callable[[], object] = lambda: None) -> Weights:
    """A network trained on the lessons; `told` is called after each epoch."""
    rng = np.random.default_rng(how.seed)
    fit = [lesson for lesson in lessons if len(lesson.labels) <= how.longest] or list(lessons)
    scale = scale_of(fit)
    weights = first_weights(len(scale.mean), len(fit[0].places.first), how, rng)
    scaled = [scale.scaled(lesson.columns).astype(np.float16) for lesson in fit]
    batches = -(-len(fit) // min(how.batch, max(1, len(fit) // FEWEST_BATCHES)))
    epochs = max(how.epochs, -(-how.steps // batches))
    adam = Adam(weights, how, epochs * batches)
    for _ in range(epochs):
        for chosen in np.array_split(rng.permutation(len(fit)), batches):
            some = [fit[at] for at in chosen]
            batch = Lesson(
                np.concatenate([scaled[at] for at in chosen]).astype(np.float32),
                side_by_side([lesson.places for lesson in some]),
                np.concatenate([lesson.labels for lesson in some]),
                np.divide(np.concatenate([lesson.weights for lesson in some]), len(some), dtype=np.float32),
            )
            weights = adam.stepped(weights, gradients(weights, batch, how.dropout, rng))
        told()
    return unscaled(weights, scale)


def scale_of(lessons: Sequence[Lesson]) -> Scale:
    """Mean and spread of the features, from every third segment."""
    sample = np.concatenate([lesson.columns[::3] for lesson in lessons])
    spread = sample.std(axis=0)
    return Scale(sample.mean(axis=0), np.where(spread > 1e-6, spread, 1).astype(np.float32))


def first_weights(features: int, kinds: int, how: Schooling, rng: np.random.Generator) -> Weights:
    """Random weights for scaled features, and so many kinds of neighbourhood."""

    def random(*shape: int, inputs: int) -> Matrix:
        return np.asarray(rng.standard_normal(shape) * np.sqrt(2 / inputs), np.float32)

    most = np.full(features, FARTHEST, np.float32)
    return Weights(
        -most, most, random(features, how.hidden, inputs=features), np.zeros(how.hidden, np.float32),
        random(how.hidden, (1 + kinds) * how.units, inputs=4 * how.hidden), np.zeros(how.units, np.float32),
        random(how.units, inputs=how.units), np.zeros(how.hidden, np.float32), np.zeros(1, np.float32),
    )  # fmt: skip


def unscaled(weights: Weights, scale: Scale) -> Weights:
    """The same network for features as they are, so that nothing need be scaled when it is used."""
    hidden = weights.hidden / scale.spread[:, None]
    return weights._replace(
        least=scale.mean - FARTHEST * scale.spread,
        most=scale.mean + FARTHEST * scale.spread,
        hidden=hidden,
        hidden_bias=weights.hidden_bias - scale.mean @ hidden,
    )


def side_by_side(pages: Sequence[Places]) -> Places:
    """The neighbourhoods of several pages as if they were one."""
    before = np.concatenate([[0], np.cumsum([len(page.order) for page in pages])[:-1]])
    first, end, order = (
        np.concatenate([part + offset for part, offset in zip(parts, before, strict=True)], axis=-1)
        for parts in zip(*pages, strict=True)
    )
    return Places(first, end, order)


def spread(slopes: Matrix, first: Numbers, end: Numbers) -> Matrix:
    """What each segment owes to the means it is part of: the transpose of the mean over stretches."""
    sized = slopes / np.maximum(end - first, 1)[:, None].astype(np.float32)
    changes = np.zeros((len(slopes) + 1, slopes.shape[1]), np.float32)
    for edge, sign in ((first, 1), (end, -1)):
        order = np.argsort(edge, kind="stable")
        ordered = edge[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        changes[ordered[starts]] += sign * np.add.reduceat(sized[order], starts, axis=0)
    owed: Matrix = np.cumsum(changes, axis=0)[:-1]
    return owed


def gradients(weights: Weights, batch: Lesson, dropout: float, rng: np.random.Generator) -> dict[str, Matrix]:
    """Slopes of the loss, for everything LEARNT."""
    columns, places, labels, importance = batch
    units, kinds = len(weights.last), len(places.first)
    before = columns @ weights.hidden + weights.hidden_bias
    mask = ((before > 0) & (rng.random(before.shape, dtype=np.float32) >= dropout)) / np.float32(1 - dropout)
    hidden: Matrix = np.multiply(before, mask, dtype=np.float32)
    behind = means(weights.mixed.T @ hidden.T, places, units).T + weights.mixed_bias
    active = np.maximum(behind, 0)
    odds = active @ weights.last + hidden @ weights.direct + weights.bias
    slope = (importance * (1 / (1 + np.exp(-np.clip(odds, -30, 30))) - labels)).astype(np.float32)
    behind_slope = np.outer(slope, weights.last) * (behind > 0)
    mixed_slope = np.empty((len(slope), (1 + kinds) * units), np.float32)
    mixed_slope[:, :units] = behind_slope
    for kind, (first, end) in enumerate(zip(places.first, places.end, strict=True), 1):
        owed = slice(None) if kind < kinds else places.order
        mixed_slope[owed, kind * units : (kind + 1) * units] = spread(behind_slope, first, end)
    hidden_slope = (mixed_slope @ weights.mixed.T + np.outer(slope, weights.direct)) * mask
    return {
        "hidden": columns.T @ hidden_slope, "hidden_bias": hidden_slope.sum(axis=0),
        "mixed": hidden.T @ mixed_slope, "mixed_bias": behind_slope.sum(axis=0),
        "last": active.T @ slope, "direct": hidden.T @ slope, "bias": slope.sum(keepdims=True),
    }  # fmt: skip


class Adam:
    """Adam (Kingma and Ba 2015) with a warm-up and a cosine down to nothing."""

    def __init__(self, weights: Weights, how: Schooling, steps: int) -> None:
        self.how, self.steps, self.step = how, steps, 0
        self.slopes = {name: np.zeros_like(getattr(weights, name)) for name in LEARNT}
        self.squares = {name: np.zeros_like(getattr(weights, name)) for name in LEARNT}

    def stepped(self, weights: Weights, found: dict[str, Matrix]) -> Weights:
        """The weights after one step."""
        self.step += 1
        rate = (
            self.how.rate * min(1.0, self.step / WARM_UP) * 0.5 * (1 + np.cos(np.pi * self.step / self.steps))
        )
        changed = {}
        for name in LEARNT:
            value = getattr(weights, name)
            slope = found[name] + self.how.decay * value if name in DECAYED else found[name]
            self.slopes[name] = 0.9 * self.slopes[name] + 0.1 * slope
            self.squares[name] = 0.999 * self.squares[name] + 0.001 * slope * slope
            mean = self.slopes[name] / (1 - 0.9**self.step)
            square = self.squares[name] / (1 - 0.999**self.step)
            changed[name] = (value - rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        return weights._replace(**changed)
