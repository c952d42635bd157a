"""What is left of hostile pages, in a real browser: nothing runs, and nothing but images is fetched."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from hostile_pages import cleaned, hostile_page, rendered

from stupidos.pipeline import Cleaner
from stupidos.write import Style

pytestmark = pytest.mark.browser

PAGES = 600
AT_ONCE = 40  # fragments in one document
FRAME = "<!DOCTYPE html><meta charset=utf-8><title>tea</title><body>"
WATCH = "window.ran = []; window.run = number => { (top.ran || ran).push(number) }"
CLICK = """
for (const one of document.querySelectorAll('a[href]')) {
  if (one.click && !/^(https?|mailto|ftp):/.test(one.href)) one.click()
}
"""
FORBIDDEN = """
const tags = /^(script|style|svg|math|iframe|object|embed|form|input|link|meta|base|template)$/i;
const attributes = /^(on|style|srcdoc|formaction|action)/i;
const targets = /^(javascript|vbscript|data:(?!image\\/(png|jpeg|gif|webp)[;,]))/i;
return [...document.body.querySelectorAll('*')].flatMap(element => [
  ...(tags.test(element.tagName) ? [element.outerHTML] : []),
  ...[...element.attributes].map(one => one.name).filter(name => attributes.test(name)),
  ...[element.href, element.src].filter(target => target && targets.test(target)),
])
"""


class Site:
    """A server of these documents that remembers what was fetched."""

    def __init__(self) -> None:
        self.documents: dict[str, str] = {}
        self.fetched: list[tuple[str, str]] = []  # path, and what for
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.fetched.append((self.path, self.headers.get("Sec-Fetch-Dest", "")))
                found = site.documents.get(self.path)
                self.send_response(200 if found is not None else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write((found or "").encode("utf-8", "replace"))

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    made = Site()
    thread = threading.Thread(target=made.server.serve_forever)
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.fixture
def watched(browser: Any) -> Iterator[Any]:
    """The browser, with `run` defined in every document before anything of it is read."""
    found = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    yield browser
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", found)


@pytest.fixture(scope="module")
def cleaner() -> Cleaner:
    return Cleaner.load("keep-all")


def visit(browser: Any, site: Site, document: str) -> tuple[list[int], list[str]]:
    """Numbers of the pages that ran something, and what of them should not be in a document."""
    site.documents = {"/page": document}
    site.fetched = []
    browser.get(f"{site.address}/page")
    browser.execute_script(CLICK)
    return browser.execute_script("return window.ran"), browser.execute_script(FORBIDDEN)


def fetched(site: Site) -> set[tuple[str, str]]:
    """What was fetched besides the document itself and images."""
    return {
        (path, purpose)
        for path, purpose in site.fetched
        if path != "/page" and (purpose != "image" or path.startswith(("/evil/css", "/evil/style")))
    }


def batches() -> list[range]:
    return [range(start, start + AT_ONCE) for start in range(0, PAGES, AT_ONCE)]


def test_the_pages_themselves_do_run_scripts(watched: Any, site: Site) -> None:
    """Otherwise the other tests would show nothing."""
    ran = []
    for number in range(60):
        ran += visit(watched, site, hostile_page(number))[0]
    assert len(set(ran)) > 8


@pytest.mark.parametrize("dirty", [False, True])
@pytest.mark.parametrize("numbers", batches(), ids=str)
def test_html_runs_nothing(watched: Any, site: Site, cleaner: Cleaner, numbers: range, dirty: bool) -> None:
    style = Style("html", dirty=dirty)
    fragments = [cleaned(cleaner, hostile_page(number), style) for number in numbers]
    assert visit(watched, site, FRAME + "".join(fragments)) == ([], [])
    assert fetched(site) == set()


@pytest.mark.parametrize("number", range(0, PAGES, 20))
def test_a_whole_document_runs_nothing(watched: Any, site: Site, cleaner: Cleaner, number: int) -> None:
    style = Style("html", standalone="page")
    assert visit(watched, site, cleaned(cleaner, hostile_page(number), style)) == ([], [])
    assert fetched(site) == set()


@pytest.mark.parametrize("numbers", batches(), ids=str)
def test_markdown_runs_nothing(watched: Any, site: Site, cleaner: Cleaner, numbers: range) -> None:
    texts = [cleaned(cleaner, hostile_page(number), Style("markdown")) for number in numbers]
    assert visit(watched, site, FRAME + "".join(map(rendered, texts))) == ([], [])
    assert fetched(site) == set()
