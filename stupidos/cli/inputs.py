"""Files and standard input, one after the other; a bad one is told of and the rest goes on."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence

from stupidos.cli import output
from stupidos.errors import StupidosError

STDIN = "-"
GZIP = b"\x1f\x8b"
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
