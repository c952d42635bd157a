"""A hash table of n-grams that answers for a whole page at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.lm.counts import Keys

Places: TypeAlias = npt.NDArray[np.int64]
Marks: TypeAlias = npt.NDArray[np.uint32]

# Odd, so that multiplying loses nothing; the first is 2**64 over the golden ratio.
MULTIPLIERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD)
FREE = np.uint32(0)
CHECKED = 1 << 17  # keys looked for at once when a table is made
ROUNDS = 400  # of moving keys about; a table that can be filled takes a few dozen


@dataclass(frozen=True, slots=True, eq=False)
class Hashed:
    """Places for keys: a key lies in one of two (cuckoo hashing) and leaves a 31-bit mark there.

    Two looks are enough, so there is no loop. Keys that were put in are told apart for certain; one
    that was not is taken for another once in a thousand million times.

    >>> table = Hashed.of(np.array([3, 5]))
    >>> places, missing = table.find(np.array([5, 4, 3]))
    >>> missing, len(set(places[[0, 2]]))
    (array([1]), 2)
    """

    marks: Marks  # shape (2**bits,)
    multiplier: np.uint64

    @classmethod
    def of(cls, keys: Keys) -> Hashed:
        """A table less than half full; no key may come twice."""
        bits = max(4, int(keys.size * 1.1).bit_length() + 1)
        for multiplier in map(np.uint64, MULTIPLIERS):
            table = cls(np.full(1 << bits, FREE), multiplier)
            if table._filled(keys):
                return table
        raise ValueError("a key came twice")

    def find(self, keys: Keys) -> tuple[Places, Places]:
        """Place of each key, and which keys are missing; the place of those means nothing."""
        places, marks = self._first(keys)
        astray = np.flatnonzero(self.marks.take(places) != marks)
        if not astray.size:
            return places, astray
        marks = marks[astray]
        second = places[astray] ^ self._between(marks)
        places[astray] = second
        return places, astray[self.marks.take(second) != marks]

    def _first(self, keys: Keys) -> tuple[Places, Marks]:
        bits = self.marks.size.bit_length() - 1
        product = keys.view(np.uint64) * self.multiplier
        marks = (product >> np.uint64(32 - bits)).astype(np.uint32)
        np.bitwise_or(marks, np.uint32(1), out=marks)  # never FREE
        product >>= np.uint64(64 - bits)
        return product.view(np.int64), marks

    def _between(self, marks: Marks) -> Places:
        """What leads from the first place of a mark to the second, and back."""
        bits = self.marks.size.bit_length() - 1
        return ((marks * np.uint32(0x9E3779B1)) >> np.uint32(32 - bits)).astype(np.int64) | 1

    def _filled(self, keys: Keys) -> bool:
        """Put every key where it lies alone; one that comes later drives the earlier one away."""
        places, marks = self._first(keys)
        owner = np.full(self.marks.size, -1, np.int32)
        waiting = np.arange(keys.size, dtype=np.int32)
        for _ in range(ROUNDS):
            wanted = places[waiting]
            before = owner[wanted]
            owner[wanted] = waiting
            won = owner[wanted] == waiting  # of several that want a place, the last written
            waiting = np.concatenate([waiting[~won], before[won & (before >= 0)]])
            if not waiting.size:
                break
            places[waiting] ^= self._between(marks[waiting])
        del owner
        self.marks[places] = marks
        for start in range(0, keys.size, CHECKED):
            found, missing = self.find(keys[start : start + CHECKED])
            if missing.size or not (found == places[start : start + CHECKED]).all():
                return False
        return True
