"""The network: its gradients are right, and it learns."""

import numpy as np
import pytest

from stupidos.score import registry
from stupidos.web import network
from stupidos.web.network import Neighbourhoods, _product, log_odds
from stupidos.web.train_data import TrainingPage
from stupidos.web.train_network import (
    _FIRST_CHANNEL_LOSS,
    _TRAINED,
    TrainingOptions,
    _batch_of,
    _concatenated,
    _for_raw_features,
    _gradients,
    _initial_weights,
    _Standardization,
    _standardization,
    train_network,
)


def neighbourhoods_of(number, rng):
    """Neighbourhoods of a page without sense, but with every kind of span."""
    first = np.sort(rng.integers(0, number, number))
    end = np.minimum(first + rng.integers(0, 4, number), number)
    index = np.arange(number)
    order = np.concatenate([index, rng.permutation(number)])
    firsts, ends = np.stack([first, index, first + number], 1), np.stack([end, index + 1, end + number], 1)
    return Neighbourhoods(np.stack([firsts, ends]), order)


@pytest.fixture
def pages():
    rng = np.random.default_rng(7)
    pages = []
    for _ in range(12):
        rows = rng.standard_normal((6, 15)).astype(np.float32)
        labels = (rows[0] + 0.5 * rows[1] > 0).astype(np.float32)
        words = rng.choice(4, 2, replace=False)
        pages.append(
            TrainingPage(
                rows, neighbourhoods_of(15, rng), labels, np.full(15, 1 / 15, np.float32), words, words[:0]
            )
        )
    return pages


def loss(weights, page):
    """Cross-entropy in double precision."""
    odds = log_odds(page.features, page.neighbourhoods, weights, page.words).astype(np.float64)
    kind = weights.kind_hidden @ network._page_kind(page.words, weights)
    hidden = np.maximum(weights.hidden @ page.features + (weights.hidden_bias + kind)[:, None], 0)
    first = (weights.heads[0] @ hidden).astype(np.float64)
    losses = [np.log1p(np.exp(some)) - page.labels * some for some in (odds, first)]
    return float((page.weights * (losses[0] + _FIRST_CHANNEL_LOSS * losses[1])).sum())


@pytest.mark.parametrize("name", _TRAINED)
def test_gradients_are_those_of_the_loss(name, pages):
    page = pages[0]
    rng = np.random.default_rng(1)
    weights = _initial_weights((6, 3, 4), TrainingOptions(hidden=5, channels=2, units=3), rng)
    gradient = _gradients(weights, _batch_of([page]), 0.0, rng)[name]
    step = np.zeros_like(gradient)
    at = np.unravel_index(np.abs(gradient).argmax(), gradient.shape)
    step[at] = 2e-3
    up, down = (weights._replace(**{name: getattr(weights, name) + sign * step}) for sign in (1, -1))
    measured = (loss(up, page) - loss(down, page)) / 4e-3
    assert gradient[at] == pytest.approx(measured, rel=0.05, abs=2e-4)


def test_it_learns_what_can_be_learnt(pages):
    weights = train_network(
        pages,
        TrainingOptions(
            hidden=8, channels=2, units=4, epochs=60, min_steps=0, batch_pages=4, learning_rate=0.02
        ),
        4,
    )
    right = [
        ((log_odds(page.features, page.neighbourhoods, weights, page.words) > 0) == page.labels).mean()
        for page in pages
    ]
    assert np.mean(right) > 0.95


def test_the_same_pages_give_the_same_weights(pages):
    one, other = (
        train_network(pages, TrainingOptions(hidden=4, channels=2, units=2, epochs=2, min_steps=0), 4)
        for _ in range(2)
    )
    assert all((a == b).all() for a, b in zip(one, other, strict=True))


def test_pages_concatenated_are_judged_as_each_alone(pages):
    weights = _initial_weights(
        (6, 3, 4), TrainingOptions(hidden=5, channels=2, units=3), np.random.default_rng(1)
    )
    together = log_odds(
        np.concatenate([page.features for page in pages[:3]], axis=1),
        _concatenated([page.neighbourhoods for page in pages[:3]]),
        weights,
    )
    alone = np.concatenate([log_odds(page.features, page.neighbourhoods, weights) for page in pages[:3]])
    assert together == pytest.approx(alone, abs=1e-4)


def test_unscaled_weights_judge_unscaled_features_alike(pages):
    scale = _standardization(pages)
    weights = _initial_weights(
        (6, 3, 4), TrainingOptions(hidden=5, channels=2, units=3), np.random.default_rng(1)
    )
    rows, neighbourhoods = pages[0].features * 9 - 2, pages[0].neighbourhoods
    scale = _Standardization(scale.mean * 9 - 2, scale.spread * 9)
    one = log_odds(scale.standardized(rows), neighbourhoods, weights)
    assert log_odds(rows, neighbourhoods, _for_raw_features(weights, scale)) == pytest.approx(one, abs=1e-3)


@pytest.mark.parametrize(
    ("rows", "inner", "columns"), [(1, 5, 3), (48, 160, 300), (1, 48, 9000), (132, 48, 7)]
)
def test_a_product_in_blocks_is_the_product(rows, inner, columns):
    rng = np.random.default_rng(rows)
    left = rng.standard_normal((rows, inner)).astype(np.float32)
    right = rng.standard_normal((inner, columns)).astype(np.float32)
    assert _product(left, right) == pytest.approx(left @ right, abs=1e-3)


def test_many_segments_are_judged_in_parts_as_all_at_once(pages, monkeypatch):
    weights = _initial_weights(
        (6, 3, 4), TrainingOptions(hidden=5, channels=2, units=3), np.random.default_rng(1)
    )
    at_once = log_odds(pages[0].features, pages[0].neighbourhoods, weights)
    monkeypatch.setattr(network, "SEGMENTS_AT_ONCE", 4)
    assert log_odds(pages[0].features, pages[0].neighbourhoods, weights) == pytest.approx(at_once, abs=1e-5)


@pytest.mark.parametrize(("first", "end"), [(0, 700), (1, 2), (199, 611), (430, 700), (699, 700)])
def test_the_hidden_layer_gives_a_part_the_same_bits_as_the_page(first, end, monkeypatch):
    rng = np.random.default_rng(2)
    weights = _initial_weights((75, 7, 4), TrainingOptions(hidden=32, channels=6, units=32), rng)
    rows, bias = rng.standard_normal((75, 700)).astype(np.float32), np.ones((32, 1), np.float32)
    monkeypatch.setattr(network, "_SINGLE_THREADED", 1 << 17)  # blocks of 54 and 105 columns
    whole = network._hidden_outputs(rows, weights, bias)
    part = network._outputs_of_part(lambda a, b: rows[:, a:b].copy(), slice(first, end), 700, weights, bias)
    assert part.tobytes() == whole[:, first:end].tobytes()


def test_a_neighbourhood_may_be_larger_than_the_part_that_is_judged(pages, monkeypatch):
    weights = _initial_weights(
        (6, 3, 4), TrainingOptions(hidden=5, channels=2, units=3), np.random.default_rng(1)
    )
    spans = pages[0].neighbourhoods.spans.copy()
    spans[:, :, 1] = [[0], [15]]  # the whole page
    neighbourhoods = pages[0].neighbourhoods._replace(spans=spans)
    at_once = log_odds(pages[0].features, neighbourhoods, weights)
    monkeypatch.setattr(network, "SEGMENTS_AT_ONCE", 4)
    assert log_odds(pages[0].features, neighbourhoods, weights) == pytest.approx(at_once, abs=1e-5)


def test_words_of_the_head_move_the_verdict(pages):
    weights = _initial_weights(
        (6, 3, 4), TrainingOptions(hidden=5, channels=2, units=3), np.random.default_rng(1)
    )
    rows, neighbourhoods, *_ = pages[0]
    assert (log_odds(rows, neighbourhoods, weights, [0, 2]) != log_odds(rows, neighbourhoods, weights)).any()


def test_weights_that_decayed_to_subnormal_numbers_become_zeros():
    weights = network.Weights(*(np.array([[1e-40, -1e-44], [1.0, -1e-37]], np.float32) for _ in range(11)))
    assert len(network.Weights._fields) == 11
    for array in weights.without_subnormals():
        assert array.dtype == np.float32
        assert array.tolist() == [[0, 0], [1, np.float32(-1e-37)]]


def test_the_shipped_weights_slow_no_product_down():
    for array in registry.scorer("web").weights:
        assert not ((array != 0) & (np.abs(array) < np.finfo(np.float32).smallest_normal)).any()
