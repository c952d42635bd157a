"""Evaluations: averages, counts and tables."""

from __future__ import annotations

from pathlib import Path

import pytest

from stupidos.lab import measure, tables
from stupidos.lab.corpus import Pair
from stupidos.lab.evaluate import (
    EmptyGold,
    Evaluation,
    PageScore,
    _score_text,
    evaluate_models,
    evaluate_texts,
    gold_digest,
    option_signature,
    text_of,
)
from stupidos.lab.examples import Problem
from stupidos.lab.match_counts import MatchCounts
from stupidos.lab.measure import Comparison, Measure
from stupidos.pipeline import Options

HTML = "<html><body><p>Home | Login | Help</p><h1>Tea</h1><p>Tea is hot and good for you.</p></body></html>"
GOLD = "URL: http://tea.example/\n\n<h>Tea\n<p>Tea is hot and good for you.\n"


def score(page: str, matched: int, found: int, wanted: int, confidence: float | None = None) -> PageScore:
    tally = MatchCounts(matched, found, wanted)
    return PageScore(page, Comparison(tally, tally, tally, tally), confidence)


def two_pages(name: str = "m") -> Evaluation:
    return Evaluation(name, f"model:{name}", [score("1", 5, 10, 5, 0.4), score("2", 90, 90, 100, 0.9)])


@pytest.fixture
def pairs(tmp_path: Path) -> list[Pair]:
    for name, gold in {"1": GOLD, "2": GOLD, "3": "URL: x\n"}.items():
        (tmp_path / f"{name}.txt").write_text(gold)
        (tmp_path / f"{name}.html").write_text(HTML)
    (tmp_path / "2.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    return [Pair(name, tmp_path / f"{name}.txt", tmp_path / f"{name}.html") for name in "123"]


def test_macro_averages_pages_and_micro_averages_words() -> None:
    found = two_pages()
    assert found.macro["precision"] == pytest.approx((0.5 + 1) / 2)
    assert found.micro["precision"] == pytest.approx(95 / 100)
    assert found.macro["f"] == pytest.approx((2 / 3 + 180 / 190) / 2)


def test_pages_below_a_precision_are_counted() -> None:
    assert (two_pages().below(0.7), two_pages().below(1.01)) == (1, 2)


def test_no_pages_have_no_scores() -> None:
    nothing = Evaluation("m", "", [])
    assert set(nothing.macro.values()) == set(nothing.micro.values()) == {0.0}


def test_the_surest_pages_are_those_of_highest_confidence() -> None:
    assert [page.page for page in two_pages().surest(0.5)] == ["2"]
    assert Evaluation("m", "", [score("1", 1, 1, 1)]).surest() == []


def test_models_are_scored_side_by_side(pairs: list[Pair]) -> None:
    dump, rules = evaluate_models(pairs, ["keep-all", "rules"], Options(), Measure(), map)
    assert dump.macro["precision"] < rules.macro["precision"] == 1.0
    assert rules.macro["segment_f"] == rules.macro["bag_f"] == 1.0
    assert (dump.empty, [problem.name for problem in dump.problems]) == (["3"], ["2"])
    assert rules.signature.startswith("model:rules|gold:")
    assert "|pages:1|v:" in rules.signature


def test_a_page_too_long_to_align_is_a_problem(pairs: list[Pair], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "_MAX_STEPS", 3)
    (found,) = evaluate_models(pairs[:1], ["keep-all"], Options(), Measure(), map)
    assert [(problem.name, problem.reason[:8]) for problem in found.problems] == [("1", "too long")]


def test_texts_are_scored_as_they_are(pairs: list[Pair]) -> None:
    golds = [pair._replace(raw=pair.gold) for pair in pairs]
    found = evaluate_texts(golds, "gold", Measure("lcs", unlabelled=True), map)
    assert [page.page for page in found.pages] == ["1", "2"]
    assert found.micro["f"] == 1.0
    assert found.signature.startswith(f"texts:gold|gold:{gold_digest(golds)}|pages:2|align:lcs|unlabelled|v:")


def test_a_page_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text(GOLD)
    assert isinstance(_score_text(Pair("1", tmp_path / "1.txt", tmp_path / "no.txt"), Measure()), Problem)


def test_an_empty_gold_is_nothing_to_score_against(pairs: list[Pair]) -> None:
    assert _score_text(pairs[2], Measure()) == EmptyGold("3")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("tea\xa0é".encode(), "tea\xa0é"),
        ("caf\xe9 au lait".encode("cp1252"), "café au lait"),
        (b"\xef\xbb\xbfx", "\ufeffx"),
    ],
)
def test_texts_are_read_as_their_bytes_say(data: bytes, text: str, tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_bytes(data)
    assert text_of(tmp_path / "1.txt") == text


def test_another_gold_has_another_fingerprint(pairs: list[Pair]) -> None:
    before = gold_digest(pairs)
    pairs[0].gold.write_text(GOLD + "more")
    assert gold_digest(pairs) != before


def test_only_unusual_options_are_part_of_a_signature() -> None:
    assert option_signature(Options()) == ""
    changed = Options(threshold=0.5, br="line", rules_off=frozenset({"bar"}))
    assert option_signature(changed) == "|threshold:0.5|without:bar|br:line"


def test_numbers_are_aligned() -> None:
    lines = tables.score_table([two_pages(), two_pages("longer-name")], "macro").splitlines()
    assert len({len(line) for line in lines[1:]}) == 1
    assert "80.70" in lines[2]


def test_a_gain_is_shown_with_its_interval() -> None:
    better = Evaluation("b", "", [score("1", 9, 10, 9), score("2", 99, 99, 100), score("9", 1, 1, 1)])
    shown = tables.gain_table([two_pages(), better], two_pages())
    assert shown.splitlines()[0].startswith("gain over m")
    assert (
        tables.gains([better], two_pages(), "precision")["b"].df == 1
    )  # the page that only one has is left out


def test_groups_have_a_row_each() -> None:
    lines = tables.group_table([two_pages()], {"1": "forum"}, "precision").splitlines()
    assert [line.split() for line in lines[1:]] == [["(none)", "1", "100.00"], ["forum", "1", "50.00"]]


def test_every_score_is_printed_with_its_signature() -> None:
    assert tables.signature_lines([two_pages()]) == "F 80.7  model:m"
