"""Unique file names in an output folder. They depend only on the inputs and their order.

A page keeps its path, with its suffix replaced by that of the format. With several inputs, the files of an
input folder go to a folder of its name. If a name is taken, the original suffix is kept, then a number is
added. Names that differ only in case or Unicode normalization count as equal on every file system, so that
names are reproducible and the folder can be copied to macOS.

Only 64-bit hashes of the names are stored, 70 to 110 bytes a file. A hash collision would add a number to a
name; no page would be lost.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from itertools import count
from pathlib import Path
from unicodedata import normalize

from stupidos.scale.files import PACKED, no_page

STATE = ".stupidos"  # folder of the journal in an output folder
_MAX_NAME_BYTES = 255  # bytes; the limit of ext4, XFS, Btrfs and APFS
_HASH_BYTES = 6  # bytes of the hash that replaces the end of a long name


class Names:
    """Assigns names and remembers them; `several` means there is more than one input."""

    def __init__(self, suffix: str, several: bool = False) -> None:
        self._suffix, self._several = suffix, several
        self._taken = {_hash(STATE)}  # names of files
        self._folders = {_hash("")}
        self._numbers: Counter[int] = Counter()  # next number for names that needed one
        self._inputs: Counter[str] = Counter()  # folders named on the command line
        self._last: tuple[tuple[str, ...], str] = ((), "")
        self._shared: list[tuple[str, set[str]]] = []  # stems shared in the current folder and its parents

    def of_file(self, path: str) -> str:
        """The output of a file given as an input: its path without the root and `..`, as in tar.

        >>> names = Names(".txt")
        >>> names.of_file("a/b.html"), names.of_file("a/b.htm"), names.of_file("/x/../b.html.gz")
        ('a/b.txt', 'a/b.htm.txt', 'b.txt')
        """
        parts = Path(path).parts
        if os.path.isabs(path) or ".." in parts:
            parts = Path(os.path.abspath(path)).parts[1:]
        *folders, name = parts or ("unnamed",)
        return self._free(folders, [_stem(name), name])

    def of_input(self, folder: str) -> str:
        """The output folder of an input folder: its name if there are several inputs, else none."""
        if not self._several:
            return ""
        name = os.path.basename(os.path.abspath(folder)) or "root"
        self._inputs[_normalized(name)] += 1
        number = self._inputs[_normalized(name)]
        return _fitted(name, f"-{number}" if number > 1 else "")

    def of_member(self, path: str, folder: str, above: str = "") -> str:
        """The output of a file inside the input `folder`, whose own output goes to `above`.

        >>> Names(".txt").of_member("pages/a/b.html", "pages", "pages-2")
        'pages-2/a/b.txt'
        """
        inside = path[len(os.path.join(folder, "")) :]
        *folders, name = [*above.split("/"), *inside.split("/")] if above else inside.split("/")
        plain = _stem(name)
        shared = plain in self._shared_stems(os.path.dirname(path))
        return self._free(folders, [name] if shared else [plain, name])

    def of_stream(self, name: str) -> str:
        """The output of standard input; `name` includes the suffix."""
        return self._free([], [name.removesuffix(self._suffix)])

    def _free(self, folders: Sequence[str], plain: Sequence[str]) -> str:
        """The first name that is not taken by a file or folder."""
        folder = self._folder(tuple(folders))
        for name in plain:
            path = os.path.join(folder, _fitted(name, self._suffix))
            preferred = _hash(path)
            if preferred not in self._taken and preferred not in self._folders:
                self._taken.add(preferred)
                return path
        numbers = count(self._numbers[preferred] or 2)
        for number in numbers:
            path = os.path.join(folder, _fitted(name, f"-{number}{self._suffix}"))
            numbered = _hash(path)
            if numbered not in self._taken and numbered not in self._folders:
                break
        self._numbers[preferred] = number + 1
        self._taken.add(numbered)
        return path

    def _folder(self, folders: tuple[str, ...]) -> str:
        """The path of a folder, with a number added to each part whose name a file has taken."""
        if folders == self._last[0]:
            return self._last[1]
        path = ""
        for name in folders:
            above, path = path, os.path.join(path, _fitted(name))
            for number in count(2):
                if _hash(path) not in self._taken:
                    break
                path = os.path.join(above, _fitted(name, f"-{number}"))
            self._folders.add(_hash(path))
        self._last = folders, path
        return path

    def _shared_stems(self, folder: str) -> set[str]:
        """The stems that several pages of a folder share; each folder is listed once during the walk."""
        levels = self._shared
        while levels and not os.path.join(folder, "").startswith(os.path.join(levels[-1][0], "")):
            levels.pop()
        if not levels or levels[-1][0] != folder:
            levels.append((folder, _shared_stems(folder)))
        return levels[-1][1]


def _shared_stems(folder: str) -> set[str]:
    """The stems that several entries of a folder share, ignoring names that cannot be pages."""
    try:
        stems = Counter(_stem(name) for name in os.listdir(folder) if not no_page(name))
    except OSError:
        return set()
    return {name for name, number in stems.items() if number > 1}


def _stem(name: str) -> str:
    """A file name without its suffix and compression suffix; a leading dot starts no suffix.

    >>> _stem("b.html.gz"), _stem(".profile"), _stem("page")
    ('b', '.profile', 'page')
    """
    for packed in PACKED:
        name = name.removesuffix(packed) or name
    return os.path.splitext(name)[0]


def _fitted(name: str, end: str = "") -> str:
    """`name` plus `end`, shortened with a hash if it is too long for a file system.

    >>> _fitted("page", ".txt"), len(_fitted("x" * 300, ".txt"))
    ('page.txt', 255)
    """
    data = os.fsencode(name)
    most = _MAX_NAME_BYTES - len(os.fsencode(end))
    if len(data) <= most:
        return name + end
    start = data[: most - 2 * _HASH_BYTES - 1]
    while start and data[len(start)] & 0xC0 == 0x80:  # do not cut inside a character
        start = start[:-1]
    return f"{os.fsdecode(start)}-{blake2b(data, digest_size=_HASH_BYTES).hexdigest()}{end}"


def _normalized(name: str) -> str:
    """Normalized form of a name; equal for names that some file systems do not distinguish.

    >>> _normalized("README") == _normalized("Readme"), _normalized("a") == _normalized("b")
    (True, False)
    """
    return name.lower() if name.isascii() else normalize("NFC", normalize("NFC", name).casefold())


def _hash(path: str) -> int:
    """64-bit hash of a path, stable between runs."""
    data = _normalized(path).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")
