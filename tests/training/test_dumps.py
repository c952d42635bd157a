"""The comparison of models on dumps of the real Lynx."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import dumps
import pytest

from stupidos.pipeline import Cleaner
from stupidos.score import registry


def test_a_dump_that_takes_too_long_is_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("lynx", 1)

    monkeypatch.setattr(subprocess, "run", slow)
    assert dumps.dump(Path("page.html"), links=True, width=80) == b""


def test_markers_of_the_gold_are_not_words() -> None:
    assert dumps.bag_scores(Cleaner.load("keep-all"), b"It rained.", "<p>It rained.") == (1.0, 1.0, 1.0)


def test_text_is_compared_by_the_corpora_of_the_shipped_model() -> None:
    assert list(dumps.CORPORA) == registry.scorer("text").header["corpora"]


@pytest.mark.slow
def test_the_script_compares_with_and_without_links(
    checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which("lynx") is None:
        pytest.skip("lynx is not installed")
    for kind in ("gold", "raw"):
        (tmp_path / "cleaneval" / kind).mkdir(parents=True)
        for path in (checkout / "training" / kind).iterdir():
            if path.stem != "dump":
                shutil.copy(path, tmp_path / "cleaneval" / kind)
    monkeypatch.setattr(sys, "argv", ["dumps.py", str(tmp_path), "--every", "1"])
    dumps.main()
    lines = capsys.readouterr().out.splitlines()
    assert "pages:6|" in lines[0]
    assert sum("with the list of links" in line for line in lines) == 5
    assert sum("-nolist" in line for line in lines) == 5
