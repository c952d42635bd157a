"""JSON Lines as a source."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from stupidos.scale import lines
from stupidos.scale.lines import page, pieces
from stupidos.scale.raw import Raw


def found(path: Path, field: str | None = None) -> list[Raw]:
    return [one for piece in pieces(str(path), field) for one in piece.found(1000) if isinstance(one, Raw)]


def test_a_line_is_a_page(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    records = [{"id": "a", "url": "http://example.org", "html": "<p>A"}, {"html": "<p>B"}]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    assert found(path) == [Raw("a", "<p>A", "http://example.org"), Raw(f"{path}:2", "<p>B")]


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_packed_lines_are_read(tmp_path: Path, suffix: str) -> None:
    pack = gzip.compress if suffix == ".gz" else pytest.importorskip("zstandard").compress
    path = tmp_path / f"pages.jsonl{suffix}"
    path.write_bytes(pack(b'{"html": "<p>A"}\n') + pack(b'{"html": "<p>B"}'))
    assert [one.data for one in found(path)] == ["<p>A", "<p>B"]


def test_numbers_of_lines_go_on_over_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_LINES", 3)
    path = tmp_path / "pages.jsonl"
    path.write_text('{"html": "x"}\n\n' * 5)
    assert [one.id for one in found(path)] == [f"{path}:{number}" for number in (1, 3, 5, 7, 9)]


def test_a_line_that_never_ends_is_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MOST_RECORD", 100)
    monkeypatch.setattr(lines, "FOLD", 10)
    path = tmp_path / "pages.jsonl"
    path.write_text('{"html": "' + "x" * 1000 + '"}\n{"html": "y"}\n')
    first, second = found(path)
    assert "a line of more than" in first.error
    assert second.data == "y"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"nonsense\n", "not JSON"),
        (b"[1, 2]\n", "not a JSON object"),
        (b'{"other": 1}\n', "no text in the field html or text"),
        (b'{"html": 5}\n', "no text in the field html or text"),
        (b'{"html": "\xff"}\n', "not JSON"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'{"html": ' + b"9" * 5000 + b"}\n", "not JSON"),
    ],
)
def test_a_line_without_a_page_says_why(line: bytes, reason: str) -> None:
    assert page(line, "x:1", None, 100).error.startswith(reason)


def test_the_field_can_be_named() -> None:
    assert page(b'{"raw": "<p>A", "html": "<p>B"}', "x:1", "raw", 100).data == "<p>A"


def test_text_is_taken_for_a_dump_unless_it_was_asked_for() -> None:
    line = b'{"text": "A\\nB"}'
    assert page(line, "x:1", None, 100).dump
    assert not page(line, "x:1", "text", 100).dump


def test_a_long_page_in_a_line_is_cut() -> None:
    assert page(b'{"html": "abcdef"}', "x:1", None, 3)[1:] == ("abc", "", None, False, "max-bytes", "")
