"""Two strata of text: the fit, and the script that prints it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import strata
from strata import Strata, main

from stupidos.errors import CorpusError


def drawn(writer: Strata, blocks: int, seed: int = 1) -> strata.Histogram:
    rng = np.random.default_rng(seed)
    short = int(writer.short * blocks)
    words = np.concatenate(
        [rng.geometric(writer.short_ends, short), rng.geometric(writer.long_ends, blocks - short)]
    )
    return strata.histogram([words])


def test_probabilities_of_all_lengths_sum_to_one() -> None:
    assert strata.probabilities(Strata(0.7586, 0.3968, 0.04369), 2000).sum() == pytest.approx(1.0)


def test_the_writer_is_found_again() -> None:
    writer = Strata(0.7586, 0.3968, 0.04369)  # the paper's
    found = strata.fitted(drawn(writer, 40000))
    assert found[:3] == pytest.approx(writer[:3], rel=0.05)
    assert found.fit > 0.99


@pytest.mark.parametrize("least_squares", [False, True])
def test_one_geometric_is_found_again(least_squares: bool) -> None:
    found = strata.simple(drawn(Strata(1.0, 0.3145, 0.5), 40000), least_squares)
    assert found.short_ends == pytest.approx(0.3145, rel=0.05)
    assert found.fit > 0.99


def test_two_strata_fit_better_than_one() -> None:
    blocks = drawn(Strata(0.7586, 0.3968, 0.04369), 40000)
    assert strata.fitted(blocks).fit > strata.simple(blocks, True).fit > strata.simple(blocks).fit


@pytest.mark.parametrize("words", [[1], [1, 1, 1], [5], [1000], [1, 2]])
def test_few_blocks_are_fitted_without_fuss(words: list[int]) -> None:
    found = strata.fitted(strata.histogram([np.array(words)]))
    assert all(np.isfinite(found))
    assert 0 <= found.short <= 1


def test_pages_without_text_cannot_be_fitted() -> None:
    with pytest.raises(CorpusError, match="no text"):
        strata.fitted(np.zeros(3, dtype=np.int64))


def test_histograms_of_pages_add_up() -> None:
    assert strata.histogram([np.array([1, 3]), np.array([3, 5])]).tolist() == [0, 1, 0, 2, 0, 1]


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    folder = tmp_path / "raw"
    folder.mkdir()
    long = "The tide tables hang in the harbour office for all to see. "
    for number in range(3):
        links = "".join(f"<li><a href=x>Item {at}</a></li>" for at in range(9))
        (folder / f"{number}.html").write_text(
            f"<ul>{links}</ul><p>{long * 2}</p><p>{long * (number + 1)}</p>"
        )
    (folder / "dump.txt").write_text("Home\n\n" + long * 3)
    return folder


def test_the_script_prints_both_strata(raw: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(raw)]) == 0
    out = capfd.readouterr().out
    assert [line.split()[0] for line in out.splitlines()[1:3]] == ["short", "long"]
    assert "pages:4|blocks:35" in out


@pytest.mark.slow
def test_the_script_draws(raw: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    image = tmp_path / "strata.png"
    assert main([str(raw), "--plot", str(image)]) == 0
    assert image.read_bytes().startswith(b"\x89PNG")
    assert "short" in capfd.readouterr().out


def test_without_matplotlib_the_remedy_is_given(
    raw: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    assert main([str(raw), "--plot", str(tmp_path / "x.png")]) == 1
    assert "pip install '.[plot]'" in capfd.readouterr().err
    assert not list(tmp_path.glob("*.png*"))


def test_an_empty_folder_is_a_one_line_error(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 1
    assert capfd.readouterr().err.count("\n") == 1


def test_a_page_that_is_not_text_is_reported_and_the_rest_is_processed(
    raw: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (raw / "picture.html").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    assert main([str(raw)]) == 1
    captured = capfd.readouterr()
    assert "picture.html" in captured.err
    assert "pages:4" in captured.out
