"""What the options of several commands share."""

from __future__ import annotations

import os

import pytest

from stupidos.cli.options import cores


def test_the_cores_are_those_that_the_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {2, 3, 5}, raising=False)
    assert cores() == 3


@pytest.mark.parametrize(("counted", "expected"), [(4, 4), (None, 1)])
def test_all_cores_count_where_the_system_does_not_say(
    monkeypatch: pytest.MonkeyPatch, counted: int | None, expected: int
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: counted)
    assert cores() == expected
