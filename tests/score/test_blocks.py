"""Boilerpipe's atomic blocks: where they end, and what is counted in them."""

from __future__ import annotations

import numpy as np
import pytest

from stupidos.render import read
from stupidos.render.tokens import SPLIT
from stupidos.score.blocks import cut, cut_shown, pieces
from stupidos.score.density import Blocks, measured, wrapped


def blocks_of(html: str) -> Blocks:
    return measured(cut(SPLIT.split(html)))


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("one two <a href=x>three</a> four", [4]),
        ("one two <A HREF=x>three</A> four", [4]),
        ("one <b>two</b> three", [1, 1, 1]),
        ("one<br>two", [1, 1]),
        ("one <!-- a comment --> two", [2]),
        ("one <p> two three </p> four", [1, 2, 1]),
        ("one <my-element>two</my-element>", [1, 1]),
        ("<p> &nbsp; </p><p>one</p>", [1]),
        ("<title>No text of the page</title><p>one", [1]),
        ("<script>no(text)</script><style>p {}</style>one", [1]),
        ("one<noscript>two</noscript>three", [1, 1]),
        ("<select><option>one<option>two</select>", []),
        ("", []),
        ("   \n ", []),
    ],
)
def test_any_tag_but_a_link_ends_a_block(html: str, words: list[int]) -> None:
    assert blocks_of(html).words.tolist() == words


def test_a_word_has_a_letter_or_digit() -> None:
    blocks = blocks_of("<p>Tea - 2 cups | &copy; &amp; more")
    assert blocks.tokens.tolist() == [8]
    assert blocks.words.tolist() == [4]


def test_characters_beyond_the_tables_count_as_letters() -> None:
    assert blocks_of("<p>𐍈𐌰 𐌲𐌿𐍄").words.tolist() == [2]


@pytest.mark.parametrize(
    ("html", "density"),
    [
        ("one two three four", 0.0),
        ("<a href=x>one two</a> three four", 0.5),
        ("<a href=x>one two three four</a>", 1.0),
        ("one <a href=x>two</a> three <a href=y>four</a>", 0.5),
        ("one</a> two", 0.0),
    ],
)
def test_link_density_is_the_share_of_tokens_inside_links(html: str, density: float) -> None:
    assert blocks_of(html).link_density.tolist() == [density]


# Ten words of seven letters: "abcdefg " ten times is 79 columns wide without the last blank, so ten fit
# on a line of 80 and the eleventh does not.
TEN = "abcdefg " * 10


@pytest.mark.parametrize(
    ("text", "lines", "density"),
    [
        ("one two three", 1, 3.0),  # one line: all its words
        (TEN, 1, 10.0),  # 79 columns
        (TEN + "x", 2, 10.0),  # 81 columns: the last word wraps; (11 - 1) words on 1 line
        (TEN[:-1] + "x", 1, 10.0),  # exactly 80 columns
        (TEN + TEN, 2, 10.0),  # two full lines: 10 words on the first
        (TEN * 2 + "x y", 3, 10.0),  # 20 words on two lines, the last line left out
        ("ab " * 26 + "abc", 2, 26.0),  # 26 words of two letters are 77 columns, "abc" makes 81
        ("a" * 200, 1, 1.0),  # one word longer than the line
        ("a" * 200 + " b", 2, 1.0),
        ("b " + "a" * 200 + " c", 3, 1.0),
    ],
)
def test_text_density_leaves_out_the_last_line(text: str, lines: int, density: float) -> None:
    blocks = blocks_of(f"<p>{text}</p>")
    assert blocks.lines.tolist() == [lines]
    assert blocks.text_density.tolist() == [density]


def test_white_space_does_not_count_when_text_is_wrapped() -> None:
    spaced = blocks_of("<p>" + TEN.replace(" ", " \n\t  ") + "</p>")
    assert spaced.lines.tolist() == [1]


@pytest.mark.parametrize("seed", range(5))
def test_wrapping_agrees_with_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tokens = rng.integers(1, 60, size=12)
    lengths = rng.integers(1, 100 if seed == 4 else 14, size=tokens.sum())
    expected, at = [], 0
    for count in tokens:
        lines, column, on_last = 1, 0, 0
        for length in lengths[at : at + count]:
            if on_last and column + 1 + length > 80:
                lines, column, on_last = lines + 1, int(length), 1
            else:
                column, on_last = column + int(length) + (on_last > 0), on_last + 1
        expected.append((lines, int(count) - on_last if lines > 1 else 0))
        at += count
    lines, full = wrapped(lengths, tokens)
    assert list(zip(lines.tolist(), full.tolist(), strict=True)) == expected


def test_fragments_bear_the_numbers_that_segments_have() -> None:
    page = read("<h1>Tea</h1><p>Hot <b>or</b> cold <a href=x>drinks</a>.</p><ul><li>One<li>Two</ul>")
    fragments = cut(pieces(page))
    held = [
        [number for number in fragments.numbers.tolist() if segment.first <= number <= segment.last]
        for segment in page.segments
    ]
    assert [len(numbers) for numbers in held] == [1, 5, 1, 1]


def test_a_page_without_markup_is_one_block() -> None:
    assert blocks_of("just some text").words.tolist() == [3]


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Tea</h1><p>Hot <b>or</b> cold <a href=x>drinks</a>.</p><ul><li>One<li>Two</ul>",
        "<a href=x><div>One <span>two</span></div></a><p>three <a href=y>four</a>",
        "<p>one two <a href=x>three <i>four</i></a> five <a href=y>six</a>",
        "<p>one <svg><text>not this</text></svg> two</p><p>three",
        "<table><tr><td>one</td><td><a href=x>two</a></td></tr></table>",
        "<p>R&amp;D &nbsp; <a href=x>is</a> here",
        "<p>1<p>2<p>3",
    ],
)
def test_the_blocks_of_the_segments_are_those_of_the_page(html: str) -> None:
    page = read(html)
    shown, segments = cut_shown(page)
    whole = cut(pieces(page))
    assert shown.text == whole.text
    assert shown.numbers.tolist() == whole.numbers.tolist()
    assert shown.blocks.tolist() == whole.blocks.tolist()
    assert shown.linked.tolist() == whole.linked.tolist()
    assert set(segments.tolist()) == set(range(len(page.segments)))


def test_hidden_text_is_in_no_block_of_the_segments() -> None:
    page = read("<p>one</p><p hidden>two</p><select><option>three</select><p>four")
    assert cut_shown(page)[0].text == "one\0four\0"


def test_an_anchor_without_address_is_no_link_when_the_renderer_knows_it() -> None:
    page = read("<p><a name=top>One</a> two</p>")
    assert not cut_shown(page)[0].linked.any()
