"""Take a page's text and leave its boilerplate.

Navigation, advertisements, legal notices and the like are dropped segment by segment; what is left
comes out as text. HTML is judged by the model `web`, a plain-text dump by the model `text`;
`stupidos models` lists the others.

examples:
  stupidos clean page.html
  curl -s https://example.org/ | stupidos clean --format markdown
  stupidos clean --model standard --keep-dirty page.html
  lynx -dump page.html | stupidos clean --input text
  stupidos clean pages/ -o clean/
  stupidos clean crawl.warc.gz -o clean.jsonl.gz --resume
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
from stupidos.cli.decisions import add_decision, add_reading, between, options_of
from stupidos.errors import StupidosError
from stupidos.write import FORMATS, About, Style, closing, opening, written

if TYPE_CHECKING:
    from stupidos.page import Page
    from stupidos.pipeline import Cleaner

# Inputs that hold many pages go to the crawl driver, and so does all work that leaves files behind
MANY_PAGES = re.compile(r"\.(?:warc|wet|jsonl|ndjson)(?:\.gz|\.zst)?$|\.zst$", re.IGNORECASE)
CRAWL_OPTIONS = ("output", "jobs", "resume", "files_from", "field", "unordered", "timeout", "max_bytes")
CRAWL = "stupidos.cli.crawl"
TELLING = frozenset({"jsonl", "vertical", "tei"})  # formats that tell where a page came from
UNTOLD = "its model was not trained to tell its confidence"
LINES = frozenset({"text", "cleaneval", "markdown"})  # formats that want a blank line between pages


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="*", help="pages or folders; standard input by default and for -"
    )
    parser.add_argument("--model", metavar="NAME", help="a model of `stupidos models`, or a .npz file")
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="text by default")
    add_reading(parser)
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

    desk = Desk(Cleaner.load(arguments.model, options_of(arguments)), arguments)
    code = inputs.each(arguments.files, desk.clean)
    desk.close()
    return code


class Desk:
    """Cleans page after page onto standard output, with what a format wants around them."""

    def __init__(self, cleaner: Cleaner, arguments: argparse.Namespace) -> None:
        self.cleaner = cleaner
        self.model: str | None = arguments.model
        self.least: float | None = arguments.min_confidence
        self.style = Style(arguments.format, arguments.keep_dirty, arguments.segments)
        self.pages = len(arguments.files) or 1  # to come
        self.written = 0

    def clean(self, name: str, data: bytes) -> None:
        """One page; one that fails still has its record where the format has records."""
        try:
            text = self.cleaned(name, data)
        except StupidosError as error:
            if self.style.format in TELLING:
                self.write(written([], self.style, About(name, error=str(error))))
            raise
        self.write(text)

    def cleaned(self, name: str, data: bytes) -> str:
        """One page in the wanted style; one of too little confidence is told of and left out."""
        page = self.cleaner.page(data)
        verdicts = self.cleaner.verdicts(page)
        if self.style.format not in TELLING and self.least is None:
            return written(verdicts, self.style)
        confidence = self.cleaner.confidence(page, verdicts)
        about = self.about(name, page)._replace(confidence=confidence)
        if self.least is not None and (confidence is None or confidence < self.least):
            low = f"its confidence is {confidence or 0:.2f}, below {self.least:g}"
            about = about._replace(error=f"left out: {low if confidence is not None else UNTOLD}")
            inputs.complain(name, about.error)
            return written([], self.style, about) if self.style.format in TELLING else ""
        return written(verdicts, self.style, about)

    def about(self, name: str, page: Page) -> About:
        """Where a page came from and what judged it."""
        from stupidos.write.records import model_sha256

        scorer = self.cleaner.scorer_of(page)
        model = self.model if self.model and scorer is self.cleaner.scorer else scorer.name
        return About(name, "", page.title, page.encoding, scorer.name, model_sha256(model))

    def write(self, text: str) -> None:
        """A page behind those before it."""
        if not self.written:
            text = opening(self.style.format, self.pages) + text
        elif text and self.style.format in LINES:
            text = "\n" + text
        output.write(text)
        self.written += bool(text)

    def close(self) -> None:
        """The end of the output, where it has begun."""
        if self.written:
            output.write(closing(self.style.format, self.pages))


def many_pages(arguments: argparse.Namespace) -> bool:
    """Whether this is work for the crawl driver."""
    return any(getattr(arguments, option, None) not in (None, False) for option in CRAWL_OPTIONS) or any(
        MANY_PAGES.search(name) or Path(name).is_dir() for name in arguments.files
    )


def crawl_driver() -> ModuleType | None:
    """The module that cleans many pages."""
    return import_module(CRAWL) if find_spec(CRAWL) else None
