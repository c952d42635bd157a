"""A cuckoo hash table of n-grams with vectorised lookup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.lm.counts import NgramKeys

Slots: TypeAlias = npt.NDArray[np.int64]
_Fingerprints: TypeAlias = npt.NDArray[np.uint32]

# Odd, so that multiplying loses nothing; the first is 2**64 over the golden ratio.
_MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD)
_FREE = np.uint32(0)
_CHECK_CHUNK = 1 << 17  # keys verified at once after a table is built
_MAX_ROUNDS = 400  # of evictions; a table that can be filled needs a few dozen


@dataclass(frozen=True, slots=True, eq=False)
class CuckooTable:
    """Slots for keys: a key is in one of two slots, identified by a 31-bit fingerprint.

    Two probes suffice, so there is no loop. Stored keys are distinguished exactly; the false-positive
    rate for other keys is about one in 10^9.

    >>> table = CuckooTable.of(np.array([3, 5]))
    >>> places, missing = table.find(np.array([5, 4, 3]))
    >>> missing, len(set(places[[0, 2]]))
    (array([1]), 2)
    """

    marks: _Fingerprints  # shape (2**bits,)
    multiplier: np.uint64

    @classmethod
    def of(cls, keys: NgramKeys) -> CuckooTable:
        """Build a table with a load below one half; keys must be unique."""
        bits = max(4, int(keys.size * 1.1).bit_length() + 1)
        for multiplier in map(np.uint64, _MULTIPLIERS):
            table = cls(np.full(1 << bits, _FREE), multiplier)
            if table._filled(keys):
                return table
        raise ValueError("duplicate key")

    def find(self, keys: NgramKeys) -> tuple[Slots, Slots]:
        """Slot of each key, and the indices of missing keys, whose slots are meaningless."""
        places, marks = self._first(keys)
        astray = np.flatnonzero(self.marks.take(places) != marks)
        if not astray.size:
            return places, astray
        marks = marks[astray]
        second = places[astray] ^ self._between(marks)
        places[astray] = second
        return places, astray[self.marks.take(second) != marks]

    def _first(self, keys: NgramKeys) -> tuple[Slots, _Fingerprints]:
        bits = self.marks.size.bit_length() - 1
        product = keys.view(np.uint64) * self.multiplier
        marks = (product >> np.uint64(32 - bits)).astype(np.uint32)
        np.bitwise_or(marks, np.uint32(1), out=marks)  # never _FREE
        product >>= np.uint64(64 - bits)
        return product.view(np.int64), marks

    def _between(self, marks: _Fingerprints) -> Slots:
        """XOR distance between the two slots of a fingerprint."""
        bits = self.marks.size.bit_length() - 1
        return ((marks * np.uint32(0x9E3779B1)) >> np.uint32(32 - bits)).astype(np.int64) | 1

    def _filled(self, keys: NgramKeys) -> bool:
        """Insert all keys; a later key evicts an earlier one from its slot."""
        places, marks = self._first(keys)
        owner = np.full(self.marks.size, -1, np.int32)
        waiting = np.arange(keys.size, dtype=np.int32)
        for _ in range(_MAX_ROUNDS):
            wanted = places[waiting]
            before = owner[wanted]
            owner[wanted] = waiting
            won = owner[wanted] == waiting  # of several candidates for a slot, the last one written
            waiting = np.concatenate([waiting[~won], before[won & (before >= 0)]])
            if not waiting.size:
                break
            places[waiting] ^= self._between(marks[waiting])
        del owner
        self.marks[places] = marks
        for start in range(0, keys.size, _CHECK_CHUNK):
            slots, missing = self.find(keys[start : start + _CHECK_CHUNK])
            if missing.size or not (slots == places[start : start + _CHECK_CHUNK]).all():
                return False
        return True
