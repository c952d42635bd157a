"""One self-contained HTML page that shows what was kept, what was dropped, and why.

It needs no network and runs no script but its own: the policy in its head names the hashes
of the one style and the one script. Everything from the page is escaped.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from string import Template

from stupidos.assets import asset
from stupidos.report.evidence import Evidence
from stupidos.report.formatting import ends, histogram, position, signed, words
from stupidos.report.heat import legend
from stupidos.report.rows import rows

BINS = 60  # columns of the histogram behind the slider


def report(found: Evidence) -> str:
    """The HTML report of one page."""
    style, script = asset("base.css") + asset("report.css"), asset("report.js")
    return Template(asset("report.html")).substitute(
        facts(found),
        policy=f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        script=script,
        rows="\n".join(rows(found)),
    )


def facts(found: Evidence) -> dict[str, str]:
    """What the report's head and tools say, escaped."""
    kept = [verdict for verdict in found.verdicts if verdict.keep]
    scores = [verdict.score for verdict in found.verdicts]
    low, high = ends(scores)
    return {
        "title": escape(found.title or "Untitled page"),
        "kept_segments": f"{len(kept):,}",
        "segments": f"{len(found.verdicts):,}",
        "kept_words": f"{words(kept):,}",
        "words": f"{words(found.verdicts):,}",
        "confidence": "unknown" if found.confidence is None else f"{found.confidence:.0%}",
        "model": escape(found.model),
        "signature": escape(found.signature),
        "low": f"{low:.2f}",
        "high": f"{high:.2f}",
        "cut": f"{position(found.cut):.2f}",
        "cut_shown": signed(found.cut),
        "histogram": "".join(columns(scores)),
        "legend": "".join(f'<b class="c{i}" title="{escape(odds)}"></b>' for i, odds in legend()),
        "without_heat": "" if found.characters else " hidden",
    }


def columns(scores: Sequence[float]) -> Iterator[str]:
    """The histogram behind the slider as SVG, in a box of 100 by 10."""
    bins = histogram(scores, BINS)
    most = max(count for _, count in bins) or 1
    width = 100 / BINS
    for i, (middle, count) in enumerate(bins):
        if count:
            height = 1 + 9 * (count / most) ** 0.5  # the root lets single segments be seen
            yield (
                f'<rect x="{i * width:.2f}" y="{10 - height:.2f}" width="{width * 0.8:.2f}" '
                f'height="{height:.2f}" data-at="{middle:.3f}"/>'
            )


def digest(text: str) -> str:
    """Hash by which a content security policy knows an inline script or style.

    >>> digest("")
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='
    """
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
