"""The report as one self-contained HTML page.

It loads nothing from the network and runs only its own script: its content security policy has
the hashes of the one style and the one script. All text of the page is escaped.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from string import Template

from stupidos.assets import asset
from stupidos.report.formatting import histogram, signed, slider_position, slider_range, total_words
from stupidos.report.heat import legend
from stupidos.report.page_report import PageReport
from stupidos.report.rows import rows

_BINS = 60  # columns of the histogram behind the slider
_SUM_OF_CHARACTERS = (
    "A score is the sum of the log-odds of all characters; the words shown have the largest sums."
)
_INTEGRATED_GRADIENTS = (
    "Scores are natural log-odds. Their parts are integrated gradients: the model is followed from the "
    "average segment of this page to the segment itself, and a part is what its inputs changed on the way."
)
_SHORT_METADATA = ("by", "published", "site", "language")  # shown without unfolding


def html_report(report: PageReport, home: str = "") -> str:
    """The HTML report of one page; `home` is the relative address of the index, if there is one."""
    style, script = asset("base.css") + asset("report.css"), asset("report.js")
    return Template(asset("report.html")).substitute(
        _header_fields(report),
        policy=f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        rows="\n".join(rows(report)),
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
