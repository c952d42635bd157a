"""Train models on your own pages and their cleaned texts.

GOLD is a folder of manually cleaned texts, RAW a folder of the pages they come from: HTML or plain-text
dumps, paired by the name before the dot (.html, .htm or .txt, optionally with .gz; any encoding). Gold
texts may mark paragraphs, headings and list items with <p>, <h> and <l>; without markers every line is a
paragraph. A page that cannot be used is named and left out.

examples:
  stupidos train training/gold training/raw
  stupidos train training/gold training/raw -o mine.npz
  stupidos clean --model mine.npz training/raw/article.html
  stupidos train --simplified training/gold training/raw -o other-languages.npz
  stupidos train --dirty aligned -n 5 -q 0.6 training/gold training/raw
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stupidos.cli import output
from stupidos.cli.corpora import pairs_of, report_left_out
from stupidos.cli.options import whole
from stupidos.cli.progress import progress

if TYPE_CHECKING:
    from stupidos.lab.examples import Example, Problem
    from stupidos.lab.train import Recipe, Training

_MODEL = Path("model.npz")
_MAX_ORDER = 8
_ALPHABETS = ("ascii", "simplified", "vowels", "unicode")
_DIRTY_SOURCES = ("differential", "aligned", "published")
_MAX_CONFIDENCE_PAGES = 2000  # a larger corpus is not kept in memory to fit the confidence estimate

# Other kinds of models by their option; their modules add the option and train.
_OTHER_KINDS = {
    "web": "stupidos.cli.train_web",
    "fiasco": "stupidos.cli.train_fiasco",
}
_FIASCO_OPTIONS = ("visual", "pos", "reference")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("gold", metavar="GOLD", type=Path, help="folder of cleaned texts")
    parser.add_argument("raw", metavar="RAW", type=Path, help="folder of the pages they come from")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help=f"model file (default: {_MODEL})")
    parser.add_argument(
        "--alphabet", choices=_ALPHABETS, help="characters that the model distinguishes (default: ascii)"
    )
    parser.add_argument(
        "--simplified", action="store_true", help="short for --alphabet simplified -n 6 -q 0.4"
    )
    parser.add_argument(
        "-n",
        type=whole(1, _MAX_ORDER),
        metavar="N",
        help=f"order of the n-gram model, 1 to {_MAX_ORDER} (default: 3)",
    )
    parser.add_argument(
        "-q", type=_weight, metavar="Q", help="back-off weight of shorter histories, 0 to 1 (default: 0.5)"
    )
    parser.add_argument(
        "--dirty",
        choices=_DIRTY_SOURCES,
        default=_DIRTY_SOURCES[0],
        help="dirty text: counts of raw minus gold (default), segments that are not in gold, or the scheme of"
        " the paper: differences as they are, probabilities clamped",
    )
    for module in _OTHER_KINDS.values():
        if find_spec(module):
            import_module(module).add_arguments(parser)
    parser.set_defaults(complain_of_usage=parser.error)


def _weight(text: str) -> float:
    """The -q of the command line."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 1, exclusive")
    return value


def run(arguments: argparse.Namespace) -> int:
    for option in _FIASCO_OPTIONS:
        if getattr(arguments, option, False) and not arguments.fiasco:
            arguments.complain_of_usage(f"--{option} needs --fiasco")
    for kind, module in _OTHER_KINDS.items():
        if getattr(arguments, kind, False):
            return int(import_module(module).run(arguments))
    from stupidos.decode import quietly
    from stupidos.lab.confidence import confidence_header
    from stupidos.lab.examples import examples
    from stupidos.lab.train import train

    recipe = _recipe_of(arguments)
    pairs, unpaired = pairs_of(arguments.gold, arguments.raw)
    with quietly():
        pages: Iterable[Example | Problem] = examples(progress(pairs, "training", len(pairs)))
        known: dict[str, Any] = {}
        if len(pairs) <= _MAX_CONFIDENCE_PAGES:
            pages = list(pages)
            known = confidence_header(pages, recipe)
        trained = train(pages, recipe)
    report_left_out(trained.problems)
    path: Path = arguments.output or _MODEL
    trained.save(path, **known)
    output.write(_summary(trained, path, unpaired))
    if not arguments.output:
        output.complain(f"stupidos: the model is in {path}; -o FILE puts it elsewhere")
    return 0


def _recipe_of(arguments: argparse.Namespace) -> Recipe:
    """The recipe of the options."""
    from stupidos.lab.train import SIMPLIFIED, STANDARD, Recipe

    if arguments.simplified and arguments.alphabet not in (None, SIMPLIFIED.alphabet):
        arguments.complain_of_usage(f"--simplified and --alphabet {arguments.alphabet} exclude each other")
    start = SIMPLIFIED if arguments.simplified else STANDARD
    return Recipe(
        arguments.alphabet or start.alphabet,
        arguments.n or start.n,
        arguments.q or start.q,
        arguments.dirty,
    )


def _summary(trained: Training, path: Path, unpaired: int) -> str:
    """Summary of a training."""
    model, recipe = trained.model, trained.recipe
    left_out = [f"{len(trained.problems)} left out"] if trained.problems else []
    left_out += [f"{unpaired} files unpaired"] if unpaired else []
    lines = [
        ("pages", ", ".join([f"{trained.pages:,} learnt from", *left_out])),
        ("alphabet", f"{recipe.alphabet}, {model.alphabet.size} symbols; n {recipe.n}, q {recipe.q:g}"),
    ]
    for side, counts in (("clean", model.clean), ("dirty", model.dirty)):
        text = f"{counts.total:,} characters, {counts.keys.size:,} different {recipe.n}-grams"
        if side in trained.bits:
            text += f"; {trained.bits[side]:.2f} bits a character on held-out pages"
        lines.append((side, text))
    if not model.dirty.total:
        lines.append(("", "no dirty text was seen: the model will keep nearly everything"))
    lines.append(("written", f"{path}, {path.stat().st_size / 1000:,.0f} kB"))
    return "".join(f"{name:9} {text}\n" for name, text in lines)
