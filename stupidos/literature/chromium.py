"""Lay out pages in headless Chromium without network access, to measure where their texts are.

For FIASCO's visual features (fiasco_regions.py). Every text of the page is wrapped into an element of
its own, the page is laid out without scripts, images or anything else from outside, and the boxes of
its lines are read. Sources of images are removed beforehand: they would fail one after the other while the
boxes are read. Needs the extra `visual` (selenium) and the programs chromium and chromedriver; only a model
that was trained with --visual needs them to clean a page.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from stupidos.errors import CorpusError, ExtraError, missing_extra
from stupidos.literature.fiasco_nodes import HIDDEN_TAGS
from stupidos.literature.fiasco_regions import Boxes
from stupidos.render.tokens import SPLIT

_SCREEN = (1280, 1024)  # CSS pixels
_TIMEOUT_SECONDS = 30  # for one page
_TEXT_TAG = "x-stupidos-text"
_PROGRAMS = ("chromium", "chromedriver")
# No host name resolves and the proxy is closed, so that nothing leaves the machine; the profile is empty.
_CHROMIUM_SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    f"--window-size={_SCREEN[0]},{_SCREEN[1]}",
)
_SOURCE = re.compile(r"(?<=[\s\"'/])(?:src|srcset|background|poster)(?=\s*=)", re.IGNORECASE)
_ACTIVE_TAGS = ("<script", "<iframe", "<frame", "<object", "<embed", "<meta", "<base", "<link")
_MEASURE_SCRIPT = f"""
return Array.from(document.querySelectorAll('{_TEXT_TAG}'), element => [
    Number(element.getAttribute('n')),
    Array.from(element.getClientRects(), box => [
        box.left + scrollX, box.top + scrollY, box.width, box.height
    ].map(side => Math.round(10 * side) / 10))
])"""


def _with_numbered_texts(source: str) -> str:
    """The page with each text wrapped in an element with its number.

    >>> _with_numbered_texts("<p>Tea <b>or</b> rum<title>x</title>")  # doctest: +ELLIPSIS
    '<p><x-stupidos-text n=1>Tea </x-stupidos-text><b><x-stupidos-text n=2>or</x-stupidos-text></b>...'
    """
    parts: list[str] = []
    at, unseen = 0, ""
    for number, tag in enumerate((*SPLIT.finditer(source), None)):
        text = source[at : tag.start() if tag else len(source)]
        plain = unseen or not text or text.isspace()
        parts.append(text if plain else f"<{_TEXT_TAG} n={number}>{text}</{_TEXT_TAG}>")
        if tag is None:
            break
        at, name = tag.end(), (tag[1] or "").lower()
        if not unseen and name in HIDDEN_TAGS:
            unseen = name
        elif name in (f"/{unseen}", "body"):
            unseen = ""
        if not _is_active(tag[0]):
            parts.append(_SOURCE.sub(r"data-\g<0>", tag[0]))
    return "".join(parts)


def _is_active(tag: str) -> bool:
    """Whether a tag would run code, load a resource or redirect.

    >>> _is_active("<SCRIPT>go()</SCRIPT>"), _is_active("<style>p { color: red }</style>")
    (True, False)
    """
    return tag[:9].lower().startswith(_ACTIVE_TAGS)


class Browser:
    """A running Chromium that lays out pages."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def boxes(self, source: str) -> Boxes:
        """The line boxes of every displayed text, by its number."""
        from selenium.common.exceptions import WebDriverException

        driver = self._driver
        try:
            driver.get("about:blank")
            frame = driver.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
            driver.execute_cdp_cmd(
                "Page.setDocumentContent", {"frameId": frame, "html": _with_numbered_texts(source)}
            )
            measured = driver.execute_script(_MEASURE_SCRIPT)
        except WebDriverException as error:
            raise CorpusError(
                f"Chromium could not lay out the page: {(error.msg or '').splitlines()[:1]}"
            ) from error
        return {number: [tuple(box) for box in boxes] for number, boxes in measured if boxes}


@contextmanager
def browser() -> Iterator[Browser]:
    """A new Chromium; it is quit and its profile deleted at the end."""
    try:
        from selenium import webdriver
        from selenium.common.exceptions import WebDriverException
    except ImportError:
        raise missing_extra("visual features need selenium", "visual") from None
    paths = [shutil.which(program) for program in _PROGRAMS]
    for program, path in zip(_PROGRAMS, paths, strict=True):
        if path is None:
            raise ExtraError(f"there is no {program}: apt-get install chromium chromium-driver")
    with tempfile.TemporaryDirectory(prefix="stupidos-", ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = str(paths[0])
        for switch in (*_CHROMIUM_SWITCHES, f"--user-data-dir={profile}"):
            options.add_argument(switch)
        try:
            driver = webdriver.Chrome(options, webdriver.ChromeService(paths[1]))
        except WebDriverException as error:
            raise ExtraError(f"Chromium does not start: {(error.msg or '').splitlines()[:1]}") from error
        try:
            driver.set_page_load_timeout(_TIMEOUT_SECONDS)
            driver.set_script_timeout(_TIMEOUT_SECONDS)
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            yield Browser(driver)
        finally:
            driver.quit()
