"""Lookup tables of log-odds: one lookup per character."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stupidos.lm.alphabet import Alphabet, SymbolCodes
from stupidos.lm.counts import Counts, NgramKeys, ngram_keys, padding
from stupidos.lm.cuckoo import CuckooTable, Slots
from stupidos.lm.interpolate import Floats
from stupidos.lm.logodds import Entries, LogOdds, entries

AT_ONCE = 1 << 19  # characters; hardly a page has more
DENSE = 1 << 21  # possible n-grams up to which a dense table is used: 8 MB


class Table(Protocol):
    """Log-odds of every character of a text, clean over dirty."""

    @property
    def alphabet(self) -> Alphabet: ...

    @property
    def n(self) -> int: ...

    def values(self, codes: SymbolCodes) -> LogOdds:
        """One value for each character that has n-1 others before it."""


def table(clean: Counts, dirty: Counts, q: float) -> Table:
    """The fastest table that holds the model."""
    kind = Dense if clean.alphabet.base**clean.n <= DENSE else Backoff
    made: Table = kind.of(clean.alphabet, clean.n, entries(clean, dirty, q))
    return made


def text_scores(table: Table, texts: Iterable[str]) -> Floats:
    """Log-odds of each text between newlines; those of a page are looked up together."""
    if isinstance(texts, list) and sum(map(len, texts)) <= AT_ONCE:
        return _scores(table, texts)
    found = [
        _scores(table, some) if len(some[0]) <= AT_ONCE else _long_score(table, some[0])
        for some in _groups(texts)
    ]
    return np.concatenate(found) if found else np.zeros(0)


def _groups(texts: Iterable[str]) -> Iterator[list[str]]:
    """Texts that have about AT_ONCE characters together; one that has more comes alone."""
    some: list[str] = []
    size = 0
    for text in texts:
        if len(text) > AT_ONCE and some:
            yield some
            some, size = [], 0
        some.append(text)
        size += len(text) + 1
        if size >= AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some


def _scores(table: Table, texts: Sequence[str]) -> Floats:
    if not texts:
        return np.zeros(0)
    edge = padding(table.n)
    codes = table.alphabet.encode(table.alphabet.joined(texts, edge))
    lengths = np.fromiter(map(len, texts), np.int64, len(texts))
    ends = np.cumsum(lengths + edge) - table.n + 2  # behind the newline that ends the text
    bounds = np.stack([ends - lengths - 1, ends], axis=1).ravel()
    values = table.values(codes)[: bounds[-1]]
    sums: Floats = np.add.reduceat(values, bounds[:-1], dtype=np.float64)[::2]
    return sums


def _long_score(table: Table, text: str) -> Floats:
    """The same for one text, however long: AT_ONCE of its characters are looked up at a time."""
    history = table.n - 1
    total = 0.0
    for start in range(0, len(text) + 1, AT_ONCE):  # the newline behind the text counts too
        seen = text[max(start - history, 0) : start + AT_ONCE].replace("\n", " ")
        before = "\n" * max(history - start, 0)
        behind = "\n" if start + AT_ONCE > len(text) else ""
        codes = table.alphabet.encode(before + seen + behind)
        total += float(table.values(codes).sum(dtype=np.float64))
    return np.array([total])


def character_scores(table: Table, text: str) -> Floats:
    """Log-odds of each character; the last one also carries the newline behind the text."""
    edge = padding(table.n)
    codes = table.alphabet.encode(table.alphabet.joined([text], edge))
    start = edge - table.n + 1
    values = table.values(codes)[start : start + len(text) + 1].astype(np.float64)
    scores = values[:-1].copy()
    scores[-1:] += values[-1]
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """A dense array over all possible n-grams: one gather per page."""

    alphabet: Alphabet
    n: int
    logodds: LogOdds  # shape (base**n,)

    @classmethod
    def of(cls, alphabet: Alphabet, n: int, orders: Iterable[Entries]) -> Dense:
        base = alphabet.base
        values, shifts = np.zeros(1, np.float32), np.zeros(1, np.float32)
        for entry in orders:
            # shape (endings, oldest characters): what was not seen has the value of its ending
            values = np.repeat(values, base)
            if entry.order == n:
                # shape (newest characters, histories)
                values.reshape(base, -1)[:] += shifts
                values[entry.keys] = entry.odds
                break
            values[entry.keys] = entry.values
            shifts = np.repeat(shifts, base)
            shifts[entry.keys] = entry.shifts
        return cls(alphabet, n, values)

    def values(self, codes: SymbolCodes) -> LogOdds:
        wide = keys = codes.astype(np.int32)  # base**n fits
        for order in range(1, self.n):
            keys = wide[order:] * np.int32(self.alphabet.base**order) + keys[:-1]
        return self.logodds.take(keys)


@dataclass(frozen=True, slots=True, eq=False)
class Backoff:
    """A hash table of the seen n-grams; others back off to their longest seen suffix."""

    alphabet: Alphabet
    n: int
    hashed: CuckooTable
    logodds: LogOdds  # by place in the hash table: odds of the highest order, values of the lower
    shifts: LogOdds  # likewise; not used for the highest order

    @classmethod
    def of(cls, alphabet: Alphabet, n: int, orders: Iterable[Entries]) -> Backoff:
        found = list(orders)
        hashed = CuckooTable.of(np.concatenate([entry.keys for entry in found]))
        logodds, shifts = (np.zeros(hashed.marks.size, np.float32) for _ in range(2))
        for entry in found:
            places, _ = hashed.find(entry.keys)
            logodds[places] = entry.odds if entry.order == n else entry.values
            shifts[places] = entry.shifts
        return cls(alphabet, n, hashed, logodds, shifts)

    def values(self, codes: SymbolCodes) -> LogOdds:
        keys = ngram_keys(codes, self.n, self.alphabet.base)
        places, missing = self.hashed.find(keys)
        values = self.logodds.take(places)
        if missing.size:
            keys = keys[missing]
            base = self.alphabet.base
            shorter = np.concatenate([keys // base, keys % base ** (self.n - 1)])
            endings, histories = self._longest(shorter).reshape(2, -1)
            values[missing] = self.logodds.take(endings) + self.shifts.take(histories)
        return values

    def _longest(self, keys: NgramKeys) -> Slots:
        """Slot of the longest seen suffix of each key; all single characters are in the table."""
        places, missing = self.hashed.find(keys)
        waiting = missing
        while waiting.size:
            keys = keys[missing] // self.alphabet.base
            found, missing = self.hashed.find(keys)
            places[waiting] = found
            waiting = waiting[missing]
        return places
