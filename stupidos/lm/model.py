"""A pair of n-gram models, one of clean and one of dirty text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from stupidos.errors import ModelError
from stupidos.lm.alphabet import Alphabet
from stupidos.lm.counts import NgramCounts, ngrams
from stupidos.lm.interpolate import Floats, interpolation_weights
from stupidos.lm.logodds import entries
from stupidos.lm.table import LogOddsTable, table


class Telling(NamedTuple):
    """An n-gram with its log-odds and counts."""

    ngram: str
    score: float  # natural log-odds of its last character after the others, clean over dirty
    clean: int
    dirty: int


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """What was counted in clean and in dirty text, and how the orders are mixed.

    >>> from stupidos.lm.alphabet import ALPHABETS
    >>> from stupidos.lm.counts import count
    >>> ascii = ALPHABETS["ascii"]
    >>> clean, dirty = count(["It rained all day."], ascii, 3), count(["Home | Login"], ascii, 3)
    >>> model = Model(clean, dirty, q=0.5)
    >>> from stupidos.lm.table import text_scores
    >>> text_scores(model.table(), ["It rained.", "Login"]).round(1)
    array([ 42. , -19.5])
    """

    clean: NgramCounts
    dirty: NgramCounts  # differences may be below zero
    q: float
    fixed_weights: bool = False  # an unseen history keeps its weight, at probability 0: the published formula

    def __post_init__(self) -> None:
        if not 0 < self.q < 1:
            raise ModelError(f"q must lie between 0 and 1, not {self.q:g}")
        if (self.clean.n, self.clean.alphabet.name) != (self.dirty.n, self.dirty.alphabet.name):
            raise ModelError("the clean and the dirty model differ in alphabet or order")

    @property
    def alphabet(self) -> Alphabet:
        return self.clean.alphabet

    @property
    def n(self) -> int:
        return self.clean.n

    @property
    def weights(self) -> Floats:
        """Weights of the orders, longest history first."""
        return interpolation_weights(self.n, self.q)

    def swapped(self) -> Model:
        """The model with clean and dirty exchanged: every score changes its sign."""
        return replace(self, clean=self.dirty, dirty=self.clean)

    def table(self) -> LogOddsTable:
        """Log-odds ready to be looked up."""
        return table(self.clean, self.dirty, self.q, self.fixed_weights)

    def telling(self, most: int) -> tuple[list[Telling], list[Telling]]:
        """N-grams that weigh most in clean and in dirty text: log-odds times how often seen there."""
        *_, last = entries(self.clean, self.dirty, self.q, self.fixed_weights)
        keys, odds = last.keys[:-1], last.odds[:-1]  # without the newlines before a text
        counts = np.zeros((2, keys.size), np.int64)
        sides = []
        for row, side in zip(counts, (self.clean, self.dirty), strict=True):
            row[np.searchsorted(keys, side.keys)] = side.counts
        for row, sign in zip(counts, (1, -1), strict=True):
            chosen = np.argsort(-sign * odds * np.maximum(row, 0), kind="stable")[:most]
            texts = ngrams(keys[chosen], self.alphabet, self.n)
            columns = zip(texts, odds[chosen].tolist(), *counts[:, chosen].tolist(), strict=True)
            sides.append([Telling(*column) for column in columns])
        return sides[0], sides[1]
