"""Annotated pages of L3S-GN1, and the feature table of the Boilerpipe paper."""

from __future__ import annotations

import sys
from pathlib import Path

import boilerpipe_features as features
import l3s
import numpy as np
import pytest
from l3s import Label

from stupidos.errors import ExtraError

PAGE = """<html><body><div><a href=x>Home</a></div>
<h1><span class="x-nc-sel1">Ferry runs again</span></h1>
<p><span class="x-nc-sel2">The ferry runs </span>
<a href=y><span class="x-nc-sel2">again</span></a>, they say.</p>
<p class="x-nc-sel5">I like it. <span>Me too</span></p>
<p><span class="big x-nc-sel3">A photo</span> of it</p><p>Copyright</p></body></html>"""


def page(name: str = "a") -> l3s.Assessed:
    return l3s.assessed(name, PAGE)


def test_blocks_have_the_label_of_most_of_their_words() -> None:
    found = page()
    assert list(zip(found.blocks.texts, map(Label, found.labels.tolist()), strict=True)) == [
        ("Home", Label.BOILERPLATE),
        ("Ferry runs again", Label.HEADLINE),
        ("The ferry runs again , they say.", Label.FULL_TEXT),  # the spans of the assessors end no block
        ("I like it.", Label.COMMENTS),
        ("Me too", Label.COMMENTS),  # but those of the page do
        ("A photo", Label.SUPPLEMENTAL),
        ("of it", Label.BOILERPLATE),
        ("Copyright", Label.BOILERPLATE),
    ]


def test_the_pages_of_a_folder_come_in_order(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.html").write_text(PAGE)
    (tmp_path / "empty.html").write_text("<html></html>")
    assert [found.name for found in l3s.pages(tmp_path)] == ["a", "b"]


def test_a_perfect_classification_scores_one() -> None:
    labels = np.array([0, 1, 2, 1])
    assert l3s.weighted(labels, labels, np.array([3.0, 5.0, 1.0, 2.0])) == pytest.approx((1, 1, 1, 0))


def test_one_class_for_all_scores_like_the_baseline_of_the_paper() -> None:
    words = np.array([638.0, 362.0])  # content is 63.8 % of the words there
    row = l3s.weighted(np.array([1, 0]), np.array([1, 1]), words)
    assert [round(100 * score, 1) for score in row] == [40.7, 63.8, 49.7, 63.8]


def test_there_are_as_many_features_as_in_the_paper_and_those_of_the_context() -> None:
    assert (len(features.OWN), len(features.LOCAL), len(features.FEATURES)) == (21, 64, 67 + 3)
    (table,) = features.table([page()])
    assert table.shape == (8, 70)
    assert np.isfinite(table).all()


def column(name: str) -> list[float]:
    return features.table([page(), page("b")])[0][:, features.FEATURES.index(name)].round(3).tolist()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("current h1", [0, 1, 0, 0, 0, 0, 0, 0]),
        ("current p", [0, 0, 1, 1, 1, 1, 1, 1]),
        ("current a", [1, 0, 0, 0, 0, 0, 0, 0]),
        ("next h1", [1, 0, 0, 0, 0, 0, 0, 0]),
        ("previous words", [0, 1, 3, 6, 3, 2, 2, 2]),
        ("current capitalised words", [1, 1, 1, 1, 1, 1, 0, 1]),
        ("relative position", [0, 0.143, 0.286, 0.429, 0.571, 0.714, 0.857, 1]),
        ("current frequency", [0.693] * 8),  # each on one other page
    ],
)
def test_features_of_blocks(name: str, expected: list[float]) -> None:
    assert column(name) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "dates"),
    [("4 May 2008", 2), ("10:30 a.m. on Monday", 3), ("12/05/2008", 1), ("no date here", 0)],
)
def test_dates_and_times_are_counted(text: str, dates: int) -> None:
    assert dict(zip(features.SHALLOW, features.shallow(text), strict=False))["dates and times"] == dates


def test_without_scikit_learn_the_remedy_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.preprocessing", None)
    with pytest.raises(ExtraError, match=r"pip install '\.\[svm\]'"):
        features.cross_validated([page()], ["x"], l3s.TWO_CLASSES)


@pytest.mark.slow
def test_the_svm_learns_what_is_content() -> None:
    pytest.importorskip("sklearn")
    pages = [page(str(at)) for at in range(20)]
    row = features.cross_validated(pages, [f"site {at}" for at in range(20)], l3s.TWO_CLASSES)
    assert row.f == pytest.approx(1.0)
