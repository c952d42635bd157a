"""--compress-level: smaller or faster output of the same content."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from stupidos.cli import main


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    words = "harbour lamp tower keeper evening stairs radio fog boat oil glass salt door".split()
    texts = (" ".join(words[(i * j) % 13] for j in range(1, 400)) for i in range(1, 40))
    path.write_text("".join(json.dumps({"html": f"<p>{text}"}) + "\n" for text in texts))
    return path


def clean(pages: Path, out: Path, *more: str) -> int:
    return main(["clean", "--model", "keep-all", "--jobs", "1", str(pages), "-o", str(out), *more])


def test_higher_level_gives_less_of_the_same(pages: Path, tmp_path: Path) -> None:
    sizes = []
    for level in ("1", "9"):
        out = tmp_path / f"{level}.jsonl.gz"
        assert clean(pages, out, "--compress-level", level) == 0
        sizes.append(out.stat().st_size)
    assert sizes[1] < sizes[0]
    assert clean(pages, tmp_path / "plain.jsonl") == 0
    for level in ("1", "9"):
        packed = (tmp_path / f"{level}.jsonl.gz").read_bytes()
        assert gzip.decompress(packed) == (tmp_path / "plain.jsonl").read_bytes()


def test_level_of_zstandard_is_used(pages: Path, tmp_path: Path) -> None:
    pytest.importorskip("zstandard")
    for level in ("1", "19"):
        assert clean(pages, tmp_path / f"{level}.jsonl.zst", "--compress-level", level) == 0
    assert (tmp_path / "19.jsonl.zst").stat().st_size < (tmp_path / "1.jsonl.zst").stat().st_size


@pytest.mark.parametrize(
    ("name", "level", "reason"),
    [("a.jsonl", "4", "ends in .gz or .zst"), ("a.jsonl.gz", "10", "1 to 9"), ("a.jsonl.gz", "0", "1 to 9")],
)
def test_level_that_does_not_fit_is_refused(
    pages: Path, tmp_path: Path, name: str, level: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert clean(pages, tmp_path / name, "--compress-level", level) == 1
    assert reason in capsys.readouterr().err
