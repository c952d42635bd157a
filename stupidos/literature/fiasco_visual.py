"""Where a real browser puts the texts of a page: headless Chromium, cut off from the network.

For FIASCO's visual features (score/regions.py). Every text of the page is wrapped into an element of
its own, the page is laid out without scripts, images or anything else from outside, and the boxes of
its lines are kept beside the page as NAME.boxes.json. Needs the extra `visual` (selenium) and the
programs chromium and chromedriver; nobody needs them to clean a page.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stupidos.errors import CorpusError, ExtraError
from stupidos.lab.corpus import content, stem
from stupidos.literature.fiasco import digest
from stupidos.literature.fiasco_nodes import UNSEEN
from stupidos.literature.fiasco_regions import Boxes
from stupidos.render import read
from stupidos.render.tokens import SPLIT

SUFFIX = ".boxes.json"
SCREEN = (1280, 1024)  # CSS pixels
SECONDS = 30  # for one page
MARK = "x-stupidos-text"
PROGRAMS = ("chromium", "chromedriver")
# No name is resolved and no proxy answers, so that nothing leaves the machine; the profile is new and empty.
SWITCHES = (
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
    f"--window-size={SCREEN[0]},{SCREEN[1]}",
)
MEASURE = f"""
return Array.from(document.querySelectorAll('{MARK}'), element => [
    Number(element.getAttribute('n')),
    Array.from(element.getClientRects(), box => [
        box.left + scrollX, box.top + scrollY, box.width, box.height
    ].map(side => Math.round(10 * side) / 10))
])"""


def marked(source: str) -> str:
    """The page with each text in an element that bears its number.

    >>> marked("<p>Tea <b>or</b> rum<title>x</title>")  # doctest: +ELLIPSIS
    '<p><x-stupidos-text n=1>Tea </x-stupidos-text><b><x-stupidos-text n=2>or</x-stupidos-text></b>...'
    """
    parts: list[str] = []
    at, unseen = 0, ""
    for number, tag in enumerate((*SPLIT.finditer(source), None)):
        text = source[at : tag.start() if tag else len(source)]
        plain = unseen or not text or text.isspace()
        parts.append(text if plain else f"<{MARK} n={number}>{text}</{MARK}>")
        if tag is None:
            break
        at, name = tag.end(), (tag[1] or "").lower()
        if not unseen and name in UNSEEN:
            unseen = name
        elif name in (f"/{unseen}", "body"):
            unseen = ""
        if not is_script(tag[0]):
            parts.append(tag[0])
    return "".join(parts)


def is_script(tag: str) -> bool:
    """Whether a piece of markup would do something or send us elsewhere.

    >>> is_script("<SCRIPT>go()</SCRIPT>"), is_script("<style>p { color: red }</style>")
    (True, False)
    """
    start = tag[:9].lower()
    return start.startswith(("<script", "<iframe", "<frame", "<object", "<embed", "<meta", "<base"))


class Browser:
    """A running Chromium that measures pages one after the other."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def boxes(self, source: str) -> Boxes:
        """The boxes of the lines of every text of a page that is shown, by its number."""
        from selenium.common.exceptions import WebDriverException

        driver = self._driver
        try:
            driver.get("about:blank")
            frame = driver.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
            driver.execute_cdp_cmd("Page.setDocumentContent", {"frameId": frame, "html": marked(source)})
            found = driver.execute_script(MEASURE)
        except WebDriverException as error:
            raise CorpusError(
                f"Chromium could not lay out the page: {(error.msg or '').splitlines()[:1]}"
            ) from error
        return {number: [tuple(box) for box in boxes] for number, boxes in found if boxes}


@contextmanager
def browser() -> Iterator[Browser]:
    """A new Chromium, ended with all its files when done."""
    try:
        from selenium import webdriver
        from selenium.common.exceptions import WebDriverException
    except ImportError:
        raise ExtraError('visual features need selenium: pip install "stupidos[visual]"') from None
    paths = [shutil.which(program) for program in PROGRAMS]
    for program, path in zip(PROGRAMS, paths, strict=True):
        if path is None:
            raise ExtraError(f"there is no {program}: apt-get install chromium chromium-driver")
    with tempfile.TemporaryDirectory(prefix="stupidos-", ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = str(paths[0])
        for switch in (*SWITCHES, f"--user-data-dir={profile}"):
            options.add_argument(switch)
        try:
            driver = webdriver.Chrome(options, webdriver.ChromeService(paths[1]))
        except WebDriverException as error:
            raise ExtraError(f"Chromium does not start: {(error.msg or '').splitlines()[:1]}") from error
        try:
            driver.set_page_load_timeout(SECONDS)
            driver.set_script_timeout(SECONDS)
            driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
            yield Browser(driver)
        finally:
            driver.quit()


def beside(page: Path) -> Path:
    """Where the boxes of a page are kept.

    >>> beside(Path("raw/7.html.gz")).as_posix()
    'raw/7.boxes.json'
    """
    return page.with_name(stem(page) + SUFFIX)


def measure(chromium: Browser, path: Path) -> Boxes:
    """Measure a page and keep its boxes beside it; a page that has not changed is not measured again."""
    page = read(content(path))
    if not page.markup:
        raise CorpusError(f"{path}: a plain-text dump cannot be laid out")
    kept = stored(beside(path))
    if kept and kept[0] == digest(page.source):
        return kept[1]
    boxes = chromium.boxes(page.source)
    text = json.dumps({"source": digest(page.source), "boxes": boxes}, separators=(",", ":"))
    beside(path).write_text(text, encoding="utf-8")
    return boxes


def stored(path: Path) -> tuple[str, Boxes] | None:
    """The digest of a measured page and its boxes; None where there are none."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        boxes = {
            int(number): [(float(x), float(y), float(width), float(height)) for x, y, width, height in lines]
            for number, lines in found["boxes"].items()
        }
        return str(found["source"]), boxes
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{path}: holds no boxes: remove it ({error})") from error


def folder(raw: Path) -> dict[str, Boxes]:
    """The boxes of all measured pages of a folder, by the digest of their source."""
    found = (stored(path) for path in sorted(raw.glob(f"*{SUFFIX}")))
    return dict(one for one in found if one)
