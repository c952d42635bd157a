"""Read files and standard input one by one; a failing input is reported and the rest is processed."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import BinaryIO, NamedTuple, TextIO

from stupidos.cli import output
from stupidos.errors import StupidosError

STDIN = "-"
_ADDRESS = ("http://", "https://")
_GZIP = b"\x1f\x8b"
_ARCHIVE_NAMES = {"warc": "WARC", "jsonl": "JSON Lines"}
MAX_INPUT_BYTES = 1 << 28  # after decompression

# What is done with an input; it may leave a second step, for which the content is no longer in memory
_Work = Callable[[str, bytes], Callable[[], None] | None]


def each(names: Sequence[str], work: _Work) -> int:
    """Call `work(name, content)` for every input (default: standard input); return the exit code."""
    code = 0
    for name in names or [STDIN]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.filterwarnings("always", category=UserWarning)
            try:
                data, damage = content(name)
                write = work(name, data)
                del data
                if write:
                    write()
                if damage:
                    raise StupidosError(damage)
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


class _Content(NamedTuple):
    """What an input holds, as far as it can be read."""

    data: bytes
    damage: str = ""  # why that is not all of it


def content(name: str) -> _Content:
    """The bytes of a file, or of standard input if the name is `-`; gzip is decompressed."""
    if name.startswith(_ADDRESS):
        from stupidos.scale.files import address_error

        raise StupidosError(address_error(name))
    try:
        if name == STDIN:
            data = _standard_input().read()
        else:
            with open(name, "rb") as file:
                data = file.read()
    except OSError as error:
        raise StupidosError(error.strerror or str(error)) from None
    return _gunzip(data) if data.startswith(_GZIP) else _Content(data)


class _Replay(io.RawIOBase):
    """A stream whose beginning has already been read."""

    def __init__(self, start: bytes, stream: TextIO) -> None:
        self._start, self._rest = io.BytesIO(start), stream.buffer
        self._stream = stream  # keep a reference: collecting it would close its buffer

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._start.read(len(buffer)) or self._rest.read1(len(buffer))  # type: ignore[attr-defined]
        buffer[: len(data)] = data
        return len(data)


def _standard_input() -> BinaryIO:
    """Standard input as bytes; on a terminal, a line says that a page is expected."""
    if sys.stdin is None:  # closed by the shell: <&-
        raise StupidosError("standard input is closed")
    if sys.stdin.isatty():
        output.complain("stupidos: waiting for a page on standard input; end it with Ctrl-D, or see --help")
    return sys.stdin.buffer


def peek(size: int) -> bytes:
    """The first bytes of standard input, without consuming them."""
    try:
        start = _standard_input().read(size)
    except OSError as error:
        raise StupidosError(f"standard input: {error.strerror or error}") from None
    sys.stdin = io.TextIOWrapper(io.BufferedReader(_Replay(start, sys.stdin)))
    return start


def one_page(data: bytes, input: str) -> bytes:
    """The data of one page; an archive of many pages is rejected unless --input says it is a page."""
    from stupidos.render.sniff import SNIFFED, many_pages

    if input == "auto" and (kind := many_pages(data[:SNIFFED])):
        raise StupidosError(
            f"holds many pages ({_ARCHIVE_NAMES[kind]}): `stupidos clean --input {kind}` reads them"
        )
    return data


def _gunzip(data: bytes) -> _Content:
    """The page in gzip data; what comes before a damaged place is kept, if there is anything."""
    from stupidos.gzip_members import unpacked

    page = unpacked(data, MAX_INPUT_BYTES)
    if page.damage and not page.content:
        raise StupidosError(page.damage)
    return _Content(page.content, page.damage and f"{page.damage}: the rest of the page is missing")


def complain(name: str, message: str) -> None:
    """Print one line to stderr, prefixed with the input name unless the message starts with it."""
    line = " ".join(message.split())
    printable = "standard input" if name == STDIN else name if name.isprintable() else ascii(name)
    output.complain(f"stupidos: {line}" if line.startswith(f"{name}:") else f"stupidos: {printable}: {line}")
