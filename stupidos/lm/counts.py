"""N-gram counts: sorted integer keys, counted in chunks with numpy.

The key of an n-gram has its *last* character as the most significant digit: n-grams with a common suffix
are adjacent, and the key of a suffix is the key without its low digits. Counts of the highest order imply
those of all lower orders, since every character has a full history: each text is preceded by n-1 newlines
and followed by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.errors import ModelError
from stupidos.lm.alphabet import NEWLINE_CODE, Alphabet, SymbolCodes

NgramKeys: TypeAlias = npt.NDArray[np.int64]  # n-grams as integers
CountArray: TypeAlias = npt.NDArray[np.int32]  # counts; below zero after a subtraction

_CHUNK = 1 << 23  # characters counted at once: 64 MB of keys
_PIECE = 1 << 22  # n-grams merged at once
MAX_N = 8  # 256 ** 8 exhausts 64 bits


@dataclass(frozen=True, slots=True, eq=False)
class NgramCounts:
    """How often each n-gram was seen.

    >>> from stupidos.lm.alphabet import ALPHABETS
    >>> ab = count(["ab", "ac"], ALPHABETS["ascii"], n=2)
    >>> ab.by_text()
    {'\\na': 2, 'ab': 1, 'ac': 1, 'b\\n': 1, 'c\\n': 1}
    >>> (ab - count(["ab"], ALPHABETS["ascii"], n=2)).by_text()
    {'\\na': 1, 'ac': 1, 'c\\n': 1}
    """

    alphabet: Alphabet
    n: int
    keys: NgramKeys  # sorted, each once
    counts: CountArray  # of the same shape, none of them 0

    def __add__(self, other: NgramCounts) -> NgramCounts:
        return self._merged(other, 1)

    def __sub__(self, other: NgramCounts) -> NgramCounts:
        return self._merged(other, -1)

    def positive(self) -> NgramCounts:
        """The positive counts; negative differences are dropped."""
        kept = self.counts > 0
        return NgramCounts(self.alphabet, self.n, self.keys[kept], self.counts[kept])

    @property
    def total(self) -> int:
        """Characters counted; including the newline after each text."""
        return int(self.counts.sum(dtype=np.int64))

    def by_text(self) -> dict[str, int]:
        """Every n-gram as text, with its count."""
        texts = ngrams(self.keys, self.alphabet, self.n)
        return dict(sorted(zip(texts, self.counts.tolist(), strict=True)))

    def _merged(self, other: NgramCounts, sign: int) -> NgramCounts:
        if (self.alphabet.name, self.n) != (other.alphabet.name, other.n):
            raise ModelError("counts of different alphabets or orders cannot be joined")
        return NgramCounts(self.alphabet, self.n, *_merged(self, other, sign))


class NgramCounter:
    """Counts texts incrementally, in large chunks.

    >>> from stupidos.lm.alphabet import ALPHABETS
    >>> counter = NgramCounter(ALPHABETS["simplified"], n=1)
    >>> counter.add(["It", "is"])
    >>> counter.add(["42"])
    >>> counter.counts().by_text()
    {'\\n': 3, '0': 2, 'a': 4}
    """

    def __init__(self, alphabet: Alphabet, n: int) -> None:
        if not 1 <= n <= MAX_N:
            raise ModelError(f"n must be from 1 to {MAX_N}, not {n}")
        self._total = _none(alphabet, n)
        self._texts: list[str] = []
        self._size = 0

    def add(self, texts: Iterable[str]) -> None:
        """Add texts; empty ones are ignored."""
        for text in filter(None, texts):
            self._texts.append(text)
            self._size += len(text)
            if self._size >= _CHUNK:
                self._count()

    def counts(self) -> NgramCounts:
        """The counts so far."""
        self._count()
        return self._total

    def take_counts(self) -> NgramCounts:
        """The counts so far; the counter is reset."""
        total = self.counts()
        self._total = _none(total.alphabet, total.n)
        return total

    def _count(self) -> None:
        if not self._texts:
            return
        alphabet, n = self._total.alphabet, self._total.n
        keys = _text_keys(self._texts, alphabet, n)
        self._texts, self._size = [], 0
        part = NgramCounts(alphabet, n, *counted_keys(keys))
        del keys  # free 64 MB before the sum
        self._total = self._total + part if self._total.keys.size else part


def count(texts: Iterable[str], alphabet: Alphabet, n: int) -> NgramCounts:
    """N-grams of all the texts, each between newlines."""
    counter = NgramCounter(alphabet, n)
    counter.add(texts)
    return counter.counts()


def padding(n: int) -> int:
    """Newlines between two texts, so that no history crosses a text boundary."""
    return max(1, n - 1)


def ngram_keys(codes: SymbolCodes, n: int, base: int) -> NgramKeys:
    """Number of the n-gram that ends at each place, from the first full one on.

    >>> ngram_keys(np.array([1, 2, 3, 4], np.uint8), n=3, base=10)
    array([321, 432])
    """
    keys = codes.astype(np.int64)
    have = 1
    for bit in bin(n)[3:]:  # doubling: 1 -> 3 -> 6 digits takes four steps, not ten
        keys = keys[have:] * base**have + keys[:-have]
        have *= 2
        if bit == "1":
            keys = codes[have:].astype(np.int64) * base**have + keys[:-1]  # numpy 1 would stay at 8 bits
            have += 1
    return keys


def ngrams(keys: NgramKeys, alphabet: Alphabet, n: int) -> list[str]:
    """N-grams as text, in reading order."""
    digits = keys[:, None] // alphabet.base ** np.arange(n, dtype=np.int64) % alphabet.base
    return [alphabet.decode(row) for row in digits.tolist()]


def aligned(parts: Sequence[NgramCounts]) -> tuple[NgramKeys, CountArray]:
    """All keys of several counts, sorted, and a row of counts each: shape (parts, keys)."""
    keys = parts[0].keys
    for part in parts[1:]:
        keys = _union(keys, part.keys)
    rows = np.zeros((len(parts), keys.size), np.int32)
    for row, part in zip(rows, parts, strict=True):
        row[np.searchsorted(keys, part.keys)] = part.counts
    return keys, rows


def _merged(left: NgramCounts, right: NgramCounts, sign: int) -> tuple[NgramKeys, CountArray]:
    """Keys of either side, sorted, and the counts of the left plus or minus those of the right.

    Done in pieces to bound memory: a 200 MB corpus has 30 million n-grams.
    """
    counts = left.counts.copy()
    known = np.empty(right.keys.size, np.bool_)
    gaps = []  # where in the left the keys belong that it does not have
    for start in range(0, right.keys.size, _PIECE):
        piece = slice(start, start + _PIECE)
        at = np.searchsorted(left.keys, right.keys[piece])
        same = left.keys.take(at, mode="clip") == right.keys[piece] if counts.size else at < 0
        counts[at[same]] += sign * right.counts[piece][same]
        known[piece] = same
        gaps.append(at[~same])
    fresh = np.concatenate(gaps) if gaps else np.empty(0, np.int64)
    fresh += np.arange(fresh.size)
    old = np.ones(counts.size + fresh.size, np.bool_)
    old[fresh] = False
    np.logical_not(known, out=known)
    all_counts = np.empty(old.size, np.int32)
    all_counts[old], all_counts[fresh] = counts, sign * right.counts[known]
    del counts
    all_keys = np.empty(old.size, np.int64)
    all_keys[old], all_keys[fresh] = left.keys, right.keys[known]
    if all_counts.all():
        return all_keys, all_counts
    kept = all_counts != 0
    return all_keys[kept], all_counts[kept]


def _union(left: NgramKeys, right: NgramKeys) -> NgramKeys:
    """Keys of either side, sorted; both sides are sorted already.

    >>> _union(np.array([1, 3]), np.array([2, 3]))
    array([1, 2, 3])
    """
    both = np.concatenate([left, right])
    both.sort(kind="stable")  # merges two sorted runs in one pass
    kept: NgramKeys = both[_first_of_each(both)]
    return kept


def _none(alphabet: Alphabet, n: int) -> NgramCounts:
    return NgramCounts(alphabet, n, np.empty(0, np.int64), np.empty(0, np.int32))


def _text_keys(texts: list[str], alphabet: Alphabet, n: int) -> NgramKeys:
    codes = alphabet.encode(alphabet.joined(texts, padding(n)))
    keys = ngram_keys(codes, n, alphabet.base)
    ends = codes[n - 1 :]
    before = codes[n - 2 : -1] if n > 1 else np.concatenate([[NEWLINE_CODE], codes[:-1]])
    counted = (ends != NEWLINE_CODE) | (before != NEWLINE_CODE)  # a newline after a newline is padding
    kept: NgramKeys = keys[counted]
    return kept


def counted_keys(keys: NgramKeys) -> tuple[NgramKeys, CountArray]:
    """Each key once, sorted, and how often it occurs; the array that is given is sorted in place."""
    keys.sort()
    starts = np.flatnonzero(_first_of_each(keys))
    return keys[starts], np.diff(starts, append=keys.size).astype(np.int32)


def _first_of_each(ordered: NgramKeys) -> npt.NDArray[np.bool_]:
    first = np.ones(ordered.size, np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first
