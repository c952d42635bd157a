"""What became of the input: read = written + empty + failed, what was skipped, what is damaged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from stupidos.scale.source_items import Damage

KINDS_SHOWN = 6  # kinds of skipped records in the summary line, the commonest first
MOST_KINDS = 200  # content types are whatever servers say; beyond so many they are counted together
OTHER = "other"
COUNTS = ("written", "empty", "failed", "cut", "size", "damaged", "lost")


Fate = Literal["written", "empty", "failed"]


@dataclass(slots=True)
class Accounts:
    """Counts of pages; every page read is in exactly one of written, empty and failed."""

    written: int = 0
    empty: int = 0  # nothing on the page was worth keeping
    failed: int = 0
    cut: int = 0  # written, empty or failed like any other, but truncated
    size: int = 0  # bytes of the pages read, unpacked
    damaged: int = 0  # places in archives that hold no readable record, or a broken one
    lost: int = 0  # bytes of archives, as they lie on the disk, from such a place to the next record
    skipped: Counter[str] = field(default_factory=Counter)  # what is no page, by its kind

    @property
    def complete(self) -> bool:
        """Whether everything was read and nothing failed: what an exit code of 0 says."""
        return not self.failed and not self.damaged and not self.lost

    @property
    def read(self) -> int:
        return self.written + self.empty + self.failed

    def count(self, fate: Fate, truncated: bool, size: int) -> None:
        """Enter a page of so many bytes."""
        setattr(self, fate, getattr(self, fate) + 1)
        self.cut += truncated
        self.size += size

    def skip(self, kind: str, number: int = 1) -> None:
        """Count what was passed over; a kind is a content type, `HTTP 404`, `broken record` ..."""
        self.skipped[kind if kind in self.skipped or len(self.skipped) < MOST_KINDS else OTHER] += number

    def damage(self, gap: Damage) -> None:
        """Count a place that cannot be read."""
        self.damaged += 1
        self.lost += gap.end - gap.start

    def add(self, other: Accounts) -> None:
        """Take another account in.

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
        """One line for people."""
        line = f"read {self.read} = written {self.written} + empty {self.empty} + failed {self.failed}"
        if self.damaged or self.lost:
            line += f"; damaged {self.damaged} ({self.lost} bytes of archives)"
        if self.cut:
            line += f"; cut {self.cut}"
        if self.skipped:
            kinds = sorted(self.skipped.items(), key=lambda kind: (-kind[1], kind[0]))
            shown = [f"{name} {number}" for name, number in kinds[:KINDS_SHOWN]]
            shown += [f"{len(kinds) - KINDS_SHOWN} other kinds"] if len(kinds) > KINDS_SHOWN else []
            line += f"; skipped {self.skipped.total()} ({', '.join(shown)})"
        return line

    def as_json(self) -> dict[str, object]:
        """The form that the journal keeps; zeros are left out."""
        counts = {name: getattr(self, name) for name in COUNTS}
        return {name: count for name, count in (*counts.items(), ("skipped", dict(self.skipped))) if count}

    @classmethod
    def from_json(cls, found: Mapping[str, object]) -> Accounts:
        """The account that `as_json` gave.

        >>> Accounts.from_json(Accounts(written=2, skipped=Counter(pdf=1)).as_json())
        Accounts(written=2, empty=0, failed=0, cut=0, size=0, damaged=0, lost=0, skipped=Counter({'pdf': 1}))
        """
        counts: dict[str, Any] = dict(found)
        return cls(**{**counts, "skipped": Counter(counts.get("skipped", {}))})
