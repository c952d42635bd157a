"""Training of the learnt cut."""

import numpy as np

from stupidos.score.cut import SHIFTS, best_cut
from stupidos.web.train_cut import CutSample, cut_sample, train_cut

RNG = np.random.default_rng(3)


def page(shift):
    """Scores of a page that are wrong by `shift`, sizes, and what is clean."""
    true = RNG.normal(0, 3, 60)
    return true - shift, RNG.integers(10, 300, 60).astype(float), (true > 0).astype(float)


def test_it_learns_that_scores_are_too_low():
    samples = [cut_sample(scores, sizes, sizes, clean, int(sizes @ clean)) for scores, sizes, clean in
               (page(3.0) for _ in range(150))]  # fmt: skip
    network = train_cut(samples)
    unshifted = len(SHIFTS) // 2
    gains = []
    for scores, sizes, clean in (page(3.0) for _ in range(20)):
        sample = cut_sample(scores, sizes, sizes, clean, int(sizes @ clean))
        kept = scores > best_cut(scores, sizes, network)
        f = 2 * (sizes @ (kept & (clean > 0))) / (sizes @ kept + sizes @ clean)
        gains.append(f - sample.f[unshifted])
    assert np.mean(gains) > 0.05


def test_a_sample_rates_each_cut_by_its_f():
    scores, sizes = np.array([9.0, -9.0]), np.array([10.0, 10.0])
    sample = cut_sample(scores, sizes, np.array([2.0, 6.0]), np.array([1.0, 0.0]), gold=2)
    assert isinstance(sample, CutSample)
    assert sample.f.tolist() == [1.0] * len(SHIFTS)


def test_training_twice_gives_the_same_network():
    samples = [cut_sample(*page(0.0)[:2], np.ones(60), np.ones(60), 60) for _ in range(5)]
    once, again = (train_cut(samples) for _ in range(2))
    assert all((one == other).all() for one, other in zip(once, again, strict=True))
