"""Train FIASCO, a support vector machine on the nodes of pages: the part of `stupidos train --fiasco`.

The other models are trained by cli/train.py, which delegates to this module.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import output
from stupidos.cli.corpora import pairs_of, report_left_out
from stupidos.cli.progress import progress
from stupidos.errors import ExtraError, StupidosError

if TYPE_CHECKING:
    from stupidos.literature.fiasco_regions import Boxes
    from stupidos.literature.fiasco_train import TrainedFiasco
    from stupidos.literature.fiasco_train_pages import FiascoPage

_MODEL = Path("model.npz")
LANGUAGES = ("en", "de", "nl")  # those of literature/fiasco_pos.py, which needs numpy


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--fiasco", action="store_true", help="train FIASCO: an SVM on DOM nodes (extra svm)")
    parser.add_argument(
        "--visual",
        action="store_true",
        help="with --fiasco: lay out the pages in Chromium, for visual features (extra visual); cleaning with"
        " the model then needs --visual too",
    )
    parser.add_argument(
        "--pos",
        choices=LANGUAGES,
        default="",
        help="with --fiasco: part-of-speech features, by the tagger of a language (extra pos); cleaning with"
        " the model then needs that extra too",
    )
    parser.add_argument(
        "--reference",
        metavar="LANGUAGE",
        default="",
        help="with --fiasco: take for keywords only words more frequent than in general language, such as en"
        " (extra keywords)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train on the folders arguments.gold and arguments.raw, write arguments.output."""
    from stupidos.decode import quietly
    from stupidos.lab.examples import examples
    from stupidos.literature import fiasco_train
    from stupidos.literature.fiasco_train_pages import labelled_pages

    pairs, _ = pairs_of(arguments.gold, arguments.raw)
    with quietly():
        measured = _layouts([pair.raw for pair in pairs]) if arguments.visual else {}
        read = examples(progress(pairs, "reading", len(pairs)))
        pages, problems, digest = labelled_pages(read, measured, arguments.pos)
    if arguments.visual:
        pages = _laid_out(pages)
    report_left_out(problems)
    trained = fiasco_train.train(pages, digest, arguments.pos, arguments.reference)
    path: Path = arguments.output or _MODEL
    trained.save(path)
    output.write(_summary(trained, path, len(problems)))
    return 0


def _layouts(paths: list[Path]) -> dict[str, Boxes]:
    """The layout of each page by the digest of its source; pages that fail are reported."""
    from stupidos.lab.corpus import content
    from stupidos.literature.fiasco import digest
    from stupidos.literature.page_layout import LayoutCache
    from stupidos.render import read

    layout = LayoutCache()
    measured: dict[str, Boxes] = {}
    try:
        for path in progress(paths, "measuring", len(paths)):
            try:
                page = read(content(path))
                if page.markup:
                    measured[digest(page.source)] = layout(page.source)
            except ExtraError:
                raise
            except StupidosError as error:
                output.complain(f"stupidos: {path}: {error}")
    finally:
        layout.close()
    return measured


def _laid_out(pages: list[FiascoPage]) -> list[FiascoPage]:
    """The pages with a layout; without the others, since all rows need the same features."""
    report_left_out((page.name, "could not be laid out") for page in pages if page.boxes is None)
    return [page for page in pages if page.boxes is not None]


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
