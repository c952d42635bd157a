"""Boilerpipe as its program reads a page."""

from __future__ import annotations

import boilerpipe_tool
import pytest

from stupidos.literature import boilerpipe
from stupidos.literature.tokens import pieces
from stupidos.render import read


def tool_words(html: str) -> list[int]:
    blocks = boilerpipe_tool.blocks_as_program(pieces(read(html, "html")))
    return [int(words) for words in blocks.words()]


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("<body>one <b>two</b> three", [3]),  # inline tags are read over
        ("<body>T<b>wo</b> words", [2]),  # even inside a word
        ("<body>one<br>two", [1, 1]),
        ("<body>one<br/>two", [1]),  # does nothing at all, so the words stick together
        ("one two three", []),  # no body, no text
        ("<body>one</body>two", [1]),
        ("<body>one<noscript>two</noscript>three", [1, 1]),
        ("<body>one&nbsp;two &copy; - 3", [3]),
        ("<body>it’s", [2]),  # only some signs belong to words
        ("<body>one</option>two", [1]),  # a stray end tag of an ignored element ends all text
    ],
)
def test_the_program_reads_pages_in_its_own_way(html: str, words: list[int]) -> None:
    assert tool_words(html) == words


def test_the_program_fuses_neighbours_of_equal_density() -> None:
    page = read("<body><p>one two<p>three four<p>five")
    one, into = boilerpipe_tool.fused(boilerpipe_tool.blocks_as_program(pieces(page)))
    assert one.words().tolist() == [4, 1]
    assert into.tolist() == [0, 0, 1]


def test_both_readings_say_which_they_are() -> None:
    assert boilerpipe.density().signature == "model:boilerpipe|blocks:paper"
    assert boilerpipe_tool.article().signature == "model:boilerpipe-article-tool|blocks:tool"


@pytest.mark.parametrize("scorer", [boilerpipe_tool.density(), boilerpipe_tool.article()])
@pytest.mark.parametrize("html", ["", "text", "<body><p hidden>one two<xmp>x</xmp><textarea>y</textarea>"])
def test_every_segment_gets_a_score(scorer: boilerpipe.Boilerpipe, html: str) -> None:
    page = read(html, "html")
    assert scorer.score(page).shape == (len(page.segments),)
