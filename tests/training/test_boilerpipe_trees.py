"""Information gain and trained trees on blocks whose classes are known."""

from __future__ import annotations

import boilerpipe_trees as trees
import numpy as np
import pytest
from boilerpipe_features import FEATURES


def blocks(size: int = 400) -> trees.Blocks:
    """Content where the current block has more than 15 words; the other features are noise."""
    rng = np.random.default_rng(1)
    features = rng.random((size, len(FEATURES)))
    words = rng.integers(1, 40, size).astype(np.float64)
    features[:, FEATURES.index("current words")] = words
    return trees.Blocks(features, (words > 15) * 2, words, np.arange(size) % 10)


def test_the_gain_of_noise_is_far_below_that_of_the_class() -> None:
    some = blocks()
    labels = np.minimum(some.labels, 1)
    noise, telling = (
        trees.information_gain(some.features[:, FEATURES.index(name)], labels, some.words)
        for name in ("next words", "current words")
    )
    assert noise < 0.15 < telling


def test_a_feature_that_never_changes_gains_nothing() -> None:
    assert trees.information_gain(np.ones(6), np.array([0, 1, 0, 1, 0, 1]), np.ones(6)) == pytest.approx(0)


def test_every_row_names_features_that_exist() -> None:
    assert {name for row in trees.ROWS.values() for name in row} <= set(FEATURES)


def test_one_rule_finds_the_threshold() -> None:
    pytest.importorskip("sklearn")
    scores, area, leaves = trees.row(blocks(), ["current words"], (0, 1, 1, 1, 1, 1))
    assert scores.f == pytest.approx(1)
    assert (area, leaves) == (pytest.approx(1), 2)


def test_one_rule_partitions_a_feature_as_often_as_its_class_changes() -> None:
    x = np.arange(60.0)
    y = ((x // 10) % 2).astype(np.int64)
    rule = trees.OneRule.of(x, y, np.ones(60), least=5)
    assert rule.labels.tolist() == [0, 1, 0, 1, 0, 1]
    assert rule.predict(x).tolist() == y.tolist()


def test_one_rule_makes_no_partition_of_few_words() -> None:
    x = np.arange(60.0)
    y = ((x // 10) % 2).astype(np.int64)
    assert len(trees.OneRule.of(x, y, np.ones(60), least=50).ends) == 1
