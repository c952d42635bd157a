"""All that a report tells of one page: the verdicts, and what led to each of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from stupidos.page import Page, Verdict

if TYPE_CHECKING:
    from stupidos.document import Document
    from stupidos.score.scorer import Scores


ALONE = "alone"  # opinion of a segment without its neighbours
PARTS = {"text": "text model", "structure": "structure model", ALONE: "segment alone"}


@runtime_checkable
class TellsCharacters(Protocol):
    """A scorer that knows what each character contributed."""

    def characters(self, text: str) -> Scores: ...


@runtime_checkable
class TellsParts(Protocol):
    """A scorer of several models and layers that can be asked one by one."""

    def parts(self, page: Page) -> Mapping[str, Scores]: ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was decided about a page, by whom, and why."""

    verdicts: Sequence[Verdict]
    title: str = ""
    model: str = "model"  # what a verdict by score gives as its reason
    signature: str = ""  # settings of the model, as printed beside a score
    confidence: float | None = None  # expected precision of the page, 0 to 1
    characters: Sequence[Scores | Sequence[float]] = ()  # log-odds, a row a segment; or nothing
    parts: Mapping[str, Sequence[float]] = field(default_factory=dict)  # log-odds by model or layer

    @property
    def cut(self) -> float:
        """Score above which segments were kept; see `cut_between`."""
        by_score = [verdict for verdict in self.verdicts if self.by_score(verdict)]
        return cut_between(
            [verdict.score for verdict in by_score if verdict.keep],
            [verdict.score for verdict in by_score if not verdict.keep],
        )

    def by_score(self, verdict: Verdict) -> bool:
        """Whether the score decided, and not a rule or a neighbour."""
        return verdict.reason == self.model


def evidence(document: Document) -> Evidence:
    """What the scorer of a document can tell of it; characters and parts where it knows them."""
    page, verdicts, scorer = document.page, document.verdicts, document.scorer
    assert scorer is not None, "a page that could not be judged has no evidence"
    rows: tuple[Scores, ...] = ()
    if isinstance(scorer, TellsCharacters):
        rows = tuple(scorer.characters(verdict.segment.text) for verdict in verdicts)
    parts = scorer.parts(page) if isinstance(scorer, TellsParts) else {}
    return Evidence(
        verdicts=verdicts,
        title=document.title,
        model=scorer.name,
        signature=scorer.signature,
        confidence=document.confidence,
        characters=rows,
        parts=steps({name: part.tolist() for name, part in parts.items()}, [v.score for v in verdicts]),
    )


def steps(parts: Mapping[str, Sequence[float]], scores: Sequence[float]) -> dict[str, Sequence[float]]:
    """The parts under names that people know, and what the neighbours added to the segment alone.

    >>> steps({"text": [2.0], "alone": [1.0]}, [4.0])
    {'text model': [2.0], 'segment alone': [1.0], 'neighbours': [3.0]}
    """
    named = {PARTS.get(name, name): values for name, values in parts.items()}
    if ALONE in parts:
        named["neighbours"] = [whole - own for whole, own in zip(scores, parts[ALONE], strict=True)]
    return named


def cut_between(kept: Sequence[float], dropped: Sequence[float]) -> float:
    """The threshold that parts kept from dropped scores: 0 if it does, else halfway.

    Some decisions look at the whole page, so that no threshold fits; the one halfway between
    the lowest kept and the highest dropped score is then as near as any.

    >>> cut_between([1.5, 0.2], [-3.0])
    0.0
    >>> cut_between([4.0], [1.0, -3.0])
    2.5
    """
    low, high = max(dropped, default=-inf), min(kept, default=inf)
    if low <= 0.0 < high:
        return 0.0
    if low == -inf:
        return high - 1.0
    return low + 1.0 if high == inf else (low + high) / 2
