"""Boilerpipe's atomic blocks: where they end, and what is counted in them."""

from __future__ import annotations

import pytest
from l3s import numbers_of

from stupidos.literature.boilerpipe_blocks import Blocks, blocks_of, wrapped_lines
from stupidos.literature.tokens import as_one_segment, pieces
from stupidos.page import Page
from stupidos.render import RenderOptions, read
from stupidos.render.tokens import SPLIT


def blocks_in(html: str) -> Blocks:
    page = [*SPLIT.split(html), None, None]
    return blocks_of(page, as_one_segment(page))


def shown_blocks(page: Page) -> Blocks:
    return blocks_of(pieces(page), page.segments)


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
        ("one<noscript>two<noscript>three</noscript></noscript></noscript>four", [1, 1]),
        ("<select><option>one</option><option>two</option></select>", []),
        ("just some text", [3]),
        ("", []),
        ("   \n ", []),
    ],
)
def test_any_tag_but_a_link_ends_a_block(html: str, words: list[int]) -> None:
    assert blocks_in(html).words().tolist() == words


@pytest.mark.parametrize(
    ("text", "words"),
    [("Tea - 2 cups | &copy; &amp; more", 4), ("- - -", 0), ("_ a_b _", 1), ("R&D «Tea»", 2), ("𐍈𐌰 𐌲𐌿𐍄", 2)],
)
def test_a_word_has_a_letter_or_digit(text: str, words: int) -> None:
    assert blocks_in(f"<p>{text}").words().tolist() == [words]


@pytest.mark.parametrize(
    ("html", "density"),
    [
        ("one two three four", 0.0),
        ("<a href=x>one two</a> three four", 0.5),
        ("<a href=x>one two three four</a>", 1.0),
        ("one <a href=x>two</a> three <a href=y>four</a>", 0.5),
        ("one</a> two", 0.0),
        ("<a href=x>R&amp;D&nbsp;one</a> two three", 0.5),
    ],
)
def test_link_density_is_the_share_of_tokens_inside_links(html: str, density: float) -> None:
    assert blocks_in(html).link_density().tolist() == [density]


# Ten words of seven letters: "abcdefg " ten times is 79 columns wide without the last blank, so ten fit
# on a line of 80 and an eleventh does not.
TEN = "abcdefg " * 10


@pytest.mark.parametrize(
    ("text", "filled", "density"),
    [
        ("one two three", 1, 3.0),  # one line: all its words
        (TEN, 1, 10.0),  # 79 columns
        (TEN + "x", 1, 10.0),  # 81 columns: the last word wraps; 10 words on 1 line
        (TEN[:-1] + "x", 1, 10.0),  # exactly 80 columns
        (TEN + TEN, 1, 10.0),  # two full lines: 10 words on the first
        (TEN * 2 + "x y", 2, 10.0),  # 20 words on two lines, the last line left out
        (TEN + "abcdefg abcdefg " + "abc " * 20, 2, 14.0),  # 10, then 2 + 16 in 79 columns
        ("ab " * 26 + "abc", 1, 26.0),  # 26 words of two letters are 77 columns, " abc" makes 81
        ("ab " * 26 + "ab", 1, 27.0),  # and " ab" makes 80
        ("a" * 200, 1, 1.0),  # one word longer than the line
        ("a" * 200 + " b", 1, 1.0),
        ("b " + "a" * 200 + " c", 2, 1.0),
        (TEN.replace(" ", " \n\t  "), 1, 10.0),  # white space does not count
        (TEN.replace(" ", "&nbsp;"), 1, 10.0),
    ],
)
def test_text_density_leaves_out_the_last_line(text: str, filled: int, density: float) -> None:
    blocks = blocks_in(f"<p>{text}</p>")
    assert [wrapped_lines(text)[0] for text in blocks.texts] == [filled]
    assert blocks.text_density().tolist() == [density]


@pytest.mark.parametrize("columns", [5, 9, 10, 31, 80])
def test_wrapping_agrees_with_a_plain_loop(columns: int) -> None:
    words = [
        ("abcdefghijklmnopqrstuvwxyz" * 4)[: 1 + (at * 37) % 13 + 90 * (at % 29 == 0)] for at in range(200)
    ]
    lines, column, on_last = 1, 0, 0
    for word in words:
        if on_last and column + 1 + len(word) > columns:
            lines, column, on_last = lines + 1, len(word), 1
        else:
            column, on_last = column + len(word) + (on_last > 0), on_last + 1
    assert wrapped_lines(" ".join(words), columns) == (lines - 1, len(words) - on_last)


@pytest.mark.parametrize(
    "html",
    [
        "<h1>Tea</h1><p>Hot <b>or</b> cold <a href=x>drinks</a>.</p><ul><li>One<li>Two</ul>",
        "<a href=x><div>One <span>two</span></div></a><p>three <a href=y>four</a>",
        "<p>one two <a href=x>three <i>four</i></a> five <a href=y>six</a>",
        "<p>one <svg><text>not this</text></svg> two</p><p>three",
        "<table><tr><td>one</td><td><a href=x>two</a></td></tr></table>",
        "<p>R&amp;D &nbsp; <a href=x>is</a> here",
        "<pre>a    b\n  c</pre><p>1<p>2<p>3",
        f"<p>{TEN} <a href=x>{TEN}</a>{TEN}</p><div>{TEN}<br>{TEN}</div>",
    ],
)
def test_the_blocks_of_the_segments_are_those_of_the_page(html: str) -> None:
    page = read(html)
    ours, all_of_it = shown_blocks(page), blocks_in(html)
    assert list(ours.texts) == list(all_of_it.texts)
    assert len(numbers_of(pieces(page))) == len(ours.texts)
    assert ours.tokens.tolist() == all_of_it.tokens.tolist()
    assert ours.linked.tolist() == all_of_it.linked.tolist()
    assert ours.text_density().tolist() == all_of_it.text_density().tolist()
    assert set(ours.segments.tolist()) == set(range(len(page.segments)))


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        ("<a href=x><b>one</b></a> two <i>three</i>", [1, 0, 0]),  # the link begins before the first text
        ("<p>one <b>two</b> <a name=top>three</a>", [0, 0, 0]),  # no address, no link
        ("<p><a name=top><b>one</b></a> two <a href=x>three</a>", [0, 1]),
        ("<p>one <a href=x>two <i>three</i> four</a> five", [1, 1, 1]),
    ],
)
def test_links_reach_over_the_ends_of_blocks(html: str, linked: list[int]) -> None:
    assert shown_blocks(read(html)).linked.tolist() == linked


def test_pieces_that_the_renderer_kept_give_the_same_blocks() -> None:
    html = "<p>One <b>two</b> three</p><!-- four --><ul><li><a href=x>five</a></ul>"
    kept = read(html, options=RenderOptions(pieces=True))
    assert kept.tokens is not None
    assert kept.tokens.pieces == pieces(read(html))
    assert list(shown_blocks(kept).texts) == list(shown_blocks(read(html)).texts)


def test_hidden_text_is_in_no_block_of_the_segments() -> None:
    page = read("<p>one</p><p hidden>two</p><select><option>three</select><p>four")
    assert list(shown_blocks(page).texts) == ["one", "four"]


def test_an_anchor_without_address_is_not_a_link() -> None:
    assert shown_blocks(read("<p><a name=top>One</a> two</p>")).linked.tolist() == [0]
