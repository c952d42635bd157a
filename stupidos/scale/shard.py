"""One shard of a run that is split over several machines: `--shard 3/16`.

The units of a run depend on its inputs only, so every machine finds the same ones. Each shard takes a run of
consecutive units: the outputs of all shards, joined in order, are the output of the whole run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:  # a single page needs none of them
    from stupidos.scale.sources import Name, ReadOptions, Unit


class Shard(NamedTuple):
    """Shard `number` of `shards`, from 1."""

    number: int
    shards: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Parse NUMBER/COUNT; ValueError for anything else.

        >>> Shard.parse("3/16")
        Shard(number=3, shards=16)
        """
        number, slash, count = text.partition("/")
        if not (slash and number.isdecimal() and count.isdecimal()) or not 1 <= int(number) <= int(count):
            raise ValueError(f"{text} is not a shard such as 3/16")
        return cls(int(number), int(count))

    @property
    def is_first(self) -> bool:
        return self.number == 1

    @property
    def is_last(self) -> bool:
        return self.number == self.shards

    @property
    def suffix(self) -> str:
        """Part of the name of a shard's journal in a folder that all shards write to.

        >>> Shard(3, 16).suffix, Shard(1, 1).suffix
        ('-3-of-16', '')
        """
        return f"-{self.number}-of-{self.shards}" if self.shards > 1 else ""

    def units(self, names: Iterable[Name], options: ReadOptions) -> Iterator[Unit]:
        """The units of the shard. Several shards list the inputs twice, first to count the units."""
        from stupidos.scale.sources import units

        if self.shards == 1:
            return units(names, options)
        names = tuple(names)
        total = sum(1 for _ in units(names, options))
        first, end = total * (self.number - 1) // self.shards, total * self.number // self.shards
        return islice(units(names, options), first, end)


def end_before(unit: Unit) -> int | None:
    """Where the range before the first unit of a shard ended, as its own shard sees it.

    The records of a WARC file are only known for certain when it is read from the start: what looks like a
    record may be part of another one.
    """
    from stupidos.scale.warc import Range, record_start

    work = unit.work
    return record_start(work.path, work.start) if isinstance(work, Range) and work.start else None


WHOLE_RUN = Shard(1, 1)
