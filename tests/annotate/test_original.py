"""The original page beside its segments: marked, and without anything that would run or be loaded."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from stupidos.annotate import original as module
from stupidos.annotate.original import original
from stupidos.page import Page
from stupidos.pipeline import Cleaner

RAW = Path(__file__).resolve().parents[1] / "quality" / "raw"


class Marked(HTMLParser):
    """The texts inside the marks of each segment, and all start tags."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: dict[int, str] = {}
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.ids: list[str] = []
        self._open: list[int] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag == "stupidos-segment":
            self._open.append(int((attributes["class"] or "").rpartition("-")[2]))
            self.ids += [attributes["id"] or ""] if "id" in attributes else []

    def handle_endtag(self, tag: str) -> None:
        if tag == "stupidos-segment":
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]] = self.texts.get(self._open[-1], "") + data


def page(html: str) -> Page:
    return Cleaner.load("keep-all").page(html)


def letters(text: str) -> str:
    """Text without blanks and list numbers, which the renderer adds."""
    return re.sub(r"\s+", "", re.sub(r"^\d+\. ", "", text))


@pytest.mark.parametrize("path", sorted(RAW.glob("*.html")), ids=lambda path: path.name)
def test_every_segment_is_marked_with_its_own_text(path: Path) -> None:
    rendered = Cleaner.load("web").page(path.read_bytes())
    marked = Marked(original(rendered))
    for i, segment in enumerate(rendered.segments):
        assert letters(marked.texts[i]) == letters(segment.text)
    assert len(marked.ids) == len(set(marked.ids)) == len(rendered.segments)


@pytest.mark.parametrize(
    "markup",
    [
        "<script>alert(1)</script>",
        "<SCRIPT src=//evil.example/x.js></SCRIPT>",
        "<link rel=preconnect href=//evil.example>",
        "<link rel=stylesheet href=//evil.example/x.css>",
        "<meta http-equiv=refresh content='0;url=//evil.example'>",
        "<base href=//evil.example/>",
        "<iframe src=//evil.example></iframe>",
        "<object data=//evil.example></object><embed src=//evil.example>",
        "<frameset><frame src=//evil.example></frameset>",
        "<!-- a comment -->",
    ],
)
def test_what_would_only_be_blocked_is_left_out(markup: str) -> None:
    shown = original(page(f"<p>Tea is hot.</p>{markup}<p>Milk is cold.</p>"))
    assert "evil.example" not in shown
    assert not re.search("<(script|link|meta|base|iframe|object|embed|frame|!--)", shown, re.IGNORECASE)
    assert Marked(shown).texts == {0: "Tea is hot.", 1: "Milk is cold."}


@pytest.mark.parametrize("attribute", ["href", "HREF", "ping", "target", "formaction", "xlink:href"])
def test_no_link_leads_anywhere(attribute: str) -> None:
    shown = original(page(f'<p><a class=x {attribute}="https://evil.example/">Tea</a> is hot.</p>'))
    [link] = [attributes for tag, attributes in Marked(shown).tags if tag == "a"]
    assert link["class"] == "x"
    assert attribute.lower() not in link


def test_style_sheets_of_the_page_are_shown() -> None:
    assert "<style>p { color: red }</style>" in original(page("<style>p { color: red }</style><p>Tea"))


def test_a_dump_is_shown_as_text() -> None:
    dump = "Menu\n\n   Tea is <b>hot</b> & green, they say in the village.\n\n   Share this\n"
    rendered = Cleaner.load("keep-all").page(dump, input="text")
    marked = Marked(original(rendered))
    assert [letters(text) for text in marked.texts.values()] == [letters(s.text) for s in rendered.segments]
    assert not [tag for tag, _ in marked.tags if tag == "b"]


def test_of_a_long_page_the_first_pieces_are_highlighted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_RULES", 2)
    shown = original(page("<p>a<p>b<p>c<p>d"))
    assert "#stupidos-1:target" in shown
    assert "#stupidos-2:target" not in shown
    assert 'id="stupidos-3"' in shown


@pytest.mark.parametrize("html", ["", "<p>", "<title>x", "<script>", "<!--", "<p title='", "&#0;", "<a href"])
def test_odd_pages_are_shown_too(html: str) -> None:
    assert original(page(html)).startswith("<!doctype html>")


def test_text_from_json_ld_is_not_part_of_the_page() -> None:
    html = (
        '<script type="application/ld+json">{"@type": "Article", "articleBody": "'
        + "Tea is hot and green. " * 20
        + '"}</script><div id=app></div>'
    )
    rendered = Cleaner.load("web").page(html)
    assert rendered.segments
    assert Marked(original(rendered)).texts == {}
