"""Adapting a model during a session: the small model gets weight only if it helps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from stupidos.annotate.adapt import (
    FinishedPage,
    _CombinedScorer,
    _fold_models,
    best_weight,
    combined,
    train_ngram,
    train_web,
    trainer,
)
from stupidos.annotate.labels import Label, LabelledPage
from stupidos.annotate.suggestions import Suggestion, _certainty
from stupidos.confidence import Estimate, estimate, layout_of
from stupidos.errors import StupidosError
from stupidos.page import Kind, Page, Segment, Verdict
from stupidos.pipeline import Cleaner
from stupidos.score import registry
from stupidos.score.baseline import Constant
from stupidos.score.scorer import Scorer

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


RAW_PAGES = {str(number): (lambda number=number: page_of(number)) for number in range(6)}


def labelled(cleaner: Cleaner, names: Sequence[str], keep_all: bool = False) -> list[LabelledPage]:
    """The pages as an annotator would label them: items are menus."""
    pages = []
    for name in names:
        segments = cleaner.page(RAW_PAGES[name]()).segments
        labels = [Label(keep_all or segment.kind != Kind.ITEM, Kind(segment.kind)) for segment in segments]
        pages.append(LabelledPage(name, name, segments, labels, [True] * len(labels)))
    return pages


@pytest.fixture(scope="module")
def cleaner() -> Cleaner:
    return Cleaner.load("keep-all")


def test_a_few_pages_teach_what_a_menu_is(cleaner: Cleaner) -> None:
    retrained = trainer(cleaner, RAW_PAGES)(labelled(cleaner, ["0", "1", "2", "3"]))
    assert [verdict.keep for verdict in retrained.cleaner.judge(page_of(5))] == [
        False,
        False,
        False,
        True,
        True,
    ]
    assert retrained.model == "keep-all + 4 of your pages"
    assert "100.0% now" in retrained.message


def test_an_adapted_model_knows_how_precise_it_is(cleaner: Cleaner) -> None:
    names = ["0", "1", "2", "3", "4", "5"]
    few, enough = (trainer(cleaner, RAW_PAGES)(labelled(cleaner, names[:count])) for count in (4, 6))
    assert few.cleaner.extract(page_of(5)).confidence is None  # as the first model's
    assert enough.cleaner.extract(page_of(5)).confidence == pytest.approx(1.0, abs=0.05)


def test_a_model_that_is_right_already_is_left_alone(cleaner: Cleaner) -> None:
    retrained = trainer(cleaner, RAW_PAGES)(labelled(cleaner, ["0", "1", "2"], keep_all=True))
    assert retrained.message.startswith("No better than before")
    assert all(verdict.keep for verdict in retrained.cleaner.judge(page_of(5)))


def test_a_page_that_changed_after_it_was_labelled_is_named(cleaner: Cleaner) -> None:
    changed = {**RAW_PAGES, "1": lambda: b"<p>All new.</p>"}
    with pytest.raises(StupidosError, match="1: the raw page has changed meanwhile"):
        trainer(cleaner, changed)(labelled(cleaner, ["0", "1", "2"]))


def test_the_weight_is_found_on_pages_not_learnt_from(cleaner: Cleaner) -> None:
    taught_on: list[int] = []

    def train(pages: Sequence[FinishedPage]) -> Scorer:
        taught_on.append(len(pages))
        return train_ngram(pages)

    pages = [FinishedPage(cleaner.page(page_of(i)), [False] * 3 + [True] * 2) for i in range(6)]
    weight, after, before = best_weight(cleaner, pages, _fold_models(pages, train))
    assert before < after <= 1
    assert weight > 0
    assert taught_on == [4, 4, 5, 5]


@pytest.mark.parametrize(
    ("text", "signature"),
    [
        ("Pszczoły śpią w nocy", "model:own|n:3|q:0.5"),
        ("蜜蜂在夜里睡觉 ok", "model:own|n:3|q:0.5|alphabet:unicode"),
    ],
)
def test_letters_are_distinguished_where_most_are_ascii(text: str, signature: str) -> None:
    assert train_ngram([FinishedPage(Page("", "", [Segment(text)]), [True])]).signature == signature


def test_a_model_that_sees_markup_learns_from_labels(cleaner: Cleaner) -> None:
    pages = [FinishedPage(cleaner.page(page_of(i)), [False] * 3 + [True] * 2) for i in range(4)]
    own = train_web(pages)
    scores = own.score(cleaner.page(page_of(5)))
    assert own.markup
    assert scores[3:].min() > scores[:3].max()


def test_labelled_dumps_are_learnt_by_n_grams() -> None:
    page = Page("", "", [Segment("Tea is hot."), Segment("Menu")], markup=False)
    assert not train_web([FinishedPage(page, [True, False])]).markup


def test_a_model_of_markup_has_no_opinion_of_dumps(cleaner: Cleaner) -> None:
    own = Constant("own", rules=False, markup=True)
    better = combined(cleaner, own, 2.0)
    page = cleaner.page(page_of(0))
    assert better.scorer_of(page).score(page).tolist() == [3.0] * len(page.segments)
    assert better.dump_scorer is cleaner.dump_scorer


def test_a_model_without_confidence_estimate_is_as_confident_as_its_scores(cleaner: Cleaner) -> None:
    suggestion = Suggestion(cleaner.extract(page_of(0)), "")
    assert suggestion.title == "0"
    assert suggestion.confidence == pytest.approx(_certainty(suggestion.verdicts))


@pytest.mark.parametrize(("score", "sure"), [(0.0, 0.0), (50.0, 1.0), (-50.0, 1.0)])
def test_certainty_grows_with_the_distance_from_zero(score: float, sure: float) -> None:
    assert _certainty([Verdict(Segment("text"), score, score > 0, "model")]) == pytest.approx(sure)


def test_an_empty_page_is_no_question() -> None:
    assert _certainty([]) == 1.0


def test_what_the_first_model_expects_does_not_hold_for_the_adapted_one() -> None:
    web, fitted = registry.scorer("web"), {"confidence": {"base": 0.5, "weights": {}}}
    adapted = _CombinedScorer(web, registry.scorer("keep-all"), 0.5, fitted)
    tea = layout_of([Verdict(Segment("Tea is hot."), 3.0, True, "web")], 99)
    assert estimate(adapted.header, tea) == Estimate(0.5)
    assert _CombinedScorer(web, registry.scorer("keep-all"), 0.5).header == web.header
