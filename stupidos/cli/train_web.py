"""Train a web model, which sees how pages are built: the part of `stupidos train --web`.

The other models are trained by cli/train.py, which hands over here.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from stupidos.cli import output
from stupidos.cli.progress import progress

MODEL = Path("model.npz")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--web", action="store_true", help="train a web model instead, from HTML pages")
    parser.add_argument(
        "--sites",
        type=Path,
        metavar="FILE",
        help="with --web: JSON that maps each page to its site, so that no site is read by models of itself",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train on the folders arguments.gold and arguments.raw, write arguments.output."""
    from stupidos.decode import DecodeWarning
    from stupidos.lab.corpus import corpus, listed
    from stupidos.lab.examples import examples
    from stupidos.lab.folds import page_table
    from stupidos.web.train import Source, learn
    from stupidos.web.train_network import Schooling

    found = corpus(arguments.gold, arguments.raw)
    if found.unpaired:
        output.complain(f"stupidos: without a partner of the same name: {listed(found.unpaired)}")
    sites = page_table(arguments.sites) if arguments.sites else {}
    how = Schooling()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)  # an encoding that lies is no reason to stop
        pages = examples(progress(found.pairs, "reading", len(found.pairs)))
        epochs = progress(range(how.epochs), "schooling", how.epochs, "epoch")
        learnt = learn([Source(pages, sites=sites)], how, lambda: next(epochs, None))
    for problem in learnt.problems:
        output.complain(f"stupidos: left out {problem.name}: {' '.join(problem.reason.split())}")
    path: Path = arguments.output or MODEL
    learnt.save(path)
    left_out = f", {len(learnt.problems)} left out" if learnt.problems else ""
    size = path.stat().st_size / 1000
    output.write(
        f"pages     {learnt.pages:,} learnt from{left_out}\n"
        f"segments  {learnt.segments:,}\n"
        f"features  {learnt.header['features']}, hidden units {how.hidden}, behind them {how.units}\n"
        f"written   {path}, {size:,.0f} kB\n"
    )
    if not arguments.output:
        output.complain(f"stupidos: the model is in {path}; -o FILE puts it elsewhere")
    return 0
