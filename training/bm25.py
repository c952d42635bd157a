"""A small BM25 index, for the retrieval experiment.

Okapi BM25 with the usual k1 = 1.2 and b = 0.75 (Robertson and Zaragoza 2009), words in lower case, neither
stemming nor stop words.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from stupidos.literature.tokens import FloatArray

K1, B = 1.2, 0.75
WORD = re.compile(r"[^\W_]+")


def terms(text: str) -> list[str]:
    """The words of a text as they are indexed.

    >>> terms("Ferries, and the Isle of Man's 2 harbours")
    ['ferries', 'and', 'the', 'isle', 'of', 'man', 's', '2', 'harbours']
    """
    return [word.lower() for word in WORD.findall(text)]


class Index:
    """An index of texts, which are called by their place in the list.

    >>> Index(["the ferry is late", "the train is late", "tea"]).ranking(["late", "ferry"])
    [0, 1]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        postings: dict[str, list[tuple[int, int]]] = {}
        self.lengths = np.zeros(len(texts))
        for number, text in enumerate(texts):
            words = terms(text)
            self.lengths[number] = len(words)
            for word, count in Counter(words).items():
                postings.setdefault(word, []).append((number, count))
        self.postings = {word: np.array(one, dtype=np.int64) for word, one in postings.items()}
        relative = self.lengths / max(float(self.lengths.mean()), 1.0)
        self.penalties = K1 * (1 - B + B * relative)

    def scores(self, query: Sequence[str]) -> FloatArray:
        """The score of each text."""
        scores = np.zeros(len(self.lengths))
        for word in query:
            found = self.postings.get(word)
            if found is None:
                continue
            texts, counts = found.T
            rarity = math.log(1 + (len(scores) - len(texts) + 0.5) / (len(texts) + 0.5))
            scores[texts] += rarity * counts * (K1 + 1) / (counts + self.penalties[texts])
        return scores

    def ranking(self, query: Sequence[str]) -> list[int]:
        """The texts that have a word of the query, best first; of equal ones the earlier."""
        scores = self.scores(query)
        order = np.argsort(-scores, kind="stable")
        return [int(text) for text in order[: int((scores > 0).sum())]]

    def rank(self, query: Sequence[str], wanted: int) -> float:
        """The rank of a text for a query, in the middle of those with the same score; infinite if not found.

        >>> Index(["tea", "tea", "rum"]).rank(["tea"], 1)
        1.5
        """
        scores = self.scores(query)
        if not scores[wanted]:
            return math.inf
        return 1 + float((scores > scores[wanted]).sum()) + float((scores == scores[wanted]).sum() - 1) / 2
