"""Training of the confidence: a line through pages that the model never saw."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from stupidos.confidence import STATISTICS, _expected_precision, layout_of
from stupidos.lab.confidence import (
    MIN_PAGES,
    MIN_REGRESSION_PAGES,
    ConfidenceSample,
    fitted,
    held_out,
    sample,
    weights,
)
from stupidos.lab.examples import Example
from stupidos.lab.retrain import ngrams_retrained
from stupidos.lab.train import STANDARD
from stupidos.page import Page, Segment, Verdict

TRAINED = partial(ngrams_retrained, STANDARD, "standard")


def samples(number: int, seed: int = 1) -> list[ConfidenceSample]:
    """Pages whose precision is a line over the first statistic, with a little noise."""
    random = Random(seed)
    found = []
    for _ in range(number):
        values = [random.random() for _ in STATISTICS]
        found.append(ConfidenceSample(values, 0.5 + 0.3 * values[0] + 0.01 * random.random()))
    return found


def example(number: int) -> Example:
    clean = [
        Segment(f"It rained on day {number} and {number % 5} of us had hot tea at home."),
        Segment("Nice."),
    ]
    return Example(str(number), Page("", "", [Segment("Home | Login"), *clean, Segment("Contact us")]), clean)


def test_the_line_is_found() -> None:
    found = weights(samples(400))
    assert found["weights"]["log of the number of segments"] == pytest.approx(0.3, abs=0.01)
    assert max(abs(weight) for weight in list(found["weights"].values())[1:]) < 0.01
    assert found["residual"] < 0.01
    assert found["pages"] == 400


def test_very_few_pages_give_no_confidence() -> None:
    assert weights(samples(MIN_PAGES - 1)) == {}
    assert fitted([example(number) for number in range(3)], TRAINED) == {}


def test_few_pages_give_their_mean_precision() -> None:
    few = samples(MIN_REGRESSION_PAGES - 1)
    line = weights(few)
    assert line["base"] == pytest.approx(sum(one.precision for one in few) / len(few), abs=1e-6)
    assert line["weights"] == {}
    assert line["pages"] == len(few)


def test_an_n_gram_model_of_few_pages_has_a_confidence() -> None:
    line = fitted([example(number) for number in range(MIN_PAGES + 1)], TRAINED)
    verdicts = [Verdict(Segment("It rained."), 3.0, True, "standard")]
    assert _expected_precision({"confidence": line}, layout_of(verdicts)) == pytest.approx(line["base"])


def test_pages_held_out_are_predicted_by_the_others() -> None:
    folds = [samples(40, seed) for seed in range(3)]
    found = held_out(folds)
    assert [len(part) for part in found] == [40, 40, 40]
    errors = [abs(said - one.precision) for part, fold in zip(found, folds) for said, one in zip(part, fold)]
    assert max(errors) < 0.03


def test_a_constant_statistic_does_no_harm() -> None:
    same = [ConfidenceSample([1.0] * len(STATISTICS), 0.8)] * MIN_REGRESSION_PAGES
    assert weights(same)["base"] + sum(weights(same)["weights"].values()) == pytest.approx(0.8)


def test_what_is_fitted_can_be_asked() -> None:
    found = fitted([example(number) for number in range(24)], TRAINED)
    verdicts = [Verdict(Segment("It rained."), 3.0, True, "standard")]
    told = _expected_precision({"confidence": found}, layout_of(verdicts))
    assert told is not None
    assert 0 <= told <= 1


def test_a_page_of_which_nothing_is_kept_teaches_nothing() -> None:
    assert sample([Verdict(Segment("x"), -1.0, False, "m")], [Segment("x")]) is None
