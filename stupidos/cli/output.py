"""Writing that is complete or fails: nothing waits in a buffer, no error is lost at exit."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from stupidos.errors import StupidosError

if TYPE_CHECKING:
    from pathlib import Path

STDOUT = "standard output"
AT_ONCE = 1 << 20  # characters; a page that has less is written in one go


class OutputError(StupidosError):
    """Output that could not be written."""


class ReaderGoneError(OutputError):
    """The reader of our standard output went away, which is no fault (`stupidos clean … | head`)."""


def utf8(text: str) -> bytes:
    """Text as UTF-8; what no encoding can hold (lone surrogates) becomes U+FFFD.

    >>> utf8("a\\ud800b").decode()
    'a\ufffdb'
    """
    try:
        return text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text).encode()


def write(text: str) -> None:
    """All of `text` to standard output, at once."""
    if not text:
        return
    stream = sys.stdout
    if stream is None:  # closed by the shell: >&-
        raise OutputError(f"{STDOUT}: is closed")
    try:
        _write(stream, text)
    except BrokenPipeError:
        raise ReaderGoneError(f"{STDOUT}: its reader went away") from None
    except OSError as error:
        raise OutputError(f"{STDOUT}: {error.strerror or error}") from None
    except ValueError:  # a Python file object that was closed
        raise OutputError(f"{STDOUT}: is closed") from None


def write_pieces(before: str, pieces: Iterable[str]) -> bool:
    """A text in pieces to standard output, behind `before`; nothing and False if there are none."""
    waiting, size, some = [before], 0, False
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        some = True
        if size >= AT_ONCE:
            write("".join(waiting))
            waiting, size = [], 0
    if some:
        write("".join(waiting))
    return some


def _write(stream: object, text: str) -> None:
    """Bytes to the file descriptor where there is one: a buffer would hide errors until exit."""
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
        except BlockingIOError:  # somebody made our pipe non-blocking
            import select

            select.select([], [descriptor], [])


def complain(message: str) -> None:
    """A line for people, on standard error if there is one."""
    if sys.stderr is not None:  # print() would take stdout instead
        with suppress(OSError, ValueError):
            sys.stderr.write(message + "\n")
            sys.stderr.flush()


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A binary file that takes its name when it is complete, or leaves no trace."""
    import tempfile

    try:
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}") from None
    try:
        with open(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, path)
    except OSError as error:
        raise OutputError(f"{path}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            os.unlink(name)


def _umask() -> int:
    mask = os.umask(0o22)
    os.umask(mask)
    return mask
