"""What each format costs, page by page in turns, as a multiple of text: `python benchmarks/formats.py DATA`.

Each call is a page from a str to a str, model loaded once, as `stupidos clean --format` does it.
Trafilatura has a run of its own: what comes right after it finds cold caches, and takes a quarter longer.
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
    return tools


def _peers() -> dict[str, Tool]:
    try:
        from trafilatura import extract
    except ImportError:
        print("(trafilatura is not installed)")
        return {}
    everything = dict.fromkeys(("include_links", "include_images", "include_formatting"), True)
    return {"trafilatura markdown": partial(extract, output_format="markdown", **everything)}


def main() -> None:
    tools, peers, pages = _tools(), _peers(), corpora(sys.argv)
    if len(pages) > 1:
        pages.append(("all", [page for _, some in pages for page in some]))
    for name, some in pages:
        _print_multiples(name, tools, some, "text")
    for name, some in pages if peers else ():
        _print_multiples(name, {"markdown": tools["markdown"], **peers}, some, "markdown")


def _print_multiples(name: str, tools: dict[str, Tool], pages: list[str], reference: str) -> None:
    speeds = table(f"formats, {name}", tools, pages, reference)
    costs = ", ".join(f"{tool} {1 / speed:.2f}" for tool, speed in speeds.items())
    print(f"  cost, {reference} = 1: {costs}")


if __name__ == "__main__":
    main()
