"""The confidence of a page: its precision as predicted from statistics of the cleaned text.

The paper (4.4) observed that long pages with long segments are cleaner than short pages of lists and very
short paragraphs, and predicted the precision with a linear model. The weights are in the model file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import log
from typing import Any

from stupidos.errors import ModelError
from stupidos.page import Kind, Verdict

_VERY_SHORT = 50  # characters of a segment
_DOUBTFUL = 5.0  # natural log-odds; a kept segment with less was nearly dropped
_MAX_WEIGHT = 1e9  # larger weights indicate a damaged file
KEY = "confidence"  # of a model file's header


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


def expected_precision(header: Mapping[str, Any], verdicts: Sequence[Verdict]) -> float | None:
    """Expected precision of a cleaned page, 0 to 1; None if the model has no confidence weights.

    >>> from stupidos.page import Segment
    >>> tea = [Verdict(Segment("Tea is hot."), 9.0, True, "standard")]
    >>> header = {"confidence": {"base": 0.9, "weights": {"log of the number of segments": 0.1}}}
    >>> expected_precision(header, tea), expected_precision({}, tea), expected_precision(header, [])
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


def _checked(entry: object) -> tuple[float, dict[str, float]]:
    """Validated base and weights of an untrusted header."""
    try:
        base, weights = entry["base"], dict(entry["weights"])  # type: ignore[index]
        numbers = (base, *weights.values())
        if set(weights) <= set(STATISTICS) and all(_is_number(w) for w in numbers):
            return base, weights
    except (KeyError, TypeError, ValueError):
        pass
    raise ModelError("the confidence in the model file is damaged, or of a newer version: train it again")


def _is_number(weight: object) -> bool:
    return isinstance(weight, (int, float)) and abs(weight) <= _MAX_WEIGHT
