"""Tables of odd shapes in the structured formats."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from stupidos.document import Document
from stupidos.pipeline import Cleaner

TABLES = {
    "ragged": "<table><tr><th>a<th>b<tr><td>1<tr><td>2<td>3<td>4</table>",
    "without a head": "<table><tr><td>1<td>2<tr><td>3<td>4</table>",
    "with a caption": "<table><caption>Tea</caption><tr><th>a<th>b<tr><td>1<td>2</table>",
    "with a pipe": "<table><tr><th>a<th>b<tr><td>x|y<td>z</table>",
    "aligned": "<table><tr><th align=left>a<th style='color: red; text-align:RIGHT'>b<th align=center>c"
    "<th align=up>d<tr><td>1<td align=center>2<td>3<td>4</table>",
    "aligned without a head": "<table><tr><th align=right>a<td>1<tr><td>b<td>2</table>",
    "a line in a cell": "<table><tr><th>a<th>b<tr><td>x<br>y<td>z</table>",
}


def document(name: str) -> Document:
    return Cleaner.load("keep-all").extract(TABLES[name])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ragged", "| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 2 | 3 | 4 |\n"),
        ("without a head", "| 1 | 2 |\n| --- | --- |\n| 3 | 4 |\n"),
        ("with a caption", "Tea\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("with a pipe", "| a | b |\n| --- | --- |\n| x\\|y | z |\n"),
        ("aligned", "| a | b | c | d |\n| :--- | ---: | :---: | --- |\n| 1 | 2 | 3 | 4 |\n"),
        ("aligned without a head", "| a | 1 |\n| --- | --- |\n| b | 2 |\n"),
        ("a line in a cell", "| a | b |\n| --- | --- |\n| x<br>y | z |\n"),
    ],
)
def test_a_table_in_markdown(name: str, expected: str) -> None:
    assert document(name).markdown == expected


@pytest.mark.parametrize(("name", "rows", "columns"), [("ragged", 3, 3), ("without a head", 2, 2)])
def test_a_table_in_tei_says_its_size(name: str, rows: int, columns: int) -> None:
    table = next(ElementTree.fromstring(document(name).tei).iter("{http://www.tei-c.org/ns/1.0}table"))
    assert (table.get("rows"), table.get("cols")) == (str(rows), str(columns))


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<dt>Tea<dd>hot", "<label>Tea</label><item>hot</item>"),
        ("<dt>Tea<dt>Rum<dd>hot", "<label>Tea<lb/>Rum</label><item>hot</item>"),
        ("<dt>Tea<dd>hot<dd>green", "<label>Tea</label><item><p>hot</p><p>green</p></item>"),
        (
            "<dt>Tea<dd>hot<ul><li>a<li>b</ul><dd>green",
            '<label>Tea</label><item><p>hot</p><list rend="bulleted"><item>a</item><item>b</item></list>'
            "<p>green</p></item>",
        ),
        ("<dt>Tea", "<label>Tea</label><item></item>"),
        ("<dd>hot", "<label></label><item>hot</item>"),
    ],
)
def test_terms_and_definitions_in_tei_are_pairs(html: str, expected: str) -> None:
    tei = Cleaner.load("keep-all").extract(f"<dl>{html}</dl>").tei
    assert f'<list type="gloss">{expected}</list>' in tei.replace("\n", "")


@pytest.mark.parametrize("format", ["html", "tei", "markdown"])
def test_an_image_in_the_page_itself_is_kept(format: str) -> None:
    data = f"data:image/png;base64,{'A' * 3000}"
    document = Cleaner.load("keep-all").extract(f"<p>A boat: <img src='{data}' alt=Boat> at sea.")
    assert data in document.written(format)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<tr><td>1<td>2</tr></table>", "| a | b |\n| --- | --- |\n| 1 | 2 |\n"),
        ("<tr><td>1<td>2</tr></tbody>after</table>", "| a | b |\n| --- | --- |\n| 1 | 2 |\n| after |  |\n"),
        ("<tr><td>1<td>2</tr><h2>lost</h2></table>", "a\n\nb\n\n1\n\n2\n\n## lost\n"),
        ("lost<tr><td>1<td>2</tr></table>", "| a | b |\n| --- | --- |\n| lost |  |\n| 1 | 2 |\n"),
        ("<b>lost</b><tr><td>1<td>2</tr></table>", "| a | b |\n| --- | --- |\n| **lost** |  |\n| 1 | 2 |\n"),
        ("<tr>lost<td>1</tr></table>", "| a | b |\n| --- | --- |\n| lost | 1 |\n"),
    ],
)
def test_text_between_rows_and_cells_is_not_lost(html: str, expected: str) -> None:
    page = "<table><tbody><tr><th>a<th>b</tr>" + html
    assert Cleaner.load("keep-all").extract(page).markdown == expected


@pytest.mark.parametrize("stray", ["Tea", "<h2>Tea</h2>", "<div>Tea</div>"])
def test_text_above_the_first_row_is_above_the_table(stray: str) -> None:
    page = f"<p>It rained.<table>{stray}<tr><th>a<th>b<tr><td>1<td>2</table>"
    written = Cleaner.load("keep-all").extract(page).markdown
    assert written.endswith("Tea\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n")


def test_cells_without_a_row_are_one() -> None:
    page = "<table><thead><th>a<th>b</thead><tbody><tr><td>1<td>2<tr><td>3<td>4</table>"
    written = Cleaner.load("keep-all").extract(page).markdown
    assert written == "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n"
    written = Cleaner.load("keep-all").extract(page.replace("<th>a", "<th>")).markdown
    assert written.startswith("|  | b |\n| --- | --- |\n| 1 | 2 |\n")
