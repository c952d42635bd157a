"""The confidence of a page, as a model file lets it be computed."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import Any

import pytest

from stupidos.confidence import (
    _MAX_WEIGHT,
    SIGNALS,
    STATISTICS,
    Estimate,
    _expected_precision,
    estimate,
    layout_of,
    signals,
    statistics,
)
from stupidos.errors import ModelError
from stupidos.page import Kind, Segment, Verdict
from stupidos.pipeline import extract

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
    assert _expected_precision(header(name), layout_of(verdicts)) == pytest.approx(value, abs=1e-3)


@pytest.mark.parametrize(("base", "told"), [(-3.0, 0.0), (7.0, 1.0), (0.25, 0.25)])
def test_a_confidence_lies_between_0_and_1(base: float, told: float) -> None:
    constant = header("log of the number of segments", base=base)
    assert _expected_precision(constant, layout_of([verdict()])) == told


def test_a_model_without_confidence_gives_none() -> None:
    assert _expected_precision({}, layout_of([verdict()])) is None


@pytest.mark.parametrize("verdicts", [[], [verdict(keep=False)]], ids=["no page", "nothing kept"])
def test_nothing_kept_is_no_confidence(verdicts: list[Verdict]) -> None:
    assert _expected_precision(header("mean margin", base=0.9), layout_of(verdicts)) == 0.0
    assert statistics(layout_of(verdicts)) is None


def test_an_empty_segment_divides_nothing_by_nothing() -> None:
    found = statistics(layout_of([verdict("")]))
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
        _expected_precision({"confidence": damaged}, layout_of([verdict()]))


@pytest.mark.parametrize(("weight", "refused"), [(_MAX_WEIGHT, False), (_MAX_WEIGHT * 1.001, True)])
def test_weights_have_a_limit(weight: float, refused: bool) -> None:
    entry = {"confidence": {"base": -weight, "weights": {"mean margin": 0.0}}}
    with pytest.raises(ModelError) if refused else nullcontext():
        assert _expected_precision(entry, layout_of([verdict()])) == 0.0


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
    known = dict(zip(STATISTICS, statistics(layout_of([found])) or [], strict=True))
    assert known[name] == share


def test_the_mean_length_is_counted_from_one() -> None:
    found = statistics(layout_of([verdict("x" * 10), verdict("x" * 20), verdict("dropped", keep=False)]))
    assert found is not None
    assert found[:2] == [pytest.approx(math.log(2)), pytest.approx(math.log(16))]
    assert found[-1] == pytest.approx(30 / 37)


def test_a_confidence_has_four_digits() -> None:
    told = _expected_precision(header("mean margin", base=0.123456, weight=0.0), layout_of([verdict()]))
    assert told == 0.1235


def regression(base: float = 0.0, **weights: float) -> dict[str, Any]:
    return {"base": base, "weights": {name.replace("_", " "): weight for name, weight in weights.items()}}


def expectation(precision: dict[str, Any], recall: dict[str, Any]) -> dict[str, Any]:
    return {"expectation": {"precision": precision, "recall": recall}}


def test_precision_and_recall_are_estimated_apart() -> None:
    found = estimate(expectation(regression(2.0), regression(-2.0)), layout_of([verdict()], 100))
    assert found == Estimate(0.8808, 0.1192)
    assert found.confidence == pytest.approx(0.21, abs=0.001)


def test_a_model_with_a_precision_alone_has_no_recall() -> None:
    constant = header("mean margin", base=0.9, weight=0.0)
    assert estimate(constant, layout_of([verdict()], 100)) == Estimate(0.9, None)
    assert estimate({}, layout_of([verdict()], 100)) is None


@pytest.mark.parametrize("verdicts", [[], [verdict(keep=False)]], ids=["no page", "nothing kept"])
def test_nothing_kept_is_expected_to_be_worth_nothing(verdicts: list[Verdict]) -> None:
    assert estimate(expectation(regression(9.0), regression(9.0)), layout_of(verdicts)) == Estimate(0.0, 0.0)


@pytest.mark.parametrize("damaged", [3, [], {}, {"precision": regression()}, {"recall": 1}], ids=str)
def test_a_damaged_expectation_is_refused(damaged: object) -> None:
    with pytest.raises(ModelError, match="confidence"):
        estimate({"expectation": damaged}, layout_of([verdict()], 100))


@pytest.mark.parametrize(
    ("name", "verdicts", "value"),
    [
        ("share of the page kept", [verdict(), verdict(keep=False)], 0.5),
        ("log of the text kept", [verdict("x" * 20)], math.log(20)),
        ("log of runs", [verdict(), verdict(keep=False), verdict()], math.log(2)),
        ("share of the span kept", [verdict(keep=False), verdict(), verdict(keep=False), verdict()], 2 / 3),
        ("share of text in list items", [verdict(kind=Kind.ITEM), verdict()], 0.5),
        ("log-odds of the expected precision", [verdict(score=0.0)], 0.0),
        ("log of source a character", [verdict("x" * 10)], math.log(10)),
        ("text expected beyond", [verdict(score=0.0), verdict(score=0.0, keep=False)], 0.5),
        (
            "best score dropped",
            [verdict(), verdict(score=-2.0, keep=False), verdict(score=-5.0, keep=False)],
            -2.0,
        ),
        ("best score dropped", [verdict()], -6.0),
        ("share of the page around most of the text", [verdict(), verdict(score=-40.0, keep=False)], 0.5),
    ],
)
def test_each_signal_counts_what_its_name_says(name: str, verdicts: list[Verdict], value: float) -> None:
    found = dict(zip(SIGNALS, signals(layout_of(verdicts, 100)) or [], strict=True))
    assert found[name] == pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize("score", [-1e9, 1e9, 0.0])
def test_signals_of_any_score_are_finite(score: float) -> None:
    found = signals(layout_of([verdict(score=score), verdict("", score=score)], 0))
    assert found is not None
    assert all(map(math.isfinite, found))


@pytest.mark.parametrize(
    ("name", "found", "value"),
    [
        ("share of text in very short segments", verdict("x" * 49), 1.0),
        ("share of text in very short segments", verdict("x" * 50), 0.0),
        ("mean margin", verdict(score=5.5), 5.5),
        ("mean margin", verdict(score=6.5), 6.0),
        ("mean margin", verdict(score=-0.5), 0.0),
        ("log of a short text kept", verdict("x" * 2000), 0.0),
        ("log of a short text kept", verdict("x"), -7.0),
    ],
)
def test_signals_have_exact_bounds(name: str, found: Verdict, value: float) -> None:
    assert signal([found], name) == pytest.approx(value)


def test_a_page_in_columns_has_the_same_numbers_as_its_verdicts() -> None:
    menu = "<nav><ul><li><a href=/>Home</a><li>About us</ul></nav>"
    html = f"{menu}<h1>Rain</h1>" + f"<p>{LONG} It rained.</p>" * 9
    document = extract(html)
    told, wanted = document._layout(), layout_of(document.verdicts, len(html))
    assert all((one == other).all() for one, other in zip(told[:4], wanted[:4], strict=True))
    assert told.source == wanted.source
    assert 0 < told.items.sum() < len(told.items)
    assert document.estimate == estimate(document.scorer.header, wanted)


def signal(verdicts: list[Verdict], name: str, source: int = 0) -> float:
    return dict(zip(SIGNALS, signals(layout_of(verdicts, source)) or [], strict=True))[name]


def test_a_page_of_much_source_and_little_text_is_one_that_scripts_fill() -> None:
    name = "source behind a short text"
    little = verdict("x" * 100)
    assert signal([little], name, 700) == 0.0  # less than e squared characters a character
    assert signal([little], name, 100_000) == pytest.approx((7 - math.log(100)) * (math.log(1000) - 2))
    assert signal([verdict("x" * 2000)], name, 2_000_000) == 0.0


def test_a_page_of_empty_segments_has_finite_signals() -> None:
    assert signal([verdict("")], "log of the text kept") == 0.0
    assert signal([verdict(""), verdict("")], "share of the page kept") == 0.0
    assert all(map(math.isfinite, signals(layout_of([verdict("")], 0)) or [math.nan]))
