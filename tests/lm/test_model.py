from __future__ import annotations

import pytest

from stupidos.errors import ModelError
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.lm.model import Model
from stupidos.lm.table import text_scores

ASCII = ALPHABETS["ascii"]


def rain(n: int = 3, q: float = 0.5) -> Model:
    return Model(count(["It rained. It poured."], ASCII, n), count(["Home | News | Login"], ASCII, n), q)


def test_a_swapped_model_has_the_opposite_opinion() -> None:
    model, texts = rain(), ["It poured", "News |", "x"]
    scores = text_scores(model.table(), texts)
    assert text_scores(model.swapped().table(), texts).tolist() == pytest.approx((-scores).tolist(), abs=1e-5)


@pytest.mark.parametrize("q", [0.0, 1.0, -0.5, float("nan")])
def test_q_outside_of_0_to_1_is_refused(q: float) -> None:
    with pytest.raises(ModelError, match="q must lie between 0 and 1"):
        rain(q=q)


def test_sides_of_different_orders_make_no_model() -> None:
    with pytest.raises(ModelError, match="differ in alphabet or order"):
        Model(count(["a"], ASCII, 2), count(["a"], ASCII, 3), 0.5)


def test_telling_ngrams_stand_on_their_sides() -> None:
    clean, dirty = rain().telling(4)
    assert all(telling.score > 0 and telling.clean > 0 for telling in clean)
    assert all(telling.score < 0 and telling.dirty > 0 for telling in dirty)
    assert clean[0].ngram == "ed."
    assert " | " in [telling.ngram for telling in dirty]
    assert len(clean) == len(dirty) == 4


def test_weights_are_those_of_the_paper() -> None:
    assert rain(6, 0.6).weights.round(2).tolist() == [0.42, 0.25, 0.15, 0.09, 0.05, 0.03]
