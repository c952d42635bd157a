"""The network: its slopes are right, and it learns."""

import numpy as np
import pytest

from stupidos.lab.web_net import (
    LEARNT,
    Scale,
    Schooling,
    first_weights,
    gradients,
    scale_of,
    schooled,
    side_by_side,
    unscaled,
)
from stupidos.lab.web_pages import Lesson
from stupidos.score.net import Places, log_odds, product


def places_of(number, rng):
    """Neighbourhoods of a page without sense, but with every kind of stretch."""
    first = np.sort(rng.integers(0, number, number))
    end = np.minimum(first + rng.integers(0, 4, number), number)
    index = np.arange(number)
    order = rng.permutation(number)
    return Places(np.stack([first, index, first]), np.stack([end, index + 1, end]), order)


@pytest.fixture
def lessons():
    rng = np.random.default_rng(7)
    made = []
    for _ in range(12):
        columns = rng.standard_normal((15, 6)).astype(np.float32)
        labels = (columns[:, 0] + 0.5 * columns[:, 1] > 0).astype(np.float32)
        made.append(Lesson(columns, places_of(15, rng), labels, np.full(15, 1 / 15, np.float32)))
    return made


def loss(weights, lesson):
    """Cross-entropy in double precision."""
    odds = log_odds(lesson.columns, lesson.places, weights).astype(np.float64)
    return float((lesson.weights * (np.log1p(np.exp(odds)) - lesson.labels * odds)).sum())


@pytest.mark.parametrize("name", LEARNT)
def test_slopes_are_those_of_the_loss(name, lessons):
    lesson = lessons[0]
    rng = np.random.default_rng(1)
    weights = first_weights(6, 3, Schooling(hidden=5, units=3), rng)
    slopes = gradients(weights, lesson, 0.0, rng)[name]
    step = np.zeros_like(slopes)
    at = np.unravel_index(np.abs(slopes).argmax(), slopes.shape)
    step[at] = 1e-2
    up, down = (weights._replace(**{name: getattr(weights, name) + sign * step}) for sign in (1, -1))
    measured = (loss(up, lesson) - loss(down, lesson)) / 2e-2
    assert slopes[at] == pytest.approx(measured, rel=0.05, abs=2e-4)


def test_it_learns_what_can_be_learnt(lessons):
    weights = schooled(lessons, Schooling(hidden=8, units=4, epochs=60, steps=0, batch=4, rate=0.02))
    right = [
        ((log_odds(lesson.columns, lesson.places, weights) > 0) == lesson.labels).mean() for lesson in lessons
    ]
    assert np.mean(right) > 0.95


def test_the_same_lessons_give_the_same_weights(lessons):
    one, other = (schooled(lessons, Schooling(hidden=4, units=2, epochs=2, steps=0)) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one, other, strict=True))


def test_pages_side_by_side_are_judged_as_each_alone(lessons):
    weights = first_weights(6, 3, Schooling(hidden=5, units=3), np.random.default_rng(1))
    together = log_odds(
        np.concatenate([lesson.columns for lesson in lessons[:3]]),
        side_by_side([lesson.places for lesson in lessons[:3]]),
        weights,
    )
    alone = np.concatenate([log_odds(lesson.columns, lesson.places, weights) for lesson in lessons[:3]])
    assert together == pytest.approx(alone, abs=1e-4)


def test_unscaled_weights_judge_unscaled_features_alike(lessons):
    scale = scale_of(lessons)
    weights = first_weights(6, 3, Schooling(hidden=5, units=3), np.random.default_rng(1))
    columns, places = lessons[0].columns * 9 - 2, lessons[0].places
    scale = Scale(scale.mean * 9 - 2, scale.spread * 9)
    one = log_odds(scale.scaled(columns), places, weights)
    assert log_odds(columns, places, unscaled(weights, scale)) == pytest.approx(one, abs=1e-3)


@pytest.mark.parametrize(
    ("rows", "inner", "columns"), [(1, 5, 3), (300, 160, 48), (2000, 48, 1), (7, 48, 132)]
)
def test_a_product_in_blocks_is_the_product(rows, inner, columns):
    rng = np.random.default_rng(rows)
    left = rng.standard_normal((rows, inner)).astype(np.float32)
    right = rng.standard_normal((inner, columns)).astype(np.float32)
    assert product(left, right) == pytest.approx(left @ right, abs=1e-3)
