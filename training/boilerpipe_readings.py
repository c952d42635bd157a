"""Other readings of two features of the Boilerpipe paper, where its Table 2 and ours are apart.

    python training/boilerpipe_readings.py DATA/l3s-gn1

What is a sentence, and does text density count tokens or words? 1R on each reading, ten folds with no site in
two of them, two classes: precision, recall, F, false positives, area under the ROC curve, partitions; then
the same for one fixed cut.
"""

from __future__ import annotations

import re
import sys
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import l3s
from boilerpipe_features import FEATURES, HAS_LETTER, SENTENCE_END
from boilerpipe_trees import Blocks, one_rule_row

from stupidos.literature.tokens import FloatArray

COLUMNS = 80  # at which text is wrapped
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

# Text density is the paper's cut; that of sentence length, which it does not tell, gives its figures.
CUTS = {"sentence length": 20.0, "text density": 10.5}


def column(pages: list[l3s.Assessed], reading: Callable[[str], float]) -> FloatArray:
    return np.array([reading(text) for page in pages for text in page.blocks.texts], dtype=np.float64)


def main() -> None:
    warnings.simplefilter("ignore")  # wrongly declared encodings
    folder = Path(sys.argv[1])
    blocks, pages = Blocks.of(folder), list(l3s.pages(folder / "annotated"))
    actual = np.array(l3s.TWO_CLASSES)[blocks.labels]
    for name, reading in READINGS.items():
        values = column(pages, reading)
        table = blocks._replace(features=np.tile(values[:, None], len(FEATURES)))
        scores, area, leaves = one_rule_row(table, FEATURES[0], l3s.TWO_CLASSES)
        print(f"{name:50}", " ".join(f"{100 * share:5.1f}" for share in (*scores, area)), leaves, flush=True)
        cut = CUTS[name.partition(":")[0]]
        row = l3s.weighted(actual, values > cut, blocks.words)
        print(f"{f'... @{cut:g}':50}", " ".join(f"{100 * share:5.1f}" for share in (*row, row.area())))


if __name__ == "__main__":
    main()
