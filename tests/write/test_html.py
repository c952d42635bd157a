"""HTML: the whole vocabulary of the tree, and nothing besides."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote

import pytest
from html_checks import checked
from random_trees import deep_tree, random_tree

import stupidos
from stupidos.structure import Child, Node
from stupidos.write import Style, closing, opening, written
from stupidos.write.html_tree import fragment, safe_target

PAGE = """<html lang="en-GB"><title>Tea & "more" </title></title><nav><a href="/">Home</a></nav><main>
<h1>All about tea</h1><p>Tea is hot, and <b>drunk</b> by many people all over the world every day.
<p>It is made of leaves, see <a href="leaves">the long page about the leaves</a> of the plant.</main>"""
DUMP = (
    "All about tea\n\n  * green tea is not fermented at all\n  * black tea is\n\nIt is drunk by many people."
)


def html(*blocks: Child, name: str = "") -> str:
    """The blocks of a fragment without the <article> around them."""
    text = "".join(fragment(Node("document", None, list(blocks)), name))
    return text.partition(">\n")[2].removesuffix("</article>\n")


def p(*children: Child) -> Node:
    return Node("p", None, list(children))


@pytest.mark.parametrize(
    ("node", "form"),
    [
        (Node("h3", None, ["Tea"]), "<h3>Tea</h3>\n"),
        (p("a", Node("br"), "b"), "<p>a<br>\nb</p>\n"),
        (Node("ul", None, [Node("li", {}, ["a"])]), "<ul>\n<li>a</li>\n</ul>\n"),
        (
            Node("ol", {"start": "7"}, [Node("li", {"value": n}, [n]) for n in ("7", "8", "10", "11")]),
            '<ol start="7">\n<li>7</li>\n<li>8</li>\n<li value="10">10</li>\n<li>11</li>\n</ol>\n',
        ),
        (
            Node("dl", None, [Node("dt", None, ["a"]), Node("dd", None, ["b"])]),
            "<dl>\n<dt>a</dt>\n<dd>b</dd>\n</dl>\n",
        ),
        (
            Node("pre", {"language": "c++"}, ["\n  a<b\n"]),
            '<pre><code class="language-c++">\n  a&lt;b\n</code></pre>\n',
        ),
        (Node("blockquote", None, [p("a")]), "<blockquote>\n<p>a</p>\n</blockquote>\n"),
        (
            Node("callout", {"kind": "tip", "title": "A&B"}, [p("a")]),
            '<aside class="callout tip">\n<p class="callout-title"><strong>A&amp;B</strong></p>\n'
            "<p>a</p>\n</aside>\n",
        ),
        (
            Node("figure", None, [p(Node("img", {"src": "a.png"})), Node("figcaption", None, ["b"])]),
            '<figure>\n<img src="a.png" alt=""><figcaption>b</figcaption>\n</figure>\n',
        ),
        (Node("hr"), "<hr>\n"),
        (Node("math", {"display": "block"}, ["a<b"]), '<div class="math">\\[a&lt;b\\]</div>\n'),
        (p(Node("math", None, ["a"])), '<p><span class="math">\\(a\\)</span></p>\n'),
        (p(Node("code", None, ["<b>"])), "<p><code>&lt;b&gt;</code></p>\n"),
        (
            p(Node("a", {"href": "x?a&b", "title": '"'}, ["t"])),
            '<p><a href="x?a&amp;b" title="&quot;">t</a></p>\n',
        ),
        (p(Node("a", {"href": "javascript:x"}, ["t"])), "<p>t</p>\n"),
        (p(Node("img", {"src": "data:text/html,x", "alt": "t"})), "<p>t</p>\n"),
        (p(Node("ruby", None, ["a", Node("rt", None, ["b"])])), "<p><ruby>a<rt>b</rt></ruby></p>\n"),
        (Node("div", None, [p("a"), p("b")]), "<p>a</p>\n<p>b</p>\n"),
        *(
            (p(Node(tag, None, ["a"])), f"<p><{tag}>a</{tag}></p>\n")
            for tag in ("del", "ins", "kbd", "mark", "q")
        ),
    ],
)
def test_every_element_has_its_form(node: Node, form: str) -> None:
    assert html(node) == form


def test_the_rows_of_header_cells_at_the_top_are_the_head_of_a_table() -> None:
    def row(tag: str, *texts: str) -> Node:
        return Node("tr", None, [Node(tag, None, [text] if text else []) for text in texts])

    table = Node(
        "table",
        None,
        [Node("caption", None, ["c"]), row("th", "a", "b"), row("td", "1", ""), row("th", "x", "y")],
    )
    assert html(table) == (
        "<table>\n<caption>c</caption>\n<thead>\n<tr><th>a</th><th>b</th></tr>\n</thead>\n"
        "<tbody>\n<tr><td>1</td><td></td></tr>\n<tr><th>x</th><th>y</th></tr>\n</tbody>\n</table>\n"
    )


def test_footnotes_and_their_marks_lead_to_each_other() -> None:
    marks = p(
        "a", Node("noteref", {"id": "x y"}), Node("noteref", {"id": "x y"}), Node("noteref", {"id": "lost"})
    )
    notes = Node("footnotes", None, [Node("note", {"id": "x y"}, [p("b")])])
    text = html(marks, notes, name="a b/ü.html")
    found = checked(f"<article>{text}</article>")
    links = [unquote(target.removeprefix("#")) for target in found.targets]
    assert sorted(found.identities) == sorted([links[0], *links[2:]])
    assert links[0] == links[1]
    assert len(links) == 4
    assert "<sup>lost</sup>" in text


def test_the_way_back_stands_behind_the_list_that_ends_a_footnote() -> None:
    note = Node("note", {"id": "1"}, [p("b"), Node("ul", None, [Node("li", {}, ["c"])])])
    text = html(p("a", Node("noteref", {"id": "1"})), Node("footnotes", None, [note]))
    assert "<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n <a " in text


def test_a_mark_inside_a_link_is_no_link() -> None:
    link = p(Node("a", {"href": "x"}, ["a", Node("noteref", {"id": "1"})]))
    notes = Node("footnotes", None, [Node("note", {"id": "1"}, [p("b")])])
    assert html(link, notes).startswith('<p><a href="x">a<sup>1</sup></a></p>\n')


@pytest.mark.parametrize("seed", range(100))
def test_a_random_tree_becomes_only_what_is_allowed(seed: int) -> None:
    tree = random_tree(seed)
    text = "".join(fragment(tree, f"page {seed}.html"))
    checked(text)
    assert text.encode("utf-8", "replace")


@pytest.mark.parametrize("tags", ["blockquote", "ul li", "strong", "div", "td tr table"])
def test_a_tree_deeper_than_python_recurses_is_written(tags: str) -> None:
    assert "tea" in "".join(fragment(deep_tree(20_000, tags)))


@pytest.mark.parametrize(
    "target",
    [
        "javascript:x",
        "JAVASCRIPT:x",
        " javascript:x",
        "java\tscript:x",
        "java\r\nscript:x",
        "\x00javascript:x",
        "vbscript:x",
        "data:text/html,x",
        "data:image/svg+xml,x",
        "data:image/png,x",
        "blob:x",
        "file:///x",
        "about:blank",
        "view-source:x",
        "\u2028javascript:x",
        "livescript:x",
    ],
)
def test_targets_of_other_schemes_are_left_out(target: str) -> None:
    assert safe_target(target) == ""


@pytest.mark.parametrize("target", ["x", "/x:y", "?x:y", "#x:y", "//x:80", "HTTP://x", "mailto:x", "", "é:"])
def test_harmless_targets_are_kept(target: str) -> None:
    assert safe_target(target) == target


def test_a_document_is_an_article_in_its_language() -> None:
    document = stupidos.extract(PAGE, url="https://example.org/tea/")
    text = document.html
    assert text.startswith(
        '<article id="page:https://example.org/tea/" lang="en-GB">\n<h1>All about tea</h1>\n'
    )
    assert '<a href="https://example.org/tea/leaves">' in text
    assert "Home" not in text
    assert text == document.written("html") == document._repr_html_() == "".join(checked_pieces(document))


def checked_pieces(document: stupidos.Document) -> list[str]:
    from stupidos.write import pieces

    found = list(pieces(document, Style("html")))
    checked("".join(found))
    assert len(found) == 5  # a block each, and what is around them
    return found


def test_a_whole_document_has_a_title_and_a_language() -> None:
    text = written(stupidos.extract(PAGE), Style("html", standalone="page"))
    assert text.startswith('<!DOCTYPE html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n')
    assert "<title>Tea &amp; &quot;more&quot;</title>" in text
    assert text.endswith("</article>\n</body>\n</html>\n")


def test_several_pages_share_one_document() -> None:
    style = Style("html", standalone="file")
    page = written(stupidos.extract(PAGE), style)
    text = opening(style, 2) + page * 2 + closing(style, 2)
    assert (text.count("<!DOCTYPE"), text.count("<article"), text.count("</html>")) == (1, 2, 1)
    assert opening("html", 2) == closing("html", 2) == ""


def test_dropped_text_is_struck_through_if_asked_for() -> None:
    text = written(stupidos.extract(PAGE), Style("html", dirty=True))
    assert re.search("<del>.*Home.*</del>", text)
    checked(text)


def test_a_dump_becomes_html_too() -> None:
    document = stupidos.Cleaner.load("keep-all", stupidos.Options("text")).extract(DUMP)
    assert "<ul>\n<li>green tea is not fermented at all</li>\n" in document.html
    checked(document.html)


def test_a_page_without_text_is_empty_html() -> None:
    assert stupidos.extract("<p>").html == ""


def test_a_notebook_shows_the_error_of_a_page() -> None:
    assert stupidos.Document(error="<b>")._repr_html_() == "<p>&lt;b&gt;</p>"


@pytest.mark.parametrize("size", [1, 1 << 13])
@pytest.mark.parametrize("format", ["markdown", "html"])
def test_a_record_holds_its_text_in_the_format_asked_for(
    format: str, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stupidos.write import records

    monkeypatch.setattr(records, "PIECE_LINES", size)
    document = stupidos.extract(PAGE)
    record = json.loads(written(document, Style("jsonl", text_format=format)))  # type: ignore[arg-type]
    assert record["text"] == document.written(format)
    assert record["format"] == format
    assert "format" not in json.loads(written(document, "jsonl"))


def test_segments_of_a_record_know_their_place() -> None:
    document = stupidos.extract(PAGE)
    record = json.loads(written(document, Style("jsonl", segments=True)))
    segment = record["segments"][-1]
    assert PAGE[segment["start"] : segment["end"]].startswith("It is made of leaves")
    assert segment["path"].endswith("main>p")
    assert 0 < segment["link_share"] < 1


def test_footnotes_without_numbers_are_counted_from_one() -> None:
    marks = [Node("noteref", {"id": name}) for name in ("first", "7", "third")]
    notes = [Node("note", {"id": mark.attributes["id"]}, [p("b")]) for mark in marks]
    text = html(p("a", *marks), Node("footnotes", None, list(notes)))
    assert re.findall(r'<a href="[^"]*">(\w+)</a></sup>', text) == ["1", "7", "3"]
    assert re.findall(r'<li[^>]* value="(\d+)"', text) == ["1", "7", "3"]
