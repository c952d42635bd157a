"""Accounts of the files of a Spark job, each counted once even if Spark reruns its task."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stupidos.errors import missing_extra
from stupidos.scale.accounts import Accounts
from stupidos.scale.source_items import Damage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_MAX_GAPS_LISTED = 100  # damaged places listed per file; all are counted
_COLUMNS = "source string, what string, reason string, start long, end long, number long"


@dataclass(slots=True)
class FileAccounts:
    """The accounts of one file and its damaged places."""

    accounts: Accounts = field(default_factory=Accounts)
    gaps: list[Damage] = field(default_factory=list)

    def damage(self, gap: Damage) -> None:
        self.accounts.damage(gap)
        if len(self.gaps) < _MAX_GAPS_LISTED:
            self.gaps.append(gap)


class SparkAccounts:
    """The accounts of all files, collected from the workers in an accumulator.

    Spark may run a task more than once: retries, speculative execution, a second evaluation of the table. The
    accumulator is a dictionary by file, so that a file counts once. Spark Connect has no accumulators and is
    not supported.
    """

    def __init__(self, spark: SparkSession) -> None:
        try:
            from pyspark.accumulators import AccumulatorParam
        except ImportError:
            raise missing_extra("Spark needs pyspark", "spark") from None

        class Union(AccumulatorParam):  # type: ignore[type-arg, misc, unused-ignore]  # with and without pyspark
            def zero(self, value: dict[str, FileAccounts]) -> dict[str, FileAccounts]:
                return {}

            def addInPlace(  # name given by Spark
                self, value1: dict[str, FileAccounts], value2: dict[str, FileAccounts]
            ) -> dict[str, FileAccounts]:
                value1.update(value2)
                return value1

        self._files: Any = spark.sparkContext.accumulator({}, Union())

    def add(self, path: str, file: FileAccounts) -> None:
        """Send the accounts of a file to the driver; called by a worker."""
        self._files.add({path: file})

    @property
    def files(self) -> dict[str, FileAccounts]:
        """The accounts of each file read so far, by path."""
        return dict(self._files.value)

    def total(self) -> Accounts:
        """The accounts of all files together."""
        total = Accounts()
        for file in self.files.values():
            total.add(file.accounts)
        return total

    def table(self, spark: SparkSession) -> DataFrame:
        """Records without a page: one row per file and kind of skipped record, one per damaged place."""
        return spark.createDataFrame(self.rows(), _COLUMNS)

    def rows(self) -> list[tuple[str, str, str, int | None, int | None, int]]:
        """The rows of `table`."""
        rows: list[tuple[str, str, str, int | None, int | None, int]] = []
        for path, file in sorted(self.files.items()):
            kinds = sorted(file.accounts.skipped.items())
            rows += [(path, "skipped", kind, None, None, number) for kind, number in kinds]
            rows += [(path, "damaged", gap.reason, gap.start, gap.end, 1) for gap in file.gaps]
        return rows
