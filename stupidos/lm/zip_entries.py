"""Read a zip file of the kind that models are: a few entries, stored or deflated, without a comment.

`zipfile` reads every kind, and loads bz2, lzma, pathlib and shutil for it: a twentieth of what
`stupidos clean` takes for one page.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any, BinaryIO, NamedTuple

_END = struct.Struct("<4s6xH2LH")  # end of the directory
_LISTED = struct.Struct("<4s4x2H4x3L3H8xL")  # an entry in the directory
_LOCAL = struct.Struct("<4s22x2H")  # the same before its content
_STORED, _DEFLATED = 0, 8
_ENCRYPTED = 1  # bit of the flags


class ZipError(ValueError):
    """Not a zip file, or a damaged one."""


class ZipEntry(NamedTuple):
    """An entry of the directory."""

    name: str
    flags: int
    method: int
    checksum: int  # CRC-32
    packed: int  # bytes in the file
    size: int  # bytes of its content
    start: int  # offset in the file

    @property
    def readable(self) -> bool:
        """Whether it is packed in a way that `content` knows."""
        return self.method in (_STORED, _DEFLATED) and not self.flags & _ENCRYPTED


def entries(file: BinaryIO, most: int) -> list[ZipEntry]:
    """The directory of a file, which may have `most` entries."""
    end = file.seek(0, 2) - _END.size
    signature, number, size, start, comment = _unpacked(file, _END, max(end, 0))
    if signature != b"PK\5\6" or comment or start + size > end:
        raise ZipError("File is not a zip file")
    if number > most:
        raise ZipError(f"it has {number} parts")
    directory: list[ZipEntry] = []
    for _ in range(number):
        entry, start = _entry(file, start)
        directory.append(entry)
    return directory


def _entry(file: BinaryIO, at: int) -> tuple[ZipEntry, int]:
    """The entry of the directory at an offset, and the offset of the next one."""
    fields = _unpacked(file, _LISTED, at)
    signature, flags, method, checksum, packed, size, name, extra, comment, start = fields
    if signature != b"PK\1\2":
        raise ZipError("Bad magic number for central directory")
    entry = ZipEntry(file.read(name).decode("latin-1"), flags, method, checksum, packed, size, start)
    return entry, at + _LISTED.size + name + extra + comment


def content(file: BinaryIO, entry: ZipEntry) -> bytes:
    """The content of an entry; a ZipError or zlib.error if it is not what the directory says."""
    signature, name, extra = _unpacked(file, _LOCAL, entry.start)
    if signature != b"PK\3\4":
        raise ZipError("Bad magic number for file header")
    file.seek(name + extra, 1)
    data = file.read(entry.packed)
    if entry.method == _DEFLATED:
        data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(data, entry.size + 1)
    if len(data) != entry.size or zlib.crc32(data) != entry.checksum:
        raise ZipError(f"Bad CRC-32 for {entry.name!r}")
    return data


def _unpacked(file: BinaryIO, form: struct.Struct, at: int) -> tuple[Any, ...]:
    """The fields of a header at an offset."""
    file.seek(at)
    data = file.read(form.size)
    if len(data) < form.size:
        raise ZipError("File is not a zip file")
    return form.unpack(data)
