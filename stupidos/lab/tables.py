"""Score tables as text, one row per cleaner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan

from stupidos.lab.evaluate import HIGH_PRECISION, LOW_PRECISION, MEASURES, Evaluation
from stupidos.lab.significance import Gain, gain

_CELL_WIDTH = 5  # columns of a figure, so that a dash leaves room for the names above
_FIGURE_ORDER = ("f", "precision", "recall")  # as in the paper's Table 2
_HEADS = {"f": "F", "precision": "P", "recall": "R"}
_TITLES = {"words": "words", "segments": "segments", "unlabelled": "unlabelled", "bag": "bag of words"}


def table(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Rows as aligned columns, the first `left` columns flush left, the others flush right.

    >>> print(table([["model", "F"], ["standard", "88.6"]]))
    model        F
    standard  88.6
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if place < left else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def percent(fraction: float) -> str:
    """A fraction as a percentage, or a dash for what could not be measured.

    >>> percent(0.88604), percent(float("nan"))
    ('88.60', '-')
    """
    return "-" if isnan(fraction) else f"{100 * fraction:.2f}"


def score_table(evaluations: Sequence[Evaluation], kind: str) -> str:
    """F, precision and recall of words, segments and bags; `kind` is `macro` or `micro`."""
    names = list(MEASURES)
    title = ["", *(cell for name in names for cell in (_TITLES[name], "", ""))]
    heads = [kind, *(_HEADS[figure] for _ in names for figure in _FIGURE_ORDER)]
    rows = [
        [
            evaluation.name,
            *(
                percent(getattr(evaluation, kind)[MEASURES[name] + figure]).rjust(_CELL_WIDTH)
                for name in names
                for figure in _FIGURE_ORDER
            ),
        ]
        for evaluation in evaluations
    ]
    return _titled(title, [heads, *rows])


def _titled(title: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with names above groups of columns, each flush with the left edge of its group."""
    lines = table(rows).splitlines()
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    above = ""
    for place, name in enumerate(title):
        if name:
            edge = sum(widths[:place]) + 2 * place
            above = above.ljust(edge) + name
    return "\n".join([above, *lines])


def precision_table(evaluations: Sequence[Evaluation]) -> str:
    """Pages below the paper's precision marks, also without the third of lowest confidence."""
    heads = [
        "",
        "pages",
        f"P < {LOW_PRECISION:.0%}",
        f"P < {HIGH_PRECISION:.0%}",
        "surest 2/3: P",
        f"P < {LOW_PRECISION:.0%}",
        f"P < {HIGH_PRECISION:.0%}",
    ]
    rows = []
    for evaluation in evaluations:
        row = [
            evaluation.name,
            *map(
                str,
                (len(evaluation.pages), evaluation.below(LOW_PRECISION), evaluation.below(HIGH_PRECISION)),
            ),
        ]
        surest = evaluation.part(page.page for page in evaluation.surest())
        surest_cells = [
            percent(surest.macro["precision"]),
            str(surest.below(LOW_PRECISION)),
            str(surest.below(HIGH_PRECISION)),
        ]
        rows.append([*row, *(surest_cells if surest.pages else ["-"] * 3)])
    return table([heads, *rows])


def group_table(evaluations: Sequence[Evaluation], groups: Mapping[str, str], figure: str) -> str:
    """One figure by group of pages, one column per cleaner."""
    pages = {page.page for evaluation in evaluations for page in evaluation.pages}
    members: dict[str, list[str]] = {}
    for page in sorted(pages):
        members.setdefault(groups.get(page, "(none)"), []).append(page)
    rows = [[figure.replace("_", " "), "pages", *(evaluation.name for evaluation in evaluations)]]
    for group, names in sorted(members.items()):
        parts = [percent(evaluation.part(names).macro[figure]) for evaluation in evaluations]
        rows.append([group, str(len(names)), *parts])
    return table(rows)


def gains(evaluations: Sequence[Evaluation], baseline: Evaluation, figure: str) -> dict[str, Gain]:
    """Gain of every other cleaner over the baseline on their common pages."""
    by_name = {}
    for evaluation in evaluations:
        if evaluation is not baseline:
            there = {page.page for page in evaluation.pages} & {page.page for page in baseline.pages}
            by_name[evaluation.name] = gain(
                evaluation.part(there).column(figure), baseline.part(there).column(figure)
            )
    return by_name


def gain_table(evaluations: Sequence[Evaluation], baseline: Evaluation) -> str:
    """The paired t-test of the paper and a paired bootstrap, for F and precision of words."""
    rows = [[f"gain over {baseline.name}", "", "mean", "95 % by t", "t", "df", "p", "95 % by bootstrap", "p"]]
    for figure in ("f", "precision"):
        for name, one in gains(evaluations, baseline, figure).items():
            rows.append(
                [
                    name,
                    _HEADS[figure],
                    f"{100 * one.mean:+.2f}",
                    f"{100 * one.low:+.2f} to {100 * one.high:+.2f}",
                    f"{one.t:.3f}",
                    str(one.df),
                    f"{one.p:.4f}",
                    f"{100 * one.bootstrap_low:+.2f} to {100 * one.bootstrap_high:+.2f}",
                    f"{one.bootstrap_p:.4f}",
                ]
            )
    return table(rows, left=2)


def signature_lines(evaluations: Sequence[Evaluation]) -> str:
    """Every score with the settings behind it."""
    return "\n".join(f"F {100 * one.macro['f']:.1f}  {one.signature}" for one in evaluations)
