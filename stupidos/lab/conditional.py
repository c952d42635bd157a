"""Conditional probability of every character by every order, each fold estimated on the others.

All n-grams of the corpus are sorted once, the last character first: n-grams with a common suffix of any
length are then adjacent, so every order is one pass over the sorted array. The estimate of an order is
computed once and serves every q and every higher n.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.lm.alphabet import NEWLINE_CODE, Alphabet
from stupidos.lm.counts import NgramKeys, ngram_keys, padding
from stupidos.lm.interpolate import share

Estimates: TypeAlias = npt.NDArray[
    np.float32
]  # shape (characters,); _NO_ESTIMATE where the history was never seen
CharacterCounts: TypeAlias = npt.NDArray[np.int32]  # shape (characters,)
CharacterFlags: TypeAlias = npt.NDArray[np.bool_]

_NO_ESTIMATE = np.float32(-1)


@dataclass(frozen=True, eq=False)
class Characters:
    """The characters of a corpus, with the newline after each text, fold by fold."""

    alphabet: Alphabet
    n: int
    keys: NgramKeys  # the n-gram that ends in each character
    fold: npt.NDArray[np.int16]
    first: CharacterFlags  # whether a text begins here

    @classmethod
    def of(cls, folds: Sequence[Sequence[str]], alphabet: Alphabet, n: int) -> Characters:
        """The characters of the texts of each fold; empty texts do not count."""
        keys, first = [], []
        for texts in folds:
            codes = alphabet.encode(alphabet.joined([text for text in texts if text], padding(n)))
            codes = np.concatenate([np.full(n, NEWLINE_CODE, np.uint8), codes])  # before an empty fold too
            before, ends = codes[n - 1 : -1], codes[n:]
            counted = (ends != NEWLINE_CODE) | (before != NEWLINE_CODE)
            keys.append(ngram_keys(codes[1:], n, alphabet.base)[counted])
            first.append(before[counted] == NEWLINE_CODE)
        fold = np.repeat(np.arange(len(folds), dtype=np.int16), [part.size for part in keys])
        return cls(alphabet, n, np.concatenate(keys), fold, np.concatenate(first))

    @property
    def folds(self) -> int:
        """Number of folds."""
        return int(self.fold.max(initial=0)) + 1

    def endings(self) -> Iterator[CharacterCounts]:
        """For each order from 1 to n, the number of the n-gram that ends in each character."""
        order = np.argsort(self.keys, kind="stable")
        ordered = self.keys[order]
        for k in range(1, self.n + 1):
            ending = ordered // self.alphabet.base ** (self.n - k)
            new = np.zeros(ending.size, np.int32)
            np.not_equal(ending[1:], ending[:-1], out=new[1:], casting="unsafe")
            numbers = np.empty(ending.size, np.int32)
            numbers[order] = np.cumsum(new, dtype=np.int32)
            yield numbers

    def elsewhere(
        self, endings: CharacterCounts, members: CharacterFlags, asked: CharacterFlags
    ) -> CharacterCounts:
        """How often the n-gram of each character in `asked` occurs among `members` of the other folds."""
        length = int(endings.max(initial=-1)) + 1
        total = np.bincount(endings[members], minlength=length).astype(np.int32)
        counts = []
        for number in range(self.folds):
            here = self.fold == number
            own = np.bincount(endings[here & members], minlength=length)
            wanted = endings[here & asked]
            counts.append(total[wanted] - own.astype(np.int32)[wanted])
        return np.concatenate(counts)


def estimates(
    tallies: CharacterCounts,
    below: CharacterCounts,
    first: CharacterFlags,
    texts: CharacterCounts,
    fixed_weights: bool = False,
) -> Estimates:
    """Estimates of an order above 1: counts of n-grams over counts of their histories.

    `below` are the counts of the next lower order; `texts` is the history count at the start of a text. With
    fixed weights, the published formula, an unseen history has probability 0, and a difference of counts
    below zero is a history like any other.
    """
    history = np.empty_like(below)
    history[1:] = below[:-1]
    history[:1] = 0
    return quotients(tallies, np.where(first, texts, history), fixed_weights)


def quotients(tallies: CharacterCounts, history: CharacterCounts, fixed_weights: bool = False) -> Estimates:
    """Counts of n-grams over those of their histories, as `estimates` has them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.clip(tallies / history, 0, 1).astype(np.float32)
    if fixed_weights:
        shares[history == 0] = 0
    else:
        shares[history <= 0] = _NO_ESTIMATE
    return shares


def unigrams(tallies: CharacterCounts, totals: CharacterCounts, size: int) -> Estimates:
    """Unigram estimates with add-one smoothing; `totals` are the characters counted for each."""
    smoothed: Estimates = np.clip((tallies + 1) / (totals + float(size)), 0, 1).astype(np.float32)
    return smoothed


def mixtures(orders: Sequence[Estimates], q: float) -> Iterator[Estimates]:
    """Interpolated probabilities for n = 1, 2, …, as `lm.interpolate.mixed` has them.

    The same array is yielded each time and overwritten afterwards.
    """
    mixed = orders[0].copy()
    yield mixed
    for order, estimates in enumerate(orders[1:], 2):
        step = estimates - mixed
        step *= np.float32(share(order, q))
        np.add(mixed, step, out=mixed, where=estimates >= 0)
        yield mixed
