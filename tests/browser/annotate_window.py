"""What the tests of the annotation tool do in its window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SECONDS = 20
Annotate = Callable[..., tuple[Any, str]]


def wait(browser: Any, truth: Callable[[], Any]) -> Any:
    """What `truth` gives, once it is true."""
    from selenium.common.exceptions import StaleElementReferenceException
    from selenium.webdriver.support.ui import WebDriverWait

    waiting = WebDriverWait(browser, SECONDS, 0.05, ignored_exceptions=[StaleElementReferenceException])
    return waiting.until(lambda _: truth())


def opened(browser: Any, url: str, page: str) -> None:
    """The bench with one page of its list chosen."""
    browser.get(url)
    wait(browser, lambda: browser.find_elements("css selector", "#pages button"))
    choose(browser, page)


def choose(browser: Any, page: str) -> None:
    """Click on a page of the list, which the bench may draw anew at any moment."""
    wait(browser, lambda: shown_page(browser))
    browser.execute_script(
        "document.querySelectorAll('.segment').forEach((row) => (row.dataset.old = ''));"
        "[...document.querySelectorAll('#pages button')]"
        ".find((button) => button.dataset.name === arguments[0]).click()",
        page,
    )
    wait(browser, lambda: shown_page(browser) == page and not old_rows(browser))


def old_rows(browser: Any) -> list[Any]:
    """The rows from before a click on a page, which draws them anew even if it is the page that is shown."""
    found: list[Any] = browser.find_elements("css selector", ".segment[data-old]")
    return found


def shown_page(browser: Any) -> str:
    name: str = browser.find_element("id", "name").text
    return name


def rows(browser: Any) -> list[Any]:
    found: list[Any] = browser.find_elements("css selector", ".segment")
    return found


def click(browser: Any, number: int) -> None:
    """Click on a row, which the bench may be drawing anew."""
    wait(browser, lambda: rows(browser)[number].click() is None)


def kept(browser: Any) -> str:
    """A 1 for every segment shown as kept, a 0 for every other."""
    return told(browser, "Number(row.classList.contains('kept'))")


def kinds(browser: Any) -> str:
    return told(browser, "row.querySelector('.kind').textContent")


def told(browser: Any, expression: str) -> str:
    """Something of every row, asked at one moment."""
    script = f"return [...document.querySelectorAll('.segment')].map((row) => {expression}).join('')"
    text: str = browser.execute_script(script)
    return text


def saved(browser: Any) -> None:
    wait(browser, lambda: browser.find_element("id", "saved").text == "All saved")


def press(browser: Any, keys: str) -> None:
    """Press keys, once the bench does nothing that would make it ignore them."""
    wait(browser, lambda: not browser.find_elements("css selector", "body[aria-busy=true]"))
    browser.switch_to.active_element.send_keys(keys)


def trouble(browser: Any) -> str:
    text: str = browser.find_element("id", "trouble").text
    return text
