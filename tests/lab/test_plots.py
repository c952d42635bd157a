"""Figures: files of the right kind, and a clear word where matplotlib is missing."""

from __future__ import annotations

import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from stupidos.errors import ExtraError, StupidosError
from stupidos.lab import plots
from stupidos.lab.evaluate import Evaluation, PageScore
from stupidos.lab.measure import compare
from stupidos.lab.tune import EntropyPoint

ROWS = [EntropyPoint(n, q, 3 - n / 4 + abs(q - 0.5)) for n in (1, 2, 3) for q in (0.1, 0.5, 0.9)]


def evaluation(name: str, cleaned: str) -> Evaluation:
    golds = {"1": "<p>tea is hot", "2": "<p>milk is cold <p>and white", "3": "<p>rain"}
    return Evaluation(name, "", [PageScore(page, compare(cleaned, gold)) for page, gold in golds.items()])


def size(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.mark.slow
def test_figures_2_and_3_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plots.figure_2(ROWS, tmp_path / "2.png", "three pages")
    assert size(tmp_path / "2.png") == (960, 660)
    before, after = evaluation("keep-all", "<p>tea is hot <l>menu"), evaluation("standard", "<p>tea is hot")
    plots.figure_3([before, after], before, tmp_path / "3.png")
    width, height = size(tmp_path / "3.png")
    assert width > height > 400


@pytest.mark.slow
@pytest.mark.parametrize("cleaners", [1, 4, 5])
def test_figure_3_leaves_no_cell_of_its_grid_empty(
    cleaners: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    drawn: list[Any] = []
    monkeypatch.setattr(plots, "_save", lambda plt, figure, path: drawn.append(figure))
    before = evaluation("keep-all", "<p>tea is hot <l>menu")
    plots.figure_3([before] + [evaluation("rules", "<p>tea")] * cleaners, before, tmp_path / "3.png")
    places = [axes.get_subplotspec() for axes in drawn[0].axes if axes.get_visible()]
    taken = [(row, column) for place in places for row in place.rowspan for column in place.colspan]
    rows, columns = places[0].get_gridspec().get_geometry()
    assert sorted(taken) == [(row, column) for row in range(rows) for column in range(columns)]


@pytest.mark.slow
def test_the_same_data_gives_the_same_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name in ("a.png", "b.png"):
        plots.figure_2(ROWS, tmp_path / name, "three pages")
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["missing/2.png", "2.xyz"])
def test_a_plot_that_cannot_be_written_is_named(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    with pytest.raises(StupidosError, match=name):
        plots.figure_2(ROWS, tmp_path / name, "three pages")


def test_without_matplotlib_the_remedy_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ExtraError, match=r"pip install '\.\[plot\]'"):
        plots.figure_2(ROWS, tmp_path / "2.png", "")


@pytest.mark.slow
@pytest.mark.parametrize("cleaners", [2, 5])
def test_the_mean_of_a_cleaner_is_written_within_the_width_of_its_box(cleaners: int) -> None:
    pytest.importorskip("matplotlib")
    plt = plots.pyplot()
    figure, axes = plt.subplots(figsize=(3.7, 4.0), layout="constrained")
    plots._boxes(axes, [evaluation(f"cleaner {i}", "<p>tea is hot <l>menu") for i in range(cleaners)])
    figure.canvas.draw()
    boxes = [patch.get_window_extent() for patch in axes.patches]
    labels = [text.get_window_extent() for text in axes.texts]
    plt.close(figure)
    assert len(boxes) == len(labels) == cleaners
    for box, label in zip(boxes, labels, strict=True):
        assert box.x0 <= label.x0
        assert label.x1 <= box.x1


class _Scored:
    """Stands in for an evaluation of which only F matters."""

    name = "cleaner"

    def __init__(self, values: list[float]) -> None:
        self.values = values

    def column(self, name: str) -> list[float]:
        return self.values


@pytest.mark.slow
@pytest.mark.parametrize(
    "values",
    [
        [0.01, 0.64, 0.79, 0.79, 0.86, 0.86, 0.90, 0.90, 1.0],
        [0.54, 0.80, 0.88, 0.89, 0.93, 0.97, 0.98, 1.0],
        [0.07, 0.13, 0.74, 0.86, 0.92, 0.98],
        [0.5, 0.6, 0.7, 0.8, 0.9],
    ],
)
def test_the_mean_of_a_cleaner_is_written_inside_the_box_and_off_its_lines(values: list[float]) -> None:
    np = pytest.importorskip("numpy")
    pytest.importorskip("matplotlib")
    plt = plots.pyplot()
    figure, axes = plt.subplots(figsize=(3.7, 4.0), layout="constrained")
    plots._boxes(axes, [_Scored(values)] * 3)  # type: ignore[list-item]
    figure.canvas.draw()
    label = axes.texts[0].get_window_extent()
    lines = [axes.transData.transform((1, 100 * y))[1] for y in np.percentile(values, (25, 50, 75))]
    plt.close(figure)
    assert lines[0] <= label.y0
    assert label.y1 <= lines[2]
    assert not label.y0 < lines[1] < label.y1


@pytest.mark.parametrize(("pages", "said"), [(0, "0 pages"), (1, "1 page"), (2, "2 pages")])
def test_pages_are_counted_in_words_that_agree(pages: int, said: str) -> None:
    assert plots._pages(pages) == said
