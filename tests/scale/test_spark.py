"""A real Spark on two cores: the same rows for any number of partitions, whatever the pages do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha1
from pathlib import Path
from typing import Any

import crawls
import pytest
import standin

from stupidos.errors import StupidosError
from stupidos.scale.job import Job
from stupidos.write import Style
from stupidos.write.records import METADATA

pytestmark = pytest.mark.spark

JOB = Job((), cleaner=standin.NAME, seconds=0.5)
PAGES = [
    (number, f"<title>T{number}</title><p>Menu<p>This is page {number}.", number % 7) for number in range(40)
]
PAGES[11] = (11, "<p>Dear stand-in, raise", 4)
PAGES[12] = (12, "<p>Dear stand-in, loop", 5)
PAGES[13] = (13, None, 6)  # type: ignore[assignment]


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    pytest.importorskip("pyspark")
    from pyspark.sql import SparkSession

    here = str(Path(__file__).parent)  # where the workers find the stand-in
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
        .config("spark.executorEnv.PYTHONPATH", here)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    session.sparkContext.environment["PYTHONPATH"] = here
    yield session
    session.stop()


def rows(table: Any, key: str = "id") -> list[dict[str, Any]]:
    return [row.asDict(recursive=True) for row in sorted(table.collect(), key=lambda row: row[key])]


@pytest.mark.parametrize("partitions", [1, 4])
def test_a_table_keeps_its_rows_and_gains_columns(spark: Any, partitions: int) -> None:
    from stupidos.scale.spark import clean_table

    table = spark.createDataFrame(PAGES, "id int, html string, rest int").repartition(partitions)
    found = rows(clean_table(table, job=JOB))
    assert [row["id"] for row in found] == list(range(40))
    told = {name: value for name, value in found[3].items() if name not in METADATA or value is not None}
    assert told == {
        "id": 3,
        "rest": 3,
        "title": "T3",
        "text": "This is page 3.\n",
        "text_sha1": sha1(b"This is page 3.\n").hexdigest(),
        "encoding": "unicode",
        "model": "keep-all",
        "model_sha256": "",
        "confidence": 0.75,
        "expected_precision": 0.75,
        "expected_recall": 0.75,
        "truncated": None,
        "error": None,
    }
    assert set(METADATA) < set(found[3])
    assert [row["error"] for row in found[11:14]] == [
        "ZeroDivisionError: as asked",
        "needs more than 0.5 s",
        "no page",
    ]
    assert sum(row["error"] is not None for row in found) == 3


def test_metadata_are_columns(spark: Any) -> None:
    from stupidos.scale.spark import clean_table

    table = spark.createDataFrame([(crawls.TOLD,)], "html string")
    (row,) = rows(clean_table(table, job=Job((), model="keep-all")), "title")
    assert {name: row[name] for name in crawls.METADATA} == crawls.METADATA


def test_without_metadata_the_columns_of_the_table_stay(spark: Any) -> None:
    from stupidos.scale.spark import clean_table

    table = spark.createDataFrame([("1", "Own title", crawls.TOLD)], "id string, title string, html string")
    (row,) = clean_table(table, job=Job((), model="keep-all", style=Style("jsonl", metadata=False))).collect()
    assert row.title == "Own title"
    assert "authors" not in row.asDict()
    assert row.text


def test_pages_in_other_languages_are_counted_and_have_no_row(spark: Any, tmp_path: Path) -> None:
    from stupidos.scale.spark import SparkAccounts, clean_warcs

    languages = ("Content-Language: de", "Content-Language: en")
    crawls.write(tmp_path / "a.warc", [crawls.record(n, b"<p>7 7", one) for n, one in enumerate(languages)])
    accounts = SparkAccounts(spark)
    job = Job((), model="keep-all", languages=("de",))
    (row,) = clean_warcs(spark, [str(tmp_path / "a.warc")], job, accounts).collect()
    assert (row["language"], row["language_source"]) == ("de", "declared")
    assert "skipped 1 (language en 1)" in accounts.total().summary()


@pytest.mark.parametrize("model", ["stupidos-2007", "boilerpipe", "bte", "tree", "fiasco"])
def test_systems_of_the_literature_clean_a_table(spark: Any, checkout: Path, model: str) -> None:
    from stupidos.pipeline import Cleaner
    from stupidos.scale.spark import clean_table

    page = (checkout / "training/raw/news.html").read_text(encoding="utf-8")
    table = spark.createDataFrame([(page,)], "html string")
    (row,) = clean_table(table, job=Job((), model=model)).collect()
    assert (row["error"], row["model"]) == (None, model)
    assert row["text"] == Cleaner.load(model).extract(page).text


def test_bytes_are_decoded(spark: Any) -> None:
    from stupidos.scale.spark import clean_table

    data = bytearray("<meta charset=iso-8859-2><p>Żółw".encode("iso-8859-2"))
    table = spark.createDataFrame([(data,)], "raw binary")
    (row,) = clean_table(table, "raw", JOB).collect()
    assert row["text"] == "Żółw\n"


def test_segments_come_when_asked_for(spark: Any) -> None:
    from stupidos.scale.spark import clean_table

    job = Job((), cleaner=standin.NAME, style=Style("jsonl", segments=True))
    (row,) = clean_table(spark.createDataFrame([("<h1>A</h1><p>B",)], "html string"), job=job).collect()
    assert [(one["text"], one["kind"], one["keep"]) for one in row["segments"]] == [
        ("A", "h", True),
        ("B", "p", True),
    ]


def test_a_column_that_is_not_there_is_named(spark: Any) -> None:
    from stupidos.scale.spark import clean_table

    with pytest.raises(StupidosError, match="no column called html: there are id"):
        clean_table(spark.range(1))


def test_crawls_give_a_row_a_page_whatever_the_partitions(spark: Any, tmp_path: Path) -> None:
    from stupidos.scale.spark import clean_warcs

    paths = []
    for name in "abc":
        parts = [*crawls.records(100), crawls.record(7, b"\x89PNG", "Content-Type: image/png")]
        parts[5] = crawls.record(5, b"<p>Dear stand-in, raise")
        paths.append(crawls.write(tmp_path / f"{name}.warc.gz", crawls.packed(parts)))
    paths.append(str(tmp_path / "none.warc.gz"))
    several = sorted(map(tuple, clean_warcs(spark, paths, JOB).collect()), key=str)
    one = sorted(map(tuple, clean_warcs(spark, paths, JOB).coalesce(1).collect()), key=str)
    assert several == one
    assert len(one) == 301
    assert clean_warcs(spark, paths, JOB).selectExpr("spark_partition_id() as id").distinct().count() == 4
    failed = [row for row in one if row[-1]]
    assert [row[0] for row in failed if "ZeroDivision" in row[-1]] == paths[:3]
    assert [row[0] for row in failed if "No such file" in row[-1]] == paths[3:]


def test_a_record_without_a_page_is_counted_once(spark: Any, tmp_path: Path) -> None:
    from stupidos.scale.spark import SparkAccounts, clean_warcs

    records = crawls.packed(crawls.records(40))
    png = crawls.packed([crawls.record(7, b"\x89PNG", "Content-Type: image/png")])
    empty = crawls.packed([b""])
    joined = crawls.write(tmp_path / "a.warc.gz", [*records[:10], *empty, *records[10:], *png])
    cut = crawls.write(tmp_path / "b.warc.gz", [b"".join([*png, *records])[:-60]])
    accounts = SparkAccounts(spark)
    table = clean_warcs(spark, [joined, cut], JOB, accounts)
    assert len(table.collect()) == table.count() == 80
    total = accounts.total()
    assert (total.read, total.written, total.damaged, total.skipped["image/png"]) == (80, 80, 1, 2)
    rows = [tuple(row) for row in accounts.table(spark).collect()]
    assert [row[:2] for row in rows] == [(joined, "skipped"), (cut, "skipped"), (cut, "damaged")]
    assert rows[2][2] == "the file ends inside a gzip member"


def test_a_task_that_is_tried_again_counts_once(tmp_path: Path) -> None:
    """The first attempt dies after its accounts were sent; the second one gives the same."""
    pytest.importorskip("pyspark")
    path = crawls.write(tmp_path / "a.warc.gz", crawls.packed(crawls.records(5)))
    script = tmp_path / "retry.py"
    script.write_text(RETRY)
    command = [sys.executable, str(script), path, str(tmp_path / "mark"), str(BIN.parent)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "2 attempts, read 5 = written 5 + empty 0 + failed 0"


RETRY = """
import sys
from pathlib import Path
path, mark, checkout = sys.argv[1:]
sys.path.insert(0, checkout)
from pyspark import TaskContext
from pyspark.sql import SparkSession
from stupidos.scale.job import Job
from stupidos.scale.spark import SparkAccounts, clean_warcs
spark = SparkSession.builder.master("local[1,4]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
accounts = SparkAccounts(spark)
pages = clean_warcs(spark, [path], Job((), model="keep-all"), accounts)
def check(rows):
    rows = list(rows)
    with open(mark, "a") as file:
        file.write("x")
    if TaskContext.get().attemptNumber() == 0:
        raise RuntimeError("as asked")
    return rows
assert pages.rdd.mapPartitions(check).count() == 5
print(f"{len(Path(mark).read_text())} attempts, {accounts.total().summary()}")
spark.stop()
"""

BIN = Path(__file__).resolve().parents[2] / "bin"


def test_the_program_writes_parquet_from_tables(spark: Any, tmp_path: Path) -> None:
    table = spark.createDataFrame([(n, crawls.page(n).decode()) for n in range(3)], "id int, raw string")
    table.write.json(str(tmp_path / "pages.json"))
    source, output = str(tmp_path / "pages.json"), str(tmp_path / "out")
    command = [sys.executable, str(BIN / "stupidos-spark"), source, "-o", output, "--column", "raw"]
    done = subprocess.run([*command, "--model", "keep-all"], check=True, capture_output=True, text=True)
    assert "read 3 = written 3 + empty 0 + failed 0" in done.stderr
    found = spark.read.parquet(output).collect()
    assert sorted((row["id"], row["title"]) for row in found) == [(n, f"Page {n}") for n in range(3)]


def test_the_program_can_be_given_to_spark_submit(spark: Any, tmp_path: Path) -> None:
    submit = shutil.which("spark-submit", path=str(Path(sys.executable).parent))
    if submit is None:
        pytest.skip("no spark-submit beside this Python")
    png = crawls.record(7, b"\x89PNG", "Content-Type: image/png")
    crawls.write(tmp_path / "a.warc.gz", crawls.packed([*crawls.records(3), png]))
    (tmp_path / "paths").write_text("a.warc.gz\n")
    command = [submit, "--master", "local[2]", str(BIN / "stupidos-spark.py"), "--model", "keep-all"]
    command += ["--paths", str(tmp_path / "paths"), "--prefix", f"{tmp_path}/", "-o", str(tmp_path / "out")]
    environment = {**os.environ, "PYSPARK_DRIVER_PYTHON": sys.executable}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    assert "read 3 = written 3 + empty 0 + failed 0" in done.stdout  # spark-submit joins the streams
    assert "skipped 1 (image/png 1)" in done.stdout
    (skipped,) = spark.read.parquet(f"{tmp_path}/out/_skipped").collect()
    assert (skipped["what"], skipped["reason"], skipped["number"]) == ("skipped", "image/png", 1)
    found = spark.read.parquet(str(tmp_path / "out")).collect()
    assert sorted(row["url"] for row in found) == [f"http://example.org/{n}" for n in range(3)]
