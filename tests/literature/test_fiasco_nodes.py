"""The DOM tree of a page and its target nodes."""

from __future__ import annotations

import numpy as np
import pytest

from stupidos.literature.fiasco_nodes import _MAX_DEPTH, dom_tree, enclosing_target, target_flags
from stupidos.render.tokens import SPLIT


def shape(html: str) -> list[tuple[str, str]]:
    """Tag of each node with that of its parent, nameless ones aside."""
    nodes = dom_tree(SPLIT.split(html))
    return [(tag, nodes.tags[parent]) for tag, parent in zip(nodes.tags, nodes.parents, strict=True) if tag]


def target_texts(html: str) -> list[str]:
    nodes = dom_tree(SPLIT.split(html))
    holder = enclosing_target(nodes, target_flags(nodes))
    found: dict[int, list[str]] = {}
    for text in nodes.texts:
        found.setdefault(int(holder[text.node]), []).append(text.text)
    return [" ".join(parts) for node, parts in found.items() if node >= 0]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div><p>One</p></div>", "div:- p:div"),
        ("<p>One<p>Two", "p:- p:-"),
        ("<ul><li>One<li>Two<ul><li>Three</ul></ul>", "ul:- li:ul li:ul ul:li li:ul"),
        ("<table><tr><td>One<td>Two<tr><td>Three", "table:- tr:table td:tr td:tr tr:table td:tr"),
        ("<dl><dt>One<dd>Two", "dl:- dt:dl dd:dl"),
        ("<p>One<div>Two</div>", "p:- div:-"),
        ("<DIV><B>One</B></DIV>", "div:- b:div"),
        ("</p></div>One", ""),
    ],
)
def test_elements_end_where_the_standard_ends_them(html: str, expected: str) -> None:
    assert " ".join(f"{tag}:{parent or '-'}" for tag, parent in shape(html)) == expected


@pytest.mark.parametrize(
    "html",
    ["<div>One<br>two<br>three</div>", "<div>One<br/>two<br />three</div>", "<td>One<br>two<br>three</td>"],
)
def test_text_between_line_breaks_is_a_paragraph(html: str) -> None:
    assert [tag for tag, _ in shape(html)][1:] == ["p", "p", "p"]
    assert target_texts(html) == ["One", "two", "three"]


def test_text_without_line_breaks_belongs_to_its_element() -> None:
    assert [tag for tag, _ in shape("<div>One <b>two</b> three</div>")] == ["div", "b"]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div><p>One two</p><p>Three</p></div>", ["One two", "Three"]),
        ("<div><p>One <b>two</b></p></div>", ["One two"]),
        # a tenth of its text makes the whole a target, less does not
        ("<div>1<p>123456789</p></div>", ["1 123456789"]),
        ("<div>1<p>1234567890</p></div>", ["1234567890"]),
        ("<div><a href=x>Link</a></div>", ["Link"]),
        ("<p></p>", []),
        ("<script>x</script><select><option>One</select><noscript>Two</noscript>", []),
        ("<title>T</title><body>One</body>", ["One"]),
    ],
)
def test_a_target_has_a_tenth_of_its_text_among_its_own_children(html: str, expected: list[str]) -> None:
    assert target_texts(html) == expected


def test_targets_are_disjoint() -> None:
    html = "<body>Some text <div>and more <p>and <b>more</b> of it</p></div><p>End of it all</p></body>"
    nodes = dom_tree(SPLIT.split(html))
    found = target_flags(nodes)
    for node in np.flatnonzero(found).tolist():
        above = nodes.parents[node]
        while above >= 0:
            assert not found[above]
            above = nodes.parents[above]
    assert found.sum() == 1


def test_nesting_without_end_is_cut_off_and_its_text_kept() -> None:
    nodes = dom_tree(SPLIT.split("<div>" * 5000 + "deep" + "</div>" * 5000 + "<p>after"))
    assert nodes.depths().max() <= _MAX_DEPTH + 1
    assert [text.text for text in nodes.texts] == ["deep", "after"]


def test_images_and_links_are_counted_below() -> None:
    nodes = dom_tree(SPLIT.split("<div><p>One <a href=x><img src=y></a></p><img src=z></div>"))
    assert nodes.sums(np.array(nodes.images))[0] == 2
    assert sum(nodes.linked) == 1
