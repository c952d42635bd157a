"""Clean tables of pages and WARC files with Spark, without a shuffle.

    from stupidos.scale.spark import clean_table, clean_warcs

    clean_table(spark.read.parquet("s3://..."), column="html").write.parquet("s3://...")
    clean_warcs(spark, ["s3://commoncrawl/....warc.gz", ...]).write.parquet("s3://...")

`Job.languages` keeps the pages in some languages: the others have no row in a table of WARC files, and are
counted; in a table of pages they keep their row, with an error.

Both use `mapInArrow`, which exchanges columns with Python. Models are loaded once per worker process. A page
that fails becomes a row with its error, and the job continues. Records that are not pages have no row;
`SparkAccounts` counts them and lists where files are damaged:

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

from stupidos.decode import quietly
from stupidos.errors import StupidosError, missing_extra
from stupidos.scale.files import printable_path
from stupidos.scale.job import Job
from stupidos.scale.page_task import PageTask, count
from stupidos.scale.parquet import pyarrow, schema
from stupidos.scale.source_items import MAX_BYTES, Damage, Raw, Skipped
from stupidos.scale.spark_accounts import FileAccounts, SparkAccounts
from stupidos.scale.warc import whole_file
from stupidos.scale.workers import one_thread
from stupidos.write.records import CONFIDENCE, METADATA_FIELDS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_ROWS = 64  # pages that go back to Spark at once
# to a table's columns
_ADDED = (*METADATA_FIELDS, "text", "text_sha1", "encoding", "model", "model_sha256", *CONFIDENCE,
         "truncated", "error")  # fmt: skip
_SOURCE = "source"  # column with the WARC file of a page
_JOB = Job(())

__all__ = ["SparkAccounts", "clean_table", "clean_warcs"]

_Batches = Iterator[Any]  # Arrow record batches


def clean_table(table: DataFrame, column: str = "html", job: Job = _JOB) -> DataFrame:
    """Clean the pages in `column` (text or bytes) of a table.

    The column is dropped; those of a JSONL record are added, from title (or text) to error, and replace
    columns of the same names. All other columns stay. `job` provides model, options and limits; its inputs
    and output are ignored. Spark passes 10,000 rows at once to Python, possibly a gigabyte; reduce
    `spark.sql.execution.arrow.maxRecordsPerBatch` if so.
    """
    if column not in table.columns:
        raise StupidosError(f"no column called {column}: there are {', '.join(table.columns)}")
    _prepare(table.sparkSession)
    kept = [name for name in table.columns if name != column and name not in _added(job)]
    empty = _spark_schema([schema(job.style.segments).field(name) for name in _added(job)])
    columns = type(table.schema)([table.schema[name] for name in kept] + list(empty))
    return table.mapInArrow(_table_cleaner(column, kept, job), columns)


def clean_warcs(
    spark: SparkSession, paths: Sequence[str], job: Job = _JOB, accounts: SparkAccounts | None = None
) -> DataFrame:
    """A table of the pages in WARC files, one task per file; local paths or URLs that fsspec supports.

    The columns are the fields of a JSONL record, and the file as `source`. A file that cannot be read becomes
    a row with an error. `accounts` are complete once the table has been written or collected.
    """
    _prepare(spark)
    arrow = pyarrow()
    fields = [arrow.field(_SOURCE, arrow.string()), *schema(job.style.segments)]
    table = spark.createDataFrame(list(enumerate(paths)), "number long, path string")
    one_each = table.repartitionByRange(max(len(paths), 1), "number")  # round robin would give some tasks two
    return one_each.mapInArrow(_warc_cleaner(job, accounts), _spark_schema(fields))


def _added(job: Job) -> tuple[str, ...]:
    added = _ADDED if job.style.metadata else [name for name in _ADDED if name not in METADATA_FIELDS]
    return (*added, "segments") if job.style.segments else tuple(added)


def _spark_schema(fields: Iterable[Any]) -> Any:
    """Convert Arrow fields to a Spark schema."""
    try:
        from pyspark.sql.pandas.types import from_arrow_schema
    except ImportError:
        raise missing_extra("Spark needs pyspark", "spark") from None
    return from_arrow_schema(pyarrow().schema(list(fields)))


def _table_cleaner(column: str, kept: list[str], job: Job) -> Callable[[_Batches], _Batches]:
    """The function that a worker runs over the batches of a table."""

    def clean(batches: _Batches) -> _Batches:
        task, names = _task_of(job), _added(job)
        types = schema(job.style.segments)
        for batch in batches:
            rows = batch.num_rows
            for start in range(0, rows, _ROWS):
                some = batch.slice(start, _ROWS)
                ids, urls = (_texts(some, name) for name in ("id", "url"))
                with quietly():
                    pages = zip(ids, some.column(column).to_pylist(), urls, strict=True)
                    records = [task.record(_page(*one, job.max_bytes)) for one in pages]
                cleaned = pyarrow().RecordBatch.from_pylist(records, types)
                yield pyarrow().RecordBatch.from_arrays(
                    [some.column(name) for name in kept] + [cleaned.column(name) for name in names],
                    names=[*kept, *names],
                )

    return clean


def _texts(batch: Any, name: str) -> list[str]:
    """A column as text; empty strings for nulls, or if there is no such column."""
    if name not in batch.schema.names:
        return [""] * batch.num_rows
    return ["" if value is None else str(value) for value in batch.column(name).to_pylist()]


def _page(id: str, data: str | bytes | None, url: str, most: int) -> Raw:
    """The page of a row.

    >>> _page("7", None, "", 100).error
    'no page'
    """
    if data is None:
        return Raw(id, url=url, error="no page")
    return Raw(id, data[:most], url, truncated=MAX_BYTES if len(data) > most else "")


def _warc_cleaner(job: Job, accounts: SparkAccounts | None = None) -> Callable[[_Batches], _Batches]:
    """The function that a worker runs over the paths of WARC files."""

    def clean(batches: _Batches) -> _Batches:
        arrow = pyarrow()
        fields = arrow.schema([arrow.field(_SOURCE, arrow.string()), *schema(job.style.segments)])
        task = _task_of(job)
        for batch in batches:
            for path in batch.column("path").to_pylist():
                file = FileAccounts()
                rows = ({_SOURCE: path, **record} for record in _records_of(path, task, file))
                with quietly():
                    while some := list(islice(rows, _ROWS)):
                        yield arrow.RecordBatch.from_pylist(some, fields)
                if accounts is not None:
                    accounts.add(path, file)

    return clean


def _records_of(path: str, task: PageTask, file: FileAccounts) -> Iterator[dict[str, object]]:
    """The records of the pages of a WARC file, or one error record; everything else is counted."""
    try:
        for item in whole_file(path).items(task.job.max_bytes):
            if isinstance(item, Raw):
                document = task.document(item)
                count(file.accounts, document, len(item.data))
                if not document.skipped:
                    yield task.record_of(document)
            elif isinstance(item, Skipped):
                file.accounts.skip(item.kind)
            elif isinstance(item, Damage):
                file.damage(item)
    except (OSError, StupidosError) as error:
        yield task.record(Raw(printable_path(path), error=str(error)), file.accounts)


@lru_cache(maxsize=2)
def _task_of(job: Job) -> PageTask:
    """The page task of this worker process, shared by its Spark tasks since models are slow to load."""
    return PageTask(job)


def _prepare(spark: SparkSession) -> None:
    """Make local workers use this Python interpreter and its packages; a cluster has its own settings.

    Otherwise Spark starts the first `python3` on the path, which may lack pyarrow.
    """
    context = getattr(spark, "_sc", None)  # None with Spark Connect
    if context is None or not context.master.startswith("local"):
        return
    if "PYSPARK_PYTHON" not in os.environ:
        context.pythonExec = sys.executable
    for name, value in one_thread().items():
        context.environment.setdefault(name, value)
    here = str(Path(__file__).resolve().parents[2])
    known = context.environment.get("PYTHONPATH", "").split(os.pathsep)
    context.environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([here, *filter(None, known)]))
