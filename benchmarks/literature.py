"""Cost of the classic cleaners, rendering included, against rendering alone: `benchmarks/literature.py DATA`.

The goal for Boilerpipe is 1.2. Nearly all that it costs is in segments that inline tags cut into blocks, so
pages full of <font> and <b> are the dearest.
"""

from __future__ import annotations

import sys

from interleaved import corpora, costs
from peers import Tool

from stupidos.pipeline import Cleaner, Options
from stupidos.render import render

MODELS = ("boilerpipe", "boilerpipe-words", "boilerpipe-article", "tree")
RENDER = "render"
ROUNDS = 7


def judging(model: str) -> Tool:
    """Rendering and judging as `stupidos clean` does, without writing."""
    cleaner = Cleaner.load(model, Options(input="html"))  # as render, which does not look what it is either
    return lambda html: cleaner.scores(cleaner.page(html))


def main() -> None:
    tools: dict[str, Tool] = {RENDER: render, **{model: judging(model) for model in MODELS}}
    sums = dict.fromkeys(tools, 0.0)
    for corpus, pages in corpora(sys.argv, ("wcxb", "cleaneval", "l3s-gn1")):
        best = {name: sum(seconds) for name, seconds in costs(tools, pages, ROUNDS).items()}
        print(f"\nliterature, {corpus}: {len(pages)} pages, best of {ROUNDS}, CPU time")
        show(best)
        for name, seconds in best.items():
            sums[name] += seconds
    print("\nliterature, all of them")
    show(sums)


def show(seconds: dict[str, float]) -> None:
    for model in MODELS:
        print(f"  {model + ' scorer / plain render':40} {seconds[model] / seconds[RENDER]:6.2f}")


if __name__ == "__main__":
    main()
