"""Emit finished units in input order."""

from __future__ import annotations

from collections.abc import Iterator

from stupidos.scale.accounts import Accounts
from stupidos.scale.source_items import Span
from stupidos.scale.sources import Unit
from stupidos.scale.unit import Outcome
from stupidos.scale.warc import Range

_Finished = tuple[Unit, Outcome]


class OrderedEmitter:
    """Buffers finished units and emits them in order: over all units, or only within each chain.

    Ranges of one file are verified here: each must begin where its predecessor ended. A range that
    does not is put on `retry`; one whose records all belong to its predecessor is emitted empty.
    """

    def __init__(self, ordered: bool) -> None:
        self.retry: list[Unit] = []
        self._ordered = ordered
        self._waiting: dict[int, _Finished] = {}
        self._next = 0  # number of the next unit to emit, if all units are ordered
        self._chains: dict[
            int, tuple[int, int | None]
        ] = {}  # last emitted unit and the offset where it ended

    def __len__(self) -> int:
        return len(self._waiting)

    def begin(self, unit: Unit, ended: int | None) -> None:
        """Start with `unit` instead of the first one; `ended` is where the range before it ended."""
        self._next = unit.number
        self._chains[unit.chain] = unit.number - 1, ended

    def mark_emitted(self, unit: Unit, ended: int | None) -> None:
        """Record that a unit has been emitted, now or by an earlier run."""
        self._next = unit.number + 1
        if isinstance(unit.work, Range):
            self._chains[unit.chain] = unit.number, ended

    def add(self, unit: Unit, outcome: Outcome) -> Iterator[_Finished]:
        """Add a finished unit; yield the units that can now be emitted."""
        self._waiting[unit.number] = unit.without_lines(), outcome
        number = self._next if self._ordered else unit.number
        while number in self._waiting and self._ready(self._waiting[number][0]):
            finished = self._verified(*self._waiting.pop(number))
            if finished is None:
                return
            self.mark_emitted(finished[0], finished[1].span.ended)
            yield finished
            number += 1

    def _ready(self, unit: Unit) -> bool:
        if self._ordered or not isinstance(unit.work, Range) or unit.work.start == 0:
            return True
        return self._chains.get(unit.chain, (None,))[0] == unit.number - 1

    def _verified(self, unit: Unit, outcome: Outcome) -> _Finished | None:
        """The unit if it begins where its predecessor ended; None if it has to be run again."""
        work = unit.work
        if not isinstance(work, Range) or work.start == 0:
            return unit, outcome
        start = self._chains[unit.chain][1]
        if start is None:  # the previous range ended in damage, which extends to the first record here
            began = outcome.span.began
            outcome.accounts.lost += (work.stop if began is None else began) - work.start
            return unit, outcome
        if start == outcome.span.began or (work.exact and work.start == start):
            return unit, outcome
        if start >= work.stop:
            return unit, Outcome(Accounts(), (), Span(start, start), dropped=True)
        self.retry.append(unit._replace(work=work._replace(start=start, exact=True)))
        return None
