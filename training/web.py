"""Train the web model on all corpora, and evaluate it on pages of unseen sites.

    python training/web.py DATA models                    # models/web.npz
    python training/web.py DATA models --measure          # five folds by site: the table of RESULTS.md
    python training/web.py DATA models --other-folds      # the same with folds that no setting was tuned on
    python training/web.py DATA models --leave-out daniel-polish    # trained without, measured on that corpus

DATA holds NAME/raw, NAME/gold and NAME/sites.json of each corpus. With --measure the confidence is fitted on
all pages of the five folds, else on a sample. l3s-gn1 is for research only: it is never trained on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # sums in one order on every machine, for the same file

from stupidos import __version__
from stupidos.lab.align import words
from stupidos.lab.confidence import ConfidenceSample, sample
from stupidos.lab.corpus import content, corpus, gold_of
from stupidos.lab.examples import Example, Problem
from stupidos.lab.lcs import common_blocks
from stupidos.lab.match_counts import bag_counts
from stupidos.page import Segment, Verdict
from stupidos.pipeline import Cleaner
from stupidos.score.scorer import Scorer
from stupidos.web import train
from stupidos.web.train_confidence import confidence_header
from stupidos.web.train_data import fold_counts
from stupidos.web.train_examples import web_examples, web_page
from stupidos.web.train_network import TrainingOptions

# The weight of a page of each corpus. wcxb is the only one with pages of all kinds; Polish and Russian pages
# are harder than those in other languages.
CORPORA = {
    "wcxb": 2.0,
    "cleaneval": 1.0,
    "dragnet": 1.0,
    "daniel-chinese": 1.0,
    "daniel-english": 1.0,
    "daniel-greek": 1.0,
    "daniel-polish": 1.5,
    "daniel-russian": 1.5,
}
RESEARCH_ONLY = "l3s-gn1"
SALT, SEED = "other folds ", 2026  # of the folds that no setting was tuned on
COLUMNS = ("bag F1", "align F", "P", "R")


def table_of(path: Path) -> dict[str, str]:
    """A JSON file that maps pages to sites or types; empty where there is none."""
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def pages_of(data: Path, name: str) -> Iterator[Example | Problem]:
    """The pages of a corpus as training examples, named NAME/PAGE."""
    for example in web_examples(corpus(data / name / "gold", data / name / "raw").pairs):
        yield example._replace(name=f"{name}/{example.name}")


def source(data: Path, name: str) -> train.Source:
    """A corpus to train on."""
    sites = {f"{name}/{page}": site for page, site in table_of(data / name / "sites.json").items()}
    return train.Source(pages_of(data, name), CORPORA.get(name, 1.0), sites)


def figures(verdicts: Sequence[Verdict], gold: Sequence[Segment]) -> tuple[float, float, float, float]:
    """Bag-of-words F1, and F, precision and recall of the longest common subsequence of words."""
    cleaned = "\n".join(verdict.segment.text for verdict in verdicts if verdict.keep)
    wanted = "\n".join(segment.text for segment in gold)
    found, expected = words(cleaned), words(wanted)
    common = sum(block.size for block in common_blocks(found, expected))
    precision, recall = common / max(len(found), 1), common / max(len(expected), 1)
    f = 2 * common / max(len(found) + len(expected), 1)
    return bag_counts(cleaned, wanted).f, f, precision, recall


def print_means(rows: dict[str, list[tuple[float, float, float, float]]], signature: str) -> None:
    """Print a table of means, a row for each corpus or page type."""
    print(f"{'':24}{'pages':>7}" + "".join(f"{name:>9}" for name in COLUMNS) + f"   {signature}")
    for name, values in rows.items():
        means = (sum(column) / len(values) for column in zip(*values, strict=True))
        print(f"{name:24}{len(values):7}" + "".join(f"{mean:9.4f}" for mean in means), flush=True)


def with_verdicts(scorer: Scorer, examples: Iterable[Example]) -> Iterator[tuple[Example, list[Verdict]]]:
    """Examples with the verdicts of a scorer."""
    cleaner = Cleaner(scorer, scorer)
    for example in examples:
        yield example, list(cleaner.document(example.page).verdicts)


def every_page(data: Path, name: str) -> Iterator[Example]:
    """All pages of a corpus whose gold is not empty, also those that cannot be trained on."""
    for pair in corpus(data / name / "gold", data / name / "raw").pairs:
        gold = gold_of(pair.gold)
        if gold:
            yield Example(f"{name}/{pair.name}", web_page(content(pair.raw)), gold)


def fold_scorers(sources: Iterable[train.Source], options: TrainingOptions, salt: str) -> list[Scorer]:
    """A scorer for each fold of sites, trained on the other folds."""
    pages = train.training_set(sources, salt).pages
    counts = fold_counts(pages, train.FOLDS)
    scorers = []
    for fold in range(train.FOLDS):
        start = time.process_time()
        scorers.append(train.held_out_model(pages, counts, fold, options).scorer("web"))
        print(f"fold {fold}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)
    return scorers


def measure(data: Path, options: TrainingOptions, salt: str = "") -> dict[str, object]:
    """Print the table of five folds by site; the header entry of the confidence fitted on their verdicts."""
    sources = {name: source(data, name) for name in CORPORA}
    scorers = fold_scorers(sources.values(), options, salt)
    types = {f"wcxb/{page}": kind for page, kind in table_of(data / "wcxb" / "types.json").items()}
    rows = defaultdict(list)
    samples: list[ConfidenceSample] = []
    for name, corpus_source in sources.items():
        for example in every_page(data, name):
            scorer = scorers[train.fold_of(corpus_source.sites.get(example.name, example.name), salt)]
            [(_, verdicts)] = with_verdicts(scorer, [example])
            scores = figures(verdicts, example.gold)
            rows[name].append(scores)
            if example.name in types:
                rows[f"  wcxb {types[example.name]}"].append(scores)
            evaluated = sample(verdicts, example.gold)
            samples += [evaluated] if evaluated else []
    folds = f"{train.FOLDS} by site" + (", other" if salt else "")
    signature = f"model:web|folds:{folds}|units:{options.hidden}+{options.units}|v:{__version__}"
    print_means(rows, signature)
    return confidence_header(samples)


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("data", type=Path)
    parser.add_argument("models", type=Path)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--other-folds", action="store_true")
    parser.add_argument("--leave-out", choices=tuple(CORPORA))
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    options = TrainingOptions()
    if arguments.other_folds:
        measure(arguments.data, replace(options, seed=SEED), SALT)
        return
    if arguments.leave_out:
        rest = [source(arguments.data, name) for name in CORPORA if name != arguments.leave_out]
        scorer = train.train_model(rest, options, fit_confidence=False).scorer("web")
        pages = every_page(arguments.data, arguments.leave_out)
        rows = [figures(verdicts, page.gold) for page, verdicts in with_verdicts(scorer, pages)]
        print_means({arguments.leave_out: rows}, f"model:web|without:{arguments.leave_out}|v:{__version__}")
        return
    measured = measure(arguments.data, options) if arguments.measure else {}
    sources = (source(arguments.data, name) for name in CORPORA)
    model = train.train_model(sources, options, fit_confidence=not measured)
    model.save(arguments.models / "web.npz", corpora=CORPORA, **measured)
    print(f"web: {model.pages} pages, {model.segments} segments, {len(model.problems)} left out")
    if arguments.measure and (arguments.data / RESEARCH_ONLY).is_dir():
        pages = every_page(arguments.data, RESEARCH_ONLY)
        rows = [figures(verdicts, page.gold) for page, verdicts in with_verdicts(model.scorer("web"), pages)]
        print_means({RESEARCH_ONLY: rows}, f"model:web|never trained on|v:{__version__}")


if __name__ == "__main__":
    main()
