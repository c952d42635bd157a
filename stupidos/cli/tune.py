"""Find the best n and q for models of your own pages.

RAW is a folder of raw pages or text dumps. A grid of n and q is evaluated by 10-fold cross-validation; the
objective is the cross-entropy of the raw text in bits per character (the paper's Figure 2). With
--objective f it is the F-score of the cleaned pages, and the threshold is tuned too; that needs the gold
texts. The best settings come first, with the command that trains them; --grid lists all that were tried.

examples:
  stupidos tune raw/
  stupidos tune raw/ --grid --plot figure-2.png
  stupidos tune raw/ --simplified -n 3-8
  stupidos tune raw/ --dirty published
  stupidos tune raw/ --objective f --gold gold/ -n 2-6
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stupidos.cli import output
from stupidos.cli.corpora import pairs_of, report_left_out
from stupidos.cli.progress import progress
from stupidos.errors import StupidosError

if TYPE_CHECKING:
    from stupidos.lab.cross_validation import HeldOutPage
    from stupidos.lab.train import Recipe
    from stupidos.lab.tune import TuningSample
    from stupidos.lm.alphabet import Alphabet

_ORDERS = (1, 8)
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_RANGE = re.compile(r"(\d)(?:-(\d))?")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("raw", metavar="RAW", type=Path, help="folder of raw pages or dumps")
    parser.add_argument(
        "-n", type=_orders, default=_ORDERS, metavar="FROM-TO", help="orders to try (default: 1-8)"
    )
    parser.add_argument("-q", type=_shares, metavar="Q,Q", help="values of q to try (default: 0.05 to 0.95)")
    parser.add_argument(
        "--alphabet",
        choices=("ascii", "simplified", "vowels", "unicode"),
        default="ascii",
        help="characters that the model distinguishes (default: ascii)",
    )
    parser.add_argument("--simplified", action="store_true", help="short for --alphabet simplified")
    parser.add_argument(
        "--dirty",
        choices=("differential", "published"),
        default="differential",
        help="the scheme of `train --dirty`; with `published` an unseen history has probability 0",
    )
    parser.add_argument("--grid", action="store_true", help="also list every n and q that was tried")
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="plot cross-entropy against q, one line per n"
    )
    parser.add_argument(
        "--objective", choices=("entropy", "f"), default="entropy", help="what to optimise (default: entropy)"
    )
    parser.add_argument("--gold", metavar="GOLD", type=Path, help="folder of gold texts for --objective f")


def _orders(text: str) -> tuple[int, int]:
    """The first and last order of a range.

    >>> _orders("2-6"), _orders("3")
    ((2, 6), (3, 3))
    """
    match = _RANGE.fullmatch(text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of orders such as 1-8")
    first, last = int(match[1]), int(match[2] or match[1])
    if not _ORDERS[0] <= first <= last <= _ORDERS[1]:
        raise argparse.ArgumentTypeError(f"{text!r}: orders go from {_ORDERS[0]} to {_ORDERS[1]}")
    return first, last


def _shares(text: str) -> tuple[float, ...]:
    """Distinct values of q, sorted.

    >>> _shares("0.5,0.25")
    (0.25, 0.5)
    """
    try:
        values = sorted({float(value) for value in text.split(",")})
    except ValueError:
        values = []
    if not values or not all(0 < value < 1 for value in values):
        raise argparse.ArgumentTypeError(f"{text!r}: q lies between 0 and 1, as in 0.3,0.5")
    return tuple(values)


def run(arguments: argparse.Namespace) -> int:
    from stupidos.lm.alphabet import alphabet

    letters = alphabet("simplified" if arguments.simplified else arguments.alphabet)
    if arguments.objective == "f":
        return _by_f(arguments, letters)
    return _by_entropy(arguments, letters)


def _by_entropy(arguments: argparse.Namespace, letters: Alphabet) -> int:
    from stupidos.lab.tune import Q_GRID, cross_entropies, winner

    if arguments.plot:
        from stupidos.lab.plots import pyplot

        pyplot()  # fail early without matplotlib
    first, last = arguments.n
    folds, pages, size, _ = _texts(arguments.raw)
    published = arguments.dirty == "published"
    rows = cross_entropies(folds, letters, last, arguments.q or Q_GRID, _watch, published)
    rows = [row for row in rows if row.n >= first]
    best = winner(rows)
    heads = ["n", "q", "bits per character"]
    cells = [[str(row.n), f"{row.q:g}", f"{row.bits:.4f}"] for row in rows]
    training = _training(_recipe(arguments, letters, best.n, best.q))
    answer = f"n {best.n}, q {best.q:g}: {best.bits:.4f} bits per character\n{training}"
    sizes = f"pages:{pages}|characters:{size}|folds:{len(folds)}"
    signature = f"{_scheme(arguments, letters)}|{sizes}|v:{_version()}"
    _write(f"{answer}\nbits {best.bits:.4f}  {signature}\n", [heads, *cells], arguments.grid)
    if arguments.plot:
        from stupidos.lab.plots import figure_2

        scheme = ", published formula" if published else ""
        title = f"{letters.name} alphabet{scheme}, {pages} pages, {size / 1e6:.1f} M characters"
        figure_2(rows, arguments.plot, title)
    return 0


def _by_f(arguments: argparse.Namespace, letters: Alphabet) -> int:
    from stupidos.lab.tables import percent
    from stupidos.lab.tune import Q_GRID
    from stupidos.lab.tune_f import tuned

    if not arguments.gold:
        raise StupidosError("--objective f needs the gold texts: --gold GOLD")
    if arguments.plot:
        raise StupidosError("--plot draws the cross-entropy: not with --objective f")
    first, last = arguments.n
    folds = _folds(arguments.gold, arguments.raw)
    rows = tuned(folds, letters, last, arguments.q or Q_GRID, _watch, arguments.dirty == "published")
    rows = [row for row in rows if row.n >= first]
    best = max(rows, key=lambda row: row.f)
    heads = ["n", "q", "threshold", "F", "P", "R"]
    cells = [
        [
            str(row.n),
            f"{row.q:g}",
            f"{row.threshold:g}",
            percent(row.f),
            percent(row.precision),
            percent(row.recall),
        ]
        for row in rows
    ]
    recipe = _recipe(arguments, letters, best.n, best.q)
    answer = (
        f"n {best.n}, q {best.q:g}, threshold {best.threshold:g}: F {percent(best.f)}\n"
        f"{_training(recipe)}\n"
        f"stupidos clean --model my.npz --threshold {best.threshold:g} PAGE"
    )
    pages = sum(map(len, folds))
    signature = f"objective:f|{_scheme(arguments, letters)}|pages:{pages}|folds:{len(folds)}|v:{_version()}"
    measured = _measured(folds, recipe, best.threshold)
    _write(f"{answer}\n{measured}|{signature}\n", [heads, *cells], arguments.grid)
    return 0


def _recipe(arguments: argparse.Namespace, letters: Alphabet, n: int, q: float) -> Recipe:
    from stupidos.lab.train import Recipe

    return Recipe(letters.name, n, q, arguments.dirty)


def _scheme(arguments: argparse.Namespace, letters: Alphabet) -> str:
    """The part of the signature that says how probabilities are estimated."""
    published = "|dirty:published" if arguments.dirty == "published" else ""
    return f"alphabet:{letters.name}{published}"


def _training(recipe: Recipe) -> str:
    """The command that trains a model with these settings."""
    dirty = " --dirty published" if recipe.dirty == "published" else ""
    return (
        f"stupidos train GOLD RAW --alphabet {recipe.alphabet} -n {recipe.n} -q {recipe.q:g}{dirty} -o my.npz"
    )


def _write(answer: str, points: list[list[str]], grid: bool) -> None:
    """The best settings and their score, then the grid if it was asked for."""
    from stupidos.lab.tables import table

    output.write(answer + (f"\n{table(points, left=0).rstrip()}\n" if grid else ""))


def _measured(folds: list[list[HeldOutPage]], recipe: Recipe, threshold: float) -> str:
    """The exact score of a setting, as by `evaluate --cross-validate`."""
    from functools import partial

    from stupidos.lab.cross_validation import cross_validated
    from stupidos.lab.measure import Measure
    from stupidos.lab.retrain import ngrams_retrained
    from stupidos.pipeline import Options

    trained = partial(ngrams_retrained, recipe, "tuned")
    evaluation = cross_validated(trained, folds, Options(threshold=threshold), Measure(), map, "")
    macro = evaluation.macro
    return (
        f"F {100 * macro['f']:.1f}  P {100 * macro['precision']:.1f}  R {100 * macro['recall']:.1f}  "
        f"measured:evaluate|n:{recipe.n}|q:{recipe.q:g}|threshold:{threshold:g}"
    )


def _texts(folder: Path) -> TuningSample:
    """Texts of a folder of pages, in folds; a sample if the folder is large."""
    from stupidos.decode import quietly
    from stupidos.lab.corpus import by_stem, raw_of
    from stupidos.lab.tune import tuning_sample

    paths, _ = by_stem(folder)
    texts: dict[str, list[str]] = {}
    for name, path in progress(paths.items(), "reading pages", len(paths)):
        try:
            with quietly():
                texts[name] = [segment.text for segment in raw_of(path).segments]
        except StupidosError as error:
            report_left_out([(name, str(error))])
    chosen = tuning_sample(texts, folder)
    if chosen.step > 1:
        output.complain(f"stupidos: tuning on {_share(chosen.step)}: all of them would take long")
    return chosen


def _share(step: int) -> str:
    """How many pages a sample holds.

    >>> _share(3), _share(40)
    ('every third page', 'one page in 40')
    """
    return f"every {_ORDINALS[step - 2]} page" if step - 2 < len(_ORDINALS) else f"one page in {step}"


def _folds(gold: Path, raw: Path) -> list[list[HeldOutPage]]:
    """Pages with their gold texts, in folds."""
    from stupidos.lab.cross_validation import CrossValidation, HeldOutPage, held_out_pages

    pairs, _ = pairs_of(gold, raw)
    pages = progress(held_out_pages(pairs), "reading pages", len(pairs))
    validation = CrossValidation.of(
        page for page in pages if not isinstance(page, HeldOutPage) or page.example.page.segments
    )
    report_left_out(validation.problems)
    return validation.folds


def _watch(items: Iterable[Any], label: str, total: int) -> Iterable[Any]:
    return progress(items, label, total, unit="step")


def _version() -> str:
    from stupidos import __version__

    return __version__
