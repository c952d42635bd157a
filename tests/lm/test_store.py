from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stupidos.errors import ModelError
from stupidos.lm import archive, store
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.lm.model import Model
from stupidos.lm.store import _packed, _unpacked
from stupidos.lm.table import text_scores

CLEAN, DIRTY = ["The rain it raineth.", "naïve"], ["Home | Login", "The"]
MODELS = [("ascii", 3, 0.5), ("simplified", 6, 0.4), ("unicode", 8, 0.6), ("vowels", 1, 0.9)]


def model_of(name: str, n: int, q: float) -> Model:
    letters = ALPHABETS[name]
    return Model(count(CLEAN, letters, n), count(DIRTY, letters, n) - count(CLEAN[:1], letters, n), q)


@pytest.mark.parametrize(("name", "n", "q"), MODELS)
def test_a_model_scores_the_same_after_it_was_saved_and_loaded(
    tmp_path: Path, name: str, n: int, q: float
) -> None:
    model = model_of(name, n, q)
    store.save(tmp_path / "m.npz", model, {"pages": 7})
    loaded, header = store.load(tmp_path / "m.npz")
    texts = ["The rain", "Login", "", "naïve ZZ"]
    assert text_scores(loaded.table(), texts).tolist() == text_scores(model.table(), texts).tolist()
    assert (header["format"], header["alphabet"], header["n"], header["q"]) == ("ngram", name, n, q)
    assert header["pages"] == 7


def test_a_model_without_text_can_be_saved(tmp_path: Path) -> None:
    nothing = count([], ALPHABETS["ascii"], 3)
    store.save(tmp_path / "m.npz", Model(nothing, nothing, 0.5), {})
    loaded, _ = store.load(tmp_path / "m.npz")
    assert loaded.clean.total == loaded.dirty.total == 0


GOOD: dict[str, Any] = {"format": "ngram", "alphabet": "ascii", "n": 1, "q": 0.5}
ROW = _packed(np.ones(3, np.int64))
BAD = {
    "other format": ({"format": "web"}, {}, "its format is 'web'"),
    "unknown alphabet": ({"alphabet": "runes"}, {}, "alphabet 'runes' is unknown"),
    "n too large": ({"n": 9}, {}, "n=9 and q=0.5 make no model"),
    "n no number": ({"n": "3"}, {}, "n='3'"),
    "q too large": ({"q": 1.0}, {}, "q=1.0"),
    "q no number": ({"q": None}, {}, "q=None"),
    "no q": ({"q": ...}, {}, "'q'"),
    "a list for an alphabet": ({"alphabet": []}, {}, "is not a valid"),
    "keys out of order": ({}, {"keys": _packed(np.array([3, -1, 5]))}, "out of order"),
    "keys too large": ({}, {"keys": _packed(np.array([1, 1, 96]))}, "out of order"),
    "keys that run over": ({}, {"keys": _packed(np.array([1, 2**63 - 1, 2**63 - 1]))}, "out of order"),
    "no symbol": ({}, {"keys": _packed(np.array([0, 1, 1]))}, "out of order"),
    "counts missing": ({}, {"clean": _packed(np.ones(2, np.int64))}, "more n-grams than counts"),
    "counts too large": ({}, {"dirty": _packed(np.array([1, 2**62, 1]))}, "out of range"),
    "nine planes": ({}, {"keys": np.zeros((9, 3), np.uint8)}, "odd shape"),
    "no planes": ({}, {"keys": np.zeros((0, 3), np.uint8)}, "odd shape"),
}


@pytest.mark.parametrize(("header", "arrays", "message"), BAD.values(), ids=BAD)
def test_a_file_that_makes_no_model_is_refused_in_one_line(
    tmp_path: Path, header: dict[str, Any], arrays: dict[str, Any], message: str
) -> None:
    changed = {key: value for key, value in {**GOOD, **header}.items() if value is not ...}
    archive.write(tmp_path / "m.npz", changed, {"keys": ROW, "clean": ROW, "dirty": ROW, **arrays})
    with pytest.raises(ModelError) as caught:
        store.load(tmp_path / "m.npz")
    assert str(tmp_path / "m.npz") in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


NUMBERS = [
    [],
    [0],
    [0, -1, 1, 127, 128, -128, -129],
    [255, 256, 65_535, 65_536],
    [2**62, -(2**62), 2**63 - 1, -(2**63)],
]


@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
def test_numbers_come_back(numbers: list[int]) -> None:
    assert _unpacked(_packed(np.array(numbers, np.int64))).tolist() == numbers


def test_numbers_come_back_from_several_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_CHUNK", 3)
    numbers = np.arange(-5, 600, 7, np.int32)
    assert _unpacked(_packed(numbers)).tolist() == numbers.tolist()


@pytest.mark.parametrize(("largest", "width"), [(0, 1), (127, 1), (128, 2), (2**15, 3), (2**62, 8)])
def test_planes_are_as_few_as_hold_the_numbers(largest: int, width: int) -> None:
    assert _packed(np.array([largest])).shape == (width, 1)
