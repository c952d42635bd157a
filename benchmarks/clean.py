"""Speed of cleaning, model loaded once, against other tools: `python benchmarks/clean.py DATA`."""

from __future__ import annotations

import sys

from interleaved import corpora, table
from peers import CLEANERS, installed

from stupidos.pipeline import Cleaner
from stupidos.render import render
from stupidos.score.registry import names

MODELS = ("web", "standard", "simplified", "boilerpipe")


def main() -> None:
    models = [name for name in MODELS if name in names()]
    tools = {
        "stupidos render": render,
        **{f"stupidos {name}": Cleaner.load(name).clean for name in models},
        **installed(CLEANERS),
    }
    for name, pages in corpora(sys.argv):
        table(f"clean, {name}", tools, pages)


if __name__ == "__main__":
    main()
