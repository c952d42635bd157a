"""Which model for `lynx -dump | stupidos clean`? The table of dumps in REPRODUCTION.md.

    python training/dumps.py DATA
    python training/dumps.py DATA --width 1000

Models are trained on every second page of cleaneval (HTML) and applied to dumps that the real Lynx makes of
every second one of the other pages (--every), with and without its list of links. `text` is the recipe of the
shipped model: it also learns from every second page of the other corpora. Bag-of-words F, P and R in
percent, macro, and the gain in F over `text` with its 95 % interval (paired t-test).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from text import CORPORA

from stupidos import __version__
from stupidos.lab.corpus import Pair, corpus
from stupidos.lab.evaluate import gold_digest, text_of
from stupidos.lab.examples import Example, examples
from stupidos.lab.match_counts import bag_counts
from stupidos.lab.measure import MARKER
from stupidos.lab.retrain import retrainer
from stupidos.lab.significance import gain
from stupidos.pipeline import Cleaner
from stupidos.score.scorer import Scorer

FIRST = "cleaneval"
SECONDS = 20  # for one dump
LYNX = ("lynx", "-dump", "-force_html", "-display_charset=utf-8")


def pages(data: Path, name: str) -> list[Example]:
    """Every second page of a corpus, those that cannot be used aside."""
    pairs = corpus(data / name / "gold", data / name / "raw").pairs[::2]
    return [page for page in examples(pairs) if isinstance(page, Example)]


def trained(name: str, examples: Sequence[Example]) -> Scorer:
    """A model of that name, trained on the examples: the scorer of an empty fold."""
    return next(iter(retrainer(name)([[], examples])))


def models(data: Path) -> Iterator[tuple[str, Scorer]]:
    """The models to compare."""
    half = pages(data, FIRST)
    others = [name for name in CORPORA if name != FIRST and (data / name).is_dir()]
    yield "text", trained("text", [*half, *(page for name in others for page in pages(data, name))])
    yield f"text, half of {FIRST} only", trained("text", half)
    for name in ("stupidos-2007", "standard", "simplified"):
        yield name, trained(name, half)


def dump(path: Path, links: bool, width: int) -> bytes:
    """What Lynx shows of a page; empty if it does not come to an end."""
    command = [*LYNX, f"-width={width}", *([] if links else ["-nolist"]), str(path)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return b""
    return done.stdout


def bag_scores(cleaner: Cleaner, text: bytes, gold: str) -> tuple[float, float, float]:
    """F, precision and recall of one dump."""
    matched, found, wanted = bag_counts(cleaner.extract(text, input="text").text, MARKER.sub("", gold))
    return 2 * matched / max(found + wanted, 1), matched / max(found, 1), matched / max(wanted, 1)


def dumps(pairs: Sequence[Pair], width: int) -> dict[str, list[bytes]]:
    """The dumps of all pages, by the kind of dump. Lynx runs in an empty folder."""
    kinds = {"with the list of links": True, "without it (-nolist)": False}
    with tempfile.TemporaryDirectory(prefix="stupidos-dumps-") as folder:
        page = Path(folder) / "page.html"
        made: dict[str, list[bytes]] = {kind: [] for kind in kinds}
        for pair in pairs:
            page.write_bytes(pair.raw.read_bytes())
            for kind, links in kinds.items():
                made[kind].append(dump(page, links, width))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", metavar="DATA", type=Path, help="folder of corpora, each with raw/ and gold/")
    parser.add_argument("--every", type=int, default=2, help="take every so manieth page that was kept aside")
    parser.add_argument("--width", type=int, default=80, help="columns of the dumps")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # wrongly declared encodings
    folder = arguments.data / FIRST
    pairs = corpus(folder / "gold", folder / "raw").pairs[1::2][:: arguments.every]
    made = dumps(pairs, arguments.width)
    pairs = [pair for at, pair in enumerate(pairs) if all(texts[at].strip() for texts in made.values())]
    made = {kind: [text for at, text in enumerate(texts) if all(one[at].strip() for one in made.values())]
            for kind, texts in made.items()}  # fmt: skip
    settings = f"width:{arguments.width}|gold:{gold_digest(pairs)}|pages:{len(pairs)}|v:{__version__}"
    print(f"dumps {settings}; F, P, R, gain in F", flush=True)
    golds = [text_of(pair.gold) for pair in pairs]
    first: dict[str, list[float]] = {}  # F of each page by the first model, by the kind of dump
    for name, scorer in models(arguments.data):
        cleaner = Cleaner(scorer, scorer)
        for kind, texts in made.items():
            scores = [bag_scores(cleaner, text, gold) for text, gold in zip(texts, golds)]
            cells = " ".join(f"{100 * mean:6.2f}" for mean in np.mean(scores, axis=0))
            of_pages = [f for f, _, _ in scores]
            step = gain(of_pages, first.setdefault(kind, of_pages))
            shown = f"{100 * step.mean:+.2f} ({100 * step.low:+.2f} to {100 * step.high:+.2f}) p {step.p:.4f}"
            print(f"{name:30} {kind:24} {cells}  {shown}", flush=True)


if __name__ == "__main__":
    main()
