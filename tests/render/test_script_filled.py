"""Pages whose text only their head tells."""

import json

import pytest

from stupidos.page import Page
from stupidos.pipeline import Cleaner
from stupidos.render import read
from stupidos.render.script_filled import _description_of, filled

STORY = "The ferry did not run on Monday, as the lake was frozen from shore to shore."


def shell(data):
    """A page that scripts would fill, with JSON-LD."""
    return f'<title>Ferry</title><script type="application/ld+json">{data}</script><body><div id=app></div>'


@pytest.mark.parametrize(
    "data",
    [
        {"@type": "NewsArticle", "articleBody": STORY},
        {"@graph": [{"@type": "DiscussionForumPosting", "text": STORY}]},
        [{"mainEntity": {"acceptedAnswer": {"text": f"<p>{STORY}</p>"}}}],
    ],
)
def test_a_shell_shows_its_data(data):
    page = filled(read(shell(json.dumps(data)), "html"))
    assert [segment.text for segment in page.segments] == [STORY]


@pytest.mark.parametrize("data", ["{", "[" * 5000, '{"text": 5}', '"text"', ""])
def test_broken_data_is_passed_over(data):
    assert filled(read(shell(data), "html")).segments == []


def test_a_description_stands_in_for_the_text():
    html = f'<meta property="og:description" content="{STORY}"><div></div>'
    assert _description_of(html) == STORY
    assert STORY in Cleaner.load("keep-all").clean(html)


def test_a_page_with_text_stays_as_it_is():
    page = read(f"<p>{STORY * 5}</p>" + shell(json.dumps({"text": "Something else, long enough."})), "html")
    assert filled(page) is page


def test_a_text_that_is_shown_is_not_repeated():
    page = filled(read(f"<p>{STORY}</p>" + shell(json.dumps({"articleBody": STORY})), "html"))
    assert len(page.segments) == 1


@pytest.mark.parametrize(
    "html",
    [
        f"<!--{'x' * 300}ld+json-->",
        "<!-- ld+json ld+json -->",
        "<script type=application/ld+json",
        f"<a title={'ld+json' * 100}>",
    ],
)
def test_the_type_of_the_data_may_stand_anywhere(html):
    before = shell(json.dumps({"articleBody": STORY}))
    assert [segment.text for segment in filled(read(before + html, "html")).segments] == [STORY]


@pytest.mark.parametrize("escape", [r"\ud800", r"\u0000", r"\u0001", r"\u200b", r"\ufffe"])
def test_json_cannot_bring_in_what_a_page_cannot_say(escape: str) -> None:
    data = f'"It rained all{escape} day on the lake."'
    page = Page(f'<script type="application/ld+json">{{"articleBody": {data}}}</script>', "", [])
    assert [segment.text for segment in filled(page).segments] == ["It rained all day on the lake."]


@pytest.mark.parametrize(("depth", "shown"), [(0, True), (6, True), (7, False)])
def test_texts_are_searched_six_levels_deep(depth, shown):
    data = {"text": STORY}
    for _ in range(depth):
        data = {"part": data}
    assert bool(filled(read(shell(json.dumps(data)), "html")).segments) == shown


@pytest.mark.parametrize(
    ("text", "shown"), [("x" * 19, False), ("x" * 20, True), (f"<b>{'x' * 19}</b>", False)]
)
def test_a_text_of_twenty_characters_is_worth_showing(text, shown):
    assert bool(filled(read(shell(json.dumps({"text": text})), "html")).segments) == shown


@pytest.mark.parametrize(("characters", "stays"), [(249, False), (250, True)])
def test_a_page_of_250_characters_is_not_filled_by_scripts(characters, stays):
    more = shell(json.dumps({"text": STORY * 10}))
    page = read(f"<p>{'x' * characters}</p>{more}", "html")
    assert (len(page.segments) == 1) == stays


def test_data_that_say_no_more_than_the_page_leave_it_as_it_is():
    page = read(f"<p>{'x' * 100}</p>" + shell(json.dumps({"text": STORY})), "html")
    assert [segment.text for segment in page.segments] == ["x" * 100]


def test_paragraphs_of_a_text_are_segments():
    page = filled(read(shell(json.dumps({"text": f"{STORY}\nAnd then it thawed, at last.\nx"})), "html"))
    assert [segment.text for segment in page.segments] == [STORY, "And then it thawed, at last."]


def test_texts_come_in_the_order_of_their_names_from_outside_in():
    data = {"part": {"text": "c" * 20}, "text": "b" * 20, "headline": "a" * 20}
    found = filled(read(shell(json.dumps(data)), "html")).segments
    assert [segment.text[0] for segment in found] == ["a", "b", "c"]


@pytest.mark.parametrize(("before", "read_it"), [(32768 - 100, True), (32768, False)])
def test_a_description_is_looked_for_in_the_first_32768_characters(before, read_it):
    html = f'{" " * before}<meta name="description" content="All about tea and milk">'
    assert bool(_description_of(html)) == read_it


@pytest.mark.parametrize(("gap", "shown"), [(150, True), (300, False)])
def test_the_type_of_the_data_stands_near_its_tag(gap, shown):
    html = f'<script{" " * gap}type="application/ld+json">{json.dumps({"text": STORY})}</script>'
    assert bool(filled(read(html, "html")).segments) == shown
