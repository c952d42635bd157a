"""The options of a Cleaner, each by what it changes on a page."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

import stupidos
from stupidos import pipeline
from stupidos.document import Document
from stupidos.errors import ModelError, StupidosError
from stupidos.pipeline import Cleaner, Options
from stupidos.render.page_tokens import PageTokens
from stupidos.score import registry

PAGE = """<title>Tea</title><body>
<div class=nav><a href=1>Home</a> | <a href=2>News</a> | <a href=3>Sport</a></div>
<div class=article><h1>All about tea</h1>
<p>The tea was on the table, and nobody knew who had made it so early.<br>
It was hot, and there was milk beside it in the blue jug that had been mended twice.</p></div>
<div id=comments class=comments>
<p>I like tea, and I would have drunk it at once without asking anybody.</p></div>
<p>Copyright 2024 Tea House. All rights reserved.</p>"""
KEPT = "nobody knew who had made it"
COMMENT = "I like tea"


def kept(model: str, **options: object) -> list[str]:
    document = Cleaner.load(model, replace(Options(), **options)).extract(PAGE)  # type: ignore[arg-type]
    return [verdict.segment.text for verdict in document.verdicts if verdict.keep]


def test_rules_apply_unless_they_are_switched_off() -> None:
    assert not any("Copyright" in text for text in kept("rules"))
    assert any("Copyright" in text for text in kept("rules", rules_off=frozenset({"copyright_line"})))


def test_a_threshold_replaces_the_decision_of_the_model() -> None:
    assert kept("web", threshold=1e9) == []
    assert len(kept("web", threshold=-1e9)) == len(kept("keep-all"))


@pytest.mark.parametrize("model", ["web", "standard"])
def test_precision_keeps_no_more_than_recall(model: str) -> None:
    precision, balanced, recall = (
        set(kept(model, preference=preference)) for preference in ("precision", "balanced", "recall")
    )
    assert precision <= balanced <= recall


def test_comments_are_kept_or_dropped_as_asked() -> None:
    assert any(COMMENT in text for text in kept("web", comments="keep"))
    assert not any(COMMENT in text for text in kept("web", comments="drop"))
    assert not any(COMMENT in text for text in kept("keep-all", comments="drop"))


def test_a_line_break_ends_a_paragraph_or_a_line() -> None:
    assert any(text.endswith("so early.") for text in kept("keep-all"))
    assert any("so early.\nIt was hot" in text for text in kept("keep-all", br="line"))


def test_only_the_largest_group_below_an_ancestor_is_kept() -> None:
    found = kept("keep-all", ancestor=1)
    assert len(found) < len(kept("keep-all"))
    assert any(KEPT in text for text in found)
    assert not any("Copyright" in text for text in found)


def test_html_may_be_read_as_plain_text() -> None:
    assert any("<h1>" in text for text in kept("keep-all", input="text"))


def test_a_convention_moves_the_scores_of_a_model_that_knows_it() -> None:
    page = Cleaner.load("web").page(PAGE)
    article, discussion = (
        Cleaner.load("web", Options(convention=name)).scores(page) for name in ("article", "discussion")
    )
    assert not np.array_equal(article, discussion)
    with pytest.raises(ModelError, match="standard knows no convention article"):
        Cleaner.load("standard", Options(convention="article"))


def test_a_model_without_layout_refuses_to_be_visual() -> None:
    with pytest.raises(StupidosError, match="has no visual features"):
        Cleaner.load("web", Options(visual=True))


def test_a_page_without_markup_goes_to_the_model_of_dumps() -> None:
    cleaner = Cleaner.load()
    assert cleaner.extract(PAGE).scorer is cleaner.scorer
    dump = cleaner.extract("The tea was on the table.\n\nIt was hot.\n", input="text")
    assert dump.scorer is cleaner.dump_scorer is not cleaner.scorer
    one = Cleaner.load("standard")
    assert one.extract("The tea was on the table.\n", input="text").scorer is one.scorer


def test_a_cleaner_is_known_by_the_files_of_its_models() -> None:
    web, text, standard = (
        sha256(registry.model_file(name).read_bytes()).hexdigest() for name in ("web", "text", "standard")
    )
    assert Cleaner.load().fingerprint() == Cleaner.load("web").fingerprint() == f"{web} {text}"
    assert Cleaner.load("standard").fingerprint() == f"{standard} {standard}"
    assert Cleaner.load("keep-all").fingerprint() == " "


def kept_tokens(document: Document) -> object:
    """The tokens that the renderer kept, if it did."""
    assert isinstance(document.page.tokens, PageTokens)
    return document.page.tokens._pieces


def test_tokens_are_kept_where_they_will_be_read_again() -> None:
    assert kept_tokens(Cleaner.load("keep-all").extract(PAGE)) is None
    assert kept_tokens(Cleaner.load("keep-all", Options(structure=True)).extract(PAGE)) is not None
    assert kept_tokens(stupidos.extract(PAGE, model="keep-all")) is not None


@pytest.mark.parametrize(
    ("model", "kept"), [("web", False), ("standard", False), ("boilerpipe", True), ("bte", True)]
)
def test_only_systems_that_walk_over_tokens_have_them_kept(model: str, kept: bool) -> None:
    assert (kept_tokens(Cleaner.load(model).extract(PAGE)) is not None) == kept


@pytest.mark.parametrize(
    ("format", "structure"), [("text", False), ("md", True), ("tei", True), ("jsonl", True)]
)
def test_cleaning_to_a_format_keeps_tokens_only_if_it_needs_them(
    format: str, structure: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    load = Cleaner.load

    def recorded(model: str | None = None, options: Options = Options()) -> Cleaner:
        asked.append(options.structure)
        return load(model, options)

    monkeypatch.setattr(Cleaner, "load", recorded)
    pipeline._cleaner.cache_clear()
    assert stupidos.clean(PAGE, format=format, model="keep-all")
    pipeline._cleaner.cache_clear()
    assert asked == [structure]
