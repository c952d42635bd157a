"""The two baselines of the paper: the plain dump, and the dump after the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stupidos.score.scorer import DecisionRule, Scorer, Scores

if TYPE_CHECKING:
    from stupidos.page import Page


@dataclass(frozen=True, slots=True)
class Constant:
    """The same score for every segment: what is dropped, the rules drop."""

    name: str
    rules: bool
    score_of_all: float = 1.0  # natural log-odds
    decision: DecisionRule = "zero"
    markup: bool = False
    hidden: bool = False
    pieces: bool = False
    header: Mapping[str, Any] = field(default_factory=dict)

    @property
    def signature(self) -> str:
        return f"model:{self.name}"

    def score(self, page: Page) -> Scores:
        import numpy as np

        return np.full(len(page.segments), self.score_of_all)


def keep_all() -> Scorer:
    """The text dump itself: no rule, no model."""
    return Constant("keep-all", rules=False)


def rules() -> Scorer:
    """StupidOS without language models: only the rules drop segments."""
    return Constant("rules", rules=True)
