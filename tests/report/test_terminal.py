"""The short form: one line a segment, whatever the page holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from annotation_samples import verdict

from stupidos.report.evidence import Evidence
from stupidos.report.terminal import columns_of, fitted, lines


def test_kept_segments_are_marked_and_rules_named(found: Evidence) -> None:
    shown = list(lines(found, 80, colour=False))
    assert shown == [
        "A page",
        "2 of 4 segments kept · 4 of 9 words · confidence 88% · model model",
        "",
        "▌  +3.00  # Tea",
        "▌    +12  Tea is hot.",
        "   −2.00  Share this",
        "   +1.50  Home | About  [bar]",
    ]


def test_without_colour_there_is_no_escape_sequence(found: Evidence) -> None:
    assert "\x1b" not in "".join(lines(found, 80, colour=False))
    assert "\x1b" in "".join(lines(found, 80, colour=True))


@pytest.mark.parametrize("text", ["\x1b[2Jgone", "a\rb", "\x9b31m", "\u202eabc", "two\nlines", "\ud800"])
def test_a_page_cannot_rule_the_terminal(text: str, found: Evidence) -> None:
    [*_, last] = lines(replace(found, verdicts=[verdict(text, 1.0)], title=text), 80, colour=False)
    assert last.isprintable()


@pytest.mark.parametrize(
    "text", ["short", "a longer text that needs cutting", "三个字和更多的字", "e\u0301" * 30]
)
@pytest.mark.parametrize("columns", [1, 5, 20])
def test_a_line_fits_the_terminal(text: str, columns: int) -> None:
    shown = fitted(text, columns)
    assert sum(map(columns_of, shown)) <= columns
    assert shown == text or shown.endswith("…")


def test_an_unknown_confidence_is_not_shown(found: Evidence) -> None:
    assert "confidence" not in list(lines(replace(found, confidence=None), 80))[1]
