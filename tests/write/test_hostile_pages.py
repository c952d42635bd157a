"""Hostile pages without a browser: what is left of them holds only what is listed in html_checks.py."""

from __future__ import annotations

import pytest
from hostile_pages import cleaned, hostile_page, rendered
from html_checks import Harmless, checked

from stupidos.pipeline import Cleaner
from stupidos.write import Style

AT_ONCE = 30
BATCHES = [range(start, start + AT_ONCE) for start in range(0, 300, AT_ONCE)]


@pytest.fixture(scope="module")
def cleaner() -> Cleaner:
    return Cleaner.load("keep-all")


def check_harmless(markdown: str) -> None:
    reader = Harmless()
    reader.feed(rendered(markdown))
    reader.close()


@pytest.mark.parametrize("dirty", [False, True])
@pytest.mark.parametrize("numbers", BATCHES, ids=str)
def test_html_holds_only_what_is_allowed(numbers: range, dirty: bool, cleaner: Cleaner) -> None:
    for number in numbers:
        checked(cleaned(cleaner, hostile_page(number), Style("html", dirty=dirty)))


@pytest.mark.parametrize("numbers", BATCHES, ids=str)
def test_markdown_is_rendered_to_nothing_harmful(numbers: range, cleaner: Cleaner) -> None:
    for page in map(hostile_page, numbers):
        check_harmless(cleaned(cleaner, page, Style("markdown")))


@pytest.mark.parametrize(
    "latex", ["x<img src=x onerror=run(1)>", "x</span><script>run(1)</script>", "[x](vbscript:run(1))"]
)
def test_a_formula_in_markdown_is_harmless(latex: str, cleaner: Cleaner) -> None:
    check_harmless(
        cleaned(cleaner, f"<p>tea <script type='math/tex'>{latex}</script> tea", Style("markdown"))
    )


def test_code_in_a_definition_in_markdown_is_harmless(cleaner: Cleaner) -> None:
    page = "<dl><dt>tea<dd><pre>tea\n&lt;script&gt;run(1)&lt;/script&gt;</pre></dl>"
    check_harmless(cleaned(cleaner, page, Style("markdown")))
