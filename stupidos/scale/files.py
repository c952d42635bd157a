"""Pages that are files: which files of a folder are pages, what they hold, what their output is called."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from mimetypes import MimeTypes
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from stupidos.errors import StupidosError
from stupidos.scale.packed import content
from stupidos.scale.raw import Found, Raw, Skipped, shortened

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
    """A handful of files."""

    files: tuple[File | Skipped, ...]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files if isinstance(file, File))

    def found(self, most: int) -> Iterator[Found]:
        """The pages of the files, each read when it is asked for."""
        for file in self.files:
            yield file if isinstance(file, Skipped) else page(file.path, most)

    def names(self) -> Iterator[str]:
        """What the outputs of `found` are called, in the same order."""
        return (file.name for file in self.files if isinstance(file, File))


def page(path: str, most: int) -> Raw:
    """The page in a file; a file that cannot be read is a page with an error.

    >>> page("/no/such/file.html", 100).error
    'No such file or directory'
    """
    try:
        data, truncated = shortened(content(path, most), most)
    except OSError as error:
        return Raw(shown(path), error=error.strerror or str(error))
    except StupidosError as error:
        return Raw(shown(path), error=str(error))
    return Raw(shown(path), data, truncated=truncated)


def shown(path: str) -> str:
    """A path fit for JSON: names need not be UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def file_or_skipped(path: str, name: str = "") -> File | Skipped:
    """The file with its size and time, or what it is instead of a page."""
    try:
        status = os.stat(path)
    except OSError:
        return File(path, name)  # reading it will tell what is wrong
    if not S_ISREG(status.st_mode):
        return Skipped("folder" if S_ISDIR(status.st_mode) else "no file")
    return File(path, name, status.st_size, status.st_mtime_ns)


def no_page(name: str) -> str:
    """The type of a file whose name says that it is no page; empty when it may be one.

    >>> no_page("photo.jpeg"), no_page("index.html.gz"), no_page("view.php?id=3"), no_page("README")
    ('image/jpeg', '', '', '')
    """
    for packed in PACKED:
        name = name.removesuffix(packed)
    kind = TYPES.guess_type(name, strict=False)[0] or ""
    return "" if kind in PAGES or kind in UNSURE else kind


def tree(folder: str, avoid: str = "") -> Iterator[str | Skipped]:
    """Every file below a folder in the order of names, hidden ones and links to folders left out.

    `avoid` is the output folder, which may lie inside: we do not read what we write.
    """
    levels = [entries(folder)]
    while levels:
        entry = next(levels[-1], None)
        if entry is None:
            levels.pop()
        elif isinstance(entry, Skipped):
            yield entry
        elif entry.name.startswith("."):
            yield Skipped("hidden")
        elif entry.is_dir(follow_symlinks=False):
            if not avoid or os.path.realpath(entry.path) != avoid:
                levels.append(entries(entry.path))
        elif entry.is_symlink() and entry.is_dir():
            yield Skipped("link to a folder")
        else:
            yield entry.path


def entries(folder: str) -> Iterator[os.DirEntry[str] | Skipped]:
    """What is in a folder, in the order of the names' bytes."""
    try:
        with os.scandir(folder) as found:
            yield from sorted(found, key=lambda entry: os.fsencode(entry.name))
    except OSError:
        yield Skipped("unreadable folder")


def output_name(path: str, base: str, suffix: str) -> str:
    """Where in the output folder the page at `path` goes, `base` being the folder it was found in.

    A root and `..` are dropped as tar does it, so that nothing can leave the folder. Two pages that
    differ only in their suffix keep it.

    >>> output_name("/data/pages/a/b.html", "/data/pages", ".txt"), output_name("/x/../b.html.gz", "", ".md")
    ('a/b.txt', 'b.md')
    """
    inside = os.path.relpath(path, base) if base else path
    parts = Path(inside).parts
    if os.path.isabs(inside) or ".." in parts:
        parts = Path(os.path.abspath(path)).parts[1:]
    *folders, name = parts
    plain = stem(name)
    if siblings(os.path.dirname(path) or ".")[plain] > 1:
        plain = name
    return os.path.join(*folders, plain + suffix)


def stem(name: str) -> str:
    """A file name without its suffix and that of its packing; a leading dot starts no suffix.

    >>> stem("b.html.gz"), stem(".profile"), stem("page")
    ('b', '.profile', 'page')
    """
    for packed in PACKED:
        name = name.removesuffix(packed) or name
    return os.path.splitext(name)[0]


@lru_cache(maxsize=8)
def siblings(folder: str) -> Counter[str]:
    """How often each stem occurs among the pages of a folder."""
    try:
        return Counter(stem(name) for name in os.listdir(folder) if not no_page(name))
    except OSError:
        return Counter()
