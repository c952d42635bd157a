"""Counts of a run: read = written + empty + failed, plus skipped records and damaged places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from stupidos.scale.source_items import Damage

_KINDS_IN_SUMMARY = 6  # kinds of skipped records in the summary line, most frequent first
_MAX_KINDS = 200  # servers send arbitrary content types; further kinds are counted as _OTHER
_OTHER = "other"
_COUNTS = ("written", "empty", "failed", "cut", "size", "damaged", "lost")


Fate = Literal["written", "empty", "failed"]


@dataclass(slots=True)
class Accounts:
    """Counts of pages; every page read is in exactly one of written, empty and failed."""

    written: int = 0
    empty: int = 0  # no segment was kept
    failed: int = 0
    cut: int = 0  # truncated; these are also counted as written, empty or failed
    size: int = 0  # bytes of the pages read, decompressed
    damaged: int = 0  # places in archives that hold no readable record, or a broken one
    lost: int = 0  # bytes on disk from each damaged place to the next record
    skipped: Counter[str] = field(default_factory=Counter)  # records that are not pages, by kind

    @property
    def complete(self) -> bool:
        """Whether everything was read and nothing failed (exit code 0)."""
        return not self.failed and not self.damaged and not self.lost

    @property
    def read(self) -> int:
        return self.written + self.empty + self.failed

    def count(self, fate: Fate, truncated: bool, size: int) -> None:
        """Count a page of `size` bytes."""
        setattr(self, fate, getattr(self, fate) + 1)
        self.cut += truncated
        self.size += size

    def skip(self, kind: str, number: int = 1) -> None:
        """Count skipped records; a kind is a content type, `HTTP 404`, `broken record` ..."""
        self.skipped[kind if kind in self.skipped or len(self.skipped) < _MAX_KINDS else _OTHER] += number

    def damage(self, gap: Damage) -> None:
        """Count a damaged place."""
        self.damaged += 1
        self.lost += gap.end - gap.start

    def add(self, other: Accounts) -> None:
        """Add other counts to these.

        >>> total = Accounts(written=2)
        >>> total.add(Accounts(written=1, failed=1, skipped=Counter({"image/png": 3})))
        >>> total.summary()
        'read 4 = written 3 + empty 0 + failed 1; skipped 3 (image/png 3)'
        """
        self.written += other.written
        self.empty += other.empty
        self.failed += other.failed
        self.cut += other.cut
        self.size += other.size
        self.damaged += other.damaged
        self.lost += other.lost
        for kind, number in other.skipped.items():
            self.skip(kind, number)

    def summary(self) -> str:
        """One-line summary."""
        line = f"read {self.read} = written {self.written} + empty {self.empty} + failed {self.failed}"
        if self.damaged or self.lost:
            line += f"; damaged {self.damaged} ({self.lost} bytes of archives)"
        if self.cut:
            line += f"; cut {self.cut}"
        if self.skipped:
            kinds = sorted(self.skipped.items(), key=lambda kind: (-kind[1], kind[0]))
            parts = [f"{name} {number}" for name, number in kinds[:_KINDS_IN_SUMMARY]]
            others = len(kinds) - _KINDS_IN_SUMMARY
            parts += [f"{others} other kinds"] if others > 0 else []
            line += f"; skipped {self.skipped.total()} ({', '.join(parts)})"
        return line

    def as_json(self) -> dict[str, object]:
        """The JSON form stored in the journal, without zeros."""
        counts = {name: getattr(self, name) for name in _COUNTS}
        return {name: count for name, count in (*counts.items(), ("skipped", dict(self.skipped))) if count}

    @classmethod
    def from_json(cls, stored: Mapping[str, object]) -> Accounts:
        """The inverse of `as_json`.

        >>> Accounts.from_json(Accounts(written=2, skipped=Counter(pdf=1)).as_json())
        Accounts(written=2, empty=0, failed=0, cut=0, size=0, damaged=0, lost=0, skipped=Counter({'pdf': 1}))
        """
        counts: dict[str, Any] = dict(stored)
        return cls(**{**counts, "skipped": Counter(counts.get("skipped", {}))})
