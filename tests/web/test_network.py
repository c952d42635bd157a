"""The network: its slopes are right, and it learns."""

import numpy as np
import pytest

from stupidos.web import network
from stupidos.web.network import Places, log_odds, product
from stupidos.web.train_data import Lesson
from stupidos.web.train_network import (
    FIRST_OPINION,
    LEARNT,
    Scale,
    Schooling,
    batch_of,
    first_weights,
    gradients,
    scale_of,
    schooled,
    side_by_side,
    unscaled,
)


def places_of(number, rng):
    """Neighbourhoods of a page without sense, but with every kind of stretch."""
    first = np.sort(rng.integers(0, number, number))
    end = np.minimum(first + rng.integers(0, 4, number), number)
    index = np.arange(number)
    order = np.concatenate([index, rng.permutation(number)])
    firsts, ends = np.stack([first, index, first + number], 1), np.stack([end, index + 1, end + number], 1)
    return Places(np.stack([firsts, ends]), order)


@pytest.fixture
def lessons():
    rng = np.random.default_rng(7)
    made = []
    for _ in range(12):
        rows = rng.standard_normal((6, 15)).astype(np.float32)
        labels = (rows[0] + 0.5 * rows[1] > 0).astype(np.float32)
        words = rng.choice(4, 2, replace=False)
        made.append(Lesson(rows, places_of(15, rng), labels, np.full(15, 1 / 15, np.float32), words))
    return made


def loss(weights, lesson):
    """Cross-entropy in double precision."""
    odds = log_odds(lesson.rows, lesson.places, weights, lesson.words).astype(np.float64)
    kind = weights.kind_hidden @ network.kind_of(lesson.words, weights)
    hidden = np.maximum(weights.hidden @ lesson.rows + (weights.hidden_bias + kind)[:, None], 0)
    first = (weights.heads[0] @ hidden).astype(np.float64)
    losses = [np.log1p(np.exp(some)) - lesson.labels * some for some in (odds, first)]
    return float((lesson.weights * (losses[0] + FIRST_OPINION * losses[1])).sum())


@pytest.mark.parametrize("name", LEARNT)
def test_slopes_are_those_of_the_loss(name, lessons):
    lesson = lessons[0]
    rng = np.random.default_rng(1)
    weights = first_weights((6, 3, 4), Schooling(hidden=5, opinions=2, units=3), rng)
    slopes = gradients(weights, batch_of([lesson]), 0.0, rng)[name]
    step = np.zeros_like(slopes)
    at = np.unravel_index(np.abs(slopes).argmax(), slopes.shape)
    step[at] = 2e-3
    up, down = (weights._replace(**{name: getattr(weights, name) + sign * step}) for sign in (1, -1))
    measured = (loss(up, lesson) - loss(down, lesson)) / 4e-3
    assert slopes[at] == pytest.approx(measured, rel=0.05, abs=2e-4)


def test_it_learns_what_can_be_learnt(lessons):
    weights = schooled(
        lessons, Schooling(hidden=8, opinions=2, units=4, epochs=60, steps=0, batch=4, rate=0.02), 4
    )
    right = [
        ((log_odds(lesson.rows, lesson.places, weights, lesson.words) > 0) == lesson.labels).mean()
        for lesson in lessons
    ]
    assert np.mean(right) > 0.95


def test_the_same_lessons_give_the_same_weights(lessons):
    one, other = (
        schooled(lessons, Schooling(hidden=4, opinions=2, units=2, epochs=2, steps=0), 4) for _ in range(2)
    )
    assert all((a == b).all() for a, b in zip(one, other, strict=True))


def test_pages_side_by_side_are_judged_as_each_alone(lessons):
    weights = first_weights((6, 3, 4), Schooling(hidden=5, opinions=2, units=3), np.random.default_rng(1))
    together = log_odds(
        np.concatenate([lesson.rows for lesson in lessons[:3]], axis=1),
        side_by_side([lesson.places for lesson in lessons[:3]]),
        weights,
    )
    alone = np.concatenate([log_odds(lesson.rows, lesson.places, weights) for lesson in lessons[:3]])
    assert together == pytest.approx(alone, abs=1e-4)


def test_unscaled_weights_judge_unscaled_features_alike(lessons):
    scale = scale_of(lessons)
    weights = first_weights((6, 3, 4), Schooling(hidden=5, opinions=2, units=3), np.random.default_rng(1))
    rows, places = lessons[0].rows * 9 - 2, lessons[0].places
    scale = Scale(scale.mean * 9 - 2, scale.spread * 9)
    one = log_odds(scale.scaled(rows), places, weights)
    assert log_odds(rows, places, unscaled(weights, scale)) == pytest.approx(one, abs=1e-3)


@pytest.mark.parametrize(
    ("rows", "inner", "columns"), [(1, 5, 3), (48, 160, 300), (1, 48, 9000), (132, 48, 7)]
)
def test_a_product_in_blocks_is_the_product(rows, inner, columns):
    rng = np.random.default_rng(rows)
    left = rng.standard_normal((rows, inner)).astype(np.float32)
    right = rng.standard_normal((inner, columns)).astype(np.float32)
    assert product(left, right) == pytest.approx(left @ right, abs=1e-3)


def test_many_segments_are_judged_in_parts_as_all_at_once(lessons, monkeypatch):
    weights = first_weights((6, 3, 4), Schooling(hidden=5, opinions=2, units=3), np.random.default_rng(1))
    at_once = log_odds(lessons[0].rows, lessons[0].places, weights)
    monkeypatch.setattr(network, "AT_ONCE", 4)
    assert log_odds(lessons[0].rows, lessons[0].places, weights) == pytest.approx(at_once, abs=1e-5)


def test_a_neighbourhood_may_be_larger_than_the_part_that_is_judged(lessons, monkeypatch):
    weights = first_weights((6, 3, 4), Schooling(hidden=5, opinions=2, units=3), np.random.default_rng(1))
    edges = lessons[0].places.edges.copy()
    edges[:, :, 1] = [[0], [15]]  # the whole page
    places = lessons[0].places._replace(edges=edges)
    at_once = log_odds(lessons[0].rows, places, weights)
    monkeypatch.setattr(network, "AT_ONCE", 4)
    assert log_odds(lessons[0].rows, places, weights) == pytest.approx(at_once, abs=1e-5)


def test_words_of_the_head_move_the_verdict(lessons):
    weights = first_weights((6, 3, 4), Schooling(hidden=5, opinions=2, units=3), np.random.default_rng(1))
    rows, places, *_ = lessons[0]
    assert (log_odds(rows, places, weights, [0, 2]) != log_odds(rows, places, weights)).any()
