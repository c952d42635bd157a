"""The file format of every model: a .npz of plain arrays with a JSON header, validated on reading.

Files are untrusted: names, types, shapes and sizes are checked against the schema of the model before
anything is decompressed, and nothing in a file is executed. Files are written atomically, and the same
content gives the same bytes.
"""

from __future__ import annotations

import json
import math
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.errors import ModelError
from stupidos.lm.zip_entries import ZipEntry, ZipError, content, entries

if TYPE_CHECKING:
    import zipfile
    from pathlib import Path

Header: TypeAlias = dict[str, Any]
Arrays: TypeAlias = dict[str, npt.NDArray[Any]]

_VERSION = 1
_HEADER = "header.json"
_MOST_HEADER = 1 << 20  # bytes
_MOST_BYTES = 1 << 31  # of all arrays together, decompressed
_SMALL = 1 << 26  # decompressed bytes allowed whatever the size of the file
_RATIO = 64  # maximum compression ratio above that; model files stay below 12
_MOST_MEMBERS = 256
_SAMPLE = 1 << 20  # bytes of an array that are packed to see whether it pays
_WORTH_PACKING = 0.8  # share of the size; what saves less takes longer to unpack than to read
_NUMBERS = ("cut", "switch")  # optional numbers of a header, used by `verdict`
_LARGEST = 1e9
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest date of a zip file
_NPY = b"\x93NUMPY\x01\x00"
_DESCRIPTION = re.compile(
    rb"\{'descr': '(?P<dtype>[<|][biuf][1248])', 'fortran_order': False, "
    rb"'shape': \((?P<shape>(?:\d{1,12},? ?){0,4})\), \} *\n"
)


class Member(NamedTuple):
    """Required type and size of an array."""

    dtype: str  # with its byte order: "<f4", "|u1"
    dims: int
    most: int = 1 << 28  # numbers in it


Schema: TypeAlias = Mapping[str, Member]


def header(path: Path | str) -> Header:
    """Header of a model file, checked."""
    with _opened(path) as parts:
        return parts.header()


def read(path: Path | str, schema: Schema, optional: Schema = MappingProxyType({})) -> tuple[Header, Arrays]:
    """Header and arrays of a model file that has just the arrays of the schema, all numbers finite.

    Those of `optional` are there, all of them, or none is.
    """
    with _opened(path) as parts:
        found = parts.entries.keys() - {_HEADER}
        if found & {f"{name}.npy" for name in optional}:
            schema = {**schema, **optional}
        _require(
            found == {f"{name}.npy" for name in schema},
            f"its parts are not {', '.join(schema)}; if an earlier stupidos made it, train it again",
        )
        header = parts.header()
        return header, {name: parts.array(f"{name}.npy", member) for name, member in schema.items()}


def write(path: Path, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write a model file atomically; the version is added to the header."""
    from stupidos.atomic_file import replacing

    try:
        with replacing(path) as file:
            _write_parts(file, header, arrays)
    except OSError as error:
        raise ModelError(f"{path}: cannot be written: {error.strerror or error}") from error


def _write_parts(target: BinaryIO, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    import zipfile

    with zipfile.ZipFile(target, "w", compresslevel=9) as file:
        with file.open(_info(_HEADER), "w") as part:
            part.write(_json({**header, "version": _VERSION}))
        for name, array in sorted(arrays.items()):
            with file.open(_info(f"{name}.npy", array), "w", force_zip64=array.nbytes > _SMALL) as part:
                np.lib.format.write_array(part, np.ascontiguousarray(array), (1, 0), allow_pickle=False)


def _info(name: str, array: npt.NDArray[Any] | None = None) -> zipfile.ZipInfo:
    import zipfile

    info = zipfile.ZipInfo(name, _EPOCH)
    dense = array is not None and _is_dense(array)
    info.compress_type = zipfile.ZIP_STORED if dense else zipfile.ZIP_DEFLATED
    info.create_system = 3  # the same bytes on every system
    info.external_attr = 0o644 << 16
    return info


def stem(path: Path | str) -> str:
    """The name of a model file without its suffix, after which its model is called.

    >>> stem("a.b/mine.npz"), stem("mine")
    ('mine', 'mine')
    """
    return os.path.splitext(os.path.basename(path))[0]


def _is_dense(array: npt.NDArray[Any]) -> bool:
    """Whether the numbers of an array can hardly be packed.

    >>> _is_dense(np.zeros(1000)), _is_dense(np.random.default_rng(1).random(1000))
    (False, True)
    """
    sample = array.tobytes()[:_SAMPLE]
    return len(zlib.compress(sample)) > _WORTH_PACKING * len(sample)


class _FormatError(ValueError):
    """The file violates the format."""


def _require(true: bool, otherwise: str) -> None:
    if not true:
        raise _FormatError(otherwise)


@contextmanager
def _opened(path: Path | str) -> Iterator[_Parts]:
    try:
        with open(path, "rb") as file:
            directory = entries(file, _MOST_MEMBERS)
            _check_directory(directory, os.fstat(file.fileno()).st_size)
            yield _Parts(file, {entry.name: entry for entry in directory})
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ZipError, zlib.error) as error:
        raise ModelError(f"{path}: is not a model file, or was cut off: {_line(error)}") from error
    except (ValueError, RecursionError, OverflowError, MemoryError) as error:
        raise ModelError(f"{path}: is not a valid model file: {_line(error)}") from error


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__


def _check_directory(directory: list[ZipEntry], size: int) -> None:
    names = [entry.name for entry in directory]
    _require(len(set(names)) == len(names), "it has a part twice")
    _require(_HEADER in names, f"it has no {_HEADER}")
    total = sum(entry.size for entry in directory)
    _require(total <= _MOST_BYTES and total <= max(_SMALL, _RATIO * size), f"it unpacks to {total} bytes")
    for entry in directory:
        _require(entry.readable, f"{entry.name!r} is encrypted or packed in another way")


class _Parts(NamedTuple):
    """An open model file and its directory."""

    file: BinaryIO
    entries: Mapping[str, ZipEntry]

    def header(self) -> Header:
        entry = self.entries[_HEADER]
        _require(entry.size <= _MOST_HEADER, "its header is too long")
        text = content(self.file, entry).decode("utf-8")
        header = json.loads(text, parse_constant=_no_constant)
        _check_header(header, self.file.name)
        return dict(header)

    def array(self, name: str, member: Member | None) -> npt.NDArray[Any]:
        """An array, which has to be as the schema says; its numbers are views of the content of the file."""
        data = content(self.file, self.entries[name])
        shape, dtype, start = _description(data, name)
        if member:
            _check_member(name, shape, dtype, member)
        _require(
            len(data) - start == math.prod(shape) * dtype.itemsize, f"{name} is not as long as it says"
        )
        array: npt.NDArray[Any] = np.frombuffer(data, dtype, offset=start).reshape(shape)
        if dtype.kind == "f":
            _require(bool(np.isfinite(array).all()), f"{name} has numbers that are not finite")
        return array


def _check_header(header: Any, path: str) -> None:
    _require(isinstance(header, dict) and isinstance(header.get("format"), str), "its header names no format")
    for name in _NUMBERS:
        value = header.get(name, 0)
        _require(type(value) in (int, float) and abs(value) <= _LARGEST, f"its {name} is not a number")
    version = header.get("version")
    _require(type(version) is int and version >= 1, "its header has no version")
    if version > _VERSION:
        raise ModelError(
            f"{path}: has format version {version}, this stupidos reads {_VERSION}: update stupidos"
        )


def _no_constant(name: str) -> NoReturn:
    raise _FormatError(f"its header has {name} for a number")


def _check_member(name: str, shape: tuple[int, ...], dtype: np.dtype[Any], member: Member) -> None:
    right = dtype.str == member.dtype and len(shape) == member.dims
    _require(right, f"{name} is {dtype.str}{list(shape)}, not {member.dtype} in {member.dims} dimensions")
    _require(math.prod(shape) <= member.most, f"{name} has more than {member.most} numbers")


def _description(data: bytes, name: str) -> tuple[tuple[int, ...], np.dtype[Any], int]:
    """Shape and type of an array, and where its numbers start."""
    # Parsed by a pattern: numpy would evaluate the text and accept old Python syntax.
    _require(data.startswith(_NPY), f"{name} is not a plain array")
    start = len(_NPY) + 2 + int.from_bytes(data[len(_NPY) : len(_NPY) + 2], "little")
    described = _DESCRIPTION.fullmatch(data, len(_NPY) + 2, start)
    if not described or len(data) < start:
        raise _FormatError(f"{name} is not a plain array of numbers")
    shape = tuple(int(side) for side in described["shape"].split(b",") if side.strip())
    dtype = np.dtype(described["dtype"].decode("ascii"))
    _require(math.prod(shape) * dtype.itemsize <= _MOST_BYTES, f"{name} is too large")
    return shape, dtype, start


def _json(header: Mapping[str, Any]) -> bytes:
    text = json.dumps(header, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8")
