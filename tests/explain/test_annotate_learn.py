"""Learning during a session: the annotator's pages count as far as they help."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from stupidos.explain.judging import certainty, judge_of
from stupidos.explain.labels import Label, LabelledPage
from stupidos.explain.learn import alphabet_of, best_weight, learner, lesson
from stupidos.lm.alphabet import ALPHABETS
from stupidos.page import Kind, Segment, Verdict
from stupidos.pipeline import Cleaner

MENUS = ("Strona główna", "Zaloguj się", "Regulamin serwisu", "Polityka prywatności", "Mapa strony")
PROSE = (
    "Pszczoły śpią w nocy, wszystkie naraz, i śnią o koniczynie za rzeką.",
    "Herbata jest gorąca, kawa jeszcze bardziej, a lód wcale nie jest gorący.",
    "Wczoraj padało od rana do wieczora i nikt nie wychodził z domu bez parasola.",
    "Latarnik zapalał lampę o zmierzchu i gasił ją dopiero po wschodzie słońca.",
    "Pociąg odjechał punktualnie, chociaż zegar na peronie stał od tygodnia.",
)


def page_of(number: int) -> bytes:
    menu = "".join(f"<li>{MENUS[(number + i) % len(MENUS)]} {number}</li>" for i in range(3))
    prose = "".join(f"<p>{PROSE[(number + i) % len(PROSE)]}</p>" for i in range(2))
    return f"<meta charset=utf-8><title>{number}</title><ul>{menu}</ul>{prose}".encode()


DOCUMENTS = {str(number): (lambda number=number: page_of(number)) for number in range(6)}


def labelled(cleaner: Cleaner, names: Sequence[str], keep_all: bool = False) -> list[LabelledPage]:
    """The pages as an annotator would label them: items are menus."""
    pages = []
    for name in names:
        segments = cleaner.page(DOCUMENTS[name]()).segments
        labels = [Label(keep_all or segment.kind != Kind.ITEM, Kind(segment.kind)) for segment in segments]
        pages.append(LabelledPage(name, name, segments, labels, [True] * len(labels)))
    return pages


@pytest.fixture(scope="module")
def cleaner() -> Cleaner:
    return Cleaner.load("keep-all")


def test_a_few_pages_teach_what_a_menu_is(cleaner: Cleaner) -> None:
    trained = learner(cleaner, DOCUMENTS)(labelled(cleaner, ["0", "1", "2", "3"]))
    judged = trained.judge.judge(page_of(5))
    assert [verdict.keep for verdict in judged.verdicts] == [False, False, False, True, True]
    assert trained.judge.name == "keep-all + 4 of your pages"
    assert "100.0% now" in trained.message


def test_a_model_that_is_right_already_is_left_alone(cleaner: Cleaner) -> None:
    trained = learner(cleaner, DOCUMENTS)(labelled(cleaner, ["0", "1", "2"], keep_all=True))
    assert trained.message.startswith("No better than before")
    assert all(verdict.keep for verdict in trained.judge.judge(page_of(5)).verdicts)


def test_the_weight_is_found_on_pages_not_learnt_from(cleaner: Cleaner) -> None:
    pages = labelled(cleaner, ["0", "1"])
    lessons = [lesson(cleaner, page, DOCUMENTS[page.name], ALPHABETS["ascii"]) for page in pages]
    before, weight, now = best_weight(cleaner, lessons)
    assert before < now <= 1
    assert weight > 0


@pytest.mark.parametrize(
    ("text", "alphabet"), [("Pszczoły śpią w nocy", "ascii"), ("蜜蜂在夜里睡觉 ok", "unicode")]
)
def test_letters_are_told_apart_where_most_are_ascii(text: str, alphabet: str) -> None:
    page = LabelledPage("x", "x", [Segment(text)], [Label(True, Kind.PARAGRAPH)], [True])
    assert alphabet_of([page]).name == alphabet


def test_a_judge_tells_how_sure_it_is(cleaner: Cleaner) -> None:
    judged = judge_of(cleaner).judge(page_of(0))
    assert judged.title == "0"
    assert judged.confidence == pytest.approx(certainty(judged.verdicts))


@pytest.mark.parametrize(("score", "sure"), [(0.0, 0.0), (50.0, 1.0), (-50.0, 1.0)])
def test_certainty_grows_with_the_distance_from_zero(score: float, sure: float) -> None:
    assert certainty([Verdict(Segment("text"), score, score > 0, "model")]) == pytest.approx(sure)


def test_an_empty_page_is_no_question() -> None:
    assert certainty([]) == 1.0
