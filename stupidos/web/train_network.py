"""Training the network of the web model: Adam on the weighted cross-entropy, in plain numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from stupidos.web.elements import Numbers
from stupidos.web.network import Matrix, Places, Weights, means, one_over_sizes, sums_of
from stupidos.web.train_data import Lesson
from stupidos.web.train_page_kind import kinds, slopes_of

LEARNT = tuple(name for name in Weights._fields if name != "spread")
DECAYED = ("hidden", "heads", "around", "kind_hidden", "kind_around")
FIRST_OPINION = np.float32(0.3)  # weight of the first opinion's own loss, which makes it a verdict
WARM_UP = 100  # batches
FEWEST_BATCHES = 8  # a small corpus is cut smaller
LEAST_SPREAD = 0.1  # of a feature; rare flags would be thrown far out if they were scaled to one


@dataclass(frozen=True, slots=True)
class Schooling:
    """How a network is trained."""

    hidden: int = 32
    opinions: int = 6
    units: int = 32
    kinds: int = 8  # numbers that tell a kind of page
    epochs: int = 18
    steps: int = 400  # at least; a small corpus is seen more often
    rate: float = 3e-3
    dropout: float = 0.2
    decay: float = 2e-3
    batch: int = 12  # pages
    longest: int = 800  # segments; pages with more are left out, as they cost most and tell least
    seed: int = 2007


class Batch(NamedTuple):
    """Several lessons side by side."""

    rows: Matrix
    places: Places
    labels: Matrix
    weights: Matrix
    words: list[Numbers]  # of each page's head
    starts: Numbers  # the first segment of each page


class Scale(NamedTuple):
    """Where the features lie and how far they spread."""

    mean: Matrix  # (F, 1)
    spread: Matrix  # (F, 1) standard deviation, LEAST_SPREAD at least

    def scaled(self, rows: Matrix) -> Matrix:
        """Features in standard deviations."""
        found: Matrix = (rows - self.mean) / self.spread
        return found


def schooled(
    lessons: Sequence[Lesson], how: Schooling, known: int = 0, told: Callable[[], object] = lambda: None
) -> Weights:
    """A network trained on the lessons, with so many known words; `told` is called after each epoch."""
    rng = np.random.default_rng(how.seed)
    fit = [lesson for lesson in lessons if len(lesson.labels) <= how.longest] or list(lessons)
    scale = scale_of(fit)
    weights = first_weights((len(scale.mean), fit[0].places.edges.shape[2], known), how, rng)
    scaled = [scale.scaled(lesson.rows).astype(np.float16) for lesson in fit]
    batches = -(-len(fit) // min(how.batch, max(1, len(fit) // FEWEST_BATCHES)))
    epochs = max(how.epochs, -(-how.steps // batches))
    adam = Adam(weights, how, epochs * batches)
    for _ in range(epochs):
        for chosen in np.array_split(rng.permutation(len(fit)), batches):
            batch = batch_of([fit[at]._replace(rows=scaled[at]) for at in chosen])
            weights = adam.stepped(weights, gradients(weights, batch, how.dropout, rng))
        told()
    return unscaled(weights, scale)


def batch_of(lessons: Sequence[Lesson]) -> Batch:
    """Lessons as one; each page weighs its share."""
    return Batch(
        np.concatenate([lesson.rows for lesson in lessons], axis=1).astype(np.float32),
        side_by_side([lesson.places for lesson in lessons]),
        np.concatenate([lesson.labels for lesson in lessons]),
        np.divide(np.concatenate([lesson.weights for lesson in lessons]), len(lessons), dtype=np.float32),
        [lesson.words for lesson in lessons],
        np.cumsum([0, *(len(lesson.labels) for lesson in lessons[:-1])]),
    )


def scale_of(lessons: Sequence[Lesson]) -> Scale:
    """Mean and spread of the features, from every third segment."""
    sample = np.concatenate([lesson.rows[:, ::3] for lesson in lessons], axis=1)
    spread = np.maximum(sample.std(axis=1, keepdims=True), np.float32(LEAST_SPREAD))
    return Scale(sample.mean(axis=1, keepdims=True), spread)


def first_weights(sizes: tuple[int, int, int], how: Schooling, rng: np.random.Generator) -> Weights:
    """Random weights for so many scaled features, neighbourhoods and known words."""
    features, neighbourhoods, known = sizes

    def random(*shape: int, inputs: int) -> Matrix:
        return np.asarray(rng.standard_normal(shape) * np.sqrt(2 / inputs), np.float32)

    def zeros(number: int) -> Matrix:
        return np.zeros(number, np.float32)

    heard = neighbourhoods * how.opinions
    heads = random(how.opinions + how.units + 1, how.hidden, inputs=2 * how.hidden)
    heads[-1] = 0
    hidden = random(how.hidden, features, inputs=features)
    around = random(how.units, heard, inputs=2 * heard)
    last = random(how.units, inputs=how.units)
    words = random(known, how.kinds, inputs=800)
    kind_hidden, kind_around = (random(number, how.kinds, inputs=200) for number in (how.hidden, how.units))
    return Weights(hidden, zeros(how.hidden), heads, around, zeros(how.units), last, zeros(1),
                   words, kind_hidden, kind_around, zeros(features))  # fmt: skip


def unscaled(weights: Weights, scale: Scale) -> Weights:
    """The same network for features as they are, so that nothing need be scaled when it is used."""
    hidden = weights.hidden / scale.spread.T
    bias: Matrix = (weights.hidden_bias - (hidden @ scale.mean)[:, 0]).astype(np.float32)
    return weights._replace(hidden=hidden, hidden_bias=bias, spread=scale.spread[:, 0])


def side_by_side(pages: Sequence[Places]) -> Places:
    """The neighbourhoods of several pages as if they were one."""
    numbers = [page.edges.shape[1] for page in pages]
    edges: list[Numbers] = []
    halves: list[Numbers] = []
    before = 0
    for page, number in zip(pages, numbers, strict=True):
        offset = np.full(page.edges.shape[2], before)
        offset[-1] += sum(numbers) - number  # kin lie behind all the segments
        edges.append(page.edges + offset)
        halves.append(page.order.reshape(2, -1) + before)
        before += number
    return Places(np.concatenate(edges, axis=1), np.concatenate(halves, axis=1).ravel())


def owed(slopes: Matrix, places: Places) -> Matrix:
    """What each opinion owes to the means it is part of: the transpose of net.means, (N, K * C) to (C, N)."""
    _, number, kinds = places.edges.shape
    sized = slopes.reshape(number * kinds, -1) * one_over_sizes(places.edges)[:, None]
    found = np.empty((sized.shape[1], number), np.float32)
    for opinion, some in zip(found, np.ascontiguousarray(sized.T), strict=True):
        firsts, ends = (np.bincount(edge.ravel(), some, minlength=2 * number + 1) for edge in places.edges)
        from_here = np.cumsum((ends - firsts)[:0:-1])[::-1]  # a segment is in all sums behind it
        opinion[:] = from_here[:number]
        opinion[places.order[number:]] += from_here[number:].astype(np.float32)
    return found


def clean(odds: Matrix) -> Matrix:
    """The probability that log-odds stand for."""
    found: Matrix = np.float32(0.5) + np.float32(0.5) * np.tanh(odds / 2)
    return found


def gradients(weights: Weights, batch: Batch, dropout: float, rng: np.random.Generator) -> dict[str, Matrix]:
    """Slopes of the loss, for everything LEARNT."""
    rows, places, labels, importance, words, starts = batch
    asked = weights.opinions
    kind = kinds(words, weights, dropout > 0, rng)
    page = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(labels)))
    told = kind.vectors.T[:, page]  # (D, segments)
    before = weights.hidden @ rows + weights.kind_hidden @ told + weights.hidden_bias[:, None]
    mask = ((before > 0) & (rng.random(before.shape, dtype=np.float32) >= dropout)) / np.float32(1 - dropout)
    hidden: Matrix = np.multiply(before, mask, dtype=np.float32)
    heads = weights.heads @ hidden
    first_odds = heads[0].copy()
    heads[0] = np.tanh(first_odds / 2)
    heard = means(sums_of(heads[:asked], places.order), places.edges)
    behind = weights.around @ heard.T + heads[asked:-1] + weights.around_bias[:, None]
    behind += weights.kind_around @ told
    active = np.maximum(behind, 0)
    odds = weights.last @ active + heads[-1] + weights.bias
    slope = importance * (clean(odds) - labels)
    behind_slope = np.outer(weights.last, slope) * (behind > 0)
    heads_slope = np.concatenate([owed(behind_slope.T @ weights.around, places), behind_slope, slope[None]])
    heads_slope[0] *= (1 - heads[0] ** 2) / 2
    heads_slope[0] += FIRST_OPINION * importance * (clean(first_odds) - labels)
    hidden_slope = (weights.heads.T @ heads_slope) * mask
    by_page = [np.add.reduceat(slopes, starts, axis=1) for slopes in (hidden_slope, behind_slope)]
    return slopes_of(kind, weights, *by_page) | {
        "hidden": hidden_slope @ rows.T, "hidden_bias": hidden_slope.sum(axis=1),
        "heads": heads_slope @ hidden.T, "around": behind_slope @ heard,
        "around_bias": behind_slope.sum(axis=1), "last": active @ slope, "bias": slope.sum(keepdims=True),
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
            mean = (self.slopes[name] / (1 - 0.9**self.step)).astype(np.float64)  # numpy 1 keeps 32 bits
            square = self.squares[name] / (1 - 0.999**self.step)
            changed[name] = (value - rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)
        return weights._replace(**changed)
