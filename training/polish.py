#!/usr/bin/env python3
"""What an hour of labelling buys: 20 Polish pages, `stupidos train`, and the F of all other pages.

    python training/polish.py DATA          # DATA holds daniel-polish/{raw,gold,sites.json}

The annotator is played by the corpus: each of the 20 pages gets the labels that its gold text
gives it by alignment, written as `stupidos annotate` writes them. The others are scored before
(shipped models) and after (models trained on the 20). Three draws of 20 pages; bag-of-words F1,
macro, since these gold texts have no marks. Writes training/POLISH.md.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from stupidos.cli import main as stupidos  # noqa: E402
from stupidos.cli.annotate import labels_of  # noqa: E402
from stupidos.explain.labels import LabelledPage, write_gold  # noqa: E402
from stupidos.lab.corpus import Pair, content, corpus  # noqa: E402
from stupidos.lab.crossval import page_table  # noqa: E402
from stupidos.lab.evaluate import Evaluation, evaluate_models  # noqa: E402
from stupidos.lab.measure import Measure  # noqa: E402
from stupidos.lab.workers import mapped  # noqa: E402
from stupidos.pipeline import Cleaner, Options  # noqa: E402
from stupidos.score import shelf  # noqa: E402

LABELLED = 20
DRAWS = 3
FIGURE = "bag_f"
BEFORE = ("keep-all", "standard", "simplified", "web")  # those that are shipped
AFTER = {
    "stupidos train": (),
    "stupidos train --dirty aligned": ("--dirty", "aligned"),
    "stupidos train --simplified": ("--simplified",),
    "stupidos train --web": ("--web",),
}
HEAD = """## Twenty pages of a new language

`python training/polish.py DATA` plays an annotator who labels {labelled} pages of daniel-polish with
`stupidos annotate` (labels by alignment with the gold texts), trains on them, and scores the other pages:
bag-of-words F1, macro, mean of {draws} draws; in the last column only the pages of sites that no labelled
page came from.

| model | trained on | F, all other pages | F, unseen sites |
|---|---|---|---|
"""


class Row(NamedTuple):
    """A model's scores in one draw."""

    model: str
    trained_on: str
    all: float
    unseen: float


def drawn(pairs: Sequence[Pair], seed: int) -> tuple[list[Pair], list[Pair]]:
    """Pages to label, and the others."""
    shuffled = random.Random(seed).sample(list(pairs), len(pairs))
    return shuffled[:LABELLED], shuffled[LABELLED:]


def label(pairs: Sequence[Pair], folder: Path) -> None:
    """What an annotator leaves behind: raw pages, gold texts and labels."""
    cleaner = Cleaner.load("keep-all")
    for name in ("raw", "gold"):
        (folder / name).mkdir(parents=True)
    for pair in pairs:
        data = content(pair.raw)
        page, stored = cleaner.page(data), labels_of(cleaner, data, pair.gold)
        write_gold(
            folder / "gold",
            LabelledPage(pair.name, page.title, page.segments, stored.labels, stored.by_hand),
        )
        shutil.copy(pair.raw, folder / "raw")


def trained(folder: Path) -> Iterator[tuple[str, str]]:
    """Commands and the models they made."""
    for number, (command, options) in enumerate(AFTER.items()):
        target = str(folder / f"{number}.npz")
        if stupidos(["train", str(folder / "gold"), str(folder / "raw"), "-o", target, *options]) == 0:
            yield command, target


def rows_of(pairs: Sequence[Pair], sites: dict[str, str], seed: int, folder: Path) -> Iterator[Row]:
    """Every model's scores in one draw."""
    labelled, others = drawn(pairs, seed)
    label(labelled, folder)
    models = {name: name for name in BEFORE if name in shelf.names()} | dict(trained(folder))
    known = {sites[pair.name] for pair in labelled}
    unseen = [pair.name for pair in others if sites[pair.name] not in known]
    found = evaluate_models(others, list(models.values()), Options(), Measure(), mapped)
    for name, evaluation in zip(models, found, strict=True):
        source = f"{LABELLED} Polish pages" if name in AFTER else "as shipped"
        yield Row(name, source, score(evaluation), score(evaluation.part(unseen)))


def score(evaluation: Evaluation) -> float:
    return evaluation.macro[FIGURE]


def main(data: Path) -> None:
    folder = data / "daniel-polish"
    pairs = corpus(folder / "gold", folder / "raw").pairs
    sites = page_table(folder / "sites.json")
    rows: list[Row] = []
    for seed in range(DRAWS):
        with tempfile.TemporaryDirectory() as scratch:
            rows += rows_of(pairs, sites, seed, Path(scratch))
    lines = [HEAD.format(labelled=LABELLED, draws=DRAWS)]
    for name in dict.fromkeys(row.model for row in rows):
        same = [row for row in rows if row.model == name]
        figures = mean(row.all for row in same), mean(row.unseen for row in same)
        lines.append(f"| `{name}` | {same[0].trained_on} | {figures[0]:.3f} | {figures[1]:.3f} |\n")
    (CHECKOUT / "training" / "POLISH.md").write_text("".join(lines))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python training/polish.py DATA")
    main(Path(sys.argv[1]))
