"""The options that say how a page is judged, for every verb that judges pages."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from stupidos.render.options import RenderOptions

if TYPE_CHECKING:
    from stupidos.pipeline import Options

MOST_ANCESTORS = 5  # the tree filter of Viveros-Jiménez et al. 2018 was tried up to here


PAGE_INPUTS = ("auto", "html", "text")
MANY_INPUTS = ("jsonl", "warc")  # files of many pages


def add_reading(parser: argparse.ArgumentParser, many: bool = False) -> None:
    """The options that say how the bytes are read; `many` if files of many pages are."""
    archives = (
        "; jsonl, warc: a file of many pages, which names like .jsonl and .warc.gz tell whatever is said here"
    )
    parser.add_argument(
        "--input",
        choices=(*PAGE_INPUTS, *MANY_INPUTS) if many else PAGE_INPUTS,
        default="auto",
        help=f"what the input is: HTML, a plain-text dump, or found out (default){archives if many else ''}",
    )
    parser.add_argument(
        "--br",
        choices=("paragraph", "line"),
        default=RenderOptions().br,
        help="what a single <br> ends: a paragraph, or a line inside it (default: %(default)s)",
    )


def add_decision(parser: argparse.ArgumentParser) -> None:
    """The options that move the line between clean and dirty."""
    group = parser.add_argument_group("where to draw the line")
    group.add_argument(
        "--threshold",
        type=between(-math.inf, math.inf),
        metavar="X",
        help="keep segments of a score above X (natural log-odds), on every page alike",
    )
    side = group.add_mutually_exclusive_group()
    side.add_argument("--precision", action="store_true", help="rather lose text than keep boilerplate")
    side.add_argument("--recall", action="store_true", help="rather keep boilerplate than lose text")
    group.add_argument(
        "--comments",
        choices=("auto", "keep", "drop"),
        default="auto",
        help="reader comments below an article; auto lets the model judge them as any text",
    )
    group.add_argument(
        "--without-rule", metavar="NAME", action="append", default=[], help="switch a rule off; repeatable"
    )
    group.add_argument(
        "--ancestor",
        type=whole(1, MOST_ANCESTORS),
        metavar="N",
        help="keep only the largest group of kept segments with the same N-th ancestor element",
    )


def options_of(arguments: argparse.Namespace) -> Options:
    """The pipeline's options as the command line gave them."""
    from stupidos.pipeline import Options

    return Options(
        input="auto" if arguments.input in MANY_INPUTS else arguments.input,
        threshold=arguments.threshold,
        preference="precision" if arguments.precision else "recall" if arguments.recall else "balanced",
        comments=arguments.comments,
        rules_off=rules_off(arguments.without_rule),
        br=arguments.br,
        ancestor=arguments.ancestor,
    )


def rules_off(names: list[str]) -> frozenset[str]:
    """The rules to switch off; a name that is no rule is an error, with those that are."""
    if not names:
        return frozenset()
    from stupidos.errors import StupidosError
    from stupidos.rules import RULES

    known = {rule.name for rule in RULES}
    for name in names:
        if name not in known:
            raise StupidosError(f"no rule called {name}: known are {', '.join(sorted(known))}")
    return frozenset(names)


def between(low: float, high: float) -> Callable[[str], float]:
    """A reader of numbers from `low` to `high`; nan is none.

    >>> between(0, 1)("0.5")
    0.5
    """

    def number(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not between {low:g} and {high:g}")
        return value

    return number


def whole(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers from `low` to `high`.

    >>> whole(1, 5)("3")
    3
    """

    def number(text: str) -> int:
        value = int(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not between {low} and {high}")
        return value

    return number
