"""Training of FIASCO: keywords, features, and a support vector machine by grid search.

Bauer et al. (2007), sections 2.3, 3.1 and 4: features scaled to [-1, 1], C and gamma of the RBF kernel
found by cross-validation on part of the pages. scikit-learn does the work (extra `svm`); the model file
holds the support vectors alone, so that cleaning needs numpy and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stupidos import __version__
from stupidos.errors import CorpusError, missing_extra
from stupidos.lab.examples import TRAINING_PAGES, joined_hashes
from stupidos.literature.fiasco import RbfSvm, save, scale_features
from stupidos.literature.fiasco_features import Keywords, feature_table
from stupidos.literature.fiasco_train_pages import FiascoPage, Frequency, general_frequency, keywords
from stupidos.literature.tokens import BoolArray, FloatArray, IntArray

_GRID_FOLDS = 3  # of the grid search, as in the paper
_GRID_C = (0.5, 2.0, 8.0, 32.0, 128.0)
_GRID_GAMMA = (0.03125, 0.125, 0.5, 2.0, 8.0)
_MAX_GRID_NODES = 3000  # sampled for the grid search
_MAX_TRAINING_NODES = 12000  # sampled for the SVM; the model file grows with them
SEED = 2007


class _NodeAccuracy(NamedTuple):
    """The paper's Table 2, for target nodes: accuracy, and precision, recall and F of clean nodes."""

    accuracy: float
    precision: float
    recall: float
    f: float


@dataclass(frozen=True, slots=True)
class TrainedFiasco:
    """A trained SVM with all that its model file holds."""

    machine: RbfSvm
    keywords: Keywords
    header: dict[str, Any]

    def save(self, path: Path, **more: Any) -> None:
        """Write the model file."""
        save(path, self.machine, self.keywords, {"name": path.stem, **self.header, **more})


class NodeRows(NamedTuple):
    """The nodes of many pages, one row each."""

    table: FloatArray
    clean: BoolArray
    page: IntArray

    def sample(self, most: int, rng: np.random.Generator) -> NodeRows:
        """A random sample of at most `most` rows."""
        if len(self.clean) <= most:
            return self
        return self.at(np.sort(rng.choice(len(self.clean), most, replace=False)))

    def at(self, rows: IntArray | BoolArray) -> NodeRows:
        """The rows with these numbers, or where a mask is true."""
        return NodeRows(self.table[rows], self.clean[rows], self.page[rows])


def node_rows(pages: Sequence[FiascoPage], words: Keywords, visual: bool) -> NodeRows:
    """The features of all target nodes of the pages; those of parts of speech if all pages were tagged."""
    pos = all(page.pos is not None for page in pages)
    tables = [
        feature_table(page.nodes, words, (page.boxes or {}) if visual else None, page.pos if pos else None)
        for page in pages
    ]
    sizes = [len(table) for table in tables]
    return NodeRows(
        np.concatenate(tables),
        np.concatenate([page.clean for page in pages]),
        np.repeat(np.arange(len(pages)), sizes),
    )


def _svc(c: float, gamma: float) -> Any:
    try:
        from sklearn.svm import SVC
    except ImportError:
        raise missing_extra("training FIASCO needs scikit-learn", "svm") from None
    return SVC(C=c, gamma=gamma, cache_size=500)


def grid_search(
    all_rows: NodeRows, rng: np.random.Generator, by_page: bool = True
) -> tuple[float, float, float]:
    """The C and gamma with the best accuracy on pages (or nodes) not trained on, and that accuracy."""
    some = all_rows.sample(_MAX_GRID_NODES, rng)
    x = scale_features(some.table, some.table.min(axis=0), some.table.max(axis=0))
    fold = (some.page if by_page else rng.permutation(len(x))) % _GRID_FOLDS
    best = (0.0, 0.0, 0.0)
    for c in _GRID_C:
        for gamma in _GRID_GAMMA:
            right = 0
            for test in range(_GRID_FOLDS):
                machine = _svc(c, gamma).fit(x[fold != test], some.clean[fold != test])
                right += int((machine.predict(x[fold == test]) == some.clean[fold == test]).sum())
            best = max(best, (right / len(x), c, gamma))
    return best[1], best[2], best[0]


def _train_svm(some: NodeRows, c: float, gamma: float) -> RbfSvm:
    """The SVM trained on these rows, with the slope that turns margins into log-odds."""
    low, high = some.table.min(axis=0), some.table.max(axis=0)
    svc = _svc(c, gamma).fit(scale_features(some.table, low, high), some.clean)
    machine = RbfSvm(
        svc.support_vectors_.astype(np.float32), svc.dual_coef_[0].astype(np.float32), low, high, gamma,
        float(svc.intercept_[0]), 1.0,
    )  # fmt: skip
    return machine._replace(slope=_platt_slope(machine.scores(some.table), some.clean))


def _platt_slope(margins: FloatArray, clean: BoolArray) -> float:
    """The factor that fits margins to log-odds by maximum likelihood (Newton's method)."""
    factor, sign = 1.0, np.where(clean, 1.0, -1.0) * margins
    for _ in range(50):
        miss = 1 / (1 + np.exp(np.clip(factor * sign, -50, 50)))
        curvature = (sign**2 * miss * (1 - miss)).sum() + 1e-9
        step = float((sign * miss).sum() / curvature)
        factor = min(max(factor + step, 0.1), 10.0)
    return factor


def train(
    pages: Sequence[FiascoPage], training_sha256: str = "", language: str = "", reference: str = ""
) -> TrainedFiasco:
    """FIASCO from labelled pages; with visual features if every page was laid out.

    `language` is that in which the pages were tagged by parts of speech; keywords are more frequent than in
    general language if a `reference` language is given.
    """
    if not pages or not any(page.clean.any() for page in pages) or all(page.clean.all() for page in pages):
        raise CorpusError("no pages with clean and dirty nodes to learn from")
    rng = np.random.default_rng(SEED)
    visual = all(page.boxes is not None for page in pages)
    words = keywords(pages, general=general_frequency(reference) if reference else None)
    every = node_rows(pages, words, visual)
    c, gamma, accuracy = grid_search(every, rng)
    machine = train_svm(every, rng, c, gamma)
    header = {
        "C": c,
        "visual": visual,
        **({"pos": language} if language else {}),
        **({"reference": reference} if reference else {}),
        "pages": len(pages),
        "nodes": len(every.clean),
        "clean_nodes": int(every.clean.sum()),
        "support_vectors": len(machine.weights),
        "scores": {"grid_accuracy": round(accuracy, 4)},
        "stupidos": __version__,
        "training_sha256": training_sha256,
        TRAINING_PAGES: joined_hashes(page.hash for page in pages),
    }
    return TrainedFiasco(machine, words, header)


def train_svm(rows: NodeRows, rng: np.random.Generator, c: float, gamma: float) -> RbfSvm:
    """The SVM trained on a sample of the rows."""
    return _train_svm(rows.sample(_MAX_TRAINING_NODES, rng), c, gamma)


def folds_by_page(
    pages: Sequence[FiascoPage], visual: bool, count: int = 10, general: Frequency | None = None
) -> list[tuple[NodeRows, NodeRows]]:
    """Training and test rows of each fold; keywords come from the training pages."""
    pairs = []
    for test in range(count):
        training = [page for at, page in enumerate(pages) if at % count != test]
        words = keywords(training, general=general)
        test_rows = [page for at, page in enumerate(pages) if at % count == test]
        pairs.append((node_rows(training, words, visual), node_rows(test_rows, words, visual)))
    return pairs


def folds_by_node(
    pages: Sequence[FiascoPage], visual: bool, count: int = 10
) -> list[tuple[NodeRows, NodeRows]]:
    """Folds as in the paper: nodes of one page on both sides, keywords of all pages."""
    return node_folds(node_rows(pages, keywords(pages), visual), count)


def node_folds(rows: NodeRows, count: int = 10) -> list[tuple[NodeRows, NodeRows]]:
    """Training and test rows of each fold, by nodes."""
    fold = np.random.default_rng(SEED).permutation(len(rows.clean)) % count
    return [(rows.at(fold != test), rows.at(fold == test)) for test in range(count)]


def cross_validated_accuracy(
    folds: Sequence[tuple[NodeRows, NodeRows]],
    c: float,
    gamma: float,
    columns: slice | IntArray = slice(None),
) -> _NodeAccuracy:
    """Accuracy on nodes not trained on; `columns` picks features, as in the paper's Table 2."""
    predicted: list[BoolArray] = []
    rng = np.random.default_rng(SEED)
    for training, test_rows in folds:
        some = training.sample(_MAX_TRAINING_NODES, rng)
        machine = _train_svm(some._replace(table=some.table[:, columns]), c, gamma)
        predicted.append(machine.scores(test_rows.table[:, columns]) > 0)
    true = np.concatenate([test_rows.clean for _, test_rows in folds])
    return _node_accuracy(np.concatenate(predicted), true)


def _node_accuracy(predicted: BoolArray, true: BoolArray) -> _NodeAccuracy:
    """Scores of clean nodes.

    >>> _node_accuracy(np.array([True, True, False, False]), np.array([True, False, False, True]))
    _NodeAccuracy(accuracy=0.5, precision=0.5, recall=0.5, f=0.5)
    """
    hits = int((predicted & true).sum())
    precision, recall = hits / max(int(predicted.sum()), 1), hits / max(int(true.sum()), 1)
    f = 2 * precision * recall / max(precision + recall, 1e-12)
    return _NodeAccuracy(float((predicted == true).mean()), precision, recall, f)
