"""The confidence of a page, as a model file lets it be computed."""

from __future__ import annotations

import math
from typing import Any

import pytest

from stupidos.confidence import STATISTICS, expected_precision, statistics
from stupidos.errors import ModelError
from stupidos.page import Kind, Segment, Verdict

LONG = "A segment of well over fifty characters, such as paragraphs of real text have."


def verdict(text: str = LONG, score: float = 40.0, keep: bool = True, kind: Kind = Kind.PARAGRAPH) -> Verdict:
    return Verdict(Segment(text, kind), score, keep, "m")


def header(name: str, weight: float = 1.0, base: float = 0.0) -> dict[str, Any]:
    return {"confidence": {"base": base, "weights": {name: weight}}}


@pytest.mark.parametrize(
    ("name", "verdicts", "value"),
    [
        ("log of the number of segments", [verdict()], 0.0),
        ("share of text in very short segments", [verdict(), verdict("x" * 10)], 10 / 88),
        ("share of text in list items", [verdict(kind=Kind.ITEM)], 1.0),
        ("share of text nearly dropped", [verdict(score=1.0)], 1.0),
        ("mean margin", [verdict(score=39.0)], 0.5),
        ("mean margin", [verdict(score=1e9)], 1.0),
        ("share of the page kept", [verdict(), verdict(keep=False)], 0.5),
    ],
)
def test_each_statistic_counts_what_its_name_says(name: str, verdicts: list[Verdict], value: float) -> None:
    assert expected_precision(header(name), verdicts) == pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize(("base", "told"), [(-3.0, 0.0), (7.0, 1.0), (0.25, 0.25)])
def test_a_confidence_lies_between_0_and_1(base: float, told: float) -> None:
    assert expected_precision(header("log of the number of segments", base=base), [verdict()]) == told


def test_a_model_without_confidence_tells_none() -> None:
    assert expected_precision({}, [verdict()]) is None


@pytest.mark.parametrize("verdicts", [[], [verdict(keep=False)]], ids=["no page", "nothing kept"])
def test_nothing_kept_is_no_confidence(verdicts: list[Verdict]) -> None:
    assert expected_precision(header("mean margin", base=0.9), verdicts) == 0.0
    assert statistics(verdicts) is None


def test_an_empty_segment_divides_nothing_by_nothing() -> None:
    found = statistics([verdict("")])
    assert found is not None
    assert len(found) == len(STATISTICS)


@pytest.mark.parametrize(
    "damaged",
    [
        [],
        "x",
        {"base": 1.0},
        {"base": "x", "weights": {}},
        {"base": 0.5, "weights": {"number of cats": 1.0}},
        {"base": 0.5, "weights": {"mean margin": None}},
        {"base": 0.5, "weights": {"mean margin": "inf"}},
        {"base": 0.5, "weights": 3},
        {"base": 10**400, "weights": {}},
        {"base": 0.5, "weights": {"mean margin": "0.1"}},
        {"base": "0.5", "weights": {}},
    ],
    ids=str,
)
def test_a_damaged_header_is_refused(damaged: object) -> None:
    with pytest.raises(ModelError, match="confidence"):
        expected_precision({"confidence": damaged}, [verdict()])


@pytest.mark.parametrize(
    ("name", "found", "share"),
    [
        ("share of text in very short segments", verdict("x" * 49), 1.0),
        ("share of text in very short segments", verdict("x" * 50), 0.0),
        ("share of text nearly dropped", verdict(score=4.999), 1.0),
        ("share of text nearly dropped", verdict(score=5.0), 0.0),
        ("log of the number of segments", verdict(), 0.0),
    ],
)
def test_short_and_doubtful_have_exact_bounds(name: str, found: Verdict, share: float) -> None:
    known = dict(zip(STATISTICS, statistics([found]) or [], strict=True))
    assert known[name] == share


def test_the_mean_length_is_counted_from_one() -> None:
    found = statistics([verdict("x" * 10), verdict("x" * 20), verdict("dropped", keep=False)])
    assert found is not None
    assert found[:2] == [pytest.approx(math.log(2)), pytest.approx(math.log(16))]
    assert found[-1] == pytest.approx(30 / 37)


def test_a_confidence_has_four_digits() -> None:
    assert expected_precision(header("mean margin", base=0.123456, weight=0.0), [verdict()]) == 0.1235
