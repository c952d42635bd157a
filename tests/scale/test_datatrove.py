"""The step for datatrove."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def test_a_document_goes_on_with_its_text(step: Any) -> None:
    (found,) = step.run([document("<title>T</title><p>Some words", 1)])
    assert found.text == "Some words\n"
    assert found.id == "doc1"
    assert found.metadata["url"] == "http://example.org/1"
    assert found.metadata["title"] == "T"
    assert found.metadata["model"] == "keep-all"
    assert "confidence" in found.metadata


def test_documents_without_text_are_dropped_unless_wanted(step: Any) -> None:
    documents = [document("<p>", 1), document("<p>Words", 2)]
    assert [one.text for one in step.run(documents)] == ["", "Words\n"]
    step.keep_empty = False
    assert [one.text for one in step.run([document("<p>", 1), document("<p>Words", 2)])] == ["Words\n"]


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
