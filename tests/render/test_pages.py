"""From bytes or text to a Page: titles, rescued pages, equal results."""

import copy
import gc
import pickle

import pytest

from stupidos.render import RenderOptions, read, render

TEXT = "The ferry did not run on Monday, as the lake was frozen from shore to shore."


def texts(html: str) -> list[str]:
    return [segment.text for segment in render(html)]


@pytest.mark.parametrize(
    ("html", "title"),
    [
        ("<title>Tea</title>", "Tea"),
        ("<TITLE>\n Tea &amp;\n milk </TITLE>", "Tea & milk"),
        ("<head><title lang=en>Tea</title></head>", "Tea"),
        ("<title>a <b>b</b></title>", "a <b>b</b>"),
        ("<title>one</title><title>two</title>", "one"),
        ("<title></title>", ""),
        ("<p>no title", ""),
        ("<svg><title>Logo</title></svg><title>Tea</title>", "Tea"),
        ("<title>T\0e\x07a\u200b</title>", "Tea"),
        ("<title>Tea\ud800</title>", "Tea"),
    ],
)
def test_the_title_is_known_but_not_part_of_the_text(html: str, title: str) -> None:
    page = read(f"{html}<p>{TEXT}", "html")
    assert page.title == title
    assert [segment.text for segment in page.segments][-1] == TEXT
    assert not any("Tea" in segment.text for segment in page.segments)


@pytest.mark.parametrize(
    "unclosed",
    [
        "<title>",
        "<title lang=en>",
        "<script>",
        "<SCRIPT src=x>",
        "<style>",
        "<!--",
        "<textarea>",
        "<a href='x>",
    ],
)
def test_an_element_that_never_ends_does_not_swallow_the_page(unclosed: str) -> None:
    assert TEXT in texts(f"<p>a</p>{unclosed}<p>{TEXT}</p><p>b</p>")


def test_two_that_never_end_do_not_swallow_the_page() -> None:
    assert TEXT in texts(f"<title>Tea<script><p>{TEXT}</p>")


def test_offsets_of_a_rescued_page_are_those_of_the_source() -> None:
    html = f"<title>Tea<p>{TEXT}</p>"
    page = read(html, "html")
    assert page.source == html
    assert [html[segment.start : segment.end] for segment in page.segments] == ["Tea", TEXT]


@pytest.mark.parametrize(
    "end",
    [
        "<script>var a = '<p>b</p>'</script>",
        "<style>x</style>",
        "<!-- <p>b</p> -->",
        "<textarea><p>b</textarea>",
        "<script>b",
    ],
)
def test_what_rightly_ends_a_short_page_stays_out_of_it(end: str) -> None:
    assert texts(f"<p>a</p>{end}") == ["a"]


def test_a_long_page_keeps_what_an_unclosed_comment_hides() -> None:
    assert texts(f"<p>{TEXT}</p><!-- <p>b</p>") == [TEXT]


@pytest.mark.parametrize(
    "html", ["", " ", "\n", "<p>", "<!-- -->", "<html></html>", "&nbsp;", "\ufeff", "<br><br>"]
)
def test_a_page_without_text_has_no_segments(html: str) -> None:
    assert render(html) == []


def test_a_bare_text_is_a_segment() -> None:
    assert texts("tea") == ["tea"]


@pytest.mark.parametrize(
    "html", [b"<p>caf\xc3\xa9", "<p>café", bytearray(b"<p>caf\xe9"), memoryview(b"<p>caf\xc3\xa9")]
)
def test_bytes_and_text_are_both_welcome(html: bytes | str) -> None:
    assert texts(html) == ["café"]


def test_a_page_knows_its_source_encoding_and_markup() -> None:
    page = read(b"<p>caf\xc3\xa9", "html")
    assert (page.source, page.encoding, page.markup) == ("<p>café", "utf-8", True)


def test_what_looks_like_a_page_is_read_as_one() -> None:
    assert read("<html><body><p>a<p>b</body></html>").markup
    assert not read("no markup\n\nhere").markup


def test_rendering_twice_gives_the_same(lighthouse) -> None:
    html = lighthouse.read_bytes()
    first, second = render(html), render(html)
    assert first == second
    assert [(segment.start, segment.end) for segment in first] == [
        (segment.start, segment.end) for segment in second
    ]


def test_options_do_not_leak_into_the_next_page() -> None:
    html = "<p>a<br>b<img alt=c><input value=d><i hidden>e</i>"
    before = texts(html)
    render(html, RenderOptions("line", True, True, True))
    assert texts(html) == before == ["a", "b"]


def test_segments_can_be_hashed_copied_and_pickled(lighthouse) -> None:
    found = render(lighthouse.read_text())
    assert len(set(found)) == len(found)
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_collection_is_left_as_it_was(enabled: bool) -> None:
    was = gc.isenabled()
    (gc.enable if enabled else gc.disable)()
    try:
        render("<p>a")
        assert gc.isenabled() is enabled
    finally:
        (gc.enable if was else gc.disable)()
