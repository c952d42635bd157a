"""The learnt cut: nested cuts, their features, and the choice of a network."""

import numpy as np
import pytest

from stupidos.page import Segment
from stupidos.score import cut
from stupidos.score.cut import CUT_FEATURES, SHIFTS, CutNetwork, best_cut, cuts, threshold
from stupidos.score.registry import scorer
from stupidos.verdict import decide

RNG = np.random.default_rng(7)
SCORES, SIZES = RNG.normal(-1, 1.5, 80), RNG.integers(1, 400, 80).astype(float)  # a page that is not sure


def network(**weights):
    """A network that rates a cut by some of its features."""
    hidden = np.zeros((1, len(CUT_FEATURES)), np.float32)
    for name, weight in weights.items():
        hidden[0, CUT_FEATURES.index(name.replace("_", " "))] = weight
    return CutNetwork(hidden, np.zeros(1, np.float32), np.ones(1, np.float32))


def test_a_larger_shift_keeps_no_less():
    last = cuts(SCORES, SIZES).last
    assert (np.diff(last) >= 0).all()
    assert last[0] < last[-1]


def test_every_cut_has_all_features_and_all_are_finite():
    features = cuts(SCORES, SIZES).features
    assert features.shape == (len(SHIFTS), len(CUT_FEATURES))
    assert np.isfinite(features).all()


@pytest.mark.parametrize("scores", [[1000.0, -1000.0], [-1000.0, -999.0], [0.0, 0.0], [3.0]], ids=str)
@pytest.mark.parametrize("size", [0.0, 1.0, 1e7])
def test_no_page_is_too_strange(scores, size):
    features = cuts(np.array(scores), np.full(len(scores), size)).features
    assert np.isfinite(features).all()


def test_features_count_what_their_names_say():
    found = cuts(np.array([9.0, -9.0, 9.0, -9.0]), np.array([10.0, 10.0, 30.0, 50.0]))
    middle = dict(zip(CUT_FEATURES, found.features[len(SHIFTS) // 2].tolist(), strict=True))
    assert middle["share of text"] == pytest.approx(0.4)
    assert middle["share of segments"] == 0.5
    assert middle["runs a segment"] == 1.5  # three boundaries between kept and dropped, two segments
    assert middle["span"] == 0.75
    assert middle["more expected F"] == 0


@pytest.mark.parametrize(("weight", "chosen"), [(1.0, len(SHIFTS) - 1), (-1.0, 0)])
def test_a_network_that_likes_text_takes_the_last_cut(weight, chosen):
    limit = best_cut(SCORES, SIZES, network(shift=weight)._replace(cut_last=np.full(1, 99, np.float32)))
    assert (limit < SCORES).sum() == cuts(SCORES, SIZES).last[chosen] + 1


def test_the_unshifted_cut_is_left_only_for_one_that_is_clearly_better():
    features = cuts(SCORES, SIZES).features
    unsure, sure = (network(shift=1.0)._replace(cut_last=np.full(1, last, np.float32)) for last in (1, 9))
    assert cut._choice(features, unsure) == len(SHIFTS) // 2
    assert cut._choice(features, sure) == len(SHIFTS) - 1


def test_a_page_that_is_sure_keeps_the_unshifted_cut():
    scores = np.concatenate([np.full(40, 9.0), np.linspace(-4, -1, 40)])
    greedy = network(shift=99.0)._replace(cut_last=np.full(1, 99, np.float32))
    found = cuts(scores, SIZES)
    assert found.features[len(SHIFTS) // 2, 0] > 0.9
    kept = (best_cut(scores, SIZES, greedy) < scores).sum()
    assert kept == found.last[len(SHIFTS) // 2] + 1 < found.last[-1] + 1


@pytest.mark.parametrize("steps", [-99, -1, 0, 1, 99])
def test_steps_move_along_the_cuts_and_stop_at_their_ends(steps):
    middle = len(SHIFTS) // 2
    found = cuts(SCORES, SIZES)
    kept = (best_cut(SCORES, SIZES, network(), steps) < SCORES).sum()  # it rates all alike
    assert kept == found.last[min(max(middle + steps, 0), len(SHIFTS) - 1)] + 1


def test_equal_scores_stay_together():
    scores = np.array([2.0, 2.0, 1.0])
    assert threshold(scores, np.array([0, 1, 2]), 0) < 2.0
    assert threshold(scores, np.array([0, 1, 2]), 1) == 1.5


@pytest.mark.parametrize("steps", [("precision", -1), ("balanced", 0), ("recall", 1)], ids=str)
def test_presets_are_steps_from_the_chosen_cut(steps, monkeypatch):
    preference, expected = steps
    asked = []
    monkeypatch.setattr(cut, "best_cut", lambda *arguments: asked.append(arguments[-1]) or 0.0)

    class WithNetwork:
        decision, header, cut_network = "expected-f", {}, network()

    segments = [Segment("tea")] * len(SCORES)
    decide(segments, SCORES, WithNetwork(), preference=preference)
    assert np.sign(asked) == [expected]


def test_a_page_of_too_many_segments_is_cut_at_its_expected_f(monkeypatch):
    web = scorer("web")
    segments = [Segment("tea " * 9)] * len(SCORES)
    monkeypatch.setattr(cut, "LARGEST_PAGE", 10)
    monkeypatch.setattr(cut, "best_cut", None)
    assert decide(segments, SCORES, web).keep.any()
