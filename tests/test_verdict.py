"""From scores to decisions."""

import numpy as np
import pytest

from stupidos import verdict as verdict_module
from stupidos.page import Kind, Segment
from stupidos.score.baseline import Constant
from stupidos.score.cut import _prefix
from stupidos.verdict import _BETAS, _clean_runs, _prefix_cut, _viterbi, _zero, decide

SEGMENTS = [Segment("a" * size) for size in (90, 10, 60, 30)]


def verdicts(scores, decision="zero", broken=(), threshold=None, preference="balanced", count=None):
    scorer = Constant("model", rules=True, decision=decision)
    segments = SEGMENTS[:count]
    decided = decide(segments, np.array(scores, float), scorer, broken, threshold, preference)
    return verdict_module.verdicts(segments, decided, scorer.name)


def test_the_published_decision_is_the_sign_of_the_score():
    assert [verdict.keep for verdict in verdicts([1, -1, 0.1, 0])] == [True, False, True, False]


def test_a_threshold_replaces_the_decision():
    assert [verdict.keep for verdict in verdicts([1, -1, 5, 3], threshold=2)] == [False, False, True, True]
    assert [verdict.keep for verdict in verdicts([1, -1, 5, 3], "expected-f", threshold=9)] == [False] * 4


def test_a_broken_rule_drops_a_segment_and_is_the_reason():
    found = verdicts([1, 1, 1, 1], broken=["", "bar", "", ""])
    assert [verdict.keep for verdict in found] == [True, False, True, True]
    assert [verdict.reason for verdict in found] == ["model", "bar", "model", "model"]


def test_verdicts_of_a_large_page_are_those_of_a_small_one(monkeypatch):
    scores, broken = [1, -1, 2, -2], ["", "bar", "", ""]
    small = verdicts(scores, broken=broken)
    monkeypatch.setattr(verdict_module, "_CHUNK", 3)
    large = verdicts(scores, broken=broken)
    assert isinstance(large, verdict_module.Verdicts)
    assert list(large) == small
    assert [large[at] for at in (0, 1, -1)] == [small[at] for at in (0, 1, -1)]
    assert large[1:3] == small[1:3]


def test_precision_keeps_less_and_recall_more():
    scores = [3, -1.5, 1, -0.5]
    for decision in ("zero", "expected-f", "viterbi"):
        kept = [
            sum(verdict.keep for verdict in verdicts(scores, decision, preference=preference))
            for preference in ("precision", "balanced", "recall")
        ]
        assert kept == sorted(kept)
        assert kept[0] < kept[2]


def test_a_page_of_poor_scores_still_keeps_its_best():
    found = verdicts([-2, -6, -7, -6], "expected-f")
    assert [verdict.keep for verdict in found] == [True, False, False, False]


@pytest.mark.parametrize("beta", _BETAS.values())
def test_the_prefix_is_the_one_of_best_expected_f(beta):
    rng = np.random.default_rng(3)
    odds, sizes = -np.sort(rng.normal(size=12) * 3), rng.integers(1, 200, 12).astype(float)
    p = 1 / (1 + np.exp(-odds))

    def expected(last):
        return (p * sizes)[: last + 1].sum() / (sizes[: last + 1].sum() + beta**2 * (p * sizes).sum())

    last, precision = _prefix(odds, sizes, sizes.cumsum(), beta)
    assert expected(last) == pytest.approx(max(map(expected, range(12))))
    assert precision == pytest.approx((p * sizes)[: last + 1].sum() / sizes[: last + 1].sum())


def test_the_less_sure_the_text_the_more_of_the_rest_is_kept():
    sizes = np.full(7, 100.0)
    sure, unsure = (np.array([first] * 2 + [-1.5] * 5) for first in (9.0, -0.5))
    assert (sure > _prefix_cut(sure, sizes, 1.0)).sum() == 2
    assert _prefix(unsure, sizes, sizes.cumsum(), 1.0)[0] == 1
    assert (unsure > _prefix_cut(unsure, sizes, 1.0)).sum() == 7


def test_equal_scores_stay_together():
    scores = np.array([1.0, 1.0, 1.0])
    assert (scores > _prefix_cut(scores, np.array([5.0, 50.0, 500.0]), 1.0)).all()


def test_no_segments_need_no_verdict():
    decided = decide([], np.zeros(0), Constant("model", rules=False, decision="expected-f"))
    assert verdict_module.verdicts([], decided, "model") == []


@pytest.mark.parametrize("switch", [0.5, 2.0, 5.0])
def test_runs_are_the_likeliest_of_all(switch):
    rng = np.random.default_rng(5)
    scores = rng.normal(size=9) * 3

    def likelihood(states):
        crossings = np.count_nonzero(states[1:] != states[:-1])
        return scores[states].sum() - switch * crossings

    every = [np.array([bool(number >> at & 1) for at in range(9)]) for number in range(1 << 9)]
    assert likelihood(_clean_runs(scores, switch)) == pytest.approx(max(map(likelihood, every)))


def test_a_doubtful_segment_goes_with_its_neighbours():
    found = verdicts([5, -1, 5, -9], "viterbi")
    assert [verdict.keep for verdict in found] == [True, True, True, False]


def test_a_page_of_an_unknown_language_keeps_its_long_segments():
    found = verdicts([-50, -40, -50, -40], "viterbi")
    assert [verdict.keep for verdict in found] == [True, False, True, False]


@pytest.mark.parametrize("sizes", [[10.0, 0.0], [0.0, 10.0]])
def test_a_segment_without_text_stays_with_its_equals(sizes):
    assert _prefix_cut(np.array([3.0, 3.0]), np.array(sizes), 1.0) < 3


def test_the_cut_lies_between_the_last_kept_and_the_first_dropped():
    sizes = np.array([90.0, 90.0, 90.0])
    assert _prefix_cut(np.array([6.0, -8.0, 5.0]), sizes, 1.0) == -1.5
    assert _prefix_cut(np.array([6.0, 4.0, 5.0]), sizes, 1.0) == 3.0  # nothing dropped: one below the last
    assert _prefix_cut(np.zeros(0), np.zeros(0), 1.0) == 0.0


def test_doubt_leaves_three_tenths_of_the_log_odds():
    """At an expected precision of p the log-odds shrink to 0.3 + 0.7 p of themselves."""
    scores, sizes = np.array([0.2, -1.2, -1.6]), np.array([50.0, 80.0, 80.0])
    order = sizes.cumsum()
    _, precision = _prefix(scores, sizes, order, 1.0)
    best, _ = _prefix(scores * (0.3 + 0.7 * precision), sizes, order, 1.0)
    kept = scores > _prefix_cut(scores, sizes, 1.0)
    assert int(kept.sum()) == best + 1


@pytest.mark.parametrize(("preference", "shift"), [("balanced", 0), ("precision", 2), ("recall", -2)])
def test_preferences_move_the_cut_by_two(preference, shift):
    found = verdicts([shift, shift + 0.01, shift - 0.01, shift + 5], preference=preference)
    assert [verdict.keep for verdict in found] == [False, True, False, True]


@pytest.mark.parametrize(("preference", "beta"), [("balanced", 1.0), ("precision", 0.5), ("recall", 2.0)])
def test_preferences_weigh_recall(preference, beta):
    scores = np.array([2.0, -0.2, -0.9, 0.4])
    sizes = np.array([len(segment.text) for segment in SEGMENTS], float)
    cut = _prefix_cut(scores, sizes, beta)
    assert [one.keep for one in verdicts(scores, "expected-f", preference=preference)] == (
        scores > cut
    ).tolist()


def test_a_model_file_may_move_the_cut_and_the_switch():
    header = {"cut": 1.5, "switch": 0.25}
    scores = np.array([2.5, 1.4, 2.5, -9.0])
    assert _zero(scores, SEGMENTS, "balanced", header) == 1.5
    assert (scores > _viterbi(scores, SEGMENTS, "balanced", header)).tolist() == [True, True, True, False]
    assert not (scores > _viterbi(scores, SEGMENTS, "balanced", {**header, "cut": 2.0})).tolist()[1]


def test_runs_cost_three_log_units_each_way_by_default():
    scores = np.array([9.0, -5.9, 9.0])
    assert (scores > _viterbi(scores, SEGMENTS[:3], "balanced", {})).all()
    scores[1] = -6.1
    assert (scores > _viterbi(scores, SEGMENTS[:3], "balanced", {})).tolist() == [True, False, True]


def test_of_an_unknown_language_segments_above_the_mean_length_are_kept():
    scores = np.array([-9.0, -8.0, -9.0])
    segments = [Segment("a" * size) for size in (10, 20, 30)]
    assert (scores > _viterbi(scores, segments, "balanced", {})).tolist() == [False, False, True]
    assert _viterbi(np.zeros(0), [], "balanced", {}).tolist() == []


def test_an_even_run_is_dirty():
    assert _clean_runs(np.array([0.0]), 2.0).tolist() == [False]


def test_runs_of_a_large_page_are_those_of_a_plain_viterbi():
    scores = np.random.default_rng(5).normal(0, 2, verdict_module._CHUNK + 500)
    clean, dirty, back = 0.0, 0.0, []
    for score in scores:
        back.append((dirty - 2.0 > clean, clean - 2.0 > dirty))  # reached from the other state
        clean, dirty = max(clean, dirty - 2.0) + score, max(dirty, clean - 2.0)
    state, expected = clean > dirty, []
    for from_dirty, from_clean in reversed(back):
        expected.append(state)
        state = not from_dirty if state else from_clean
    assert _clean_runs(scores, 2.0).tolist() == expected[::-1]


def test_what_a_rule_drops_does_not_part_a_run():
    found = verdicts([2, -50, 9, -1], "viterbi", broken=["", "separator_bar", "", ""])
    assert [verdict.keep for verdict in found] == [True, False, True, True]


def test_a_page_in_an_unknown_language_keeps_what_is_long_but_nothing_that_a_rule_drops():
    found = verdicts([-50, -40, -50, -40], "viterbi", broken=["copyright_line", "", "", ""])
    assert [verdict.keep for verdict in found] == [False, False, True, False]


@pytest.mark.parametrize(("kind", "kept"), [(Kind.HEADING, True), (Kind.PARAGRAPH, False)])
def test_the_heading_above_the_first_run_is_its_title(kind, kept):
    segments = [Segment("Gull Rock", kind), *SEGMENTS]
    scorer = Constant("model", rules=True, decision="viterbi")
    decision = decide(segments, np.array([-1.0, -9, 20, 20, -20]), scorer)
    assert decision.keep.tolist() == [kept, False, True, True, False]


def test_a_title_that_breaks_a_rule_stays_dropped():
    segments = [Segment("Gull | Rock", Kind.HEADING), *SEGMENTS]
    scorer = Constant("model", rules=True, decision="viterbi")
    broken = ["separator_bar", "", "", "", ""]
    assert not decide(segments, np.array([-1.0, -9, 20, 20, -20]), scorer, broken).keep[0]


def test_verdicts_of_a_large_page_are_a_sequence(monkeypatch):
    scores, broken = [1, -1, 2, -2], ["", "bar", "", ""]
    small = verdicts(scores, broken=broken)
    monkeypatch.setattr(verdict_module, "_CHUNK", 3)
    large = verdicts(scores, broken=broken)
    assert type(small) is list
    assert type(large) is not list
    assert large[1:3] == small[1:3]
    assert large[-1] == small[-1]
    assert large == small
    assert large != small[1:]
    assert large != "verdicts"
    assert type(verdicts([1, 2, 3], broken=broken[:3], count=3)) is list


def test_a_title_is_looked_for_in_four_segments_above_the_text():
    for between, kept in ((3, True), (4, False)):
        heading = Segment("A heading", Kind.HEADING, 1)
        segments = [heading, *(Segment("by me") for _ in range(between)), Segment("text")]
        scores = np.array([-1.0] + [-9.0] * between + [9.0])
        decided = decide(segments, scores, Constant("model", rules=True, decision="viterbi"))
        assert decided.keep.tolist() == [kept] + [False] * between + [True]


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ([5.0, -9.0, 0.0, 9.0], [True, False, True, True]),
        ([-5.0, 9.0, 0.0, -9.0], [False, True, False, False]),
    ],
)
def test_a_segment_that_says_nothing_goes_with_the_run_after_it(scores, kept):
    assert _clean_runs(np.array(scores), 2.0).tolist() == kept
