"""The step for datatrove."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import crawls
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def step() -> Any:
    pytest.importorskip("datatrove")
    from stupidos.scale.datatrove import StupidosCleaner

    return StupidosCleaner(model="keep-all", keep_empty=True)


def document(text: str, number: int) -> Any:
    from datatrove.data import Document

    return Document(text, f"doc{number}", metadata={"url": f"http://example.org/{number}"})


def test_a_document_continues_with_its_text(step: Any) -> None:
    (found,) = step.run([document("<title>T</title><p>Some words", 1)])
    assert found.text == "Some words\n"
    assert found.id == "doc1"
    assert found.metadata["url"] == "http://example.org/1"
    assert found.metadata["title"] == "T"
    assert found.metadata["model"] == "keep-all"
    assert "confidence" in found.metadata


def test_the_metadata_of_the_page_goes_to_the_document(step: Any) -> None:
    head = '<meta name="author" content="Jane Smith"><meta name="date" content="2023-12-22">'
    page = document(f"{head}<p>Tea", 1)
    page.metadata["date"] = "2024-01-01T00:00:00Z"  # datatrove's reader has the date of the crawl here
    (found,) = step.run([page])
    assert (found.metadata["authors"], found.metadata["date"]) == (["Jane Smith"], "2023-12-22")
    assert found.metadata["warc_date"] == "2024-01-01T00:00:00Z"
    assert len(found.metadata["text_sha1"]) == 40


def test_documents_without_text_are_dropped_unless_wanted(step: Any) -> None:
    documents = [document("<p>", 1), document("<p>Words", 2)]
    assert [one.text for one in step.run(documents)] == ["", "Words\n"]
    step.keep_empty = False
    assert [one.text for one in step.run([document("<p>", 1), document("<p>Words", 2)])] == ["Words\n"]


def counted(step: Any) -> dict[str, int]:
    """The stats of a step, by name."""
    return totals(step.stats.to_dict()["stats"])


def totals(stats: dict[str, Any]) -> dict[str, int]:
    """Stats as datatrove writes them: a number, or a dictionary for those with a mean and a range."""
    return {name: stat for name, stat in stats.items() if isinstance(stat, int)}


def test_every_document_is_accounted_for(step: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stupidos.scale.datatrove.MAX_PAGE_BYTES", 1000)
    step.keep_empty = False
    pages = ["<p>Words", "<p>", "<p>" + "word " * 999]
    broken = document("", 4)
    broken.text = b"\x89PNG\r\n\x1a\n"  # the cleaner refuses what is no text
    found = list(step.run([*(document(text, number) for number, text in enumerate(pages)), broken]))
    assert [one.id for one in found] == ["doc0", "doc2"]
    assert counted(step) == {
        "total": 4, "forwarded": 2, "dropped": 2,
        "read": 4, "written": 2, "empty": 1, "failed": 1, "cut": 1,
    }  # fmt: skip


def test_a_pipeline_from_warc_to_jsonl_loses_nothing(tmp_path: Path) -> None:
    pytest.importorskip("datatrove")
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import WarcReader
    from datatrove.pipeline.writers import JsonlWriter

    from stupidos.scale.datatrove import StupidosCleaner

    (tmp_path / "in").mkdir()
    for name, numbers in (("a", range(4)), ("b", range(4, 9))):
        records = [crawls.record(number, page(number)) for number in numbers]
        crawls.write(tmp_path / "in" / f"{name}.warc.gz", crawls.packed(records))
    LocalPipelineExecutor(
        [
            WarcReader(str(tmp_path / "in"), glob_pattern="*.warc.gz"),
            StupidosCleaner("keep-all"),
            JsonlWriter(str(tmp_path / "out")),
        ],
        tasks=2,
        workers=2,
        logging_dir=str(tmp_path / "logs"),
    ).run()
    lines = [
        json.loads(line)
        for path in (tmp_path / "out").glob("*.jsonl.gz")
        for line in gzip.decompress(path.read_bytes()).splitlines()
    ]
    found = {one["id"]: (one["text"], one["metadata"]["title"], one["metadata"]["url"]) for one in lines}
    assert found == {
        f"<urn:uuid:{number}>": (
            f"This is page {number}.\n",
            f"Page {number}",
            f"http://example.org/{number}",
        )
        for number in range(9)
        if number != EMPTY
    }
    assert len(lines) == 8
    assert all(one["metadata"]["model"] == "keep-all" for one in lines)
    steps = json.loads((tmp_path / "logs" / "stats.json").read_text())
    (ours,) = (one["stats"] for one in steps if one["name"].endswith("stupidos"))
    assert totals(ours) == {
        "read": 9, "written": 8, "empty": 1, "total": 9, "forwarded": 8, "dropped": 1
    }  # fmt: skip


def test_our_reader_counts_what_gives_no_document(tmp_path: Path) -> None:
    pytest.importorskip("datatrove")
    from stupidos.scale.datatrove import StupidosWarcReader

    parts = crawls.packed(
        [
            crawls.record(0, page(0)),
            crawls.record(1, b"x", "Content-Type: image/png"),
            crawls.record(2, b"", "Content-Type: text/html"),
            crawls.record(3, b"\x89PNG\r\n\x1a\n" + bytes(50)),
            crawls.record(4, "Żółw".encode(), "Content-Type: text/plain", kind="conversion"),
            crawls.record(5, page(5)),
        ]
    )
    crawls.write(tmp_path / "a.warc.gz", [*parts[:-1], b"?" * 30, parts[-1]])
    reader = StupidosWarcReader(str(tmp_path))
    found = [(one.text, one.id, one.metadata) for one in reader.run(None)]
    assert [text for text, _, _ in found] == [page(0).decode(), "Żółw", page(5).decode()]
    assert found[0][2]["url"] == "http://example.org/0"
    assert found[1][2]["dump"] is True
    stats = {name: stat.total for name, stat in reader.stats.stats.items()}
    expected = {"skipped": 1, "empty": 1, "failed": 1, "damaged": 1, "lost": 30, "documents": 3}
    assert {name: stats[name] for name in expected} == expected


EMPTY = 6  # a page without text, in the second file


def page(number: int) -> bytes:
    body = "" if number == EMPTY else f"This is page {number}."
    return f"<!DOCTYPE html><html><head><title>Page {number}</title></head><body><p>{body}".encode()


def test_a_pipeline_runs_in_processes(tmp_path: Path) -> None:
    pytest.importorskip("datatrove")
    parquet = pytest.importorskip("pyarrow.parquet")
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.readers import ParquetReader
    from datatrove.pipeline.writers import ParquetWriter
    from pyarrow import Table

    from stupidos.scale.datatrove import StupidosCleaner

    (tmp_path / "in").mkdir()
    for name in "ab":
        table = Table.from_pylist([{"id": name, "text": f"<p>Page {name}"}])
        parquet.write_table(table, tmp_path / "in" / f"{name}.parquet")
    LocalPipelineExecutor(
        [
            ParquetReader(str(tmp_path / "in")),
            StupidosCleaner("keep-all"),
            ParquetWriter(str(tmp_path / "out")),
        ],
        tasks=2,
        workers=2,
        logging_dir=str(tmp_path / "logs"),
    ).run()
    found = parquet.read_table(tmp_path / "out").to_pylist()
    assert sorted((one["id"], one["text"]) for one in found) == [("a", "Page a\n"), ("b", "Page b\n")]
