"""Integers as byte planes: all low bytes, then all second bytes, and so on.

Small numbers give planes of zeros, which compress well; model files are small because of this.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

_Planes: TypeAlias = npt.NDArray[np.uint8]  # shape (bytes, numbers), at most 8 bytes
_Integers: TypeAlias = npt.NDArray[np.int64]

_CHUNK = 1 << 20  # numbers worked on at once, to bound the memory of large models


def packed(numbers: npt.NDArray[Any]) -> _Planes:
    """Planes of numbers of either sign, as few as hold them.

    >>> packed(np.array([0, -1, 1, 300])).tolist()
    [[0, 1, 2, 88], [0, 0, 0, 2]]
    """
    largest = max(int(numbers.max(initial=0)), -1 - int(numbers.min(initial=0)))
    planes = np.empty((largest.bit_length() // 8 + 1, numbers.size), np.uint8)
    for start in range(0, numbers.size, _CHUNK):
        part = numbers[start : start + _CHUNK].astype(np.int64)
        folded = (part << 1) ^ (part >> 63)  # zigzag encoding: 0, -1, 1, -2, 2 ...
        for byte, plane in enumerate(planes):
            plane[start : start + _CHUNK] = (folded >> 8 * byte).astype(np.uint8)
    return planes


def unpacked(planes: _Planes) -> _Integers:
    """The numbers that were packed.

    >>> unpacked(packed(np.array([-5, 70_000, 0])))
    array([   -5, 70000,     0])
    """
    folded = np.zeros(planes.shape[1], np.uint64)
    for byte, plane in enumerate(planes):
        folded |= plane.astype(np.uint64) << np.uint64(8 * byte)
    signs = (folded & np.uint64(1)).astype(np.int64)
    folded >>= np.uint64(1)
    numbers: _Integers = folded.view(np.int64)
    numbers ^= -signs
    return numbers
