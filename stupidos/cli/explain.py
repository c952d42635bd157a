"""Show why each segment of a page was kept or dropped.

Prints one line per segment with its score, and the rule if one decided. With -o it writes one
self-contained HTML page with a heat map of the characters, the scores behind every decision and a
movable threshold. The report loads nothing from the network.

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
    from stupidos.report.page_report import PageReport


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
        raise StupidosError("--output takes one page: give one FILE")
    cleaner = Cleaner.load(arguments.model, options_of(arguments))
    pages = 0

    def explain(name: str, data: bytes) -> None:
        nonlocal pages
        report = _page_report(cleaner, name, data)
        if arguments.output:
            _write_html(report, arguments.output)
        else:
            output.write(("\n" if pages else "") + _short_form(report))
        pages += 1

    return inputs.each(arguments.files, explain)


def _page_report(cleaner: Cleaner, name: str, data: bytes) -> PageReport:
    """The report on a page; its file name is the title if it has none."""
    from dataclasses import replace

    from stupidos.report.page_report import page_report

    report = page_report(cleaner.extract(inputs.one_page(data, cleaner.options.input)))
    return report if report.title or name == inputs.STDIN else replace(report, title=Path(name).name)


def _write_html(report: PageReport, name: str) -> None:
    """Write the HTML report to standard output, or atomically to a file."""
    from stupidos.report.html_report import html_report

    if name == inputs.STDIN:
        output.write(html_report(report))
        return
    with output.replacing(Path(name)) as file:
        file.write(output.utf8(html_report(report)))


def _short_form(report: PageReport) -> str:
    """The lines for a terminal, with colours if it supports them."""
    from stupidos.report.terminal import report_lines

    terminal = sys.stdout is not None and sys.stdout.isatty()
    colour = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if terminal else 120
    return "".join(line + "\n" for line in report_lines(report, width, colour))
