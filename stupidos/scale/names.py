"""Names in an output folder: every page gets one of its own, decided by the inputs in their order alone.

A page keeps its path, with the suffix of the format in place of its own. With several inputs the
members of a folder go below its name. Names that are taken get the page's own suffix back, then a number.
Names that differ in case or Unicode normalization only count as equal, whatever the file system, so that the
names are the same everywhere and the folder can be copied to macOS.

Only 64-bit hashes of the names are held, 70 to 110 bytes a file. Two names with the same hash would cost
one of them a number, never its text.
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
_HASH_BYTES = 6  # bytes of a hash that stands for the rest of a long name


class Names:
    """The names given so far; `several` tells that there is more than one input."""

    def __init__(self, suffix: str, several: bool = False) -> None:
        self._suffix, self._several = suffix, several
        self._taken = {key(STATE)}  # by files
        self._folders = {key("")}
        self._numbers: Counter[int] = Counter()  # last number of the names that needed one
        self._inputs: Counter[str] = Counter()  # folders named on the command line
        self._last: tuple[tuple[str, ...], str] = ((), "")
        self._shared: list[tuple[str, set[str]]] = []  # of the folder at hand and those above it

    def of_file(self, path: str) -> str:
        """The output of a file that was named itself: its path, without a root and `..` as tar does it.

        >>> names = Names(".txt")
        >>> names.of_file("a/b.html"), names.of_file("a/b.htm"), names.of_file("/x/../b.html.gz")
        ('a/b.txt', 'a/b.htm.txt', 'b.txt')
        """
        parts = Path(path).parts
        if os.path.isabs(path) or ".." in parts:
            parts = Path(os.path.abspath(path)).parts[1:]
        *folders, name = parts or ("unnamed",)
        return self._free(folders, [stem(name), name])

    def of_input(self, folder: str) -> str:
        """The folder that holds the output of an input folder: none, or its name where there are several."""
        if not self._several:
            return ""
        name = os.path.basename(os.path.abspath(folder)) or "root"
        self._inputs[same(name)] += 1
        number = self._inputs[same(name)]
        return fitted(name, f"-{number}" if number > 1 else "")

    def of_member(self, path: str, folder: str, above: str = "") -> str:
        """The output of a file below the input `folder`, whose output is in `above`.

        >>> Names(".txt").of_member("pages/a/b.html", "pages", "pages-2")
        'pages-2/a/b.txt'
        """
        inside = path[len(os.path.join(folder, "")) :]
        *folders, name = [*above.split("/"), *inside.split("/")] if above else inside.split("/")
        plain = stem(name)
        shared = plain in self._shared_stems(os.path.dirname(path))
        return self._free(folders, [name] if shared else [plain, name])

    def of_stream(self, name: str) -> str:
        """The output of standard input, which comes with its suffix."""
        return self._free([], [name.removesuffix(self._suffix)])

    def _free(self, folders: Sequence[str], plain: Sequence[str]) -> str:
        """The first name that no other file or folder has."""
        folder = self._folder(tuple(folders))
        for name in plain:
            path = os.path.join(folder, fitted(name, self._suffix))
            found = key(path)
            if found not in self._taken and found not in self._folders:
                self._taken.add(found)
                return path
        numbers = count(self._numbers[found] or 2)
        for number in numbers:
            path = os.path.join(folder, fitted(name, f"-{number}{self._suffix}"))
            numbered = key(path)
            if numbered not in self._taken and numbered not in self._folders:
                break
        self._numbers[found] = number + 1
        self._taken.add(numbered)
        return path

    def _folder(self, folders: tuple[str, ...]) -> str:
        """The path of a folder, each part of it renamed where a file has its name."""
        if folders == self._last[0]:
            return self._last[1]
        path = ""
        for name in folders:
            above, path = path, os.path.join(path, fitted(name))
            for number in count(2):
                if key(path) not in self._taken:
                    break
                path = os.path.join(above, fitted(name, f"-{number}"))
            self._folders.add(key(path))
        self._last = folders, path
        return path

    def _shared_stems(self, folder: str) -> set[str]:
        """The stems that several pages of a folder have; each folder is listed once while it is walked."""
        levels = self._shared
        while levels and not os.path.join(folder, "").startswith(os.path.join(levels[-1][0], "")):
            levels.pop()
        if not levels or levels[-1][0] != folder:
            levels.append((folder, shared_stems(folder)))
        return levels[-1][1]


def shared_stems(folder: str) -> set[str]:
    """The stems that several entries of a folder have, but for those that are no pages by their names."""
    try:
        stems = Counter(stem(name) for name in os.listdir(folder) if not no_page(name))
    except OSError:
        return set()
    return {name for name, number in stems.items() if number > 1}


def stem(name: str) -> str:
    """A file name without its suffix and that of its packing; a leading dot starts no suffix.

    >>> stem("b.html.gz"), stem(".profile"), stem("page")
    ('b', '.profile', 'page')
    """
    for packed in PACKED:
        name = name.removesuffix(packed) or name
    return os.path.splitext(name)[0]


def fitted(name: str, end: str = "") -> str:
    """A name with an end; one that is too long for a file system is cut, and a hash stands for the rest.

    >>> fitted("page", ".txt"), len(fitted("x" * 300, ".txt"))
    ('page.txt', 255)
    """
    data = os.fsencode(name)
    most = _MAX_NAME_BYTES - len(os.fsencode(end))
    if len(data) <= most:
        return name + end
    start = data[: most - 2 * _HASH_BYTES - 1]
    while start and data[len(start)] & 0xC0 == 0x80:  # the middle of a character
        start = start[:-1]
    return f"{os.fsdecode(start)}-{blake2b(data, digest_size=_HASH_BYTES).hexdigest()}{end}"


def same(name: str) -> str:
    """What is equal for names that some file system takes for one.

    >>> same("README") == same("Readme"), same("a") == same("b")
    (True, False)
    """
    return name.lower() if name.isascii() else normalize("NFC", normalize("NFC", name).casefold())


def key(path: str) -> int:
    """64 bits that stand for a path, the same in every run."""
    data = same(path).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little")
