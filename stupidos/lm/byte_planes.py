"""Whole numbers as planes of bytes: all the low bytes, then all the second bytes, and so on.

Small numbers leave planes of zeros, which deflate swallows; the size of the model files rests on it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Planes: TypeAlias = npt.NDArray[np.uint8]  # shape (bytes, numbers), at most 8 bytes
Numbers: TypeAlias = npt.NDArray[np.int64]

CHUNK = 1 << 20  # numbers worked on at once, so that large models are not there twice


def packed(numbers: npt.NDArray[Any]) -> Planes:
    """Planes of numbers of either sign, as few as hold them.

    >>> packed(np.array([0, -1, 1, 300])).tolist()
    [[0, 1, 2, 88], [0, 0, 0, 2]]
    """
    largest = max(int(numbers.max(initial=0)), -1 - int(numbers.min(initial=0)))
    planes = np.empty((largest.bit_length() // 8 + 1, numbers.size), np.uint8)
    for start in range(0, numbers.size, CHUNK):
        part = numbers[start : start + CHUNK].astype(np.int64)
        folded = (part << 1) ^ (part >> 63)  # the sign goes last: 0, -1, 1, -2, 2 ...
        for byte, plane in enumerate(planes):
            plane[start : start + CHUNK] = (folded >> 8 * byte).astype(np.uint8)
    return planes


def unpacked(planes: Planes) -> Numbers:
    """The numbers that were packed.

    >>> unpacked(packed(np.array([-5, 70_000, 0])))
    array([   -5, 70000,     0])
    """
    folded = np.zeros(planes.shape[1], np.uint64)
    for byte, plane in enumerate(planes):
        folded |= plane.astype(np.uint64) << np.uint64(8 * byte)
    signs = (folded & np.uint64(1)).astype(np.int64)
    folded >>= np.uint64(1)
    numbers: Numbers = folded.view(np.int64)
    numbers ^= -signs
    return numbers
