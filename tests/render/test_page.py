"""The nouns of stupidos.page."""

import pytest

from stupidos.page import DEEPEST, Kind, Page, Place, Segment, Verdict

ROOT: Place = (None, "", None, 0, 0)


def test_kinds_are_the_letters_of_cleaneval() -> None:
    assert [str(kind) for kind in Kind] == ["p", "h", "l"]


def test_elements_are_told_from_the_inside_out() -> None:
    body: Place = (ROOT, "body", None, 1, 0)
    segment = Segment("a", place=(body, "p", " class=x", 2, 0))
    assert segment.elements() == [("p", " class=x", 2), ("body", "", 1)]
    assert segment.elements(1) == [("p", " class=x", 2)]


def test_a_path_ends_at_the_deepest_elements() -> None:
    place = ROOT
    for serial in range(1, 2 * DEEPEST):
        place = (place, "div", None, serial, 0)
    assert Segment("a", place=place).path.count("div") == DEEPEST


@pytest.mark.parametrize("field", ["text", "kind", "level", "link_share", "place"])
def test_segments_are_frozen(field: str) -> None:
    with pytest.raises(AttributeError):
        setattr(Segment("a"), field, None)


def test_offsets_are_asked_for_the_first_and_last_token() -> None:
    class Doubled:
        def start(self, token: int) -> int:
            return 2 * token

        def end(self, token: int) -> int:
            return 2 * token + 1

    segment = Segment("a", first=3, last=5, offsets=Doubled())
    assert (segment.start, segment.end) == (6, 11)


def test_a_page_and_a_verdict_hold_what_they_are_given() -> None:
    segment = Segment("a")
    page = Page("<p>a", "T", [segment])
    verdict = Verdict(segment, 0.5, True, "standard")
    assert (page.markup, page.encoding, page.segments[0]) == (True, "unicode", verdict.segment)
