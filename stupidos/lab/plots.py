"""The paper's figures, drawn with matplotlib into a file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stupidos.errors import StupidosError, missing_extra
from stupidos.lab.evaluate import Evaluation

if TYPE_CHECKING:
    from stupidos.lab.tune import EntropyPoint

_INK, _GREY = "#22313f", "#8a97a3"
_COLOURS = ("#2f6db5", "#c4572b", "#3f8f5b", "#8a5fb0", "#b8922a", "#4aa3b5", "#a34a6b", "#6b7a3a")
_SUBSTANTIAL_GAIN = 10  # points of precision that the paper calls a substantial improvement
_DPI = 150
_PANELS_PER_ROW = 4
_MEAN_MARK = 1.6  # half the height of the diamond at a mean, in points of F


def pyplot() -> Any:
    """matplotlib.pyplot with the file backend and our style."""
    try:
        import matplotlib
    except ImportError as error:
        raise missing_extra("plots need matplotlib", "plot") from error
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update(
        {
            "font.size": 9,
            "axes.edgecolor": _GREY,
            "axes.labelcolor": _INK,
            "text.color": _INK,
            "xtick.color": _INK,
            "ytick.color": _INK,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "svg.hashsalt": "stupidos",
        }
    )
    return plt


def _save(plt: Any, figure: Any, path: Path) -> None:
    """Write the figure; the same data gives the same bytes."""
    try:
        figure.savefig(path, dpi=_DPI, metadata={"Software": None} if path.suffix == ".png" else None)
    except (OSError, ValueError) as error:
        raise StupidosError(f"{path}: the plot cannot be written: {error}") from error
    finally:
        plt.close(figure)


def figure_2(rows: Sequence[EntropyPoint], path: Path, title: str) -> None:
    """Cross-entropy against q, one line per n."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(6.4, 4.4), layout="constrained")
    best = min(rows, key=lambda row: row.bits)
    for number, n in enumerate(sorted({row.n for row in rows})):
        line = sorted((row.q, row.bits) for row in rows if row.n == n)
        colour = _COLOURS[number % len(_COLOURS)]
        axes.plot(*zip(*line, strict=True), color=colour, marker="o", markersize=3, linewidth=1.4)
        axes.annotate(
            f"n = {n}", line[-1], (6, 0), textcoords="offset points", color=colour, va="center", fontsize=8
        )
    axes.plot(best.q, best.bits, "o", markersize=9, markerfacecolor="none", markeredgecolor=_INK)
    axes.annotate(
        f"n = {best.n}, q = {best.q:g}: {best.bits:.2f} bits",
        (best.q, best.bits),
        (0, -16),
        textcoords="offset points",
        ha="center",
        fontsize=8,
    )
    axes.set(xlabel="interpolation parameter q", ylabel="cross-entropy (bits per character)", title=title)
    axes.set_xlim(0, 1.06)
    axes.margins(y=0.09)
    axes.grid(axis="y", color=_GREY, alpha=0.25, linewidth=0.6)
    _save(plt, figure, path)


def figure_3(evaluations: Sequence[Evaluation], baseline: Evaluation, path: Path) -> None:
    """Precision of each cleaner against the baseline's, one dot per page, and a box plot of F."""
    plt = pyplot()
    others = [evaluation for evaluation in evaluations if evaluation is not baseline] or [baseline]
    down, across = _grid(len(others) + 1)
    figure = plt.figure(figsize=(3.7 * across, 4.0 * down), layout="constrained")
    grid = figure.add_gridspec(down, across)
    for place, evaluation in enumerate(others):
        _dots(figure.add_subplot(grid[place // across, place % across]), evaluation, baseline)
    rest = figure.add_subplot(grid[down - 1, len(others) % across :])
    _boxes(rest, [baseline, *(one for one in others if one is not baseline)])
    _save(plt, figure, path)


def _grid(panels: int) -> tuple[int, int]:
    """Rows and columns of a grid of panels: as few rows as possible, as even as possible.

    >>> _grid(4), _grid(5), _grid(9)
    ((1, 4), (2, 3), (3, 3))
    """
    down = -(-panels // _PANELS_PER_ROW)
    return down, -(-panels // down)


def _dots(axes: Any, evaluation: Evaluation, baseline: Evaluation) -> None:
    before = {page.page: 100 * page.comparison.words.precision for page in baseline.pages}
    dots = [
        (before[page.page], 100 * page.comparison.words.precision)
        for page in evaluation.pages
        if page.page in before
    ]
    better = sum(after >= start + _SUBSTANTIAL_GAIN for start, after in dots)
    worse = sum(after < start for start, after in dots)
    axes.fill_between([0, 100], [0, 100], 100, color=_COLOURS[2], alpha=0.07, linewidth=0)
    axes.plot([0, 100], [0, 100], color=_GREY, linewidth=0.9)
    axes.plot(
        [0, 100 - _SUBSTANTIAL_GAIN],
        [_SUBSTANTIAL_GAIN, 100],
        color=_GREY,
        linewidth=0.7,
        linestyle=(0, (4, 3)),
    )
    axes.scatter(*zip(*dots, strict=True), s=9, color=_COLOURS[0], alpha=0.45, linewidths=0)
    axes.text(
        98,
        3,
        f"{_pages(better)} +{_SUBSTANTIAL_GAIN} points or more\n{_pages(worse)} worse\nof {len(dots)}",
        ha="right",
    )
    axes.set(
        xlabel=f"precision of {baseline.name} (%)",
        ylabel=f"precision of {evaluation.name} (%)",
        title=f"Precision: {evaluation.name}",
        xlim=(0, 100.8),
        ylim=(0, 100.8),
        aspect="equal",
        anchor="N",  # or the title hangs lower than that of the box plot
    )


def _pages(number: int) -> str:
    return f"{number} page{'' if number == 1 else 's'}"


def _boxes(axes: Any, evaluations: Sequence[Evaluation]) -> None:
    """The distribution of F of each cleaner, with its mean written inside the box."""
    columns = [[100 * f for f in evaluation.column("f")] for evaluation in evaluations]
    drawn = axes.boxplot(
        columns,
        widths=0.7,
        showmeans=True,
        patch_artist=True,
        medianprops={"color": _INK, "linewidth": 1.3},
        meanprops={"marker": "D", "markerfacecolor": "white", "markeredgecolor": _INK, "markersize": 5},
        flierprops={"marker": ".", "markersize": 3, "markeredgecolor": _GREY, "alpha": 0.6},
        whiskerprops={"color": _GREY},
        capprops={"color": _GREY},
    )
    for place, (box, column) in enumerate(zip(drawn["boxes"], columns, strict=True), 1):
        box.set(facecolor=_COLOURS[(place - 1) % len(_COLOURS)], alpha=0.35, edgecolor=_INK, linewidth=0.8)
        mean = sum(column) / max(len(column), 1)
        at = _free_height(mean, column)
        axes.text(place, at, f"{mean:.1f}", ha="center", va="center_baseline", fontsize=7.5)
    axes.set_xticks(range(1, len(columns) + 1), [one.name for one in evaluations], rotation=20, ha="right")
    axes.set(ylabel="F of words (%)", title="F by cleaner (diamond: mean)", ylim=(0, 101))
    axes.grid(axis="y", color=_GREY, alpha=0.25, linewidth=0.6)


def _free_height(mean: float, column: Sequence[float]) -> float:
    """The middle of the largest stretch of a box that neither its median nor the mark of the mean takes.

    >>> _free_height(82.5, [70.0, 79.0, 86.0, 90.0, 90.0])
    88.0
    """
    import numpy as np

    low, median, high = np.percentile(column, (25, 50, 75)).tolist() if column else (0.0, 0.0, 0.0)
    marks = [mark for mark in (mean - _MEAN_MARK, mean + _MEAN_MARK) if low < mark < high]
    edges = sorted([low, median, high, *marks])
    stretches = [
        (end - start, (start + end) / 2)
        for start, end in pairwise(edges)
        if abs((start + end) / 2 - mean) >= _MEAN_MARK or not marks
    ]
    return max(stretches)[1]
