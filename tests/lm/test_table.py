from __future__ import annotations

import numpy as np
import pytest

from stupidos.lm import table as tables
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import NgramCounts, count
from stupidos.lm.interpolate import FLOOR, _conditionals, mixed
from stupidos.lm.table import _Backoff, _Dense, character_scores, table, text_scores

CLEAN = ["The rain it raineth every day", "upon the just and unjust fella,", "but mainly upon the just."]
DIRTY = ["Home | About | Login", "Copyright 2024. All rights reserved.", "the", "Click here"]
ASKED = ["The unjust", "Home", "", "Copyright the rain", "ZZZZ 99", "naïve \ud800", "x" * 300]

MODELS = [
    ("ascii", 1),
    ("ascii", 2),
    ("ascii", 3),
    ("ascii", 5),
    ("simplified", 6),
    ("unicode", 4),
    ("vowels", 8),
]
EVERY_MODEL = pytest.mark.parametrize(("name", "n"), MODELS)


def sides(name: str, n: int) -> tuple[NgramCounts, NgramCounts]:
    letters = ALPHABETS[name]
    # differences, as of differential training: some are below zero
    return count(CLEAN, letters, n), count([*DIRTY, *CLEAN], letters, n) - count(
        [*CLEAN, "the just"], letters, n
    )


def by_the_formula(text: str, clean: NgramCounts, dirty: NgramCounts, q: float) -> float:
    letters, n = clean.alphabet, clean.n
    padded = letters.encode("\n" * max(1, n - 1) + text + "\n").astype(np.int64)
    start = max(1, n - 1)
    keys = np.array(
        [
            sum(int(padded[at - back]) * letters.base ** (n - 1 - back) for back in range(n))
            for at in range(start, start + len(text) + 1)
        ]
    )
    logs = [np.log(np.maximum(mixed(_conditionals(side, keys), q), FLOOR)).sum() for side in (clean, dirty)]
    return float(logs[0] - logs[1])


@EVERY_MODEL
def test_scores_are_what_the_formula_gives(name: str, n: int) -> None:
    clean, dirty = sides(name, n)
    expected = [by_the_formula(text, clean, dirty, 0.4) for text in ASKED]
    np.testing.assert_allclose(text_scores(table(clean, dirty, 0.4), ASKED), expected, atol=1e-4)


@EVERY_MODEL
def test_swapping_clean_and_dirty_flips_the_sign(name: str, n: int) -> None:
    clean, dirty = sides(name, n)
    there, back = table(clean, dirty, 0.5), table(dirty, clean, 0.5)
    np.testing.assert_allclose(text_scores(there, ASKED), -text_scores(back, ASKED), atol=1e-4)


@pytest.mark.parametrize("n", [2, 3])
def test_dense_and_hashed_tables_agree(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    clean, dirty = sides("ascii", n)
    dense = table(clean, dirty, 0.5)
    monkeypatch.setattr(tables, "_DENSE", 0)
    hashed = table(clean, dirty, 0.5)
    assert isinstance(dense, _Dense)
    assert isinstance(hashed, _Backoff)
    np.testing.assert_allclose(text_scores(dense, ASKED), text_scores(hashed, ASKED), atol=1e-5)


@EVERY_MODEL
def test_a_text_has_the_same_score_alone_and_among_others(name: str, n: int) -> None:
    made = table(*sides(name, n), 0.5)
    together = text_scores(made, ASKED)
    alone = [text_scores(made, [text])[0] for text in ASKED]
    assert together.tolist() == alone


@EVERY_MODEL
@pytest.mark.parametrize("size", [1, 2, 9, 299, 300])
def test_a_long_text_has_the_same_score_in_parts(
    name: str, n: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = table(*sides(name, n), 0.5)
    texts = [*ASKED, "one\ntwo", *CLEAN]
    whole = text_scores(made, texts)
    monkeypatch.setattr(tables, "_AT_ONCE", size)
    np.testing.assert_allclose(text_scores(made, texts), whole, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(text_scores(made, iter(texts)), whole, rtol=1e-9, atol=1e-9)


@EVERY_MODEL
def test_characters_add_up_to_the_text(name: str, n: int) -> None:
    made = table(*sides(name, n), 0.5)
    for text in filter(None, ASKED):
        parts = character_scores(made, text)
        assert len(parts) == len(text)
        assert parts.sum() == pytest.approx(text_scores(made, [text])[0], abs=1e-6)


def test_no_texts_and_an_empty_text_are_fine() -> None:
    made = table(*sides("ascii", 3), 0.5)
    assert text_scores(made, []).tolist() == []
    assert character_scores(made, "").tolist() == []


def test_clean_and_dirty_text_fall_on_their_sides() -> None:
    scores = text_scores(table(*sides("ascii", 3), 0.5), ["the rain upon the day", "All rights reserved"])
    assert scores[0] > 0 > scores[1]


@pytest.mark.parametrize("name", ["ascii", "simplified"])
@pytest.mark.parametrize("n", [3, 6])
def test_models_without_any_text_say_nothing(name: str, n: int) -> None:
    nothing = count([], ALPHABETS[name], n)
    assert text_scores(table(nothing, nothing, 0.5), ["anything", ""]).tolist() == [0, 0]
