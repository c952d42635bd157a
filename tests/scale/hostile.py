"""Folders as hostile as a file system allows: names, kinds of files and collisions."""

from __future__ import annotations

import gzip
import os
import random
import stat
from pathlib import Path
from typing import NamedTuple

STEMS = [
    *(b"p", b"P", b"q", b"p-2", b"p.html-2", b"a..b", b"-o", b"--", b"a b", b"a\nb", b"\\", b"*", b"'\""),
    *("é".encode(), "e\u0301".encode(), "É".encode(), "ß".encode(), "🐢".encode(), "😀".encode() * 60),
    *(b"\xff\xfe", b"\x80" * 200, b"x" * 240, b"x" * 250, b"X" * 250, b"standard-input"),
]
ENDS = [
    b"",
    b".html",
    b".htm",
    b".HTML",
    b".html.html",
    b".txt",
    b".txt.html",
    b".html.gz",
    b".php?id=1",
    b".",
]
FOLDERS = [b"p", b"P", b"p.txt", b"P.TXT", b"q.html", b"d\n", b"\xfe", "É.txt".encode(), b"x" * 250 + b".txt"]
KINDS = (
    "fifo",
    "socket",
    "dangling",
    "loop",
    "link to a folder",
    "link to a page",
    "empty",
    "forbidden",
    "hidden",
)


class Hostile(NamedTuple):
    """What there is to clean, and what should become of it."""

    inputs: tuple[bytes, ...]
    pages: dict[int, list[bytes]]  # number in the text -> the paths that lead to it
    failed: int
    empty: int
    skipped: int


def hostile(root: Path, count: int) -> Hostile:
    """So many files in three folders, two of which have the same name."""
    chance = random.Random(count)
    tops = [os.fsencode(root / name) for name in ("a/pages", "b/pages", "c")]
    for top in tops:
        os.makedirs(top)
    found = Hostile((*tops,), {}, 0, 0, 0)
    for number in range(count):
        found = add(found, place(chance, chance.choice(tops)), number, chance)
    named = [chance.choice(paths) for paths in found.pages.values()][:5]
    for path in named:  # each of them twice, besides its folder
        (number,) = (number for number, paths in found.pages.items() if path in paths)
        found.pages[number].extend([path, path])
    return found._replace(
        inputs=(*tops, *named, *named, root_of(tops[0]) + b"/none.html"), failed=found.failed + 1
    )


def root_of(top: bytes) -> bytes:
    return os.path.dirname(os.path.dirname(top))


def place(chance: random.Random, top: bytes) -> bytes:
    """A path that no file has yet."""
    while True:
        folder = os.path.join(top, *chance.choices(FOLDERS, k=chance.randrange(4)))
        name = chance.choice(STEMS) + chance.choice(ENDS)
        path = os.path.join(folder, name if chance.random() < 0.8 else b"%d%s" % (chance.randrange(99), name))
        if len(os.path.basename(path)) > 255 or os.path.lexists(path):
            continue
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError:  # a file has that name
            continue
        return path


def add(found: Hostile, path: bytes, number: int, chance: random.Random) -> Hostile:
    """Make a file; one in five is not what its name says."""
    kind = chance.choice(KINDS) if chance.random() < 0.2 else "page"
    if kind in ("fifo", "socket"):
        os.mknod(path, 0o600 | (stat.S_IFIFO if kind == "fifo" else stat.S_IFSOCK))
        return found._replace(skipped=found.skipped + 1)
    if kind in ("dangling", "loop"):
        os.symlink(b"/no/such/page" if kind == "dangling" else os.path.basename(path), path)
        return found._replace(failed=found.failed + 1)
    if kind == "link to a folder":
        os.symlink(os.path.dirname(path), path)
        return found._replace(skipped=found.skipped + 1)
    if kind == "link to a page" and found.pages:
        other = chance.choice(list(found.pages))
        os.symlink(found.pages[other][0], path)
        found.pages[other].append(path)
        return found
    if kind == "hidden":
        with open(os.path.join(os.path.dirname(path), b".%d" % number), "wb"):
            return found._replace(skipped=found.skipped + 1)
    data = b"" if kind == "empty" else b"<p>Page %d." % number
    with open(path, "wb") as file:
        file.write(gzip.compress(data) if path.endswith(b".gz") else data)
    if kind == "empty":
        return found._replace(empty=found.empty + 1)
    if kind == "forbidden":
        os.chmod(path, 0)
        if not os.access(path, os.R_OK):  # root may read everything
            return found._replace(failed=found.failed + 1)
    found.pages[number] = [path]
    return found
