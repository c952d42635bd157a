"""Fit the two strata of text, short and long, to the pages of a folder.

The model of Kohlschütter, Fankhauser and Nejdl (2010), section 5.2: blocks of text on the Web are
either short (navigation, headlines) or long (sentences), and in both the number of words follows a
geometric distribution. Printed are the share of each, their mean length, and how well it all fits.

examples:
  stupidos strata raw/
  stupidos strata raw/ --plot strata.png
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import output
from stupidos.cli.progress import progress
from stupidos.errors import StupidosError

if TYPE_CHECKING:
    from stupidos.lab.strata import Histogram, Strata


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("raw", metavar="RAW", type=Path, help="folder of pages")
    parser.add_argument(
        "--plot", metavar="FILE.png", type=Path, help="draw the blocks and the two strata (extra plot)"
    )


def run(arguments: argparse.Namespace) -> int:
    from stupidos.lab import strata

    paths = strata.pages(arguments.raw)
    failed: list[str] = []

    def lengths() -> Iterator[strata.Histogram]:
        for path in progress(paths, "reading", len(paths)):
            try:
                yield strata.block_lengths(path)
            except StupidosError as error:
                failed.append(path.name)
                output.complain(f"stupidos: {path}: {error}")

    histogram = strata.histogram(lengths())
    found = strata.fitted(histogram)
    output.write(table(found, histogram, len(paths) - len(failed)))
    if arguments.plot:
        with output.replacing(arguments.plot) as file:
            strata.plot(found, histogram, file)
    return 1 if failed else 0


def table(strata: Strata, histogram: Histogram, pages: int) -> str:
    """The fit as people read it."""
    rows = (("short", strata.short, strata.short_ends), ("long", 1 - strata.short, strata.long_ends))
    lines = ["       share of blocks  mean words  ends after a word"]
    for name, share, ends in rows:
        lines.append(f"{name:5}          {share:7.4f}  {1 / ends:10.2f}            {ends:7.4f}")
    fit = f"adjusted R² {strata.fit:.4f}  RMSE {strata.error:.4f}"
    lines.append(f"{fit}  pages:{pages}|blocks:{int(histogram[1:].sum())}")
    return "\n".join(lines) + "\n"
