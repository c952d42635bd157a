"""Complete writes or an error: unbuffered, so that no write error is lost at exit."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from stupidos.errors import StupidosError

if TYPE_CHECKING:
    from pathlib import Path

_STDOUT = "standard output"
_FLUSH_SIZE = 1 << 20  # characters; smaller pages are written in one call


class OutputError(StupidosError):
    """Output that could not be written."""


class ReaderGoneError(OutputError):
    """The reader of standard output closed the pipe, which is not a failure (`stupidos clean … | head`)."""


def utf8(text: str) -> bytes:
    """Encode as UTF-8; lone surrogates become U+FFFD.

    >>> utf8("a\\ud800b").decode()
    'a\ufffdb'
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text).encode()


def write(text: str) -> None:
    """Write all of `text` to standard output, unbuffered."""
    if not text:
        return
    stream = sys.stdout
    if stream is None:  # closed by the shell: >&-
        raise OutputError(f"{_STDOUT}: is closed")
    try:
        for start in range(0, len(text), _FLUSH_SIZE):  # a large text is not encoded as a whole
            _write(stream, text[start : start + _FLUSH_SIZE])
    except BrokenPipeError:
        raise ReaderGoneError(f"{_STDOUT}: the reader closed the pipe") from None
    except OSError as error:
        raise OutputError(f"{_STDOUT}: {error.strerror or error}") from None
    except ValueError:  # a closed Python file object
        raise OutputError(f"{_STDOUT}: is closed") from None


def write_pieces(before: str, pieces: Iterable[str]) -> bool:
    """Write `before` and the pieces to standard output; write nothing and return False if there are none."""
    waiting, size, some = [before], 0, False
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        some = True
        if size >= _FLUSH_SIZE:
            large = waiting.pop() if len(piece) >= _FLUSH_SIZE else ""
            write("".join(waiting))
            write(large)
            waiting, size = [], 0
    if some:
        write("".join(waiting))
    return some


def _write(stream: object, text: str) -> None:
    """Write to the file descriptor if there is one: a buffer would hide errors until exit."""
    stream.flush()  # type: ignore[attr-defined]
    try:
        descriptor = stream.fileno()  # type: ignore[attr-defined]
    except (OSError, AttributeError):  # a stand-in, as in tests
        stream.write(utf8(text).decode())  # type: ignore[attr-defined]
        return
    rest = memoryview(utf8(text))
    while rest:
        try:
            rest = rest[os.write(descriptor, rest) :]
        except BlockingIOError:  # the other end made the pipe non-blocking
            import select

            select.select([], [descriptor], [])


def complain(message: str) -> None:
    """Print a line to standard error, if it is open."""
    if sys.stderr is not None:  # print() would fall back to stdout
        with suppress(OSError, ValueError):
            sys.stderr.write(message + "\n")
            sys.stderr.flush()


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A binary file that replaces `path` once it is complete; an error names it."""
    from stupidos.atomic_file import replacing

    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}") from None
