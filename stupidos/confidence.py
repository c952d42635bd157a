"""The confidence of a page: its precision and recall as predicted from statistics of the cleaned text.

The paper (4.4) observed that long pages with long segments are cleaner than short pages of lists and very
short paragraphs, and predicted the precision with a linear model. The web model predicts the recall as well,
both by logistic regression on what its own scores expect and how the text lies on the page, fitted on corpora
that it was not trained on. The weights are in the model file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import exp, log
from typing import Any, NamedTuple

from stupidos.errors import ModelError
from stupidos.page import Kind, Verdict

_VERY_SHORT = 50  # characters of a segment
_DOUBTFUL = 5.0  # natural log-odds; a kept segment with less was nearly dropped
_MAX_WEIGHT = 1e9  # larger weights indicate a damaged file
KEY = "confidence"  # of a model file's header: a linear model of the precision
EXPECTATION_KEY = "expectation"  # and logistic ones of precision and recall
_LARGEST = 30.0  # natural log-odds of a probability, either sign


class _Kept:
    """Sums over a cleaned page, shared by all statistics."""

    def __init__(self, verdicts: Sequence[Verdict]) -> None:
        segments = size = short = items = doubtful = page = 0  # characters, but for the segments
        margin = 0.0  # at most 1 a character
        for segment, score, keep, _ in verdicts:  # a single loop: this runs on every page of a crawl
            length = len(segment[0])
            page += length
            if keep:
                segments += 1
                size += length
                short += length if length < _VERY_SHORT else 0
                items += length if segment[1] is Kind.ITEM else 0
                doubtful += length if score < _DOUBTFUL else 0
                margin += min(score, length)
        self.segments, self.size, self.short, self.items = segments, size, short, items
        self.doubtful, self.margin, self.page = doubtful, margin, page


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


def statistics(verdicts: Sequence[Verdict]) -> list[float] | None:
    """Statistics of a cleaned page in the order of STATISTICS; None if nothing was kept."""
    kept = _Kept(verdicts)
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


class Layout(NamedTuple):
    """A judged page in numbers, one entry per segment in each field but the last."""

    lengths: Sequence[int]  # characters
    scores: Sequence[float]
    keeps: Sequence[bool]
    items: Sequence[bool]  # whether it is a list item
    source: int  # characters of the page's source


# Statistics of the logistic models, computed by `signals` in this order.
SIGNALS = (
    "log-odds of the expected precision", "log-odds of the expected recall", "share of the page kept",
    "log of the number of segments", "log of the text kept", "log of a short text kept",
    "share of text in very short segments", "share of text in list items", "mean margin", "log of runs",
    "share of the span kept", "log of source a character", "text expected beyond",
    "source behind a short text",
)  # fmt: skip
_SHORT_TEXT = 7.0  # log of the characters; a shorter text is often not the text of the page
_MUCH_SOURCE = 2.0  # log of source characters a character of text; scripts would fill a page with more


def signals(layout: Layout) -> list[float] | None:
    """The SIGNALS of a page; None if nothing of it was kept."""
    kept = clean = kept_clean = short = items = margin = 0.0
    segments = runs = passed = 0
    start = end = -1
    previous = False
    for length, score, keep, item in zip(*layout[:4], strict=True):  # one loop: every page of a crawl
        weight = length / (1 + exp(-min(max(score, -_LARGEST), _LARGEST)))
        clean += weight
        if keep:
            start = passed if start < 0 else start
            end = passed + length
            segments += 1
            kept += length
            kept_clean += weight
            short += length if length < _VERY_SHORT else 0
            items += length if item else 0
            margin += length * min(max(score, 0.0), 6.0)
            runs += not previous
        previous = keep
        passed += length
    if not segments:
        return None
    text, page = max(kept, 1.0), max(passed, 1.0)
    shortness, source = min(log(text) - _SHORT_TEXT, 0.0), log(max(layout.source, 1) / page)
    return [
        _log_odds(kept_clean / text),
        _log_odds(kept_clean / max(clean, 1e-9)),
        kept / page,
        log(segments),
        log(text),
        shortness,
        short / text,
        items / text,
        margin / text,
        log(runs),
        kept / max(end - start, 1),
        source,
        (clean - kept_clean) / text,
        -shortness * max(source - _MUCH_SOURCE, 0.0),
    ]


def _log_odds(probability: float) -> float:
    """Log-odds of a probability, which may be 0 or 1.

    >>> round(_log_odds(0.5), 3), round(_log_odds(1.0), 1)
    (0.0, 3.9)
    """
    return log((probability + 0.02) / (1.02 - probability))


def estimate(header: Mapping[str, Any], verdicts: Sequence[Verdict], source: int) -> Estimate | None:
    """Expected precision and recall of a cleaned page; None if the model has no confidence estimate.

    `source` is the number of characters of the page's source.

    >>> from stupidos.page import Segment
    >>> tea = [Verdict(Segment("Tea is hot."), 9.0, True, "web")]
    >>> half = {"base": 0.0, "weights": {}}
    >>> estimate({"expectation": {"precision": half, "recall": half}}, tea, 99)
    Estimate(precision=0.5, recall=0.5)
    """
    entry = header.get(EXPECTATION_KEY)
    if entry is None:
        precision = _expected_precision(header, verdicts)
        return None if precision is None else Estimate(precision)
    if not isinstance(entry, Mapping):
        raise ModelError(_DAMAGED)
    models = [_checked(entry.get(name), SIGNALS) for name in Estimate._fields]
    values = signals(layout_of(verdicts, source))
    if values is None:
        return Estimate(0.0, 0.0)
    known = dict(zip(SIGNALS, values, strict=True))
    return Estimate(*(round(_logistic(base, weights, known), 4) for base, weights in models))


def layout_of(verdicts: Sequence[Verdict], source: int) -> Layout:
    """A judged page in numbers."""
    return Layout(
        [len(verdict.segment.text) for verdict in verdicts],
        [verdict.score for verdict in verdicts],
        [verdict.keep for verdict in verdicts],
        [verdict.segment.kind is Kind.ITEM for verdict in verdicts],
        source,
    )


def _logistic(base: float, weights: Mapping[str, float], known: Mapping[str, float]) -> float:
    total = base + sum(weight * known[name] for name, weight in weights.items())
    return 1 / (1 + exp(-min(max(total, -_LARGEST), _LARGEST)))


def _expected_precision(header: Mapping[str, Any], verdicts: Sequence[Verdict]) -> float | None:
    """Expected precision of a cleaned page, 0 to 1; None if the model has no confidence weights.

    >>> from stupidos.page import Segment
    >>> tea = [Verdict(Segment("Tea is hot."), 9.0, True, "standard")]
    >>> header = {"confidence": {"base": 0.9, "weights": {"log of the number of segments": 0.1}}}
    >>> _expected_precision(header, tea), _expected_precision({}, tea), _expected_precision(header, [])
    (0.9, None, 0.0)
    """
    entry = header.get(KEY)
    if entry is None:
        return None
    base, weights = _checked(entry)
    values = statistics(verdicts)
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
