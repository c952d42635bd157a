from __future__ import annotations

import numpy as np
import pytest

from stupidos.lm.alphabet import ALPHABETS, Alphabet
from stupidos.lm.counts import count
from stupidos.lm.interpolate import _conditionals, cross_entropy, interpolation_weights, mixed

TEXTS = ["The rain it raineth every day", "upon the just and unjust fella,", "but mainly upon the just."]
LETTERS = pytest.mark.parametrize("letters", ALPHABETS.values(), ids=ALPHABETS)


def keys_after(history: str, letters: Alphabet, n: int) -> np.ndarray:
    """NgramKeys of every symbol behind a history."""
    codes = letters.encode("\n" * (n - 1) + history)[-(n - 1) :] if n > 1 else []
    below = sum(int(code) * letters.base**place for place, code in enumerate(codes))
    return np.arange(1, letters.base) * letters.base ** (n - 1) + below


@LETTERS
@pytest.mark.parametrize("n", [1, 2, 3, 6])
@pytest.mark.parametrize("history", ["", "The rain", "jus", "zzz", "ju", "~~ja", "."])
def test_probabilities_sum_to_1_for_every_history(letters: Alphabet, n: int, history: str) -> None:
    model = count(TEXTS, letters, n)
    for q in (0.1, 0.5, 0.9):
        total = mixed(_conditionals(model, keys_after(history, letters, n)), q).sum()
        assert total == pytest.approx(1, abs=1e-12)


def test_weights_are_geometric_and_sum_to_1() -> None:
    weights = interpolation_weights(6, 0.6)
    assert weights.sum() == pytest.approx(1)
    assert weights[1:] / weights[:-1] == pytest.approx([0.6] * 5)
    assert round(float(weights[-1]), 2) == 0.03  # as the paper has it


def test_a_trigram_is_what_the_formula_gives_by_hand() -> None:
    letters = ALPHABETS["ascii"]
    model = count(["aab", "ab"], letters, 3)
    # "ab" was followed by nothing but the end; "b" as well; 2 ends among 7 characters.
    trigram, bigram, unigram = 2 / 2, 2 / 2, (2 + 1) / (7 + 96)
    key = model.keys[[name == "ab\n" for name in named(model)]]
    expected = (1 - 0.5) / (1 - 0.5**3) * (trigram + 0.5 * bigram + 0.25 * unigram)
    assert mixed(_conditionals(model, key), 0.5)[0] == pytest.approx(expected)
    # "aa" was followed by b alone, "a" by a once and by b twice, and b is 2 of the 7 characters
    key = model.keys[[name == "aab" for name in named(model)]]
    expected = (1 - 0.5) / (1 - 0.5**3) * (1 / 1 + 0.5 * 2 / 3 + 0.25 * (2 + 1) / (7 + 96))
    assert mixed(_conditionals(model, key), 0.5)[0] == pytest.approx(expected)


def named(model: object) -> list[str]:
    from stupidos.lm.counts import NgramCounts, ngrams

    assert isinstance(model, NgramCounts)
    return ngrams(model.keys, model.alphabet, model.n)


def test_an_order_whose_history_was_never_seen_says_nothing() -> None:
    letters = ALPHABETS["ascii"]
    estimates = _conditionals(count(["ab"], letters, 3), keys_after("xa", letters, 3))
    assert np.isnan(estimates[2]).all()
    assert not np.isnan(estimates[:2]).any()


@pytest.mark.parametrize("n", [1, 2, 4, 7])
def test_estimates_of_a_high_order_hold_those_of_the_lower(n: int) -> None:
    letters = ALPHABETS["ascii"]
    high, low = count(TEXTS, letters, 8), count(TEXTS, letters, n)
    wanted = _conditionals(low, high.keys // letters.base ** (8 - n))
    np.testing.assert_array_equal(_conditionals(high, high.keys)[:n], wanted)


def test_differences_are_clamped_into_the_range_of_probabilities() -> None:
    letters = ALPHABETS["ascii"]
    difference = count(["ab", "ac", "ac"], letters, 2) - count(["ab", "ab", "ab"], letters, 2)
    estimates = _conditionals(difference, keys_after("a", letters, 2))
    found = estimates[~np.isnan(estimates)]
    assert found.min() >= 0
    assert found.max() <= 1


def test_text_like_the_training_text_costs_fewer_bits() -> None:
    letters = ALPHABETS["ascii"]
    model, near, far = (count(texts, letters, 3) for texts in (TEXTS, ["upon the day"], ["XQ|ZW 9876"]))
    assert cross_entropy(model, near, 0.5) < 4 < cross_entropy(model, far, 0.5)
    assert cross_entropy(model, model - model, 0.5) == 0
