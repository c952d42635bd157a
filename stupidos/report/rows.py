"""The rows of an HTML report: one per segment, with its score, its path and how it was decided."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from stupidos.page import Kind, Verdict
from stupidos.report.formatting import bar_length, clamped, signed
from stupidos.report.heat import NEUTRAL, ColourRun, heat_map
from stupidos.report.page_report import PageReport
from stupidos.report.reasons import Reason, rounded

_KIND_NAMES = {Kind.PARAGRAPH: "paragraph", Kind.HEADING: "heading", Kind.ITEM: "list item"}

_NUMBERED = re.compile(r"\d+[.)]")  # such a list item gets no bullet


def rows(report: PageReport) -> Iterator[str]:
    """An HTML list item for every segment."""
    if report.characters:
        texts = zip((verdict.segment.text for verdict in report.verdicts), report.characters, strict=True)
        coloured = heat_map(texts)
    else:
        coloured = [[ColourRun(NEUTRAL, verdict.segment.text)] for verdict in report.verdicts]
    threshold = report.threshold
    for i, (verdict, runs) in enumerate(zip(report.verdicts, coloured, strict=True)):
        parts = {name: scores[i] for name, scores in report.parts.items()}
        reasons = report.reasons[i] if report.reasons else ()
        by_score = report.by_score(verdict)
        end = f'<p class="end">{escape(_conclusion(verdict, threshold, by_score))}</p>'
        steps = f"{_reason_list(reasons)}{_decision_steps(verdict, parts)}{end}"
        yield _row(verdict, runs, _summary(verdict, reasons, by_score), steps, fixed=not by_score)


def _row(verdict: Verdict, runs: Sequence[ColourRun], summary: str, steps: str, fixed: bool) -> str:
    """One segment; `fixed` if a rule decided, so that the threshold has no effect."""
    segment = verdict.segment
    state = f"{'kept' if verdict.keep else 'dropped'}{' numbered' if _NUMBERED.match(segment.text) else ''}"
    text = "".join(_coloured(run) for run in runs)
    return (
        f'<li class="segment {state} {segment.kind}" data-score="{clamped(verdict.score):.4f}" '
        f'data-words="{len(segment.text.split())}"{" data-fixed" if fixed else ""}>'
        f'<span class="score figure">{signed(verdict.score)}</span><div>'
        f'<p class="text" dir="auto">{text}</p>'
        f"<details><summary>{summary}</summary>{steps}</details></div></li>"
    )


def _summary(verdict: Verdict, reasons: Sequence[Reason], by_score: bool) -> str:
    """The line below a segment: its kind, what spoke most for the decision, and its path."""
    if by_score:
        agreeing = [reason for reason in reasons if (reason.log_odds > 0) == verdict.keep]
        why = f'<span class="why">{escape(agreeing[0].words)}</span>' if agreeing else ""
    else:
        why = f'<span class="rule">{escape(verdict.reason)}</span>'
    path = escape(verdict.segment.path)
    return f"<span>{_kind_name(verdict)}</span>{why}<code><bdi>{path}</bdi></code>"


def _coloured(run: ColourRun) -> str:
    """Escaped text of a run, inside an element unless its colour is neutral."""
    text = escape(run.text, quote=False)
    return text if run.colour == NEUTRAL else f'<i class="c{run.colour}">{text}</i>'


def _kind_name(verdict: Verdict) -> str:
    """Name of the kind, with the level of a heading."""
    segment = verdict.segment
    name = _KIND_NAMES[Kind(segment.kind)]
    return f"{name} {segment.level}" if segment.kind == Kind.HEADING and segment.level else name


def _reason_list(reasons: Sequence[Reason]) -> str:
    """What moved the score most, with a sign."""
    items = "".join(
        f'<li><span class="number figure {_direction(log_odds)}">{signed(log_odds)}</span> '
        f"<bdi>{escape(words)}</bdi></li>"
        for words, log_odds in reasons
    )
    return f'<h3>What moved it most</h3><ul class="reasons">{items}</ul>' if items else ""


def _direction(log_odds: float) -> str:
    return "up" if log_odds > 0 else "down"


def _decision_steps(verdict: Verdict, parts: Mapping[str, float]) -> str:
    """The parts of the score, and the score that they add up to."""
    shown = [
        (name, value)
        for name, value in zip(parts, rounded(list(parts.values()), verdict.score), strict=True)
        if value
    ]
    items = "".join(
        f'<li><span>{escape(name)}</span><span class="bar b{bar_length(value)}"></span>'
        f'<span class="number figure">{signed(value, 2)}</span></li>'
        for name, value in [*shown, ("score", verdict.score)]
    )
    head = "<h3>How the score adds up</h3>" if parts else ""
    return f'{head}<ol class="steps">{items}</ol>'


def _conclusion(verdict: Verdict, threshold: float, by_score: bool) -> str:
    """A sentence that says why the segment was kept or dropped."""
    state = "Kept" if verdict.keep else "Dropped"
    if not by_score:
        return f"{state} by “{verdict.reason}”, whatever the score."
    above = verdict.score > threshold
    side = "above" if above else "not above"
    if above != verdict.keep:
        return f"{state} because of its neighbours, though the score is {side} {signed(threshold)}."
    return f"{state}: the score is {side} the threshold {signed(threshold)}."
