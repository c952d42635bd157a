"""Gold texts of news pages: what the extractors of a package say, and what is furniture on every site."""

from __future__ import annotations

import json
from pathlib import Path

import news_pages as news
import pytest

SCRIPT = """
export const WwwExampleComExtractor = {
  domain: 'www.example.com',
  title: {
    selectors: ['h1'],
  },
  content: {
    selectors: [
      // lead and body
      ['.lead', 'div.story > .body'],
      'article',
    ],
    transforms: { h2: 'p' },
    clean: ['.box', 'p:not(.a)'],
  },
};
"""
TEXT = "The ferry will run until midnight, said the harbour master, and again from four in the morning. " * 3
TITLE = "The ferry runs until midnight"
PAGE = f"""<html><body><h1>Courier</h1><h1>{TITLE}</h1>
<div class="story"><p class="lead">Two crossings more.</p>
<div class="body">
<p>{TEXT}</p>
<p class=box>In figures</p><p><a href=/1>Bridge to close</a></p>
<p>Read also: <a href=/2>Buns</a></p><div class="related-links">Most read</div><aside>Key points</aside>
<blockquote>It is <a href=/3>late</a>, he said.</blockquote></div></div>{"<!-- -->" * 200}</body>"""


def extractor() -> news.Extractor:
    found = news.extractor_of(SCRIPT)
    assert found is not None
    return found


def test_an_extractor_is_read_from_its_module() -> None:
    articles = [[".lead", "div.story > .body"], ["article"]]
    assert extractor() == news.Extractor([["h1"]], articles, [".box", "p:not(.a)"])


def test_a_module_without_content_has_no_extractor() -> None:
    assert news.extractor_of("export const A = { domain: 'a', title: { selectors: ['h1'] } };") is None


def test_furniture_and_links_are_not_in_the_gold() -> None:
    pytest.importorskip("lxml")
    expected = [TITLE, "Two crossings more.", TEXT.strip(), "It is late, he said."]
    assert news.gold(PAGE, extractor()) == "\n".join(expected)


def test_a_page_without_its_article_has_no_gold() -> None:
    pytest.importorskip("lxml")
    assert news.gold(f"<p>{TEXT}</p>", extractor()) is None


def test_pages_of_known_publishers_are_written_with_their_golds(tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    scripts, fixtures = tmp_path / "src/extractors/custom/www.example.com", tmp_path / "fixtures"
    scripts.mkdir(parents=True)
    (scripts / "index.js").write_text(SCRIPT)
    for name in ("www.example.com/1", "unknown.example/2"):
        (fixtures / name).parent.mkdir(parents=True)
        (fixtures / f"{name}.html").write_text(PAGE)
    found = list(news.pages(tmp_path, news.extractors(tmp_path)))
    news.write(tmp_path / "out", found)
    assert json.loads((tmp_path / "out/sites.json").read_text()) == {"www.example.com-1": "example.com"}
    assert (tmp_path / "out/raw/www.example.com-1.html").read_text() == PAGE
    written = (tmp_path / "out/gold/www.example.com-1.txt").read_text()
    assert written.startswith(f"{TITLE}\nTwo crossings more.\n")
