"""Segments as columns: the same sequence of Segments, created when somebody asks."""

import pytest

from stupidos.page import Kind, Segment
from stupidos.pipeline import extract
from stupidos.render import read
from stupidos.render.columns import ROOT, SegmentColumns, columns_of, kept_of, kept_texts, texts_of

HTML = """<body><h2>Tea</h2><ol start=3><li>Black<ul><li><a href=x>Assam</a></ul><li>Green</ol><pre>a
 b</pre><table><tr><td>1<td>2</table><p hidden>unseen"""


def columns() -> SegmentColumns:
    segments = read(HTML, "html").segments
    assert isinstance(segments, SegmentColumns)
    return segments


def test_items_are_the_same_one_by_one_and_all_together() -> None:
    one_by_one = columns()
    singles = [one_by_one[at] for at in range(len(one_by_one))]
    assert one_by_one._segments is None
    assert singles == list(columns()) == columns()
    assert [(segment.kind.value, segment.level, segment.text) for segment in singles] == [
        ("h", 2, "Tea"), ("l", 1, "3. Black"), ("l", 2, "Assam"), ("l", 1, "4. Green"), ("p", 0, "a\n b"),
        ("p", 0, "1\t2"),
    ]  # fmt: skip


def test_a_segment_is_created_once() -> None:
    segments = columns()
    assert next(iter(segments)) is next(iter(segments)) is segments[0]


@pytest.mark.parametrize("at", [-1, slice(1, 3), slice(None, None, -2)])
def test_it_is_indexed_like_a_list(at: int | slice) -> None:
    assert columns()[at] == list(columns())[at]


def test_an_index_beyond_the_end_is_an_error() -> None:
    with pytest.raises(IndexError):
        columns()[6]


def test_it_differs_from_other_segments() -> None:
    assert columns() != list(columns())[1:]
    assert columns() != "Tea"


def test_chosen_segments_keep_all_their_fields() -> None:
    chosen = [False, True, True, False, True, False]
    wanted = [segment for segment, flag in zip(columns(), chosen) if flag]
    assert list(columns().where(chosen)) == wanted
    assert list(kept_of(columns(), chosen)) == list(kept_of(list(columns()), chosen)) == wanted


def test_a_joined_row_reaches_to_its_last_cell() -> None:
    row = columns()[5]
    assert HTML[row.start : row.end] == "1<td>2"


def test_columns_of_a_list_have_its_segments() -> None:
    segments = [Segment("Tea", Kind.HEADING, 1), Segment("Milk", link_share=0.5)]
    made = columns_of(segments)
    assert list(made) == segments
    assert (made.texts, made.link_shares, made.places) == (["Tea", "Milk"], [0.0, 0.5], [ROOT, ROOT])
    assert list(texts_of(made)) == list(texts_of(segments)) == ["Tea", "Milk"]


def test_columns_of_no_segments_are_empty() -> None:
    assert len(columns_of([])) == 0
    assert columns_of([]) == []


def test_text_and_kind_of_what_is_kept() -> None:
    chosen = [1, 0, 1, 0, 0, 1]
    wanted = [("Tea", Kind.HEADING), ("Assam", Kind.ITEM), ("1\t2", Kind.PARAGRAPH)]
    assert list(kept_texts(columns(), chosen)) == list(kept_texts(list(columns()), chosen)) == wanted


def test_text_of_a_document_needs_no_segments() -> None:
    document = extract("<p>It rained all day long.<ul><li>And the night.</ul>", model="web")
    assert document.text == "It rained all day long.\n\nAnd the night.\n"
    segments = document.page.segments
    assert isinstance(segments, SegmentColumns)
    assert segments._segments is None
