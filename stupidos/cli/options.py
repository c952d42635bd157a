"""Options shared by all commands that read and classify pages."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from stupidos.render.options import RenderOptions

if TYPE_CHECKING:
    from stupidos.pipeline import Options

_MAX_ANCESTOR = 5  # Viveros-Jiménez et al. 2018 evaluated the tree filter up to here

_PAGE_INPUTS = ("auto", "html", "text")
_ARCHIVE_INPUTS = ("jsonl", "warc")  # files of many pages


def add_reading(parser: argparse.ArgumentParser, many: bool = False) -> None:
    """Add --input and --br; `many` also allows archives of many pages."""
    archives = "; jsonl, warc: archives of many pages (suffixes such as .jsonl and .warc.gz take precedence)"
    parser.add_argument(
        "--input",
        choices=(*_PAGE_INPUTS, *_ARCHIVE_INPUTS) if many else _PAGE_INPUTS,
        default="auto",
        help=f"input type: HTML, plain-text dump, or auto-detected (default){archives if many else ''}",
    )
    parser.add_argument(
        "--br",
        choices=("paragraph", "line"),
        default=RenderOptions().br,
        help="treat a single <br> as the end of a paragraph or of a line (default: %(default)s)",
    )


def add_decision(parser: argparse.ArgumentParser) -> None:
    """Add the options that set the decision threshold."""
    group = parser.add_argument_group("decision")
    group.add_argument(
        "--threshold",
        type=between(-math.inf, math.inf),
        metavar="X",
        help="keep segments with a score above X (natural log-odds), the same threshold for every page",
    )
    side = group.add_mutually_exclusive_group()
    side.add_argument(
        "--precision",
        action="store_true",
        help="favour precision: drop more text rather than keep boilerplate",
    )
    side.add_argument(
        "--recall", action="store_true", help="favour recall: keep more boilerplate rather than lose text"
    )
    group.add_argument(
        "--comments",
        choices=("auto", "keep", "drop"),
        default="auto",
        help="reader comments below an article; auto: drop them where the rest of the kept text is longer",
    )
    group.add_argument(
        "--convention",
        choices=("auto", "article", "page", "discussion"),
        default="auto",
        help="what counts as text: the body of an article; everything that belongs to the page;"
        " posts and comments too; auto: decided by the page",
    )
    group.add_argument(
        "--without-rule", metavar="NAME", action="append", default=[], help="disable a rule; may be repeated"
    )
    group.add_argument(
        "--ancestor",
        type=whole(1, _MAX_ANCESTOR),
        metavar="N",
        help="keep only the largest group of kept segments that share their N-th ancestor element",
    )


def add_visual(parser: argparse.ArgumentParser) -> None:
    """Add --visual."""
    parser.add_argument(
        "--visual",
        action="store_true",
        help="lay out each page in Chromium, for a model trained with --fiasco --visual (extra visual);"
        " layouts are kept in $STUPIDOS_CACHE (default: ~/.cache/stupidos)",
    )


def options_of(arguments: argparse.Namespace) -> Options:
    """The pipeline options given on the command line."""
    from stupidos.pipeline import Options

    return Options(
        input="auto" if arguments.input in _ARCHIVE_INPUTS else arguments.input,
        threshold=arguments.threshold,
        preference="precision" if arguments.precision else "recall" if arguments.recall else "balanced",
        comments=arguments.comments,
        convention=arguments.convention,
        rules_off=_rules_off(arguments.without_rule),
        br=arguments.br,
        ancestor=arguments.ancestor,
        visual=getattr(arguments, "visual", False),
    )


def _rules_off(names: list[str]) -> frozenset[str]:
    """The rules to disable; an unknown name is an error that lists the known ones."""
    if not names:
        return frozenset()
    from stupidos.errors import StupidosError
    from stupidos.rules import RULES

    known = {rule.name for rule in RULES}
    for name in names:
        if name not in known:
            raise StupidosError(f"unknown rule {name}: choose from {', '.join(sorted(known))}")
    return frozenset(names)


def cores() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def between(low: float, high: float) -> Callable[[str], float]:
    """An argparse type for numbers from `low` to `high`; nan is rejected.

    >>> between(0, 1)("0.5")
    0.5
    """

    wanted = "a number" if math.isinf(low) and math.isinf(high) else f"between {low:g} and {high:g}"

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not {wanted}")
        return value

    return number


def whole(low: int, high: int) -> Callable[[str], int]:
    """An argparse type for integers from `low` to `high`.

    >>> whole(1, 5)("3")
    3
    """

    def number(text: str) -> int:
        if not text.isdecimal() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text} is not an integer between {low} and {high}")
        return int(text)

    return number
