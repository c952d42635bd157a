"""Files behind a URL such as s3://bucket/crawl.warc.gz, through fsspec."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

from stupidos.errors import StupidosError, missing_extra

if TYPE_CHECKING:
    from pathlib import Path

_BLOCK = 4 << 20  # bytes fetched at once
_TRIES = 4  # of a read that fails
_FIRST_PAUSE = 0.5  # seconds, doubled after each try
_FINAL = (FileNotFoundError, PermissionError, NotImplementedError)  # errors that do not go away
_WEB = ("http://", "https://")
_WILDCARDS = frozenset("*?[")
_Result = TypeVar("_Result")


def is_url(path: str) -> bool:
    """Whether a path is a URL instead of a local name.

    >>> is_url("s3://bucket/a.warc.gz"), is_url("a/b.html")
    (True, False)
    """
    return "://" in path


def open_url(url: str) -> BinaryIO:
    """Open a remote file for reading; a read that fails half way is tried again from there."""
    return cast(BinaryIO, io.BufferedReader(_RetryingFile(url), _BLOCK))


def matching(path: str) -> Iterator[str]:
    """The names that a URL with wildcards stands for, sorted; any other name is itself.

    Web servers list no files, and a question mark is part of many addresses.
    """
    if not is_url(path) or path.startswith(_WEB) or not _WILDCARDS & set(path.partition("://")[2]):
        yield path
        return
    system, pattern = _filesystem(path)
    names = sorted(_naming(path, lambda: system.glob(pattern)))
    if not names:
        raise StupidosError(f"{path}: no such files")
    yield from (system.unstrip_protocol(name) for name in names)


def upload(file: Path, url: str) -> None:
    """Copy a local file to a URL; remote stores show it only when it is complete."""
    system, path = _filesystem(url)
    _naming(url, lambda: system.put_file(str(file), path))


def some_file(url: str) -> str:
    """The name of a file below a URL; empty if there is none."""
    system, path = _filesystem(url)
    files = _naming(url, lambda: system.find(path, maxdepth=2) if system.exists(path) else [])
    return str(system.unstrip_protocol(files[0])) if files else ""


def remove_all(url: str) -> None:
    """Remove everything below a URL."""
    system, path = _filesystem(url)
    _naming(url, lambda: system.rm(path, recursive=True) if system.exists(path) else None)


def check_writable(url: str) -> None:
    """Raise an error if the package for the URL is missing, before any work is done."""
    _filesystem(url)


class _RetryingFile(io.RawIOBase):
    """A remote file that is opened again where a read failed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._system, self._path = _filesystem(url)
        self._place = 0
        self._file: Any = None
        self._size = int(self._retry(lambda: self._system.info(self._path)["size"]))

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = max(0, start + offset)
        return self._place

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._retry(lambda: self._read(len(buffer)))
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)

    def _read(self, size: int) -> bytes:
        if self._file is None:
            self._file = self._system.open(self._path, "rb", block_size=_BLOCK)
        self._file.seek(self._place)
        data: bytes = self._file.read(size)
        if not data and self._place < self._size:
            raise EOFError(f"ends after {self._place} of {self._size} bytes")
        return data

    def _retry(self, action: Callable[[], _Result]) -> _Result:
        for attempt in range(_TRIES - 1):
            try:
                return action()
            except _FINAL:
                break
            except Exception:  # every store has errors of its own
                self._close_file()
                time.sleep(_FIRST_PAUSE * 2**attempt)
        return _naming(self._url, action)

    def _close_file(self) -> None:
        with suppress(Exception):
            if self._file is not None:
                self._file.close()
        self._file = None

    def close(self) -> None:
        self._close_file()
        super().close()


def _filesystem(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    try:
        fsspec = import_module("fsspec")
    except ImportError:
        raise missing_extra(f"{url}: URLs need fsspec", "remote") from None
    try:
        return cast(tuple[Any, str], fsspec.core.url_to_fs(url))
    except (ValueError, ImportError) as error:  # no such protocol, or its package is missing
        raise StupidosError(f"{url}: {error}") from None


def _naming(url: str, action: Callable[[], _Result]) -> _Result:
    """The result of an action; any error of a store becomes one line that names the URL."""
    try:
        return action()
    except Exception as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
        raise StupidosError(f"{url}: {' '.join(str(reason).split())}") from None
