#!/usr/bin/env python3
"""Clean WARC files, or a table of pages, on Spark; Parquet comes out.

examples:
  spark-submit bin/stupidos-spark.py s3://bucket/a.warc.gz s3://bucket/b.warc.gz -o s3a://bucket/clean
  spark-submit bin/stupidos-spark.py --paths warc.paths.gz --prefix s3://commoncrawl/ -o s3a://bucket/clean
  bin/stupidos-spark pages.parquet --column html -o clean

Started by itself it uses the cores of this machine. WARC files are read by the workers through fsspec
(s3fs for s3://, a local path needs nothing), and write an output of s3:// the same way; tables are read, and
other output is written, by Spark.
What is not a page, and where files are damaged, is a table in OUTPUT/_skipped. The exit code is 1 if a page
failed or a file is damaged.
"""

from __future__ import annotations

import argparse
import gzip
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

if find_spec("stupidos") is None:  # a bare checkout
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from stupidos.scale.accounts import Accounts

ROWS_AT_ONCE = "spark.sql.execution.arrow.maxRecordsPerBatch"  # pages are larger than Spark thinks
SKIPPED = "_skipped"  # beside the pages; Spark passes over names that begin like this
BY_WORKERS = ("s3", "gs", "gcs", "az", "abfs", "memory")  # URLs that fsspec writes
COUNTS = (
    "count_if(error is null and text != '') as written",
    "count_if(error is null and text = '') as empty",
    "count(error) as failed",
)


def main() -> int:
    arguments = parser().parse_args()
    from stupidos.errors import StupidosError

    try:
        return clean(arguments)
    except StupidosError as error:
        print(f"stupidos-spark: {error}", file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="stupidos-spark", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("inputs", metavar="INPUT", nargs="*", help="WARC files, or one table")
    made.add_argument("-o", "--output", metavar="PATH", required=True, help="folder of Parquet files")
    made.add_argument("--paths", metavar="FILE", help="names of WARC files, a line each; may be .gz")
    made.add_argument("--prefix", metavar="URL", default="", help="put before each of these names")
    made.add_argument("--column", metavar="NAME", default="html", help="of the table, with the page")
    made.add_argument("--table", choices=("parquet", "json"), help="kind of the table, else by its name")
    made.add_argument("--model", metavar="NAME", help="a model of `stupidos models`, or a .npz file")
    made.add_argument("--segments", action="store_true", help="a column with the segments")
    made.add_argument("--timeout", metavar="S", type=float, default=10.0, help="processor time for a page")
    made.add_argument("--mode", choices=("error", "overwrite", "append"), default="error")
    return made


def clean(arguments: argparse.Namespace) -> int:
    from pyspark.sql import SparkSession

    from stupidos.scale.job import Job
    from stupidos.scale.remote import matching
    from stupidos.scale.source_items import WARC
    from stupidos.scale.spark import SparkAccounts, clean_table, clean_warcs
    from stupidos.write import Style

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    style = Style("jsonl", segments=arguments.segments)
    job = Job((), model=arguments.model, style=style, seconds=arguments.timeout)
    listed_names = listed(arguments.paths, arguments.prefix) if arguments.paths else ()
    names = [found for name in (*arguments.inputs, *listed_names) for found in matching(name)]
    session = SparkSession.builder.appName("stupidos").config(ROWS_AT_ONCE, "256")
    spark = session.getOrCreate()
    spark.sparkContext.setLogLevel("WARN")
    accounts = None
    if names and all(map(WARC.search, names)):
        accounts = SparkAccounts(spark)
        found = clean_warcs(spark, names, job, accounts)
    elif len(names) == 1:
        kind = arguments.table or ("json" if ".json" in names[0] else "parquet")
        found = clean_table(spark.read.format(kind).load(names[0]), arguments.column, job)
    else:
        parser().error("give WARC files, or one table")
    total = write(found, arguments.output, arguments.mode)
    if accounts is not None:
        total = accounts.total()
        write(accounts.table(spark).coalesce(1), f"{arguments.output}/{SKIPPED}", arguments.mode)
    print(f"stupidos-spark: {total.summary()}", file=sys.stderr)
    spark.stop()
    return 0 if total.complete else 1


def write(table: DataFrame, output: str, mode: str) -> Accounts:
    """Write a table by the workers (s3:// and other URLs of fsspec), or by Spark (paths, s3a://, hdfs://)."""
    if output.partition("://")[0] in BY_WORKERS:
        from stupidos.scale.spark_remote import write_parquet

        return write_parquet(table, output, mode)
    table.write.mode(mode).parquet(output)
    session = table.sparkSession
    return counted(session.read.parquet(output)) if "error" in table.columns else Accounts()


def counted(table: DataFrame) -> Accounts:
    """The accounts of a table that was written: all its rows are pages."""
    (counts,) = table.selectExpr(*COUNTS).collect()
    return Accounts(**counts.asDict())


def listed(path: str, prefix: str) -> list[str]:
    """Names in a file, such as Common Crawl's warc.paths.gz."""
    data = Path(path).read_bytes()
    text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode()
    return [prefix + name for name in text.split()]


if __name__ == "__main__":
    sys.exit(main())
