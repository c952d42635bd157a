"""What each format costs, page by page in turns, as a multiple of text: `python benchmarks/formats.py DATA`.

Each call is a page from a str to a str, model loaded once, as `stupidos clean --format` does it.
"""

from __future__ import annotations

import sys
from functools import partial

from interleaved import corpora, table
from peers import Tool

from stupidos.pipeline import Cleaner, Options, clean

FORMATS = ("text", "markdown", "html", "tei", "jsonl")


def _tools() -> dict[str, Tool]:
    with_tokens = Cleaner.load(None, Options(structure=True))
    tools: dict[str, Tool] = {name: partial(clean, format=name) for name in FORMATS}
    tools["text, tokens kept"] = with_tokens.clean
    try:
        from trafilatura import extract

        everything = dict.fromkeys(("include_links", "include_images", "include_formatting"), True)
        tools["trafilatura markdown"] = partial(extract, output_format="markdown", **everything)
    except ImportError:
        print("(trafilatura is not installed)")
    return tools


def main() -> None:
    tools, pages = _tools(), corpora(sys.argv)
    for name, some in pages:
        _print_multiples(name, tools, some)
    if len(pages) > 1:
        _print_multiples("all", tools, [page for _, some in pages for page in some])


def _print_multiples(name: str, tools: dict[str, Tool], pages: list[str]) -> None:
    speeds = table(f"formats, {name}", tools, pages, reference="text")
    print("  cost, text = 1: " + ", ".join(f"{tool} {1 / speed:.2f}" for tool, speed in speeds.items()))


if __name__ == "__main__":
    main()
