"""Paired tests: the paper's own figures, and scipy's where it is there."""

from __future__ import annotations

import math

import pytest

from stupidos.lab.significance import _incomplete_beta, _t_quantile, _t_test_p, gain


@pytest.mark.parametrize(
    ("t", "df", "p"),
    [(1.976, 157, 0.0499), (0.0, 5, 1.0), (12.706, 1, 0.05), (2.228, 10, 0.05), (math.inf, 3, 0.0)],
)
def test_p_is_that_of_the_tables(t: float, df: int, p: float) -> None:
    assert _t_test_p(t, df) == pytest.approx(p, abs=5e-5)
    assert _t_test_p(-t, df) == _t_test_p(t, df)


@pytest.mark.parametrize(("df", "value"), [(1, 12.7062), (10, 2.2281), (157, 1.9752), (10_000, 1.9602)])
def test_quantiles_are_those_of_the_tables(df: int, value: float) -> None:
    assert _t_quantile(0.975, df) == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("t", [0.1, 1.0, 3.3, 25.0])
@pytest.mark.parametrize("df", [1, 4, 57, 674])
def test_scipy_agrees(t: float, df: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert _t_test_p(t, df) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-10)


@pytest.mark.parametrize(("x", "value"), [(0.0, 0.0), (1.0, 1.0), (-1.0, 0.0), (0.5, 0.5)])
def test_the_beta_function_goes_from_0_to_1(x: float, value: float) -> None:
    assert _incomplete_beta(3, 3, x) == pytest.approx(value)


def test_a_real_gain_is_told_from_chance() -> None:
    better = gain([0.9 + page % 7 / 100 for page in range(60)], [0.85 + page % 5 / 100 for page in range(60)])
    assert better.low > 0
    assert better.bootstrap_low > 0
    assert better.p < 0.001
    chance = gain([0.5, 0.7] * 20, [0.7, 0.5] * 20)
    assert chance.low < 0 < chance.high
    assert chance.bootstrap_p > 0.5


def test_intervals_hold_the_mean_and_agree_with_each_other() -> None:
    found = gain([page % 11 / 11 for page in range(99)], [page % 4 / 9 for page in range(99)])
    assert found.low < found.mean < found.high
    assert found.bootstrap_low == pytest.approx(found.low, abs=0.02)
    assert found.bootstrap_high == pytest.approx(found.high, abs=0.02)
    assert gain([1.0], [0.5]).df == 1


def test_the_same_pages_give_the_same_interval() -> None:
    scores, baseline = [0.9, 0.8, 0.4], [0.7, 0.9, 0.3]
    assert gain(scores, baseline) == gain(scores, baseline)


def test_equal_scores_are_no_gain() -> None:
    found = gain([0.5, 0.6], [0.5, 0.6])
    assert (found.mean, found.t, found.p) == (0, 0, 1)
