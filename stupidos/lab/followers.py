"""What follows each character of a corpus: its n-grams in parts that are counted one after the other.

All n-grams whose history ends in the same character are one part. The histories of an n-gram, of any order
above 1, and the n-grams that share them are in its part: so counts of a part are those of the corpus, and
memory is that of the largest part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.lab.conditional import CharacterCounts, Estimates, quotients, unigrams
from stupidos.lm.alphabet import NEWLINE_CODE, Alphabet, SymbolCodes
from stupidos.lm.counts import NgramKeys, counted_keys, padding

_Folds: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Corpus:
    """The characters of a corpus, fold by fold, with the newline after each text."""

    alphabet: Alphabet
    n: int
    folds: Sequence[SymbolCodes]  # each begins with n newlines
    counts: npt.NDArray[np.int64]  # shape (folds, codes): how often each character occurs
    texts: npt.NDArray[np.int64]  # of each fold

    @classmethod
    def of(cls, folds: Sequence[Sequence[str]], alphabet: Alphabet, n: int) -> Corpus:
        """The characters of the texts of each fold; empty texts do not count."""
        codes = [_codes(texts, alphabet, n) for texts in folds]
        counts, texts = np.zeros((len(folds), alphabet.base), np.int64), np.zeros(len(folds), np.int64)
        for fold, one in enumerate(codes):
            ends, before = _counted(one, n)
            counts[fold] = np.bincount(ends, minlength=alphabet.base)
            texts[fold] = np.count_nonzero(before == NEWLINE_CODE)
        return cls(alphabet, n, codes, counts, texts)

    @property
    def size(self) -> int:
        """Characters of all folds."""
        return int(self.counts.sum())

    def parts(self) -> Iterator[_Part]:
        """The parts that have any n-grams."""
        for newest in range(self.alphabet.base):
            keys = [self._keys(fold, newest) for fold in range(len(self.folds))]
            if any(one.size for one in keys):
                distinct, times = counted_keys(np.concatenate(keys))
                del keys
                yield _Part(self, newest, *np.divmod(distinct, len(self.folds)), times)

    def _keys(self, fold: int, newest: int) -> NgramKeys:
        """Each n-gram of a fold with that newest character of its history, and the number of the fold.

        The last character is the most significant digit, before the older ones; the newest one is left out.
        """
        codes, n = self.folds[fold], self.n
        ends, before = codes[n:], codes[n - 1 : -1]
        at = np.flatnonzero((before == newest) & ((ends != NEWLINE_CODE) | (newest != NEWLINE_CODE))) + n
        keys = codes[at].astype(np.int64)
        for older in range(2, n):
            keys *= self.alphabet.base
            keys += codes[at - older]
        keys *= len(self.folds)
        keys += fold
        return keys


class _Part(NamedTuple):
    """The distinct n-grams of each fold whose histories end in the same character."""

    corpus: Corpus
    newest: int  # that character
    keys: NgramKeys  # sorted
    fold: _Folds
    times: CharacterCounts  # how often each occurs in its fold

    def estimates(self, fixed_weights: bool) -> list[Estimates]:
        """Estimates of each order for each n-gram, from the counts of the other folds."""
        corpus, base = self.corpus, self.corpus.alphabet.base
        last = self.keys // base ** max(corpus.n - 2, 0)
        elsewhere = corpus.counts.sum(axis=0) - corpus.counts
        totals = elsewhere.sum(axis=1).astype(np.int32)[self.fold]
        orders = [unigrams(elsewhere[self.fold, last].astype(np.int32), totals, corpus.alphabet.size)]
        histories = self._histories()
        for order in range(2, corpus.n + 1):
            ngrams = _numbers(self.keys // base ** (corpus.n - order))
            orders.append(quotients(self._elsewhere(ngrams), next(histories), fixed_weights))
        return orders

    def _histories(self) -> Iterator[CharacterCounts]:
        """For each order from 2 on, how often the history of each n-gram occurs in other folds."""
        n, base = self.corpus.n, self.corpus.alphabet.base
        if self.newest == NEWLINE_CODE:  # nothing predicts the newlines before a text: as many as texts
            texts = (self.corpus.texts.sum() - self.corpus.texts).astype(np.int32)[self.fold]
            for _ in range(2, n + 1):
                yield texts
            return
        older = self.keys % base ** max(n - 2, 0)
        place = np.argsort(older, kind="stable")
        older = older[place]
        for order in range(2, n + 1):
            numbers = np.empty(older.size, np.int32)
            numbers[place] = _numbers(older // base ** (n - order))
            yield self._elsewhere(numbers)

    def _elsewhere(self, numbers: CharacterCounts) -> CharacterCounts:
        """How often what has the same number occurs in the other folds."""
        length = int(numbers.max()) + 1
        total = np.bincount(numbers, self.times, length)
        counts = np.empty(numbers.size, np.int32)
        for fold in range(len(self.corpus.folds)):
            here = self.fold == fold
            asked = numbers[here]
            counts[here] = (total - np.bincount(asked, self.times[here], length))[asked]
        return counts


def _codes(texts: Sequence[str], alphabet: Alphabet, n: int) -> SymbolCodes:
    codes = alphabet.encode(alphabet.joined([text for text in texts if text], padding(n)))
    return np.concatenate([np.full(n, NEWLINE_CODE, np.uint8), codes])  # before an empty fold too


def _counted(codes: SymbolCodes, n: int) -> tuple[SymbolCodes, SymbolCodes]:
    """The characters that are counted, and those before them: a newline after a newline is padding."""
    ends, before = codes[n:], codes[n - 1 : -1]
    counted = (ends != NEWLINE_CODE) | (before != NEWLINE_CODE)
    return ends[counted], before[counted]


def _numbers(ordered: NgramKeys) -> CharacterCounts:
    """Number each distinct one of sorted keys.

    >>> _numbers(np.array([3, 3, 5]))
    array([0, 0, 1], dtype=int32)
    """
    new = np.zeros(ordered.size, np.int32)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:], casting="unsafe")
    return np.cumsum(new, dtype=np.int32)
