"""Whole numbers as planes of bytes: all low bytes, then all second bytes, and so on.

Small numbers leave high planes of zeros, which deflate swallows; the sizes of the model files rest on it.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Planes: TypeAlias = npt.NDArray[np.uint8]  # shape (bytes, numbers), at most 8 bytes
Numbers: TypeAlias = npt.NDArray[np.int64]


def packed(numbers: npt.NDArray[np.signedinteger]) -> Planes:
    """Planes of numbers of either sign, as few as hold them.

    >>> packed(np.array([0, -1, 1, 300])).shape
    (2, 4)
    """
    folded = ((numbers.astype(np.int64) << 1) ^ (numbers >> 63 if numbers.dtype.itemsize == 8 else numbers >> 31)).astype(np.uint64)
    return _split(folded)


def _split(numbers: npt.NDArray[np.uint64]) -> Planes:
    width = max(1, -(-int(numbers.max(initial=0)).bit_length() // 8))
    planes = np.empty((width, numbers.size), np.uint8)
    for byte, plane in enumerate(planes):
        plane[:] = (numbers >> np.uint64(8 * byte)).astype(np.uint8)
    return planes
