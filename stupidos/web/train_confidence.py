"""The confidence of a web model: expected precision, fitted on pages that their scorer has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stupidos import confidence
from stupidos.lab.confidence import MIN_PAGES, ConfidenceSample, sample, weights
from stupidos.lab.examples import Example
from stupidos.pipeline import Cleaner
from stupidos.score.scorer import Scorer

MOST_PAGES = 400  # more would change the third digit and take minutes; lab.confidence has the same limit
MISSING_KEY = "no_confidence"  # header key: why a model has none


class EvenSample:
    """Evenly spaced examples of a stream of unknown length, MOST_PAGES at most."""

    def __init__(self) -> None:
        self.entries: list[tuple[int, Example]] = []  # each with its index
        self._step = 1

    def add(self, index: int, example: Example) -> None:
        """Offer the next example; indices increase."""
        if index % self._step:
            return
        self.entries.append((index, example))
        if len(self.entries) > MOST_PAGES:
            self.entries = self.entries[::2]
            self._step *= 2


def samples_of(scorer: Scorer, examples: Sequence[Example]) -> list[ConfidenceSample]:
    """Statistics and precision of each example of which the scorer keeps something."""
    cleaner = Cleaner(scorer, scorer)
    samples = (sample(cleaner.document(example.page).verdicts, example.gold) for example in examples)
    return [one for one in samples if one]


def confidence_header(samples: Sequence[ConfidenceSample]) -> dict[str, Any]:
    """The header entry with the confidence, or the one that says why there is none.

    >>> confidence_header([ConfidenceSample([0.0] * 7, 0.5)] * 3 + [ConfidenceSample([0.0] * 7, 1.0)] * 3)
    {'confidence': {'base': 0.75, 'weights': {}, 'pages': 6, 'residual': 0.2739}}
    >>> confidence_header([])
    {'no_confidence': '0 pages could be evaluated, 5 are needed'}
    """
    if len(samples) < MIN_PAGES:
        return {MISSING_KEY: f"{len(samples)} pages could be evaluated, {MIN_PAGES} are needed"}
    return {confidence.KEY: weights(samples)}
