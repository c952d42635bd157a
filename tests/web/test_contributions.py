"""Contributions: they add up to the scores, whatever the page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stupidos.pipeline import Cleaner
from stupidos.web import contributions
from stupidos.web.contributions import AROUND, AVERAGE, SECOND_LOOK
from stupidos.web.features import FEATURES
from stupidos.web.neighbourhoods import NEIGHBOURHOODS

PAGES = sorted((Path(__file__).resolve().parents[1] / "quality" / "raw").glob("*.html"))[:6]


@pytest.fixture(scope="module")
def cleaner() -> Cleaner:
    return Cleaner.load("web")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_contributions_add_up_to_the_scores(path: Path, cleaner: Cleaner) -> None:
    page = cleaner.page(path.read_bytes())
    parts = cleaner.scorer.contributions(page)  # type: ignore[attr-defined]
    assert np.allclose(sum(parts.values()), cleaner.scorer.score(page), atol=1e-3)


def test_every_feature_and_neighbourhood_contributes(cleaner: Cleaner) -> None:
    page = cleaner.page(PAGES[0].read_bytes())
    names = list(cleaner.scorer.contributions(page))  # type: ignore[attr-defined]
    assert names == [AVERAGE, *FEATURES, *(AROUND + name for name in NEIGHBOURHOODS), SECOND_LOOK]


def test_a_page_of_one_segment_is_its_own_average(cleaner: Cleaner) -> None:
    page = cleaner.page("<p>It rained all day long.")
    parts = cleaner.scorer.contributions(page)  # type: ignore[attr-defined]
    score = cleaner.scorer.score(page) - parts.pop(SECOND_LOOK)
    assert parts.pop(AVERAGE) == pytest.approx(score, abs=1e-3)
    assert not np.any(list(parts.values()))


def test_a_page_is_explained_in_blocks_as_at_once(cleaner: Cleaner, monkeypatch: pytest.MonkeyPatch) -> None:
    page = cleaner.page(PAGES[0].read_bytes())
    whole = cleaner.scorer.contributions(page)  # type: ignore[attr-defined]
    monkeypatch.setattr(contributions, "_SEGMENTS_AT_ONCE", 3)
    parts = cleaner.scorer.contributions(page)  # type: ignore[attr-defined]
    assert all(np.allclose(whole[name], parts[name], atol=1e-6) for name in whole)


def test_a_second_look_contributes_to_unsure_pages(cleaner: Cleaner) -> None:
    moved = [
        np.any(cleaner.scorer.contributions(cleaner.page(path.read_bytes()))[SECOND_LOOK])  # type: ignore[attr-defined]
        for path in PAGES
    ]
    assert True in moved
    assert False in moved


def test_an_empty_page_has_no_contributions(cleaner: Cleaner) -> None:
    assert cleaner.scorer.contributions(cleaner.page("")) == {}  # type: ignore[attr-defined]
