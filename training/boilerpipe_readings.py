"""Other readings of three features of the Boilerpipe paper, where its Table 2 and ours are apart.

    python training/boilerpipe_readings.py DATA/l3s-gn1
    python training/boilerpipe_readings.py DATA/l3s-gn1 DATA/dragnet DATA/wcxb    # frequency in more pages

What is a sentence, and does text density count tokens or words? 1R on each reading, ten folds with no site in
two of them, two classes: precision, recall, F, false positives, area under the ROC curve, partitions; then
the same for one fixed cut. And how often is a text on other pages: on how many, which, how finely counted?
The same columns for the tree of the block, the one before and the one after.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import l3s
from boilerpipe_features import FEATURES, HAS_LETTER, SENTENCE_END, neighbours
from boilerpipe_trees import Blocks, one_rule_row, row

from stupidos.decode import decode
from stupidos.lab.corpus import content, stem
from stupidos.literature.boilerpipe_blocks import blocks_of
from stupidos.literature.tokens import FloatArray, as_one_segment
from stupidos.render.tokens import SPLIT

COLUMNS = 80  # at which text is wrapped
FEWER = (10, 30, 100)  # pages in which texts are counted
MARK = re.compile(r"[.?!;]")


def words(text: str) -> int:
    """Tokens with a letter or digit.

    >>> words("Tea | rum & 2 more")
    4
    """
    return sum(HAS_LETTER.search(token) is not None for token in text.split())


def per_sentence(count: Callable[[str], int], without: float) -> Callable[[str], float]:
    """Words a sentence; a text without an end of a sentence has `without` times its words."""
    return lambda text: words(text) / count(text) if count(text) else without * words(text)


def ends(text: str) -> int:
    return len(SENTENCE_END.findall(text))


def marks(text: str) -> int:
    return len(MARK.findall(text))


def pieces(text: str) -> float:
    """Mean words of the pieces between marks.

    >>> pieces("Tea is hot. Rum?")
    2.0
    """
    return float(np.mean([words(piece) for piece in MARK.split(text) if piece.strip()] or [0]))


def density(count: Callable[[str], int]) -> Callable[[str], float]:
    """Equation 1, with something else than tokens counted.

    >>> density(words)("one two | three"), density(words)("word " * 40)
    (3.0, 16.0)
    """

    def measured(text: str) -> float:
        lines = textwrap.wrap(text, COLUMNS, break_long_words=False, break_on_hyphens=False)
        if len(lines) < 2:
            return float(count(text))
        return sum(map(count, lines[:-1])) / (len(lines) - 1)

    return measured


READINGS: dict[str, Callable[[str], float]] = {
    "sentence length: one sentence if it has no end": per_sentence(ends, 1.0),
    "sentence length: none if it has no end": per_sentence(ends, 0.0),
    "sentence length: by marks, one if there is none": per_sentence(marks, 1.0),
    "sentence length: by marks, none if there is none": per_sentence(marks, 0.0),
    "sentence length: one sentence behind the last end": per_sentence(lambda text: ends(text) + 1, 1.0),
    "sentence length: pieces between marks": pieces,
    "text density: tokens": density(lambda text: len(text.split())),
    "text density: words": density(words),
}

# Text density is the paper's cut; that of sentence length, which it does not give, gives its figures.
CUTS = {"sentence length": 20.0, "text density": 10.5}


def column(pages: list[l3s.Assessed], reading: Callable[[str], float]) -> FloatArray:
    return np.array([reading(text) for page in pages for text in page.blocks.texts], dtype=np.float64)


Counts: TypeAlias = list[list[float]]  # of the blocks of each page


def frequencies(
    pages: list[l3s.Assessed], sites: list[str], more: list[Path]
) -> Iterator[tuple[str, Counts]]:
    """Readings of how frequent the text of a block is."""
    texts = [set(page.blocks.texts) for page in pages]
    everywhere = Counter(text for page in texts for text in page)
    on_site: dict[str, Counter[str]] = {}
    for site, page in zip(sites, texts):
        on_site.setdefault(site, Counter()).update(page)

    def counts(count: Callable[[str, int], float]) -> Counts:
        return [[count(text, at) for text in page.blocks.texts] for at, page in enumerate(pages)]

    yield f"pages, of {len(pages)}", counts(lambda text, _: everywhere[text] - 1)
    yield "... of other sites", counts(lambda text, at: everywhere[text] - on_site[sites[at]][text])
    yield "... on another page or not", counts(lambda text, _: everywhere[text] > 1)
    for size in FEWER:
        few = set(np.random.default_rng(1).choice(len(pages), size, replace=False).tolist())
        on_few = Counter(text for number in few for text in texts[number])
        yield f"pages, of {size} of them", counts(lambda text, at: on_few[text] - (at in few))  # noqa: B023
    total = len(pages)
    for folder in more:
        total += count_texts(folder / "raw", everywhere)
        yield f"pages, of {total} with {folder.name}", counts(lambda text, _: everywhere[text] - 1)


def count_texts(folder: Path, pages: Counter[str]) -> int:
    """Add the texts of the blocks of a folder's pages, and return how many pages there are."""
    paths = [path for path in sorted(folder.iterdir()) if stem(path)]
    for path in paths:
        tags = [*SPLIT.split(decode(content(path))[0]), None, None]
        pages.update(set(blocks_of(tags, as_one_segment(tags)).texts))
    return len(paths)


def shown(name: str, scores: l3s.WeightedScores, area: float, *leaves: int) -> None:
    print(f"{name:50}", " ".join(f"{100 * share:5.1f}" for share in (*scores, area)), *leaves, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="l3s-gn1")
    parser.add_argument("more", metavar="MORE", type=Path, nargs="*", help="others with raw/")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # wrongly declared encodings
    folder, more = arguments.corpus, arguments.more
    blocks, pages = Blocks.of(folder), list(l3s.pages(folder / "annotated"))
    actual = np.array(l3s.TWO_CLASSES)[blocks.labels]
    for name, reading in READINGS.items():
        values = column(pages, reading)
        table = blocks._replace(features=np.tile(values[:, None], len(FEATURES)))
        shown(name, *one_rule_row(table, FEATURES[0], l3s.TWO_CLASSES))
        cut = CUTS[name.partition(":")[0]]
        scores = l3s.weighted(actual, values > cut, blocks.words)
        shown(f"... @{cut:g}", scores, scores.area())
    known = json.loads((folder / "sites.json").read_text(encoding="utf-8"))
    sites = [known.get(page.name, page.name) for page in pages]
    for name, counts in frequencies(pages, sites, more):
        columns = np.concatenate([neighbours(np.array(page, dtype=np.float64)[:, None]) for page in counts])
        table = blocks._replace(features=np.tile(columns, len(FEATURES) // columns.shape[1] + 1))
        shown(f"frequency: {name}", *row(table, FEATURES[:3], l3s.TWO_CLASSES))


if __name__ == "__main__":
    main()
