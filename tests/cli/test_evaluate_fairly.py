"""Scores that can be compared: markers on one side only, and pages that a model has seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from stupidos.cli import main

TEXT = "The harbour was quiet when the first boat came in.\n\nNobody had expected it so early."
MARKED = "<h>The harbour was quiet when the first boat came in.\n\n<p>Nobody had expected it so early."
PAGE = (
    "<html><body><h1>The harbour was quiet when the first boat came in.</h1>"
    "<p>Nobody had expected it so early.</p></body></html>"
)


def folder(path: Path, text: str, suffix: str = ".txt") -> str:
    path.mkdir()
    (path / f"a{suffix}").write_text(text, encoding="utf-8")
    return str(path)


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, float | None]]:
    assert main(["evaluate", *arguments, "--json"]) == 0
    found: dict[str, dict[str, float | None]] = json.loads(capsys.readouterr().out)
    return found


def test_markers_on_one_side_are_not_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, plain, marked = (
        folder(tmp_path / name, text) for name, text in (("gold", TEXT), ("plain", TEXT), ("marked", MARKED))
    )
    assert report(capsys, gold, plain)["macro"]["f"] == report(capsys, gold, marked)["macro"]["f"] == 1.0


def test_segments_that_cannot_be_compared_have_no_score(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, plain = folder(tmp_path / "gold", MARKED), folder(tmp_path / "plain", TEXT)
    assert report(capsys, gold, plain)["micro"]["segment_f"] is None
    assert main(["evaluate", gold, plain]) == 0
    told = capsys.readouterr().out
    assert "segments: not compared (-)" in told
    assert "nan" not in told


def test_a_model_that_has_seen_the_pages_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, raw = folder(tmp_path / "gold", MARKED), folder(tmp_path / "raw", PAGE, ".html")
    model = tmp_path / "mine.npz"
    assert main(["train", gold, raw, "-o", str(model)]) == 0
    capsys.readouterr()
    assert main(["evaluate", gold, raw, "--model", f"standard,{model}"]) == 0
    told = capsys.readouterr().err
    assert f"{model} was trained on 1 of these 1 pages" in told
    assert "standard was" not in told
