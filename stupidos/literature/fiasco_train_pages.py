"""Training pages of FIASCO: labelled target nodes, and the keywords of clean and dirty ones.

Bauer et al. (2007), sections 3.1 and 5.1. Keywords are significantly more frequent on one side than on the
other; with a reference they are also "substantially more frequent than in general language". The paper took
the British National Corpus for that; here it is the package wordfreq (extra `keywords`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from stupidos.errors import CorpusError, missing_extra
from stupidos.lab.examples import Example, Problem, list_digest, page_hash
from stupidos.literature.fiasco import digest
from stupidos.literature.fiasco_align import align_targets
from stupidos.literature.fiasco_features import WORD, Keywords, TargetNodes, target_nodes
from stupidos.literature.fiasco_pos import tagger
from stupidos.literature.fiasco_regions import Boxes
from stupidos.literature.tokens import BoolArray, FloatArray

_MAX_KEYWORDS = 200  # of either kind
_MIN_PAGE_SHARE = 0.02  # of the pages that must contain a keyword, to exclude site names
_STANDARD_ERRORS = 1.96  # subtracted from the log odds ratio of a keyword
_GENERAL_RATIO = 2.0  # keywords are this many times as frequent as in general language; a guess
Frequency = Callable[[str], float]  # share of the words of general language that are this one


class FiascoPage(NamedTuple):
    """A training page: its target nodes and their labels."""

    name: str
    nodes: TargetNodes
    clean: BoolArray
    found: float  # share of the gold paragraphs that have a node
    boxes: Boxes | None = None  # where a browser put its texts
    hash: str = ""  # of its source
    pos: FloatArray | None = None  # part-of-speech features of the nodes


def labelled_pages(
    examples: Iterable[Example | Problem],
    measured: Mapping[str, Boxes] = MappingProxyType({}),
    language: str = "",
) -> tuple[list[FiascoPage], list[Problem], str]:
    """Pages with labelled target nodes, pages that cannot be used, and the hash of the training list.

    `measured` has the boxes of pages that a browser has laid out, by the digest of their source; with a
    `language` the nodes are tagged by parts of speech.
    """
    tagged = tagger(language).table if language else None
    pages: list[FiascoPage] = []
    problems: list[Problem] = []
    digests: list[tuple[str, str]] = []
    for example in examples:
        if isinstance(example, Problem):
            problems.append(example)
        elif not example.page.markup:
            problems.append(Problem(example.name, "a plain-text dump has no nodes"))
        else:
            nodes = target_nodes(example.page)
            labels = align_targets(nodes, example.gold)
            boxes = measured.get(digest(example.page.source))
            source_hash = page_hash(example.page.source)
            pos = tagged(nodes.texts()) if tagged else None
            pages.append(FiascoPage(example.name, nodes, labels.clean, labels.found, boxes, source_hash, pos))
            digests.append((example.name, example.digest))
    return pages, problems, list_digest(digests)


def general_frequency(language: str) -> Frequency:
    """How frequent a word is in general language, by wordfreq."""
    try:
        import wordfreq
    except ImportError:
        raise missing_extra("a keyword reference needs wordfreq", "keywords") from None
    known = wordfreq.available_languages("best")
    if language not in known:
        raise CorpusError(f"wordfreq has no language {language}: choose from {', '.join(sorted(known))}")
    return lambda word: float(wordfreq.word_frequency(word, language))


def keywords(
    pages: Sequence[FiascoPage], most: int = _MAX_KEYWORDS, general: Frequency | None = None
) -> Keywords:
    """The words with the highest keyness for clean and for dirty nodes."""
    counts: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    spread: Counter[str] = Counter()
    for page in pages:
        seen: set[str] = set()
        for text, clean in zip(page.nodes.texts(), page.clean.tolist(), strict=True):
            words = [word.lower() for word in WORD.findall(text)]
            counts[clean].update(words)
            seen.update(words)
        spread.update(seen)
    totals = {side: max(count.total(), 1) for side, count in counts.items()}
    usual = [word for word in spread if spread[word] >= _MIN_PAGE_SHARE * len(pages)]

    def best(side: bool) -> frozenset[str]:
        ranked = {
            word: _keyness(counts[side][word], totals[side], counts[not side][word], totals[not side])
            for word in usual
            if general is None or counts[side][word] / totals[side] >= _GENERAL_RATIO * general(word)
        }
        order = sorted(ranked, key=lambda word: (-ranked[word], word))
        return frozenset(word for word in order[:most] if ranked[word] > 0)

    return Keywords(best(True), best(False))


def _keyness(here: int, all_here: int, there: int, all_there: int) -> float:
    """Conservative log odds ratio of a word: the lower end of its 95 % confidence interval.

    >>> round(_keyness(50, 1000, 5, 1000), 2), round(_keyness(5, 1000, 5, 1000), 2)
    (1.38, -1.19)
    """
    cells = [count + 0.5 for count in (here, all_here - here, there, all_there - there)]
    ratio = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    return ratio - _STANDARD_ERRORS * math.sqrt(sum(1 / cell for cell in cells))


