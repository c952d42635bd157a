"""The tree filter: the largest group under one ancestor."""

from __future__ import annotations

import numpy as np
import pytest

from stupidos.literature.tree_filter import grouped, tree
from stupidos.page import Page
from stupidos.pipeline import Cleaner, Options
from stupidos.render import read

TEXT = "The lighthouse keeper trims the lamp every evening before the fog comes in from the sea. "
HTML = f"""<body>
<div id=page>
  <div id=story><div><p>{TEXT * 3}</p><p>{TEXT * 2}</p></div><div><p>{TEXT}</p></div></div>
  <div id=other><div><p>Elsewhere: {TEXT}</p></div></div>
</div>
<div><div><ul><li>{TEXT}</li></ul></div></div>"""


def kept(ancestor: int) -> list[int]:
    page = read(HTML)
    scores = grouped(page, np.ones(len(page.segments)), ancestor)
    return np.flatnonzero(scores > 0).tolist()


@pytest.mark.parametrize(
    ("ancestor", "expected"),
    [
        (1, [0, 1]),  # parent: the first part of the story
        (2, [0, 1, 2]),  # grandparent: the story
        (3, [0, 1, 2, 3]),  # the page
        (4, [0, 1, 2, 3]),  # the body
        (5, [0, 1, 2, 3, 4]),  # beyond it is all the same
    ],
)
def test_the_group_with_the_most_text_stays(ancestor: int, expected: list[int]) -> None:
    assert kept(ancestor) == expected


def test_scores_of_other_groups_change_their_sign_only() -> None:
    page = read(HTML)
    scores = np.arange(1.0, 6.0)
    assert np.abs(grouped(page, scores, 2)).tolist() == scores.tolist()


def test_what_was_dropped_before_stays_dropped() -> None:
    page = read(HTML)
    scores = np.array([-1.0, -1.0, -1.0, 2.0, -1.0])
    assert grouped(page, scores, 2).tolist() == scores.tolist()


def test_equal_siblings_are_different_groups() -> None:
    page = read(f"<div><p>{TEXT}</div><div><p>{TEXT * 2}</div>")
    assert grouped(page, np.ones(2), 1).tolist() == [-1.0, 1.0]


def test_a_dump_is_one_group() -> None:
    page = Page("", "", read(f"{TEXT}\n\n{TEXT}", "text").segments, False)
    assert grouped(page, np.ones(len(page.segments)), 2).tolist() == [1.0] * len(page.segments)


def test_an_empty_page_has_no_group() -> None:
    assert grouped(read("<p></p>", "html"), np.zeros(0), 2).tolist() == []


def test_the_published_filter_is_boilerpipe_and_grandparents() -> None:
    scorer = tree()
    assert scorer.signature == "model:tree|ancestor:2|first:boilerpipe"
    assert scorer.score(read(HTML)).tolist() == [1.0, 1.0, 1.0, -1.0, -1.0]


def test_the_option_gives_the_filter_its_ancestor_and_does_not_group_twice() -> None:
    cleaner = Cleaner.load("tree", Options(ancestor=3))
    assert cleaner.scorer.signature == "model:tree|ancestor:3|first:boilerpipe"
    assert cleaner.scores(read(HTML)).tolist() == [1.0, 1.0, 1.0, 1.0, -1.0]


def test_text_beside_paragraphs_is_their_sibling() -> None:
    page = read(f"<div><div id=story>{TEXT}<p>{TEXT * 2}</p></div><div><p>{TEXT * 2}</p></div></div>")
    assert grouped(page, np.ones(3), 1).tolist() == [1.0, 1.0, -1.0]


def test_a_list_with_a_paragraph_in_one_item_is_not_a_paragraph() -> None:
    page = read(f"<div><p>{TEXT * 2}</p><ul><li>{TEXT}<li><p>{TEXT}</ul></div>")
    assert grouped(page, np.ones(3), 1).tolist() == [1.0, -1.0, -1.0]  # the item's parent is the list


def test_an_element_without_paragraphs_is_one_itself() -> None:
    page = read(f"<div><div>{TEXT}</div><div>{TEXT}</div></div><div><div>{TEXT}</div></div>")
    assert grouped(page, np.ones(3), 1).tolist() == [1.0, 1.0, -1.0]
