"""JSON Lines as a source."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
import standin

from stupidos.scale import jsonl
from stupidos.scale.batch import Progress, run
from stupidos.scale.job import Job
from stupidos.scale.jsonl import pieces
from stupidos.scale.source_items import Raw


def found(path: Path, field: str | None = None) -> list[Raw]:
    every = (one for piece in pieces(str(path), field) for one in piece.items(1000))
    return [one.parse(one) if one.parse else one for one in every if isinstance(one, Raw)]


def page(line: bytes, name: str, field: str | None, most: int) -> Raw:
    return jsonl.page(Raw(name, line), field, most)


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


def test_numbers_of_lines_continue_over_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "_MAX_UNIT_LINES", 3)
    path = tmp_path / "pages.jsonl"
    path.write_text('{"html": "x"}\n\n' * 5)
    assert [one.id for one in found(path)] == [f"{path}:{number}" for number in (1, 3, 5, 7, 9)]


def test_a_line_that_never_ends_is_thrown_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_RECORD_BYTES", 100)
    monkeypatch.setattr(jsonl, "_CHUNK", 10)
    path = tmp_path / "pages.jsonl"
    path.write_text('{"html": "' + "x" * 1000 + '"}\n{"html": "y"}\n')
    first, second = found(path)
    assert "a line of more than" in first.error
    assert second.data == "y"


def test_the_last_line_may_be_as_long_as_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"html": "last"}')
    for most, error in ((16, False), (15, True)):
        monkeypatch.setattr(jsonl, "MAX_RECORD_BYTES", most)
        assert [bool(one.error) for one in found(path)] == [error]


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
    found = page(b'{"html": "abcdef"}', "x:1", None, 3)
    assert found == Raw("x:1", "abc", truncated="max-bytes")


def test_a_long_line_gives_the_page_of_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    line = b'{"id": 7, "more": [{}, [1, {"a": "b"}]], "url": "u", "html": "\\u00e9\xc3\xa9", "text": "x"}\n'
    short = page(line, "x:1", None, 100)
    monkeypatch.setattr(jsonl, "_MAX_WHOLE_PARSE", 10)
    assert page(line, "x:1", None, 100) == short


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"html": "x", "y": [1,]}', "not JSON: no value (byte 22)"),
        (b'{"html": "\xff"}', "not JSON: 'utf-8' codec"),
        (b"[1, [2]]", "not a JSON object"),
        (b'{"html": ' + b"[" * 2000, "not JSON: more than 1000 levels (byte 1009)"),
        (b'{"html": [' + b"1," * 5000 + b"1]}", "no text in the field html or text"),
    ],
)
def test_a_long_line_without_a_page_says_why(
    line: bytes, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jsonl, "_MAX_WHOLE_PARSE", 2)
    assert page(line, "x:1", None, 100).error.startswith(reason)


HOSTILE = """
import resource
from stupidos.scale.jsonl import page
from stupidos.scale.source_items import Raw
line = b'{"html": "<p>Hi", "x": [' + b"{},[]," * %d + b"1]}"
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert page(Raw("x:1", line), None, 100).data == "<p>Hi"
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / len(line))
"""


def test_a_long_line_of_small_values_takes_little_memory() -> None:
    done = subprocess.run([sys.executable, "-c", HOSTILE % 1_000_000], capture_output=True, check=True)
    assert float(done.stdout) < 2  # bytes for each byte of the line; json.loads takes 23


def test_parsing_a_line_counts_as_time_of_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "page", lambda raw, field, most: standin.run_forever())
    path = tmp_path / "pages.jsonl"
    path.write_text('{"html": "x"}\n' * 2)
    output = tmp_path / "out.jsonl"
    accounts = run(Job((str(path),), str(output), seconds=0.05, cleaner=standin.NAME))
    assert accounts.summary() == "read 2 = written 0 + empty 0 + failed 2"
    found = [json.loads(line) for line in output.read_text().splitlines()]
    assert [(one["id"], one["error"]) for one in found] == [
        (f"{path}:{number}", "needs more than 0.05 s") for number in (1, 2)
    ]


def test_a_line_that_fails_is_named_by_its_own_id(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text('{"id": "seven"}\n')
    news: list[Progress] = []
    run(Job((str(path),), str(tmp_path / "out.jsonl"), cleaner=standin.NAME), on_progress=news.append)
    assert [one.failures for one in news] == [(("seven", "no text in the field html or text"),)]
