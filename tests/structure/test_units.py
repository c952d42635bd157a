"""Units of structured formats: what of a dropped block of code is shown."""

import pytest

from stupidos.render import read
from stupidos.structure.units import completed


class CountedList(list):
    """A list that counts how often one of its entries is looked up."""

    lookups = 0

    def __getitem__(self, at):
        self.lookups += 1
        return super().__getitem__(at)


@pytest.mark.parametrize("kept_at_the_end", [False, True])
def test_many_dropped_blocks_of_code_are_looked_at_a_few_times_each(kept_at_the_end):
    blocks = 300
    page = read("<div><p>It rained." + "<pre>x y</pre>" * blocks + "<p>It snowed.</div>", "html")
    assert len(page.segments) == blocks + 2
    keep = CountedList([1] + [0] * blocks + [int(kept_at_the_end)])
    shown = completed(page, keep)
    assert shown[1:-1] == [int(kept_at_the_end)] * blocks
    assert keep.lookups < 10 * blocks


def test_line_numbers_beside_code_are_no_labels():
    numbers = "".join(f"<span>{number}</span><br>" for number in range(1, 40))
    page = read(f"<div><p>It rained.<pre>x y</pre><div>{numbers}</div><p>It snowed.</div>", "html")
    keep = [int(segment.text.startswith("It")) for segment in page.segments]
    shown = completed(page, keep)
    assert [segment.text for segment, flag in zip(page.segments, shown) if flag] == [
        "It rained.",
        "x y",
        "It snowed.",
    ]


def test_listings_of_doxygen_are_shown_whole():
    line = '<div class="line"><span class="lineno">{0}</span>int tea{0};</div>'.format
    listing = f'<div class="fragment">{"".join(map(line, range(9)))}</div>'
    page = read(f"<div><p>It rained.{listing}<p>It snowed.</div>", "html")
    keep = [int(segment.text.startswith("It")) for segment in page.segments]
    assert completed(page, keep) == [1] * 11


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("", 1), ("<p>Copy", 1), ("<p>Copy<p>Raw", 1), ("<p>Copy<p>Raw<p>Run", 0),
        (f"<p>{'Sponsored ' * 4}", 0),
    ],
)
def test_only_a_few_labels_may_stand_between_code_and_kept_text(between, expected):
    page = read(f"<div><p>It rained.{between}<pre>x y</pre><p>It snowed.</div>", "html")
    keep = [int(segment.text.startswith("It")) for segment in page.segments]
    code = next(at for at, segment in enumerate(page.segments) if segment.text == "x y")
    assert completed(page, keep)[code] == expected


FIGURE = "<figure><img src=cup.jpg><figcaption>{}</figcaption></figure>"


@pytest.mark.parametrize(
    ("html", "captions"),
    [
        (f"<p>It rained.{FIGURE.format('A cup.')}<p>It snowed.", 1),
        (f"<p>It rained.{FIGURE.format('A cup.<p>By me.')}<p>It snowed.", 2),
        (f"<p>It rained.{FIGURE.format('A cup.') * 2}<p>It snowed.", 2),
        (f"<p>It rained.{FIGURE.format('A cup.')}<p>Advertisement.<p>It snowed.", 0),
        (f"{FIGURE.format('A cup.')}<p>It snowed.", 0),
        (f"<p>It rained.{FIGURE.format('A cup.')}", 0),
        (f"<p>It rained.{FIGURE.format('A cup. ' * 100)}<p>It snowed.", 0),
        (f"<p>It rained.{FIGURE.format('A cup.') * 9}<p>It snowed.", 0),
    ],
)
def test_captions_of_figures_amid_kept_text_are_shown(html, captions):
    page = read(f"<div>{html}</div>", "html")
    keep = [int(segment.text.startswith("It ")) for segment in page.segments]
    assert sum(completed(page, keep)) == sum(keep) + captions


def test_a_cell_outside_of_tables_completes_nothing():
    page = read("<td><p>Menu<p>It rained.", "html")
    assert completed(page, [0, 1]) == [0, 1]
    page = read("<table><tr><td>Menu<tr><td>It rained.</table>", "html")
    assert completed(page, [0, 1]) == [1, 1]


def test_a_table_around_a_page_completes_nothing():
    cells = "<td>Home, news and sport<td><p>It rained.<p>Sponsored.<p>It snowed."
    html = f"<table><tr>{cells}<tr><td>Imprint</table>"
    page = read(html, "html")
    keep = [int(segment.text.startswith("It ")) for segment in page.segments]
    assert completed(page, keep) == keep


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [("1.", "<b>Tea</b>", True), ("Home, news and sport", "<b>Tea</b>", False), ("1.", "Tea " * 40, False)],
)
def test_short_cells_of_a_row_that_is_kept_in_part_are_shown(first, second, shown):
    text = "It rained on the hills and in the valleys. " * 9  # cells of a row of short ones are one segment
    html = f"<table><tr><td>{first}<td>{text}<tr><td>{text}<td>{second}<td>{text}</table>"
    page = read(html, "html")
    assert len(page.segments) == 5
    keep = [int(segment.text.startswith("It ")) for segment in page.segments]
    assert all(completed(page, keep)) is shown
