"""Take a page's text and leave its boilerplate.

Navigation, advertisements, legal notices and the like are dropped segment by segment; what is left
comes out as text. HTML is judged by the model `web`, a plain-text dump by the model `text`;
`stupidos models` lists the others.

examples:
  stupidos clean page.html
  curl -s https://example.org/ | stupidos clean --format markdown
  stupidos clean --model standard --keep-dirty page.html
  lynx -dump page.html | stupidos clean --input text
"""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from stupidos.cli import inputs, output
from stupidos.cli.decisions import add_decision, add_input, between, options_of
from stupidos.errors import StupidosError
from stupidos.write import FORMATS, About, Style, closing, opening, written

if TYPE_CHECKING:
    from stupidos.pipeline import Cleaner

# Inputs that hold many pages go to the crawl driver, and so does all work that leaves files behind
MANY_PAGES = re.compile(r"\.(?:warc|wet|jsonl|ndjson)(?:\.gz|\.zst)?$|\.zst$", re.IGNORECASE)
CRAWL_OPTIONS = ("output", "jobs", "resume", "files_from")
CRAWL = "stupidos.cli.crawl"
LINES = frozenset({"text", "cleaneval", "markdown"})  # formats that want a blank line between pages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="pages or folders; standard input by default and for -"
    )
    parser.add_argument("--model", metavar="NAME", help="a model of `stupidos models`, or a .npz file")
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="text by default")
    add_input(parser)
    parser.add_argument(
        "--keep-dirty", action="store_true", help="everything out, each segment with its verdict"
    )
    parser.add_argument("--segments", action="store_true", help="list the segments in each JSONL record")
    parser.add_argument(
        "--min-confidence",
        type=between(0, 1),
        metavar="X",
        help="leave out pages that will probably have a precision below X",
    )
    add_decision(parser)
    if crawl := crawl_driver():
        crawl.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    if many_pages(arguments):
        if crawl := crawl_driver():
            code: int = crawl.run(arguments)
            return code
        raise StupidosError("folders and crawls need stupidos.cli.crawl, which this copy lacks")
    from stupidos.pipeline import Cleaner

    cleaner = Cleaner.load(arguments.model, options_of(arguments))
    style = Style(arguments.format, arguments.keep_dirty, arguments.segments)
    output.write(opening(style.format, len(arguments.files) or 1))
    pages = 0

    def clean(name: str, data: bytes) -> None:
        nonlocal pages
        text = cleaned(cleaner, name, data, style, arguments.min_confidence)
        output.write("\n" + text if pages and text and style.format in LINES else text)
        pages += bool(text)

    code = inputs.each(arguments.files, clean)
    output.write(closing(style.format, len(arguments.files) or 1))
    return code


def many_pages(arguments: argparse.Namespace) -> bool:
    """Whether this is work for the crawl driver."""
    return any(getattr(arguments, option, None) for option in CRAWL_OPTIONS) or any(
        MANY_PAGES.search(name) or Path(name).is_dir() for name in arguments.files
    )


def crawl_driver() -> ModuleType | None:
    """The module that cleans many pages."""
    return import_module(CRAWL) if find_spec(CRAWL) else None
