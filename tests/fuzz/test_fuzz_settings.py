"""The inputs of .ci/run are fixed: they do not depend on which modules are loaded."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.fuzz


def drawn() -> list[str]:
    """The examples of a test that is given a value of each kind."""
    found: list[str] = []

    @settings(max_examples=80)
    @given(st.tuples(st.integers(), st.text(), st.binary(), st.floats()))
    def draw(values: tuple[object, ...]) -> None:
        found.append(repr(values))

    draw()
    return found


@pytest.mark.skipif("FUZZ_SEED" in os.environ, reason="make fuzz takes other inputs in every round")
def test_a_module_more_does_not_change_the_inputs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = drawn()
    module = ModuleType("one_more")
    module.__file__ = str(tmp_path / "one_more.py")
    Path(module.__file__).write_text(f"NUMBERS = {[1000 * n + 7 for n in range(99)]}\n")
    monkeypatch.setitem(sys.modules, "one_more", module)
    assert drawn() == before
