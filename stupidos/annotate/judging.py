"""A Cleaner as a judge of pages to annotate."""

from __future__ import annotations

from collections.abc import Sequence
from math import tanh

from stupidos.annotate.suggestions import Judge, Judged
from stupidos.page import Verdict
from stupidos.pipeline import Cleaner


def judge_of(cleaner: Cleaner, name: str = "") -> Judge:
    """The judge that a cleaner makes, under the name of its model."""

    def judge(data: bytes) -> Judged:
        document = cleaner.extract(data)
        confidence = document.confidence
        verdicts = document.verdicts
        return Judged(document.title, verdicts, certainty(verdicts) if confidence is None else confidence)

    return Judge(name or cleaner.scorer.name, judge)


def certainty(verdicts: Sequence[Verdict]) -> float:
    """How sure a model is by its scores alone, for models that were not trained to tell.

    The mean distance of the probabilities from one half, over the characters of the page;
    an empty page is no question.

    >>> from stupidos.page import Segment
    >>> certainty([Verdict(Segment("perhaps"), 0.0, False, "model")])
    0.0
    """
    sizes = [len(verdict.segment.text) for verdict in verdicts]
    sure = [tanh(abs(verdict.score) / 2) for verdict in verdicts]  # |2p - 1|
    return sum(s * w for s, w in zip(sure, sizes, strict=True)) / sum(sizes) if sum(sizes) else 1.0
