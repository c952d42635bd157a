"""What the tests of crawls share: small units, and a folder of pages of every fate."""

from __future__ import annotations

from pathlib import Path

import pytest

from stupidos.scale import batch, compression, jsonl, sources, warc

DEED = "<p>Dear stand-in, "


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Units of three pages, each in the journal at once."""
    monkeypatch.setattr(sources, "_MAX_UNIT_FILES", 3)
    monkeypatch.setattr(jsonl, "_MAX_UNIT_LINES", 3)
    monkeypatch.setattr(warc, "_RANGE_BYTES", {compression.GZIP: 1500, warc.PREFIX: 3000})
    monkeypatch.setattr(batch, "_COMMIT_SECONDS", 0.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Ten pages; the fifth has no text, the eighth raises an error."""
    folder = tmp_path / "pages"
    for number in range(10):
        path = folder / f"part{number // 4}" / f"{number}.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<title>Page {number}</title><p>Menu<p>This is page {number}.")
    (folder / "part1" / "4.html").write_text("<p>Menu")
    (folder / "part1" / "7.html").write_text(f"{DEED}raise")
    return folder
