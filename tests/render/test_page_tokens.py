"""The tokens of a page, and where the text of segments stands in its source."""

from __future__ import annotations

import pytest

from stupidos.render import RenderOptions, page_tokens, read
from stupidos.render.page_tokens import PageTokens


def tokens_of(html: str, options: RenderOptions = RenderOptions()) -> PageTokens:
    found = read(html, "html", options).segments[0].offsets
    assert isinstance(found, PageTokens)
    return found


def test_the_same_page_shown_the_same_way_has_equal_tokens() -> None:
    one, same = (tokens_of("<p>Tea<p>Milk") for _ in range(2))
    assert one == same
    assert hash(one) == hash(same)
    assert one != tokens_of("<p>Tea<p>Rum")
    assert one != tokens_of("<p>Tea<p>Milk", RenderOptions(hidden=True))
    assert one == tokens_of("<p>Tea<p>Milk", RenderOptions(pieces=True))
    assert one != "<p>Tea<p>Milk"


@pytest.mark.parametrize(
    "options", [RenderOptions(), RenderOptions(pieces=True), RenderOptions(structure=True)]
)
def test_pieces_are_texts_and_tags_in_turn(options: RenderOptions) -> None:
    tokens = tokens_of("<p>Tea<b class=x>hot</b>", options)
    assert list(tokens.pieces) == ["", "p", None, "Tea", "b", " class=x", "hot", "/b", None, "", None, None]
    assert list(tokens.stream()) == list(tokens.pieces)


def test_a_large_page_is_streamed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<p>Some tea.<p class=x>And milk, <b>hot</b>." * 9
    whole = list(tokens_of(html).stream())
    monkeypatch.setattr(page_tokens, "WHOLE", 10)
    monkeypatch.setattr(page_tokens, "FEW_TAGS", 5)
    tokens = tokens_of(html)
    assert not tokens.at_hand
    assert list(tokens.stream()) == whole


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>&nbsp; Tea &#160;</p>", "Tea"),
        ("<p> <b> Tea</b>&shy; </p>x", "Tea"),
        ("<p><!-- no --> Tea <!-- no --></p>", "Tea"),
        ("<p><script>x</script>Tea<style>y</style></p>", "Tea"),
        ("<p>\u200bTea\u200b</p>", "Tea"),
        ("<xmp> &nbsp;Tea </xmp>", "&nbsp;Tea"),
        ("<p>Tea &amp; rum&nbsp;&nbsp;</p>", "Tea &amp; rum"),
        ("<p>Tea &copy;</p>", "Tea &copy;"),
        ("<p>&#32;&#32;Tea&#32;&#32;</p>", "Tea"),
    ],
)
def test_offsets_enclose_what_can_be_seen(html: str, text: str) -> None:
    segment = read(html, "html").segments[0]
    assert html[segment.start : segment.end] == text


def test_an_image_is_enclosed_with_its_tag_if_its_text_is_shown() -> None:
    html = "<p><img src=a alt='A boat'> <input type=submit value=Go></p>"
    (segment,) = read(html, "html", RenderOptions(alt=True)).segments
    assert html[segment.start : segment.end] == "<img src=a alt='A boat'>"
    (segment,) = read(html, "html", RenderOptions(alt=True, controls=True)).segments
    assert html[segment.start : segment.end] == html[3:-4]


def test_pieces_are_kept_only_if_that_was_asked_for() -> None:
    assert tokens_of("<p>Tea")._pieces is None
    assert tokens_of("<p>Tea", RenderOptions(pieces=True))._pieces is not None
    assert tokens_of("<p>Tea", RenderOptions(structure=True))._pieces is not None
