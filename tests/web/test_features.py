"""Features of segments: each is what its name says, on pages small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from stupidos.page import Page
from stupidos.render import RenderOptions, read
from stupidos.web import features as module
from stupidos.web.features import _LONGEST_TITLE, FEATURES, _title_parts, features, page_arrays
from stupidos.web.hashed_ngrams import SLOTS
from stupidos.web.symbols import symbol_table

SILENT = np.zeros(2 * SLOTS, np.int8)  # language models that say nothing
PAGE = """<title>All about tea | Tea House</title>
<meta name=description content="Tea is hot, as everybody knows well.">
<body><nav><ul><li><a href=/>Home</a><li><a href=/>News</a> now</ul></nav>
<h2>Before</h2><h1>All about tea</h1><p>Tea is hot, as everybody knows.<h2>Milk</h2>
<p hidden>Unseen.<table><tr><td>1<td>2</table><p>Home"""


def page_of(html: str) -> Page:
    return read(html, "html", RenderOptions(hidden=True))


def rows_of(html: str, table: np.ndarray = SILENT) -> dict[str, list[float]]:
    rows = features(page_arrays(page_of(html), symbol_table()), table)
    return {name: np.round(row, 4).tolist() for name, row in zip(FEATURES, rows, strict=True)}


@pytest.fixture(scope="module")
def rows() -> dict[str, list[float]]:
    return rows_of(PAGE)


def logarithms(*counts: float) -> list[float]:
    return np.log1p(np.array(counts, np.float32)).round(4).tolist()


def test_the_page_has_the_segments_that_are_counted() -> None:
    assert [segment.text for segment in page_of(PAGE).segments] == [
        "Home", "News now", "Before", "All about tea", "Tea is hot, as everybody knows.", "Milk", "Unseen.",
        "1\t2", "Home",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("heading", [0, 0, 1, 1, 0, 1, 0, 0, 0]),
        ("heading's level", [0, 0, 2, 1, 0, 2, 0, 0, 0]),
        ("item", [1, 1, 0, 0, 0, 0, 0, 0, 0]),
        ("list depth", [1, 1, 0, 0, 0, 0, 0, 0, 0]),
        ("hidden", [0, 0, 0, 0, 0, 0, 1, 0, 0]),
        ("cell", [0, 0, 0, 0, 0, 0, 0, 1, 0]),
        ("in nav", [1, 1, 0, 0, 0, 0, 0, 0, 0]),
        ("in table", [0, 0, 0, 0, 0, 0, 0, 1, 0]),
        ("link share", [1, 0.5714, 0, 0, 0, 0, 0, 0, 0]),
        ("all link", [1, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("below the main heading", [0, 0, 0, 1, 1, 1, 1, 1, 1]),
        ("level of its heading", [0, 0, 2, 1, 1, 2, 2, 2, 2]),
        ("has a main heading", [1] * 9),
        ("in title", [0, 0, 0, 1, 0, 0, 0, 0, 0]),
        ("seen before", [0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ("has further copies", [1, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("begins in the description", [0, 0, 0, 0, 1, 0, 0, 0, 0]),
        ("has a description", [1] * 9),
        ("index share", [round(at / 9, 4) for at in range(9)]),
        ("log characters", logarithms(4, 8, 6, 13, 31, 4, 7, 3, 4)),
        ("log linked characters", logarithms(4, 8 * 4 / 7, 0, 0, 0, 0, 0, 0, 0)),
        ("log plain characters", logarithms(0, 8 * 3 / 7, 6, 13, 31, 4, 7, 3, 4)),
        ("log index", logarithms(*range(9))),
        ("log index from the end", logarithms(*range(9, 0, -1))),
        ("log characters before", logarithms(4, 12, 18, 31, 62, 66, 73, 76, 80)),
        ("log characters after", logarithms(76, 68, 62, 49, 18, 14, 7, 4, 0)),
        ("log segments below the main heading", logarithms(0, 0, 0, 0, 1, 2, 3, 4, 5)),
        ("log segments below its heading", logarithms(1, 2, 0, 0, 1, 0, 1, 2, 3)),
        ("log times", logarithms(1, 0, 0, 0, 0, 0, 0, 0, 1)),
    ],
)
def test_a_feature_is_what_its_name_says(
    name: str, expected: list[float], rows: dict[str, list[float]]
) -> None:
    assert rows[name] == pytest.approx(expected, abs=2e-4)


def test_positions_are_shares_of_all_characters(rows: dict[str, list[float]]) -> None:
    assert rows["characters before"][:2] == pytest.approx([4 / 81, 12 / 81], abs=1e-4)
    plain = 80 - 4 - 8 * 4 / 7
    assert rows["plain text before"][-1] == pytest.approx(plain / (plain + 1), abs=1e-4)


def test_a_page_without_a_main_heading_is_nowhere_below_it() -> None:
    found = rows_of("<p>One<h2>Two</h2><p>Three")
    assert found["has a main heading"] == found["below the main heading"] == [0, 0, 0]
    assert found["log segments below the main heading"] == [0, 0, 0]
    assert found["has a description"] == found["begins in the description"] == [0, 0, 0]


@pytest.mark.parametrize(
    ("title", "text", "found"),
    [
        ("Tea time", "Tea time", True),
        ("Tea tim", "Tea tim", False),  # too short to be anything but chance
        ("Tea and milk - The Post", "Tea and milk", True),
        ("The Post: Tea and milk", "Tea and milk", True),
        ("One | Two | Three - Four: Five _ Six » Seven and eight", "Seven and eight", True),
        ("1 | 2 | 3 | 4 | 5 | 6 | Seven and eight", "Seven and eight", True),
        ("1 | 2 | 3 | 4 | 5 | 6 | 7 | Eight and nine", "Eight and nine", False),
        ("Tea and milk", "Tea and mil", False),
        ("x" * 392 + " | " + "Tea and milk", "Tea and", False),
        ("More than forty characters, each of them", "More than forty characters, each of them", True),
    ],
)
def test_a_text_is_in_the_title_if_it_is_a_part_of_it(title: str, text: str, found: bool) -> None:
    assert rows_of(f"<title>{title}</title><p>{text}")["in title"] == [found]


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("Tea is hot, as everybody", True),
        ("Tea is hot, as everybod", False),
        ("So tea is hot, as everybody", False),
    ],
)
def test_a_segment_begins_like_the_description_by_24_characters(text: str, begins: bool) -> None:
    html = f'<meta name=description content="Tea is hot, as everybody knows."><p>First.<p>{text} or not.'
    assert rows_of(html)["begins in the description"] == [0, begins]


def test_the_first_segment_may_begin_like_the_description() -> None:
    description = "Tea is hot, as everybody knows."
    html = f'<meta name=description content="{description}"><p>{description}<p>Milk'
    assert rows_of(html)["begins in the description"][:2] == [1, 0]


def test_of_a_long_text_start_and_end_are_read() -> None:
    start, end = "s" * 32, "e" * 8
    table = np.random.default_rng(1).integers(-100, 100, 2 * SLOTS).astype(np.int8)
    one, other = (rows_of(f"<p>{start}{middle}{end}", table)["text sum"] for middle in ("m" * 50, "n" * 90))
    assert one == other
    one, other = (rows_of(f"<p>{start}{middle}{end[1:]}", table)["text sum"] for middle in "mn")
    assert one != other


@pytest.mark.parametrize("sign", [1, -1])
def test_the_sum_of_a_text_is_clipped_and_its_mean_is_not(sign: int) -> None:
    table = np.full(2 * SLOTS, sign * 96, np.int8)  # four log units a character
    found = rows_of(f"<h1>{'x' * 20}</h1><p>{'y' * 9}", table)
    assert found["text sum"] == [sign * 60, sign * 40]
    assert found["text mean"] == [sign * 4, sign * 4]
    assert found["text of its heading"] == [sign * 60, sign * 60]
    assert found["text sign"] == pytest.approx([sign, sign * np.tanh(8)], abs=1e-4)


def test_without_a_heading_above_its_text_says_nothing() -> None:
    table = np.full(2 * SLOTS, 96, np.int8)
    assert rows_of("<p>one<h2>two</h2>", table)["text of its heading"] == [0, 16]


def test_elements_are_read_relative_to_the_root_of_their_length() -> None:
    structure = np.full(SLOTS, 24, np.int8)  # one log unit a character
    table = np.concatenate([np.zeros(SLOTS, np.int8), structure])
    found = rows_of("<div class=abc><section><p>one</section></div>", table)
    assert found["own element"] == [pytest.approx(len("p\0") ** 0.5, abs=1e-4)]
    assert found["parent's element"] == [pytest.approx(len("section\0") ** 0.5, abs=1e-4)]
    assert found["grandparent's element"] == [pytest.approx(len("div class=abc\0") ** 0.5, abs=1e-4)]
    assert rows_of("one", table)["own element"] == [0]  # the page itself


def test_a_nul_in_an_attribute_parts_no_signature() -> None:
    page = page_arrays(page_of("<div class='a\1b'><p id='\2'>nul<p>x"), symbol_table())
    assert len(page.starts) == len(page.sizes) + len(page.elements.signatures) + 1
    assert len(module._symbols("\nab", np.array([2]), ["", "p a\0b", "i"], symbol_table())[1]) == 1 + 3 + 1


def test_a_long_title_is_read_up_to_a_limit() -> None:
    title = "x" * (_LONGEST_TITLE - 1) + "y"
    assert _title_parts(title + "z") == _title_parts(title) == {"x" * 39 + "y"}
