"""Folds, and models trained anew for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from stupidos.errors import CorpusError, ModelError
from stupidos.lab.examples import Example
from stupidos.lab.folds import folds, page_table
from stupidos.lab.retrain import _RECIPES, ngrams_retrained, retrainer
from stupidos.lab.train import Recipe, train
from stupidos.page import Page, Segment
from stupidos.score import ngram

NAMES = [f"page-{number}" for number in range(43)]


def example(name: str) -> Example:
    number = int(name[5:])
    clean = [Segment(f"It rained on day {number} and the tea was hot."), Segment("Nobody went out.")]
    dirty = [Segment("Home | Login | Contact"), Segment(f"Copyright {1990 + number} by us")]
    return Example(name, Page("", "", [dirty[0], *clean, dirty[1]]), clean)


@pytest.mark.parametrize("number", [2, 10])
def test_every_page_is_in_one_fold(number: int) -> None:
    parts = folds(NAMES, number=number)
    assert sorted(name for part in parts for name in part) == sorted(NAMES)
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_folds_depend_on_the_names_alone() -> None:
    assert folds(NAMES) == folds(NAMES[::-1])


def test_pages_of_a_site_stay_together() -> None:
    sites = {name: f"site-{int(name[5:]) % 6}" for name in NAMES}
    parts = folds(NAMES, sites, number=3)
    assert all(len({number for number, part in enumerate(parts) if page in part}) == 1 for page in NAMES)
    homes: dict[str, set[int]] = {}
    for number, part in enumerate(parts):
        for page in part:
            homes.setdefault(sites[page], set()).add(number)
    assert all(len(found) == 1 for found in homes.values())


def test_one_site_cannot_be_cross_validated() -> None:
    with pytest.raises(CorpusError, match="two sites"):
        folds(["a", "b"], {"a": "x", "b": "x"})


@pytest.mark.parametrize("recipe", [*_RECIPES.values(), Recipe("ascii", 5, 0.6)], ids=str)
def test_a_fold_is_judged_by_a_model_of_the_other_folds(recipe: Recipe) -> None:
    parts = [[example(name) for name in part] for part in folds(NAMES[:9], number=3)]
    texts = ["It rained on day 77.", "Login | Home", "Copyright"]
    for number, scorer in enumerate(ngrams_retrained(recipe, "x", parts)):
        rest = [one for other, part in enumerate(parts) if other != number for one in part]
        expected = ngram.of(train(rest, recipe).model, "x").texts(texts)
        assert isinstance(scorer, ngram.Ngram)
        assert scorer.texts(texts) == pytest.approx(expected)


def test_what_was_never_trained_stays_as_it_is() -> None:
    assert [scorer.name for scorer in retrainer("keep-all")([[], []])] == ["keep-all", "keep-all"]


def test_a_model_file_is_trained_again_with_its_own_settings(tmp_path: Path) -> None:
    parts = [[example(name) for name in part] for part in folds(NAMES[:4], number=2)]
    train(parts[0], Recipe("simplified", 4, 0.3)).save(tmp_path / "mine.npz")
    scorers = list(retrainer(str(tmp_path / "mine.npz"))(parts))
    assert {scorer.signature for scorer in scorers} == {"model:mine|n:4|q:0.3|alphabet:simplified"}


def test_an_unknown_model_is_named() -> None:
    with pytest.raises(ModelError, match="nonsense"):
        retrainer("nonsense")


@pytest.mark.parametrize(
    ("content", "message"), [("[1]", "must map"), ("{", "not JSON"), ("[" * 200_000, "not JSON")]
)
def test_a_table_of_pages_must_be_one(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "sites.json").write_text(content)
    with pytest.raises(CorpusError, match=message):
        page_table(tmp_path / "sites.json")


def test_a_missing_table_of_pages_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"sites\.json"):
        page_table(tmp_path / "sites.json")
