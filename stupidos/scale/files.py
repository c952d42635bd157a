"""Pages that are files: which files of a folder are pages, and what they hold."""

from __future__ import annotations

import os
from collections.abc import Iterator
from mimetypes import MimeTypes
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from stupidos.errors import StupidosError
from stupidos.scale.compression import content
from stupidos.scale.disk import message
from stupidos.scale.source_items import Found, Raw, Skipped, shortened

TYPES = MimeTypes()  # the table of Python, not that of the machine
PAGES = frozenset({"text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"})
UNSURE = frozenset({"application/octet-stream"})  # what the table says of .obj and .so, servers of anything
PACKED = (".gz", ".zst")


class File(NamedTuple):
    """A page in a file; size and time tell whether it is still the one that was planned."""

    path: str
    name: str = ""  # of the output, in the output folder; empty where everything goes to one file
    size: int = 0  # bytes
    time: int = 0  # ns, as the file system has it


class Files(NamedTuple):
    """A handful of files, among them what is no page or cannot be read."""

    files: tuple[File | Skipped | Raw, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files if isinstance(file, File))

    def found(self, most: int) -> Iterator[Found]:
        """The pages of the files, each read when it is asked for."""
        for file in self.files:
            yield page(file.path, most) if isinstance(file, File) else file

    def names(self) -> Iterator[str]:
        """What the outputs of `found` are called, in the same order."""
        for file in self.files:
            if not isinstance(file, Skipped):
                yield file.name if isinstance(file, File) else ""


def page(path: str, most: int) -> Raw:
    """The page in a file; a file that cannot be read is a page with an error.

    >>> page("/no/such/file.html", 100).error
    'No such file or directory'
    """
    try:
        data, truncated = shortened(content(path, most), most)
    except (OSError, ValueError, MemoryError, StupidosError) as error:
        return unreadable(path, error)
    return Raw(shown(path), data, truncated=truncated)


def unreadable(path: str, error: Exception) -> Raw:
    """The page, or pages, that cannot be read; ValueError stands for a NUL in a name."""
    return Raw(shown(path), error=(isinstance(error, OSError) and error.strerror) or message(error))


def shown(path: str) -> str:
    """A path fit for JSON: names need not be UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def file_or_skipped(path: str) -> File | Skipped:
    """The file with its size and time, or what it is instead of a page; nothing is opened."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return File(path)  # reading it will tell what is wrong
    if not S_ISREG(status.st_mode):
        return Skipped("folder" if S_ISDIR(status.st_mode) else "no file")
    return File(path, "", status.st_size, status.st_mtime_ns)


def no_page(name: str) -> str:
    """The type of a file whose name says that it is no page; empty when it may be one.

    >>> no_page("photo.jpeg"), no_page("index.html.gz"), no_page("view.php?id=3"), no_page("README")
    ('image/jpeg', '', '', '')
    """
    for packed in PACKED:
        name = name.removesuffix(packed)
    kind = TYPES.guess_type(name, strict=False)[0] or ""
    return "" if kind in PAGES or kind in UNSURE else kind


def tree(folder: str, avoid: str = "") -> Iterator[str | Skipped | Raw]:
    """Every file below a folder in the order of names, hidden ones and links to folders left out.

    `avoid` is the output folder, which may lie inside: we do not read what we write. A folder that
    cannot be listed is a page that failed: nobody knows how many pages it holds.
    """
    levels = [entries(folder)]
    while levels:
        entry = next(levels[-1], None)
        if entry is None:
            levels.pop()
        elif isinstance(entry, Raw):
            yield entry
        elif entry.name.startswith("."):
            yield Skipped("hidden")
        elif is_folder(entry, follow=False):
            if not avoid or os.path.realpath(entry.path) != avoid:
                levels.append(entries(entry.path))
        elif entry.is_symlink() and is_folder(entry, follow=True):
            yield Skipped("link to a folder")
        else:
            yield entry.path


def is_folder(entry: os.DirEntry[str], follow: bool) -> bool:
    """Whether an entry is a folder; a link to itself, which the system refuses to look at, is none."""
    try:
        return entry.is_dir(follow_symlinks=follow)
    except OSError:
        return False


def entries(folder: str) -> Iterator[os.DirEntry[str] | Raw]:
    """What is in a folder, in the order of the names' bytes."""
    try:
        with os.scandir(folder) as listing:
            found = sorted(listing, key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        yield unreadable(folder, error)
    else:
        yield from found
