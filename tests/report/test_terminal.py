"""The short form: one line a segment, whatever the page holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from annotation_samples import verdict

from stupidos.report.page_report import PageReport
from stupidos.report.terminal import _column_width, _truncated, report_lines


def test_kept_segments_are_marked_and_rules_named(report: PageReport) -> None:
    shown = list(report_lines(report, 80, colour=False))
    assert shown == [
        "A page",
        "2 of 4 segments kept · 4 of 9 words · confidence 88% · model model",
        "",
        "▌  +3.00  # Tea",
        "▌    +12  Tea is hot.",
        "   −2.00  Share this",
        "   +1.50  Home | About  [bar]",
    ]


def test_without_colour_there_is_no_escape_sequence(report: PageReport) -> None:
    assert "\x1b" not in "".join(report_lines(report, 80, colour=False))
    assert "\x1b" in "".join(report_lines(report, 80, colour=True))


@pytest.mark.parametrize("text", ["\x1b[2Jgone", "a\rb", "\x9b31m", "\u202eabc", "two\nlines", "\ud800"])
def test_a_page_cannot_rule_the_terminal(text: str, report: PageReport) -> None:
    [*_, last] = report_lines(replace(report, verdicts=[verdict(text, 1.0)], title=text), 80, colour=False)
    assert last.isprintable()


@pytest.mark.parametrize(
    "text", ["short", "a longer text that needs cutting", "三个字和更多的字", "e\u0301" * 30]
)
@pytest.mark.parametrize("columns", [1, 5, 20])
def test_a_line_fits_the_terminal(text: str, columns: int) -> None:
    shown = _truncated(text, columns)
    assert sum(map(_column_width, shown)) <= columns
    assert shown == text or shown.endswith("…")


def test_an_unknown_confidence_is_not_shown(report: PageReport) -> None:
    assert "confidence" not in list(report_lines(replace(report, confidence=None), 80))[1]
