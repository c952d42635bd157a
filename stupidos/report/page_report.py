"""The data of a report on one page: its verdicts, and the scores that led to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from stupidos.page import Page, Verdict
from stupidos.report.facts import PageFacts
from stupidos.report.reasons import Explanation, Reason, explanation, word_explanation

if TYPE_CHECKING:
    from stupidos.document import Document
    from stupidos.metadata.extract import Metadata
    from stupidos.score.scorer import Scorer, Scores

_TOLERANCE = 1e-3  # log-odds by which characters may miss the score that they add up to
_MAX_PREVIEW = 400_000  # characters of each form of the kept text

# Fields of the metadata with the names that a report shows, in that order
_METADATA = {
    "title": "headline", "authors": "by", "date": "published", "modified": "modified", "site": "site",
    "language": "language", "url": "address", "license": "license", "categories": "categories",
    "tags": "tags", "description": "description",
}  # fmt: skip


@runtime_checkable
class _ExplainsCharacters(Protocol):
    """A scorer that gives the log-odds of each character."""

    def characters(self, text: str) -> Scores: ...


@runtime_checkable
class _ExplainsFeatures(Protocol):
    """A scorer that says what each of its features contributed to the scores."""

    def contributions(self, page: Page) -> Mapping[str, Scores]: ...


@dataclass(frozen=True, slots=True)
class PageReport:
    """A judged page with everything a report shows of it."""

    verdicts: Sequence[Verdict]
    title: str = ""
    model: str = "model"  # reason of a verdict by score
    signature: str = ""  # settings of the model, printed beside a score
    confidence: float | None = None  # expected F of the page, 0 to 1
    characters: Sequence[Scores | Sequence[float]] = ()  # log-odds, one row per segment; empty if unknown
    parts: Mapping[str, Sequence[float]] = field(default_factory=dict)  # log-odds that add up to the scores
    reasons: Sequence[Sequence[Reason]] = ()  # what moved each score most; empty if unknown
    metadata: Mapping[str, str] = field(default_factory=dict)  # what the page says about itself, by name
    markdown: str = ""  # the kept text
    html: str = ""  # the same as a safe fragment, without links and pictures; empty if it is too long

    @property
    def threshold(self) -> float:
        """Score above which segments were kept, see `_threshold_between`."""
        by_score = [verdict for verdict in self.verdicts if self.by_score(verdict)]
        return _threshold_between(
            [verdict.score for verdict in by_score if verdict.keep],
            [verdict.score for verdict in by_score if not verdict.keep],
        )

    def by_score(self, verdict: Verdict) -> bool:
        """Whether the score decided, not a rule."""
        return verdict.reason == self.model


def page_report(document: Document, full: bool = True) -> PageReport:
    """The report on a document, with all that its scorer can explain.

    The short form for a terminal needs no `full` one, which takes time.
    """
    verdicts, scorer = document.verdicts, document.scorer
    assert scorer is not None, "a page that could not be judged has no report"
    report = PageReport(verdicts, document.page.title, scorer.name, scorer.signature, document.confidence)
    if not full:
        return report
    characters: tuple[Scores, ...] = ()
    if isinstance(scorer, _ExplainsCharacters):
        characters = tuple(scorer.characters(verdict.segment.text) for verdict in verdicts)
    parts, reasons = _explanation(document, scorer, characters)
    return replace(
        report,
        characters=characters,
        parts=parts,
        reasons=reasons,
        metadata=_named_metadata(document.metadata),
        markdown=_shortened(document.markdown),
        html=_fragment(document),
    )


def _explanation(document: Document, scorer: Scorer, characters: Sequence[Scores]) -> Explanation:
    """What led to the scores: features and neighbours, or words where the characters add up to the score."""
    verdicts = document.verdicts
    scores = np.array([verdict.score for verdict in verdicts], np.float64)
    if len(scores) and np.isfinite(scores).all():
        if isinstance(scorer, _ExplainsFeatures):
            contributed = scorer.contributions(document.page)
            return explanation(contributed, scores, PageFacts(verdicts, document.page.title))
        sums = np.array([odds.sum() for odds in characters], np.float64)
        if len(sums) and np.allclose(sums, scores, atol=_TOLERANCE):
            return word_explanation((verdict.segment.text for verdict in verdicts), characters, scores)
    return Explanation({}, [])


def _named_metadata(metadata: Metadata) -> dict[str, str]:
    """What is known, by the names that a report shows.

    >>> from stupidos.metadata.extract import Metadata
    >>> _named_metadata(Metadata(authors=("Ann", "Bob"), date="2024-05-01"))
    {'by': 'Ann, Bob', 'published': '2024-05-01'}
    """
    values = {shown: getattr(metadata, name) for name, shown in _METADATA.items()}
    return {
        shown: ", ".join(value) if isinstance(value, tuple) else value
        for shown, value in values.items()
        if value
    }


def _shortened(text: str) -> str:
    """Text that is not too long for a preview."""
    return text if len(text) <= _MAX_PREVIEW else text[:_MAX_PREVIEW] + "\n\n[…]\n"


def _fragment(document: Document) -> str:
    """The kept text as HTML that loads nothing and has no links."""
    from stupidos.write import Style, written

    html = written(document, Style("html", links="text", images="alt"))
    return html if len(html) <= _MAX_PREVIEW else ""


def _threshold_between(kept: Sequence[float], dropped: Sequence[float]) -> float:
    """A threshold that separates kept from dropped scores: 0 if possible, else the midpoint.

    Decisions that look at the whole page may have no such threshold; then it is the midpoint of
    the lowest kept and the highest dropped score.

    >>> _threshold_between([1.5, 0.2], [-3.0])
    0.0
    >>> _threshold_between([4.0], [1.0, -3.0])
    2.5
    """
    low, high = max(dropped, default=-inf), min(kept, default=inf)
    if low <= 0.0 < high:
        return 0.0
    if low == -inf:
        return high - 1.0
    return low + 1.0 if high == inf else (low + high) / 2
