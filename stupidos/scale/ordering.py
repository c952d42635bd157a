"""Whose turn it is: units finish in any order and are taken up in theirs."""

from __future__ import annotations

from collections.abc import Iterator

from stupidos.scale.accounts import Accounts
from stupidos.scale.source_items import Span
from stupidos.scale.sources import Unit
from stupidos.scale.unit import Outcome
from stupidos.scale.warc import Range

Turn = tuple[Unit, Outcome]


class Turns:
    """Finished units that wait; the order is over all of them, or only over each chain.

    Ranges of one file are proved here: each must begin where the one before it ended. One that
    does not comes to `again`; one whose records all belong to the one before it has none of its own.
    """

    def __init__(self, ordered: bool) -> None:
        self.again: list[Unit] = []
        self._ordered = ordered
        self._waiting: dict[int, Turn] = {}
        self._next = 0  # where order is over all
        self._chains: dict[int, tuple[int, int | None]] = {}  # last unit of each, and where it ended

    def __len__(self) -> int:
        return len(self._waiting)

    def passed(self, unit: Unit, ended: int | None) -> None:
        """A unit has been taken up, now or by an earlier run."""
        self._next = unit.number + 1
        if isinstance(unit.work, Range):
            self._chains[unit.chain] = unit.number, ended

    def arrived(self, unit: Unit, outcome: Outcome) -> Iterator[Turn]:
        """The units whose turn it is now that this one is finished."""
        self._waiting[unit.number] = unit.light(), outcome
        number = self._next if self._ordered else unit.number
        while number in self._waiting and self._due(self._waiting[number][0]):
            turn = self._proved(*self._waiting.pop(number))
            if turn is None:
                return
            self.passed(turn[0], turn[1].span.ended)
            yield turn
            number += 1

    def _due(self, unit: Unit) -> bool:
        if self._ordered or not isinstance(unit.work, Range) or unit.work.start == 0:
            return True
        return self._chains.get(unit.chain, (None,))[0] == unit.number - 1

    def _proved(self, unit: Unit, outcome: Outcome) -> Turn | None:
        """The turn of a unit that begins where it should; None if it must be done again."""
        work = unit.work
        if not isinstance(work, Range) or work.start == 0:
            return unit, outcome
        start = self._chains[unit.chain][1]
        if start is None:  # the range before it ended in damage, which goes on up to the first record here
            began = outcome.span.began
            outcome.accounts.lost += (work.stop if began is None else began) - work.start
            return unit, outcome
        if start == outcome.span.began or (work.exact and work.start == start):
            return unit, outcome
        if start >= work.stop:
            return unit, Outcome(Accounts(), (), Span(start, start), dropped=True)
        self.again.append(unit._replace(work=work._replace(start=start, exact=True)))
        return None
