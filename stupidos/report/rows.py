"""The rows of an HTML report: one per segment, with its score, its path and how it was decided."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from stupidos.page import Kind, Verdict
from stupidos.report.formatting import bar_length, clamped, signed
from stupidos.report.heat import NEUTRAL, ColourRun, heat_map
from stupidos.report.page_report import PageReport

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
        parts = [(name, scores[i]) for name, scores in report.parts.items()]
        by_score = report.by_score(verdict)
        steps = _decision_steps(verdict, parts, _conclusion(verdict, threshold, by_score))
        yield _row(verdict, runs, steps, fixed=not by_score)


def _row(verdict: Verdict, runs: Sequence[ColourRun], steps: str, fixed: bool) -> str:
    """One segment; `fixed` if a rule decided, so that the threshold has no effect."""
    segment = verdict.segment
    state = f"{'kept' if verdict.keep else 'dropped'}{' numbered' if _NUMBERED.match(segment.text) else ''}"
    text = "".join(_coloured(run) for run in runs)
    return (
        f'<li class="segment {state} {segment.kind}" data-score="{clamped(verdict.score):.4f}" '
        f'data-words="{len(segment.text.split())}"{" data-fixed" if fixed else ""}>'
        f'<span class="score figure">{signed(verdict.score)}</span><div>'
        f'<p class="text" dir="auto">{text}</p>'
        f"<details><summary><span>{_kind_name(verdict)}</span>"
        f"<span{_RULE_CLASS if fixed else ''}>{escape(verdict.reason)}</span>"
        f"<code>{escape(segment.path)}</code></summary>{steps}</details></div></li>"
    )


_RULE_CLASS = ' class="rule"'


def _coloured(run: ColourRun) -> str:
    """Escaped text of a run, inside an element unless its colour is neutral."""
    text = escape(run.text, quote=False)
    return text if run.colour == NEUTRAL else f'<i class="c{run.colour}">{text}</i>'


def _kind_name(verdict: Verdict) -> str:
    """Name of the kind, with the level of a heading."""
    segment = verdict.segment
    name = _KIND_NAMES[Kind(segment.kind)]
    return f"{name} {segment.level}" if segment.kind == Kind.HEADING and segment.level else name


def _decision_steps(verdict: Verdict, parts: Sequence[tuple[str, float]], end: str) -> str:
    """The scores of all parts in order, the total, and the decision."""
    scores = [*parts, ("score", verdict.score)]
    steps = "".join(
        f'<li><span>{escape(name)}</span><span class="bar b{bar_length(value)}"></span>'
        f'<span class="number figure">{signed(value)}</span></li>'
        for name, value in scores
    )
    return f'<ol class="steps">{steps}<li class="end">{escape(end)}</li></ol>'


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
