"""What a journal amounts to."""

from __future__ import annotations

from stupidos.annotate.history import History
from stupidos.annotate.journal import AnnotationEntry
from stupidos.annotate.labels import Label
from stupidos.page import Kind

KEEP = AnnotationEntry("change", "bees", (0, 2), keep=True, key="a")
DROP = AnnotationEntry("change", "bees", (2,), keep=False)
HEAD = AnnotationEntry("change", "bees", (1,), kind="h", settles=True)
TEXTS = ("Home", "Bees sleep.", "Login")
NOTHING = [Label(False, Kind.PARAGRAPH)] * 3


def test_changes_overrule_suggestions() -> None:
    history = History([AnnotationEntry("open", "bees", texts=TEXTS), KEEP, DROP, HEAD])
    state = history.page_labels("bees", TEXTS, NOTHING)
    assert [label.keep for label in state.labels] == [True, False, False]
    assert [label.kind.value for label in state.labels] == ["p", "h", "p"]
    assert state.by_hand == [True, True, True]
    assert state.settled == [False, True, False]
    assert not state.finished


def test_a_settled_conflict_does_not_count_for_the_agreement() -> None:
    history = History([AnnotationEntry("open", "bees", texts=TEXTS), HEAD])
    state = history.page_labels("bees", TEXTS, NOTHING, settling=False)
    assert state.labels == NOTHING


def test_undo_takes_back_one_change_at_a_time_wherever_it_was() -> None:
    tea = AnnotationEntry("change", "tea", (0,), keep=True)
    history = History([KEEP, tea, DROP])
    pages = []
    while history.undo_page():
        pages.append(history.undo_page())
        history.add(AnnotationEntry("undo", history.undo_page()))
    assert pages == ["bees", "tea", "bees"]
    assert history.pages() == []


def test_undo_of_nothing_is_nothing() -> None:
    assert History([AnnotationEntry("undo"), KEEP]).entries("bees") == (KEEP,)


def test_undo_reaches_across_a_new_rendering() -> None:
    opened = [
        AnnotationEntry("open", "bees", texts=TEXTS),
        AnnotationEntry("open", "bees", texts=("new", *TEXTS)),
    ]
    history = History([opened[0], KEEP, opened[1], DROP, AnnotationEntry("undo"), AnnotationEntry("undo")])
    assert history.entries("bees") == tuple(opened)


def test_finishing_accepts_every_label_and_can_be_undone() -> None:
    finish = AnnotationEntry("finish", "bees", keeps="101", kinds="hpl")
    history = History([finish])
    state = history.page_labels("bees", TEXTS, NOTHING)
    assert state.finished
    assert state.labels == [Label(True, Kind.HEADING), Label(False, Kind.PARAGRAPH), Label(True, Kind.ITEM)]
    history.add(AnnotationEntry("undo", "bees"))
    assert not history.finished("bees")


def test_labels_follow_their_texts_into_another_rendering() -> None:
    history = History([AnnotationEntry("open", "bees", texts=TEXTS), KEEP])
    state = history.page_labels("bees", ["Menu", "Home", "Bees sleep."], NOTHING)
    assert [label.keep for label in state.labels] == [False, True, False]


def test_a_request_is_known_by_its_key_even_when_undone() -> None:
    history = History([KEEP, AnnotationEntry("undo", "bees", key="b")])
    assert history.has_key("a")
    assert history.has_key("b")
    assert not history.has_key("")
