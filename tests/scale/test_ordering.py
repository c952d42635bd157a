"""OrderedEmitter: order, and the proof that ranges fit together."""

from __future__ import annotations

import pytest

from stupidos.scale.accounts import Accounts
from stupidos.scale.files import Files
from stupidos.scale.ordering import OrderedEmitter
from stupidos.scale.source_items import Span
from stupidos.scale.sources import Unit
from stupidos.scale.unit import Outcome
from stupidos.scale.warc import Range


def files(number: int) -> Unit:
    return Unit(number, number, Files(()), "", 0)


def piece(number: int, chain: int, start: int) -> Unit:
    return Unit(number, chain, Range("x", start, start + 100, exact=start == 0), "", 0)


def outcome(began: int | None = None, ended: int | None = None) -> Outcome:
    return Outcome(Accounts(), (), Span(began, ended))


def numbers(turns: OrderedEmitter, unit: Unit, done: Outcome | None = None) -> list[int]:
    return [one.number for one, _ in turns.add(unit, done or outcome())]


def test_units_are_taken_up_in_their_order() -> None:
    turns = OrderedEmitter(ordered=True)
    assert [numbers(turns, files(number)) for number in (2, 0, 1, 4, 3)] == [[], [0], [1, 2], [], [3, 4]]


def test_without_order_a_unit_is_taken_up_at_once() -> None:
    turns = OrderedEmitter(ordered=False)
    assert [numbers(turns, files(number)) for number in (2, 0, 1)] == [[2], [0], [1]]


def test_without_order_ranges_of_a_file_wait_for_each_other() -> None:
    turns = OrderedEmitter(ordered=False)
    assert numbers(turns, piece(1, 7, 100), outcome(110, 210)) == []
    assert numbers(turns, piece(5, 8, 0), outcome(0, 120)) == [5]
    assert numbers(turns, piece(0, 7, 0), outcome(0, 110)) == [0, 1]


@pytest.mark.parametrize("ordered", [True, False])
def test_a_range_that_began_elsewhere_is_done_again(ordered: bool) -> None:
    turns = OrderedEmitter(ordered)
    assert numbers(turns, piece(0, 7, 0), outcome(0, 130)) == [0]
    assert numbers(turns, piece(1, 7, 100), outcome(105, 205)) == []
    (retry,) = turns.retry
    assert retry.work == Range("x", 130, 200, exact=True)
    assert numbers(turns, retry, outcome(130, 205)) == [1]


def test_a_range_inside_a_record_has_no_pages() -> None:
    turns = OrderedEmitter(ordered=True)
    assert numbers(turns, piece(0, 7, 0), outcome(0, 250)) == [0]
    ((_, done),) = turns.add(piece(1, 7, 100), outcome(150, 205))
    assert done.dropped
    assert numbers(turns, piece(2, 7, 200), outcome(250, 300)) == [2]


def test_a_range_after_a_broken_one_begins_where_it_finds_a_record() -> None:
    turns = OrderedEmitter(ordered=True)
    assert numbers(turns, piece(0, 7, 0), outcome(0, None)) == [0]
    assert numbers(turns, piece(1, 7, 100), outcome(140, 210)) == [1]


def test_a_range_that_cannot_be_read_is_not_tried_for_ever() -> None:
    turns = OrderedEmitter(ordered=True)
    numbers(turns, piece(0, 7, 0), outcome(0, 130))
    numbers(turns, piece(1, 7, 100), outcome(None, None))
    (retry,) = turns.retry
    assert numbers(turns, retry, outcome(None, None)) == [1]


def test_units_done_by_an_earlier_run_keep_the_chain() -> None:
    turns = OrderedEmitter(ordered=True)
    turns.mark_emitted(piece(0, 7, 0), 130)
    assert numbers(turns, piece(1, 7, 100), outcome(130, 205)) == [1]
