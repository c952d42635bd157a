"""Lists whose numbers count down, and items with a box to tick."""

from __future__ import annotations

import pytest

from stupidos.render import read
from stupidos.structure import Node, tree_of
from stupidos.write.html_tree import fragment
from stupidos.write.markdown import markdown
from stupidos.write.tei_body import body


def tree(html: str, dropped: str = "drop") -> Node:
    """The tree of a page without the segments that hold `dropped`."""
    page = read(html, "html")
    found = tree_of(page, [int(dropped not in segment.text) for segment in page.segments])
    assert isinstance(found, Node)
    return found


def as_html(html: str) -> str:
    return "".join(fragment(tree(html))).removeprefix("<article>\n").removesuffix("</article>\n")


REVERSED = [
    ("<ol reversed><li>c<li>b<li>a</ol>", "3. c\n2) b\n1. a\n", "<ol reversed>"),
    ("<ol REVERSED=reversed start=10><li>b<li>a</ol>", "10. b\n9) a\n", '<ol reversed start="10">'),
    ("<ol reversed><li>drop<li>b<li>drop</ol>", "2. b\n", '<ol reversed start="2">'),
    ("<ol reversed><li>a<li>drop</ol><p>b", "2. a\n\nb\n", '<ol reversed start="2">'),
    ("<ol reversed><li>drop<li>a</ol>", "1. a\n", "<ol reversed>"),
    ("<ol class='not reversed'><li>a<li>b</ol>", "1. a\n2. b\n", "<ol>"),
]


@pytest.mark.parametrize(("html", "text", "start"), REVERSED)
def test_numbers_of_a_reversed_list_count_down(html: str, text: str, start: str) -> None:
    assert markdown(tree(html)) == text
    assert as_html(html).startswith(start)


def test_a_number_inside_a_reversed_list_is_counted_down_from() -> None:
    html = "<ol reversed start=9><li>c<li value=4>b<li>a</ol>"
    assert markdown(tree(html)) == "9. c\n4) b\n3. a\n"
    assert as_html(html).splitlines()[1:4] == ["<li>c</li>", '<li value="4">b</li>', "<li>a</li>"]
    assert '<item n="3">a</item>' in "".join(body(tree(html)))


def test_a_jump_into_a_reversed_list_goes_on_counting_down() -> None:
    dropped = "<p>drop</p>" * 40
    html = f"<p>x</p>{dropped}<ol reversed><li>{dropped}</li><li>b</li><li>a</li></ol>"
    assert markdown(tree(html)) == "x\n\n2. b\n1) a\n"


def test_numbers_of_a_reversed_list_count_down_in_text() -> None:
    page = read("<ol reversed><li>c<li><ol><li>b</ol><li value=7>a<li>z</ol>", "html")
    assert [segment.text for segment in page.segments] == ["4. c", "1. b", "7. a", "6. z"]


GITHUB = (
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked disabled '
    'class="task-list-item-checkbox"> done'
    '<li class="task-list-item"><input disabled type=checkbox> to do</ul>'
)
BOXES = [
    (GITHUB, "- [x] done\n- [ ] to do\n"),
    ("<ul class=task-list><li><label><input type=checkbox CHECKED> tea</label></ul>", "- [x] tea\n"),
    ("<ol><li><p><input type=checkbox disabled> <b>tea</b> pot</p><p>cup</p></ol>",
     "1. [ ] **tea** pot\n\n   cup\n"),
    ("<ul><li><input type=checkbox disabled checked=''>a<ul><li><input type=checkbox disabled>b</ul></ul>",
     "- [x] a\n  - [ ] b\n"),
    ("<ul><li><input type=checkbox name=colour>red<li><input type=text disabled>blue</ul>",
     "- red\n- blue\n"),
    ("<p><input type=checkbox disabled> tea", "tea\n"),
    ("<ul><li>tea <input type=checkbox disabled></ul>", "- tea\n"),
    ("<ul><li>[x] tea</ul>", "- \\[x\\] tea\n"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "text"), BOXES)
def test_items_keep_their_boxes(html: str, text: str) -> None:
    assert markdown(tree(html)) == text


def test_a_box_goes_with_its_item() -> None:
    html = "<ul><li><input type=checkbox disabled checked> drop<li><input type=checkbox disabled> tea</ul>"
    assert markdown(tree(html)) == "- [ ] tea\n"


def test_boxes_are_written_so_that_nobody_can_tick_them() -> None:
    assert as_html(GITHUB).splitlines()[1:3] == [
        '<li><input type="checkbox" disabled checked> done</li>',
        '<li><input type="checkbox" disabled> to do</li>',
    ]
    inside = as_html("<ul><li><p><input type=checkbox disabled> a<p>b</ul>")
    assert '<li><p><input type="checkbox" disabled> a</p>' in inside


def test_tei_shows_whether_an_item_is_ticked() -> None:
    text = "".join(body(tree(GITHUB)))
    assert "<item>☑ done</item>" in text
    assert "<item>☐ to do</item>" in text


def table(*rows: str) -> str:
    cells = ("".join(f"<td>{cell}" for cell in row.split("|")) for row in rows)
    return f"<table>{''.join(f'<tr>{row}' for row in cells)}</table>"


def test_a_table_that_only_numbers_its_rows_is_a_list() -> None:
    html = table("1.||<a href=/a>Tea</a>", "||9 points", "2.||<a href=/b>Milk</a>", "||7 points", "||More")
    assert markdown(tree(html)) == "1. [Tea](/a)\\\n   9 points\n2. [Milk](/b)\\\n   7 points\n\nMore\n"


def test_text_between_numbered_rows_parts_the_list() -> None:
    html = table("1.|Tea", "|black", "2.|Milk", "|white", "|cold", "Those are hot.", "3.|Ice")
    expected = "1. Tea\\\n   black\n2. Milk\\\n   white\\\n   cold\n\nThose are hot.\n\n3. Ice\n"
    assert markdown(tree(html)) == expected


@pytest.mark.parametrize(
    "html",
    [
        table("1.|Tea|9", "2.|Milk|7"),  # data beside the names
        table("1|Tea", "2|Milk"),
        table("1.|Tea", "1.|Milk"),
        table("<th>No.|Drink", "1.|Tea", "2.|Milk"),
        table("1.|Tea", "hot|black"),
    ],
)
def test_a_table_of_data_stays_one(html: str) -> None:
    assert markdown(tree(html)).startswith("| ")


def test_two_breaks_in_an_item_part_paragraphs() -> None:
    html = "<ul><li>hot<br>&nbsp;<br>black <b>tea</b><li>cold</ul>"
    assert markdown(tree(html)) == "- hot\n\n  black **tea**\n\n- cold\n"
    assert markdown(tree("<ul><li>hot<br>tea<li>cold</ul>")) == "- hot\\\n  tea\n- cold\n"


@pytest.mark.parametrize(("page", "text"), [
    ("<dl>\u200b<rt></dl><p>Tea", "Tea\n"),
    ("<dl>\u200b<dt>Tea<rt></dl>", "Tea\n"),
    ("<ul>\u200b<rt></ul><p>Tea", "Tea\n"),
    ("<ul>\u200b<li>Tea<rt></ul>", "- Tea\n"),
])  # fmt: skip
def test_text_beside_items_that_nobody_sees_is_no_item(page: str, text: str) -> None:
    assert markdown(tree(page)) == text
    assert "<li></li>" not in as_html(page)
