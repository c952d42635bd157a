"""The confidence of a page: its precision and recall as predicted from statistics of the cleaned text.

The paper (4.4) observed that long pages with long segments are cleaner than short pages of lists and very
short paragraphs, and predicted the precision with a linear model. The web model predicts the recall as well,
both by logistic regression on what its scores imply and on where the kept text is on the page, fitted on
corpora that it was not trained on. The weights are in the model file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import exp, log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.errors import ModelError
from stupidos.page import Kind, Segment, Verdict
from stupidos.render.columns import items_of, texts_of
from stupidos.verdict import Decision

_Numbers = npt.NDArray[np.float64]
_Flags = npt.NDArray[np.bool_]

_VERY_SHORT = 50  # characters of a segment
_DOUBTFUL = 5.0  # natural log-odds; a kept segment with less was nearly dropped
_MAX_WEIGHT = 1e9  # larger weights indicate a damaged file
KEY = "confidence"  # of a model file's header: a linear model of the precision
EXPECTATION_KEY = "expectation"  # and logistic ones of precision and recall
_LARGEST = 30.0  # natural log-odds of a probability, either sign
_SURE = 6.0  # natural log-odds; a larger margin counts as this one


class Layout(NamedTuple):
    """A judged page in numbers, one entry per segment in each field but the last."""

    lengths: _Numbers  # characters
    scores: _Numbers
    keeps: _Flags
    items: _Flags  # whether it is a list item
    source: int  # characters of the page's source


def layout_of(verdicts: Sequence[Verdict], source: int = 0) -> Layout:
    """A judged page in numbers, from its verdicts."""
    return Layout(
        np.array([len(verdict.segment.text) for verdict in verdicts], np.float64),
        np.array([verdict.score for verdict in verdicts], np.float64),
        np.array([verdict.keep for verdict in verdicts], np.bool_),
        np.array([verdict.segment.kind is Kind.ITEM for verdict in verdicts], np.bool_),
        source,
    )


def decided_layout(segments: Sequence[Segment], decision: Decision, source: int) -> Layout:
    """The same from a decision, without Segments or Verdicts: this runs on every page of a crawl."""
    count = len(segments)
    return Layout(
        np.fromiter(map(len, texts_of(segments)), np.float64, count),
        decision.scores,
        decision.keep,
        np.fromiter(items_of(segments), np.bool_, count),
        source,
    )


class _Kept:
    """Sums over a cleaned page, shared by all statistics."""

    def __init__(self, layout: Layout) -> None:
        lengths, scores, keeps, items, _ = layout
        kept, sure = lengths[keeps], scores[keeps]
        self.segments = len(kept)
        self.size, self.page = float(kept.sum()), float(lengths.sum())  # characters
        self.short = float(kept[kept < _VERY_SHORT].sum())
        self.items = float(kept[items[keeps]].sum())
        self.doubtful = float(kept[sure < _DOUBTFUL].sum())
        self.margin = float(np.minimum(sure, kept).sum())  # at most 1 a character


# Features of the linear model, for pages with at least one kept segment.
STATISTICS: dict[str, Callable[[_Kept], float]] = {
    "log of the number of segments": lambda kept: log(kept.segments),
    "log of their mean length": lambda kept: log(1 + kept.size / kept.segments),
    "share of text in very short segments": lambda kept: kept.short / max(kept.size, 1),
    "share of text in list items": lambda kept: kept.items / max(kept.size, 1),
    "share of text nearly dropped": lambda kept: kept.doubtful / max(kept.size, 1),
    "mean margin": lambda kept: kept.margin / max(kept.size, 1),
    "share of the page kept": lambda kept: kept.size / max(kept.page, 1),
}


def statistics(layout: Layout) -> list[float] | None:
    """Statistics of a cleaned page in the order of STATISTICS; None if nothing was kept."""
    kept = _Kept(layout)
    return [statistic(kept) for statistic in STATISTICS.values()] if kept.segments else None


class Estimate(NamedTuple):
    """Expected precision and recall of a cleaned page, 0 to 1."""

    precision: float
    recall: float | None = None  # None for a model that does not estimate it

    @property
    def confidence(self) -> float:
        """The expected F, or the expected precision if nothing else is known.

        >>> Estimate(0.9, 0.6).confidence, Estimate(0.9).confidence, Estimate(0.0, 0.0).confidence
        (0.72, 0.9, 0.0)
        """
        if self.recall is None:
            return self.precision
        return round(2 * self.precision * self.recall / ((self.precision + self.recall) or 1.0), 4)


# Statistics of the logistic models, computed by `signals` in this order.
SIGNALS = (
    "log-odds of the expected precision", "log-odds of the expected recall", "share of the page kept",
    "log of the number of segments", "log of the text kept", "log of a short text kept",
    "share of text in very short segments", "share of text in list items", "mean margin", "log of runs",
    "share of the span kept", "log of source a character", "text expected beyond",
    "source behind a short text", "best score dropped", "share of the page around most of the text",
)  # fmt: skip
_SHORT_TEXT = 7.0  # log of the characters; a shorter text is often not the text of the page
_MUCH_SOURCE = 2.0  # log of source characters a character of text; scripts would fill a page with more
_MOST = 0.7  # of the expected text; the main text of a page is in one place


def signals(layout: Layout) -> list[float] | None:
    """The signals of a page, in the order of SIGNALS; None if nothing was kept."""
    lengths, scores, keeps, items, _ = layout
    if not keeps.any():
        return None
    weights = lengths / (1 + np.exp(-np.minimum(np.maximum(scores, -_LARGEST), _LARGEST)))
    clean, kept_clean = float(weights.sum()), float(weights[keeps].sum())
    kept_lengths = lengths[keeps]
    kept = float(kept_lengths.sum())
    short = float(kept_lengths[kept_lengths < _VERY_SHORT].sum())
    listed = float(kept_lengths[items[keeps]].sum())
    margin = float((kept_lengths * np.minimum(np.maximum(scores[keeps], 0.0), _SURE)).sum())
    runs = int(keeps[0]) + int(np.count_nonzero(keeps[1:] > keeps[:-1]))
    passed = lengths.cumsum()
    first, last = int(keeps.argmax()), len(keeps) - 1 - int(keeps[::-1].argmax())
    span = float(passed[last] - passed[first] + lengths[first])
    text, page = max(kept, 1.0), max(float(passed[-1]), 1.0)
    shortness, source = min(log(text) - _SHORT_TEXT, 0.0), log(max(layout.source, 1) / page)
    return [
        _log_odds(kept_clean / text),
        _log_odds(kept_clean / max(clean, 1e-9)),
        kept / page,
        log(len(kept_lengths)),
        log(text),
        shortness,
        short / text,
        listed / text,
        margin / text,
        log(runs),
        kept / max(span, 1),
        source,
        (clean - kept_clean) / text,
        -shortness * max(source - _MUCH_SOURCE, 0.0),
        min(max(float(scores[~keeps].max(initial=-_SURE)), -_SURE), _SURE),
        _densest_part(passed, weights),
    ]


def _densest_part(passed: _Numbers, weights: _Numbers) -> float:
    """The share of the page in the shortest run of segments with most of its expected text.

    `passed` are the characters up to the end of each segment, `weights` those of it expected to be text.

    >>> _densest_part(np.array([10.0, 20.0, 30.0, 100.0]), np.array([1.0, 8.0, 9.0, 2.0]))
    0.2
    """
    clean = np.concatenate(([0.0], weights.cumsum()))
    ends = clean.searchsorted(clean[:-1] + _MOST * clean[-1])
    ends = ends[ends < len(clean)]  # of the runs from each segment, those that reach so much
    before = np.concatenate(([0.0], passed))
    return float((before[ends] - before[: len(ends)]).min()) / max(float(passed[-1]), 1.0)


def _log_odds(probability: float) -> float:
    """Log-odds of a probability, which may be 0 or 1.

    >>> round(_log_odds(0.5), 3), round(_log_odds(1.0), 1)
    (0.0, 3.9)
    """
    return log((probability + 0.02) / (1.02 - probability))


def estimate(header: Mapping[str, Any], layout: Layout) -> Estimate | None:
    """Expected precision and recall of a cleaned page; None if the model has no confidence estimate.

    >>> from stupidos.page import Segment
    >>> tea = layout_of([Verdict(Segment("Tea is hot."), 9.0, True, "web")], 99)
    >>> half = {"base": 0.0, "weights": {}}
    >>> estimate({"expectation": {"precision": half, "recall": half}}, tea)
    Estimate(precision=0.5, recall=0.5)
    """
    entry = header.get(EXPECTATION_KEY)
    if entry is None:
        precision = _expected_precision(header, layout)
        return None if precision is None else Estimate(precision)
    if not isinstance(entry, Mapping):
        raise ModelError(_DAMAGED)
    models = [_checked(entry.get(name), SIGNALS) for name in Estimate._fields]
    values = signals(layout)
    if values is None:
        return Estimate(0.0, 0.0)
    known = dict(zip(SIGNALS, values, strict=True))
    return Estimate(*(round(_logistic(base, weights, known), 4) for base, weights in models))


def _logistic(base: float, weights: Mapping[str, float], known: Mapping[str, float]) -> float:
    total = base + sum(weight * known[name] for name, weight in weights.items())
    return 1 / (1 + exp(-min(max(total, -_LARGEST), _LARGEST)))


def _expected_precision(header: Mapping[str, Any], layout: Layout) -> float | None:
    """Expected precision of a cleaned page, 0 to 1; None if the model has no confidence weights.

    >>> from stupidos.page import Segment
    >>> tea = layout_of([Verdict(Segment("Tea is hot."), 9.0, True, "standard")])
    >>> header = {"confidence": {"base": 0.9, "weights": {"log of the number of segments": 0.1}}}
    >>> _expected_precision(header, tea), _expected_precision({}, tea)
    (0.9, None)
    """
    entry = header.get(KEY)
    if entry is None:
        return None
    base, weights = _checked(entry)
    values = statistics(layout)
    if values is None:
        return 0.0
    known = dict(zip(STATISTICS, values, strict=True))
    expected = base + sum(weight * known[name] for name, weight in weights.items())
    return round(min(max(expected, 0.0), 1.0), 4)


_DAMAGED = "the confidence in the model file is damaged, or of a newer version: train it again"


def _checked(entry: object, known: Collection[str] = STATISTICS) -> tuple[float, dict[str, float]]:
    """Validated base and weights of an untrusted header."""
    try:
        base, weights = entry["base"], dict(entry["weights"])  # type: ignore[index]
        numbers = (base, *weights.values())
        if set(weights) <= set(known) and all(_is_number(w) for w in numbers):
            return base, weights
    except (KeyError, TypeError, ValueError):
        pass
    raise ModelError(_DAMAGED)


def _is_number(weight: object) -> bool:
    return isinstance(weight, (int, float)) and abs(weight) <= _MAX_WEIGHT
