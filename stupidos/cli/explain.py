"""Show why each segment of a page was kept or dropped.

Prints one line per segment with its score, and the rule if one decided. With -o it writes one
self-contained HTML page: a heat map of the characters, what moved every score, the parts that add
up to it, a movable threshold, the page's metadata and the kept text as Markdown. Several pages, or
a folder, become a folder of reports with an index.html, worst confidence first. A report loads
nothing from the network.

examples:
  stupidos explain page.html
  stupidos explain page.html -o report.html
  stupidos explain pages/ -o report/
  curl -s https://example.org/ | stupidos explain --model standard
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import inputs, output
from stupidos.cli.options import add_decision, add_reading, add_visual, options_of
from stupidos.errors import StupidosError

if TYPE_CHECKING:
    from stupidos.pipeline import Cleaner
    from stupidos.report.index import IndexEntry
    from stupidos.report.page_report import PageReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="pages, dumps or folders of them; standard input by default and for -",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="write an HTML report: a file for one page (- for standard output), a folder for several",
    )
    parser.add_argument("--model", metavar="NAME", help="a model of `stupidos models`, or a .npz file")
    add_visual(parser)
    add_reading(parser)
    add_decision(parser)


def run(arguments: argparse.Namespace) -> int:
    from dataclasses import replace

    from stupidos.pipeline import Cleaner

    folder = _is_folder_report(arguments.files, arguments.output)
    options = replace(options_of(arguments), structure=bool(arguments.output))
    cleaner = Cleaner.load(arguments.model, options)
    if folder:
        return _FolderReport(cleaner, Path(arguments.output)).run(arguments.files)
    pages = 0

    def explain(name: str, data: bytes) -> None:
        nonlocal pages
        report = _page_report(cleaner, name, data, full=bool(arguments.output))
        if arguments.output:
            _write_html(report, arguments.output)
        else:
            output.write(("\n" if pages else "") + _short_form(report))
        pages += 1

    return inputs.each([name for given in arguments.files for name in _pages(given)], explain)


def _is_folder_report(files: Sequence[str], target: str | None) -> bool:
    """Whether the output is a folder: for several pages, a folder of them, or if it is one already."""
    several = len(files) > 1 or any(os.path.isdir(name) for name in files)
    if not target:
        return False
    if several and (target == inputs.STDIN or os.path.isfile(target)):
        raise StupidosError(f"{target}: the report on several pages is a folder, as in --output report/")
    return several or target.endswith("/") or os.path.isdir(target)


def _pages(name: str, avoid: str = "") -> Iterator[str]:
    """The pages of a folder in name order, without files that cannot be pages; a file is itself."""
    if not os.path.isdir(name):
        yield name
        return
    from stupidos.scale.files import no_page, tree

    any_page = False
    for entry in tree(name, avoid):
        if isinstance(entry, str) and not no_page(entry):
            any_page = True
            yield entry
    if not any_page:
        raise StupidosError(f"{name}: has no pages")


class _FolderReport:
    """A folder of reports with an index."""

    def __init__(self, cleaner: Cleaner, folder: Path) -> None:
        from stupidos.report.index import INDEX_FILE
        from stupidos.scale.names import Names

        self._cleaner, self._folder = cleaner, folder
        self._entries: list[IndexEntry] = []
        self._names = Names(".html", several=True)
        self._names.of_stream(INDEX_FILE)  # so that no page takes its name
        self._model = ""

    def run(self, files: Sequence[str]) -> int:
        """Write the report of every page, then the index; return the exit code."""
        from stupidos.cli.progress import progress
        from stupidos.report.index import INDEX_FILE, index_page

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StupidosError(f"{self._folder}: {error.strerror}") from None
        targets = list(self._targets(files))
        codes = [
            self._explain(name, target) for name, target in progress(targets, "explaining", len(targets))
        ]
        index = index_page(self._entries, self._model or self._cleaner.scorer.name)
        with output.replaced(self._folder / INDEX_FILE) as file:
            file.write(output.utf8(index))
        return max(codes, default=0)

    def _targets(self, files: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Every page with the name of its report in the folder."""
        from stupidos.scale.names import Names

        several = len(files) > 1
        folders = Names(".html", several)
        avoid = os.path.realpath(self._folder)
        for given in files or [inputs.STDIN]:
            if given == inputs.STDIN:
                yield given, self._names.of_stream("standard-input.html")
            elif os.path.isdir(given):
                above = folders.of_input(given)
                for name in _pages(given, avoid):
                    yield name, self._names.of_member(name, given, above)
            else:
                yield given, self._names.of_file(given)

    def _explain(self, name: str, target: str) -> int:
        """Write the report of one page; a page that cannot be read is an entry of the index."""
        from stupidos.report.index import IndexEntry

        before = len(self._entries)

        def explain(name: str, data: bytes) -> None:
            from stupidos.report.index import INDEX_FILE, index_entry

            try:
                report = _page_report(self._cleaner, name, data)
            except StupidosError as error:
                self._entries.append(IndexEntry(name, error=str(error)))
                raise
            path = self._folder / target
            path.parent.mkdir(parents=True, exist_ok=True)
            _write_html(report, str(path), "../" * target.count("/") + INDEX_FILE)
            self._model = report.model
            self._entries.append(index_entry(name, target, report))

        code = inputs.each([name], explain)
        if len(self._entries) == before:
            self._entries.append(IndexEntry(name, error="could not be read"))
        return code


def _page_report(cleaner: Cleaner, name: str, data: bytes, full: bool = True) -> PageReport:
    """The report on a page; its file name is the title if it has none."""
    from dataclasses import replace

    from stupidos.report.page_report import page_report

    report = page_report(cleaner.extract(inputs.one_page(data, cleaner.options.input)), full)
    return report if report.title or name == inputs.STDIN else replace(report, title=Path(name).name)


def _write_html(report: PageReport, name: str, home: str = "") -> None:
    """Write the HTML report to standard output, or atomically to a file."""
    from stupidos.report.html_report import html_report

    if name == inputs.STDIN:
        output.write(html_report(report))
        return
    with output.replaced(Path(name)) as file:
        file.write(output.utf8(html_report(report, home)))


def _short_form(report: PageReport) -> str:
    """The lines for a terminal, with colours if it supports them."""
    from stupidos.report.terminal import report_lines

    terminal = sys.stdout is not None and sys.stdout.isatty()
    colour = terminal and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size().columns if terminal else 120
    return "".join(line + "\n" for line in report_lines(report, width, colour))
