"""The files that keep a gold standard, and the agreement of two of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stupidos.annotate.agreement import Agreement, LabelPair, agreement, word_count
from stupidos.annotate.labels import (
    Label,
    LabelledPage,
    StoredLabels,
    matched_segments,
    read_labels,
    write_gold,
)
from stupidos.annotate.second_annotator import SecondAnnotator, _read_labels_files, conflict, label_pairs
from stupidos.errors import CorpusError
from stupidos.page import Kind, Segment

KEEP, DROP = Label(True, Kind.PARAGRAPH), Label(False, Kind.PARAGRAPH)
HEADING = Label(True, Kind.HEADING)
PAGE = LabelledPage(
    name="bees",
    title="Bees",
    segments=[Segment("Home"), Segment("Bees"), Segment("Zzz & \ud800 „zażółć”")],
    labels=[DROP, HEADING, KEEP],
    by_hand=[False, True, False],
    source="bees.html",
)


def test_the_gold_text_has_the_marks_of_cleaneval(tmp_path: Path) -> None:
    write_gold(tmp_path, PAGE)
    assert (tmp_path / "bees.txt").read_text() == "<h>Bees\n\n<p>Zzz & ? „zażółć”\n"


def test_labels_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_gold(tmp_path, PAGE)
    stored = read_labels(tmp_path / "bees.labels.json")
    assert stored.texts == tuple(segment.text for segment in PAGE.segments)
    assert stored.labels == tuple(PAGE.labels)
    assert stored.by_hand == tuple(PAGE.by_hand)


def test_a_labels_file_says_where_it_came_from(tmp_path: Path) -> None:
    write_gold(tmp_path, PAGE)
    head = json.loads((tmp_path / "bees.labels.json").read_text())
    assert (head["page"], head["title"], head["source"], head["version"]) == ("bees", "Bees", "bees.html", 1)


def test_only_the_two_files_are_left_behind(tmp_path: Path) -> None:
    write_gold(tmp_path, PAGE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bees.labels.json", "bees.txt"]


BAD_ROWS = (
    "1",
    "{}",
    '{"text": 1, "keep": true, "kind": "p"}',
    '{"text": "", "keep": 1, "kind": "p"}',
    '{"text": "", "keep": true, "kind": "x"}',
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "{",
        "[" * 100_000,
        '{"format": "stupidos-labels", "version": 2, "segments": []}',
        *(f'{{"format": "stupidos-labels", "version": 1, "segments": [{row}]}}' for row in BAD_ROWS),
    ],
)
def test_another_file_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "x.labels.json"
    path.write_text(text)
    with pytest.raises(CorpusError, match=r"x\.labels\.json: is not a labels file"):
        read_labels(path)


def test_kappa_by_hand() -> None:
    # Cohen's table: 20 + 15 of 50 alike is 0.7; by chance 0.5 · 0.6 + 0.5 · 0.4 = 0.5; kappa 0.2 / 0.5
    found = Agreement(both_keep=20, only_first=5, only_second=10, both_drop=15)
    assert found.words == 50
    assert found.observed == pytest.approx(0.7)
    assert found.expected == pytest.approx(0.5)
    assert found.kappa == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        (Agreement(10, 0, 0, 10), 1.0),
        (Agreement(0, 10, 10, 0), -1.0),
        (Agreement(5, 5, 5, 5), 0.0),
        (Agreement(45, 15, 25, 15), 0.1304),
        (Agreement(25, 35, 5, 35), 0.2593),
    ],
)
def test_kappa_of_known_tables(table: Agreement, kappa: float) -> None:
    assert table.kappa == pytest.approx(kappa, abs=5e-5)


@pytest.mark.parametrize("table", [Agreement(), Agreement(both_keep=9), Agreement(both_drop=9)])
def test_kappa_is_undefined_where_chance_explains_everything(table: Agreement) -> None:
    assert table.kappa is None
    assert table.observed == 1.0


def test_agreement_weighs_segments_by_their_words() -> None:
    found = agreement([LabelPair(9, True, True), LabelPair(1, False, True), LabelPair(0, True, False)])
    assert found == Agreement(both_keep=9, only_second=1)


def test_kappa_does_not_depend_on_who_is_first() -> None:
    assert Agreement(7, 2, 5, 3).kappa == pytest.approx(Agreement(7, 5, 2, 3).kappa)


@pytest.mark.parametrize(
    ("text", "words"), [("", 0), ("two words", 2), ("三个字", 3), ("ab三c d", 4), (" \n", 0)]
)
def test_words_are_counted_in_every_script(text: str, words: int) -> None:
    assert word_count(text) == words


def test_only_segments_of_both_annotators_are_compared() -> None:
    other = SecondAnnotator({"bees": StoredLabels(("Home", "new"), (KEEP, KEEP), (True, True))})
    theirs = other.labels("bees", ["Home", "Bees sleep"])
    assert theirs == [KEEP, None]
    assert list(label_pairs(["Home", "Bees sleep"], [DROP, KEEP], theirs)) == [LabelPair(1, False, True)]
    assert other.labels("tea", ["Home"]) == [None]


@pytest.mark.parametrize(
    ("mine", "theirs", "differ"),
    [(KEEP, DROP, True), (KEEP, HEADING, True), (DROP, Label(False, Kind.ITEM), False), (KEEP, None, False)],
)
def test_labels_conflict_where_the_gold_text_would_differ(
    mine: Label, theirs: Label | None, differ: bool
) -> None:
    assert conflict(mine, theirs) is differ


def test_a_second_annotator_is_a_folder_or_a_file(tmp_path: Path) -> None:
    write_gold(tmp_path, PAGE)
    assert _read_labels_files(tmp_path) == _read_labels_files(tmp_path / "bees.labels.json")
    assert list(_read_labels_files(tmp_path)) == ["bees"]


def test_segments_are_found_again_by_their_texts_in_order() -> None:
    assert matched_segments(["a", "x", "b", "x"], ["x", "b", "new", "x"]) == {1: 0, 2: 1, 3: 3}
