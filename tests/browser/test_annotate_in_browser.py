"""The annotation bench in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from annotate_window import (
    Annotate,
    choose,
    click,
    kept,
    kinds,
    opened,
    press,
    rows,
    saved,
    shown_page,
    trouble,
    wait,
)

pytestmark = pytest.mark.browser


def test_labels_outlive_undo_and_reload(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    opened(browser, url, "bees")
    assert kept(browser) == "11111"
    click(browser, 0)
    click(browser, 3)
    click(browser, 4)
    saved(browser)
    assert kept(browser) == "01100"
    browser.find_element("id", "undo").click()
    wait(browser, lambda: kept(browser) == "01101")
    browser.refresh()
    wait(browser, lambda: shown_page(browser) == "bees")
    assert kept(browser) == "01101"


def test_nothing_is_lost_when_the_server_is_killed_between_two_clicks(
    browser: Any, annotate: Annotate, raw: Path
) -> None:
    process, url = annotate()
    opened(browser, url, "bees")
    click(browser, 0)
    saved(browser)
    process.kill()
    process.wait()
    click(browser, 1)
    wait(browser, lambda: "Not saved" in browser.find_element("id", "trouble").text)
    assert browser.find_element("id", "saved").text == "1 not saved"
    _, url = annotate()
    opened(browser, url, "bees")
    assert kept(browser) == "01111"
    click(browser, 3)
    saved(browser)
    changes = [json.loads(line) for line in (raw.parent / "gold" / "journal.jsonl").read_text().splitlines()]
    assert [entry["segments"] for entry in changes if entry["do"] == "change"] == [[0], [3]]


def test_a_server_that_comes_back_gets_what_was_not_saved_once(
    browser: Any, annotate: Annotate, raw: Path
) -> None:
    import signal

    process, url = annotate()
    opened(browser, url, "bees")
    process.send_signal(signal.SIGSTOP)
    click(browser, 0)
    click(browser, 1)
    process.send_signal(signal.SIGCONT)
    saved(browser)
    lines = (raw.parent / "gold" / "journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["segments"] for line in lines if '"change"' in line] == [[0], [1]]


def test_markup_in_a_page_is_shown_as_text(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    opened(browser, url, "hostile")
    texts = browser.execute_script(
        "return [...document.querySelectorAll('.segment .text')].map((text) => text.textContent)"
    )
    assert texts == ["<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "fine"]
    assert browser.find_element("id", "title").text == "<b>bold</b>"
    assert not browser.find_elements("css selector", "main img, main script, h1 b")
    assert browser.get_log("browser") == []  # an alert would raise, a blocked script would be logged


def test_a_drag_labels_a_range_as_one_change(browser: Any, annotate: Annotate) -> None:
    from selenium.webdriver import ActionChains

    _, url = annotate()
    opened(browser, url, "bees")
    chain = ActionChains(browser).move_to_element(rows(browser)[3]).click_and_hold()
    chain.move_to_element(rows(browser)[2]).move_to_element(rows(browser)[1]).release().perform()
    saved(browser)
    assert kept(browser) == "10001"
    press(browser, "u")
    wait(browser, lambda: kept(browser) == "11111")


def test_keys_move_toggle_and_set_kinds(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    opened(browser, url, "bees")
    press(browser, " jh")
    press(browser, "jl")
    press(browser, "jjj kkp")
    saved(browser)
    assert kept(browser) == "01110"
    assert kinds(browser) == "phppp"
    press(browser, "jJ")
    saved(browser)
    assert kept(browser) == "01111"


def test_n_finishes_a_page_and_continues_to_the_end(browser: Any, annotate: Annotate, raw: Path) -> None:
    _, url = annotate()
    opened(browser, url, "tea")
    press(browser, " jh")
    press(browser, "n")
    wait(browser, lambda: shown_page(browser) not in ("", "tea"))
    gold = raw.parent / "gold"
    assert (gold / "tea.txt").read_text() == "<h>Tea is hot.\n\n<p>Share this\n"
    assert [row["keep"] for row in json.loads((gold / "tea.labels.json").read_text())["segments"]] == [
        0,
        1,
        1,
    ]
    assert browser.find_element("id", "finished").text == "1"
    second = shown_page(browser)
    press(browser, "n")
    wait(browser, lambda: shown_page(browser) not in ("", "tea", second))
    press(browser, "n")
    wait(browser, lambda: "Every page is finished" in browser.find_element("id", "nothing").text)
    press(browser, "u")
    wait(browser, lambda: shown_page(browser) not in ("", second))
    assert browser.find_element("id", "finished").text == "2"


def test_a_click_on_the_letter_changes_the_kind_and_not_the_label(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    opened(browser, url, "tea")
    rows(browser)[1].find_element("css selector", ".kind").click()
    saved(browser)
    assert kinds(browser) == "php"
    assert kept(browser) == "111"


def test_retraining_suggests_again(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    opened(browser, url, "bees")
    for number in (0, 3, 4):
        click(browser, number)
    press(browser, "n")
    wait(browser, lambda: shown_page(browser) not in ("", "bees"))
    choose(browser, "hostile")
    assert not browser.find_element("id", "retrain").is_enabled()
    press(browser, "n")
    wait(browser, lambda: browser.find_element("id", "retrain").is_enabled())
    browser.find_element("id", "retrain").click()
    wait(browser, lambda: "2 of your pages" in browser.find_element("id", "model-name").text)
    assert "pages not learnt from" in browser.find_element("id", "model-message").text


def test_conflicts_with_a_second_annotator_are_settled_by_keys(
    browser: Any, annotate: Annotate, raw: Path
) -> None:
    second = raw.parent / "second"
    second.mkdir()
    (second / "tea.txt").write_text("<p>Tea is hot.\n")
    _, url = annotate("--second", str(second))
    opened(browser, url, "tea")
    assert not browser.find_elements("css selector", ".other")
    press(browser, "  n")  # a change, so that the page is not only accepted
    wait(browser, lambda: len(browser.find_elements("css selector", ".other")) == 2)
    assert browser.find_element("id", "conflicts").text == "2"
    press(browser, "2c1")
    wait(browser, lambda: browser.find_element("id", "conflicts").text == "0")
    assert (raw.parent / "gold" / "tea.txt").read_text() == "<p>Tea is hot.\n\n<p>Share this\n"
    assert browser.find_element("id", "observed").text == "50.0%"


def test_without_the_token_the_page_stays_empty(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    browser.get(url.partition("#")[0])
    browser.execute_script("sessionStorage.clear()")
    browser.refresh()
    wait(browser, lambda: "printed" in browser.find_element("id", "trouble").text)
    assert rows(browser) == []


def test_the_token_leaves_the_address_bar(browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    opened(browser, url, "tea")
    assert browser.current_url == url.partition("#")[0]


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_window(width: int, browser: Any, annotate: Annotate) -> None:
    _, url = annotate()
    opened(browser, url, "bees")
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def largest_file(process: Any, size: int) -> None:
    """Let no file of a server grow beyond a size, as a full disk would."""
    import resource

    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def test_a_label_that_cannot_be_saved_is_taken_off_the_screen(
    browser: Any, annotate: Annotate, raw: Path
) -> None:
    process, url = annotate()
    opened(browser, url, "bees")
    click(browser, 0)
    saved(browser)
    largest_file(process, (raw.parent / "gold" / "journal.jsonl").stat().st_size + 20)
    click(browser, 1)
    wait(browser, lambda: "Not saved" in trouble(browser))
    assert "journal.jsonl: File too large" in trouble(browser)
    wait(browser, lambda: kept(browser) == "01111")
    assert browser.find_element("id", "saved").text == "Not saved"
    largest_file(process, 1 << 30)
    click(browser, 1)
    saved(browser)
    assert (kept(browser), trouble(browser)) == ("00111", "")


def test_labels_that_cannot_be_saved_are_taken_off_even_where_the_page_cannot_be_loaded(
    browser: Any, annotate: Annotate, raw: Path
) -> None:
    process, url = annotate()
    opened(browser, url, "bees")
    largest_file(process, 0)
    browser.execute_script(
        "const real = fetch; window.fetch = (path, how) =>"
        " path.startsWith('/api/page') ? Promise.reject(new Error('gone')) : real(path, how)"
    )
    press(browser, " j j ")
    wait(browser, lambda: "Not saved" in trouble(browser))
    wait(browser, lambda: kept(browser) == "11111")


def test_gold_that_cannot_be_written_is_shown_until_it_is(
    browser: Any, annotate: Annotate, raw: Path
) -> None:
    gold = raw.parent / "gold"
    process, url = annotate()
    opened(browser, url, "tea")
    (gold / "tea.txt").with_suffix(".labels.json").mkdir()  # in the way of the file
    press(browser, "n")
    wait(browser, lambda: "saved in the journal, but gold is not written" in trouble(browser))
    assert "tea.labels.json: Is a directory" in trouble(browser)
    wait(browser, lambda: browser.find_element("id", "page-state").text.startswith("· finished"))
    assert browser.find_element("id", "saved").text == "Gold not written"
    process.kill()
    process.wait()
    _, url = annotate()
    opened(browser, url, "bees")
    assert "tea.labels.json: Is a directory" in trouble(browser)
    (gold / "tea.labels.json").rmdir()
    click(browser, 0)
    saved(browser)
    assert trouble(browser) == ""
    assert (gold / "tea.txt").exists()


def test_gold_edited_elsewhere_is_shown_in_the_browser(browser: Any, annotate: Annotate, raw: Path) -> None:
    process, url = annotate()
    opened(browser, url, "tea")
    press(browser, "n")
    wait(browser, lambda: shown_page(browser) not in ("", "tea"))
    process.kill()
    process.wait()
    (raw.parent / "gold" / "tea.txt").write_text("<p>Mine.\n")
    _, url = annotate()
    opened(browser, url, "bees")
    assert "saved as tea.txt.orig" in browser.find_element("id", "notes").text
    assert (raw.parent / "gold" / "tea.txt.orig").read_text() == "<p>Mine.\n"


def test_labels_changed_in_another_window_are_shown_before_the_page_is_finished(
    browser: Any, annotate: Annotate
) -> None:
    _, url = annotate()
    opened(browser, url, "tea")
    browser.execute_async_script(
        "ask('/api/change', { page: 'tea', segments: [0], keep: false, key: 'x' }).then(arguments[0])"
    )
    browser.execute_script(  # a slow server: keys are ignored until it has answered
        "const { fetch } = window;"
        "window.fetch = async (...call) => {"
        " await new Promise((then) => setTimeout(then, 300));"
        " return fetch(...call); }"
    )
    press(browser, "n")
    wait(browser, lambda: "labels have changed meanwhile" in trouble(browser))
    wait(browser, lambda: kept(browser) == "011")
    press(browser, "n")
    wait(browser, lambda: shown_page(browser) not in ("", "tea"))
