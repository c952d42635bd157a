"""Gold text to labels: what share of each segment's words people kept."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from stupidos.lab.lcs import common_blocks

Labels = npt.NDArray[np.float32]  # shape (segments,), 0 dirty to 1 clean

# Words, and every character of the scripts that are written without blanks.
WORD = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
FEW = 4  # words; so short a segment may match by chance
FAR = 20  # segments; a short match this far from what stands beside it in the gold is chance
MOVED = 0.8  # share of words still unmatched in the gold that makes a segment of another order clean


def words_of(text: str) -> list[str]:
    """Words in small letters, ideographs one by one.

    >>> words_of("Tea, 茶杯!")
    ['tea', '茶', '杯']
    """
    return WORD.findall(text.lower())


def labels(texts: Sequence[str], gold: str) -> Labels:
    """The share of each text's words that the gold holds at that place.

    >>> labels(["Home", "Tea is a hot drink.", "Contact"], "Tea is a hot drink.").tolist()
    [0.0, 1.0, 0.0]
    """
    words = [words_of(text) for text in texts]
    owner = np.repeat(np.arange(len(words)), [len(some) for some in words])
    flat = [word for some in words for word in some]
    golden = words_of(gold)
    matched = np.full(len(golden), -1, np.intp)  # the segment that each word of the gold was found in
    for block in common_blocks(flat, golden):
        matched[block.b : block.b + block.size] = owner[block.a : block.a + block.size]
    _undo_chance(matched, words)
    found = np.bincount(matched[matched >= 0], minlength=len(words)).astype(np.float32)
    sizes = np.array([len(some) for some in words], np.float32)
    shares = found / np.maximum(sizes, 1)
    _find_moved(shares, words, [word for word, segment in zip(golden, matched) if segment < 0])
    return shares


def _undo_chance(matched: npt.NDArray[np.intp], words: list[list[str]]) -> None:
    """Take back short matches whose neighbours in the gold stand far away on the page."""
    found = np.flatnonzero(matched >= 0)
    if not len(found):
        return
    segments = matched[found]
    runs = np.flatnonzero(np.diff(segments, prepend=-1))
    for at, start in enumerate(runs):
        end = runs[at + 1] if at + 1 < len(runs) else len(found)
        segment = int(segments[start])
        if len(words[segment]) > FEW:
            continue
        before = segment - int(segments[start - 1]) if start else FAR + 1
        after = int(segments[end]) - segment if end < len(found) else FAR + 1
        if min(before, after) > FAR:
            matched[found[start:end]] = -1


def _find_moved(shares: Labels, words: list[list[str]], left: list[str]) -> None:
    """Find segments that the gold holds in another order, out of its words that nothing matched."""
    bag = Counter(left)
    for at in sorted(range(len(words)), key=lambda at: -len(words[at])):
        some = words[at]
        if len(some) <= FEW or shares[at] > 0.5 or len(some) > sum(bag.values()):
            continue
        wanted = Counter(some)
        if sum((wanted & bag).values()) >= MOVED * len(some):
            shares[at] = 1.0
            bag -= wanted
