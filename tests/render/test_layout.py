"""Blocks, headings, line breaks, preformatted text, and what is no text of a page."""

import pytest

from stupidos.page import Kind, Segment
from stupidos.render import RenderOptions, render

LINES = RenderOptions(br="line")


def texts(html: str, options: RenderOptions = RenderOptions()) -> list[str]:
    return [segment.text for segment in render(html, options)]


def one(html: str) -> Segment:
    (segment,) = render(html)
    return segment


@pytest.mark.parametrize(
    "tag",
    "p div section article main aside nav header footer form fieldset blockquote center figure address "
    "details summary ul dl li dt dd table tr td caption h1 h6 pre body html legend hgroup".split(),
)
def test_a_block_element_begins_and_ends_a_segment(tag: str) -> None:
    assert texts(f"a<{tag}>b</{tag}>c") == ["a", "b", "c"]


@pytest.mark.parametrize(
    "tag", "b i em strong span font a code sub abbr time label q my-card unknown".split()
)
def test_an_inline_or_unknown_element_does_not_cut_a_word(tag: str) -> None:
    assert texts(f"a<{tag}>b</{tag}>c") == ["abc"]


@pytest.mark.parametrize("rule", ["<hr>", "<hr/>", "<HR noshade>"])
def test_a_rule_ends_a_segment(rule: str) -> None:
    assert texts(f"a{rule}b") == ["a", "b"]


@pytest.mark.parametrize("html", ["<P>a<P>b</P>c", "<DIV>a</DIV><Div>b</dIV>c", "<p>a</P>b<hR>c"])
def test_capitals_make_no_difference_to_tags(html: str) -> None:
    assert texts(html) == ["a", "b", "c"]


def test_white_space_is_squeezed() -> None:
    assert texts("<p>\n  one \t two\r\n\xa0&nbsp;three  </p>") == ["one two three"]


def test_white_space_between_inline_elements_is_one_blank() -> None:
    assert texts("<b>a</b>\n  <i>b</i><u> c</u>") == ["a b c"]


def test_blank_blocks_make_no_segment() -> None:
    assert texts("<p> </p><p>&nbsp;</p><div><span>\n</span></div><p>\u200b</p>") == []


@pytest.mark.parametrize("level", range(1, 7))
def test_a_heading_has_its_level(level: int) -> None:
    heading = one(f"<h{level}>Tea</h{level}>")
    assert (heading.kind, heading.level, heading.text) == (Kind.HEADING, level, "Tea")


@pytest.mark.parametrize(
    ("attributes", "level"),
    [
        ("role=heading", 2),
        ('role="heading" aria-level="4"', 4),
        ("aria-level='1' role='heading'", 1),
        ("ROLE=HEADING ARIA-LEVEL=3", 3),
        ("role=Heading", 2),
        ("role=heading aria-level=17", 2),
    ],
)
def test_the_role_of_a_heading_makes_one(attributes: str, level: int) -> None:
    heading = one(f"<div {attributes}>Tea</div>")
    assert (heading.kind, heading.level) == (Kind.HEADING, level)


@pytest.mark.parametrize(
    "attributes", ['class="heading"', "data-role=heading", "role=button title=heading", "role=headings"]
)
def test_what_only_looks_like_the_role_of_a_heading_is_none(attributes: str) -> None:
    assert one(f"<div {attributes}>Tea</div>").kind is Kind.PARAGRAPH


def test_a_heading_that_never_ends_is_ended_by_the_next() -> None:
    assert [(segment.level, segment.path) for segment in render("<h1>a<h2>b</h2><p>c")] == [
        (1, "h1"),
        (2, "h2"),
        (0, "p"),
    ]


def test_any_end_tag_of_a_heading_ends_one() -> None:
    assert [segment.kind for segment in render("<h2>a</h3>b")] == [Kind.HEADING, Kind.PARAGRAPH]


def test_blocks_inside_a_heading_are_headings() -> None:
    assert [segment.kind for segment in render("<h2><div>a</div><p>b</p></h2>c")] == [
        *[Kind.HEADING] * 2,
        Kind.PARAGRAPH,
    ]


@pytest.mark.parametrize("br", ["<br>", "<br/>", "<BR>", "</br>", "<br clear=all>"])
def test_a_line_break_ends_the_paragraph_or_the_line(br: str) -> None:
    assert texts(f"<p>a {br} b</p>") == ["a", "b"]
    assert texts(f"<p>a {br} b</p>", LINES) == ["a\nb"]


@pytest.mark.parametrize(
    "breaks",
    [
        "<br><br>",
        "<br>\n<br>",
        "<br><b></b> <br>",
        "<br>&nbsp;<br>",
        "<br>\xa0<br/>",
        "<br><br><br>",
        "<br>&nbsp; &#160;<br>",
    ],
)
def test_two_line_breaks_end_a_paragraph(breaks: str) -> None:
    assert texts(f"a{breaks}b", LINES) == ["a", "b"]


def test_line_breaks_around_a_text_do_not_show() -> None:
    assert texts("<br>a<br>", LINES) == texts("<p><br><br>a<br><br></p>", LINES) == ["a"]


def test_lines_of_one_segment_share_their_paragraph() -> None:
    assert texts("<p>a<br>b<br>c</p><p>d<br>e", LINES) == ["a\nb\nc", "d\ne"]


@pytest.mark.parametrize("options", [RenderOptions(), LINES])
@pytest.mark.parametrize("tag", ["pre", "listing", "PRE"])
def test_preformatted_text_keeps_its_lines_and_blanks(tag: str, options: RenderOptions) -> None:
    assert texts(f"<{tag}>\none\n  two   three\n\nfour\n</{tag}>five  six", options) == [
        "one\n  two   three\n\nfour",
        "five six",
    ]


def test_a_line_break_in_preformatted_text_is_one_line() -> None:
    assert texts("<pre>a<br>b<br><br>c</pre>") == ["a\nb\n\nc"]


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
def test_lines_of_preformatted_text_may_end_anyhow(ends: str) -> None:
    assert texts(f"<pre>a{ends}b</pre>") == ["a\nb"]


def test_tabs_of_preformatted_text_become_blanks() -> None:
    assert texts("<pre>x\ty</pre>") == ["x       y"]


def test_inline_elements_in_preformatted_text_keep_its_blanks() -> None:
    assert texts("<pre>def <b>f</b>():\n    <i>pass</i>  # &amp;</pre>") == ["def f():\n    pass  # &"]


@pytest.mark.parametrize(
    "html", ["<td><pre>a\nb</td><td>c  d", "<div><pre>a\nb</div>c  d", "<pre>a\nb</listing></pre>c  d"]
)
def test_preformatted_text_ends_with_the_element_around_it(html: str) -> None:
    assert texts(html)[-1] == "c d"


@pytest.mark.parametrize(
    "nothing",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<!-- x -->",
        "<template>x<p>y</template>",
        "<svg><text>x</text></svg>",
        "<svg><title>x</title></svg>",
        "<SVG>x</SVG>",
        "<iframe src=x>y</iframe>",
        "<video>x</video>",
        "<audio>x</audio>",
        "<canvas>x</canvas>",
        "<object><param name=x>y</object>",
        "<svg><svg>x</svg>y</svg>",
        "<svg><svg/>x</svg>",
        "<template><template>x</template>y</template>",
        "<svg/>",
        "<img src=x alt=y>",
        "<meta name=x content=y>",
        "<?php x ?>",
        "<![CDATA[x]]>",
    ],
)
def test_what_is_no_text_of_the_page_is_dropped(nothing: str) -> None:
    assert texts(f"<p>before {nothing} behind") == ["before behind"]


@pytest.mark.parametrize(
    "control",
    [
        "<select><option>x<option>y</select>",
        "<select><optgroup label=x><option>y</optgroup></select>",
        "<button>x</button>",
        "<textarea>x</textarea>",
        "<input value=x>",
        "<input type=submit value=x>",
        "<datalist><option>x</datalist>",
    ],
)
def test_form_controls_are_dropped_and_leave_a_gap(control: str) -> None:
    assert texts(f"<p>before{control}behind") == ["before behind"]
    assert texts(f"<p>{control}</p>") == []


def test_text_inside_a_form_stays() -> None:
    assert texts("<form><h1>Tea</h1><p>All of it.</p><label>Name</label> <input></form>") == [
        "Tea",
        "All of it.",
        "Name",
    ]


def test_a_fallback_for_an_unclosed_element_shows_the_page() -> None:
    assert texts("<p>a<select><option>b<p>c") == ["a", "b", "c"]


@pytest.mark.parametrize(
    "element", ["template", "select", "button", "svg", "iframe", "object", "video", "span hidden"]
)
def test_a_skipped_element_that_never_ends_does_not_swallow_the_page(element: str) -> None:
    assert texts(f"<p>one</p><{element}><p>two</p>three") == ["one", "two", "three"]


def test_several_skipped_elements_that_never_end_do_not_swallow_the_page() -> None:
    assert texts("<svg><select><button><template><iframe><p>one") == ["one"]


def test_an_early_end_of_the_body_ends_nothing() -> None:
    assert texts("<html><body><p>a</body></html><p>b</p>c") == ["a", "b", "c"]


def test_text_in_the_head_is_the_bodys() -> None:
    found = render("<head>stray<title>T</title><link rel=x></head><body>a")
    assert [(segment.text, segment.path) for segment in found] == [("stray", ""), ("a", "body")]


def test_a_head_that_never_ends_holds_no_text() -> None:
    assert [segment.path for segment in render("<html><head><title>T</title><body><p>a")] == ["html>body>p"]


def test_unclosed_paragraphs_are_siblings() -> None:
    assert [segment.path for segment in render("<div><p>a<p>b<div>c</div>d")] == [
        "div>p",
        "div>p",
        "div>div",
        "div",
    ]


def test_an_end_tag_without_a_start_ends_a_segment_only() -> None:
    assert [(segment.text, segment.path) for segment in render("<div>a</section>b</p>c")] == [
        ("a", "div"),
        ("b", "div"),
        ("c", "div"),
    ]


def test_an_end_tag_does_not_reach_out_of_a_cell() -> None:
    assert [segment.path for segment in render("<div><table><tr><td>a</div>b")] == ["div>table>tr>td"] * 2


def test_an_end_tag_ends_what_was_left_open_inside() -> None:
    assert [segment.path for segment in render("<section><div><ul>a</section>b")] == ["section>div>ul", ""]


def test_custom_elements_are_inline() -> None:
    found = render("<app-root><x-header><h1>Tea</h1></x-header><p>a <x-tag>b</x-tag></p></app-root>")
    assert [(segment.text, segment.path) for segment in found] == [("Tea", "h1"), ("a b", "p")]
