"""The headline of a page: put on top where it is missing, once, or taken out."""

from __future__ import annotations

import pytest

from stupidos.page import Kind, Segment, Verdict
from stupidos.pipeline import Cleaner
from stupidos.write import Style, pieces
from stupidos.write.headline import needs_title, placement, titled

TITLE = "Tea is hot"
TEXT = [(f"Paragraph {number}.", Kind.PARAGRAPH, True) for number in range(20)]


def verdicts(*parts: tuple[str, Kind, bool]) -> list[Verdict]:
    return [
        Verdict(Segment(text, kind, int(kind is Kind.HEADING)), 1.0, keep, "m") for text, kind, keep in parts
    ]


def outcome(found: list[Verdict], title: str = TITLE, style: Style | None = None) -> list[tuple[str, bool]]:
    told = titled(found, title, style or Style("text", title="keep"))
    return [(verdict.segment.text, verdict.keep) for verdict in told]


def test_a_headline_that_the_page_does_not_show_is_put_first() -> None:
    found = verdicts(("Home", Kind.PARAGRAPH, False), *TEXT[:2])
    first, *rest = titled(found, TITLE, Style("text", title="keep"))
    assert first == Verdict(Segment(TITLE, Kind.HEADING, 1), 0.0, True, "title")
    assert rest == found


def test_a_headline_is_looked_for_in_the_first_dozen_of_kept_segments() -> None:
    for place, put_first in ((11, False), (12, True)):
        found = verdicts(*TEXT[:place], (TITLE, Kind.PARAGRAPH, True), *TEXT[place:])
        assert (len(outcome(found)) > len(found)) is put_first


@pytest.mark.parametrize("heading", [TITLE, "tea  is HOT", "Tea is very hot"])
def test_a_heading_that_was_dropped_is_kept_after_all_and_nothing_else_changes(heading: str) -> None:
    found = verdicts(("Home", Kind.PARAGRAPH, False), (heading, Kind.HEADING, False), *TEXT[:2])
    told = titled(found, TITLE, Style("text", title="keep"))
    assert told[1] == found[1]._replace(keep=True, reason="title")
    assert [*told[:1], *told[2:]] == [found[0], *found[2:]]


def test_a_dropped_heading_behind_kept_text_stays_dropped() -> None:
    found = verdicts(TEXT[0], (TITLE, Kind.HEADING, False))
    assert outcome(found) == [(TITLE, True), ("Paragraph 0.", True), (TITLE, False)]


@pytest.mark.parametrize("kind", [Kind.HEADING, Kind.PARAGRAPH])
def test_a_headline_that_is_kept_is_not_repeated(kind: Kind) -> None:
    found = verdicts(TEXT[0], (TITLE, kind, True))
    assert titled(found, TITLE, Style("text", title="keep")) == found


def test_a_main_heading_of_other_words_stands_for_the_headline() -> None:
    found = verdicts(("Something else", Kind.HEADING, True), TEXT[0])
    assert titled(found, TITLE, Style("text", title="keep")) == found


def test_a_headline_is_looked_for_in_the_first_twelve_kept_segments() -> None:
    dropped = ("Home", Kind.PARAGRAPH, False)
    near = verdicts(dropped, *TEXT[:11], (TITLE, Kind.HEADING, True))
    far = verdicts(dropped, *TEXT[:12], (TITLE, Kind.HEADING, True))
    assert titled(near, TITLE, Style("text", title="keep")) == near
    assert outcome(far)[0] == (TITLE, True)
    assert outcome(near, style=Style("text", title="drop"))[-1] == (TITLE, False)
    assert outcome(far, style=Style("text", title="drop"))[-1] == (TITLE, True)


def test_a_headline_is_dropped_where_it_is_not_wanted() -> None:
    found = verdicts(("Home", Kind.PARAGRAPH, False), (TITLE, Kind.HEADING, True), TEXT[0])
    assert outcome(found, style=Style("text", title="drop")) == [
        ("Home", False),
        (TITLE, False),
        ("Paragraph 0.", True),
    ]
    assert titled(found[2:], TITLE, Style("text", title="drop")) == found[2:]


@pytest.mark.parametrize(
    ("text", "kind", "same"),
    [
        ("hot is tea", Kind.PARAGRAPH, True),
        ("Tea is very hot", Kind.PARAGRAPH, False),
        ("Tea is very hot", Kind.HEADING, True),  # three of four words
        ("Tea is very, very often hot", Kind.HEADING, False),  # three of five
        (f"{TITLE} {TITLE} {TITLE} {TITLE}", Kind.HEADING, False),  # much longer
        (f"{TITLE} {'!' * 29}", Kind.PARAGRAPH, True),
        (f"{TITLE} {'!' * 30}", Kind.PARAGRAPH, False),
    ],
)
def test_a_headline_has_the_words_of_the_title(text: str, kind: Kind, same: bool) -> None:
    style = Style("text", title="drop")
    assert placement([Segment(text, kind, 1)], [1], TITLE, style).at == (0 if same else -1)


def test_a_heading_of_a_lower_level_needs_all_words() -> None:
    style = Style("text", title="drop")
    assert placement([Segment("Tea is very hot", Kind.HEADING, 2)], [1], TITLE, style).at == -1
    assert placement([Segment(TITLE, Kind.HEADING, 2)], [1], TITLE, style).at == 0


@pytest.mark.parametrize("format", ["text", "jsonl", "markdown", "html", "tei"])
@pytest.mark.parametrize("title", ["auto", "keep", "drop"])
def test_the_title_is_needed_where_it_may_change_something(format: str, title: str) -> None:
    style = Style(format, title=title)
    expected = title == "drop" or title == "keep" or format in ("markdown", "html", "tei")
    assert needs_title([Segment("Paragraph.")], [1], style) == expected
    assert needs_title([Segment(TITLE, Kind.HEADING, 1)], [1], style) == (title == "drop")


def test_nothing_kept_or_no_title_changes_nothing() -> None:
    found = verdicts((TITLE, Kind.HEADING, False))
    assert titled(found, TITLE, Style("text", title="keep")) == found
    assert titled(found, "", Style("text", title="keep")) == found
    assert titled([], TITLE, Style("text", title="keep")) == []


@pytest.mark.parametrize("format", ["markdown", "html", "tei"])
def test_a_structured_page_begins_with_its_headline_once(format: str) -> None:
    html = "<title>Tea is hot</title><h1>Tea is hot</h1><p>It is very hot."
    document = Cleaner.load("keep-all").extract(html)
    assert document.decision is not None
    document.decision.keep[0] = False
    shown = document.written(format)
    assert shown.partition("<body>")[2].count(TITLE) == 1 or shown.count(TITLE) == 1
    dropped = "".join(pieces(document, Style(format, title="drop")))
    assert TITLE not in dropped.rpartition("<body>")[2]
    kept = Cleaner.load("keep-all").extract(html)
    assert TITLE not in "".join(pieces(kept, Style(format, title="drop"))).rpartition("<body>")[2]
