"""Pages made to break a renderer."""

import pickle

import pytest

from stupidos.page import DEEPEST
from stupidos.render import RenderOptions, pages, read, render, tokens

EVERYTHING = RenderOptions(br="line", alt=True, hidden=True, controls=True)
DEEP = 20_000


def texts(html: str) -> list[str]:
    return [segment.text for segment in render(html)]


@pytest.mark.parametrize(
    "tag", ["div", "ul><li", "table><tr><td", "span", "b", "p", "a href=x", "blockquote", "font", "dl><dd"]
)
def test_deep_nesting_is_rendered(tag: str) -> None:
    (segment,) = render(f"<{tag}>" * DEEP + "text")
    assert segment.text == "text"
    assert segment.path.count(">") < DEEPEST
    assert segment.start == len(f"<{tag}>") * DEEP


def test_very_deeply_nested_segments_can_be_compared_and_pickled() -> None:
    html = "<div>a" * 3000
    found = render(html)
    assert len(found) == 3000
    assert found == render(html) == pickle.loads(pickle.dumps(found))
    assert len(set(found)) == 3000


def test_the_nearest_ancestors_of_deeply_nested_segments_are_right() -> None:
    found = render("<section>" * 2000 + "<div><p>a</p><p>b</p></div>")
    assert [segment.path.split(">")[-2:] for segment in found] == [["div", "p"]] * 2
    assert found[0].ancestors[1:] == found[1].ancestors[1:]


def test_a_page_of_end_tags_is_empty() -> None:
    assert render("</div></p></table></body></html></a></span>" * 1000) == []


def test_misnested_tags_lose_no_text() -> None:
    assert "".join(texts("<b>a<p>b</b>c<table>d<tr>e<td>f</b></p>g</table>h</td>i")) == "abcdefghi"


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<b",
        "<p>a<b c",
        '<p>a<b c="d',
        "<p>a<!-- b",
        "<p>a</b",
        "<p>a<script>b",
        "<p>a<b c='d>e",
        "<p>a&",
        "<p>a<",
    ],
)
def test_a_tag_cut_off_by_the_end_does_not_take_the_text_before_it(html: str) -> None:
    assert texts(html)[0].rstrip("&<") == "a"


@pytest.mark.parametrize(
    "control", ["\1", "\2", "\3", "\x07", "\x1b", "\x7f", "\x9f", "\u200b", "\ufeff", "\ud800"]
)
def test_invalid_characters_are_removed(control: str) -> None:
    assert texts(f"<p>a{control}b</p><pre>c{control}d\ne</pre>") == ["ab", "cd\ne"]


def test_nul_is_shown_as_the_replacement_character() -> None:
    assert texts("<p>a\0b</p>c") == ["a\ufffdb", "c"]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 0xD800, 128, 10**9])
def test_references_to_marks_of_the_renderer_do_no_harm(number: int) -> None:
    found = texts(f"<p>a&#{number};b</p><pre>c\n&#{number};d</pre>")
    assert len(found) == 2
    assert not set("\0\1\2") & set("".join(found))


@pytest.mark.parametrize(
    "html", ["a\ud800", "<p class='\ud800'>a\ud83d", "<title>\ud800</title>a", "\ud800<p>a"]
)
def test_text_with_lone_surrogates_can_be_encoded(html: str) -> None:
    page = read(html, "html")
    assert "".join([page.title, *(segment.text for segment in page.segments)]).encode() == b"a"


def test_thousands_of_digits_make_one_character() -> None:
    assert texts(f"a&#{'9' * 10_000};b") == ["a\ufffdb"]


@pytest.mark.parametrize("options", [RenderOptions(), EVERYTHING])
@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a",
        "</",
        "<!",
        "<!--",
        "<a b",
        "<a b=",
        '<a b="',
        "<a b='",
        "&",
        "&#",
        "&#x",
        "&a",
        "<script>",
        "<title>",
        "<svg>",
        "<p hidden>",
        "<span hidden>x",
        "<select><option>",
        "<ol><li>",
        "<br>",
        "<pre>\t",
        "\0",
        "\1\2",
        "<xmp>",
        "<plaintext>",
        "<img alt=x>",
        "<input value=x>",
        "<textarea>",
        "<table><tr><td>",
        "<h1>",
        "</h2>",
        "<!-->",
        "-->",
        "]]>",
        "\ud800",
    ],
)
def test_anything_over_and_over_is_rendered_with_offsets_inside_the_page(
    piece: str, options: RenderOptions
) -> None:
    page = read(piece * 300, "html", options)
    for segment in page.segments:
        assert segment.text
        assert 0 <= segment.start <= segment.end <= len(page.source)


@pytest.fixture
def small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "WHOLE", 10)
    monkeypatch.setattr(pages, "FEW_TAGS", 0)
    monkeypatch.setattr(tokens, "_WINDOW", 16)


@pytest.mark.usefixtures("small_windows")
def test_a_page_of_too_many_segments_loses_no_text_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "MOST_SEGMENTS", 99)
    html = "<p>a" * 150 + "<b>b</b><script>x</script>&amp;"
    page = read(html, "html")
    found = page.segments
    assert page.truncated == "max-segments"
    assert 99 <= len(found) <= 110  # the last window is laid out to its end
    assert " ".join(segment.text for segment in found) == "a " * 150 + "b &"
    assert [segment.start for segment in found] == list(range(3, 4 * len(found), 4))
    assert found[-1].end == len(html)


@pytest.mark.usefixtures("small_windows")
@pytest.mark.parametrize(
    "html",
    [
        '<p class="a long attribute of many windows, even three">Tea</p><p>Milk</p>',
        "<p>A text that reaches over many windows, and <b>goes on</b> behind them.<p>Milk",
        "<p>Tea<!-- a comment <p>with tags</p> that ends --><p>Milk<!-- one that does not",
        "<script>var a = '<p>text</p>';</script><p>Tea</p><style>p { a: b }</style>Milk",
        "<title>Tea and milk, and what not else</title><textarea>Tea and milk</textarea><p>1 < 2 </ 3",
        "<p>Tea" * 9 + "<svg><p>Milk" * 9,
        "<p>Tea &amp; milk<br>" * 9 + "<xmp><p>Milk</xmp>",
        "&amp;&lt;p&gt;" * 20 + "<" * 40,
    ],
)
def test_a_page_read_in_parts_is_the_same_page(html: str, monkeypatch: pytest.MonkeyPatch) -> None:
    in_parts = read(html, "html")
    assert [piece for part in tokens.parts(html) for piece in part] == tokens.SPLIT.split(html)
    monkeypatch.setattr(pages, "WHOLE", 1000)
    assert in_parts == read(html, "html")


def test_tag_names_that_never_come_again_are_no_trouble() -> None:
    assert texts("".join(f"<x{number}>a" for number in range(2000))) == ["a" * 2000]


def test_one_huge_attribute_is_no_trouble() -> None:
    (segment,) = render(f'<p class="{"x " * 100_000}" id=y>a</p>')
    assert segment.text == "a"
    assert segment.path.startswith("p#y.x.x")


@pytest.mark.parametrize(
    "source",
    ['<p a="><h1>\0</h1><p>It rained.', "<title><h1>\0</h1><p>It rained.", "<p hidden><h1>\0</h1>It rained."],
    ids=["an unclosed quote", "an unclosed title", "hidden text"],
)
def test_nul_in_text_that_is_read_on_a_second_try_moves_nothing(source: str) -> None:
    segments = [segment for segment in render(source) if segment.text == "It rained."]
    found = [(segment.kind, source[segment.start : segment.end]) for segment in segments]
    assert found == [("p", "It rained.")]
