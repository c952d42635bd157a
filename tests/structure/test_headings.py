"""Headings that are links, or that hold nothing but images."""

from __future__ import annotations

import pytest

from stupidos.render import read
from stupidos.structure import tree_of
from stupidos.write.markdown import markdown


def written(html: str) -> str:
    page = read(html, "html")
    return markdown(tree_of(page, [1] * len(page.segments), "https://example.org/a"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h2 id=tea><a href='#tea'>Hot <em>tea</em></a></h2>", "## Hot *tea*\n"),
        ("<h2><a href='#'>Tea</a></h2>", "## Tea\n"),
        ("<h2><a href='https://example.org/a#tea'>Tea</a></h2>", "## [Tea](https://example.org/a#tea)\n"),
        ("<h2><a href='/b#tea'>Tea</a></h2>", "## [Tea](https://example.org/b#tea)\n"),
        ("<h2>See <a href='#tea'>tea</a></h2>", "## See [tea](#tea)\n"),
    ],
)
def test_a_heading_that_leads_to_itself_is_no_link(html: str, text: str) -> None:
    assert written(html) == text


def test_emphasis_of_an_image_is_none() -> None:
    html = "<p>Tea</p><p><strong><img src=/x.png alt=cup></strong></p><p><em><img src=/y.png> hot</em></p>"
    expected = "Tea\n\n![cup](https://example.org/x.png)\n\n*![](https://example.org/y.png) hot*\n"
    assert written(html) == expected


def test_a_heading_of_an_image_alone_is_none() -> None:
    html = "<p>Tea</p><h2><a href=/cup><img src=/x.png alt=cup></a></h2><h3><img src=/y.png> hot</h3>"
    cup = "[![cup](https://example.org/x.png)](https://example.org/cup)"
    assert written(html) == f"Tea\n\n{cup}\n\n### ![](https://example.org/y.png) hot\n"
