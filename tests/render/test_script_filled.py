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
