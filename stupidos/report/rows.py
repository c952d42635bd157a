"""A report's rows: one segment each, with its score, its place and the path of its decision."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from stupidos.page import Kind, Verdict
from stupidos.report.evidence import Evidence
from stupidos.report.formatting import bar, clamped, signed
from stupidos.report.heat import PLAIN, Run, heat

KINDS = {Kind.PARAGRAPH: "paragraph", Kind.HEADING: "heading", Kind.ITEM: "list item"}

NUMBERED = re.compile(r"\d+[.)]")  # such a list item needs no bullet


def rows(found: Evidence) -> Iterator[str]:
    """A list item of HTML for every segment."""
    if found.characters:
        texts = zip((verdict.segment.text for verdict in found.verdicts), found.characters, strict=True)
        coloured = heat(texts)
    else:
        coloured = [[Run(PLAIN, verdict.segment.text)] for verdict in found.verdicts]
    cut = found.cut
    for i, (verdict, pieces) in enumerate(zip(found.verdicts, coloured, strict=True)):
        parts = [(name, scores[i]) for name, scores in found.parts.items()]
        by_score = found.by_score(verdict)
        steps = path_of_decision(verdict, parts, conclusion(verdict, cut, by_score))
        yield row(verdict, pieces, steps, fixed=not by_score)


def row(verdict: Verdict, pieces: Sequence[Run], steps: str, fixed: bool) -> str:
    """One segment; `fixed` where no threshold moves it."""
    segment = verdict.segment
    state = f"{'kept' if verdict.keep else 'dropped'}{' numbered' if NUMBERED.match(segment.text) else ''}"
    text = "".join(marked(piece) for piece in pieces)
    return (
        f'<li class="segment {state} {segment.kind}" data-score="{clamped(verdict.score):.4f}" '
        f'data-words="{len(segment.text.split())}"{" data-fixed" if fixed else ""}>'
        f'<span class="score figure">{signed(verdict.score)}</span><div>'
        f'<p class="text" dir="auto">{text}</p>'
        f"<details><summary><span>{name_of_kind(verdict)}</span>"
        f"<span{RULED if fixed else ''}>{escape(verdict.reason)}</span>"
        f"<code>{escape(segment.path)}</code></summary>{steps}</details></div></li>"
    )


RULED = ' class="rule"'


def marked(piece: Run) -> str:
    """Escaped text of a run, in an element of its colour unless it has none."""
    text = escape(piece.text, quote=False)
    return text if piece.colour == PLAIN else f'<i class="c{piece.colour}">{text}</i>'


def name_of_kind(verdict: Verdict) -> str:
    """The kind in words, with the level of a heading."""
    segment = verdict.segment
    name = KINDS[Kind(segment.kind)]
    return f"{name} {segment.level}" if segment.kind == Kind.HEADING and segment.level else name


def path_of_decision(verdict: Verdict, parts: Sequence[tuple[str, float]], end: str) -> str:
    """The models' opinions in the order they were asked, and what came of them."""
    opinions = [*parts, ("score", verdict.score)]
    steps = "".join(
        f'<li><span>{escape(name)}</span><span class="bar b{bar(value)}"></span>'
        f'<span class="number figure">{signed(value)}</span></li>'
        for name, value in opinions
    )
    return f'<ol class="steps">{steps}<li class="end">{escape(end)}</li></ol>'


def conclusion(verdict: Verdict, cut: float, by_score: bool) -> str:
    """Why the segment was kept or dropped, as a sentence."""
    state = "Kept" if verdict.keep else "Dropped"
    if not by_score:
        return f"{state} by “{verdict.reason}”, whatever the score."
    above = verdict.score > cut
    side = "above" if above else "not above"
    if above != verdict.keep:
        return f"{state} because of its neighbours, though the score is {side} {signed(cut)}."
    return f"{state}: the score is {side} the threshold {signed(cut)}."
