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
from functools import partial
from pathlib import Path
from statistics import mean
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from stupidos.cli import main as stupidos  # noqa: E402
from stupidos.cli.annotate import labels_of  # noqa: E402
from stupidos.explain.labels import LabelledPage, write_gold  # noqa: E402
from stupidos.explain.learn import alphabet_of, best_weight, lesson, own_model, taught  # noqa: E402
from stupidos.lab.corpus import Pair, content, corpus  # noqa: E402
from stupidos.lab.crossval import page_table  # noqa: E402
from stupidos.lab.evaluate import judged, text_of  # noqa: E402
from stupidos.lab.measure import Measure, empty  # noqa: E402
from stupidos.pipeline import Cleaner  # noqa: E402
from stupidos.score import shelf  # noqa: E402

LABELLED = 20
DRAWS = 3
BEFORE = ("keep-all", "standard", "simplified", "web")  # those that are shipped
AFTER = {
    "stupidos train": (),
    "stupidos train --dirty aligned": ("--dirty", "aligned"),
    "stupidos train --simplified": ("--simplified",),
    "stupidos train --web": ("--web",),
}
SAME_KIND = {  # shipped model -> the same kind, trained on the labelled pages
    "standard": "stupidos train",
    "simplified": "stupidos train --simplified",
    "web": "stupidos train --web",
}
HEAD = """## Twenty pages of a new language

`python training/polish.py DATA` plays an annotator who labels {labelled} pages of daniel-polish with
`stupidos annotate` (labels by alignment with the gold texts), trains on them, and scores the other pages:
bag-of-words F1, macro, mean of {draws} draws; in the last column only the pages of sites that no labelled
page came from.

| model | trained on | F, all other pages | F, unseen sites |
|---|---|---|---|
"""

FOOT = """
The same kind of model, trained on {labelled} labelled pages instead of the shipped training set: {gains}.
The published model knows no Polish letters and takes most of the text for dirt. It is the language that
is learnt here and not the sites: the gain on sites never labelled is about as large. "Retrain now" is what
suggests inside `stupidos annotate` after the last of the {labelled} pages: the shipped standard model and a
small one of those pages, added up.
{web}"""
WEB = """The shipped `web` has daniel-polish pages in its training, so that its row is no fair "before";
the leave-one-language-out figures are the ones to compare with.
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


def label(pairs: Sequence[Pair], folder: Path) -> list[LabelledPage]:
    """What an annotator leaves behind: raw pages, gold texts and labels."""
    cleaner = Cleaner.load("keep-all")
    for name in ("raw", "gold"):
        (folder / name).mkdir(parents=True)
    pages = []
    for pair in pairs:
        data = content(pair.raw)
        page, stored = cleaner.page(data), labels_of(cleaner, data, pair.gold)
        pages.append(LabelledPage(pair.name, page.title, page.segments, stored.labels, stored.by_hand))
        write_gold(folder / "gold", pages[-1])
        shutil.copy(pair.raw, folder / "raw")
    return pages


def trained(folder: Path) -> Iterator[tuple[str, Cleaner]]:
    """Commands, and cleaners with the models they made."""
    for number, (command, options) in enumerate(AFTER.items()):
        target = str(folder / f"{number}.npz")
        if stupidos(["train", str(folder / "gold"), str(folder / "raw"), "-o", target, *options]) == 0:
            yield command, Cleaner.load(target)


def retrained(pages: Sequence[LabelledPage], pairs: Sequence[Pair]) -> Cleaner:
    """What suggests in `stupidos annotate --model standard` after "Retrain now"."""
    cleaner = Cleaner.load("standard")
    documents = {pair.name: partial(content, pair.raw) for pair in pairs}
    letters = alphabet_of(pages)
    lessons = [lesson(cleaner, page, documents[page.name], letters) for page in pages]
    return taught(cleaner, own_model(lessons), best_weight(cleaner, lessons)[1])


def rows_of(pairs: Sequence[Pair], sites: dict[str, str], seed: int, folder: Path) -> Iterator[Row]:
    """Every model's scores in one draw."""
    labelled, others = drawn(pairs, seed)
    pages = label(labelled, folder)
    before = {name: Cleaner.load(name) for name in BEFORE if name in shelf.names()}
    after = {**dict(trained(folder)), "standard + Retrain now": retrained(pages, labelled)}
    known = {sites[pair.name] for pair in labelled}
    for name, cleaner in (before | after).items():
        found = {pair.name: score(pair, cleaner) for pair in others if not empty(text_of(pair.gold))}
        unseen = [found[page] for page in found if sites[page] not in known]
        source = f"{LABELLED} Polish pages" if name in after else "as shipped"
        yield Row(name, source, mean(found.values()), mean(unseen))


def score(pair: Pair, cleaner: Cleaner) -> float:
    """Bag-of-words F1 of one page."""
    page = cleaner.page(content(pair.raw))
    return judged(pair.name, cleaner, page, text_of(pair.gold), Measure()).found.bag.f


def main(data: Path) -> None:
    folder = data / "daniel-polish"
    pairs = corpus(folder / "gold", folder / "raw").pairs
    sites = page_table(folder / "sites.json")
    rows: list[Row] = []
    for seed in range(DRAWS):
        with tempfile.TemporaryDirectory() as scratch:
            rows += rows_of(pairs, sites, seed, Path(scratch))
    means = [averaged(rows, name) for name in dict.fromkeys(row.model for row in rows)]
    lines = [HEAD.format(labelled=LABELLED, draws=DRAWS)]
    lines += [f"| `{row.model}` | {row.trained_on} | {row.all:.3f} | {row.unseen:.3f} |\n" for row in means]
    by_name = {row.model: row for row in means}
    gains = [
        f"`{model}` {by_name[model].all:.3f} -> {by_name[command].all:.3f}"
        for model, command in SAME_KIND.items()
        if model in by_name and command in by_name
    ]
    lines.append(FOOT.format(labelled=LABELLED, gains=", ".join(gains), web=WEB if "web" in by_name else ""))
    (CHECKOUT / "training" / "POLISH.md").write_text("".join(lines))


def averaged(rows: Sequence[Row], name: str) -> Row:
    """A model's scores over all draws."""
    same = [row for row in rows if row.model == name]
    return same[0]._replace(all=mean(row.all for row in same), unseen=mean(row.unseen for row in same))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python training/polish.py DATA")
    main(Path(sys.argv[1]))
