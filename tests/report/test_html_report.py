"""The HTML report: complete, self-contained, and nothing of the page escapes into it."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest
from annotation_samples import HOSTILE, verdict

from stupidos.document import Document
from stupidos.page import Page, Segment
from stupidos.report.formatting import bar_length, histogram, slider_range
from stupidos.report.html_report import digest, html_report
from stupidos.report.page_report import PageReport, _threshold_between, page_report
from stupidos.report.reasons import Reason
from stupidos.score.baseline import Constant, rules
from stupidos.score.scorer import Scores
from stupidos.verdict import Decision


class Elements(HTMLParser):
    """Start tags of a page, as a browser would see them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.found if name == tag]


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_page_is_escaped_wherever_it_is(text: str, report: PageReport) -> None:
    clean = Elements(html_report(report)).found
    hostile = replace(
        report, verdicts=[verdict(text, 1.0, reason=text)], title=text, signature=text, model=text
    )
    hostile = replace(hostile, characters=[[0.0] * len(text)], parts={text: [1.0]})
    hostile = replace(hostile, reasons=[[Reason(text, 1.0)]], metadata={text: text}, markdown=text)
    dirty = Elements(html_report(hostile)).found
    assert {tag for tag, _ in dirty} <= {tag for tag, _ in clean}
    assert len([tag for tag, _ in dirty if tag == "script"]) == 1
    assert not [name for _, attributes in dirty for name in attributes if name.startswith("on")]


def test_a_path_with_markup_in_a_class_is_escaped(report: PageReport) -> None:
    segment = Segment("text", place=(None, "p", ' class="&quot;><script>x</script>"', 1))
    html = html_report(
        replace(
            report,
            verdicts=[report.verdicts[0]._replace(segment=segment)],
            characters=(),
            parts={},
            reasons=(),
        )
    )
    assert len(Elements(html).all("script")) == 1


def test_a_report_loads_nothing(report: PageReport) -> None:
    html = html_report(report)
    loading = {"src", "href", "action", "data", "poster", "srcset", "style"}
    assert not [name for _, attributes in Elements(html).found for name in attributes if name in loading]
    assert not re.search(r"@import|url\(|https?://", html)


def test_the_policy_names_exactly_the_style_and_the_script_inside(report: PageReport) -> None:
    html = html_report(report)
    policy = Elements(html).all("meta")[1]["content"]
    style = html.partition("<style>")[2].partition("</style>")[0]
    script = html.partition("<script>")[2].partition("</script>")[0]
    assert policy == (
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def rows_of(report: PageReport) -> list[str]:
    return [line for line in html_report(report).splitlines() if line.startswith('<li class="segment')]


def test_every_segment_shows_score_rule_kind_and_path(report: PageReport) -> None:
    html = html_report(report)
    row = next(line for line in html.splitlines() if "Home | About" in line)
    assert "+1.50" in row
    assert ">bar<" in row
    assert "paragraph" in row
    assert "html&gt;body&gt;p" in row


def test_a_decision_lists_every_part(report: PageReport) -> None:
    row = rows_of(replace(report, characters=()))[1]
    assert re.findall(r"<li><span>(.*?)</span>", row) == ["its wording", "the segments around it", "score"]
    assert "Kept: the score is above the threshold 0.00." in row


def test_the_model_is_named_once(report: PageReport) -> None:
    named = replace(
        report, model="zebra", verdicts=[verdict(v.segment.text, v.score, "zebra") for v in report.verdicts]
    )
    assert html_report(named).count("zebra") == 1


@pytest.mark.parametrize("thirds", [1.0, 10.0, 1e5])
def test_printed_parts_add_up_to_the_printed_score(thirds: float, report: PageReport) -> None:
    parts = {name: [thirds / 3, -thirds / 3, 0.005, 12.345] for name in ("a", "b", "c", "d", "e")}
    verdicts = [verdict("x", sum(part[i] for part in parts.values())) for i in range(4)]
    for row in rows_of(replace(report, verdicts=verdicts, parts=parts, characters=(), reasons=())):
        *shown, score = re.findall(r'<span class="number figure">(.*?)</span></li>', row)
        assert round(sum(map(number, shown)), 2) == number(score)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_reasons_are_listed_with_their_signs(report: PageReport) -> None:
    row = rows_of(report)[1]
    assert "+4.50</span> <bdi>no links in 11 characters" in row
    assert "+2.00</span> <bdi>same element as 2 kept ones" in row
    assert '<span class="why">no links in 11 characters</span>' in row


def test_the_line_below_a_segment_gives_a_reason_for_the_decision_and_not_against_it(
    report: PageReport,
) -> None:
    reasons = [Reason("part of the title", 2.0), Reason("all of it is linked", -1.5)]
    kept, dropped = (
        rows_of(replace(report, verdicts=[verdict("x", score)], characters=(), parts={}, reasons=[reasons]))[
            0
        ]
        for score in (1.0, -1.0)
    )
    assert '<span class="why">part of the title</span>' in kept
    assert '<span class="why">all of it is linked</span>' in dropped


def test_what_the_page_says_about_itself_is_shown(report: PageReport) -> None:
    html = html_report(report)
    assert "<summary><span><bdi>Ann</bdi> · <bdi>2024-05-01</bdi></span></summary>" in html
    assert '<dt>tags</dt><dd dir="auto">tea, milk</dd>' in html
    assert 'class="about"' not in html_report(replace(report, metadata={}))


def test_the_kept_text_is_shown_as_markdown(report: PageReport) -> None:
    assert "# Tea\n\nTea is hot.\n</pre>" in html_report(report)


def test_the_structure_of_the_kept_text_is_shown_beside_its_markdown(report: PageReport) -> None:
    assert "<h1>Tea</h1>\n<p>Tea is hot.</p>" in html_report(report)


def test_the_preview_of_a_page_has_neither_links_nor_pictures() -> None:
    from stupidos.pipeline import Cleaner, Options

    page = '<h2>Tea</h2><ul><li>Milk <a href="https://example.org/">hot</a><img src=a.png alt=Cup></ul>'
    report = page_report(Cleaner.load("keep-all", Options(structure=True)).extract(page))
    elements = Elements(report.html)
    assert [tag for tag, _ in elements.found] == ["article", "h2", "ul", "li"]
    assert "[hot](https://example.org/)" in report.markdown


def test_only_a_report_with_an_index_links_to_it(report: PageReport) -> None:
    assert Elements(html_report(report, "../index.html")).all("a") == [{"href": "../index.html"}]
    assert not Elements(html_report(report)).all("a")


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (2, "Dropped: the score is not above the threshold 0.00."),
        (3, "Dropped by “bar”, whatever the score."),
    ],
)
def test_a_dropped_segment_says_why(number: int, sentence: str, report: PageReport) -> None:
    rows = [line for line in html_report(report).splitlines() if line.startswith("<li class=")]
    assert sentence in rows[number]


def test_a_decision_against_the_threshold_is_the_neighbours(report: PageReport) -> None:
    kept = [
        report.verdicts[0],
        report.verdicts[1],
        report.verdicts[2]._replace(keep=True),
        verdict("x", -1.0),
    ]
    html = html_report(replace(report, verdicts=kept, characters=()))
    assert "because of its neighbours" in html


def test_a_rule_fixes_a_segment_whatever_the_slider_says(report: PageReport) -> None:
    rows = [
        attributes for attributes in Elements(html_report(report)).all("li") if "data-score" in attributes
    ]
    assert ["data-fixed" in row for row in rows] == [False, False, False, True]


def test_characters_of_one_colour_share_an_element(report: PageReport) -> None:
    assert html_report(report).count('<i class="c7">') == len(report.verdicts)


def test_without_characters_there_is_no_heat_map_to_switch_to(report: PageReport) -> None:
    labels = Elements(html_report(replace(report, characters=()))).all("label")
    assert ["hidden" in attributes for attributes in labels[-3:]] == [False, True, False]


def test_an_empty_page_has_a_report() -> None:
    html = html_report(PageReport([]))
    assert "Untitled page" in html
    assert "0</output> of 0" in html


@pytest.mark.parametrize("score", [float("inf"), float("-inf"), 1e300])
def test_endless_scores_fit_the_slider(score: float) -> None:
    assert (
        "nan"
        not in html_report(PageReport([verdict("x", score)])).partition("<main>")[0].partition("</style>")[2]
    )


def test_a_report_is_the_same_on_every_run(report: PageReport) -> None:
    assert html_report(report) == html_report(report)


def test_the_report_of_a_scorer_without_characters_or_parts_has_none() -> None:
    page = Page("", "T", [Segment("x")])
    report = page_report(Document(page, rules(), Decision(np.array([1.0]), np.array([True]))))
    assert (report.title, report.model, report.confidence) == ("T", "rules", None)
    assert not report.characters
    assert not report.parts


class Telling(Constant):
    """A scorer that tells all it knows."""

    def characters(self, text: str) -> Scores:
        return np.arange(len(text), dtype=np.float64)


class Explaining(Telling):
    """A scorer that knows what its features contributed."""

    def contributions(self, page: Page) -> dict[str, Scores]:
        values = {"average segment": -1.0, "link share": 2.0, "in nav": -0.25, "brand-new feature": 0.25}
        return {name: np.array([value]) for name, value in values.items()}


def one_segment(scorer: Constant, score: float) -> PageReport:
    page = Page("", "T", [Segment("ab")])
    return page_report(Document(page, scorer, Decision(np.array([score]), np.array([True]))))


def test_contributions_are_told_in_words_and_parts() -> None:
    report = one_segment(Explaining("telling", rules=False), 1.0)
    assert [row.tolist() for row in report.characters] == [[0.0, 1.0]]
    assert report.parts == {
        "an average segment of this page": [-1.0],
        "its links and length": [2.0],
        "its HTML elements": [-0.25],
        "title, copies and the rest": [0.25],
    }
    assert report.reasons[0][0] == Reason("no links in 2 characters", 2.0)
    assert {reason.words for reason in report.reasons[0][1:]} == {"not inside <nav>", "brand-new feature"}


def test_what_the_options_added_is_a_part() -> None:
    report = one_segment(Explaining("telling", rules=False), 4.0)
    assert report.parts["options of this run"] == [3.0]


def test_a_model_that_adds_up_characters_is_explained_by_words() -> None:
    report = one_segment(Telling("telling", rules=False), 1.0)
    assert report.parts == {"its wording": [1.0]}
    assert report.reasons == [[Reason("the word ‘ab’", 1.0)]]


def test_a_score_that_is_not_a_sum_of_characters_has_no_parts() -> None:
    report = one_segment(Telling("telling", rules=False), 3.0)
    assert not report.parts
    assert not report.reasons


@pytest.mark.parametrize(
    ("kept", "dropped", "cut"),
    [
        ([], [], 0.0),
        ([2.0], [], 0.0),
        ([-2.0], [], -3.0),
        ([], [-3.0], 0.0),
        ([], [3.0], 4.0),
        ([3.0], [1.0], 2.0),
        ([1.0], [3.0], 2.0),
    ],
)
def test_the_cut_parts_what_was_kept_from_what_was_dropped(
    kept: list[float], dropped: list[float], cut: float
) -> None:
    assert _threshold_between(kept, dropped) == cut


def test_the_histogram_counts_every_score_between_the_ends() -> None:
    scores = [-1e9, -1.0, 0.0, 0.5, 1e9]
    low, high = slider_range(scores)
    bins = histogram(scores, 7)
    assert sum(count for _, count in bins) == len(scores)
    assert all(low < middle < high for middle, _ in bins)


def test_bars_grow_with_the_log_odds_and_keep_its_sign() -> None:
    lengths = [bar_length(x / 10) for x in range(-200, 201)]
    assert lengths == sorted(lengths)
    assert lengths == [-length for length in reversed(lengths)]
