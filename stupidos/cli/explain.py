"""Show why each segment of a page was kept or dropped.

In a terminal: one line a segment, its score, and the rule where one decided. With -o: one
self-contained HTML page with a heat map of the characters, the path of every decision and a
threshold to move. The report needs no network and runs no script but its own.

examples:
  stupidos explain page.html
  stupidos explain page.html -o report.html
  curl -s https://example.org/ | stupidos explain --model standard
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import inputs, output
from stupidos.cli.options import add_decision, add_reading, options_of
from stupidos.errors import StupidosError

if TYPE_CHECKING:
    from stupidos.pipeline import Cleaner
    from stupidos.report.evidence import Evidence


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="pages or dumps; standard input by default and for -"
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write an HTML report; - for standard output")
    parser.add_argument("--model", metavar="NAME", help="a model of `stupidos models`, or a .npz file")
    add_reading(parser)
    add_decision(parser)


def run(arguments: argparse.Namespace) -> int:
    from stupidos.pipeline import Cleaner

    if arguments.output and len(arguments.files) > 1:
        raise StupidosError("a report tells of one page: give one FILE")
    cleaner = Cleaner.load(arguments.model, options_of(arguments))
    shown = 0

    def explain(name: str, data: bytes) -> None:
        nonlocal shown
        found = evidence_of(cleaner, name, data)
        if arguments.output:
            write_report(found, arguments.output)
        else:
            output.write(("\n" if shown else "") + short_form(found))
        shown += 1

    return inputs.each(arguments.files, explain)


def evidence_of(cleaner: Cleaner, name: str, data: bytes) -> Evidence:
    """What the cleaner decided about a page; one without a title goes by the name of its file."""
    from dataclasses import replace

    from stupidos.report.evidence import evidence

    found = evidence(cleaner.extract(inputs.one_page(data, cleaner.options.input)))
    return found if found.title or name == inputs.STDIN else replace(found, title=Path(name).name)


def write_report(found: Evidence, name: str) -> None:
    """The HTML report into a file that is complete or not there."""
    from stupidos.report.page import report

    if name == inputs.STDIN:
        output.write(report(found))
        return
    with output.replacing(Path(name)) as file:
        file.write(output.utf8(report(found)))


def short_form(found: Evidence) -> str:
    """The lines of a terminal; without colours where nobody would see them."""
    from stupidos.report.terminal import lines

    terminal = sys.stdout is not None and sys.stdout.isatty()
    colour = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if terminal else 120
    return "".join(line + "\n" for line in lines(found, width, colour))
