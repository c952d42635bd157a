"""Train the web model on all corpora, and measure it on pages of sites it never saw.

    python training/web.py DATA models                    # models/web.npz
    python training/web.py DATA models --measure          # five folds by site: the table of RESULTS.md
    python training/web.py DATA models --other-folds      # that table again, with folds nothing was tuned on
    python training/web.py DATA models --leave-out daniel-polish    # trained without, measured on that corpus

DATA holds NAME/raw, NAME/gold and NAME/sites.json of each corpus. l3s-gn1 is for research only: it is
measured with the finished model and never trained on.
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

from stupidos import __version__, confidence
from stupidos.lab import confidence as confidences
from stupidos.lab.align import words
from stupidos.lab.bag import bag_tally
from stupidos.lab.corpus import corpus, gold_of, raw_of
from stupidos.lab.examples import Example, Problem, examples
from stupidos.lab.lcs import common_blocks
from stupidos.page import Segment, Verdict
from stupidos.pipeline import Cleaner
from stupidos.score.scorer import Scorer
from stupidos.web import train
from stupidos.web.train_data import fold_counts, ngram_table, words_of
from stupidos.web.train_network import Schooling, schooled

# What a page of each corpus weighs. wcxb is the only one with pages of all kinds; Polish and Russian pages
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
SALT, SEED = "other folds ", 2026  # of the folds that no setting was chosen on
COLUMNS = ("bag F1", "align F", "P", "R")


def table_of(path: Path) -> dict[str, str]:
    """A JSON file that maps pages to sites or types; empty where there is none."""
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else {}


def pages_of(data: Path, name: str) -> Iterator[Example | Problem]:
    """The pages of a corpus, under names of their own."""
    for found in examples(corpus(data / name / "gold", data / name / "raw").pairs):
        yield found._replace(name=f"{name}/{found.name}")


def source(data: Path, name: str) -> train.Source:
    """A corpus to learn from."""
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
    return bag_tally(cleaned, wanted).f, f, precision, recall


def shown(rows: dict[str, list[tuple[float, float, float, float]]], signature: str) -> None:
    """A table of means, a row a corpus or page type."""
    print(f"{'':24}{'pages':>7}" + "".join(f"{name:>9}" for name in COLUMNS) + f"   {signature}")
    for name, values in rows.items():
        means = (sum(column) / len(values) for column in zip(*values, strict=True))
        print(f"{name:24}{len(values):7}" + "".join(f"{mean:9.4f}" for mean in means), flush=True)


def judged(scorer: Scorer, found: Iterable[Example]) -> Iterator[tuple[Example, list[Verdict]]]:
    """Examples with the verdicts on them."""
    cleaner = Cleaner(scorer, scorer)
    for example in found:
        yield example, cleaner.verdicts(train.with_hidden(example).page)


def every(data: Path, name: str) -> Iterator[Example]:
    """All pages of a corpus whose gold is not empty, also those too odd to learn from."""
    for pair in corpus(data / name / "gold", data / name / "raw").pairs:
        gold = gold_of(pair.gold)
        if gold:
            yield Example(f"{name}/{pair.name}", raw_of(pair.raw), gold)


def measure(data: Path, how: Schooling, salt: str = "") -> dict[str, object]:
    """Print the table of five folds by site; the confidence that follows from their verdicts."""
    sources = {name: source(data, name) for name in CORPORA}
    read = train.pages_of(sources.values(), salt)
    counts = fold_counts(read.pages, train.FOLDS)
    types = {f"wcxb/{page}": kind for page, kind in table_of(data / "wcxb" / "types.json").items()}
    rows, samples = defaultdict(list), []
    scorers = []
    for fold in range(train.FOLDS):
        start = time.process_time()
        seen = [page for page in read.pages if page.fold != fold]
        nothing = [(0 * clean, 0 * dirty) for clean, dirty in counts[fold]]
        rest = [nothing if at == fold else part for at, part in enumerate(counts)]
        known = words_of(seen)
        weights = schooled(train.lessons_of(seen, rest, known), how, len(known))
        found = train.Learnt(read.symbols, ngram_table(rest), known, weights, len(seen), 0, "", [])
        scorers.append(found.scorer("web"))
        print(f"fold {fold}: {time.process_time() - start:.0f} s", file=sys.stderr, flush=True)
    for name, some in sources.items():
        for page in every(data, name):
            scorer = scorers[train.fold_of(some.sites.get(page.name, page.name), salt)]
            [(example, verdicts)] = judged(scorer, [page])
            scores = figures(verdicts, example.gold)
            rows[name].append(scores)
            if example.name in types:
                rows[f"  wcxb {types[example.name]}"].append(scores)
            samples.append(confidences.sample(verdicts, example.gold))
    folds = f"{train.FOLDS} by site" + (", other" if salt else "")
    signature = f"model:web|folds:{folds}|units:{how.hidden}+{how.units}|v:{__version__}"
    shown(rows, signature)
    return confidences.weights([some for some in samples if some])


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
    how = Schooling()
    if arguments.other_folds:
        measure(arguments.data, replace(how, seed=SEED), SALT)
        return
    if arguments.leave_out:
        rest = [source(arguments.data, name) for name in CORPORA if name != arguments.leave_out]
        scorer = train.learn(rest, how).scorer("web")
        out = every(arguments.data, arguments.leave_out)
        rows = [figures(verdicts, page.gold) for page, verdicts in judged(scorer, out)]
        shown({arguments.leave_out: rows}, f"model:web|without:{arguments.leave_out}|v:{__version__}")
        return
    known = measure(arguments.data, how) if arguments.measure else {}
    learnt = train.learn((source(arguments.data, name) for name in CORPORA), how)
    learnt.save(arguments.models / "web.npz", corpora=CORPORA, **({confidence.KEY: known} if known else {}))
    print(f"web: {learnt.pages} pages, {learnt.segments} segments, {len(learnt.problems)} left out")
    if arguments.measure and (arguments.data / RESEARCH_ONLY).is_dir():
        out = every(arguments.data, RESEARCH_ONLY)
        rows = [figures(verdicts, page.gold) for page, verdicts in judged(learnt.scorer("web"), out)]
        shown({RESEARCH_ONLY: rows}, f"model:web|never trained on|v:{__version__}")


if __name__ == "__main__":
    main()
