"""The report as one self-contained HTML page.

It loads nothing from the network and runs only its own script: its content security policy has
the hashes of the one style and the one script. All text of the page is escaped.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from string import Template

from stupidos.assets import asset
from stupidos.page import Kind, Verdict
from stupidos.report.formatting import (
    bar_length,
    clamped,
    histogram,
    signed,
    slider_position,
    slider_range,
    total_words,
)
from stupidos.report.heat import NEUTRAL, ColourRun, heat_map, legend
from stupidos.report.page_report import PageReport
from stupidos.report.reasons import Reason, rounded

_BINS = 60  # columns of the histogram behind the slider
_SUM_OF_CHARACTERS = (
    "A score is the sum of the log-odds of all characters; the words shown have the largest sums."
)
_INTEGRATED_GRADIENTS = (
    "Scores are natural log-odds. Their parts are integrated gradients: the model is followed from the "
    "average segment of this page to the segment itself, and a part is what its inputs changed on the way."
)
_SHORT_METADATA = ("by", "published", "site", "language")  # shown without unfolding
_KIND_NAMES = {Kind.PARAGRAPH: "paragraph", Kind.HEADING: "heading", Kind.ITEM: "list item"}
_NUMBERED = re.compile(r"\d+[.)]")  # such a list item gets no bullet


def html_report(report: PageReport, home: str = "") -> str:
    """The HTML report of one page; `home` is the relative address of the index, if there is one."""
    style, script = asset("base.css") + asset("report.css"), asset("report.js")
    return Template(asset("report.html")).substitute(
        _header_fields(report),
        policy=f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        rows="\n".join(_rows(report)),
        home=f' · <a href="{escape(home)}">all pages</a>' if home else "",
        about=_about(report.metadata),
        markdown=escape(report.markdown, quote=False),
        rendered=report.html or "<p>Too long to be shown here.</p>",
        how=_how(report),
    )


def _about(metadata: Mapping[str, str]) -> str:
    """What the page says about itself: one line, which unfolds."""
    if not metadata:
        return ""
    short = [f"<bdi>{escape(metadata[name])}</bdi>" for name in _SHORT_METADATA if name in metadata]
    rows = "".join(
        f'<div><dt>{escape(name)}</dt><dd dir="auto">{escape(value)}</dd></div>'
        for name, value in metadata.items()
    )
    line = " · ".join(short) or "What the page says about itself"
    return f'<details class="about"><summary><span>{line}</span></summary><dl>{rows}</dl></details>'


def _how(report: PageReport) -> str:
    """How the parts of the scores were found, as a paragraph."""
    if not report.parts:
        return ""
    return f"<p>{_SUM_OF_CHARACTERS if len(report.parts) == 1 else _INTEGRATED_GRADIENTS}</p>"


def _header_fields(report: PageReport) -> dict[str, str]:
    """Values of the header and the toolbar, escaped."""
    kept = [verdict for verdict in report.verdicts if verdict.keep]
    scores = [verdict.score for verdict in report.verdicts]
    low, high = slider_range(scores)
    return {
        "title": escape(report.title or "Untitled page"),
        "kept_segments": f"{len(kept):,}",
        "segments": f"{len(report.verdicts):,}",
        "kept_words": f"{total_words(kept):,}",
        "words": f"{total_words(report.verdicts):,}",
        "confidence": "unknown" if report.confidence is None else f"{report.confidence:.0%}",
        "model": escape(report.model),
        "signature": escape(report.signature),
        "low": f"{low:.2f}",
        "high": f"{high:.2f}",
        "cut": f"{slider_position(report.threshold):.2f}",
        "cut_shown": signed(report.threshold),
        "histogram": "".join(_histogram_bars(scores)),
        "legend": "".join(f'<b class="c{i}" title="{escape(odds)}"></b>' for i, odds in legend()),
        "without_heat": "" if report.characters else " hidden",
        "without_markdown": "" if report.markdown else " hidden",
    }


def _histogram_bars(scores: Sequence[float]) -> Iterator[str]:
    """The histogram behind the slider as SVG, in a box of 100 by 10."""
    bins = histogram(scores, _BINS)
    most = max(count for _, count in bins) or 1
    width = 100 / _BINS
    for i, (middle, count) in enumerate(bins):
        if count:
            height = 1 + 9 * (count / most) ** 0.5  # the square root keeps single segments visible
            yield (
                f'<rect x="{i * width:.2f}" y="{10 - height:.2f}" width="{width * 0.8:.2f}" '
                f'height="{height:.2f}" data-at="{middle:.3f}"/>'
            )


def digest(text: str) -> str:
    """Hash of an inline script or style for a content security policy.

    >>> digest("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _rows(report: PageReport) -> Iterator[str]:
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
    steps = [
        (name, value)
        for name, value in zip(parts, rounded(list(parts.values()), verdict.score), strict=True)
        if value
    ]
    items = "".join(
        f'<li><span>{escape(name)}</span><span class="bar b{bar_length(value)}"></span>'
        f'<span class="number figure">{signed(value, 2)}</span></li>'
        for name, value in [*steps, ("score", verdict.score)]
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
