"""A session: labels given are labels kept, and the gold folder follows."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from annotation_samples import BY_LENGTH, PAGES, line_cleaner

from stupidos.annotate.journal import JOURNAL_FILE, AnnotationEntry
from stupidos.annotate.labels import Label, LabelledPage, StoredLabels, read_labels
from stupidos.annotate.retrain import Retrained
from stupidos.annotate.second_annotator import SecondAnnotator
from stupidos.annotate.session import Session
from stupidos.annotate.suggestions import Suggestion
from stupidos.annotate.views import comparison_view, overview, page_view
from stupidos.errors import CorpusError, StupidosError
from stupidos.page import Kind
from stupidos.score.baseline import Constant

Open = Callable[..., Session]


def keep(page: str, *segments: int, key: str = "") -> AnnotationEntry:
    return AnnotationEntry("change", page, segments, keep=True, key=key)


def keeps(session: Session, name: str) -> list[bool]:
    return [label.keep for label in session.page_labels(name)[1].labels]


def confidence(name: str) -> float:
    return Suggestion(BY_LENGTH.extract(PAGES[name].encode()), "").confidence


def ranked(session: Session) -> Session:
    """The session when no page is left to be judged."""
    while session.suggestions.ranking:
        threading.Event().wait(0.001)
    return session


def test_a_page_starts_with_what_the_model_suggests(open_session: Open) -> None:
    assert keeps(open_session(), "bees") == [False, True, True, False]


def test_a_change_survives_the_session(open_session: Open) -> None:
    session = open_session()
    session.change(keep("bees", 0, 3))
    session.close()
    assert keeps(open_session(), "bees") == [True, True, True, True]


def test_gold_is_written_when_a_page_is_finished(open_session: Open, gold: Path) -> None:
    session = open_session()
    session.change(AnnotationEntry("change", "bees", (1,), kind="h"))
    assert not (gold / "bees.txt").exists()
    session.finish("bees")
    assert (gold / "bees.txt").read_text() == (
        "<h>Bees sleep at night, all of them at once.\n\n<p>They dream of clover.\n"
    )
    assert read_labels(gold / "bees.labels.json").by_hand == (False, True, False, False)


def test_the_gold_of_a_finished_page_follows_every_change(open_session: Open, gold: Path) -> None:
    session = open_session()
    session.finish("tea")
    session.change(keep("tea", 2))
    assert (gold / "tea.txt").read_text().endswith("<p>Share\n")


def test_undoing_the_end_of_a_page_takes_its_gold_back(open_session: Open, gold: Path) -> None:
    session = open_session()
    session.change(keep("tea", 0))
    session.finish("tea")
    assert session.undo() == "tea"
    assert sorted(path.name for path in gold.iterdir()) == [JOURNAL_FILE]
    assert session.undo() == "tea"
    assert keeps(session, "tea") == [False, True, False]
    assert session.undo() == ""


def test_a_request_that_comes_twice_counts_once(open_session: Open) -> None:
    session = open_session()
    session.change(keep("tea", 0, key="1"))
    session.change(keep("tea", 2, key="2"))
    session.change(keep("tea", 0, key="1"))
    assert session.undo("3") == "tea"
    assert session.undo("3") == "tea"
    assert keeps(session, "tea") == [True, True, False]


def test_gold_that_a_crash_left_unwritten_is_written_at_the_next_start(
    open_session: Open, gold: Path
) -> None:
    session = open_session()
    session.finish("tea")
    session.close()
    (gold / "tea.txt").unlink()
    (gold / "tea.labels.json").write_text("half")
    open_session()
    assert (gold / "tea.txt").read_text() == "<p>Tea is hot, coffee is hotter, ice is not.\n"
    assert len(read_labels(gold / "tea.labels.json").texts) == 3


def test_gold_made_elsewhere_is_never_overwritten(open_session: Open, gold: Path) -> None:
    (gold / "tea.txt").write_text("by hand")
    session = open_session()
    assert session.state("tea") == "given"
    assert "tea" not in session.queue()
    with pytest.raises(StupidosError, match="not made here"):
        session.change(keep("tea", 0))
    with pytest.raises(StupidosError, match="not made here"):
        session.finish("tea")
    assert (gold / "tea.txt").read_text() == "by hand"


def test_labels_without_a_journal_count_as_finished(open_session: Open, gold: Path) -> None:
    session = open_session()
    session.change(keep("bees", 3))
    session.finish("bees")
    session.close()
    (gold / JOURNAL_FILE).unlink()
    again = open_session()
    assert again.state("bees") == "finished"
    assert keeps(again, "bees") == [False, True, True, True]
    assert again.undo() == ""


def test_the_least_confident_pages_come_first(open_session: Open) -> None:
    session = ranked(open_session())
    assert session.queue() == sorted(PAGES, key=confidence)
    session.finish("bees")
    assert session.queue() == ["tea", "zebra"]


def test_a_page_that_cannot_be_read_is_reported_and_passed_over(open_session: Open) -> None:
    session = open_session({"tea": PAGES["tea"]})
    session.suggestions.stop()
    session.project.raw_pages["png"] = lambda: b"\x89PNG"  # type: ignore[index]
    session.rank()
    ranked(session)
    assert session.state("png") == "broken"
    assert session.queue() == ["tea"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (keep("nowhere", 0), "there is no page"),
        (keep("tea", 3), "no such segment"),
        (keep("tea"), "no such segment"),
        (AnnotationEntry("change", "tea", (0,)), "needs a label"),
    ],
)
def test_a_change_that_makes_no_sense_is_refused(
    change: AnnotationEntry, message: str, open_session: Open
) -> None:
    session = open_session()
    with pytest.raises(StupidosError, match=message):
        session.change(change)
    assert session.history.pages() == []


def test_a_damaged_journal_stops_the_session(open_session: Open, gold: Path) -> None:
    (gold / JOURNAL_FILE).write_text("nonsense\n")
    with pytest.raises(CorpusError, match="line 1 is damaged"):
        open_session()


def test_a_new_rendering_keeps_the_labels_of_the_texts_that_stay(open_session: Open) -> None:
    session = open_session()
    session.change(keep("bees", 0))
    session.close()
    again = open_session({"bees": "Bees\nNew\nHome\nThey dream of clover.\n"})
    assert keeps(again, "bees") == [False, True, True]
    again.change(keep("bees", 0))
    assert keeps(again, "bees") == [True, True, True]
    again.undo()
    again.undo()
    assert keeps(again, "bees") == [False, False, True]


def second_annotator(**pages: str) -> SecondAnnotator:
    """A second annotator who keeps what is marked by 1."""
    stored = {}
    for name, marks in pages.items():
        texts = tuple(PAGES[name].splitlines()[1:])
        labels = tuple(Label(mark == "1", Kind.PARAGRAPH) for mark in marks)
        stored[name] = StoredLabels(texts, labels, (True,) * len(texts))
    return SecondAnnotator(stored)


def test_a_second_opinion_is_told_only_of_finished_pages(open_session: Open) -> None:
    session = open_session(second=second_annotator(bees="1110"))
    assert not any("other" in row for row in page_view(session, "bees")["segments"])
    session.finish("bees")
    rows = page_view(session, "bees")["segments"]
    assert [row.get("other") for row in rows] == [{"keep": True, "kind": "p"}, None, None, None]


def test_conflicts_come_first_and_can_be_settled(open_session: Open, gold: Path) -> None:
    session = ranked(open_session(second=second_annotator(zebra="11")))
    session.finish("zebra")
    assert session.conflicts("zebra") == 1
    assert session.queue()[0] == "zebra"
    session.change(AnnotationEntry("change", "zebra", (0,), keep=True, kind="p", settles=True))
    assert session.conflicts("zebra") == 0
    assert "zebra" not in session.queue()
    assert (gold / "zebra.txt").read_text().startswith("<p>Menu\n")


def test_agreement_is_measured_before_conflicts_were_settled(open_session: Open) -> None:
    session = open_session(second=second_annotator(bees="1110"))
    assert session.comparison.summary().agreement.words == 0
    session.change(AnnotationEntry("change", "bees", (3,), keep=False))
    session.finish("bees")
    before = session.comparison.summary().agreement
    session.change(AnnotationEntry("change", "bees", (0,), keep=True, settles=True))
    assert session.comparison.summary().agreement == before
    assert (before.both_keep, before.only_second, before.both_drop) == (13, 1, 1)


def test_the_overview_shows_progress_model_and_agreement(open_session: Open) -> None:
    session = ranked(open_session(second=second_annotator(bees="0110")))
    session.change(AnnotationEntry("change", "bees", (3,), keep=False))
    session.finish("bees")
    told = json.loads(json.dumps(overview(session), allow_nan=False))
    assert {page["name"]: page["state"] for page in told["pages"]} == {
        "bees": "finished",
        "tea": "open",
        "zebra": "open",
    }
    assert told["model"]["name"] == "by length"
    assert told["undo"] == "bees"
    assert told["agreement"] == {"words": 15, "observed": 1.0, "kappa": 1.0, "accepted": 0}
    assert [page["title"] for page in told["pages"]] == ["Bees", "Tea", "Zebra"]


def test_a_page_finished_without_a_change_is_accepted_as_suggested(open_session: Open) -> None:
    session = ranked(open_session(second=second_annotator(bees="1110", tea="010")))
    session.finish("bees")
    session.change(keep("tea", 0))
    session.finish("tea")
    told = overview(session)
    assert {page["name"]: page["accepted"] for page in told["pages"]} == {
        "bees": True,
        "tea": False,
        "zebra": False,
    }
    assert (told["agreement"]["accepted"], told["agreement"]["words"]) == (1, 11)
    assert page_view(session, "bees")["accepted"]


@pytest.mark.parametrize("settles", [True, False])
def test_only_a_change_of_ones_own_ends_being_accepted(settles: bool, open_session: Open) -> None:
    session = open_session(second=second_annotator(bees="1110"))
    session.finish("bees")
    session.change(AnnotationEntry("change", "bees", (0,), keep=True, settles=settles))
    assert session.history.accepted("bees") is settles
    session.undo()
    assert session.history.accepted("bees")


def test_an_accepted_page_stays_accepted_when_only_its_labels_file_is_left(
    open_session: Open, gold: Path
) -> None:
    session = open_session()
    session.finish("bees")
    session.change(keep("tea", 0))
    session.finish("tea")
    session.close()
    (gold / JOURNAL_FILE).unlink()
    again = open_session()
    assert [again.history.accepted(name) for name in ("bees", "tea")] == [True, False]


def test_the_comparison_lists_pages_with_open_conflicts_first(open_session: Open) -> None:
    session = ranked(open_session(second=second_annotator(bees="0110", tea="110", zebra="11")))
    for name in ("bees", "tea", "zebra"):
        session.finish(name)
    session.change(AnnotationEntry("change", "tea", (0,), keep=True, kind="p", settles=True))
    told = json.loads(json.dumps(comparison_view(session), allow_nan=False))["pages"]
    assert [(page["name"], page["open"]) for page in told] == [("zebra", 1), ("tea", 0), ("bees", 0)]
    assert told[0]["title"] == "Zebra"
    assert told[0]["conflicts"] == [
        {
            "segment": 0,
            "text": "Menu",
            "ours": {"keep": False, "kind": "p"},
            "theirs": {"keep": True, "kind": "p"},
            "settled": False,
        }
    ]
    assert [one["settled"] for one in told[1]["conflicts"]] == [True]
    assert told[2]["conflicts"] == []


def test_the_comparison_says_nothing_of_unfinished_pages(open_session: Open) -> None:
    session = open_session(second=second_annotator(bees="0110"))
    assert comparison_view(session) == {"pages": []}


def test_retraining_learns_from_finished_pages_and_suggests_again(open_session: Open) -> None:
    seen: list[LabelledPage] = []

    def train(pages: list[LabelledPage]) -> Retrained:
        seen.extend(pages)
        return Retrained(
            line_cleaner(Constant("uncertain", rules=False, score_of_all=0.0)), "adapted", "Better."
        )

    session = ranked(open_session(train=train))
    session.finish("bees")
    session.finish("tea")
    session.retrain()
    session.retraining.join()
    ranked(session)
    assert [page.name for page in seen] == ["bees", "tea"]
    assert session.suggestions.model == "adapted"
    assert session.retraining.message == "Better."
    assert session.suggestions.confidence["zebra"] == 0.0


def test_labels_by_hand_outlive_a_new_model(open_session: Open) -> None:
    def train(pages: list[LabelledPage]) -> Retrained:
        return Retrained(line_cleaner(Constant("drop-all", rules=False, score_of_all=-1.0)), "adapted", "")

    session = ranked(open_session(train=train))
    session.change(keep("zebra", 0))
    session.finish("bees")
    session.finish("tea")
    session.retrain()
    session.retraining.join()
    assert keeps(session, "zebra") == [True, False]
    assert keeps(session, "bees") == [False, True, True, False]


@pytest.mark.parametrize("error", [StupidosError("no text"), ZeroDivisionError("oops")])
def test_a_training_that_fails_is_reported_and_changes_nothing(error: Exception, open_session: Open) -> None:
    def train(pages: list[LabelledPage]) -> Retrained:
        raise error

    session = open_session(train=train)
    session.finish("bees")
    session.finish("tea")
    session.retrain()
    session.retraining.join()
    assert session.retraining.failed
    assert str(error) in session.retraining.message
    assert session.suggestions.model == "by length"


def test_a_model_needs_two_pages(open_session: Open) -> None:
    session = open_session(train=lambda pages: None)
    session.finish("bees")
    with pytest.raises(StupidosError, match="finish 2 pages first"):
        session.retrain()
    assert not overview(session)["model"]["ready"]


def test_a_page_that_changed_on_the_disk_is_shown_as_it_is_now(open_session: Open) -> None:
    session = open_session()
    before = page_view(session, "tea")
    session.project.raw_pages["tea"] = lambda: b"Tea\nNew\nMenu\n"  # type: ignore[index]
    assert [row["text"] for row in page_view(session, "tea")["segments"]] == ["New", "Menu"]
    with pytest.raises(StupidosError, match="raw page has changed"):
        session.change(keep("tea", 0), before["version"])


def test_a_page_that_vanishes_is_passed_over_until_it_is_back(open_session: Open) -> None:
    session = ranked(open_session())
    read = session.project.raw_pages["tea"]

    def gone() -> bytes:
        raise CorpusError("tea.html: cannot be read")

    session.project.raw_pages["tea"] = gone  # type: ignore[index]
    with pytest.raises(CorpusError, match="cannot be read"):
        page_view(session, "tea")
    assert session.state("tea") == "broken"
    assert "tea" not in session.queue()
    session.project.raw_pages["tea"] = read  # type: ignore[index]
    page_view(session, "tea")
    assert "tea" in session.queue()


def test_a_finished_page_that_vanishes_stays_finished(open_session: Open) -> None:
    session = ranked(open_session())
    session.finish("tea")
    session.suggestions.broken["tea"] = "tea.html: cannot be read"
    assert session.state("tea") == "finished"


def test_conflicts_on_pages_that_are_gone_are_not_queued(open_session: Open) -> None:
    session = open_session(second=second_annotator(zebra="11"))
    session.finish("zebra")
    session.close()
    again = ranked(open_session({"tea": PAGES["tea"]}, second=second_annotator(zebra="11")))
    assert again.queue() == ["tea"]


def test_one_page_that_nobody_foresaw_does_not_stop_the_ranking(open_session: Open) -> None:
    session = ranked(open_session())
    session.suggestions.confidence.clear()

    def odd() -> bytes:
        raise ZeroDivisionError("odd")

    session.suggestions.replace(BY_LENGTH, "again")
    session.project.raw_pages["bees"] = odd  # type: ignore[index]
    session.rank()
    ranked(session)
    assert session.state("bees") == "broken"
    assert sorted(session.suggestions.confidence) == ["tea", "zebra"]
