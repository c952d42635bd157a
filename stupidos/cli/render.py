"""Show a page as a text browser would, in segments.

Paragraphs, headings and list items come out in reading order, nothing is judged. HTML may be in any
encoding; a plain-text dump (lynx -dump, a WET record) is cut into segments too.

examples:
  stupidos render page.html
  stupidos render --format cleaneval < page.html
  lynx -dump page.html | stupidos render --input text
"""

from __future__ import annotations

import argparse

from stupidos.cli import inputs, output
from stupidos.cli.options import add_reading
from stupidos.page import Page
from stupidos.render.options import RenderOptions
from stupidos.write import verdicts_of, written

FORMATS = ("text", "cleaneval", "jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="*", help="pages; standard input by default and for -")
    parser.add_argument(
        "--format", choices=FORMATS, default="text", help="text, or <p> <h> <l> before each segment, or JSON"
    )
    add_reading(parser)
    parser.add_argument("--alt", action="store_true", help="show the alt texts of images")
    parser.add_argument("--hidden", action="store_true", help="show elements the page hides")
    parser.add_argument("--controls", action="store_true", help="show the labels of form controls")


def run(arguments: argparse.Namespace) -> int:
    from stupidos.render import read

    options = RenderOptions(arguments.br, arguments.alt, arguments.hidden, arguments.controls)
    pages = 0

    def show(name: str, data: bytes) -> None:
        nonlocal pages
        page = read(inputs.one_page(data, arguments.input), arguments.input, options)
        text = shown(name, page, arguments.format)
        output.write("\n" + text if pages and text and arguments.format != "jsonl" else text)
        pages += bool(text)

    return inputs.each(arguments.files, show)


def shown(name: str, page: Page, format: str) -> str:
    """A page in one of the FORMATS; JSON tells where each segment stood, as `clean` does not."""
    verdicts = verdicts_of(page.segments)
    if format != "jsonl":
        return written(verdicts, format)
    from stupidos.write.records import json_line

    fields = ("text", "kind", "level", "link_share", "path", "ancestors", "start", "end")
    return json_line(
        {
            "id": name,
            "title": page.title,
            "text": written(verdicts),
            "segments": [{field: getattr(one, field) for field in fields} for one in page.segments],
            "encoding": page.encoding,
        }
    )
