"""Training of the second look."""

from __future__ import annotations

import numpy as np

from stupidos.web.second_look import INPUTS
from stupidos.web.train_second_look import LookSample, train_second_look

RNG = np.random.default_rng(5)
PLACE = INPUTS.index("in the main element")


def sample(segments: int = 20) -> LookSample:
    """A page whose scores say nothing; what is in the main element is clean."""
    inputs = RNG.normal(0, 1, (len(INPUTS), segments)).astype(np.float32)
    inputs[PLACE] = RNG.random(segments) < 0.5
    weights = np.full(segments, 1 / segments, np.float32)
    return LookSample(inputs, np.zeros(segments, np.float32), inputs[PLACE].copy(), weights)


def test_it_learns_what_the_scores_miss() -> None:
    look = train_second_look([sample() for _ in range(300)])
    assert look is not None
    unseen = sample(500)
    assert ((look.correction(unseen.inputs) > 0) == (unseen.labels > 0)).mean() > 0.95


def test_training_twice_gives_the_same_network() -> None:
    samples = [sample() for _ in range(5)]
    once, again = (train_second_look(samples) for _ in range(2))
    assert once is not None
    assert again is not None
    assert all((one == other).all() for one, other in zip(once, again, strict=True))


def test_without_pages_there_is_none() -> None:
    assert train_second_look([]) is None
    assert train_second_look([sample(801)]) is None
