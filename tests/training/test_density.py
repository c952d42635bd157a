"""Text densities of blocks: the histogram of words, and the mixture that explains it."""

from __future__ import annotations

import sys
from pathlib import Path

import density
import numpy as np
import pytest
from density import Density


def blocks(words: list[int], densities: list[float]) -> Density:
    zeros = np.zeros(len(words))
    return Density(np.array(words, dtype=np.float64), np.array(densities), zeros, zeros.astype(np.int64))


def test_words_are_counted_at_the_next_whole_density() -> None:
    shares = blocks([2, 6, 12], [2.0, 11.2, 99.0]).word_shares()
    assert np.flatnonzero(shares).tolist() == [2, 12, density.HIGHEST]
    assert shares[[2, 12]].tolist() == [0.1, 0.3]


def test_classes_cover_all_blocks_once() -> None:
    some = blocks([1, 2], [1.0, 2.0])
    assert np.sum(list(density.classes(some).values()), axis=0).tolist() == [1, 1]
    assert np.sum(list(density.classes(some._replace(labels=None)).values()), axis=0).tolist() == [1, 1]


@pytest.mark.slow
def test_a_mixture_is_found_again() -> None:
    pytest.importorskip("scipy")
    at = np.arange(density.HIGHEST + 1.0)
    parameters = (0.25, 0.65, 3.0, 25.0, 40.0, 35.0, 7.0, 2.0)
    found = density.fitted(np.sum(density.components(parameters, at), axis=0))
    assert found.fit > 0.9999
    assert found.parameters[:2] == pytest.approx(parameters[:2], abs=0.02)


@pytest.mark.slow
def test_the_script_reports_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("scipy")
    pytest.importorskip("matplotlib")
    text = "The tide tables hang in the harbour office for all to see. "
    paragraph = "<p><span class=x-nc-sel2>{}</span></p><p><a>Go</a></p>"
    html = "".join(paragraph.format(text * at) for at in range(1, 9))
    for name in ("first/annotated", "second/raw"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "1.html").write_text(html)
    image = tmp_path / "density.png"
    corpora = [str(tmp_path / "first"), str(tmp_path / "second")]
    monkeypatch.setattr(sys, "argv", ["density.py", *corpora, "--plot", str(image)])
    density.main()
    assert "full_text" in capsys.readouterr().out
    assert image.read_bytes().startswith(b"\x89PNG")
