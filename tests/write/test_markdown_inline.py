"""Inlines of Markdown where delimiters, blanks and neighbours get in each other's way."""

from __future__ import annotations

import pytest

from stupidos.structure.node import Child, Node
from stupidos.write.markdown import markdown


def node(tag: str, *children: Child, **attributes: str) -> Node:
    return Node(tag, attributes, list(children))


def written(*children: Child) -> str:
    return "".join(markdown(Node("document", None, [Node("p", None, list(children))]))).removesuffix("\n")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("a", "`a`"),
        ("`a", "`` `a ``"),
        ("a`", "`` a` ``"),
        ("a`b``c", "```a`b``c```"),
        ("a``b", "`a``b`"),
        (" a", "` a`"),
        ("a ", "`a `"),
        (" a ", "`  a  `"),  # Markdown takes one blank away from each end
        ("  ", "`  `"),
        ("a\nb", "`a b`"),
    ],
)
def test_a_code_span_is_read_as_it_was(code: str, expected: str) -> None:
    assert written("x", node("code", code)) == f"x{expected}"


def test_an_empty_code_span_is_nothing() -> None:
    assert written("x", node("code", "")) == "x"


@pytest.mark.parametrize(("tag", "sign"), [("strong", "**"), ("em", "*"), ("del", "~~")])
@pytest.mark.parametrize(
    ("before", "text", "behind", "marked"),
    [
        ("a ", "b", " c", True),
        ("a", "b", "c", True),
        ("a ", "(b)", " c", True),
        ("a", "(b)", " c", False),  # an opening delimiter between a letter and punctuation
        ("a ", "(b)", "c", False),
        ("(", "b.", ")", True),
        ("a ", "b.", " c", True),
        ("a ", "b.", "c", False),
        ("a", ".b", " c", False),
    ],
)
def test_delimiters_stand_only_where_markdown_reads_them(
    tag: str, sign: str, before: str, text: str, behind: str, marked: bool
) -> None:
    inner = f"{sign}{text}{sign}" if marked else f"<{tag}>{text}</{tag}>"
    assert written(before, node(tag, text), behind) == f"{before}{inner}{behind}"


@pytest.mark.parametrize(
    ("children", "expected"),
    [
        ([node("em", "a"), node("strong", "b")], "_a_**b**"),
        ([node("strong", "a"), node("em", "b")], "**a**_b_"),
        (["x", node("em", node("strong", "a")), "y"], "x<em>**a**</em>y"),
        ([node("em", node("strong", "a"))], "_**a**_"),
        (["x", node("em", "a"), node("strong", "b")], "x<em>a</em>**b**"),
        ([node("strong", "b"), node("em", "a"), "x"], "**b**<em>a</em>x"),
        ([node("strong", "b"), node("em", " a ")], "**b**<em> a </em>"),
        ([node("strong", "b"), node("em", "")], "**b**<em></em>"),
        ([node("del", "a"), node("del", "b")], "<del>a</del>~~b~~"),
        (["~", node("del", "a")], "~<del>a</del>"),
        ([node("span", "a ", node("em", "b"))], "a *b*"),
        (["5 < 6 & 7 &amp; _x_ a_b ~~y"], "5 \\< 6 & 7 \\&amp; \\_x\\_ a_b \\~\\~y"),
        (["$1, ", node("em", "$2")], "\\$1, *\\$2*"),
        (["$1, ", node("math", "x")], "\\$1, $x$"),
        (["Wow!", node("a", "^x", href="y")], "Wow\\![\\^x](y)"),
        (["Wow!", node("noteref", id="1")], "Wow\\![^1]"),
        (["Wow!", node("code", "x")], "Wow!`x`"),
        ([node("img", src="x", alt="a [b] $1 $2")], "![a \\[b\\] \\$1 \\$2](x)"),
        ([node("q", "no")], "“no”"),
        (["a", node("br"), "- b"], "a\\\n\\- b"),
        ([node("a", "T ", node("a", "h", href="y"), href="x"), node("a", "z", href="z")], "[T h](x)[z](z)"),
    ],
)
def test_inlines_beside_each_other_stay_apart(children: list[Child], expected: str) -> None:
    assert written(*children) == expected


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("a(b)c", "a(b)c"),
        ("a(b", "a%28b"),
        ("a)b(", "a%29b%28"),
        ("a b<c>\\", "a%20b%3Cc%3E%5C"),
        ("a?b=1&c=2", "a?b=1&c=2"),
        ("a?b=1&copy;=2", "a?b=1&amp;copy;=2"),
        ("/ä\x7f", "/ä%7F"),
    ],
)
def test_an_address_between_parentheses_is_one_target(address: str, target: str) -> None:
    assert written(node("a", "x", href=address)) == f"[x]({target})"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. a", "1\\. a"),
        ("1) a", "1\\) a"),
        ("1.a", "1.a"),
        ("1234567890. a", "1234567890. a"),
        ("# a", "\\# a"),
        ("####### a", "####### a"),
        ("#a", "#a"),
        ("- a", "\\- a"),
        ("-a", "-a"),
        ("+", "\\+"),
        ("> a", "\\> a"),
        (">a", "\\>a"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("|---|", "\\|---|"),
        (":-: a", ":-: a"),
        ("7", "7"),
    ],
)
def test_a_paragraph_never_begins_like_another_block(text: str, expected: str) -> None:
    assert written(text) == expected


CELL = [
    node("p", "one"),
    node("p", "two ", node("a", "x", href='a"b', title="T"), node("noteref", id="3")),
    node("ul", node("li", node("img", src="i.png", alt="A"))),
    node("callout", "so"),
    node("math", "a<b"),
    "text & more",
]


def test_a_table_that_markdown_cannot_hold_is_html_on_lines_without_blanks() -> None:
    table = node("table", node("tr", node("th", "head"), node("th", "b")), node("tr", Node("td", {}, CELL)))
    assert "".join(markdown(Node("document", None, [table]))) == (
        "<table>\n<tr><th>head</th><th>b</th></tr>\n"
        '<tr><td><p>one</p><p>two <a href="a&quot;b" title="T">x</a><sup>3</sup></p>'
        '<ul><li><img src="i.png" alt="A"></li></ul><blockquote>so</blockquote>'
        "<code>a&lt;b</code>text &amp; more</td></tr>\n</table>\n"
    )
