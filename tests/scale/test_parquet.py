"""Parquet as an output."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import crawls
import pytest
import standin

from stupidos.errors import ExtraError
from stupidos.scale.batch import run
from stupidos.scale.job import Job
from stupidos.write import Style

parquet: Any = pytest.importorskip("pyarrow.parquet")


def test_a_parquet_file_has_a_row_a_page(tmp_path: Path, folder: Path) -> None:
    output = tmp_path / "out.parquet"
    run(Job((str(folder),), str(output), cleaner=standin.NAME))
    rows = parquet.read_table(output).to_pylist()
    assert len(rows) == 10
    assert rows[3]["text"] == "This is page 3.\n"
    assert rows[3]["url"] is None
    assert rows[7]["error"] == "ZeroDivisionError: as asked"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.parquet", "pages"]


def test_metadata_are_columns(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/tea.html").write_text(crawls.TOLD)
    run(Job((str(tmp_path / "pages"),), str(tmp_path / "out.parquet"), model="keep-all"))
    (row,) = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert {name: row[name] for name in crawls.METADATA} == crawls.METADATA


def test_without_metadata_columns_hold_what_fits_them_of_the_input(tmp_path: Path) -> None:
    told = {"title": 5, "date": "2026", "authors": "Jane", "tags": ["tea"], "rank": 7}
    (tmp_path / "in.jsonl").write_text(json.dumps({"html": "<p>Tea is hot.", **told}))
    style = Style("jsonl", metadata=False)
    run(Job((str(tmp_path / "in.jsonl"),), str(tmp_path / "out.parquet"), style=style, model="keep-all"))
    (row,) = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert (row["title"], row["date"], row["authors"], row["tags"]) == (None, "2026", None, ["tea"])
    assert json.loads(row["fields"]) == {"title": 5, "authors": "Jane", "rank": 7}


def test_a_row_says_why_its_page_is_truncated(tmp_path: Path, folder: Path) -> None:
    output = tmp_path / "out.parquet"
    run(Job((str(folder),), str(output), max_bytes=40, cleaner=standin.NAME))
    assert {row["truncated"] for row in parquet.read_table(output).to_pylist()} == {None, "max-bytes"}


def test_columns_are_the_same_without_any_page(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("pages", "empty"):
        run(Job((str(tmp_path / name),), str(tmp_path / f"{name}.parquet"), cleaner=standin.NAME))
    schemas = [parquet.read_schema(tmp_path / f"{name}.parquet") for name in ("pages", "empty")]
    assert schemas[0] == schemas[1]


def test_the_format_of_the_text_is_a_column_when_asked_for(tmp_path: Path, folder: Path) -> None:
    style = Style("jsonl", text_format="html")
    run(Job((str(folder),), str(tmp_path / "out.parquet"), style=style, cleaner=standin.NAME))
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert rows[3]["format"] == "html"
    assert "<p>This is page 3.</p>" in rows[3]["text"]


def test_segments_are_a_column_when_asked_for(tmp_path: Path, folder: Path) -> None:
    style = Style("jsonl", segments=True)
    run(Job((str(folder),), str(tmp_path / "out.parquet"), style=style, cleaner=standin.NAME))
    rows = parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [one["text"] for one in rows[3]["segments"]] == ["This is page 3."]
    assert rows[7]["segments"] == []


def test_a_package_that_is_missing_is_asked_for_at_once(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ExtraError, match=r"pip install '\.\[arrow\]'"):
        run(Job((str(folder),), str(tmp_path / "out.parquet"), cleaner=standin.NAME))
    assert not (tmp_path / "out.parquet.parts").exists()
