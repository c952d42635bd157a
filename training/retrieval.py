"""Does removing boilerplate help search? Section 6 of the Boilerpipe paper, with other queries and pages.

    python training/retrieval.py DATA/l3s-gn1 DATA/dragnet DATA/daniel-english --plot FILE.png

Kohlschütter et al. (WSDM 2010) searched BLOGS06, which cannot be had, by the queries of TREC. Here each page
is a known item: it is searched for by words of its own <title>, which is not indexed itself, the three rarest
of that part of the title which other pages do not repeat. The gold texts are not used. All pages of the
corpora are in one BM25 index a system (bm25.py): the whole text, what each system keeps of it, and, as in
Figure 7, the blocks with at least so many words or such a text density. Printed are P@10, MRR, NDCG@10 and
the gain in MRR over the whole text with its 95 % interval (paired t-test). One page is relevant, so P@10 is
at most 0.1. The headline of a page repeats its title, and a system that keeps it has found the page; so all
is printed once more without the lines of each page that repeat its own title.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bm25 import Index, terms
from strata import pages as pages_of

from stupidos import __version__
from stupidos.errors import StupidosError
from stupidos.lab.corpus import content
from stupidos.lab.significance import gain
from stupidos.literature.boilerpipe_blocks import blocks_of
from stupidos.literature.tokens import as_one_segment, pieces
from stupidos.pipeline import Cleaner
from stupidos.render import read

SYSTEMS = (
    *("rules", "stupidos-2007", "standard", "simplified", "boilerpipe", "boilerpipe-words"),
    *("boilerpipe-article", "bte", "tree", "fiasco", "web"),
)
WORDS = (2, 3, 5, 7, 9, 11, 15, 20, 30, 50, 100)  # minimal numbers of words of a block
DENSITIES = (2, 4, 6, 8, 10, 11, 12, 14, 16)
TOP = 10
REPEATED = 0.7  # of the words of a title and of a line: then the line is the headline
QUERY_WORDS = 3
PARTS = re.compile(r"\s+[-–—|:»·•]+\s+|\s*[|»]\s*")
MOST_TITLES = 3  # a part of a title that more pages have is the name of a site


class Query(NamedTuple):
    """Words and the page that they are to find."""

    words: list[str]
    page: int


def title_part(title: str, parts: Mapping[str, int]) -> str:
    """The longest part of a title that few pages have.

    >>> title_part("Ferry runs again | The Harbour News", Counter({"The Harbour News": 9}))
    'Ferry runs again'
    """
    own = [part for part in PARTS.split(title) if part and parts[part] <= MOST_TITLES]
    return max(own, key=len, default="")


def queries(titles: Sequence[str]) -> list[Query]:
    """A query for each page whose title has enough words: those that the fewest other titles have.

    >>> queries(["Ferry late again today", "Train late again today", "Home"])
    [Query(words=['again', 'ferry', 'late'], page=0), Query(words=['again', 'late', 'train'], page=1)]
    """
    parts = Counter(part for title in titles for part in set(PARTS.split(title)))
    own = [terms(title_part(title, parts)) for title in titles]
    spread = Counter(word for words in own for word in set(words))
    made = []
    for page, words in enumerate(own):
        rare = sorted({word for word in words if len(word) > 2}, key=lambda word: (spread[word], word))
        if len(rare) >= QUERY_WORDS:
            made.append(Query(sorted(rare[:QUERY_WORDS]), page))
    return made


def without_headline(text: str, title: str) -> str:
    """A text without the lines that repeat the title of its page.

    >>> without_headline("Ferry runs again\\nThe ferry runs.", "Ferry runs again")
    'The ferry runs.'
    """
    wanted = set(terms(title))
    return "\n".join(line for line in text.splitlines() if not repeats(set(terms(line)), wanted))


def repeats(line: set[str], title: set[str]) -> bool:
    """Whether a line has most words of a title and hardly any other."""
    shared = len(line & title)
    return bool(title) and shared >= REPEATED * len(title) and shared >= REPEATED * len(line)


def block_texts(source: str) -> Iterator[tuple[str, str]]:
    """The text of a page in blocks with at least so many words, or such a density: (name, text) each."""
    split = pieces(read(source, "html"))
    blocks = blocks_of(split, as_one_segment(split))
    words, density = blocks.words(), blocks.text_density()
    limits = [(f"words {one}", words >= one) for one in WORDS]
    limits += [(f"density {one}", density >= one) for one in DENSITIES]
    for name, kept in limits:
        yield name, "\n".join(text for text, one in zip(blocks.texts, kept.tolist()) if one)


def texts_of(paths: Sequence[Path]) -> tuple[list[str], dict[str, list[str]]]:
    """The titles of the pages, and their texts by each system; "whole text" comes first."""
    whole = Cleaner.load("keep-all")
    cleaners = {name: Cleaner.load(name) for name in SYSTEMS}
    titles: list[str] = []
    texts: dict[str, list[str]] = {"whole text": []}
    for path in paths:
        try:
            document = whole.extract(content(path))
            page = {"whole text": document.text, **dict(block_texts(document.page.source))}
            page |= {name: cleaner.extract(content(path)).text for name, cleaner in cleaners.items()}
        except StupidosError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        titles.append(document.page.title)
        for name, text in page.items():
            texts.setdefault(name, []).append(text)
    return titles, texts


def discounted(rank: float) -> float:
    """NDCG@10 of the one relevant page.

    >>> discounted(1), round(discounted(3), 2), discounted(11)
    (1.0, 0.5, 0.0)
    """
    return 1 / math.log2(1 + rank) if rank <= TOP else 0.0


def report(asked: Sequence[Query], texts: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Print a row for each system; the MRR of each is returned."""
    base: list[float] = []
    found: dict[str, float] = {}
    for name, kept in texts.items():
        index = Index(kept)
        ranks = [index.rank(query.words, query.page) for query in asked]
        reciprocal = [1 / rank for rank in ranks]
        base = base or reciprocal
        step = gain(reciprocal, base)
        found[name] = float(np.mean(reciprocal))
        precision = np.mean([rank <= TOP for rank in ranks]) / TOP
        cells = f"{precision:.4f}  {found[name]:.4f}  {np.mean([discounted(rank) for rank in ranks]):.4f}"
        print(f"{name:20} {int(index.lengths.sum()):9} words  {cells}  {step.mean:+.4f}"
              f" ({step.low:+.4f} to {step.high:+.4f}) p {step.p:.4f}", flush=True)  # fmt: skip
    return found


def plot(kinds: Mapping[str, Mapping[str, float]], path: Path) -> None:
    """MRR by the minimal number of words and by the minimal density of blocks: Figure 7."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, (title, found) in zip(figure.subplots(1, len(kinds), sharey=True), kinds.items()):
        for kind, values in (("words", WORDS), ("density", DENSITIES)):
            axes.plot(values, [found[f"{kind} {value}"] for value in values], "o-", label=f"minimal {kind}")
        for name, line in (("whole text", "-"), ("bte", "--"), ("boilerpipe", "-."), ("web", ":")):
            axes.axhline(found[name], color="k", linestyle=line, linewidth=1, label=name)
        axes.set(title=title, xlabel="minimum of a block", ylabel="MRR", xscale="log")
        axes.legend(fontsize="small")
    figure.savefig(path, format="png", dpi=100, metadata={"Software": None})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", metavar="CORPUS", type=Path, nargs="+", help="folders with raw/")
    parser.add_argument("--plot", metavar="FILE.png", type=Path, help="draw the MRR by minimal block")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # wrongly declared encodings
    paths = [path for folder in arguments.corpora for path in pages_of(folder / "raw")]
    titles, texts = texts_of(paths)
    asked = queries(titles)
    names = "+".join(folder.name for folder in arguments.corpora)
    print(f"retrieval {names}|pages:{len(titles)}|queries:{len(asked)}|words:{QUERY_WORDS}|v:{__version__}")
    print("P@10, MRR, NDCG@10, gain in MRR")
    found = {"whole pages": report(asked, texts)}
    parts = Counter(part for title in titles for part in set(PARTS.split(title)))
    own = [title_part(title, parts) for title in titles]
    bodies = {name: [*map(without_headline, kept, own)] for name, kept in texts.items()}
    print("without the lines that repeat the title")
    found["without headlines"] = report(asked, bodies)
    if arguments.plot:
        plot(found, arguments.plot)


if __name__ == "__main__":
    main()
