#!/usr/bin/env python3
"""What an hour of labelling buys: 20 Polish pages, `stupidos train`, and the F of all other pages.

    python training/polish.py DATA           # DATA holds daniel-polish/{raw,gold,sites.json}
    python training/polish.py DATA --web     # the default model too: needs all corpora, takes an hour

The annotator is played by the corpus: each of the 20 pages gets the labels that its gold text
gives it by alignment, written as `stupidos annotate` writes them. The others are scored before
(shipped models) and after (models trained on the 20). Three draws of 20 pages; bag-of-words F1,
macro, since these gold texts have no marks. Prints the section of training/RESULTS.md.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

from stupidos.annotate.adapt import FinishedPage, best_weight, combined, train_ngram, train_web  # noqa: E402
from stupidos.annotate.labels import LabelledPage, write_gold  # noqa: E402
from stupidos.annotate.second_annotator import aligned_labels  # noqa: E402
from stupidos.cli import main as stupidos  # noqa: E402
from stupidos.lab.corpus import Pair, content, corpus  # noqa: E402
from stupidos.lab.evaluate import judged, text_of  # noqa: E402
from stupidos.lab.folds import page_table  # noqa: E402
from stupidos.lab.measure import Measure, empty  # noqa: E402
from stupidos.pipeline import Cleaner  # noqa: E402

LABELLED = 20
DRAWS = 3
BEFORE = ("keep-all", "standard", "simplified")  # as shipped; they have seen no Polish
AFTER = {
    "stupidos train": (),
    "stupidos train --simplified": ("--simplified",),
    "stupidos train --web": ("--web",),
}
WEB = "web without Polish"  # all other corpora of the shipped web model
MORE = "web without Polish, and the 20"
RETRAINED = "{} + Retrain now"
PAIRS = {  # before -> after
    "standard": "stupidos train",
    "simplified": "stupidos train --simplified",
    WEB: MORE,
}
HEAD = """## Twenty pages of a new language

`python training/polish.py DATA{options}` plays an annotator who labels {labelled} pages of daniel-polish with
`stupidos annotate` (labels by alignment with the gold texts), trains on them, and scores the other pages:
bag-of-words F1, macro, mean of {draws} draws; in the last column only the pages of sites that no labelled
page came from.

| model | Polish pages | F, all other pages | F, unseen sites |
|---|---|---|---|
"""
FOOT = """
F goes from {gains}.

The published model knows no Polish letters and takes most of the text for dirt. It is the language
that is learnt here and not the sites: the gain on sites never labelled is about as large. "Retrain now" is
what suggests inside `stupidos annotate` after the last of the {labelled} pages: the model it began with and a
small one of those pages, added up.
"""


class Row(NamedTuple):
    """A model's scores in one draw."""

    model: str
    polish: int  # pages of that language it was trained on
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
        page, stored = cleaner.page(data), aligned_labels(cleaner, data, pair.gold)
        labelled = LabelledPage(pair.name, page.title, page.segments, stored.labels, stored.by_hand)
        write_gold(folder / "gold", labelled)
        shutil.copy(pair.raw, folder / "raw")


def trained(folder: Path) -> Iterator[tuple[str, Cleaner]]:
    """Commands, and cleaners with the models they made."""
    for number, (command, options) in enumerate(AFTER.items()):
        target = str(folder / f"{number}.npz")
        if stupidos(["train", str(folder / "gold"), str(folder / "raw"), "-o", target, *options]) == 0:
            yield command, Cleaner.load(target)


def retrained(cleaner: Cleaner, pairs: Sequence[Pair]) -> Cleaner:
    """What suggests in `stupidos annotate` after "Retrain now"."""
    pages = []
    for pair in pairs:
        data = content(pair.raw)
        keeps = [label.keep for label in aligned_labels(cleaner, data, pair.gold).labels]
        pages.append(FinishedPage(cleaner.page(data), keeps))
    train = train_web if cleaner.scorer.markup else train_ngram
    weight = best_weight(cleaner, pages, train).weight
    return combined(cleaner, train(pages), weight) if weight else cleaner


def web_model(data: Path, pairs: Sequence[Pair] = ()) -> Cleaner:
    """The default model as training/web.py makes it, but of Polish only these pages."""
    import web  # training/web.py

    from stupidos.web.train import Source, train_model
    from stupidos.web.train_examples import web_examples

    corpora = web.Data(data)
    sources = [corpora.source(name) for name in web.CORPORA if name != "daniel-polish"]
    sources.append(Source(web_examples(pairs)))
    scorer = train_model(sources, fit_confidence=False).scorer("web")
    return Cleaner(scorer, scorer)


def rows_of(data: Path, seed: int, folder: Path, before: Mapping[str, Cleaner]) -> Iterator[Row]:
    """Every model's scores in one draw."""
    home = data / "daniel-polish"
    sites = page_table(home / "sites.json")
    labelled, others = drawn(corpus(home / "gold", home / "raw").pairs, seed)
    label(labelled, folder)
    after = dict(trained(folder))
    if WEB in before:
        after[MORE] = web_model(data, labelled)
    for name in ("standard", WEB):
        if name in before:
            after[RETRAINED.format(name)] = retrained(before[name], labelled)
    known = {sites[pair.name] for pair in labelled}
    for name, cleaner in {**before, **after}.items():
        found = {pair.name: score(pair, cleaner) for pair in others if not empty(text_of(pair.gold))}
        unseen = [found[page] for page in found if sites[page] not in known]
        yield Row(name, LABELLED if name in after else 0, mean(found.values()), mean(unseen))


def score(pair: Pair, cleaner: Cleaner) -> float:
    """Bag-of-words F1 of one page."""
    page = cleaner.page(content(pair.raw))
    return judged(pair.name, cleaner, page, text_of(pair.gold), Measure()).comparison.bag.f


def averaged(rows: Sequence[Row], name: str) -> Row:
    """A model's scores over all draws."""
    same = [row for row in rows if row.model == name]
    return same[0]._replace(all=mean(row.all for row in same), unseen=mean(row.unseen for row in same))


def section(rows: Sequence[Row], options: str) -> str:
    """The table and what it says."""
    means = {name: averaged(rows, name) for name in dict.fromkeys(row.model for row in rows)}
    lines = [HEAD.format(options=options, labelled=LABELLED, draws=DRAWS)]
    lines += [
        f"| {r.model} | {r.polish or 'none'} | {r.all:.3f} | {r.unseen:.3f} |\n" for r in means.values()
    ]
    gains = [
        f"{one} {means[one].all:.3f} -> {means[other].all:.3f}"
        for one, other in PAIRS.items()
        if other in means
    ]
    return "".join(lines) + FOOT.format(labelled=LABELLED, gains="; ".join(gains))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--web", action="store_true", help="the default model too, which takes an hour")
    arguments = parser.parse_args()
    before = {name: Cleaner.load(name) for name in BEFORE}
    if arguments.web:
        before[WEB] = web_model(arguments.data)
    rows: list[Row] = []
    for seed in range(DRAWS):
        with tempfile.TemporaryDirectory() as scratch:
            rows += rows_of(arguments.data, seed, Path(scratch), before)
    options = " --web" if arguments.web else ""
    print(section(rows, options))


if __name__ == "__main__":
    main()
