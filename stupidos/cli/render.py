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
from collections.abc import Iterator

from stupidos.cli import inputs, output
from stupidos.cli.options import add_reading
from stupidos.page import Page
from stupidos.render.options import RenderOptions
from stupidos.write import marked_pieces, text_pieces

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
        before = "\n" if pages and arguments.format != "jsonl" else ""
        pages += output.write_pieces(before, pieces(name, page, arguments.format))

    return inputs.each(arguments.files, show)


def pieces(name: str, page: Page, format: str) -> Iterator[str]:
    """A page in one of the FORMATS; JSON tells where each segment stood, as `clean` does not."""
    if format == "text":
        return text_pieces(page.segments)
    if format == "cleaneval":
        return marked_pieces(page.segments)
    from stupidos.write.records import json_pieces

    fields = ("text", "kind", "level", "link_share", "path", "ancestors", "start", "end")
    found = {"id": name, "title": page.title, "text": "", "segments": [], "encoding": page.encoding}
    segments = ({field: getattr(one, field) for field in fields} for one in page.segments)
    return json_pieces(found, text_pieces(page.segments), segments)
