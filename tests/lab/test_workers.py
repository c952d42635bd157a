"""Work in several processes gives what one gives."""

from __future__ import annotations

import pytest

from stupidos.lab.workers import cores, mapped


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs: int) -> None:
    assert list(mapped(str.upper, ["a", "b", "c", "d", "e", "f"], jobs)) == ["A", "B", "C", "D", "E", "F"]


def test_an_error_in_a_process_comes_back() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(mapped(int, ["1", "x"], 2))


def test_nothing_to_do_is_no_work() -> None:
    assert list(mapped(int, [], 2)) == []


def test_there_is_a_core() -> None:
    assert cores() >= 1
