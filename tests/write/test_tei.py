"""TEI: valid by the content models of the guidelines, whatever the tree."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from random_trees import deep_tree, random_tree

import stupidos
from stupidos.metadata.extract import Metadata
from stupidos.structure import Child, Node
from stupidos.write import About, Style, closing, opening, tei, written
from stupidos.write.tei_body import body

TESTS = Path(__file__).parents[1]
PAGES = sorted([*(TESTS / "pages").glob("*.html"), *(TESTS / "golden" / "pages").glob("*.html")])
FRAME = f"<TEI{tei.SPACE}>{tei.header(About())}<text><body>"


@cache
def schema() -> Any:
    etree = pytest.importorskip("lxml.etree")
    return etree.RelaxNG(etree.parse(TESTS / "write" / "tei.rng"))


def check_valid(text: str) -> Any:
    etree = pytest.importorskip("lxml.etree")
    root = etree.fromstring(text.encode("utf-8", "replace"))
    assert schema().validate(root), schema().error_log.last_error
    return root


def tei_body(*blocks: Child) -> str:
    return "".join(body(Node("document", None, list(blocks)))).replace("\n", "")


def p(*children: Child) -> Node:
    return Node("p", None, list(children))


def h(level: int) -> Node:
    return Node(f"h{level}", None, [str(level)])


@pytest.mark.parametrize("seed", range(100))
def test_a_random_tree_is_valid(seed: int) -> None:
    check_valid(f"{FRAME}{''.join(body(random_tree(seed)))}</body></text></TEI>")


@pytest.mark.parametrize("dirty", [False, True])
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore")
def test_a_sample_page_is_valid(path: Path, dirty: bool) -> None:
    try:
        document = stupidos.extract(path.read_bytes(), url="https://example.org/a/b?c=1&d")
    except stupidos.DecodeError:
        return
    text = written(document, Style("tei", dirty=dirty))
    check_valid(text)
    check_valid((opening("tei", 2) + text * 2 + closing("tei", 2)).partition("\n")[2])


@pytest.mark.parametrize("tags", ["blockquote", "ul li", "strong", "td tr table"])
def test_a_tree_deeper_than_python_recurses_is_written(tags: str) -> None:
    assert "tea" in "".join(body(deep_tree(20_000, tags)))


@pytest.mark.parametrize(
    ("levels", "form"),
    [
        ((1, 2, 2), "<1<2><2>>"),
        ((2, 1), "<2><1>"),
        ((1, 4, 3, 4, 2), "<1<4><3<4>><2>>"),
        ((3, 3), "<3><3>"),
    ],
)
def test_headings_open_nested_divisions(levels: tuple[int, ...], form: str) -> None:
    text = tei_body(*map(h, levels))
    for level in range(1, 7):
        text = text.replace(f'<div><head rend="h{level}">{level}</head>', f"[{level}")
    assert text.replace("</div>", "]").replace("[", "<").replace("]", ">") == form


def test_what_stands_before_the_first_heading_is_a_division_of_its_own() -> None:
    assert tei_body(p("a"), h(2), p("b")) == (
        '<div><p>a</p></div><div><head rend="h2">2</head><p>b</p></div>'
    )


def test_a_page_without_text_has_an_empty_division() -> None:
    assert tei_body() == "<div></div>"


@pytest.mark.parametrize(
    ("node", "form"),
    [
        (
            Node("ol", {"start": "7"}, [Node("li", {"value": "7"}, ["a"])]),
            '<list rend="numbered"><item n="7">a</item></list>',
        ),
        (
            Node(
                "table", None, [Node("tr", None, [Node("th", None, ["a"])]), Node("tr", None, [Node("td")])]
            ),
            '<table rows="2" cols="1"><row role="label"><cell role="label">a</cell></row>'
            "<row><cell></cell></row></table>",
        ),
        (
            Node("pre", {"language": "python"}, ["a<b"]),
            '<ab type="code" xml:space="preserve"><code lang="python">a&lt;b</code></ab>',
        ),
        (
            Node(
                "figure",
                None,
                [p(Node("img", {"src": "a b.png", "alt": "c"})), Node("figcaption", None, ["d"])],
            ),
            '<figure><graphic url="a%20b.png"><desc>c</desc></graphic><head>d</head></figure>',
        ),
        (
            Node("dl", None, [Node(tag, None, [tag[1:]]) for tag in ("dt", "dt", "dd", "dd", "dt")]),
            '<list type="gloss"><label>t<lb/>t</label><item><p>d</p><p>d</p></item>'
            "<label>t</label><item></item></list>",
        ),
        (p(Node("a", {"href": "x"}, ["a"])), '<p><ref target="x">a</ref></p>'),
        (p(Node("a", {"href": "javascript:x"}, ["a"])), "<p>a</p>"),
        (
            p(Node("strong", None, ["a"]), Node("em", None, ["b"])),
            '<p><hi rend="bold">a</hi><hi rend="italic">b</hi></p>',
        ),
        (p(Node("math", None, ["a"])), '<p><formula notation="TeX">a</formula></p>'),
        (
            Node("math", {"display": "block"}, ["a"]),
            '<p><formula notation="TeX" rend="display">a</formula></p>',
        ),
        (Node("blockquote", None, [h(2)]), '<quote><label rend="h2">2</label></quote>'),
        (Node("callout", {"kind": "tip"}, [p("a")]), '<note type="callout" subtype="tip"><p>a</p></note>'),
        (p(Node("ruby", None, ["a", Node("rt", None, ["b"])])), "<p><ruby><rb>a</rb><rt>b</rt></ruby></p>"),
        (p("a", Node("br"), "b"), "<p>a<lb/>b</p>"),
        (p(Node("code", None, ["a"]), Node("del", None, ["b"])), "<p><code>a</code><del>b</del></p>"),
        (Node("hr"), '<milestone unit="section" rend="rule"/>'),
    ],
)
def test_every_element_has_its_form(node: Node, form: str) -> None:
    assert tei_body(node) == f"<div>{form}</div>"


def test_a_footnote_stands_where_it_is_first_referred_to() -> None:
    marks = p("a", *(Node("noteref", {"id": name}) for name in ("1", "1")))
    notes = Node("footnotes", None, [Node("note", {"id": name}, [p(name)]) for name in ("1", "2")])
    assert tei_body(marks, notes) == (
        '<div><p>a<note place="foot" n="1"><p>1</p></note><ref type="note" n="1">1</ref></p></div>'
        '<note place="foot" n="2"><p>2</p></note>'
    )


def test_footnotes_that_refer_to_each_other_are_not_nested() -> None:
    marks = p(Node("noteref", {"id": "1"}))
    notes = [Node("note", {"id": a}, [p(Node("noteref", {"id": b}))]) for a, b in ("12", "21")]
    text = tei_body(marks, Node("footnotes", None, list(notes)))
    assert text.count("<note") == 2
    assert text.count("<ref") == 2


def test_categories_and_tags_are_terms_of_the_header() -> None:
    said = Metadata(categories=("R&D", "Tea"), tags=("a < b",))
    header = tei.header(About(metadata=said))
    assert '<keywords scheme="categories"><term>R&amp;D</term><term>Tea</term></keywords>' in header
    assert '<keywords scheme="tags"><term>a &lt; b</term></keywords>' in header
