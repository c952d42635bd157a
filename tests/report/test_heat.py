"""The heat map: few elements, no character lost."""

from __future__ import annotations

import numpy as np
import pytest

from stupidos.report.heat import _COLOUR_BOUNDARIES, NEUTRAL, _colour_numbers, _colour_runs, heat_map, legend

TEXTS = ["a", "two words", "  blanks  around ", "三个字", "line\nbreak", ""]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("most", [0, 1, 1000])
def test_no_character_is_lost(text: str, most: int) -> None:
    odds = [(-1) ** i * i / 2 for i in range(len(text))]
    [coloured] = heat_map([(text, odds)], most)
    assert "".join(run.text for run in coloured) == text


def test_neighbouring_runs_differ_in_colour() -> None:
    coloured = _colour_runs("abcdef", np.array([3.0, 3.0, 0.0, 0.0, -3.0, 3.0]))
    assert [run.text for run in coloured] == ["ab", "cd", "e", "f"]


def test_a_long_page_is_coloured_by_words() -> None:
    text = "ab cd"
    odds = [3.0, -3.0, 0.0, 3.0, 3.0]
    assert [run.text for run in heat_map([(text, odds)], max_runs=3)[0]] == ["ab ", "cd"]


def test_a_very_long_page_is_coloured_by_segments() -> None:
    assert len(heat_map([("ab cd", [3.0, -3.0, 0.0, 3.0, 3.0])], max_runs=1)[0]) == 1


def test_opposite_log_odds_have_opposite_colour_numbers() -> None:
    values = np.array([0.05, 0.3, 0.7, 1.5, 7.0])
    assert _colour_numbers(values).tolist() == [4, 5, 6, 7, 8]
    assert (_colour_numbers(-values) == 2 * NEUTRAL - _colour_numbers(values)).all()


def test_the_legend_names_every_colour() -> None:
    assert [number for number, _ in legend()] == list(range(len(_COLOUR_BOUNDARIES) + 1))
