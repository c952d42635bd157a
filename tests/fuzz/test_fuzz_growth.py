"""Repeated hostile fragments: eight times the input takes about eight times the CPU time.

Linear work grows 8 times and quadratic work 64 times. What counts is the least of three measurements, so
that a busy machine cannot make this fail: it would have to be five times slower for each of three large
inputs and for none of three small ones.
"""

from __future__ import annotations

import random

import growth
import pytest

pytestmark = pytest.mark.fuzz

QUADRATIC = 40
INPUTS = 6  # of each stage, always the same ones


@pytest.mark.parametrize("number", range(INPUTS))
@pytest.mark.parametrize("stage", growth.STAGES)
def test_no_stage_is_quadratic(stage: str, number: int) -> None:
    chance = random.Random(f"{stage} {number}")
    found = growth.measured(stage, chance)
    assert found.ratio < QUADRATIC, found


def test_quadratic_work_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(growth.STAGES, "slow", lambda text: [0 for _ in text for _ in text[::50]])
    assert growth.measured("slow", random.Random(1)).ratio > QUADRATIC
