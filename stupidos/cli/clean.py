"""Extract the main text of web pages and drop the boilerplate.

Navigation, advertisements, legal notices and the like are removed segment by segment; the remaining
text is printed. HTML is classified by the model `web`, plain-text dumps by the model `text`;
`stupidos models` lists the others.

examples:
  stupidos clean page.html
  curl -s https://example.org/ | stupidos clean --format markdown
  stupidos clean --model standard --keep-dirty page.html
  lynx -dump page.html | stupidos clean --input text
  stupidos clean pages/ -o clean/
  stupidos clean crawl.warc.gz -o clean.jsonl.gz --resume
  zcat pages.jsonl.gz | stupidos clean --field html > clean.jsonl
  stupidos clean pages.jsonl --field html -o clean.parquet
  find . -name '*.html' | stupidos clean --files-from - -o clean.jsonl
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from stupidos.cli import crawl, inputs, output
from stupidos.cli.options import add_decision, add_reading, add_visual, between
from stupidos.errors import StupidosError
from stupidos.page import MAX_SEGMENTS
from stupidos.scale.source_items import MAX_BYTES, Raw, shortened
from stupidos.write import FORMATS, before_page, closing, long_name, opening

if TYPE_CHECKING:
    from stupidos.document import Document
    from stupidos.scale.job import Job
    from stupidos.scale.page_task import PageTask

# Any of these options selects the batch driver (crawl.py)
_CRAWL_OPTIONS = ("compress_level", "shard", "output", "resume", "files_from", "field", "unordered")
_TRUNCATED = {
    MAX_SEGMENTS: "has more than 250,000 segments: the rest was merged into one",
    MAX_BYTES: "is longer than --max-bytes: the rest was ignored",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="*",
        help="pages, folders or archives (.warc .wet .jsonl, also .gz or .zst; .parquet); default, -: stdin",
    )
    parser.add_argument("--model", metavar="NAME", help="a name listed by `stupidos models`, or a .npz file")
    parser.add_argument(
        "--format",
        type=long_name,
        choices=tuple(FORMATS),
        help="output format; default: by the suffix of -o, else jsonl for archives and text for pages; "
        "vertical is for Sketch Engine and for cwb-encode -x",
    )
    add_reading(parser, many=True)
    parser.add_argument("--keep-dirty", action="store_true", help="print every segment with its verdict")
    parser.add_argument(
        "--links",
        choices=("keep", "text", "drop"),
        default="keep",
        help="links in structured formats: keep (default), keep only their text, or drop both",
    )
    parser.add_argument(
        "--images",
        choices=("keep", "alt", "drop"),
        default="keep",
        help="images in structured formats: keep (default), keep only their alt text, or drop both",
    )
    parser.add_argument("--segments", action="store_true", help="include the segments in each JSONL record")
    parser.add_argument(
        "--text-format",
        type=long_name,
        choices=("text", "markdown", "html"),
        default="text",
        help="format of the text in each JSONL record (default: %(default)s)",
    )
    parser.add_argument(
        "--standalone", action="store_true", help="write HTML as a whole document instead of a fragment"
    )
    for name, what in (("confidence", "F"), ("precision", "precision"), ("recall", "recall")):
        parser.add_argument(
            f"--min-{name}",
            type=between(0, 1),
            metavar="X",
            help=f"skip pages whose expected {what} is below X",
        )
    parser.add_argument(
        "--lang",
        type=_languages,
        default=(),
        metavar="CODES",
        help="keep only pages in these languages, such as de,fr; declared ones without the extra `lang`",
    )
    parser.add_argument(
        "--title",
        choices=("auto", "keep", "drop"),
        default="auto",
        help="the headline on top; auto: in markdown, html and tei; keep: in every format; drop: in none",
    )
    parser.add_argument(
        "--metadata",
        choices=("keep", "drop"),
        default="keep",
        help="title, authors, date, language and so on in JSONL records: read them (default), or leave them"
        " out, which is faster",
    )
    parser.add_argument(
        "--front-matter", action="store_true", help="write the metadata of each page above its Markdown"
    )
    add_decision(parser)
    add_visual(parser)
    crawl.add_arguments(parser)
    parser.add_argument(
        "--completion",
        action=_Completion,
        choices=("bash", "zsh", "fish"),
        help="print the completions of all commands for a shell and exit",
    )


class _Completion(argparse.Action):
    """Print the completions of a shell and exit."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        from stupidos.cli.completion import SHELLS, commands

        output.write(SHELLS[str(values)](commands()))
        parser.exit()


def _languages(text: str) -> tuple[str, ...]:
    """Parse a list of languages.

    >>> _languages("de,pt-BR")
    ('de', 'pt')
    """
    from stupidos.metadata.detect import primary
    from stupidos.metadata.languages import normal

    codes = [normal(code) if code.isascii() else None for code in text.split(",")]
    if not all(codes):
        raise argparse.ArgumentTypeError(f"{text} is not a list of language codes such as de,fr")
    return tuple(sorted({primary(code) for code in codes if code}))


def run(arguments: argparse.Namespace) -> int:
    arguments.kinds = crawl.kinds(arguments)
    if _many_pages(arguments):
        return crawl.run(arguments)
    from stupidos.scale.page_task import PageTask

    printer = Printer(PageTask(_single_page_job(arguments)), len(arguments.files) or 1)
    code = inputs.each(arguments.files, printer.clean)
    printer.close()
    return code


class Printer:
    """Writes pages to standard output, with the header, separator and footer of the format."""

    def __init__(self, task: PageTask, pages: int) -> None:
        self.task, self.style = task, task.job.style
        self.pages = pages  # expected in total
        self.written = 0

    def clean(self, name: str, data: bytes) -> Callable[[], None]:
        """Clean one page; what is left is to write it, which takes most of the memory."""
        page, truncated = shortened(inputs.one_page(data, self.task.job.input), self.task.job.max_bytes)
        document = self.document(Raw(name, page, truncated=truncated))
        return lambda: self.write_and_report(name, document)

    def write_and_report(self, name: str, document: Document) -> None:
        """Write a page; failed and skipped pages are reported, and written in record formats."""
        from stupidos.scale.page_task import fate_of

        self.write(document)
        if fate_of(document) == "failed":
            raise StupidosError(document.error)
        if document.error:
            inputs.complain(name, document.error)
        if document.truncated:
            inputs.complain(name, f"warning: {_TRUNCATED.get(document.truncated, document.truncated)}")

    def document(self, raw: Raw) -> Document:
        """Classify the page. Internal errors propagate unless a time limit is set."""
        from stupidos.scale.page_task import failed

        if self.task.job.seconds:
            return self.task.document(raw)
        try:
            return self.task.extract(raw)
        except StupidosError as error:
            return failed(raw, str(error))

    def write(self, document: Document) -> None:
        """Append a page to the output."""
        before = "" if self.written else opening(self.style, self.pages)
        before += before_page(self.style, document.id, first=not self.written)
        self.written += output.write_pieces(before, self.task.pieces(document))

    def close(self) -> None:
        """Write the footer if anything was written."""
        if self.written:
            output.write(closing(self.style, self.pages))


def _single_page_job(arguments: argparse.Namespace) -> Job:
    """The job for pages written to standard output; limits apply only if given explicitly."""
    job = crawl.job_of(arguments)
    seconds = job.seconds if arguments.timeout is not None else 0.0
    most = job.max_bytes if arguments.max_bytes is not None else inputs.MAX_INPUT_BYTES
    one = job.style.standalone and len(job.inputs) == 1
    style = job.style._replace(standalone="page") if one else job.style
    return job._replace(seconds=seconds, max_bytes=most, style=style)


def _many_pages(arguments: argparse.Namespace) -> bool:
    """Whether the batch driver is needed: many pages, output files, or Zstandard input."""
    return any(getattr(arguments, option) not in (None, False) for option in _CRAWL_OPTIONS) or any(
        kind or name.lower().endswith(".zst") or os.path.isdir(name) for name, kind in arguments.kinds.items()
    )
