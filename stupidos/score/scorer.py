"""The one seam: whatever judges segments is a Scorer; no other module depends on which one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:  # `stupidos render` loads this module and no numpy
    import numpy as np
    import numpy.typing as npt

    from stupidos.page import Page

# How scores become decisions: above 0; the prefix of best expected F; two-state Viterbi.
DecisionRule: TypeAlias = Literal["zero", "expected-f", "viterbi"]
Scores: TypeAlias = "npt.NDArray[np.float64]"  # shape (segments,)


class Scorer(Protocol):
    """A judge of segments: positive scores are clean, negative ones dirty."""

    @property
    def name(self) -> str:
        """What a verdict gives as its reason, such as `standard`."""

    @property
    def signature(self) -> str:
        """Settings behind a score, as printed beside it: `model:standard|n:3|q:0.5`."""

    @property
    def decision(self) -> DecisionRule:
        """Decision the scorer was made for; `--threshold` replaces it."""

    @property
    def rules(self) -> bool:
        """Whether the rules for easily recognised boilerplate go first."""

    @property
    def markup(self) -> bool:
        """Whether it needs HTML; a plain-text dump then goes to another scorer."""

    @property
    def hidden(self) -> bool:
        """Whether the renderer shows it hidden text too."""

    @property
    def pieces(self) -> bool:
        """Whether the renderer keeps the tokens of the page for it."""

    @property
    def header(self) -> Mapping[str, Any]:
        """JSON header of the model file; empty for what was never trained."""

    def score(self, page: Page) -> Scores:
        """Natural log-odds of each segment of the page, clean over dirty."""
