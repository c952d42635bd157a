"""Pages stored as single files: select them in folders and read them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from mimetypes import MimeTypes
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from stupidos.errors import StupidosError
from stupidos.scale.compression import content
from stupidos.scale.disk import message
from stupidos.scale.source_items import Raw, Skipped, SourceItem, shortened

_TYPES = MimeTypes()  # Python's own table, independent of the machine
_PAGES = frozenset({"text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"})
_UNSURE = frozenset({"application/octet-stream"})  # too generic to exclude a page
PACKED = (".gz", ".zst")


_ADDRESS = ("http://", "https://")


class File(NamedTuple):
    """A page in a file; size and time detect changes between runs."""

    path: str
    name: str = ""  # of the output in the output folder; empty if the output is one file
    size: int = 0  # bytes
    time: int = 0  # modification time, ns


class Files(NamedTuple):
    """A group of files, including skipped and unreadable ones."""

    files: tuple[File | Skipped | Raw, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files if isinstance(file, File))

    def items(self, most: int) -> Iterator[SourceItem]:
        """The pages of the files, read lazily."""
        for file in self.files:
            yield page(file.path, most) if isinstance(file, File) else file

    def names(self) -> Iterator[str]:
        """Output names of `items`, in the same order."""
        for file in self.files:
            if not isinstance(file, Skipped):
                yield file.name if isinstance(file, File) else ""


def page(path: str, most: int) -> Raw:
    """The page in a file; a file that cannot be read is a page with an error.

    >>> page("/no/such/file.html", 100).error
    'No such file or directory'
    """
    if path.startswith(_ADDRESS):
        return Raw(path, error=address_error(path))
    try:
        data, truncated = shortened(content(path, most), most)
    except (OSError, ValueError, MemoryError, StupidosError) as error:
        return unreadable(path, error)
    return Raw(printable_path(path), data, truncated=truncated)


def address_error(url: str) -> str:
    """What to do with the address of a page.

    >>> address_error("https://example.org/")
    'is an address: fetch the page first, as in curl -sL https://example.org/ | stupidos clean'
    """
    import shlex

    return f"is an address: fetch the page first, as in curl -sL {shlex.quote(url)} | stupidos clean"


def unreadable(path: str, error: Exception) -> Raw:
    """A failed page for an unreadable input; ValueError means a NUL in its name."""
    return Raw(printable_path(path), error=(isinstance(error, OSError) and error.strerror) or message(error))


def printable_path(path: str) -> str:
    """A path that can be printed and stored in JSON: names need not be UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def file_or_skipped(path: str) -> File | Skipped:
    """The file with its size and time, or why it is skipped; nothing is opened."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return File(path)  # the error is reported when it is read
    if not S_ISREG(status.st_mode):
        return Skipped("folder" if S_ISDIR(status.st_mode) else "no file")
    return File(path, "", status.st_size, status.st_mtime_ns)


def no_page(name: str) -> str:
    """The media type of a file whose suffix excludes a page; empty if it may be one.

    >>> no_page("photo.jpeg"), no_page("index.html.gz"), no_page("view.php?id=3"), no_page("README")
    ('image/jpeg', '', '', '')
    """
    for packed in PACKED:
        name = name.removesuffix(packed)
    kind = _TYPES.guess_type(name, strict=False)[0] or ""
    return "" if kind in _PAGES or kind in _UNSURE else kind


def tree(folder: str, avoid: str = "") -> Iterator[str | Skipped | Raw]:
    """Every file below a folder in name order, without hidden files and symlinks to folders.

    `avoid` is the output folder, which may lie inside and is not read. A folder that cannot be listed
    becomes a failed page.
    """
    levels = [_entries(folder)]
    while levels:
        entry = next(levels[-1], None)
        if entry is None:
            levels.pop()
        elif isinstance(entry, Raw):
            yield entry
        elif entry.name.startswith("."):
            yield Skipped("hidden")
        elif _is_folder(entry, follow=False):
            if not avoid or os.path.realpath(entry.path) != avoid:
                levels.append(_entries(entry.path))
        elif entry.is_symlink() and _is_folder(entry, follow=True):
            yield Skipped("link to a folder")
        else:
            yield entry.path


def _is_folder(entry: os.DirEntry[str], follow: bool) -> bool:
    """Whether an entry is a folder; a symlink loop is not."""
    try:
        return entry.is_dir(follow_symlinks=follow)
    except OSError:
        return False


def _entries(folder: str) -> Iterator[os.DirEntry[str] | Raw]:
    """The entries of a folder, sorted by the bytes of their names."""
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        yield unreadable(folder, error)
    else:
        yield from entries
