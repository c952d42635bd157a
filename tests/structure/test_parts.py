"""The tree of a very large page is made in parts: the same blocks as those of the whole."""

from __future__ import annotations

import random

import pytest

from stupidos.page import Page
from stupidos.pipeline import extract
from stupidos.render import read
from stupidos.render.page_tokens import PageTokens
from stupidos.structure import parts, tree
from stupidos.structure.node import Node, Stream
from stupidos.write import Style, written

PIECES = (
    "<p>Tea is <b>hot</b>, see <a href=/x>leaves</a>.</p>",
    "<div>loose words <i>and</i> more<br>on two lines</div>",
    "<h2>About tea</h2>",
    "<ul><li>green<li>black<ul><li>assam</ul></ul>",
    "<ol start=4><li>boil</li><li>pour</li></ol>",
    "<table><tr><th>a<th>b<tr><td>1<td>2</table>",
    "<blockquote><p>Quoted words</p><p>twice</p></blockquote>",
    "<pre><code class=language-sh>ls\n  x</code></pre>",
    "<p>a figure</p><figure><img src=y.png alt=cup><figcaption>A cup</figcaption></figure><p>follows</p>",
    "<section>a section that <em>is not closed",
    "<dl><dt>tea<dd>hot</dl>",
    "<img src=z.jpg width=300 height=200><p>beside an image</p>",
    "<hr>text between blocks <code>x</code>",
)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_PART", 3)
    monkeypatch.setattr(PageTokens, "at_hand", False)


def random_page(seed: int) -> Page:
    return read("<body>" + "\n".join(random.Random(seed).choices(PIECES, k=25)), "html")


@pytest.mark.parametrize("seed", range(30))
def test_parts_are_the_blocks_of_the_whole_page(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    page = random_page(seed)
    keep = random.Random(seed).choices((0, 1), (1, 4), k=len(page.segments))
    whole = tree.tree_of(page, keep)
    monkeypatch.setattr(tree, "_MOST_AT_ONCE", 0)
    stream = tree.tree_of(page, keep)
    assert isinstance(whole, Node)
    assert isinstance(stream, Stream)
    assert repr(list(stream.children)) == repr(whole.children)


def test_parts_are_made_when_they_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    page = read("<p>It rained." * 100, "html")
    builder = parts.PartBuilder(page, [1] * 100)
    roots = builder.build_parts()
    assert len(next(roots).children) < 10
    assert builder.index < 10
    assert sum(len(root.children) for root in roots) > 90


@pytest.mark.parametrize("format", ["markdown", "html", "tei"])
@pytest.mark.parametrize("links", ["keep", "drop"])
def test_all_formats_are_written_from_parts(format: str, links: str, monkeypatch: pytest.MonkeyPatch) -> None:
    article = "<p>The ferry lay in the ice all winter, see <a href=/x>the harbour</a> for the reason.</p>"
    document = extract(f"<title>Ferry in ice</title><h2>News of the lake</h2>{article * 20}")
    style = Style(format, links=links)  # type: ignore[arg-type]
    whole = written(document, style)
    monkeypatch.setattr(tree, "_MOST_AT_ONCE", 0)
    assert written(document, style) == whole
    assert len(document.tree.children) > 20
