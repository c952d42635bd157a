"""The report of `stupidos explain` in a real browser."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from stupidos.page import Kind, Segment, Verdict
from stupidos.report.html_report import html_report
from stupidos.report.page_report import PageReport

pytestmark = pytest.mark.browser

TEXTS = (
    ("Home | About", -6.0, "bar"),
    ("Tea", 2.0, "model"),
    ("Tea is hot, and </script><img src=x onerror=alert(2)> is text.", 9.0, "model"),
    ("<script>alert(1)</script>", -1.0, "model"),
)


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Any:
    """A report of four segments, opened from the disk."""
    verdicts = [
        Verdict(Segment(text, Kind.PARAGRAPH), score, score > 0, reason) for text, score, reason in TEXTS
    ]
    odds = [[math.sin(i) * 3 for i in range(len(text))] for text, _, _ in TEXTS]
    report = PageReport(verdicts, "A <i>page</i>", characters=odds, parts={"text model": [1.0] * len(TEXTS)})
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


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(width: int, page: Any) -> None:
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes_have_contrast(scheme: str, page: Any) -> None:
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    body = page.find_element("css selector", "body")
    paper = luminance(body.value_of_css_property("background-color"))
    for selector in (".kept .text", ".dropped .text", "summary span", "dt"):
        ink = luminance(page.find_element("css selector", selector).value_of_css_property("color"))
        high, low = max(ink, paper), min(ink, paper)
        assert (high + 0.05) / (low + 0.05) >= 4.5, selector  # WCAG 2.1, level AA


def luminance(colour: str) -> float:
    """Relative luminance of `rgba(r, g, b, a)`, as WCAG defines it."""
    parts = [float(part) / 255 for part in colour.partition("(")[2].rstrip(")").split(",")[:3]]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
