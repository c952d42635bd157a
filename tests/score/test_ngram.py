from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stupidos.lm import store
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.lm.model import Model
from stupidos.page import Page, Segment
from stupidos.score import ngram, registry

TEXTS = ["It rained all day long.", "Home | News | Login", "", "Sunday"]
PAGE = Page("", "", [Segment(text) for text in TEXTS])


@pytest.fixture(
    scope="module", params=[("ascii", 3, 0.5), ("simplified", 6, 0.4)], ids=["standard", "simplified"]
)
def model(request: pytest.FixtureRequest) -> Model:
    name, n, q = request.param
    letters = ALPHABETS[name]
    clean = count(["It rained on Sunday, and all day on Monday.", "It was long."], letters, n)
    return Model(clean, count(["Home | About | Login", "News"], letters, n), q)


def test_a_page_gets_a_score_for_each_segment(model: Model) -> None:
    scores = ngram.of(model, "rain").score(PAGE)
    assert scores.shape == (4,)
    assert scores.dtype == np.float64
    assert scores[0] > 0 > scores[1]


def test_a_page_without_segments_has_no_scores(model: Model) -> None:
    assert ngram.of(model, "rain").score(Page("", "", [])).shape == (0,)


def test_characters_of_a_segment_add_up_to_its_score(model: Model) -> None:
    scorer = ngram.of(model, "rain")
    parts = scorer.characters(TEXTS[0])
    assert len(parts) == len(TEXTS[0])
    assert parts.sum() == pytest.approx(scorer.score(PAGE)[0], abs=1e-6)


def test_a_saved_model_scores_the_same_under_the_name_of_its_file(model: Model, tmp_path: Path) -> None:
    store.save(tmp_path / "sunday.npz", model, {"pages": 2})
    loaded, fresh = registry.scorer(str(tmp_path / "sunday.npz")), ngram.of(model, "sunday")
    assert loaded.score(PAGE).tolist() == fresh.score(PAGE).tolist()
    assert (loaded.name, loaded.signature) == ("sunday", fresh.signature)
    assert loaded.header["pages"] == 2


def test_the_published_decision_goes_with_it(model: Model) -> None:
    scorer = ngram.of(model, "rain")
    assert (scorer.decision, scorer.rules, scorer.markup) == ("zero", True, False)


def test_the_signature_gives_the_settings(model: Model) -> None:
    letters = "" if model.n == 3 else "|alphabet:simplified"
    assert ngram.of(model, "rain").signature == f"model:rain|n:{model.n}|q:{model.q}{letters}"
