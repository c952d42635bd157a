from __future__ import annotations

import numpy as np
import pytest

from stupidos.lm import byte_planes
from stupidos.lm.byte_planes import packed, unpacked

NUMBERS = [
    [],
    [0],
    [0, -1, 1, 127, 128, -128, -129],
    [255, 256, 65_535, 65_536],
    [2**62, -(2**62), 2**63 - 1, -(2**63)],
]


@pytest.mark.parametrize("numbers", NUMBERS, ids=str)
def test_numbers_come_back(numbers: list[int]) -> None:
    assert unpacked(packed(np.array(numbers, np.int64))).tolist() == numbers


def test_numbers_come_back_from_several_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_planes, "_CHUNK", 3)
    numbers = np.arange(-5, 600, 7, np.int32)
    assert unpacked(packed(numbers)).tolist() == numbers.tolist()


@pytest.mark.parametrize(("largest", "width"), [(0, 1), (127, 1), (128, 2), (2**15, 3), (2**62, 8)])
def test_planes_are_as_few_as_hold_the_numbers(largest: int, width: int) -> None:
    assert packed(np.array([largest])).shape == (width, 1)
