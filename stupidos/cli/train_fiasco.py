"""Train FIASCO, a support vector machine on the nodes of pages: the part of `stupidos train --fiasco`.

The other models are trained by cli/train.py, which delegates to this module.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import output
from stupidos.cli.progress import progress
from stupidos.errors import StupidosError

if TYPE_CHECKING:
    from stupidos.literature.fiasco_train import TrainedFiasco

_MODEL = Path("model.npz")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fiasco", action="store_true", help="train FIASCO: an SVM on DOM nodes (extra svm)")
    parser.add_argument(
        "--visual",
        action="store_true",
        help="with --fiasco: lay out the pages in Chromium first, into NAME.boxes.json (extra visual)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train on the folders arguments.gold and arguments.raw, write arguments.output."""
    from stupidos.decode import DecodeWarning
    from stupidos.lab.corpus import corpus, listed
    from stupidos.lab.examples import examples
    from stupidos.literature import fiasco_train, fiasco_visual

    paired = corpus(arguments.gold, arguments.raw)
    if paired.unpaired:
        output.complain(f"stupidos: without a partner of the same name: {listed(paired.unpaired)}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)  # wrongly declared encodings are common
        if arguments.visual:
            measure([pair.raw for pair in paired.pairs])
        read = examples(progress(paired.pairs, "reading", len(paired.pairs)))
        pages, problems, digest = fiasco_train.labelled_pages(
            read, fiasco_visual.boxes_by_digest(arguments.raw)
        )
    for problem in problems:
        output.complain(f"stupidos: {problem.name}: {problem.reason}; left out")
    trained = fiasco_train.train(pages, digest)
    path: Path = arguments.output or _MODEL
    trained.save(path)
    output.write(_summary(trained, path, len(problems)))
    return 0


def measure(paths: list[Path]) -> None:
    """Lay out all pages; one that fails is reported and has no visual features."""
    from stupidos.literature import fiasco_visual

    with fiasco_visual.browser() as chromium:
        for path in progress(paths, "measuring", len(paths)):
            try:
                fiasco_visual.measure(chromium, path)
            except StupidosError as error:
                output.complain(f"stupidos: {path}: {error}")


def _summary(trained: TrainedFiasco, path: Path, left_out: int) -> str:
    """Summary of a training."""
    header = trained.header
    vectors, accuracy = header["support_vectors"], header["scores"]["grid_accuracy"]
    lines = (
        f"pages     {header['pages']}, {left_out} left out",
        f"nodes     {header['nodes']}, {header['clean_nodes']} of them clean",
        f"features  {len(trained.machine.low)}{', including visual ones' if header['visual'] else ''}",
        f"machine   C {header['C']:g}, gamma {trained.machine.gamma:g}, {vectors} support vectors",
        f"accuracy  {100 * accuracy:.1f} % of nodes, on pages not trained on",
        f"written   {path}",
    )
    return "\n".join(lines) + "\n"
