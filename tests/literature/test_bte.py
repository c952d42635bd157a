"""BTE in linear time against the published search over all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from stupidos.literature.bte import _body_text, bte
from stupidos.pipeline import Cleaner
from stupidos.render import read

TEXT = "The ferry to the island leaves the old harbour at nine and at noon, and it is never late."
MENU = "<ul>" + "<li><a href=/>Home</a></li>" * 8 + "</ul>"


def objective(words: list[int], tags: list[int], first: int, last: int) -> int:
    """Finn et al. (2001): tags before, words inside, tags behind."""
    return sum(tags[:first]) + sum(words[first : last + 1]) + sum(tags[last:])


def best_objective(words: list[int], tags: list[int]) -> int:
    size = len(words)
    return max(objective(words, tags, i, j) for i in range(size) for j in range(i, size))


@pytest.mark.parametrize("seed", range(40))
def test_the_stretch_is_as_good_as_the_best_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 5, 30) * (rng.random(30) < 0.5)
    tags = (rng.random(30) < 0.9).astype(np.int64)
    first, last = _body_text(words, tags)
    assert objective(words.tolist(), tags.tolist(), first, last) == best_objective(
        words.tolist(), tags.tolist()
    )


def test_the_text_between_menus_is_kept() -> None:
    text = Cleaner.load("bte").clean(f"<body>{MENU}<p>{TEXT}</p><p>{TEXT}</p>{MENU}")
    assert text.count("ferry") == 2
    assert "Home" not in text


def test_only_one_stretch_is_kept() -> None:
    scores = bte().score(read(f"<body><p>{TEXT} {TEXT}</p>{MENU * 4}<p>{TEXT}</p>"))
    assert scores[0] == 1
    assert scores[-1] == -1


@pytest.mark.parametrize("html", ["", "<p>", "<body>", "text", "<p>&nbsp;</p>", "<frameset><body>x"])
def test_odd_pages_have_a_score_for_each_segment(html: str) -> None:
    page = read(html, "html")
    assert bte().score(page).shape == (len(page.segments),)


def test_the_title_in_the_head_is_not_body_text() -> None:
    page = read(f"<head><title>{TEXT} {TEXT}</title></head><body><p>{TEXT}</p>")
    assert bte().score(page).tolist() == [1.0]
