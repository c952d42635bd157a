"""What metadata add to the time of a clean: `python benchmarks/metadata_cost.py DATA`.

The same pages as JSONL records with and without metadata, language and hash of the text, and as plain text.
Pages are given as text, so that decoding, which each of them needs, makes the share look no smaller.
"""

from __future__ import annotations

import sys

from interleaved import corpora, costs
from peers import Tool

from stupidos.pipeline import Cleaner, Options
from stupidos.render.without_gc import without_gc
from stupidos.write import Style
from stupidos.write.records import json_line, record_of

CORPORA = ("wcxb", "cleaneval", "newspaper4k", "fundus")
ADDRESS = "https://example.org/"
ROUNDS = 7
MOST = 1.08  # of the time of a record without metadata


def tools() -> dict[str, Tool]:
    bare, keeping_tokens = Cleaner.load(), Cleaner.load(options=Options(structure=True))

    @without_gc
    def without(html: str) -> str:
        document = bare.extract(html, url=ADDRESS)
        return json_line(record_of(document, Style("jsonl", metadata=False)))

    @without_gc
    def whole(html: str) -> str:
        return json_line(keeping_tokens.extract(html, url=ADDRESS).record())

    return {"jsonl without": without, "jsonl": whole, "text": bare.clean}


def main() -> int:
    spent = dict.fromkeys(tools(), 0.0)
    for name, pages in corpora(sys.argv, CORPORA):
        seconds = {tool: sum(best) for tool, best in costs(tools(), pages, ROUNDS).items()}
        print(row(f"{name}, {len(pages)} pages", seconds, len(pages)))
        spent = {tool: spent[tool] + seconds[tool] for tool in spent}
    print(row("all", spent, 0))
    return 0 if spent["jsonl"] <= MOST * spent["jsonl without"] else 1


def row(name: str, seconds: dict[str, float], pages: int) -> str:
    """The time of each tool relative to records without metadata.

    >>> row("tea", {"jsonl without": 2.0, "jsonl": 2.1, "text": 1.9}, 100)
    'tea                       jsonl without 1.000, jsonl 1.050, text 0.950 (20.0 ms a page)'
    """
    base = seconds["jsonl without"]
    shares = ", ".join(f"{tool} {time / base:.3f}" for tool, time in seconds.items())
    return f"{name:25} {shares}" + (f" ({1000 * base / pages:.1f} ms a page)" if pages else "")


if __name__ == "__main__":
    sys.exit(main())
