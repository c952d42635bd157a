"""FIASCO's experiments again: features, classifiers, the whole system. LITERATURE.md shows the results.

    python training/fiasco_tables.py features DATA/cleaneval --pages 90      # Tables 2 and 3
    python training/fiasco_tables.py classifiers DATA/cleaneval --pages 90   # section 4.1
    python training/fiasco_tables.py keywords DATA/cleaneval --pages 90      # footnote 3
    python training/fiasco_tables.py folds DATA/cleaneval --pages 158        # section 6

Needs the extras svm, visual, pos and keywords, and Chromium. C and gamma are found on other pages of the
corpus. Pages are laid out once and kept in $STUPIDOS_CACHE; browser and fonts are printed, since figures
move with them.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from stupidos import __version__
from stupidos.lab.corpus import Pair, corpus
from stupidos.lab.cross_validation import CrossValidation, cross_validated, held_out_pages
from stupidos.lab.evaluate import gold_digest
from stupidos.lab.examples import Example, examples
from stupidos.lab.measure import Measure
from stupidos.lab.retrain import retrainer
from stupidos.lab.significance import gain
from stupidos.literature import fiasco_train
from stupidos.literature.fiasco import Fiasco, digest, scale_features
from stupidos.literature.fiasco_features import NODE_FEATURES
from stupidos.literature.fiasco_pos import POS_FEATURES
from stupidos.literature.fiasco_regions import VISUAL_FEATURES, Boxes
from stupidos.literature.fiasco_train_pages import FiascoPage, general_frequency, keywords, labelled_pages
from stupidos.literature.page_layout import LayoutCache
from stupidos.pipeline import Options
from stupidos.score.scorer import Scorer

WELL_ALIGNED = 0.95  # of the gold paragraphs have a node: the paper took 117 of its 158 pages
OTHER_PAGES = 90  # for C and gamma
LANGUAGE = "en"
FONTS = ("serif", "sans-serif", "monospace", "Times New Roman", "Arial", "Courier New")

OTHERS = np.arange(len(NODE_FEATURES))
POS = len(OTHERS) + np.arange(len(POS_FEATURES))
VISUAL = len(OTHERS) + len(POS) + np.arange(len(VISUAL_FEATURES))
# The rows of Tables 2 and 3
SUBSETS = {
    "all": np.concatenate([OTHERS, POS, VISUAL]),
    "without POS": np.concatenate([OTHERS, VISUAL]),
    "without visual": np.concatenate([OTHERS, POS]),
    "without POS and visual": OTHERS,
    "visual only": VISUAL,
    "POS only": POS,
    "POS and visual only": np.concatenate([POS, VISUAL]),
}


def say(*cells: object) -> None:
    print("  ".join(str(cell) for cell in cells), flush=True)


def percent(*shares: float) -> str:
    return " ".join(f"{100 * share:6.2f}" for share in shares)


class Pages(NamedTuple):
    """Pages to be tested on, and others to find C and gamma on."""

    pairs: list[Pair]
    others: list[Pair]

    @classmethod
    def of(cls, folder: Path, count: int) -> Pages:
        every = corpus(folder / "gold", folder / "raw").pairs
        pairs = every[:: max(len(every) // count, 1)][:count]
        rest = [pair for pair in every if pair not in pairs]
        return cls(pairs, rest[:: max(len(rest) // OTHER_PAGES, 1)])

    def settings(self, by_page: bool) -> tuple[float, float, float]:
        """C and gamma that suit the other pages best, without visual and part-of-speech features."""
        pages, _, _ = labelled_pages(examples(self.others))
        rows = fiasco_train.node_rows(pages, keywords(pages), visual=False)
        return fiasco_train.grid_search(rows, np.random.default_rng(fiasco_train.SEED), by_page)


def laid_out(pairs: Sequence[Pair]) -> tuple[list[Example], dict[str, Boxes]]:
    """The pages that can be used, and their boxes by digest."""
    pages = [one for one in examples(pairs) if isinstance(one, Example)]
    layout = LayoutCache()
    try:
        return pages, {digest(page.page.source): layout(page.page.source) for page in pages}
    finally:
        layout.close()


def browser_and_fonts() -> str:
    """The versions that the visual features depend on."""
    commands = [[shutil.which("chromium") or "chromium", "--version"]]
    commands += [["fc-match", "--format", "%{family} ", font] for font in FONTS]
    answers = [subprocess.run(one, capture_output=True, text=True, check=True).stdout for one in commands]
    return " | ".join(answer.strip() for answer in answers)


def all_features(pairs: Sequence[Pair]) -> list[FiascoPage]:
    """Labelled pages with their boxes and parts of speech."""
    pages, measured = laid_out(pairs)
    labelled, _, _ = labelled_pages(pages, measured, LANGUAGE)
    nodes = np.concatenate([page.clean for page in labelled])
    aligned = np.array([page.found for page in labelled])
    say(f"{len(labelled)} pages, {len(nodes)} target nodes, {nodes.mean():.1%} clean")
    say(f"gold paragraphs found {aligned.mean():.1%}; pages with all {(aligned == 1).mean():.1%}")
    return labelled


def features(arguments: argparse.Namespace) -> None:
    """Tables 2 and 3: accuracy on target nodes, and precision, recall and F of the clean ones, ten folds."""
    chosen = Pages.of(arguments.corpus, arguments.pages)
    say(browser_and_fonts())
    pages = all_features(chosen.pairs)
    well = [page for page in pages if page.found >= WELL_ALIGNED]
    for split in (fiasco_train.folds_by_node, fiasco_train.folds_by_page):
        by_page = split is fiasco_train.folds_by_page
        c, gamma, best = chosen.settings(by_page)
        say(f"{split.__name__}: C {c:g} gamma {gamma:g}, {best:.1%} right on the other pages")
        for kind, some in (("Table 2", pages), ("Table 3", well)):
            if by_page and some is well:
                continue  # the paper has no such split at all
            folds = split(some, visual=True)
            for name, columns in SUBSETS.items():
                row = fiasco_train.cross_validated_accuracy(folds, c, gamma, columns)
                say(f"{kind} {len(some)} pages  {name:24}", "accuracy, P, R, F", percent(*row))


def classifiers(arguments: argparse.Namespace) -> None:
    """Section 4.1: the best accuracy of each kernel by three folds of nodes, and that of decision trees."""
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
    from sklearn.model_selection import GridSearchCV, KFold
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    pages = all_features(Pages.of(arguments.corpus, arguments.pages).pairs)
    rows = fiasco_train.node_rows(pages, keywords(pages), visual=True)
    rows = rows.sample(arguments.nodes, np.random.default_rng(fiasco_train.SEED))
    x = scale_features(rows.table, rows.table.min(axis=0), rows.table.max(axis=0))
    gammas, seed = (0.03125, 0.125, 0.5, 2.0, 8.0), fiasco_train.SEED
    cs = (0.5, 2.0, 8.0, 32.0)
    tree = DecisionTreeClassifier(random_state=seed)
    stump = DecisionTreeClassifier(max_depth=5, random_state=seed)
    tried: dict[str, tuple[Any, dict[str, Any]]] = {
        "RBF kernel": (SVC(), {"C": cs, "gamma": gammas}),
        "linear kernel": (SVC(kernel="linear"), {"C": cs}),
        "polynomial kernel": (
            SVC(kernel="poly", coef0=1.0), {"C": cs[:3], "gamma": gammas[:3], "degree": (2, 3)},
        ),
        "sigmoid kernel": (SVC(kernel="sigmoid"), {"C": cs, "gamma": (0.002, 0.008, *gammas[:2])}),
        "decision tree": (tree, {"min_samples_leaf": (1, 2, 5, 10, 20)}),
        "... with bagging": (BaggingClassifier(tree, 50, random_state=seed), {"max_samples": (0.5, 1.0)}),
        "... with boosting": (AdaBoostClassifier(stump, n_estimators=50, random_state=seed), {}),
    }  # fmt: skip
    say(f"{len(x)} nodes of them, three folds, all features")
    for name, (machine, grid) in tried.items():
        folds = KFold(3, shuffle=True, random_state=seed)
        search = GridSearchCV(machine, grid, cv=folds).fit(x, rows.clean)
        say(f"{name:18}", percent(search.best_score_), search.best_params_)


def reference(arguments: argparse.Namespace) -> None:
    """Footnote 3: keywords of the pages with and without a reference, and the accuracy with either."""
    chosen = Pages.of(arguments.corpus, arguments.pages)
    pages, _, _ = labelled_pages(examples(chosen.pairs))
    c, gamma, _ = chosen.settings(by_page=True)
    for name, general in (("training pages alone", None), ("wordfreq", general_frequency(LANGUAGE))):
        words = keywords(pages, general=general)
        say(f"{name}: {len(words.clean)} clean, {len(words.dirty)} dirty keywords, such as",
            " ".join(sorted(words.clean, key=len)[:12]), "/", " ".join(sorted(words.dirty)[:12]))  # fmt: skip
        folds = fiasco_train.folds_by_page(pages, visual=False, general=general)
        row = fiasco_train.cross_validated_accuracy(folds, c, gamma)
        say(f"  C {c:g} gamma {gamma:g}, ten folds of pages", "accuracy, P, R, F", percent(*row))


def whole_system(
    measured: dict[str, Boxes], settings: tuple[float, float], visual: bool, pos: str
) -> Callable[[Sequence[Sequence[Example]]], Iterator[Scorer]]:
    """Train FIASCO for each fold on the pages of the others, with fixed C and gamma, as the paper did."""

    def retrained(folds: Sequence[Sequence[Example]]) -> Iterator[Scorer]:
        labelled = [labelled_pages(fold, measured, pos)[0] for fold in folds]
        for test in range(len(folds)):
            pages = [page for at, fold in enumerate(labelled) for page in fold if at != test]
            words = keywords(pages)
            rows = fiasco_train.node_rows(pages, words, visual)
            machine = fiasco_train.train_svm(rows, np.random.default_rng(fiasco_train.SEED), *settings)
            name = "fiasco" + (" visual" if visual else "") + (" pos" if pos else "")
            header = {"C": settings[0], "gamma": settings[1], "visual": visual, "pos": pos}
            yield Fiasco(name, machine, words, lambda source: measured[digest(source)], header=header)

    return retrained


def folds(arguments: argparse.Namespace) -> None:
    """Section 6: words of whole pages, five folds of pages; the gain is that over the plain dump."""
    chosen = Pages.of(arguments.corpus, arguments.pages)
    say(browser_and_fonts())
    _, measured = laid_out(chosen.pairs)
    pages = [page for page in held_out_pages(chosen.pairs) if getattr(page, "flaw", "x") == ""]
    validation, golds = CrossValidation.of(pages, None, 5), gold_digest(chosen.pairs)
    c, gamma, _ = chosen.settings(by_page=True)
    systems = {
        "plain dump": retrainer("keep-all"),
        "all features": whole_system(measured, (c, gamma), True, LANGUAGE),
        "without POS": whole_system(measured, (c, gamma), True, ""),
        "without POS and visual": whole_system(measured, (c, gamma), False, ""),
    }
    base: list[float] = []
    for name, system in systems.items():
        row = cross_validated(system, validation.folds, Options(), Measure(), map, golds)
        base = base or row.column("f")
        figures = percent(*(row.macro[one] for one in ("precision", "recall", "f")))
        step = gain(row.column("f"), base)
        low = sum(score < 0.01 for score in row.column("recall"))
        say(f"{name:24} P, R, F {figures}  gain {100 * step.mean:+.2f} ({100 * step.low:+.2f} to"
            f" {100 * step.high:+.2f})  {low} pages with a recall below 1 %  {row.signature}")  # fmt: skip


EXPERIMENTS = {"features": features, "classifiers": classifiers, "keywords": reference, "folds": folds}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("experiment", choices=EXPERIMENTS)
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="a folder with raw/ and gold/")
    parser.add_argument("--pages", type=int, default=90, help="pages of the corpus that are taken")
    parser.add_argument("--nodes", type=int, default=3000, help="nodes sampled for classifiers")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # wrongly declared encodings
    say(f"{arguments.experiment} {arguments.corpus.name} v:{__version__}")
    EXPERIMENTS[arguments.experiment](arguments)


if __name__ == "__main__":
    main()
