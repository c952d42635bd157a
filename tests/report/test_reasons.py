"""Reasons: every feature has words, and the words say what is true of the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stupidos.page import Verdict
from stupidos.pipeline import Cleaner, Options
from stupidos.report.facts import PageFacts
from stupidos.report.page_report import page_report
from stupidos.report.reasons import rounded
from stupidos.report.topics import TOPICS, topic_of
from stupidos.web.contributions import AROUND, SECOND_LOOK
from stupidos.web.features import FEATURES
from stupidos.web.neighbourhoods import NEIGHBOURHOODS

CONTRIBUTING = [*FEATURES, *(AROUND + name for name in NEIGHBOURHOODS), SECOND_LOOK]
RAW = Path(__file__).resolve().parents[1] / "quality" / "raw"

PAGE = """<title>Tea | Post</title><body>
<nav><ul><li><a href=a>Home</a><li><a href=b>News</a><li><a href=c>Home</a></ul></nav>
<main><h1>Tea</h1><p class=t>Tea is hot.</p><p class=t>Tea <a href=x>is green.</a></p></main>
<div hidden>Secret</div>
<h2>Related</h2><table><tr><td>Milk</table>"""
KEPT = {"Tea", "Tea is hot.", "Tea is green."}


@pytest.fixture(scope="module")
def facts() -> PageFacts:
    page = Cleaner.load("web").page(PAGE)
    verdicts = [Verdict(segment, 1.0, segment.text in KEPT, "web") for segment in page.segments]
    return PageFacts(verdicts, page.title)


def said(facts: PageFacts, text: str, feature: str, log_odds: float = 1.0) -> str:
    """What is said of the first segment with that text."""
    i = next(i for i, verdict in enumerate(facts.verdicts) if verdict.segment.text == text)
    return topic_of(feature).words(facts, i, {feature: log_odds})


@pytest.mark.parametrize("name", CONTRIBUTING)
def test_every_feature_has_words(name: str) -> None:
    assert name.startswith("in ") or topic_of(name) in TOPICS


def test_no_words_are_left_over_from_a_feature_that_is_gone() -> None:
    assert {name for topic in TOPICS for name in topic.names} <= set(CONTRIBUTING)


@pytest.mark.parametrize(
    ("text", "feature", "words"),
    [
        ("Tea is hot.", "link share", "no links in 11 characters"),
        ("Tea is green.", "link share", "73% of it is linked"),
        ("Home", "all link", "all of it is linked"),
        ("Tea is hot.", "log characters", "11 characters long"),
        ("Home", "in nav", "inside <nav>"),
        ("Tea is hot.", "in nav", "not inside <nav>"),
        ("Tea is hot.", "around: same signature", "same element as 1 kept one"),
        ("News", "log kin", "same element as 2 dropped ones"),
        ("Tea", "around: same signature", "the only segment in h1"),
        ("Milk", "around: section", "below the heading ‘Related’"),
        ("Home", "around: section", "above the first heading"),
        ("Tea", "around: section", "2 of 3 segments below it are kept"),
        ("News", "around: larger", "none of 3 segments in ul are kept"),
        ("Tea is hot.", "around: larger", "all 3 segments in main are kept"),
        ("News", "log siblings", "in one of 3 similar li"),
        ("Tea is hot.", "around: before", "2 of 6 neighbours are kept"),
        ("News", "around: before", "2 of 4 neighbours are kept"),
        ("Milk", "around: after", "1 of 3 neighbours is kept"),
        ("Home", "below the main heading", "above the main heading"),
        ("Milk", "below the main heading", "below the main heading"),
        ("Home", "seen before", "its text occurs 2 times on the page"),
        ("Tea", "seen before", "its text occurs once on the page"),
        ("Tea", "in title", "part of the page’s title"),
        ("Tea", "heading", "a heading of level 1"),
        ("News", "item", "a list item"),
        ("Milk", "cell", "in a table cell"),
        ("Secret", "hidden", "hidden at first"),
        ("Home", "log index", "near the top: segment 1 of 9"),
        ("Tea is hot.", "log index", "in the middle: segment 5 of 9"),
        ("Milk", "log index", "near the end: segment 9 of 9"),
        ("Tea is hot.", "own element", "in p.t, typical of main text"),
    ],
)
def test_words_say_what_is_true_of_the_page(text: str, feature: str, words: str, facts: PageFacts) -> None:
    assert said(facts, text, feature) == words


@pytest.mark.parametrize("name", CONTRIBUTING)
@pytest.mark.parametrize("log_odds", [1.0, -1.0])
def test_every_segment_can_be_told_every_feature(name: str, log_odds: float, facts: PageFacts) -> None:
    for i in range(len(facts.verdicts)):
        assert topic_of(name).words(facts, i, {name: log_odds}).isprintable()


@pytest.mark.parametrize("name", ["article-bees", "forum-gearbox", "listing-jobs"])
@pytest.mark.parametrize("model", ["web", "standard"])
def test_parts_of_a_real_page_add_up_to_its_scores(name: str, model: str) -> None:
    cleaner = Cleaner.load(model, Options(structure=True))
    report = page_report(cleaner.extract((RAW / f"{name}.html").read_bytes()))
    for i, verdict in enumerate(report.verdicts):
        parts = [part[i] for part in report.parts.values()]
        assert sum(parts) == pytest.approx(verdict.score, abs=0.01)
        assert round(sum(rounded(parts, verdict.score)), 2) == round(verdict.score, 2)
    assert all(len(reasons) <= 3 for reasons in report.reasons)
    assert sum(map(len, report.reasons)) > len(report.verdicts)


def test_comments_that_were_kept_on_request_still_add_up() -> None:
    page = "<p>Tea is hot, and so on.</p><div id=comments><p>I like tea a lot.</p></div>"
    report = page_report(Cleaner.load("web", Options(comments="keep", structure=True)).extract(page))
    for i, verdict in enumerate(report.verdicts):
        assert sum(part[i] for part in report.parts.values()) == pytest.approx(verdict.score, abs=0.05)


def test_a_long_heading_is_shortened() -> None:
    from stupidos.report.topics import quoted

    assert re.fullmatch(r"‘word( word)*…’", quoted("word " * 40))
