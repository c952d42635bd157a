"""The short form of a report: one line per segment, for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category, combining, east_asian_width

from stupidos.page import Kind, Verdict
from stupidos.report.formatting import signed, total_words
from stupidos.report.page_report import PageReport

_RESET, _BOLD, _DIM, _BLUE, _ORANGE = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[34m", "\x1b[33m"
_KIND_MARKS = {Kind.PARAGRAPH: "", Kind.HEADING: "# ", Kind.ITEM: "• "}
_SCORE_WIDTH = 7
_MIN_TEXT_WIDTH = 20  # columns


def report_lines(report: PageReport, width: int = 80, colour: bool = True) -> Iterator[str]:
    """A header of two lines, then one line per segment, truncated to the width of the terminal."""
    kept = [verdict for verdict in report.verdicts if verdict.keep]
    summary = [
        f"{len(kept):,} of {len(report.verdicts):,} segments kept",
        f"{total_words(kept):,} of {total_words(report.verdicts):,} words",
        *([] if report.confidence is None else [f"confidence {report.confidence:.0%}"]),
        f"model {report.model}",
    ]
    yield _coloured(_truncated(report.title or "Untitled page", width), _BOLD, colour)
    yield _coloured(" · ".join(summary), _DIM, colour)
    yield ""
    for verdict in report.verdicts:
        yield _segment_line(verdict, width, colour, by_score=report.by_score(verdict))


def _segment_line(verdict: Verdict, width: int, colour: bool, by_score: bool) -> str:
    """One segment: a bar if it is kept, its score, its text, and the rule if one decided."""
    bar = "▌" if verdict.keep else " "
    reason = "" if by_score else f"  [{verdict.reason}]"
    room = max(_MIN_TEXT_WIDTH, width - len(bar) - _SCORE_WIDTH - 2 - len(reason))
    text = _truncated(_KIND_MARKS[Kind(verdict.segment.kind)] + verdict.segment.text, room)
    heading = _BOLD if verdict.segment.kind == Kind.HEADING else ""
    return (
        _coloured(f"{bar}{signed(verdict.score):>{_SCORE_WIDTH}}", _BLUE if verdict.keep else _DIM, colour)
        + "  "
        + _coloured(text, heading if verdict.keep else _DIM, colour)
        + _coloured(reason, _ORANGE, colour)
    )


def _coloured(text: str, code: str, colour: bool) -> str:
    """Text with an escape sequence around it, if colours are on."""
    return f"{code}{text}{_RESET}" if colour and code and text else text


def _truncated(text: str, columns: int) -> str:
    """Text on one line of at most `columns` columns.

    Control characters are removed, so that a page cannot send escape sequences to the terminal.

    >>> _truncated("Skip  to the\\x1b[2J content", 14)
    'Skip to the[2…'
    """
    one_line = " ".join(text.split())
    letters: list[str] = []
    used = 0
    for letter in one_line:
        if category(letter) in ("Cc", "Cf", "Cs"):
            continue
        used += _column_width(letter)
        if used > columns:
            return _with_ellipsis(letters, columns)
        letters.append(letter)
    return "".join(letters)


def _column_width(letter: str) -> int:
    """Width of a character on a terminal, in columns.

    >>> [_column_width(letter) for letter in ("a", "字", "\\u0301")]
    [1, 2, 0]
    """
    return 0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1


def _with_ellipsis(letters: list[str], columns: int) -> str:
    while letters and sum(map(_column_width, letters)) > columns - 1:
        letters.pop()
    return "".join(letters).rstrip() + "…"
