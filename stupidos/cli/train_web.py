"""Options and output of `stupidos train --web`; cli/train.py trains the other models."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import output
from stupidos.cli.corpora import pairs_of, report_left_out
from stupidos.cli.progress import progress

if TYPE_CHECKING:
    from stupidos.web.train import TrainedModel
    from stupidos.web.train_network import TrainingOptions

_MODEL = Path("model.npz")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--web", action="store_true", help="train a web model instead, from HTML pages")
    parser.add_argument(
        "--sites",
        type=Path,
        metavar="FILE",
        help="with --web: JSON file that maps pages to sites; a site stays in one fold",
    )


def run(arguments: argparse.Namespace) -> int:
    """Train on the folders arguments.gold and arguments.raw, write arguments.output."""
    from stupidos.decode import quietly
    from stupidos.lab.folds import page_table
    from stupidos.web.train import FOLDS, Source, train_model
    from stupidos.web.train_examples import web_examples
    from stupidos.web.train_network import TrainingOptions

    pairs, _ = pairs_of(arguments.gold, arguments.raw)
    sites = page_table(arguments.sites) if arguments.sites else {}
    options = TrainingOptions()
    with quietly():
        examples = web_examples(progress(pairs, "reading", len(pairs)))
        total = options.epochs * (1 + FOLDS)  # the model, and one a fold for its confidence
        epochs = progress(range(total), "training", total, "epoch")
        model = train_model([Source(examples, sites=sites)], options, lambda: next(epochs, None))
    report_left_out(model.problems)
    path: Path = arguments.output or _MODEL
    model.save(path)
    output.write(_summary(model, options, path))
    if not arguments.output:
        output.complain(f"stupidos: the model is in {path}; -o FILE puts it elsewhere")
    return 0


def _summary(model: TrainedModel, options: TrainingOptions, path: Path) -> str:
    """One screen about a training."""
    left_out = f", {len(model.problems)} left out" if model.problems else ""
    return (
        f"pages     {model.pages:,} learnt from{left_out}\n"
        f"segments  {model.segments:,}\n"
        f"features  {model.header['features']}, hidden units {options.hidden}, then {options.units}\n"
        f"precision {_expected_precision(model)}\n"
        f"written   {path}, {path.stat().st_size / 1000:,.0f} kB\n"
    )


def _expected_precision(model: TrainedModel) -> str:
    """What the model's confidence rests on, or why it has none."""
    from stupidos.confidence import KEY
    from stupidos.web.train_confidence import MISSING_KEY

    fitted = model.header.get(KEY)
    if fitted is None:
        return f"no confidence: {model.header[MISSING_KEY]}; --min-confidence cannot be used with it"
    by = "estimated per page" if fitted["weights"] else "the mean for every page"
    return f"{by}, from {fitted['pages']} held-out pages; error {fitted['residual']:.2f}"
