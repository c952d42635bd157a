"""The learnt cut: which of several cuts of a page's scores to take.

Keeping the prefix of best expected F is right if the scores are. They are overconfident on some pages and
underconfident on others, and all segments of a page err together; so the expected F is maximised with all
log-odds shifted down and up, and a small network chooses among these cuts by what the kept text would look
like: expected precision and recall, how much is kept, in how many runs, over which span.
"""

from __future__ import annotations

from math import log, tanh
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.score.scorer import Scores

_Matrix = npt.NDArray[np.float32]
_Counts = npt.NDArray[np.intp]

# Added to the log-odds, one cut each; the larger, the more is kept.
SHIFTS = np.array([-2, -1.25, -0.6, 0, 0.6, 1.25, 2], np.float32)
_SHIFTS = SHIFTS.tolist()
_UNSHIFTED = int(np.flatnonzero(SHIFTS == 0)[0])
_SHIFT_FACTORS = np.exp(-SHIFTS)[:, None]
_DOUBT = 0.3  # factor on the log-odds of a page with expected precision 0; see training/RESULTS.md
_SURE = 0.85  # expected precision from which the network is not asked
_MARGIN = 5.0  # by which the rating of another cut must exceed that of the unshifted one
_NOTHING = np.float32(1e-6)  # characters, to divide by
_LARGEST = 40.0  # natural log-odds, either sign; larger ones could overflow
LARGEST_PAGE = 1 << 13  # segments; few pages have more; their cuts would take more memory than the scores
CUT_FEATURES = (
    "expected precision", "expected recall", "expected F", "score at the cut", "score behind it",
    "share of text", "log of text", "share of segments", "log of runs", "runs a segment", "span",
    "share of span", "more expected F", "expected precision of more text", "log of segments",
    "expected precision without shift", "expected share of clean text", "shift",
)  # fmt: skip


class CutNetwork(NamedTuple):
    """A network of one hidden layer that rates a cut. Field names are array names of model files."""

    cut_hidden: _Matrix  # (units, CUT_FEATURES)
    cut_bias: _Matrix  # (units,)
    cut_last: _Matrix  # (units,)


class _Cuts(NamedTuple):
    """Prefixes of the segments in decreasing order of their scores, one for each of SHIFTS."""

    order: _Counts  # (segments,)
    last: _Counts  # (cuts,): position in `order` of the last segment that is kept
    taken: _Matrix  # (segments,): text up to each segment in `order`
    clean: _Matrix  # and how much of it is expected to be clean
    odds: _Matrix  # their scores

    @property
    def features(self) -> _Matrix:
        """The CUT_FEATURES of each cut, (cuts, CUT_FEATURES)."""
        return _features(self)


def _prefix(
    odds: Scores, sizes: Scores, taken: Scores, beta: float = 1.0
) -> tuple[int, float]:
    """Index of the last segment to keep for the best expected F, and the expected precision.

    With p the probability that a segment is clean and w its size, a prefix has the expected
    F = (1 + b²) sum(p·w of it) / (sum(w of it) + b² sum(p·w of all)).
    Segments are sorted by decreasing score; `taken` is the cumulative sum of their sizes.

    >>> sizes = np.array([90.0, 50.0, 90.0])
    >>> _prefix(np.array([4.0, 3.0, -4.0]), sizes, sizes.cumsum())
    (1, 0.971...)
    """
    twice = np.tanh(0.5 * odds)  # twice the probability minus 1; tanh cannot overflow
    twice += 1
    twice *= sizes
    weighted = twice.cumsum(out=twice)
    best = int((weighted / (taken + 0.5 * beta * beta * weighted[-1])).argmax())
    return best, float(weighted[best] / max(2 * taken[best], 1.0))


def _doubt(precision: float) -> float:
    """The factor on all log-odds of a page whose text has this expected precision.

    A low one means that the page is unlike the training data and the model overconfident.
    """
    return _DOUBT + (1 - _DOUBT) * precision


def cuts(scores: Scores, sizes: Scores) -> _Cuts:
    """The cuts of a page, which has at least one segment."""
    order = scores.argsort()[::-1]
    odds = scores.take(order).astype(np.float32)
    np.minimum(np.maximum(odds, -_LARGEST, out=odds), _LARGEST, out=odds)
    widths = sizes.take(order).astype(np.float32)
    taken = widths.cumsum()
    _, precision = _expected_prefix(np.exp(-odds), widths, taken)
    inverse = np.exp(odds * np.float32(-_doubt(precision)))
    weighted = inverse * _SHIFT_FACTORS
    weighted += 1
    np.divide(widths, weighted, out=weighted)
    weighted.cumsum(axis=1, out=weighted)  # (cuts, segments): expected clean text
    last = (weighted / (taken + np.maximum(weighted[:, -1:], _NOTHING))).argmax(axis=1)
    return _Cuts(order, last, taken, weighted[_UNSHIFTED], odds)


def _expected_prefix(inverse: _Matrix, widths: _Matrix, taken: _Matrix) -> tuple[int, float]:
    """The prefix of best expected F, and its expected precision; `inverse` is one over the odds."""
    clean = (widths / (inverse + 1)).cumsum()
    best = int((clean / (taken + max(clean[-1], _NOTHING))).argmax())
    return best, float(clean[best] / max(taken[best], 1.0))


def _boundaries(order: _Counts) -> _Counts:
    """In how many places of the page a kept segment adjoins a dropped one, for each prefix of `order`.

    >>> _boundaries(np.array([1, 2, 0, 3])).tolist()
    [2, 2, 1, 0]
    """
    count = len(order)
    rank = np.empty(count, np.intp)
    rank[order] = np.arange(count)
    before, after = rank[:-1], rank[1:]
    opened = np.bincount(np.minimum(before, after), minlength=count)
    opened -= np.bincount(np.maximum(before, after), minlength=count)
    return opened.cumsum(out=opened)


def _features(candidates: _Cuts) -> _Matrix:
    """The CUT_FEATURES of each cut. Python computes so few numbers faster than as many numpy calls."""
    order, last = candidates.order, candidates.last
    count = len(order)
    text, expected = max(float(candidates.taken[-1]), 1.0), max(float(candidates.clean[-1]), 1e-6)
    spans = np.maximum.accumulate(order) - np.minimum.accumulate(order)
    columns = (candidates.taken, candidates.clean, candidates.odds, _boundaries(order), spans)
    numbers = [last.tolist(), *(column.take(last).tolist() for column in columns)]
    behind = candidates.odds.take(last + 1, mode="clip").tolist()
    own_kept, own_hits = max(numbers[1][_UNSHIFTED], 1.0), numbers[2][_UNSHIFTED]
    own_f = 2 * own_hits / (own_kept + expected)
    page = (log(count), own_hits / own_kept, expected / text)
    rows = []
    for position, kept, hits, at, runs, span, following, shift in zip(*numbers, behind, _SHIFTS, strict=True):
        kept, segments = max(kept, 1.0), position + 1
        expected_f = 2 * hits / (kept + expected)
        rows.append((
            hits / kept, hits / expected, expected_f, tanh(at / 4), tanh(following / 4), kept / text,
            log(kept), segments / count, log(runs + 1), runs / segments, (span + 1) / count,
            segments / (span + 1), expected_f - own_f, (hits - own_hits) / (abs(kept - own_kept) + 20),
            *page, shift,
        ))  # fmt: skip
    return np.array(rows, np.float32)


def best_cut(scores: Scores, sizes: Scores, network: CutNetwork, steps: int = 0) -> float:
    """The threshold that the network chooses, or the one `steps` further towards keeping more."""
    if not steps:  # most pages are sure, and need no other cuts
        order = scores.argsort()[::-1]
        last, precision = unshifted(scores.take(order), sizes.take(order))
        if precision >= _SURE:
            return threshold(scores, order, last)
    candidates = cuts(scores, sizes)
    index = _choice(candidates.features, network) + steps
    return threshold(scores, candidates.order, int(candidates.last[min(max(index, 0), len(SHIFTS) - 1)]))


def unshifted(odds: Scores, sizes: Scores, beta: float = 1.0) -> tuple[int, float]:
    """Last segment of the prefix with the best expected F, with doubt, and its expected precision."""
    taken = sizes.cumsum()
    _, precision = _prefix(odds, sizes, taken, beta)
    return _prefix(odds * _doubt(precision), sizes, taken, beta)


def _choice(features: _Matrix, network: CutNetwork) -> int:
    """The index of the cut that the network rates highest; the unshifted one if none is clearly better.

    A page whose text is sure keeps the unshifted cut: there is nothing to gain.
    """
    if features[_UNSHIFTED, 0] >= _SURE:
        return _UNSHIFTED
    hidden = features @ network.cut_hidden.T
    hidden += network.cut_bias
    np.tanh(hidden, out=hidden)
    ratings = hidden @ network.cut_last
    ratings[_UNSHIFTED] += _MARGIN
    return int(ratings.argmax())


def threshold(scores: Scores, order: _Counts, last: int) -> float:
    """The score between the last segment kept and the first one dropped; equal scores stay together."""
    kept = float(scores[order[last]])
    following = float(scores[order[last + 1]]) if last + 1 < len(order) else kept - 2.0
    return (kept + following) / 2 if following < kept else float(np.nextafter(kept, -np.inf))
