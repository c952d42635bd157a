"""Spark: tables of pages and WARC files cleaned on a cluster, without a shuffle.

    from stupidos.scale.spark import clean_table, clean_warcs

    clean_table(spark.read.parquet("s3://..."), column="html").write.parquet("s3://...")
    clean_warcs(spark, ["s3://commoncrawl/....warc.gz", ...]).write.parquet("s3://...")

Both stand on `mapInArrow`: pages go to Python and back in columns. The models are loaded once a
worker process. A page that fails has a row with its error, and the job goes on. What is no page has no
row; `SparkAccounts` counts it, and says where files are damaged:

    accounts = SparkAccounts(spark)
    clean_warcs(spark, paths, accounts=accounts).write.parquet("s3://...")
    print(accounts.total().summary())
    accounts.table(spark).show()
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stupidos.errors import ExtraError, StupidosError
from stupidos.scale.files import printable_path
from stupidos.scale.job import Job
from stupidos.scale.page_task import PageTask, quiet
from stupidos.scale.parquet import pyarrow, schema
from stupidos.scale.source_items import MAX_BYTES, Damage, Raw, Skipped
from stupidos.scale.spark_accounts import FileAccounts, SparkAccounts
from stupidos.scale.warc import whole_file
from stupidos.scale.workers import one_thread
from stupidos.write.records import METADATA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ROWS = 64  # pages that go back to Spark at once
# to a table's columns
ADDED = ("title", *METADATA, "text", "text_sha1", "encoding", "model", "model_sha256", "confidence",
         "truncated", "error")  # fmt: skip
SOURCE = "source"  # column with the WARC file of a page
JOB = Job(())

__all__ = ["SparkAccounts", "clean_table", "clean_warcs"]

Batches = Iterator[Any]  # of Arrow


def clean_table(table: DataFrame, column: str = "html", job: Job = JOB) -> DataFrame:
    """The table with the page in `column` (text or bytes) replaced by what it says.

    All other columns stay; those of a JSONL record are added, from title to error (see ADDED), and replace
    columns of the same names.
    `job` holds model, options and limits; its inputs and output are not used. Spark hands 10,000 rows
    at once to Python, which may be a gigabyte: `spark.sql.execution.arrow.maxRecordsPerBatch` makes it fewer.
    """
    if column not in table.columns:
        raise StupidosError(f"no column called {column}: there are {', '.join(table.columns)}")
    prepare(table.sparkSession)
    kept = [name for name in table.columns if name != column and name not in added(job)]
    empty = spark_schema([schema(job.style.segments).field(name) for name in added(job)])
    columns = type(table.schema)([table.schema[name] for name in kept] + list(empty))
    return table.mapInArrow(table_cleaner(column, kept, job), columns)


def clean_warcs(
    spark: SparkSession, paths: Sequence[str], job: Job = JOB, accounts: SparkAccounts | None = None
) -> DataFrame:
    """A table of the pages in WARC files, a task a file; local paths or URLs that fsspec knows.

    Its columns are those of a JSONL record, and the file as `source`. A file that cannot be read is a
    row with an error. `accounts` are complete when the table has been written or collected.
    """
    prepare(spark)
    arrow = pyarrow()
    fields = [arrow.field(SOURCE, arrow.string()), *schema(job.style.segments)]
    table = spark.createDataFrame(list(enumerate(paths)), "number long, path string")
    one_each = table.repartitionByRange(max(len(paths), 1), "number")  # round robin would give some two
    return one_each.mapInArrow(warc_cleaner(job, accounts), spark_schema(fields))


def added(job: Job) -> tuple[str, ...]:
    return (*ADDED, "segments") if job.style.segments else ADDED


def spark_schema(fields: Iterable[Any]) -> Any:
    """Arrow's fields in the words of Spark."""
    try:
        from pyspark.sql.pandas.types import from_arrow_schema
    except ImportError:
        raise ExtraError('Spark needs pyspark: pip install "stupidos[spark]"') from None
    return from_arrow_schema(pyarrow().schema(list(fields)))


def table_cleaner(column: str, kept: list[str], job: Job) -> Callable[[Batches], Batches]:
    """The function that a worker runs over the batches of a table."""

    def clean(batches: Batches) -> Batches:
        task, names = task_of(job), added(job)
        types = schema(job.style.segments)
        for batch in batches:
            rows = batch.num_rows
            for start in range(0, rows, ROWS):
                some = batch.slice(start, ROWS)
                ids, urls = (texts(some, name) for name in ("id", "url"))
                with quiet():
                    pages = zip(ids, some.column(column).to_pylist(), urls, strict=True)
                    records = [task.record(page(*one, job.most)) for one in pages]
                made = pyarrow().RecordBatch.from_pylist(records, types)
                yield pyarrow().RecordBatch.from_arrays(
                    [some.column(name) for name in kept] + [made.column(name) for name in names],
                    names=[*kept, *names],
                )

    return clean


def texts(batch: Any, name: str) -> list[str]:
    """A column as text; empty where there is none."""
    if name not in batch.schema.names:
        return [""] * batch.num_rows
    return ["" if value is None else str(value) for value in batch.column(name).to_pylist()]


def page(id: str, data: str | bytes | None, url: str, most: int) -> Raw:
    """The page in a row.

    >>> page("7", None, "", 100).error
    'no page'
    """
    if data is None:
        return Raw(id, url=url, error="no page")
    return Raw(id, data[:most], url, truncated=MAX_BYTES if len(data) > most else "")


def warc_cleaner(job: Job, accounts: SparkAccounts | None = None) -> Callable[[Batches], Batches]:
    """The function that a worker runs over the paths of WARC files."""

    def clean(batches: Batches) -> Batches:
        arrow = pyarrow()
        fields = arrow.schema([arrow.field(SOURCE, arrow.string()), *schema(job.style.segments)])
        task = task_of(job)
        for batch in batches:
            for path in batch.column("path").to_pylist():
                file = FileAccounts()
                rows = ({SOURCE: path, **record} for record in records_of(path, task, file))
                with quiet():
                    while some := list(islice(rows, ROWS)):
                        yield arrow.RecordBatch.from_pylist(some, fields)
                if accounts is not None:
                    accounts.add(path, file)

    return clean


def records_of(path: str, task: PageTask, file: FileAccounts) -> Iterator[dict[str, object]]:
    """The records of a WARC file's pages, all else being counted; one with an error if it cannot be read."""
    try:
        for found in whole_file(path).items(task.job.most):
            if isinstance(found, Raw):
                yield task.record(found, file.accounts)
            elif isinstance(found, Skipped):
                file.accounts.skip(found.kind)
            elif isinstance(found, Damage):
                file.damage(found)
    except (OSError, StupidosError) as error:
        yield task.record(Raw(printable_path(path), error=str(error)), file.accounts)


@lru_cache(maxsize=2)
def task_of(job: Job) -> PageTask:
    """The page task of this worker process, kept for all of its Spark tasks: models take time to load."""
    return PageTask(job)


def prepare(spark: SparkSession) -> None:
    """Let local workers be this Python with these packages; clusters know better.

    Otherwise Spark starts whatever `python3` is first on the path, which has no pyarrow.
    """
    context = getattr(spark, "_sc", None)  # none behind Spark Connect
    if context is None or not context.master.startswith("local"):
        return
    if "PYSPARK_PYTHON" not in os.environ:
        context.pythonExec = sys.executable
    for name, value in one_thread().items():
        context.environment.setdefault(name, value)
    here = str(Path(__file__).resolve().parents[2])
    known = context.environment.get("PYTHONPATH", "").split(os.pathsep)
    context.environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([here, *filter(None, known)]))
