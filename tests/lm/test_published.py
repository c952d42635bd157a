"""The published scheme against a slow implementation that shares no code with the package."""

from __future__ import annotations

from collections import Counter
from math import inf, log
from pathlib import Path

import pytest

from stupidos.errors import ModelError
from stupidos.lab.train import Recipe, model_of
from stupidos.lm import store
from stupidos.lm.alphabet import ALPHABETS, Alphabet
from stupidos.lm.counts import count
from stupidos.lm.interpolate import FLOOR, cross_entropy
from stupidos.lm.table import text_scores
from stupidos.score import ngram

GOLD = [
    "The rain it raineth every day upon the just and unjust fella,",
    "but mainly upon the just, because the unjust hath the just's umbrella.",
    "A heading that no page has, and one that is repeated: so the differences fall below zero.",
    "A heading that no page has, and one that is repeated: so the differences fall below zero.",
]
RAW = [
    "Home | News | Log in",
    GOLD[0],
    GOLD[1],
    "Copyright 2007, all rights reserved. Click here!",
    "A heading that no page has",
    "1 2 3 next >>",
]
ASKED = [*GOLD, *RAW, "zebra ~~ Ünjust {}", "x", "Click the umbrella", "below zero zero zero"]
SETTINGS = [
    ("ascii", 1, 0.5),
    ("ascii", 2, 0.3),
    ("ascii", 3, 0.5),
    ("ascii", 5, 0.6),
    ("simplified", 6, 0.4),
]


class SlowModel:
    """Formula of section 3.2 on dictionaries: differences of counts, clamped probabilities."""

    def __init__(self, plus: list[str], minus: list[str], letters: Alphabet, n: int, q: float) -> None:
        self.letters, self.n, self.q = letters, n, q
        self.counts: list[Counter[str]] = [Counter() for _ in range(n + 1)]
        self.histories: list[Counter[str]] = [Counter() for _ in range(n + 1)]
        for texts, sign in ((plus, 1), (minus, -1)):
            for text in texts:
                for history, character in self.steps(text):
                    for order in range(1, n + 1):
                        recent = history[len(history) - order + 1 :]
                        self.counts[order][recent + character] += sign
                        self.histories[order][recent] += sign

    def steps(self, text: str) -> list[tuple[str, str]]:
        padded = "\n" * (self.n - 1) + self.letters.read(text) + "\n"
        return [(padded[at - self.n + 1 : at], padded[at]) for at in range(self.n - 1, len(padded))]

    def probability(self, history: str, character: str) -> float:
        total = 0.0
        for order in range(1, self.n + 1):
            recent = history[len(history) - order + 1 :]
            above, below = self.counts[order][recent + character], self.histories[order][recent]
            if order == 1:
                above, below = above + 1, below + self.letters.size
            estimate = min(1.0, max(0.0, above / below)) if below else 0.0
            total += self.q ** (self.n - order) * estimate
        return (1 - self.q) / (1 - self.q**self.n) * total

    def log_probability(self, text: str) -> float:
        chances = [self.probability(*step) for step in self.steps(text)]
        return sum(map(log, chances)) if min(chances) > 0 else -inf

    def bits(self, text: str) -> float:
        return -sum(log(max(FLOOR, self.probability(*step))) for step in self.steps(text)) / log(2)


@pytest.mark.parametrize(("name", "n", "q"), SETTINGS)
@pytest.mark.parametrize("text", ASKED)
def test_scores_are_those_of_the_slow_implementation(text: str, name: str, n: int, q: float) -> None:
    letters = ALPHABETS[name]
    model = model_of(count(GOLD, letters, n), count(RAW, letters, n), Recipe(name, n, q, "published"))
    clean, dirty = SlowModel(GOLD, [], letters, n, q), SlowModel(RAW, GOLD, letters, n, q)
    expected = clean.log_probability(text) - dirty.log_probability(text)
    score = text_scores(model.table(), [text])[0]
    assert score == pytest.approx(expected, rel=1e-5, abs=1e-4) if expected < inf else score > 50_000


@pytest.mark.parametrize(("name", "n", "q"), SETTINGS)
def test_cross_entropy_is_that_of_the_slow_implementation(name: str, n: int, q: float) -> None:
    letters = ALPHABETS[name]
    model = model_of(count(GOLD, letters, n), count(RAW, letters, n), Recipe(name, n, q, "published"))
    slow = SlowModel(RAW, GOLD, letters, n, q)
    bits = sum(map(slow.bits, ASKED)) / sum(len(text) + 1 for text in ASKED)
    assert cross_entropy(model.dirty, count(ASKED, letters, n), q, fixed_weights=True) == pytest.approx(bits)


def test_some_differences_are_negative_and_are_kept() -> None:
    letters = ALPHABETS["ascii"]
    model = model_of(count(GOLD, letters, 3), count(RAW, letters, 3), Recipe(dirty="published"))
    assert model.dirty.counts.min() < 0


def test_a_text_that_the_dirty_model_cannot_write_is_clean() -> None:
    letters = ALPHABETS["ascii"]
    gold, raw = ["'" * 6], ["Home", "News", "Log in"]
    model = model_of(count(gold, letters, 3), count(raw, letters, 3), Recipe(dirty="published"))
    with_quote, without = text_scores(model.table(), ["Home'", "Home"])
    assert without < 0 < with_quote


def test_the_scheme_survives_the_model_file(tmp_path: Path) -> None:
    letters = ALPHABETS["ascii"]
    model = model_of(count(GOLD, letters, 3), count(RAW, letters, 3), Recipe(dirty="published"))
    store.save(tmp_path / "own.npz", model, {})
    loaded, header = store.load(tmp_path / "own.npz")
    assert header["weights"] == "fixed"
    assert ngram.load(tmp_path / "own.npz").signature == "model:own|n:3|q:0.5|dirty:published"
    scores = [text_scores(one.table(), ASKED).tolist() for one in (model, loaded)]
    assert scores[0] == scores[1]


def test_unknown_weights_are_refused(tmp_path: Path) -> None:
    letters = ALPHABETS["ascii"]
    model = model_of(count(GOLD, letters, 3), count(RAW, letters, 3), Recipe())
    store.save(tmp_path / "own.npz", model, {"weights": "loose"})
    with pytest.raises(ModelError, match="its weights 'loose' are unknown"):
        store.load(tmp_path / "own.npz")
