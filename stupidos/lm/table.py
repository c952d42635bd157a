"""Lookup tables of log-odds: one lookup per character."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stupidos.lm.alphabet import Alphabet, SymbolCodes
from stupidos.lm.counts import NgramCounts, NgramKeys, ngram_keys, padding
from stupidos.lm.cuckoo import CuckooTable, Slots
from stupidos.lm.interpolate import Floats
from stupidos.lm.logodds import LogOdds, OrderEntries, entries

_AT_ONCE = 1 << 19  # characters; few pages have more
_DENSE = 1 << 21  # possible n-grams up to which a dense table is used: 8 MB


class LogOddsTable(Protocol):
    """Log-odds of every character of a text, clean over dirty."""

    @property
    def alphabet(self) -> Alphabet: ...

    @property
    def n(self) -> int: ...

    def values(self, codes: SymbolCodes) -> LogOdds:
        """One value for each character that has n-1 others before it."""


def table(clean: NgramCounts, dirty: NgramCounts, q: float, fixed_weights: bool = False) -> LogOddsTable:
    """The fastest table that holds the model."""
    kind = _Dense if clean.alphabet.base**clean.n <= _DENSE else _Backoff
    fastest: LogOddsTable = kind.of(clean.alphabet, clean.n, entries(clean, dirty, q, fixed_weights))
    return fastest


def text_scores(table: LogOddsTable, texts: Iterable[str]) -> Floats:
    """Log-odds of each text between newlines; those of a page are looked up together."""
    if isinstance(texts, list) and sum(map(len, texts)) <= _AT_ONCE:
        return _scores(table, texts)
    scores = [
        _scores(table, some) if len(some[0]) <= _AT_ONCE else _long_score(table, some[0])
        for some in _groups(texts)
    ]
    return np.concatenate(scores) if scores else np.zeros(0)


def _groups(texts: Iterable[str]) -> Iterator[list[str]]:
    """Groups of texts of about _AT_ONCE characters in total; a longer text forms its own group."""
    some: list[str] = []
    size = 0
    for text in texts:
        if len(text) > _AT_ONCE and some:
            yield some
            some, size = [], 0
        some.append(text)
        size += len(text) + 1
        if size >= _AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some


def _scores(table: LogOddsTable, texts: Sequence[str]) -> Floats:
    if not texts:
        return np.zeros(0)
    edge = padding(table.n)
    codes = table.alphabet.encode(table.alphabet.joined(texts, edge))
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(lengths + edge) - table.n + 2  # after the newline that ends the text
    bounds = np.stack([ends - lengths - 1, ends], axis=1).ravel()
    values = table.values(codes)[: bounds[-1]]
    sums: Floats = np.add.reduceat(values, bounds[:-1], dtype=np.float64)[::2]
    return sums


def _long_score(table: LogOddsTable, text: str) -> Floats:
    """The same for one text of any length, looked up _AT_ONCE characters at a time."""
    history = table.n - 1
    total = 0.0
    for start in range(0, len(text) + 1, _AT_ONCE):  # the newline after the text counts too
        seen = text[max(start - history, 0) : start + _AT_ONCE].replace("\n", " ")
        before = "\n" * max(history - start, 0)
        after = "\n" if start + _AT_ONCE > len(text) else ""
        codes = table.alphabet.encode(before + seen + after)
        total += float(table.values(codes).sum(dtype=np.float64))
    return np.array([total])


def character_scores(table: LogOddsTable, text: str) -> Floats:
    """Log-odds of each character; the newline after the text is added to the last one."""
    edge = padding(table.n)
    codes = table.alphabet.encode(table.alphabet.joined([text], edge))
    start = edge - table.n + 1
    values = table.values(codes)[start : start + len(text) + 1].astype(np.float64)
    scores = values[:-1].copy()
    scores[-1:] += values[-1]
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class _Dense:
    """A dense array over all possible n-grams: one gather per page."""

    alphabet: Alphabet
    n: int
    logodds: LogOdds  # shape (base**n,)

    @classmethod
    def of(cls, alphabet: Alphabet, n: int, orders: Iterable[OrderEntries]) -> _Dense:
        base = alphabet.base
        values, backoffs = np.zeros(1, np.float32), np.zeros(1, np.float32)
        for entry in orders:
            # shape (suffixes, oldest characters): an unseen n-gram has the value of its suffix
            values = np.repeat(values, base)
            if entry.order == n:
                # shape (newest characters, histories)
                values.reshape(base, -1)[:] += backoffs
                values[entry.keys] = entry.odds
                break
            values[entry.keys] = entry.values
            backoffs = np.repeat(backoffs, base)
            backoffs[entry.keys] = entry.backoffs
        return cls(alphabet, n, values)

    def values(self, codes: SymbolCodes) -> LogOdds:
        wide = keys = codes.astype(np.int32)  # base**n fits
        for order in range(1, self.n):
            keys = wide[order:] * np.int32(self.alphabet.base**order) + keys[:-1]
        return self.logodds.take(keys)


@dataclass(frozen=True, slots=True, eq=False)
class _Backoff:
    """A hash table of the seen n-grams; others back off to their longest seen suffix."""

    alphabet: Alphabet
    n: int
    hashed: CuckooTable
    logodds: LogOdds  # by place in the hash table: odds of the highest order, values of the lower
    backoffs: LogOdds  # likewise; not used for the highest order

    @classmethod
    def of(cls, alphabet: Alphabet, n: int, orders: Iterable[OrderEntries]) -> _Backoff:
        per_order = list(orders)
        hashed = CuckooTable.of(np.concatenate([entry.keys for entry in per_order]))
        logodds, backoffs = (np.zeros(hashed.marks.size, np.float32) for _ in range(2))
        for entry in per_order:
            places, _ = hashed.find(entry.keys)
            logodds[places] = entry.odds if entry.order == n else entry.values
            backoffs[places] = entry.backoffs
        return cls(alphabet, n, hashed, logodds, backoffs)

    def values(self, codes: SymbolCodes) -> LogOdds:
        keys = ngram_keys(codes, self.n, self.alphabet.base)
        places, missing = self.hashed.find(keys)
        values = self.logodds.take(places)
        if missing.size:
            keys = keys[missing]
            base = self.alphabet.base
            shorter = np.concatenate([keys // base, keys % base ** (self.n - 1)])
            endings, histories = self._longest(shorter).reshape(2, -1)
            values[missing] = self.logodds.take(endings) + self.backoffs.take(histories)
        return values

    def _longest(self, keys: NgramKeys) -> Slots:
        """Slot of the longest seen suffix of each key; all single characters are in the table."""
        places, missing = self.hashed.find(keys)
        waiting = missing
        while waiting.size:
            keys = keys[missing] // self.alphabet.base
            shorter, missing = self.hashed.find(keys)
            places[waiting] = shorter
            waiting = waiting[missing]
        return places
