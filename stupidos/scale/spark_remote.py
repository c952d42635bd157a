"""Write a Spark table as Parquet files behind a URL, by the workers and through fsspec.

Spark's own writer needs Java packages for S3 (`s3a://`); this one needs the extra `remote` only.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from stupidos.errors import StupidosError
from stupidos.scale.accounts import Accounts
from stupidos.scale.parquet import pyarrow
from stupidos.scale.remote import remove_all, some_file, upload

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_COUNTS = ("written", "empty", "failed")


def write_parquet(table: DataFrame, url: str, mode: str = "error") -> Accounts:
    """Write a table below a URL, a file for each partition; returns how many pages were written.

    A task that is tried again writes the same name. Files of an earlier run are an error, overwritten or kept
    (`mode` is "error", "overwrite" or "append").
    """
    url = url.rstrip("/")
    if mode == "error" and (name := some_file(url)):
        raise StupidosError(f"{name} is in the way: choose another output, or --mode overwrite")
    if mode == "overwrite":
        remove_all(url)
    counts = table.mapInArrow(_writer(url, uuid4().hex[:8]), ", ".join(f"{name} long" for name in _COUNTS))
    total = Accounts()
    for row in counts.collect():
        total.add(Accounts(**row.asDict()))
    return total


def _writer(url: str, run: str) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """The function that a worker runs over the batches of a partition."""

    def write(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        context = TaskContext.get()
        assert context is not None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "part"
            counts = _write_local(batches, path)
            if path.exists():
                upload(path, f"{url}/part-{context.partitionId():05}-{run}.zstd.parquet")
        yield pyarrow().RecordBatch.from_pylist([counts])

    return write


def _write_local(batches: Iterator[Any], path: Path) -> dict[str, int]:
    """Write batches to a file, unless there are no rows; the number of pages by what became of them."""
    counts = dict.fromkeys(_COUNTS, 0)
    writer = None
    for batch in batches:
        if not batch.num_rows:
            continue
        if writer is None:
            writer = pyarrow().parquet.ParquetWriter(path, batch.schema, compression="zstd")
        writer.write_batch(batch)
        for error, text in zip(_column(batch, "error"), _column(batch, "text"), strict=True):
            counts["failed" if error is not None else "written" if text else "empty"] += 1
    if writer is not None:
        writer.close()
    return counts


def _column(batch: Any, name: str) -> list[Any]:
    """A column as a list; empty values if there is none."""
    known = name in batch.schema.names
    return list(batch.column(name).to_pylist()) if known else [None] * batch.num_rows
