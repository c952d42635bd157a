"""N-gram models as files: the counts themselves, so that nothing is lost to rounding.

Integers are stored as byte planes: all low bytes, then all second bytes, and so on. Small numbers give planes
of zeros, which compress well; model files are small because of this.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.errors import ModelError
from stupidos.lm import archive
from stupidos.lm.alphabet import ALPHABETS, Alphabet
from stupidos.lm.archive import Header, Member
from stupidos.lm.counts import MAX_N, NgramCounts, NgramKeys, aligned
from stupidos.lm.model import Model

_Planes: TypeAlias = npt.NDArray[np.uint8]  # shape (bytes, numbers), at most 8 bytes
_Integers: TypeAlias = npt.NDArray[np.int64]

_FORMAT = "ngram"
_FIXED = "fixed"  # the "weights" of a header; without the entry those of unseen histories are redistributed
_MOST_NGRAMS = 1 << 26
_MOST_COUNT = 1 << 30  # characters; sums of counts are 32 bits
_CHUNK = 1 << 20  # numbers worked on at once, to bound the memory of large models

# Planes of bytes each; keys as the gaps between them.
_PLANES = Member("|u1", 2, 8 * _MOST_NGRAMS)
_SCHEMA = {"keys": _PLANES, "clean": _PLANES, "dirty": _PLANES}


def save(path: Path, model: Model, header: Mapping[str, Any]) -> None:
    """Write a model with what is known about it."""
    keys, (clean, dirty) = aligned([model.clean, model.dirty])
    arrays = {"keys": _packed(np.diff(keys, prepend=0)), "clean": _packed(clean), "dirty": _packed(dirty)}
    settings = {"format": _FORMAT, "alphabet": model.alphabet.name, "n": model.n, "q": model.q}
    if model.fixed_weights:
        settings["weights"] = _FIXED
    archive.write(path, {**header, **settings}, arrays)


def load(path: Path | str) -> tuple[Model, Header]:
    """Read a model and its header."""
    header, arrays = archive.read(path, _SCHEMA)
    try:
        return _model(header, arrays), header
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path}: is not a valid n-gram model: {error}") from error


def _model(header: Header, arrays: Mapping[str, npt.NDArray[np.uint8]]) -> Model:
    if header["format"] != _FORMAT:
        raise ValueError(f"its format is {header['format']!r}")
    n, q = header["n"], header["q"]
    if header["alphabet"] not in ALPHABETS:
        raise ValueError(f"its alphabet {header['alphabet']!r} is unknown")
    if type(n) is not int or not 1 <= n <= MAX_N or type(q) is not float or not 0 < q < 1:
        raise ValueError(f"n={n!r} and q={q!r} make no model")
    weights = header.get("weights")
    if weights not in (None, _FIXED):
        raise ValueError(f"its weights {weights!r} are unknown")
    alphabet = ALPHABETS[header["alphabet"]]
    keys = _keys(arrays["keys"], alphabet.base, n)
    clean, dirty = (_counts(arrays[side], alphabet, n, keys) for side in ("clean", "dirty"))
    return Model(clean, dirty, q, weights == _FIXED)


def _keys(planes: _Planes, base: int, n: int) -> NgramKeys:
    keys = np.cumsum(_numbers(planes))
    inside = not keys.size or (keys[0] >= base ** (n - 1) and keys[-1] < base**n)
    if not inside or not (keys[1:] > keys[:-1]).all():
        raise ValueError("its n-grams are out of order")
    return keys


def _counts(planes: _Planes, alphabet: Alphabet, n: int, keys: NgramKeys) -> NgramCounts:
    counts = _numbers(planes)
    if counts.size != keys.size:
        raise ValueError("it has more n-grams than counts, or fewer")
    if np.abs(counts.astype(np.float64)).sum() > _MOST_COUNT:
        raise ValueError("its counts are out of range")
    seen = counts != 0
    return NgramCounts(alphabet, n, keys[seen], counts[seen].astype(np.int32))


def _numbers(planes: _Planes) -> _Integers:
    if not 1 <= planes.shape[0] <= 8 or planes.shape[1] > _MOST_NGRAMS:
        raise ValueError("its numbers have an odd shape")
    return _unpacked(planes)


def _packed(numbers: npt.NDArray[Any]) -> _Planes:
    """Planes of numbers of either sign, as few as hold them.

    >>> _packed(np.array([0, -1, 1, 300])).tolist()
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


def _unpacked(planes: _Planes) -> _Integers:
    """The numbers that were packed.

    >>> _unpacked(_packed(np.array([-5, 70_000, 0])))
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
