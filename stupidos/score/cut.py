"""The learnt cut: which of several cuts of a page's scores to take.

Keeping the prefix of best expected F is right if the scores are. They are too sure on some pages and not
sure enough on others, and all segments of a page err together; so the expected F is maximised with all
log-odds shifted down and up, and a small network chooses among these cuts by what the kept text would look
like: expected precision and recall, how much is kept, in how many runs, from where to where.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stupidos.score.scorer import Scores

_Matrix = npt.NDArray[np.float32]
_Counts = npt.NDArray[np.intp]

# Added to the log-odds, one cut each; the larger, the more is kept.
SHIFTS = np.array([-2, -1.25, -0.6, 0, 0.6, 1.25, 2], np.float32)
_UNSHIFTED = int(np.flatnonzero(SHIFTS == 0)[0])
_SHIFT_FACTORS = np.exp(-SHIFTS)[:, None]
_DOUBT = 0.3  # factor on the log-odds of a page with expected precision 0; see training/RESULTS.md
_MARGIN = 3.0  # by which the rating of another cut must exceed that of the unshifted one
_NOTHING = np.float32(1e-6)  # characters, to divide by
_LARGEST = 40.0  # natural log-odds, either sign; larger ones could overflow
MOST_SEGMENTS = 1 << 13  # few pages have more; their cuts would take more memory than the scores
FEATURES = (
    "expected precision", "expected recall", "expected F", "score at the cut", "score behind it",
    "share of text", "log of text", "share of segments", "log of runs", "runs a segment", "span",
    "share of span", "more expected F", "expected precision of more text", "log of segments",
    "expected precision without shift", "expected share of clean text", "shift",
)  # fmt: skip


class CutNetwork(NamedTuple):
    """A network of one hidden layer that rates a cut. Field names are array names of model files."""

    cut_hidden: _Matrix  # (units, FEATURES)
    cut_bias: _Matrix  # (units,)
    cut_last: _Matrix  # (units,)


class Cuts(NamedTuple):
    """Prefixes of the segments in decreasing order of their scores, one for each of SHIFTS."""

    order: _Counts  # (segments,)
    last: _Counts  # (cuts,): position in `order` of the last segment that is kept
    features: _Matrix  # (cuts, FEATURES)


def prefix(
    odds: Scores, sizes: Scores, taken: Scores, beta: float = 1.0
) -> tuple[int, float]:
    """Index of the last segment to keep for the best expected F, and the expected precision.

    With p the probability that a segment is clean and w its size, a prefix has the expected
    F = (1 + b²) sum(p·w of it) / (sum(w of it) + b² sum(p·w of all)).
    Segments are sorted by decreasing score; `taken` is the cumulative sum of their sizes.

    >>> sizes = np.array([90.0, 50.0, 90.0])
    >>> prefix(np.array([4.0, 3.0, -4.0]), sizes, sizes.cumsum())
    (1, 0.971...)
    """
    twice = np.tanh(0.5 * odds)  # twice the probability minus 1; tanh cannot overflow
    twice += 1
    twice *= sizes
    weighted = twice.cumsum(out=twice)
    best = int((weighted / (taken + 0.5 * beta * beta * weighted[-1])).argmax())
    return best, float(weighted[best] / max(2 * taken[best], 1.0))


def doubt(precision: float) -> float:
    """The factor on all log-odds of a page whose text has this expected precision.

    A low one means that the page is unlike the training data and the model overconfident.
    """
    return _DOUBT + (1 - _DOUBT) * precision


def cuts(scores: Scores, sizes: Scores) -> Cuts:
    """The cuts of a page and their features; a page has at least one segment.

    Arrays are short, so what costs is the number of numpy calls: what is looked up at each cut is one table.
    """
    order = scores.argsort()[::-1]
    count = len(order)
    table = np.empty((6, count), np.float32)
    taken, clean, odds, runs, starts, ends = table
    odds[:] = scores.take(order)
    np.minimum(np.maximum(odds, -_LARGEST, out=odds), _LARGEST, out=odds)
    widths = sizes.take(order).astype(np.float32)
    widths.cumsum(out=taken)
    _, precision = _expected_prefix(np.exp(-odds), widths, taken)
    inverse = np.exp(odds * np.float32(-doubt(precision)))
    weighted = inverse * _SHIFT_FACTORS
    weighted += 1
    np.divide(widths, weighted, out=weighted)
    weighted.cumsum(axis=1, out=weighted)  # (cuts, segments): expected clean text
    last = (weighted / (taken + np.maximum(weighted[:, -1:], _NOTHING))).argmax(axis=1)
    clean[:] = weighted[_UNSHIFTED]
    runs[:] = _boundaries(order)
    starts[:] = np.minimum.accumulate(order)
    ends[:] = np.maximum.accumulate(order)
    return Cuts(order, last, _features(table, last))


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


def _features(table: _Matrix, last: _Counts) -> _Matrix:
    """The FEATURES of each cut, from the table of `cuts`."""
    count = table.shape[1]
    text, expected = max(float(table[0, -1]), 1.0), max(float(table[1, -1]), 1e-6)
    kept, hits, at, runs, starts, ends = table.take(last, axis=1)
    kept = np.maximum(kept, 1)
    segments = (last + 1).astype(np.float32)
    spans = ends - starts
    spans += 1
    rows = np.empty((len(FEATURES), len(last)), np.float32)
    np.divide(hits, kept, out=rows[0])
    np.multiply(hits, 1 / expected, out=rows[1])
    np.divide(2 * hits, kept + expected, out=rows[2])
    rows[3], rows[4] = at, table[2].take(np.minimum(last + 1, count - 1))
    np.tanh(rows[3:5] * np.float32(0.25), out=rows[3:5])
    np.multiply(kept, 1 / text, out=rows[5])
    rows[6], rows[8] = kept, runs + 1
    np.multiply(segments, 1 / count, out=rows[7])
    np.log(rows[6:9:2], out=rows[6:9:2])
    np.divide(runs, segments, out=rows[9])
    np.multiply(spans, 1 / count, out=rows[10])
    np.divide(segments, spans, out=rows[11])
    np.subtract(rows[2], rows[2, _UNSHIFTED], out=rows[12])
    np.divide(hits - hits[_UNSHIFTED], np.abs(kept - kept[_UNSHIFTED]) + 20, out=rows[13])
    rows[14], rows[15], rows[16] = log(count), rows[0, _UNSHIFTED], expected / text
    rows[17] = SHIFTS
    return rows.T


def best_cut(scores: Scores, sizes: Scores, network: CutNetwork, steps: int = 0) -> float:
    """The threshold that the network chooses, or the one `steps` further towards keeping more."""
    found = cuts(scores, sizes)
    index = choice(found.features, network) + steps
    return threshold(scores, found.order, int(found.last[min(max(index, 0), len(SHIFTS) - 1)]))


def choice(features: _Matrix, network: CutNetwork) -> int:
    """The index of the cut that the network rates highest; the unshifted one if none is clearly better."""
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
