"""The data of a report on one page: its verdicts, and the scores that led to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from stupidos.page import Page, Verdict

if TYPE_CHECKING:
    from stupidos.document import Document
    from stupidos.score.scorer import Scores


_ALONE = "alone"  # score of a segment without its neighbours
_PART_NAMES = {"text": "text model", "structure": "structure model", _ALONE: "segment alone"}


@runtime_checkable
class _ExplainsCharacters(Protocol):
    """A scorer that gives the log-odds of each character."""

    def characters(self, text: str) -> Scores: ...


@runtime_checkable
class _ExplainsParts(Protocol):
    """A scorer that gives the log-odds of each of its models and layers."""

    def parts(self, page: Page) -> Mapping[str, Scores]: ...


@dataclass(frozen=True, slots=True)
class PageReport:
    """A judged page with everything a report shows of it."""

    verdicts: Sequence[Verdict]
    title: str = ""
    model: str = "model"  # reason of a verdict by score
    signature: str = ""  # settings of the model, printed beside a score
    confidence: float | None = None  # expected F of the page, 0 to 1
    characters: Sequence[Scores | Sequence[float]] = ()  # log-odds, one row per segment; empty if unknown
    parts: Mapping[str, Sequence[float]] = field(default_factory=dict)  # log-odds by model or layer

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


def page_report(document: Document) -> PageReport:
    """The report on a document, with scores of characters and parts if its scorer gives them."""
    page, verdicts, scorer = document.page, document.verdicts, document.scorer
    assert scorer is not None, "a page that could not be judged has no report"
    characters: tuple[Scores, ...] = ()
    if isinstance(scorer, _ExplainsCharacters):
        characters = tuple(scorer.characters(verdict.segment.text) for verdict in verdicts)
    parts = scorer.parts(page) if isinstance(scorer, _ExplainsParts) else {}
    return PageReport(
        verdicts=verdicts,
        title=document.page.title,
        model=scorer.name,
        signature=scorer.signature,
        confidence=document.confidence,
        characters=characters,
        parts=_named_parts(
            {name: part.tolist() for name, part in parts.items()}, [v.score for v in verdicts]
        ),
    )


def _named_parts(parts: Mapping[str, Sequence[float]], scores: Sequence[float]) -> dict[str, Sequence[float]]:
    """The parts under the names that a report shows, and the difference that the neighbours made.

    >>> _named_parts({"text": [2.0], "alone": [1.0]}, [4.0])
    {'text model': [2.0], 'segment alone': [1.0], 'neighbours': [3.0]}
    """
    named = {_PART_NAMES.get(name, name): values for name, values in parts.items()}
    if _ALONE in parts:
        named["neighbours"] = [whole - own for whole, own in zip(scores, parts[_ALONE], strict=True)]
    return named


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
