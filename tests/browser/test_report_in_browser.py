"""The report of `stupidos explain` in a real browser."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from stupidos.cli import main
from stupidos.page import Kind, Segment, Verdict
from stupidos.report.html_report import html_report
from stupidos.report.page_report import PageReport
from stupidos.report.reasons import Reason

pytestmark = pytest.mark.browser

TEXTS = (
    ("Home | About", -6.0, "bar"),
    ("Tea", 2.0, "model"),
    ("Tea is hot, and </script><img src=x onerror=alert(2)> is text.", 9.0, "model"),
    ("<script>alert(1)</script>", -1.0, "model"),
)


PLACE = None
for serial in range(1, 40):  # a path that no window has room for
    PLACE = (PLACE, "div" if serial < 39 else "p", f' class="level-{serial}"', serial, 0)


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Any:
    """A report of four segments, opened from the disk."""
    verdicts = [
        Verdict(Segment(text, Kind.PARAGRAPH, place=PLACE), score, score > 0, reason)
        for text, score, reason in TEXTS
    ]
    odds = [[math.sin(i) * 3 for i in range(len(text))] for text, _, _ in TEXTS]
    report = PageReport(
        verdicts,
        "A <i>page</i>",
        characters=odds,
        parts={
            "an average segment of this page": [-1.0] * len(TEXTS),
            "its wording": [score + 1.0 for _, score, _ in TEXTS],
        },
        reasons=[[Reason("no links in 240 characters", 1.5), Reason("inside <nav>", -0.5)]] * len(TEXTS),
        metadata={"by": "Ann <b>", "published": "2024-05-01"},
        markdown="# Tea\n\n</pre><script>alert(3)</script>\n",
        html="<article><h1>Tea</h1><p>is hot</p></article>",
    )
    path = tmp_path / "report.html"
    path.write_text(html_report(report), encoding="utf-8")
    browser.get(path.as_uri())
    return browser


def kept(page: Any) -> str:
    rows = page.find_elements("css selector", ".segment")
    return "".join(str(int("kept" in row.get_attribute("class"))) for row in rows)


def shown(page: Any) -> int:
    return sum(row.is_displayed() for row in page.find_elements("css selector", ".segment"))


def move_slider(page: Any, value: float) -> None:
    page.execute_script(
        "const slider = document.getElementById('cut'); slider.value = arguments[0];"
        "slider.dispatchEvent(new Event('input'))",
        math.asinh(value),
    )


def test_markup_in_a_page_is_shown_as_text(page: Any) -> None:
    texts = [element.text for element in page.find_elements("css selector", ".text")]
    assert texts == [text for text, _, _ in TEXTS]
    assert page.find_element("css selector", "h1").text == "A <i>page</i>"
    assert page.get_log("browser") == []


def test_the_threshold_recolours_live_and_can_be_reset(page: Any) -> None:
    assert kept(page) == "0110"
    move_slider(page, 4.0)
    assert kept(page) == "0010"
    assert page.find_element("id", "kept-segments").text == "1"
    move_slider(page, -20.0)
    assert kept(page) == "0111"  # the rule's segment stays dropped
    page.find_element("id", "decided").click()
    assert kept(page) == "0110"
    assert not page.find_element("id", "decided").is_enabled()


def test_the_threshold_moves_by_keys(page: Any) -> None:
    from selenium.webdriver import Keys

    slider = page.find_element("id", "cut")
    before = float(slider.get_attribute("value"))
    slider.send_keys(Keys.ARROW_RIGHT * 5)
    assert float(slider.get_attribute("value")) == pytest.approx(before + 0.05)


def test_only_dropped_segments_can_be_shown(page: Any) -> None:
    assert shown(page) == 4
    page.find_element("css selector", "body").send_keys("d")
    assert shown(page) == 2
    page.find_element("css selector", "input[value=all] + span").click()
    assert shown(page) == 4


def test_the_heat_map_colours_characters(page: Any) -> None:
    run = page.find_element("css selector", ".text i")
    before = run.value_of_css_property("background-color")
    page.find_element("css selector", "input[value=heat] + span").click()
    assert run.value_of_css_property("background-color") != before


def test_every_decision_is_reached_by_keys(page: Any) -> None:
    from selenium.webdriver import Keys

    page.find_element("css selector", "body").send_keys("jj")
    page.switch_to.active_element.send_keys(Keys.ENTER)
    opened = page.find_elements("css selector", "details[open]")
    assert [each.find_element("css selector", ".end").text for each in opened] == [
        "Kept: the score is above the threshold 0.00."
    ]


def test_a_path_is_cut_on_the_left(page: Any) -> None:
    edges = page.execute_script(
        "const code = document.querySelector('.rule + code'), path = code.querySelector('bdi');"
        "const [outer, inner] = [code, path].map((each) => each.getBoundingClientRect());"
        "return [inner.left - outer.left, inner.right - outer.right, path.textContent]"
    )
    assert edges[0] < -100  # the beginning is out of sight
    assert edges[1] <= 1  # the end is not
    assert edges[2].startswith("div.level-1>")
    assert edges[2].endswith(">p.level-39")


def test_reasons_and_parts_are_shown_and_add_up(page: Any) -> None:
    row = page.find_elements("css selector", ".segment")[1]
    assert row.find_element("css selector", ".why").text == "no links in 240 characters"
    row.find_element("css selector", "summary").click()
    reasons = [each.text.split("\n") for each in row.find_elements("css selector", ".reasons li")]
    assert [" ".join(reason) for reason in reasons] == [
        "+1.50 no links in 240 characters",
        "−0.50 inside <nav>",
    ]
    numbers = [
        float(each.text.replace("−", "-")) for each in row.find_elements("css selector", ".steps .number")
    ]
    assert sum(numbers[:-1]) == pytest.approx(numbers[-1])


def test_the_kept_text_is_shown_as_markdown_and_runs_nothing(page: Any) -> None:
    page.find_element("css selector", "body").send_keys("m")
    preview = page.find_element("css selector", ".preview pre")
    assert preview.text == "# Tea\n\n</pre><script>alert(3)</script>"
    assert shown(page) == 0
    page.find_element("css selector", "body").send_keys("m")
    assert not preview.is_displayed()
    assert shown(page) == 4
    assert page.get_log("browser") == []


def test_the_structure_is_beside_the_markdown(page: Any) -> None:
    page.find_element("css selector", "body").send_keys("m")
    source, rendered = page.find_elements("css selector", ".preview > div")
    assert "# Tea" in source.text
    assert rendered.find_element("css selector", "h1").text == "Tea"
    assert rendered.location["x"] > source.location["x"]
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True},
    )
    assert rendered.location["y"] > source.location["y"]
    assert rendered.location["x"] == source.location["x"]


def test_the_filter_is_out_of_use_where_no_segments_are_shown(page: Any) -> None:
    body, only_kept = (
        page.find_element("css selector", each) for each in ("body", "input[value=kept]")
    )
    assert only_kept.is_enabled()
    body.send_keys("m")
    assert not only_kept.is_enabled()
    body.send_keys("d")  # shows dropped segments, so it leaves the preview
    assert only_kept.is_enabled()
    assert shown(page) == 2


def test_metadata_unfold(page: Any) -> None:
    about = page.find_element("css selector", ".about")
    assert about.text == "Ann <b> · 2024-05-01"
    about.find_element("css selector", "summary").click()
    assert "published" in about.text


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_an_index_leads_to_every_report_and_back(
    width: int, colours: str, browser: Any, tmp_path: Path, outside: Any
) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    picture = '<img src="http://image.outside.example/x.png" onerror="document.title = 1">'
    for name in ("a b", "tea"):
        (pages / f"{name}.html").write_text(f"<title>{name}</title>{picture}<p>Tea is hot, and so on.</p>")
    (pages / "broken.html").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    assert main(["explain", str(pages), "-o", str(tmp_path / "report"), "--model", "standard"]) == 1
    before = outside.connections
    set_scheme(browser, colours)
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    browser.get((tmp_path / "report" / "index.html").as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert_contrast(browser, (".page a", ".note", ".failed .note", "dt"))
    names = [link.text for link in browser.find_elements("css selector", ".index a")]
    assert sorted(names) == ["a b", "tea"]
    browser.find_element("link text", "a b").click()
    assert browser.find_element("css selector", "h1").text == "a b"
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    browser.find_element("link text", "all pages").click()
    assert "worst confidence first" in browser.find_element("css selector", "h1").text
    assert outside.connections == before
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(width: int, page: Any) -> None:
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    page.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    page.find_element("css selector", "body").send_keys("m")
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes_have_contrast(scheme: str, page: Any) -> None:
    set_scheme(page, scheme)
    page.execute_script("for (const each of document.querySelectorAll('details')) each.open = true")
    assert_contrast(page, (".kept .text", ".dropped .text", "summary span", "dt", ".about summary", "h3"))
    assert_contrast(page, (".up", ".down", ".end", ".reasons bdi", ".rule", ".preview p", "footer p"))


def set_scheme(browser: Any, scheme: str) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )


def assert_contrast(page: Any, selectors: tuple[str, ...]) -> None:
    """WCAG 2.1, level AA."""
    body = page.find_element("css selector", "body")
    paper = luminance(body.value_of_css_property("background-color"))
    for selector in selectors:
        ink = luminance(page.find_element("css selector", selector).value_of_css_property("color"))
        high, low = max(ink, paper), min(ink, paper)
        assert (high + 0.05) / (low + 0.05) >= 4.5, selector


def luminance(colour: str) -> float:
    """Relative luminance of `rgba(r, g, b, a)`, as WCAG defines it."""
    parts = [float(part) / 255 for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
