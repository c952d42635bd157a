"""Turn scores into decisions: a fixed threshold, the best expected F, or Viterbi decoding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, islice, repeat
from operator import itemgetter
from typing import Any, Literal, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from stupidos.page import Kind, Segment, Verdict
from stupidos.render.columns import texts_of
from stupidos.score import cut
from stupidos.score.scorer import Scorer, Scores

Preference = Literal["balanced", "precision", "recall"]
_Cut = float | npt.NDArray[np.float64]

# Added to the cut of models that decide segment by segment; natural log-odds of a whole segment.
_SHIFTS: dict[Preference, float] = {"balanced": 0.0, "precision": 2.0, "recall": -2.0}
# Weight of recall against precision in the expected F.
_BETAS: dict[Preference, float] = {"balanced": 1.0, "precision": 0.5, "recall": 2.0}
# Cuts further towards keeping more than the one that a network chooses.
_STEPS: dict[Preference, int] = {"balanced": 0, "precision": -1, "recall": 1}
_TEXT = itemgetter(0)  # of a segment
_CHUNK = 1 << 13  # segments processed together; few pages have more
_TITLE_REACH = 4  # segments above the first one kept, among which its title may be: a byline, a date
_SWITCH = 3.0  # natural log-odds that two neighbours have the same label


def _zero(
    scores: Scores, segments: Sequence[Segment], preference: Preference, header: Mapping[str, Any]
) -> _Cut:
    """The published decision: the model with the higher likelihood wins."""
    return _SHIFTS[preference] + float(header.get("cut", 0.0))


def _expected_f(
    scores: Scores, segments: Sequence[Segment], preference: Preference, header: Mapping[str, Any]
) -> _Cut:
    """The threshold that maximises the expected F of the page."""
    return _prefix_cut(scores, _sizes(segments), _BETAS[preference])


def _sizes(segments: Sequence[Segment]) -> Scores:
    """Characters of each segment."""
    return np.fromiter(map(len, texts_of(segments)), np.float64, len(segments))


def _prefix_cut(scores: Scores, sizes: Scores, beta: float) -> float:
    """The score threshold with the best expected F, adding segments in order of score.

    A low expected precision means that the page is unlike the training data and the model overconfident:
    all log-odds are scaled down by the expected precision, and the prefix is chosen again.

    >>> _prefix_cut(np.array([4.0, -4.0, 3.0]), np.array([90.0, 90.0, 50.0]), 1.0) < 3
    True
    """
    if not len(scores):
        return 0.0
    order = scores.argsort()[::-1]
    best, _ = cut.unshifted(scores.take(order), sizes.take(order), beta)
    return cut.threshold(scores, order, best)


def _viterbi(
    scores: Scores, segments: Iterable[Segment], preference: Preference, header: Mapping[str, Any]
) -> _Cut:
    """A threshold per segment that reproduces the most likely sequence of clean and dirty segments.

    Two states; staying in a state is `switch` log-units more likely than changing it.
    """
    switch = float(header.get("switch", _SWITCH))
    kept = _clean_runs(scores - _SHIFTS[preference] - float(header.get("cut", 0.0)), switch)
    if not kept.any():  # a language unknown to the model: keep long segments
        sizes = np.fromiter(map(len, map(_TEXT, segments)), np.float64, len(scores))
        kept = sizes > sizes.mean() if len(sizes) else kept
    return np.where(kept, scores - 1.0, scores + 1.0)


def _clean_runs(scores: Scores, switch: float) -> npt.NDArray[np.bool_]:
    """The most likely sequence of clean (True) and dirty segments.

    >>> _clean_runs(np.array([5.0, -1.0, 5.0, -9.0]), 2.0)
    array([ True,  True,  True, False])
    """
    advantage = 0.0  # of clean over dirty
    switched = bytearray()  # back-pointers: bit 1 if clean is best reached from dirty, bit 2 for the reverse
    for start in range(0, len(scores), _CHUNK):
        for score in scores[start : start + _CHUNK].tolist():
            switched.append((advantage < -switch) + 2 * (advantage > switch))
            advantage = min(max(advantage, -switch), switch) + score
    kept = bytearray(len(scores))
    clean = advantage > 0
    for at in range(len(scores) - 1, -1, -1):
        kept[at] = clean
        if switched[at] & (1 if clean else 2):
            clean = not clean
    return np.frombuffer(kept, np.bool_)


class Decision(NamedTuple):
    """The decision on a page, with one entry per segment in each field."""

    scores: Scores
    keep: npt.NDArray[np.bool_]
    broken: Sequence[str] = ()  # the rule that each segment breaks; empty if no rules were applied


_Decider = Callable[[Scores, Sequence[Segment], Preference, Mapping[str, Any]], _Cut]
_DECISIONS: dict[str, _Decider] = {"zero": _zero, "expected-f": _expected_f, "viterbi": _viterbi}


def decide(
    segments: Sequence[Segment],
    scores: Scores,
    scorer: Scorer,
    broken: Sequence[str] = (),
    threshold: float | None = None,
    preference: Preference = "balanced",
) -> Decision:
    """Keep the segments above the scorer's cut, or above `threshold`; drop those matched by a rule.

    Rules go first: what they drop does not part a run of segments that belong together.
    """
    if scorer.decision == "viterbi" and threshold is None:
        return _coherent_runs(segments, scores, scorer, broken, preference)
    keep = scores > (_cut(segments, scores, scorer, preference) if threshold is None else threshold)
    if any(broken):
        keep &= np.fromiter((not rule for rule in broken), np.bool_, len(broken))
    return Decision(scores, keep, broken)


def _cut(segments: Sequence[Segment], scores: Scores, scorer: Scorer, preference: Preference) -> _Cut:
    """The scorer's own threshold; a network that chooses it, if it has one, goes first."""
    network: cut.CutNetwork | None = getattr(scorer, "cut_network", None)
    if network is not None and 0 < len(scores) <= cut.LARGEST_PAGE:
        return cut.best_cut(scores, _sizes(segments), network, _STEPS[preference])
    return _DECISIONS[scorer.decision](scores, segments, preference, scorer.header)


def _coherent_runs(
    segments: Sequence[Segment],
    scores: Scores,
    scorer: Scorer,
    broken: Sequence[str],
    preference: Preference,
) -> Decision:
    """The most likely sequence of the segments that no rule has dropped, and the title above it."""
    left = np.ones(len(scores), np.bool_)
    if any(broken):
        left = np.fromiter((not rule for rule in broken), np.bool_, len(broken))
    keep = np.zeros(len(scores), np.bool_)
    keep[left] = scores[left] > _viterbi(
        scores[left], compress(segments, left), preference, scorer.header
    )
    first = int(keep.argmax()) if keep.any() else 0
    above = range(first - 1, max(first - 1 - _TITLE_REACH, -1), -1)
    title = next((at for at in above if segments[at].kind is Kind.HEADING), None)
    if title is not None and left[title]:
        keep[title] = True
    return Decision(scores, keep, broken)


def verdicts(segments: Sequence[Segment], decision: Decision, name: str) -> Sequence[Verdict]:
    """A verdict for each segment, with the rule it breaks or the model's name as the reason."""
    if len(segments) > _CHUNK:
        return Verdicts(segments, decision, name)
    reasons: Iterator[str] = repeat(name)
    if any(decision.broken):
        reasons = iter([rule or name for rule in decision.broken])
    columns = zip(segments, decision.scores.tolist(), decision.keep.tolist(), reasons)
    return list(map(tuple.__new__, repeat(Verdict), columns))  # half the time of Verdict(...) for each


class Verdicts(Sequence[Verdict]):
    """The verdicts on a large page, created on access."""

    def __init__(self, segments: Sequence[Segment], decision: Decision, name: str) -> None:
        self._segments, self._name = segments, name
        self._scores, self._kept, self._broken = decision

    def __len__(self) -> int:
        return len(self._segments)

    @overload
    def __getitem__(self, at: int) -> Verdict: ...

    @overload
    def __getitem__(self, at: slice) -> list[Verdict]: ...

    def __getitem__(self, at: int | slice) -> Verdict | list[Verdict]:
        if isinstance(at, slice):
            return [self[one] for one in range(len(self))[at]]
        rule = self._broken[at] if self._broken else ""
        return Verdict(self._segments[at], float(self._scores[at]), bool(self._kept[at]), rule or self._name)

    def __iter__(self) -> Iterator[Verdict]:
        segments = iter(self._segments)
        for start in range(0, len(self), _CHUNK):
            part = slice(start, start + _CHUNK)
            some = islice(segments, _CHUNK)
            reasons = (
                [rule or self._name for rule in self._broken[part]] if self._broken else repeat(self._name)
            )
            yield from map(Verdict, some, self._scores[part].tolist(), self._kept[part].tolist(), reasons)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
