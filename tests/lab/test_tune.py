"""Tuning: the grid agrees with the models it is a shortcut for."""

from __future__ import annotations

import tracemalloc
from functools import partial, reduce
from operator import add
from random import Random

import numpy as np
import pytest

from stupidos.lab import measure, tune_f
from stupidos.lab.cross_validation import HeldOutPage, cross_validated
from stupidos.lab.examples import Example
from stupidos.lab.folds import folds
from stupidos.lab.measure import Measure
from stupidos.lab.retrain import ngrams_retrained
from stupidos.lab.train import Recipe
from stupidos.lab.tune import Q_GRID, EntropyPoint, cross_entropies, unwatched, winner
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.lm.interpolate import cross_entropy
from stupidos.page import Page, Segment
from stupidos.pipeline import Options
from stupidos.score import ngram

ASCII = ALPHABETS["ascii"]


def texts(seed: int, letters: str = "ab c.é") -> list[list[str]]:
    random = Random(seed)
    return [
        ["".join(random.choice(letters) for _ in range(random.randrange(30))) for _ in range(6)]
        for _ in range(4)
    ]


def item(number: int) -> HeldOutPage:
    words = [f"word{number % 7}{letter}" for letter in "abcdefgh"]
    clean = [
        Segment(f"It was {' '.join(words)} that rained on day {number}."),
        Segment("Nobody went out then."),
    ]
    page = Page("", "", [Segment("Home"), *clean, Segment(f"Copyright {1990 + number}"), Segment("Log in")])
    gold = "".join(f"<p>{segment.text}\n" for segment in clean)
    return HeldOutPage(Example(f"{number:02}", page, clean), gold, "flawed" if number == 3 else "")


@pytest.fixture(scope="module")
def parts() -> list[list[HeldOutPage]]:
    items = {one.example.name: one for one in map(item, range(16))}
    return [[items[name] for name in part] for part in folds(list(items), number=4)]


@pytest.mark.parametrize("alphabet", ["ascii", "simplified", "unicode"])
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_bits_are_those_of_models_trained_without_the_fold(alphabet: str, n: int) -> None:
    letters, corpus = ALPHABETS[alphabet], texts(n)
    rows = [row for row in cross_entropies(corpus, letters, n, (0.3, 0.8)) if row.n == n]
    counts = [count(part, letters, n) for part in corpus]
    whole = reduce(add, counts)
    for row in rows:
        bits = sum(cross_entropy(whole - part, part, row.q) * part.total for part in counts) / whole.total
        assert row.bits == pytest.approx(bits, rel=1e-5)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_bits_of_the_published_formula_are_those_of_its_models(n: int) -> None:
    corpus = texts(n)
    rows = [row for row in cross_entropies(corpus, ASCII, n, (0.3, 0.8), fixed_weights=True) if row.n == n]
    counts = [count(part, ASCII, n) for part in corpus]
    whole = reduce(add, counts)
    for row in rows:
        bits = sum(cross_entropy(whole - part, part, row.q, True) * part.total for part in counts)
        assert row.bits == pytest.approx(bits / whole.total, rel=1e-5)


def test_one_run_serves_every_lower_order() -> None:
    corpus = texts(7)
    large = cross_entropies(corpus, ASCII, 4, (0.5,))
    small = cross_entropies(corpus, ASCII, 2, (0.5,))
    assert [row.bits for row in large[:2]] == pytest.approx([row.bits for row in small], rel=1e-6)


def test_tuning_takes_little_memory_for_each_character() -> None:
    words = Random(1).choices(["it", "rained", "on", "the", "old", "harbour", "all", "day"], k=60_000)
    pages = [" ".join(words[start : start + 600]) for start in range(0, 60_000, 600)]
    corpus = [pages[fold::4] for fold in range(4)]
    characters = sum(len(text) for part in corpus for text in part)
    tracemalloc.start()
    cross_entropies(corpus, ASCII, 8, (0.5,))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40 * characters


def test_a_fold_may_be_empty() -> None:
    assert len(cross_entropies([["ab"], [], ["", "abab"]], ASCII, 3, Q_GRID)) == 3 * len(Q_GRID)


def test_the_winner_has_the_fewest_bits() -> None:
    rows = [EntropyPoint(1, 0.5, 4.0), EntropyPoint(2, 0.5, 3.0), EntropyPoint(3, 0.5, 3.5)]
    assert winner(rows) == rows[1]


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe("ascii", 3, 0.5),
        Recipe("simplified", 5, 0.3),
        Recipe("ascii", 3, 0.5, "published"),
        Recipe("simplified", 4, 0.4, "published"),
    ],
    ids=str,
)
def test_scores_of_the_grid_are_those_of_retrained_models(
    recipe: Recipe, parts: list[list[HeldOutPage]]
) -> None:
    corpus = tune_f._Corpus.of(parts, ALPHABETS[recipe.alphabet], recipe.n)
    published = recipe.dirty == "published"
    sides = corpus.sides(unwatched, published)
    *_, scores = tune_f._scores(*sides, corpus.starts, recipe.q, published)
    learnt = [[one.example for one in part if not one.flaw] for part in parts]
    expected = []
    for scorer, part in zip(ngrams_retrained(recipe, "x", learnt), parts, strict=True):
        assert isinstance(scorer, ngram.Ngram)
        expected += [scorer.score(one.example.page) for one in part]
    assert scores == pytest.approx(np.concatenate(expected), rel=1e-6, abs=2e-3)


def test_the_score_of_a_setting_is_nearly_the_measured_one(parts: list[list[HeldOutPage]]) -> None:
    rows = tune_f.tuned(parts, ASCII, 3, (0.5,))
    assert [(row.n, row.q) for row in rows] == [(1, 0.5), (2, 0.5), (3, 0.5)]
    best = rows[-1]
    trained = partial(ngrams_retrained, Recipe("ascii", best.n, best.q), "tuned")
    found = cross_validated(trained, parts, Options(threshold=best.threshold), Measure(), map, "")
    assert found.macro["f"] == pytest.approx(best.f, abs=0.02)
    assert len(found.pages) == 16


def test_a_page_too_long_to_align_leaves_the_others_scored(
    parts: list[list[HeldOutPage]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measure, "_MAX_STEPS", 150)
    long = parts[0][0]._replace(gold=parts[0][0].gold * 8)
    changed = [[long, *parts[0][1:]], *parts[1:]]
    trained = partial(ngrams_retrained, Recipe("ascii", 3, 0.5), "x")
    found = cross_validated(trained, changed, Options(), Measure(), map, "")
    assert [problem.name for problem in found.problems] == [long.example.name]
    assert len(found.pages) == 15


def test_a_marker_in_the_text_of_a_page_is_not_a_segment() -> None:
    page = Page("", "", [Segment("the <p> element"), Segment("is old")])
    found = tune_f._aligned([HeldOutPage(Example("1", page, []), "<p>the <p> element\n<p>is old", "")])
    assert found.size.tolist() == [4, 3]
    assert found.matched.tolist() == [4, 3]
    assert found.edges.tolist() == [1]  # this gold does not end in a newline
