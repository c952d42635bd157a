"""Read gzip member by member: a page may have several, and in a WARC file each holds one record.

Python's gzip module fails at the first invalid byte. Here everything that zlib could decompress is
returned, and the damage is reported afterwards: a bad checksum, a corrupt stream, a truncated file.
"""

from __future__ import annotations

import zlib
from functools import cache
from io import BytesIO
from typing import Any, BinaryIO, NamedTuple

from stupidos.errors import StupidosError

MAGIC = b"\x1f\x8b"
GZIP_BITS = 31  # zlib's number for gzip with header and checksum
_CHUNK = 1 << 16  # compressed bytes read at once
_PIECE = 1 << 20  # decompressed bytes returned at once, which bounds the memory of a zip bomb
_STEP = 1 << 12  # compressed bytes between two copies of the decompressor's state while salvaging
_LENGTH_FIELD = 4  # bytes of a member that follow its checksum
_CUT_OFF = "the file ends inside a gzip member"
_DATA_BEHIND = "there is data after the last gzip member"


@cache
def _fastest_zlib() -> Any:
    """zlib-ng if installed (extra `warc`), which decompresses twice as fast; else zlib."""
    try:
        from zlib_ng import zlib_ng
    except ImportError:
        return zlib
    return zlib_ng


class Members:
    """Decompresses the members of a file one by one, starting at offset `place`."""

    def __init__(self, file: BinaryIO, place: int) -> None:
        self._file = file
        self._packed = b""  # read from the file, not decompressed yet
        self._zlib = _fastest_zlib()
        self._inflate = self._zlib.decompressobj(GZIP_BITS)
        self._given = 0  # bytes of this member returned so far
        self._over = True
        self.start = self.end = place  # offsets of the current member; `end` moves on while it is read
        self.damage = ""  # of the current member; known at its end
        self.lost = False  # its end is unknown, so the next member has to be searched for
        file.seek(place)

    def advance(self) -> bool:
        """Begin the next member; False at the end of the file or at bytes that do not begin a member."""
        self.start, self._given, self.damage = self.end, 0, ""
        while len(self._packed) < len(MAGIC) and (more := self._file.read(_CHUNK)):
            self._packed += more
        if not self._packed.startswith(MAGIC):
            return False
        self._inflate = self._zlib.decompressobj(GZIP_BITS)
        self._over = False
        return True

    def piece(self) -> bytes:
        """The next bytes of the current member; empty at its end."""
        while not self._over:
            if not self._packed:
                self._packed = self._file.read(_CHUNK)
                if not self._packed:
                    return self._finish(self._inflate.flush(), _CUT_OFF, lost=True)
            try:
                data: bytes = self._inflate.decompress(self._packed, _PIECE)
            except self._zlib.error as error:
                return self._salvage(error)
            rest = self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail
            self.end += len(self._packed) - len(rest)
            self._packed = rest
            self._over = self._inflate.eof
            if data:
                self._given += len(data)
                return data
        return b""

    def _finish(self, data: bytes, damage: str, lost: bool) -> bytes:
        self._over, self.damage, self.lost = True, damage, lost
        return data

    def _salvage(self, error: Exception) -> bytes:
        """What the last call decompressed before the error."""
        data, self.end = _readable(self._file, self.start, self._given)
        message = str(error).rpartition(": ")[2]
        if message == "incorrect data check":  # the stream was whole: the next member follows it
            self.end += _LENGTH_FIELD
        self._file.seek(self.end)
        self._packed = b""
        checked = message in ("incorrect data check", "incorrect length check")
        return self._finish(data, f"broken gzip member: {message}", lost=not (checked and self._trusted()))

    def _trusted(self) -> bool:
        """Whether a member or the end of the file follows, as it should."""
        self._packed = self._file.read(_CHUNK)
        return not self._packed or self._packed.startswith(MAGIC)


class Unpacked(NamedTuple):
    """The content of gzip data, as far as it can be read."""

    content: bytes
    damage: str = ""  # why that is not all of it


def unpacked(data: bytes, most: int) -> Unpacked:
    """All members of gzip data up to a damaged one; more than `most` bytes are an error.

    >>> import gzip
    >>> unpacked(gzip.compress(b"tea") + gzip.compress(b"milk")[:-9], most=100)
    Unpacked(content=b'teamilk', damage='the file ends inside a gzip member')
    """
    members = Members(BytesIO(data), 0)
    parts: list[bytes] = []
    size = 0
    while members.advance():
        while piece := members.piece():
            parts.append(piece)
            size += len(piece)
            if size > most:
                raise StupidosError(f"unpacks to more than {most >> 20} MB")
        if members.damage:
            return Unpacked(b"".join(parts), members.damage)
    padded = not data[members.end :].strip(b"\0")  # blocks of a tape are padded with NULs
    return Unpacked(b"".join(parts), "" if padded else _DATA_BEHIND)


def _readable(file: BinaryIO, start: int, skip: int) -> tuple[bytes, int]:
    """What a broken member holds after its first `skip` bytes, and the offset after the byte zlib refuses.

    zlib gives nothing back from a call that fails, so the failing step is repeated byte by byte.
    """
    machine = zlib.decompressobj(GZIP_BITS)
    file.seek(start)
    kept: list[bytes] = []
    seen, end = 0, start
    while chunk := file.read(_STEP):
        before = machine.copy()
        try:
            pieces, read, failed = [machine.decompress(chunk)], len(chunk), False
        except zlib.error:
            pieces, read, failed = *_bytewise(before, chunk), True
        for piece in pieces:
            kept.append(piece[max(skip - seen, 0) :])
            seen += len(piece)
        end += read
        if failed:
            break
    return b"".join(kept), end


def _bytewise(machine: zlib._Decompress, chunk: bytes) -> tuple[list[bytes], int]:
    """The pieces that a decompressor gives up to its error, and how many bytes it took."""
    pieces: list[bytes] = []
    for number in range(len(chunk)):
        try:
            pieces.append(machine.decompress(chunk[number : number + 1]))
        except zlib.error:
            return pieces, number + 1
    return pieces, len(chunk)
