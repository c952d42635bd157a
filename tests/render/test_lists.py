"""Lists: nested, numbered, of definitions."""

import pytest

from stupidos.page import Kind
from stupidos.render import render


def items(html: str) -> list[tuple[int, str]]:
    return [(segment.level, segment.text) for segment in render(html) if segment.kind is Kind.ITEM]


@pytest.mark.parametrize("tag", ["ul", "menu", "dir"])
def test_items_of_a_list_are_items(tag: str) -> None:
    assert items(f"<{tag}><li>a</li><li>b</li></{tag}>") == [(1, "a"), (1, "b")]


def test_items_need_no_end_tags() -> None:
    assert items("<ul><li>a<li>b<p>c<li>d</ul>") == [(1, "a"), (1, "b"), (1, "c"), (1, "d")]


def test_an_unclosed_item_is_the_sibling_of_the_next() -> None:
    assert [segment.path for segment in render("<ul><li>a<li>b<LI>c</ul>d")] == ["ul>li"] * 3 + [""]


def test_the_level_of_an_item_is_how_deep_it_is_nested() -> None:
    assert items("<ul><li>a<ul><li>b<ul><li>c</ul></ul><li>d</ul>") == [
        (1, "a"),
        (2, "b"),
        (3, "c"),
        (1, "d"),
    ]


def test_an_item_after_a_nested_list_belongs_to_the_outer_one() -> None:
    assert [segment.path for segment in render("<ul><li>a<ul><li>b</ul>c<li>d</ul>")] == [
        "ul>li",
        "ul>li>ul>li",
        "ul>li",
        "ul>li",
    ]


def test_the_level_of_an_item_ends_at_fifteen() -> None:
    assert items("<ul><li>" * 40 + "a")[-1] == (15, "a")


def test_an_item_outside_a_list_is_an_item() -> None:
    assert items("<li>a<li>b") == [(1, "a"), (1, "b")]


def test_ordered_items_are_numbered() -> None:
    assert items("<ol><li>a<li>b</ol>") == [(1, "1. a"), (1, "2. b")]


@pytest.mark.parametrize(
    ("html", "numbers"),
    [
        ("<ol start=5><li>a<li>b</ol>", ["5.", "6."]),
        ('<OL START="5"><LI>a<LI>b</OL>', ["5.", "6."]),
        ("<ol><li value=7>a<li>b</ol>", ["7.", "8."]),
        ("<ol start=3><li>a<li value='9'>b<li>c</ol>", ["3.", "9.", "10."]),
        ("<ol start=-1><li>a<li>b<li>c</ol>", ["-1.", "0.", "1."]),
        ("<ol start=x><li>a</ol>", ["1."]),
        ("<ol start=99999999999999><li>a</ol>", ["1."]),
        ("<ol data-start=5><li data-value=8>a</ol>", ["1."]),
        ('<ol title="start=5"><li>a</ol>', ["1."]),
    ],
)
def test_numbers_start_where_the_list_says(html: str, numbers: list[str]) -> None:
    assert [text.split()[0] for _, text in items(html)] == numbers


def test_each_nested_list_counts_for_itself() -> None:
    assert items("<ol><li>a<ol><li>b<li>c</ol><li>d</ol>") == [
        (1, "1. a"),
        (2, "1. b"),
        (2, "2. c"),
        (1, "2. d"),
    ]


def test_an_unordered_list_in_an_ordered_one_has_no_numbers() -> None:
    assert items("<ol><li>a<ul><li>b</ul><li>c</ol>") == [(1, "1. a"), (2, "b"), (1, "2. c")]


def test_the_number_stands_before_the_first_paragraph_of_an_item() -> None:
    assert items("<ol><li><p>a</p><p>b</p><li>c</ol>") == [(1, "1. a"), (1, "b"), (1, "2. c")]


def test_a_heading_in_an_item_is_a_heading_and_numbered() -> None:
    heading, item = render("<ol><li><h3>a</h3>b</ol>")
    assert (heading.kind, heading.text) == (Kind.HEADING, "1. a")
    assert (item.kind, item.text) == (Kind.ITEM, "b")


def test_an_empty_item_counts() -> None:
    assert items("<ol><li><li>b</ol>") == [(1, "2. b")]


def test_definitions_are_items() -> None:
    found = render("<dl><dt>Tea<dd>A drink.<dt>Milk</dt><dd>Another.</dd></dl>x")
    assert [(segment.kind, segment.text, segment.path) for segment in found] == [
        (Kind.ITEM, "Tea", "dl>dt"),
        (Kind.ITEM, "A drink.", "dl>dd"),
        (Kind.ITEM, "Milk", "dl>dt"),
        (Kind.ITEM, "Another.", "dl>dd"),
        (Kind.PARAGRAPH, "x", ""),
    ]


def test_a_list_in_a_cell_does_not_end_the_item_around_the_table() -> None:
    assert [segment.path for segment in render("<ul><li><table><tr><td><li>a</table>b")] == [
        "ul>li>table>tr>td>li",
        "ul>li",
    ]
