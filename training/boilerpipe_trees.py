"""Trained trees of Boilerpipe's Table 2, and the information gain of its Figure 1.

    python training/boilerpipe_trees.py DATA/l3s-gn1 --plot training/figures/information-gain.png

Weka's C4.8 is replaced by scikit-learn's trees: binary splits by entropy, leaves of at least 1,000 words (the
paper: 1,000 instances, which it weights by words), cost-complexity pruning with a fixed alpha. Rows of one
feature are Holte's 1R with partitions of at least as many words of one class. Ten folds, no site in two of
them; with --by-block those of Weka, which know of no pages. Weights are words.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import l3s
from boilerpipe_features import CONTEXT, FEATURES, FOLDS, LOCAL, OWN, table

from stupidos.literature.tokens import FloatArray

LEAF_WORDS = 1000
ALPHA = 1e-4  # of cost-complexity pruning, in shares of the entropy; chosen beforehand
BINS = 20  # of equal weight, for the information gain
SHOWN = 25  # features of the most information gain
SEED = 1  # of the folds by block
PLACES = ("previous", "current", "next")
CURRENT = (*(f"current {name}" for name in OWN), "relative position", "absolute position")


def three(*names: str) -> tuple[str, ...]:
    """These features of the block before, of the block, and of the block after.

    >>> three("words")
    ('previous words', 'current words', 'next words')
    """
    return tuple(f"{place} {name}" for place in PLACES for name in names)


# Row of Table 2 -> features; one feature alone is 1R.
ROWS: dict[str, tuple[str, ...]] = {
    "1R average sentence length": ("current average sentence length",),
    "1R average word length": ("current average word length",),
    "1R words": ("current words",),
    "1R link density": ("current link density",),
    "1R text density": ("current text density",),
    "frequency (P/C/N)": three("frequency"),
    "link density (P/C/N)": three("link density"),
    "words (P/C/N)": three("words"),
    "all local features (C)": CURRENT,
    "all local features (C), quotients": (*CURRENT, *CONTEXT[1:]),
    "text and link density (P/C/N)": three("text density", "link density"),
    "words and link density (P/C/N)": three("words", "link density"),
    "all local features (P/C/N)": LOCAL,
    "all, and frequency": FEATURES[: len(LOCAL) + 3],
}


class Blocks(NamedTuple):
    """The blocks of all pages."""

    features: FloatArray  # (blocks, features)
    labels: l3s.Classes
    words: FloatArray
    fold: l3s.Classes

    @classmethod
    def of(cls, folder: Path) -> Blocks:
        pages = list(l3s.pages(folder / "annotated"))
        known = json.loads((folder / "sites.json").read_text(encoding="utf-8"))
        sites = [known.get(page.name, page.name) for page in pages]
        order = {site: at % FOLDS for at, site in enumerate(sorted(set(sites)))}
        return cls(
            np.concatenate(table(pages)),
            np.concatenate([page.labels for page in pages]),
            np.concatenate([page.words for page in pages]),
            np.repeat([order[site] for site in sites], [len(page.labels) for page in pages]),
        )


def tree(words: FloatArray) -> Any:
    """A classifier that was not trained yet."""
    from sklearn.tree import DecisionTreeClassifier

    share = min(LEAF_WORDS / words.sum(), 0.5)
    return DecisionTreeClassifier(
        criterion="entropy", min_weight_fraction_leaf=share, ccp_alpha=ALPHA, random_state=0
    )


class OneRule(NamedTuple):
    """Holte's 1R: the class of each partition of a feature."""

    ends: FloatArray  # upper ends of the partitions; the last one is infinite
    labels: l3s.Classes

    @classmethod
    def of(cls, x: FloatArray, y: l3s.Classes, words: FloatArray, least: float = LEAF_WORDS) -> OneRule:
        """Partitions whose most frequent class has at least so many words; equal neighbours are merged.

        >>> rule = OneRule.of(np.array([1.0, 2, 3, 4]), np.array([0, 0, 1, 1]), np.ones(4), 2)
        >>> rule.ends, rule.labels
        (array([2.5, inf]), array([0, 1]))
        """
        order = np.argsort(x, kind="stable")
        values, classes, weights = x[order].tolist(), y[order].tolist(), words[order].tolist()
        found: list[tuple[float, int]] = []
        counts = [0.0] * (int(y.max()) + 1)
        for at, value in enumerate(values):
            counts[classes[at]] += weights[at]
            last = at + 1 == len(values)
            best = max(range(len(counts)), key=counts.__getitem__)
            full = counts[best] >= least and not last and values[at + 1] > value and classes[at + 1] != best
            if last or full:
                end = np.inf if last else (value + values[at + 1]) / 2
                if found and found[-1][1] == best:
                    found.pop()
                found.append((end, best))
                counts = [0.0] * len(counts)
        return cls(np.array([end for end, _ in found]), np.array([label for _, label in found]))

    def predict(self, x: FloatArray) -> l3s.Classes:
        return np.asarray(self.labels[np.searchsorted(self.ends, x)], dtype=np.int64)


def one_rule_row(
    blocks: Blocks, name: str, classes: Sequence[int]
) -> tuple[l3s.WeightedScores, float, int]:
    """Scores of 1R by cross-validation, its area under the ROC curve, and its partitions on all pages."""
    x, y, words = blocks.features[:, FEATURES.index(name)], np.array(classes)[blocks.labels], blocks.words
    predicted = np.zeros(len(y), dtype=np.int64)
    for test in range(FOLDS):
        inside = blocks.fold != test
        predicted[~inside] = OneRule.of(x[inside], y[inside], words[inside]).predict(x[~inside])
    scores = l3s.weighted(y, predicted, words)
    return scores, scores.area(), len(OneRule.of(x, y, words).ends)


def row(
    blocks: Blocks, names: Sequence[str], classes: Sequence[int]
) -> tuple[l3s.WeightedScores, float, int]:
    """Scores by cross-validation, the area under the ROC curve, and the leaves of the tree of all pages."""
    from sklearn.metrics import roc_auc_score

    if len(names) == 1:
        return one_rule_row(blocks, names[0], classes)
    x = blocks.features[:, [FEATURES.index(name) for name in names]]
    y, words = np.array(classes)[blocks.labels], blocks.words
    predicted, chances = np.zeros(len(y), dtype=np.int64), np.zeros((len(y), len(set(classes))))
    for test in range(FOLDS):
        inside = blocks.fold != test
        one = tree(words[inside]).fit(x[inside], y[inside], sample_weight=words[inside])
        predicted[~inside], chances[~inside] = one.predict(x[~inside]), one.predict_proba(x[~inside])
    scores = chances[:, 1] if chances.shape[1] == 2 else chances
    area = roc_auc_score(y, scores, sample_weight=words, multi_class="ovr", average="weighted")
    leaves = tree(words).fit(x, y, sample_weight=words).get_n_leaves()
    return l3s.weighted(y, predicted, words), float(area), int(leaves)


def information_gain(
    column: FloatArray, labels: l3s.Classes, words: FloatArray, by_value: bool = False
) -> float:
    """H(C) - H(C|A) in bits, weighted by words; the feature is cut into bins of equal weight.

    `by_value`: every value is a bin, which favours features with many values.

    >>> information_gain(np.array([1.0, 1, 2, 2]), np.array([0, 0, 1, 1]), np.ones(4))
    1.0
    >>> position, label = np.arange(200.0), np.arange(200) % 2
    >>> [round(information_gain(position, label, np.ones(200), one), 2) for one in (False, True)]
    [0.0, 1.0]
    """
    if by_value:
        _, bins = np.unique(column, return_inverse=True)
    else:
        order = column.argsort(kind="stable")
        steps = np.linspace(0, 1, BINS + 1)[1:-1]
        edges = np.interp(steps, words[order].cumsum() / words.sum(), column[order])
        bins = np.searchsorted(np.unique(edges), column, side="left")
    joint = np.zeros((bins.max() + 1, labels.max() + 1))
    np.add.at(joint, (bins, labels), words / words.sum())
    return float(entropy(joint.sum(axis=0)) + entropy(joint.sum(axis=1)) - entropy(joint.ravel()))


def entropy(shares: FloatArray) -> float:
    """Bits of a distribution.

    >>> entropy(np.array([0.5, 0.5, 0.0]))
    1.0
    """
    some = shares[shares > 0]
    return float(-(some * np.log2(some)).sum())


def plot(kinds: Mapping[str, Sequence[tuple[str, float]]], path: Path) -> None:
    """Figure 1: a panel for each number of classes and kind of bins, a bar a feature."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 13), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, (kind, gains) in zip(figure.subplots(2, len(kinds) // 2).T.ravel(), kinds.items()):
        names, values = zip(*reversed(gains), strict=True)
        axes.barh(names, values, color="0.6")
        axes.set(title=kind, xlabel="information gain, bits, weighted by words")
    figure.savefig(path, format="png", dpi=65, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="l3s-gn1")
    parser.add_argument("--plot", metavar="FILE.png", type=Path, help="draw the information gain")
    parser.add_argument("--by-block", action="store_true", help="let blocks of a page be in different folds")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    blocks = Blocks.of(arguments.corpus)
    if arguments.by_block:
        blocks = blocks._replace(fold=np.random.default_rng(SEED).permutation(len(blocks.fold)) % FOLDS)
    problems = {"2": l3s.TWO_CLASSES, "4": l3s.FOUR_CLASSES}
    best: dict[str, Sequence[tuple[str, float]]] = {}
    for kind, classes in problems.items():
        labels = np.array(classes)[blocks.labels]
        for by_value, bins in ((False, f"{BINS} bins"), (True, "every value a bin")):
            gains = [
                (name, information_gain(column, labels, blocks.words, by_value))
                for name, column in zip(FEATURES, blocks.features.T)
            ]
            gains = sorted(gains, key=lambda pair: -pair[1])[:SHOWN]
            best[f"{kind} classes, {bins}"] = gains
            print(f"{kind} classes, {bins}, information gain in bits, the best {SHOWN}")
            for name, gain in gains:
                print(f"  {name:36} {gain:.3f}", flush=True)
    if arguments.plot:
        plot(best, arguments.plot)
    print("P, R, F, false positives, area under the ROC curve, leaves")
    for name, features in ROWS.items():
        for kind, classes in problems.items():
            scores, area, leaves = row(blocks, features, classes)
            shares = " ".join(f"{100 * share:5.1f}" for share in (*scores, area))
            print(f"  {name:36} {kind} classes, {len(features):2} features  {shares}  {leaves}", flush=True)


if __name__ == "__main__":
    main()
