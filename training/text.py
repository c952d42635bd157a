"""Train the model for plain-text dumps on all corpora.

    python training/text.py DATA models        # models/text.npz

DATA holds NAME/raw and NAME/gold of each corpus; the pages are read as a text browser would show them.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from stupidos.lab import text
from stupidos.lab.corpus import corpus
from stupidos.lab.examples import Example, Problem, examples

CORPORA = (
    "wcxb", "cleaneval", "dragnet", "daniel-chinese", "daniel-english", "daniel-greek", "daniel-polish",
    "daniel-russian",
)  # fmt: skip


def pages(data: Path) -> Iterator[Example | Problem]:
    """The pages of all corpora."""
    for name in CORPORA:
        for example in examples(corpus(data / name / "gold", data / name / "raw").pairs):
            yield example._replace(name=f"{name}/{example.name}")


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("usage: python training/text.py DATA models")
    warnings.simplefilter("ignore")
    data, models = map(Path, sys.argv[1:])
    learnt = text.learn(pages(data))
    text.save(learnt, models / "text.npz", corpora=list(CORPORA))
    print(f"text: {learnt.pages} pages, {len(learnt.problems)} left out")


if __name__ == "__main__":
    main()
