"""Accuracy of other tools by page type: `python benchmarks/accuracy.py DATA [CORPUS ...]`.

DATA holds corpora as NAME/raw and NAME/gold, with types.json where the pages have types (default: wcxb,
fundus and newspaper4k). Each tool gets the decoded page and no address; what it returns is compared with the
gold by its bag of words, and F1 is the mean over the pages. A page on which a tool fails or returns nothing
counts as 0.

The figures of stupidos itself are cross-validated by site (training/RESULTS.md), since the shipped models
were trained on some of these pages.

pip install trafilatura resiliparse readability-lxml justext; rs-trafilatura has a wheel for Python 3.12 only
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import peers

CORPORA = ("wcxb", "fundus", "newspaper4k")
BY_TYPE = ("wcxb",)  # corpora whose types are kinds of pages, not countries
ALL = "all"


class Scored(NamedTuple):
    """F1 of one page."""

    type: str
    f: float


def trafilatura_precise() -> peers.Tool:
    from trafilatura import extract

    return lambda html: extract(html, favor_precision=True) or ""


def readability() -> peers.Tool:
    """The text of its HTML, read as a text browser would."""
    from readability import Document

    from stupidos.render import read

    return lambda html: "\n".join(
        segment.text for segment in read(Document(html).summary(html_partial=True), "html").segments
    )


def justext() -> peers.Tool:
    """With the stop words of English."""
    import justext as package

    stop_words = package.get_stoplist("English")
    return lambda html: "\n".join(
        paragraph.text for paragraph in package.justext(html, stop_words) if not paragraph.is_boilerplate
    )


TOOLS: dict[str, Callable[[], peers.Tool]] = {
    "trafilatura": peers.trafilatura,
    "trafilatura, precise": trafilatura_precise,
    "rs-trafilatura": peers.rs_trafilatura,
    "resiliparse": peers.resiliparse,
    "readability": readability,
    "jusText": justext,
}


def scores(tool: peers.Tool, folder: Path) -> Iterator[Scored]:
    """F1 of every page of a corpus."""
    from stupidos.lab.corpus import content, corpus, gold_of
    from stupidos.lab.match_counts import bag_counts

    types = json.loads((folder / "types.json").read_text()) if folder.name in BY_TYPE else {}
    for pair in corpus(folder / "gold", folder / "raw").pairs:
        gold = "\n".join(segment.text for segment in gold_of(pair.gold))
        counts = bag_counts(text_of(tool, content(pair.raw)), gold)
        yield Scored(types.get(pair.name, ALL), counts.f)


def text_of(tool: peers.Tool, data: bytes) -> str:
    """What a tool makes of a page; nothing if it fails."""
    from stupidos.decode import decode

    html = decode(data)[0]
    try:
        found = tool(html)
    except Exception:
        return ""
    return found if isinstance(found, str) else str(getattr(found, "text", found) or "")


def main() -> None:
    warnings.simplefilter("ignore")
    data, *names = sys.argv[1:]
    tools = peers.installed(TOOLS)
    for name in names or CORPORA:
        rows: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for tool in tools:
            for type, f in scores(tools[tool], Path(data, name)):
                for row in {type, ALL}:
                    rows[row][tool].append(f)
        print(f"\n{name}\n| bag F1 | pages | " + " | ".join(tools) + " |\n|---|--:|" + "--:|" * len(tools))
        for row in sorted(rows, key=lambda row: (row != ALL, row)):
            means = " | ".join(f"{sum(rows[row][tool]) / len(rows[row][tool]):.3f}" for tool in tools)
            print(f"| {row} | {len(rows[row][peers.REFERENCE])} | {means} |", flush=True)


if __name__ == "__main__":
    main()
