"""The original page, help, jumps and the comparison of annotators in a real browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from annotate_window import Annotate, click, kept, opened, press, saved, shown_page, told, wait

pytestmark = pytest.mark.browser

Resize = Callable[[Any, int, int], None]

# Everything that could run or be loaded, each with a mark that it would leave
HOSTILE = """<!doctype html><title>Hostile</title>
<meta http-equiv=refresh content="0;url=http://refresh.outside.example/">
<base href="http://base.outside.example/">
<link rel=preconnect href="http://connect.outside.example">
<link rel=dns-prefetch href="//dns.outside.example">
<link rel=stylesheet href="http://css.outside.example/x.css">
<style>@import url(http://import.outside.example/); body { background: url(http://style.outside.example/) }
@font-face { font-family: x; src: url(http://font.outside.example/x.woff) } p { font-family: x }</style>
<script>document.documentElement.dataset.ran = "script"</script>
<script src="http://script.outside.example/x.js"></script>
<body onload="document.documentElement.dataset.ran = 'onload'">
<p>Tea is hot.</p>
<img src=x onerror="document.documentElement.dataset.ran = 'onerror'">
<img src="http://image.outside.example/x.png" srcset="http://set.outside.example/x.png 2x">
<svg onload="document.documentElement.dataset.ran = 'svg'"><image href="http://svg.outside.example/"/></svg>
<iframe src="http://frame.outside.example/"></iframe>
<iframe srcdoc="<script>top.document.documentElement.dataset.ran = 'srcdoc'</script>"></iframe>
<object data="http://object.outside.example/"></object><embed src="http://embed.outside.example/">
<video autoplay src="http://video.outside.example/" poster="http://poster.outside.example/"></video>
<p>Milk <a id=way href="http://link.outside.example/" ping="http://ping.outside.example/">is cold</a>.</p>
<form action="http://form.outside.example/">
<input autofocus onfocus="document.documentElement.dataset.ran = 1">
<button id=send>Send</button></form>
"""


def original(browser: Any) -> Any:
    """The window, with the frame of the original page entered once it shows text."""
    browser.switch_to.default_content()
    browser.switch_to.frame("frame")
    return browser


def highlighted(browser: Any) -> str:
    """The text that is highlighted in the original page."""
    from selenium.common.exceptions import WebDriverException

    try:
        marks = original(browser).find_elements("css selector", "stupidos-segment")
        return "".join(mark.text for mark in marks if "255, 226, 122" in background(mark))
    except WebDriverException:  # the frame was just replaced
        return ""
    finally:
        browser.switch_to.default_content()


def background(mark: Any) -> str:
    colour: str = mark.value_of_css_property("background-color")
    return colour


def show(browser: Any, url: str, page: str) -> None:
    """Open a page with its original beside it."""
    opened(browser, url, page)
    if browser.find_element("id", "show-original").get_attribute("aria-pressed") == "false":
        browser.find_element("id", "show-original").click()


def scheme(browser: Any, name: str) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]}
    )


def resize(browser: Any, width: int) -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500},
    )


def test_the_segment_under_the_cursor_is_highlighted_in_the_original(
    browser: Any, annotate: Annotate, raw: Path
) -> None:
    (raw / "inline.html").write_text("<title>Inline</title><p>One</p><p>Tea <b>is</b> <i>hot</i>.</p>")
    _, url = annotate()
    show(browser, url, "inline")
    wait(browser, lambda: highlighted(browser) == "One")
    press(browser, "j")
    wait(browser, lambda: highlighted(browser).replace(" ", "") == "Teaishot.")
    press(browser, "o")
    wait(browser, lambda: not browser.find_element("id", "original").is_displayed())
    browser.refresh()
    wait(browser, lambda: shown_page(browser) == "inline")
    assert not browser.find_element("id", "original").is_displayed()  # the choice is remembered
    press(browser, "o")
    wait(browser, lambda: highlighted(browser) == "One")


def test_a_page_that_scripts_would_fade_in_is_seen(browser: Any, annotate: Annotate, raw: Path) -> None:
    style = "<style>html, body, .late { opacity: 0; visibility: hidden }</style>"
    (raw / "faded.html").write_text(f"<title>Faded</title>{style}<div class=late><p>Tea is hot.</p></div>")
    _, url = annotate()
    show(browser, url, "faded")
    wait(browser, lambda: highlighted(browser) == "Tea is hot.")  # selenium reads only what is seen
    for selector in ("html", "body", ".late"):
        element = original(browser).find_element("css selector", selector)
        assert element.value_of_css_property("opacity") == "1"


def test_moving_the_cursor_leaves_no_trace_in_the_history(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    show(browser, url, "bees")
    wait(browser, lambda: highlighted(browser) == "Home")
    before = browser.execute_script("return history.length")
    press(browser, "jjk")
    wait(browser, lambda: highlighted(browser) == "Bees sleep at night.")
    assert browser.execute_script("return history.length") == before


def test_nothing_of_the_original_page_runs_and_nothing_leaves_this_computer(
    browser: Any, annotate: Annotate, raw: Path, outside: Any
) -> None:
    (raw / "evil.html").write_text(HOSTILE)
    _, url = annotate()
    before = outside.connections
    show(browser, url, "evil")
    wait(browser, lambda: highlighted(browser) == "Tea is hot.")
    press(browser, "j")
    wait(browser, lambda: highlighted(browser).startswith("Milk"))
    frame = original(browser)
    root = frame.find_element("css selector", "html")
    assert root.get_attribute("data-ran") is None
    assert not frame.find_elements("css selector", "script, link, iframe, object, embed, base, meta")
    frame.execute_script("document.getElementById('way').click(); document.getElementById('send').click()")
    browser.switch_to.default_content()
    press(browser, "k")
    wait(browser, lambda: highlighted(browser) == "Tea is hot.")  # still there
    assert browser.find_element("id", "frame").get_attribute("sandbox") == ""
    assert outside.connections == before
    assert browser.current_url == url.partition("#")[0]


def test_the_watch_on_the_outside_would_notice_a_request(browser: Any, tmp_path: Path, outside: Any) -> None:
    """Otherwise the test above would show nothing."""
    (tmp_path / "page.html").write_text('<img src="http://image.outside.example/x.png">')
    before = outside.connections
    browser.get((tmp_path / "page.html").as_uri())
    wait(browser, lambda: outside.connections > before)


def test_a_click_into_the_original_leaves_the_keys_where_they_are(browser: Any, annotate: Annotate) -> None:
    from selenium.webdriver import ActionChains

    _, url = annotate()
    show(browser, url, "bees")
    wait(browser, lambda: highlighted(browser) == "Home")
    ActionChains(browser).move_to_element(browser.find_element("id", "frame")).click().perform()
    wait(browser, lambda: browser.switch_to.active_element.get_attribute("id") == "segments")
    press(browser, " ")
    saved(browser)
    assert kept(browser) == "01111"


def test_the_list_shows_titles(browser: Any, annotate: Annotate, raw: Path) -> None:
    (raw / "twin.html").write_text("<title>Tea</title><p>Another page about tea.</p>")
    _, url = annotate()
    opened(browser, url, "bees")
    labels = {
        button.get_attribute("data-name"): button.find_element("css selector", ".label").text
        for button in browser.find_elements("css selector", "#pages button")
    }
    assert labels == {"bees": "Bees", "hostile": "<b>bold</b>", "tea": "tea Tea", "twin": "twin Tea"}


def test_keys_jump_to_the_first_kept_and_the_next_doubtful_segment(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    opened(browser, url, "bees")
    press(browser, " j j ")  # drop the first three
    saved(browser)
    here = "row.classList.contains('here') ? row.dataset.index : ''"
    press(browser, "f")
    assert told(browser, here) == "3"
    browser.execute_script(
        "for (const i of [1, 4]) { page.segments[i].hand = false; page.segments[i].score = 0.1;"
        " paint(rows[i], page.segments[i], page.segments[i].keep) }"
        "for (const i of [0, 2, 3]) { page.segments[i].score = 9; paint(rows[i], page.segments[i], true) }"
    )
    press(browser, "d")
    assert told(browser, here) == "4"
    press(browser, "d")
    assert told(browser, here) == "1"


@pytest.mark.parametrize("how", ["key", "button"])
def test_help_opens_closes_and_keeps_keys_to_itself(how: str, browser: Any, annotate: Annotate) -> None:
    from selenium.webdriver import Keys

    _, url = annotate()
    opened(browser, url, "bees")
    if how == "key":
        press(browser, "?")
    else:
        browser.find_element("id", "show-help").click()
    dialog = browser.find_element("id", "help")
    wait(browser, dialog.is_displayed)
    assert "next doubtful segment" in dialog.text
    assert "second annotator" not in dialog.text
    press(browser, "n")  # must not finish the page behind
    browser.switch_to.active_element.send_keys(Keys.ESCAPE)
    wait(browser, lambda: not dialog.is_displayed())
    assert browser.find_element("id", "finished").text == "0"
    press(browser, "?")
    wait(browser, dialog.is_displayed)
    press(browser, "?")
    wait(browser, lambda: not dialog.is_displayed())


def test_a_touch_screen_is_told_how_ranges_are_dragged_until_it_knows(
    browser: Any, annotate: Annotate
) -> None:
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    resize(browser, 390)
    _, url = annotate()
    opened(browser, url, "bees")
    hint = browser.find_element("id", "touch-hint")
    assert "drag along the bar at its left" in hint.text
    browser.find_element("id", "touch-hint-close").click()
    assert not hint.is_displayed()
    browser.refresh()
    wait(browser, lambda: shown_page(browser) == "bees")
    assert not browser.find_element("id", "touch-hint").is_displayed()


def test_a_page_finished_without_a_change_is_marked_even_after_a_kill(
    browser: Any, annotate: Annotate, raw: Path
) -> None:
    process, url = annotate()
    opened(browser, url, "tea")
    press(browser, "n")
    wait(browser, lambda: shown_page(browser) not in ("", "tea"))
    process.kill()
    process.wait()
    _, url = annotate()
    opened(browser, url, "tea")
    assert browser.find_element("id", "page-state").text == "· finished, accepted as suggested"
    assert browser.find_elements("css selector", "#pages .accepted[data-name=tea]")
    press(browser, " ")
    saved(browser)
    browser.refresh()
    wait(browser, lambda: browser.find_element("id", "page-state").text == "· finished")


@pytest.fixture
def second(raw: Path) -> Path:
    folder = raw.parent / "second"
    folder.mkdir()
    (folder / "tea.txt").write_text("<p>Tea is hot.\n")
    (folder / "bees.txt").write_text(
        "<p>Home\n\n<p>Bees sleep at night.\n\n<p>They dream of clover.\n\n<p>Login\n"
    )
    return folder


def test_the_comparison_lists_conflicts_first_and_leads_to_them(
    browser: Any, annotate: Annotate, second: Path, raw: Path
) -> None:
    _, url = annotate("--second", str(second))
    for page in ("bees", "tea"):
        opened(browser, url, page)
        press(browser, "  n")
        wait(browser, lambda: browser.find_elements("css selector", ".other"))
    press(browser, "v")
    section = browser.find_element("id", "comparison")
    wait(browser, section.is_displayed)
    heads = [head.text for head in section.find_elements("css selector", "h3")]
    assert heads == ["Tea", "Bees"]  # two conflicts, then one
    assert "mine: keep as a paragraph · theirs: drop" in section.text
    press(browser, "n ")  # no page is on the screen
    assert section.is_displayed()
    section.find_elements("css selector", ".conflict")[1].click()
    wait(browser, lambda: shown_page(browser) == "tea")
    press(browser, "2")
    saved(browser)
    assert "Share this" not in (raw.parent / "gold" / "tea.txt").read_text()
    press(browser, "v")
    wait(browser, section.is_displayed)
    assert "settled" in section.text
    press(browser, "v")
    wait(browser, lambda: shown_page(browser) == "tea")


@pytest.mark.parametrize("width", [390, 1280])
def test_the_comparison_offers_what_can_be_done_there(
    width: int, browser: Any, annotate: Annotate, second: Path
) -> None:
    _, url = annotate("--second", str(second))
    resize(browser, width)
    opened(browser, url, "tea")
    press(browser, "v")
    wait(browser, browser.find_element("id", "comparison").is_displayed)
    assert browser.find_element("id", "title").text == "Conflicts"
    hints = browser.find_element("css selector", "#work > footer")
    assert hints.text == ("" if width < 500 else "v back to the page ? all keys".replace(" ? ", "\n? "))
    browser.find_element("css selector", "#comparison .back").click()
    wait(browser, lambda: shown_page(browser) == "tea")
    assert "back" not in hints.text


def test_the_agreement_can_be_printed_while_the_window_is_open(
    browser: Any, annotate: Annotate, second: Path, raw: Path
) -> None:
    import subprocess
    import sys

    _, url = annotate("--second", str(second))
    opened(browser, url, "tea")
    press(browser, "  n")
    wait(browser, lambda: browser.find_elements("css selector", ".other"))
    command = [sys.executable, "-m", "stupidos", "annotate", str(raw), str(raw.parent / "gold")]
    line = subprocess.run(
        [*command, "--second", str(second), "--agreement", "--model", "rules"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert line.startswith("words 6  alike 50.0%")
    click(browser, 0)
    saved(browser)
    entries = [json.loads(one) for one in (raw.parent / "gold" / "journal.jsonl").read_text().splitlines()]
    assert entries[-1]["do"] == "change"


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_view_fits_the_window_and_is_legible(
    width: int, colours: str, browser: Any, annotate: Annotate, second: Path
) -> None:
    _, url = annotate("--second", str(second))
    scheme(browser, colours)
    resize(browser, width)
    show(browser, url, "tea")
    wait(browser, lambda: highlighted(browser) == "Menu")
    assert legible(browser, width, "#title, .segment .text, #show-original, #finish")
    press(browser, "  n")
    wait(browser, lambda: browser.find_elements("css selector", ".other"))
    press(browser, "v")
    wait(browser, browser.find_element("id", "comparison").is_displayed)
    assert legible(browser, width, "#comparison h3, .note, .conflict .text, .opinions")
    press(browser, "?")
    wait(browser, browser.find_element("id", "help").is_displayed)
    assert legible(browser, width, "#help dd, #help p, #help kbd")


LEGIBLE = """
const luminance = (colour) => {
  const [red, green, blue] = colour.match(/[\\d.]+/g).slice(0, 3).map(Number).map((part) => part / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const paper = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (!/, 0(\\.\\d+)?\\)$/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
const contrast = (element) => {
  const both = [getComputedStyle(element).color, paper(element)].map(luminance).sort((a, b) => b - a);
  return (both[0] + 0.05) / (both[1] + 0.05);
};
const shown = [...document.querySelectorAll(arguments[1])].filter((element) => element.offsetParent);
const poor = shown.filter((element) => contrast(element) < 4.5).map((element) => element.outerHTML);
return { width: document.documentElement.scrollWidth, shown: shown.length, poor };
"""


def legible(browser: Any, width: int, selector: str) -> bool:
    """Whether nothing is wider than the window, and these texts have the contrast of WCAG 2.1, level AA."""
    seen = browser.execute_script(LEGIBLE, width, selector)
    assert seen["poor"] == []
    assert seen["shown"] > 0
    return bool(seen["width"] <= width)
