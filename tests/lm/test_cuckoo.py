from __future__ import annotations

import numpy as np
import pytest

from stupidos.lm.cuckoo import CuckooTable

SIZES = pytest.mark.parametrize("size", [0, 1, 2, 15, 16, 1000, 50_000])


def keys_of(size: int) -> np.ndarray:
    return np.unique(np.random.default_rng(size).integers(1, 2**62, size))


@SIZES
def test_every_key_has_a_place_of_its_own(size: int) -> None:
    keys = keys_of(size)
    places, missing = CuckooTable.of(keys).find(keys)
    assert missing.size == 0
    assert len(set(places.tolist())) == keys.size


@SIZES
def test_other_keys_are_missing(size: int) -> None:
    keys = keys_of(size)
    others = np.setdiff1d(keys_of(777), keys)
    _, missing = CuckooTable.of(keys).find(others)
    assert missing.tolist() == list(range(others.size))


def test_neighbouring_keys_are_distinguished() -> None:
    keys = np.arange(1, 30_000)
    places, missing = CuckooTable.of(keys[::2].copy()).find(keys)
    assert missing.tolist() == list(range(1, keys.size, 2))
    assert len(set(places[::2].tolist())) == 15_000


def test_a_table_is_less_than_half_full() -> None:
    keys = keys_of(5000)
    assert CuckooTable.of(keys).marks.size > 2 * keys.size


def test_a_key_that_comes_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="duplicate key"):
        CuckooTable.of(np.array([5, 7, 5]))
