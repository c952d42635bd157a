"""Render a page as text, one segment at a time, as a text browser does.

Paragraphs, headings and list items are printed in reading order; nothing is removed. HTML may be in any
encoding; a plain-text dump (lynx -dump, a WET record) is split into segments as well.

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

_FORMATS = ("text", "cleaneval", "jsonl")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="*", help="pages; default and -: standard input")
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        default="text",
        help="text, cleaneval (<p>, <h> or <l> before each segment) or jsonl",
    )
    add_reading(parser)
    parser.add_argument("--alt", action="store_true", help="include the alt texts of images")
    parser.add_argument("--hidden", action="store_true", help="include hidden elements")
    parser.add_argument("--controls", action="store_true", help="include the labels of form controls")


def run(arguments: argparse.Namespace) -> int:
    from stupidos.render import read

    options = RenderOptions(arguments.br, arguments.alt, arguments.hidden, arguments.controls)
    pages = 0

    def show(name: str, data: bytes) -> None:
        nonlocal pages
        page = read(inputs.one_page(data, arguments.input), arguments.input, options)
        before = "\n" if pages and arguments.format != "jsonl" else ""
        pages += output.write_pieces(before, _pieces(name, page, arguments.format))

    return inputs.each(arguments.files, show)


def _pieces(name: str, page: Page, format: str) -> Iterator[str]:
    """A page in one of the _FORMATS; unlike `clean`, JSON includes path and source offsets."""
    if format == "text":
        return text_pieces(page.segments)
    if format == "cleaneval":
        return marked_pieces(page.segments)
    from stupidos.write.records import json_pieces

    fields = ("text", "kind", "level", "link_share", "path", "ancestors", "start", "end")
    record = {"id": name, "title": page.title, "text": "", "segments": [], "encoding": page.encoding}
    segments = ({field: getattr(one, field) for field in fields} for one in page.segments)
    return json_pieces(record, text_pieces(page.segments), segments)
