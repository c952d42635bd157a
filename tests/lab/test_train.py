from __future__ import annotations

from pathlib import Path

import pytest

from stupidos.errors import CorpusError, ModelError
from stupidos.lab.corpus import corpus
from stupidos.lab.examples import Example, Problem, examples
from stupidos.lab.train import PUBLISHED, SIDES, SIMPLIFIED, STANDARD, Recipe, Training, model_of, train
from stupidos.lm import store
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.page import Page, Segment
from stupidos.score import ngram

RECIPES = {
    "standard": STANDARD,
    "simplified": SIMPLIFIED,
    "aligned": Recipe(dirty="aligned"),
    "published": PUBLISHED,
    "unicode": Recipe("unicode", 5, 0.6, "aligned"),
}


@pytest.fixture(scope="session")
def samples(checkout: Path) -> list[Example | Problem]:
    return list(examples(corpus(checkout / "training" / "gold", checkout / "training" / "raw").pairs))


@pytest.fixture(scope="session", params=RECIPES.values(), ids=RECIPES)
def trained(request: pytest.FixtureRequest, samples: list[Example | Problem]) -> Training:
    return train(samples, request.param)


def test_the_sample_pages_are_twelve_or_more_and_without_problems(samples: list[Example | Problem]) -> None:
    assert len(samples) >= 12
    assert [sample for sample in samples if isinstance(sample, Problem)] == []


def test_a_trained_model_tells_text_from_navigation(trained: Training) -> None:
    scores = ngram.of(trained.model, "own").texts(
        ["The old boat had been built by his father and was never quite dry inside.", "Home | About | Log in"]
    )
    assert scores[0] > 0 > scores[1]


def test_a_training_says_how_it_went(trained: Training, samples: list[Example | Problem]) -> None:
    assert trained.pages == len(samples)
    assert trained.problems == []
    assert 0 < trained.bits["clean"] < 5
    assert 0 < trained.bits["dirty"] < 6
    assert len(trained.digest) == 64
    assert trained.header["counts"]["clean"]["characters"] == trained.model.clean.total > 1000


def test_a_saved_training_is_the_model_with_its_header(trained: Training, tmp_path: Path) -> None:
    trained.save(tmp_path / "own.npz", licence="none")
    model, header = store.load(tmp_path / "own.npz")
    assert model.clean.counts.tolist() == trained.model.clean.counts.tolist()
    assert (header["name"], header["licence"], header["dirty"]) == ("own", "none", trained.recipe.dirty)
    assert header["training_sha256"] == trained.digest


def test_training_twice_gives_the_same_bytes(samples: list[Example | Problem], tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        train(samples).save(tmp_path / folder / "own.npz")
    assert (tmp_path / "one" / "own.npz").read_bytes() == (tmp_path / "two" / "own.npz").read_bytes()


def test_problems_are_counted_and_the_rest_is_learnt(samples: list[Example | Problem]) -> None:
    problem = Problem("x", "the page has no text")
    whole, with_problem = train(samples), train([problem, *samples])
    assert with_problem.problems == [problem]
    assert with_problem.model.clean.by_text() == whole.model.clean.by_text()
    assert with_problem.digest == whole.digest


def test_nothing_but_problems_is_refused_with_reasons() -> None:
    with pytest.raises(CorpusError, match="no page to learn from: a: the page has no text; b: the gold"):
        train([Problem("a", "the page has no text"), Problem("b", "the gold text is empty")])


def test_no_pages_at_all_are_refused() -> None:
    with pytest.raises(CorpusError, match="no page to learn from"):
        train([])


def test_one_page_makes_a_model_without_held_out_bits() -> None:
    page = Page("", "", [Segment("It rained."), Segment("Home")])
    trained = train([Example("1", page, [Segment("It rained.")])])
    assert trained.bits == {}
    assert trained.model.dirty.total > 0


def test_dirty_counts_are_those_of_the_page_less_those_of_the_gold() -> None:
    letters = ALPHABETS["ascii"]
    gold, raw = count(["It rained."], letters, 3), count(["It rained.", "Home"], letters, 3)
    assert model_of(gold, raw, STANDARD).dirty.by_text() == count(["Home"], letters, 3).by_text()


def test_what_only_the_gold_has_is_not_dirty() -> None:
    letters = ALPHABETS["ascii"]
    gold, raw = count(["It rained.", "Twice."], letters, 3), count(["It rained.", "Home"], letters, 3)
    assert min(model_of(gold, raw, STANDARD).dirty.counts) > 0


def test_aligned_training_learns_from_whole_segments() -> None:
    page = Page("", "", [Segment("Home"), Segment("It rained all day on the quay."), Segment("Log in")])
    sides = SIDES["aligned"](Example("1", page, [Segment("It rained all day on the quay.")]))
    assert sides == (["It rained all day on the quay."], ["Home", "Log in"])


def test_an_unknown_alphabet_is_refused() -> None:
    with pytest.raises(ModelError, match="unknown alphabet runes"):
        train([], Recipe("runes"))
