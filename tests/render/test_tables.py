"""Tables: rows of data are lines, layouts are taken apart."""

import pytest

from stupidos.page import Kind
from stupidos.render import render

LONG = "a text that is longer than any cell of data"


def texts(html: str) -> list[str]:
    return [segment.text for segment in render(html)]


def test_a_row_is_a_line() -> None:
    assert texts(
        "<table><tr><th>Day</th><th>Ferry</th></tr><tr><td>Monday</td><td>14:05</td></tr></table>"
    ) == [
        "Day\tFerry",
        "Monday\t14:05",
    ]


def test_rows_and_cells_need_no_end_tags() -> None:
    assert texts("<TABLE><TR><TD>a<TD>b<TR><TD>c<TD>d</TABLE>e") == ["a\tb", "c\td", "e"]


@pytest.mark.parametrize("tag", ["tbody", "thead", "tfoot"])
def test_sections_of_a_table_end_each_other(tag: str) -> None:
    found = render(f"<table><{tag}><tr><td>a<td>b<tbody><tr><td>c<td>d</table>")
    assert [(segment.text, segment.path) for segment in found] == [
        ("a\tb", f"table>{tag}>tr>td"),
        ("c\td", "table>tbody>tr>td"),
    ]


def test_a_caption_is_its_own_segment() -> None:
    assert texts("<table><caption>Times</caption><tr><td>a<td>b</table>") == ["Times", "a\tb"]


def test_empty_cells_do_not_show() -> None:
    assert texts("<table><tr><td>a<td><td>&nbsp;<td>b</table>") == ["a\tb"]


def test_a_cell_of_one_paragraph_may_say_so() -> None:
    assert texts("<table><tr><td><p>a</p></td><td><div>b</div></td></table>") == ["a\tb"]


@pytest.mark.parametrize(
    "cells",
    [
        [f"<td>{LONG}", "<td>b"],
        ["<td>a", f"<td>{LONG}"],
        ["<td><p>a<p>b", "<td>c"],
        ["<td>a<br>b", "<td>c"],
        ["<td><h2>a</h2>", "<td>b"],
        ["<td><ul><li>a</ul>", "<td>b"],
        ["<td>0123456789 0123456789 0123456789"] * 6,
    ],
)
def test_a_layout_is_taken_apart(cells: list[str]) -> None:
    html = "".join(cells)
    assert (
        len(texts(f"<table><tr>{html}</table>"))
        == html.count("<td>") + html.count("<br>") + html.count("<p>") // 2
    )


def test_in_a_wide_row_one_cell_may_have_two_lines() -> None:
    assert texts("<table><tr><td>Shoe<br>(new)<td>9<td>80<td>yes</table>") == ["Shoe (new)\t9\t80\tyes"]


def test_a_nested_table_does_not_join_the_row_around_it() -> None:
    assert texts("<table><tr><td>a<td><table><tr><td>b<td>c</table><td>d</table>") == ["a", "b\tc", "d"]


def test_the_end_of_a_cell_does_not_end_one_outside_its_table() -> None:
    found = render("<table><tr><td>a<table></td></tr><tr><td>b</table>c")
    assert [segment.path for segment in found] == ["table>tr>td", "table>tr>td>table>tr>td", "table>tr>td"]


def test_the_share_of_links_of_a_row_is_that_of_its_characters() -> None:
    (row,) = render("<table><tr><td><a href=x>four</a><td>four<td>a b c d</table>")
    assert row.link_share == pytest.approx(4 / 12)


def test_a_row_reaches_from_its_first_to_its_last_cell() -> None:
    html = "<table><tr><td>a</td><td> <b>b</b> </td></tr></table>"
    (row,) = render(html)
    assert html[row.start : row.end] == "a</td><td> <b>b"


def test_rows_are_paragraphs() -> None:
    assert [segment.kind for segment in render("<table><tr><td>a<td>b</table>")] == [Kind.PARAGRAPH]


def test_headings_between_rows_stay_headings() -> None:
    found = render("<table><tr><td>a<td>b<tr><td colspan=2><h3>c</h3><tr><td>d<td>e</table>")
    assert [(segment.kind, segment.text) for segment in found] == [
        (Kind.PARAGRAPH, "a\tb"),
        (Kind.HEADING, "c"),
        (Kind.PARAGRAPH, "d\te"),
    ]
