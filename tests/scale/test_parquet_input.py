"""Parquet as input: a page per row."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest

from stupidos.cli import main

pytestmark = pytest.mark.usefixtures("forked")

PAGE = "<title>Rain</title><p>It rained for {} days, and the river rose over its banks.</p>"

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def written(path: Path, rows: list[dict[str, object]]) -> str:
    parquet.write_table(arrow.Table.from_pylist(rows), path, row_group_size=7)
    return str(path)


def cleaned(path: str, output: Path, *more: str) -> list[dict[str, object]]:
    main(["clean", path, "-o", str(output), *more])
    return [json.loads(line) for line in output.read_text().splitlines()]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_every_row_is_a_page(tmp_path: Path, jobs: str) -> None:
    rows = [{"id": number, "html": PAGE.format(number)} for number in range(3, 103)]
    found = cleaned(written(tmp_path / "in.parquet", rows), tmp_path / "out.jsonl", "--jobs", jobs)
    assert [record["id"] for record in found] == [str(number) for number in range(3, 103)]
    assert all("the river rose" in str(record["text"]) for record in found)


@pytest.mark.parametrize("page", [PAGE, PAGE.encode(), PAGE.encode("utf-16")], ids=["str", "utf-8", "utf-16"])
def test_the_page_may_be_text_or_bytes_of_any_field(tmp_path: Path, page: str | bytes) -> None:
    rows = [{"page": page, "fetched": datetime.datetime(2024, 5, 1), "url": "https://example.org/"}]
    path = written(tmp_path / "in.parquet", rows)
    (record,) = cleaned(path, tmp_path / "out.jsonl", "--field", "page")
    assert "the river rose" in str(record["text"])
    assert record["url"] == "https://example.org/"


def test_what_is_not_a_parquet_file_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.parquet").write_bytes(b"PAR1 and no more")
    assert main(["clean", str(tmp_path / "in.parquet"), "-o", str(tmp_path / "out.jsonl")]) == 1
    assert "in.parquet" in capsys.readouterr().err


def test_rows_without_a_page_are_failures(tmp_path: Path) -> None:
    path = written(tmp_path / "in.parquet", [{"html": PAGE}, {"html": None}])
    assert [bool(record["error"]) for record in cleaned(path, tmp_path / "out.jsonl")] == [False, True]
