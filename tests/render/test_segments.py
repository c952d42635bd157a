"""What a segment knows: its text, where it stood, how much of it is linked."""

import re
from itertools import pairwise

import pytest

from stupidos.page import _ANCESTORS, Kind, Segment
from stupidos.render import RenderOptions, read, render
from stupidos.render.references import unescaped

NUMBER = re.compile(r"^\d+\. ")  # of an item of an ordered list, which is not written in the source


def one(html: str, options: RenderOptions = RenderOptions()) -> Segment:
    (segment,) = render(html, options)
    return segment


@pytest.mark.parametrize(
    ("html", "share"),
    [
        ("plain", 0.0),
        ("<a href=x>all</a>", 1.0),
        ("<p><a href=x>all of it</a></p>", 1.0),
        ("<a href=x> all <b> of </b>it\n</a> ", 1.0),
        ("<a href=x>R&amp;D</a>", 1.0),
        ("<a href=x>R&amp;D</a> lab", 0.5),
        ("<a href=x>one</a> <a href=y>two</a>", 1.0),
        ("<a href=x>one</a> | <a href=y>two</a>", 6 / 7),
        ("half<a href=x>half</a>", 0.5),
        ("z<a href=x>x </a>", 0.5),
        ("x <a href=x> y</a>", 0.5),
        ("<a href=x>&nbsp;y\u200b</a> x", 0.5),
        ("<a name=x>an anchor</a>", 0.0),
        ("<a>no link</a>", 0.0),
        ("<A HREF=x>all</A>", 1.0),
        ("<a Href=x>all</a>", 1.0),
        ("<a\nhref=x>all</a>", 1.0),
        ("<a href=x>a<a name=y>b</a>c", 1 / 3),
        ("<pre><a href=x>a\n  b</a>\ncd</pre>", 0.5),
    ],
)
def test_the_share_of_linked_characters_is_exact(html: str, share: float) -> None:
    assert one(html).link_share == pytest.approx(share)


def test_a_link_reaches_over_blocks() -> None:
    assert [segment.link_share for segment in render("<a href=x><h2>a</h2><p>b</p></a><p>c")] == [
        1.0,
        1.0,
        0.0,
    ]


def test_the_share_of_lines_counts_no_line_breaks() -> None:
    assert one("<a href=x>ab</a><br>cd", RenderOptions(br="line")).link_share == 0.5


def test_the_path_tells_the_open_block_elements_with_ids_and_classes() -> None:
    html = '<html><body class=home><div id="main" class="post body"><p><b class=x>a</b>'
    assert one(html).path == "html>body.home>div#main.post.body>p"


def test_text_outside_all_blocks_has_no_path_and_no_ancestors() -> None:
    segment = one("<b>a</b>")
    assert (segment.path, segment.ancestors, segment.elements()) == ("", (), [])


def test_ancestors_are_the_nearest_elements_own_first() -> None:
    outer, inner = render("<div>a<ul><li>b</ul></div>")
    assert outer.ancestors == inner.ancestors[2:]
    assert len(inner.ancestors) == 3


def test_equal_siblings_are_distinct() -> None:
    found = render("<ul><li class=x>a</li><li class=x>a</li></ul>")
    assert found[0].path == found[1].path
    assert found[0].ancestors[0] != found[1].ancestors[0]
    assert found[0].ancestors[1:] == found[1].ancestors[1:]


def test_segments_of_the_same_element_share_it() -> None:
    first, last = render("<div>a<p>b</p>c</div>")[::2]
    assert first.ancestors == last.ancestors
    assert first.place is last.place


def test_no_more_ancestors_are_told_than_needed() -> None:
    assert len(one("<div>" * 20 + "a").ancestors) == _ANCESTORS


def test_serial_numbers_rise_from_outside_in_and_from_start_to_end() -> None:
    found = render("<div><p>a</p><p>b</p><section><p>c</p></section></div>")
    assert [segment.ancestors for segment in found] == [(2, 1), (3, 1), (5, 4, 1)]


@pytest.mark.parametrize(
    ("html", "slices"),
    [
        ("<p>a</p>", ["a"]),
        ("<p>\n a <b>b</b> \n</p>c", ["a <b>b", "c"]),
        ("a<br>b", ["a", "b"]),
        ("<p>R&amp;D</p>", ["R&amp;D"]),
        ("<p>&nbsp;<i>&#160; a&nbsp;</i>&nbsp;</p>", ["a"]),
        ("<p><b></b><i> a</i><b> </b></p>", ["a"]),
        ("<p>a<span hidden>b</span></p>", ["a"]),
        ("<p><span hidden>b</span>a</p>", ["a"]),
        ("<p>&nbsp;<span hidden>b</span>a</p>", ["a"]),
        ("<p>a<svg>b</svg> <svg>c</svg></p>", ["a"]),
        ("<p>a<script>b</script></p>", ["a"]),
        ("<title>x</title><p>a", ["a"]),
        ("<textarea>x</textarea>a<textarea>y</textarea>", ["a"]),
        ("<pre>\n a\n b\n</pre>", ["a\n b"]),
        ("<xmp> a<b> </xmp>c", ["a<b>", "c"]),
        ("x<plaintext>a<b>", ["x<plaintext>a<b>"]),
        ("<ol><li>a<li>b</ol>", ["a", "b"]),
        ("<p>\0a\1</p>", ["\0a"]),
        ("<p>a\u200b</p>", ["a"]),
    ],
)
def test_offsets_enclose_the_text_in_the_source(html: str, slices: list[str]) -> None:
    page = read(html, "html")
    found = [page.source[segment.start : segment.end] for segment in page.segments]
    assert [part.replace("\ufffd", "\0") for part in found] == slices


def test_offsets_enclose_alternative_texts_and_controls() -> None:
    html = "<p> <img alt=a> </p><p><input value=b></p><textarea> c </textarea>"
    found = render(html, RenderOptions(alt=True, controls=True))
    assert [html[segment.start : segment.end] for segment in found] == ["<img alt=a>", "<input value=b>", "c"]


def test_offsets_rise_and_do_not_overlap(lighthouse_html: str) -> None:
    page = read(lighthouse_html, "html")
    ends = [(segment.start, segment.end) for segment in page.segments]
    assert all(start < end for start, end in ends)
    assert all(end <= start for (_, end), (start, _) in pairwise(ends))


def test_the_source_at_the_offsets_begins_and_ends_with_the_text(lighthouse_html: str) -> None:
    page = read(lighthouse_html, "html")
    assert len(page.segments) > 10
    for segment in page.segments:
        words = NUMBER.sub("", segment.text).split()
        source = unescaped(page.source[segment.start : segment.end])
        assert source.startswith(words[0]), segment
        assert source.endswith(words[-1]), segment


def test_a_segment_made_by_hand_needs_a_text_only() -> None:
    segment = Segment("tea")
    assert (segment.kind, segment.path, segment.ancestors) == (Kind.PARAGRAPH, "", ())
    assert (segment.start, segment.end, segment.link_share, segment.level) == (0, 0, 0.0, 0)


@pytest.fixture
def lighthouse_html(lighthouse) -> str:
    return lighthouse.read_text()
