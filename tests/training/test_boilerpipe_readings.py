"""Readings of how frequent a text is."""

from __future__ import annotations

from pathlib import Path

import boilerpipe_readings
import l3s
import pytest


def test_a_page_counts_each_text_of_the_others_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boilerpipe_readings, "FEWER", (3,))
    sources = ["<p>Menu<p>Rain<p>Menu", "<p>Menu<p>Tea", "<p>Menu<p>Rain"]
    pages = [l3s.assessed(str(number), source) for number, source in enumerate(sources)]
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "1.html").write_text("<p>Tea<p>Tea")
    found = dict(boilerpipe_readings.frequencies(pages, ["a", "a", "b"], [tmp_path]))
    assert found["pages, of 3"] == [[2, 1, 2], [2, 0], [2, 1]]
    assert found["pages, of 3 of them"] == found["pages, of 3"]
    assert found["... of other sites"] == [[1, 1, 1], [1, 0], [2, 1]]
    assert found["... on another page or not"] == [[True, True, True], [True, False], [True, True]]
    assert found[f"pages, of 4 with {tmp_path.name}"] == [[2, 1, 2], [2, 1], [2, 1]]
