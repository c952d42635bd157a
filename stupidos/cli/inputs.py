"""Files and standard input, one after the other; a bad one is told of and the rest goes on."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import TextIO

from stupidos.cli import output
from stupidos.errors import StupidosError

STDIN = "-"
GZIP = b"\x1f\x8b"
MANY = {"warc": "WARC", "jsonl": "JSON Lines"}
MOST_BYTES = 1 << 28  # of a decompressed page; what is larger is no page


def each(names: Sequence[str], work: Callable[[str, bytes], None]) -> int:
    """`work(name, content)` on every input (standard input by default); the exit code."""
    code = 0
    for name in names or [STDIN]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.filterwarnings("always", category=UserWarning)
            try:
                work(name, content(name))
            except output.OutputError:
                raise
            except StupidosError as error:
                code = 1
                complain(name, str(error))
            except MemoryError:
                code = 1
                complain(name, "out of memory")
        for warning in caught:
            complain(name, f"warning: {warning.message}")
    return code


def content(name: str) -> bytes:
    """The bytes of a file, or of standard input where the name is `-`; gzip is unpacked."""
    try:
        if name == STDIN:
            if sys.stdin is None:  # closed by the shell: <&-
                raise StupidosError("standard input is closed")
            data = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as file:
                data = file.read()
    except OSError as error:
        raise StupidosError(error.strerror or str(error)) from None
    return unpacked(data) if data.startswith(GZIP) else data


class Replay(io.RawIOBase):
    """A stream of which the beginning has been read already."""

    def __init__(self, start: bytes, stream: TextIO) -> None:
        self._start, self._rest = io.BytesIO(start), stream.buffer
        self._stream = stream  # would close its buffer if nobody held it

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._start.read(len(buffer)) or self._rest.read1(len(buffer))  # type: ignore[attr-defined]
        buffer[: len(data)] = data
        return len(data)


def peek(size: int) -> bytes:
    """The first bytes of standard input, which stay there to be read."""
    if sys.stdin is None:  # closed by the shell: <&-
        raise StupidosError("standard input is closed")
    try:
        start = sys.stdin.buffer.read(size)
    except OSError as error:
        raise StupidosError(f"standard input: {error.strerror or error}") from None
    sys.stdin = io.TextIOWrapper(io.BufferedReader(Replay(start, sys.stdin)))
    return start


def one_page(data: bytes, input: str) -> bytes:
    """The data of a page; many pages in its place are refused unless the user says that it is one."""
    from stupidos.render.sniff import SNIFFED, many_pages

    if input == "auto" and (kind := many_pages(data[:SNIFFED])):
        raise StupidosError(f"holds many pages ({MANY[kind]}): `stupidos clean --input {kind}` reads them")
    return data


def unpacked(data: bytes) -> bytes:
    """The content of a gzip file, which may be cut off but not larger than a page can be."""
    import zlib

    machine = zlib.decompressobj(wbits=31)
    try:
        found = machine.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise StupidosError(f"broken gzip file: {error}") from None
    if machine.unconsumed_tail:
        raise StupidosError(f"unpacks to more than {MOST_BYTES >> 20} MB")
    return found


def complain(name: str, message: str) -> None:
    """One line that names the input, unless the message does already."""
    line = " ".join(message.split())
    shown = "standard input" if name == STDIN else name if name.isprintable() else ascii(name)
    output.complain(f"stupidos: {line}" if line.startswith(f"{name}:") else f"stupidos: {shown}: {line}")
