"""The published decision trees, leaf by leaf, and the scorers made of them."""

from __future__ import annotations

import numpy as np
import pytest

from stupidos.literature import boilerpipe
from stupidos.literature.boilerpipe import DENSITY_TREE, ONE_FEATURE, WORD_TREE, _Split, classify
from stupidos.literature.boilerpipe_article import (
    _TITLE_PARTS,
    _content_runs,
    _longest_part,
    _possible_titles,
    main_content,
)
from stupidos.literature.boilerpipe_blocks import blocks_of
from stupidos.literature.tokens import as_one_segment, pieces
from stupidos.render import read
from stupidos.score.scorer import Scorer

SENTENCE = "The ferry to the island leaves the old harbour at nine and at noon, and it is never late. "
LONG = SENTENCE * 3

Leaf = tuple[float, float, float, float, float, bool]

# Of the block, the one before and the one behind: link densities, then text densities or words.
DENSITY_LEAVES = [
    # link, previous link, text, previous text, next text, content
    (0.34, 0.0, 20.0, 20.0, 20.0, False),  # mostly links
    (0.333333, 0.0, 9.0, 4.0, 10.0, False),  # sparse among sparse ones
    (0.333333, 0.555556, 9.0, 4.1, 10.0, True),  # a dense one before
    (0.0, 0.0, 9.0, 0.0, 10.1, True),  # a dense one behind
    (0.0, 0.0, 9.1, 0.0, 0.0, False),  # nothing behind
    (0.0, 0.0, 9.1, 0.0, 1.0, True),
    (0.0, 0.6, 20.0, 20.0, 11.0, False),  # behind links
    (0.0, 0.6, 1.0, 20.0, 11.1, True),
]
WORD_LEAVES = [
    # link, previous link, words, previous words, next words, content
    (0.34, 0.0, 100.0, 100.0, 100.0, False),
    (0.333333, 0.0, 16.0, 4.0, 15.0, False),
    (0.333333, 0.555556, 16.0, 5.0, 15.0, True),
    (0.0, 0.0, 16.0, 0.0, 16.0, True),
    (0.0, 0.0, 17.0, 0.0, 0.0, True),
    (0.0, 0.6, 40.0, 100.0, 17.0, False),
    (0.0, 0.6, 40.0, 0.0, 18.0, True),
    (0.0, 0.6, 41.0, 0.0, 0.0, True),
]


def answer(tree: _Split, measure: str, leaf: Leaf) -> bool:
    link, previous_link, own, previous, behind, _ = leaf
    columns = {
        "link density": np.array([link]),
        "previous link density": np.array([previous_link]),
        measure: np.array([own]),
        f"previous {measure}": np.array([previous]),
        f"next {measure}": np.array([behind]),
    }
    return bool(np.asarray(classify(tree, columns))[0])


@pytest.mark.parametrize("leaf", DENSITY_LEAVES)
def test_every_leaf_of_the_density_tree_answers_as_published(leaf: Leaf) -> None:
    assert answer(DENSITY_TREE, "text density", leaf) is leaf[-1]


@pytest.mark.parametrize("leaf", WORD_LEAVES)
def test_every_leaf_of_the_word_tree_answers_as_published(leaf: Leaf) -> None:
    assert answer(WORD_TREE, "words", leaf) is leaf[-1]


def leaves(tree: _Split | bool) -> int:
    return 1 if isinstance(tree, bool) else leaves(tree.at_most) + leaves(tree.above)


@pytest.mark.parametrize(("tree", "cases"), [(DENSITY_TREE, DENSITY_LEAVES), (WORD_TREE, WORD_LEAVES)])
def test_no_leaf_is_left_untested(tree: _Split, cases: list[object]) -> None:
    assert leaves(tree) == len(cases) == 8  # the paper's Table 2 gives 8 leaves for each


@pytest.mark.parametrize(
    ("name", "column", "values", "kept"),
    [
        ("at least 10 words", "words", [9, 10], [False, True]),
        ("words @15", "words", [15, 16], [False, True]),
        ("link density @0.33", "link density", [0.33, 0.34], [True, False]),
        ("text density @10.5", "text density", [10.5, 10.6], [False, True]),
    ],
)
def test_rules_of_one_feature(name: str, column: str, values: list[float], kept: list[bool]) -> None:
    assert np.asarray(classify(ONE_FEATURE[name], {column: np.array(values)})).tolist() == kept


NEWS = f"""<html><head><title>Ferry runs again | The Island Post</title></head><body>
<ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/sport>Sport and more</a></ul>
<h1>Ferry runs again</h1><p>{LONG}</p><p>{LONG}</p><p>{SENTENCE}</p>
<h2>3 comments</h2><p>Somebody wrote: {SENTENCE}</p><p>{LONG}</p>
<div><a href=/about>About us</a> <a href=/imprint>Imprint</a></div></body></html>"""


def kept(name: str, html: str = NEWS) -> list[str]:
    scorers = {"density": boilerpipe.density, "words": boilerpipe.words, "article": boilerpipe.article}
    page = read(html)
    scores = scorers[name]().score(page)
    assert set(scores.tolist()) <= {1.0, -1.0}
    return [segment.text for segment, score in zip(page.segments, scores, strict=True) if score > 0]


@pytest.mark.parametrize("name", ["density", "words", "article"])
def test_paragraphs_are_kept_and_navigation_is_not(name: str) -> None:
    texts = kept(name)
    assert LONG.strip() in texts
    assert not {"Home", "News", "Sport and more", "About us Imprint"} & set(texts)


def test_the_article_ends_where_the_comments_begin() -> None:
    assert any("Somebody" in text for text in kept("words"))
    assert not any("Somebody" in text for text in kept("article"))


def test_the_article_begins_with_its_title() -> None:
    assert kept("article")[0] == "Ferry runs again"


def test_text_above_the_title_is_dropped() -> None:
    above = NEWS.replace(
        "<h1>", f"<p>Weather warning: {SENTENCE * 2} And so on until the night falls again.</p><h1>"
    )
    assert any("Weather" in text for text in kept("words", above))
    assert not any("Weather" in text for text in kept("article", above))


def test_only_the_largest_run_of_content_is_the_article() -> None:
    far = "<li><a href=x>Link</a></li>" * 6
    html = f"<body><p>{LONG}</p><p>{LONG}</p><p>{LONG}</p><ul>{far}</ul><p>Elsewhere {LONG}</p><p>Tail</p>"
    assert any("Elsewhere" in text for text in kept("words", html))
    assert not any("Elsewhere" in text for text in kept("article", html))


@pytest.mark.parametrize(
    ("kept", "expected"),
    [
        ([True], [1]),
        ([False], [0]),
        ([False, True], [1, 1]),
        ([True, False, True], [1, 1, 1]),
        ([True, False, False, True], [1, 0, 1, 1]),
        ([True, False, False, False, True], [1, 0, 0, 2, 2]),
    ],
)
def test_runs_take_in_the_block_before_and_bridge_one(kept: list[bool], expected: list[int]) -> None:
    assert _content_runs(np.array(kept)).tolist() == expected


def test_a_title_is_known_by_its_longest_part() -> None:
    assert "ferry runs again" in _possible_titles("Ferry runs again: Island Post")
    assert _longest_part("No separator", _TITLE_PARTS[0]) == ""


@pytest.mark.parametrize("scorer", [boilerpipe.density(), boilerpipe.words(), boilerpipe.article()])
@pytest.mark.parametrize("html", ["", "<p></p>", "<img src=x>", "text", "<option>x", "<p>&nbsp;</p>"])
def test_a_page_with_hardly_anything_gets_a_score_a_segment(scorer: boilerpipe.Boilerpipe, html: str) -> None:
    page = read(html, "html")
    assert scorer.score(page).shape == (len(page.segments),)


def test_scores_follow_the_segments_of_hidden_and_raw_parts() -> None:
    html = f"<body><textarea>x</textarea><p hidden>{LONG}</p><p>{LONG}</p><p>{SENTENCE}</p><xmp>{LONG}</xmp>"
    page = read(html)
    assert len(boilerpipe.density().score(page)) == len(page.segments)


def test_the_main_content_of_no_content_is_nothing() -> None:
    split = pieces(read("<p>Short</p>"))
    assert not main_content(blocks_of(split, as_one_segment(split)), "").any()


@pytest.mark.parametrize(
    ("text", "link", "content"), [(7.0, 0.35, True), (6.99, 0.0, False), (20.0, 0.36, False)]
)
def test_the_rule_trained_on_cleaneval_is_the_published_one(text: float, link: float, content: bool) -> None:
    columns = {"text density": np.array([text]), "link density": np.array([link])}
    assert bool(np.asarray(classify(boilerpipe._CLEANEVAL_RULE, columns))[0]) is content


@pytest.mark.parametrize(
    ("scorer", "least"),
    [(boilerpipe.cleaneval_rule(), 7), (boilerpipe.one_rule(), 11), (boilerpipe.ten_words(), 10)],
    ids=["cleaneval", "1r", "10 words"],
)
def test_rules_of_one_block_count_its_words(scorer: Scorer, least: int) -> None:
    page = read(f"<p>{'tea ' * least}</p><p>{'tea ' * (least - 1)}</p>")
    assert scorer.score(page).tolist() == [1.0, -1.0]


def test_the_largest_content_filter_keeps_one_run() -> None:
    gap = "<p><a href=/>Home</a></p>" * 5
    page = read(f"<p>{LONG}</p>{gap}<p>{LONG * 3}</p>")
    scores = boilerpipe.largest().score(page)
    assert (scores[0], scores[-1]) == (-1.0, 1.0)
