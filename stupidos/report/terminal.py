"""The short form of a report: one line a segment, for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import category, combining, east_asian_width

from stupidos.page import Kind, Verdict
from stupidos.report.evidence import Evidence
from stupidos.report.formatting import signed, words

RESET, BOLD, DIM, BLUE, ORANGE = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[34m", "\x1b[33m"
MARKS = {Kind.PARAGRAPH: "", Kind.HEADING: "# ", Kind.ITEM: "• "}
SCORE_WIDTH = 7
NARROWEST = 20  # columns of text that are always shown


def lines(found: Evidence, width: int = 80, colour: bool = True) -> Iterator[str]:
    """A head of two lines, then every segment on one, cut to the width of the terminal."""
    kept = [verdict for verdict in found.verdicts if verdict.keep]
    facts = [
        f"{len(kept):,} of {len(found.verdicts):,} segments kept",
        f"{words(kept):,} of {words(found.verdicts):,} words",
        *([] if found.confidence is None else [f"confidence {found.confidence:.0%}"]),
        f"model {found.model}",
    ]
    yield painted(fitted(found.title or "Untitled page", width), BOLD, colour)
    yield painted(" · ".join(facts), DIM, colour)
    yield ""
    for verdict in found.verdicts:
        yield line(verdict, width, colour, by_score=found.by_score(verdict))


def line(verdict: Verdict, width: int, colour: bool, by_score: bool) -> str:
    """One segment: a bar where it is kept, its score, its text, and what decided besides the score."""
    bar = "▌" if verdict.keep else " "
    reason = "" if by_score else f"  [{verdict.reason}]"
    room = max(NARROWEST, width - len(bar) - SCORE_WIDTH - 2 - len(reason))
    text = fitted(MARKS[Kind(verdict.segment.kind)] + verdict.segment.text, room)
    heading = BOLD if verdict.segment.kind == Kind.HEADING else ""
    return (
        painted(f"{bar}{signed(verdict.score):>{SCORE_WIDTH}}", BLUE if verdict.keep else DIM, colour)
        + "  "
        + painted(text, heading if verdict.keep else DIM, colour)
        + painted(reason, ORANGE, colour)
    )


def painted(text: str, code: str, colour: bool) -> str:
    """Text in a colour of the terminal, if it has any."""
    return f"{code}{text}{RESET}" if colour and code and text else text


def fitted(text: str, columns: int) -> str:
    """Text on one line of at most so many columns; wide letters take two, control characters none.

    A page could hold escape sequences that rule the terminal: they lose their escape.

    >>> fitted("Skip  to the\\x1b[2J content", 14)
    'Skip to the[2…'
    """
    squeezed = " ".join(text.split())
    shown: list[str] = []
    used = 0
    for letter in squeezed:
        if category(letter) in ("Cc", "Cf", "Cs"):
            continue
        used += columns_of(letter)
        if used > columns:
            return _with_ellipsis(shown, columns)
        shown.append(letter)
    return "".join(shown)


def columns_of(letter: str) -> int:
    """Columns a character takes on a terminal.

    >>> [columns_of(letter) for letter in ("a", "字", "\\u0301")]
    [1, 2, 0]
    """
    return 0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1


def _with_ellipsis(shown: list[str], columns: int) -> str:
    while shown and sum(map(columns_of, shown)) > columns - 1:
        shown.pop()
    return "".join(shown).rstrip() + "…"
