"""A gold standard on disk: a folder of cleaned texts and a folder of raw pages, paired by file stem."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from stupidos.decode import decode
from stupidos.errors import CorpusError, StupidosError
from stupidos.gzip_members import MAGIC, unpacked
from stupidos.page import Kind, Page, Segment
from stupidos.render import read

_SUFFIXES = (".html", ".htm", ".txt")
_GZIP_SUFFIX = ".gz"
_MAX_BYTES = 1 << 28  # of a decompressed file; larger files are not pages
_MAX_NAMED_FILES = 8  # files a message names before it says how many more there are

# CLEANEVAL: a first line with the address; a mark before each paragraph, heading and list item.
_ADDRESS_LINE = re.compile(r"\A\s*URL:[^\n]*\n?")
_MARKER = re.compile(r"<([phl])>", re.IGNORECASE)


class Pair(NamedTuple):
    """A page and its gold text."""

    name: str  # file stem
    gold: Path
    raw: Path


class _Pairing(NamedTuple):
    """The pairs of two folders, sorted by name, and the files without a partner."""

    pairs: list[Pair]
    unpaired: list[Path]


def corpus(gold: Path, raw: Path) -> _Pairing:
    """Pair the files of two folders by stem; at least one pair must result."""
    golds, more_golds = by_stem(gold)
    raws, more_raws = by_stem(raw)
    pairs = [Pair(name, golds[name], raws[name]) for name in sorted(golds.keys() & raws.keys())]
    alone = [golds[name] for name in sorted(golds.keys() - raws.keys())]
    alone += [raws[name] for name in sorted(raws.keys() - golds.keys())]
    if not pairs:
        raise CorpusError(
            f"{gold} and {raw}: no two files have the same name before the dot: {listed(alone)}"
        )
    return _Pairing(pairs, [*alone, *more_golds, *more_raws])


def by_stem(folder: Path) -> tuple[dict[str, Path], list[Path]]:
    """Pages and texts of a folder by stem, and files whose stem is already taken."""
    try:
        paths = sorted(path for path in folder.iterdir() if stem(path) and path.is_file())
    except OSError as error:
        raise CorpusError(f"{folder}: cannot be read: {error.strerror}") from error
    if not paths:
        raise CorpusError(f"{folder}: has no file that ends in {', '.join(_SUFFIXES)} or {_GZIP_SUFFIX}")
    first: dict[str, Path] = {}
    twice = [path for path in paths if first.setdefault(stem(path), path) is not path]
    return first, twice


def stem(path: Path) -> str:
    """File name of a page without its suffixes; empty for other files.

    >>> stem(Path("raw/b.2.html.gz")), stem(Path("sites.json")), stem(Path(".page.txt"))
    ('b.2', '', '')
    """
    name = path.name
    plain = name[: -len(_GZIP_SUFFIX)] if name.lower().endswith(_GZIP_SUFFIX) else name
    if name.startswith(".") or not plain.lower().endswith(_SUFFIXES):
        return ""
    return plain.rpartition(".")[0]


def listed(paths: Iterable[Path]) -> str:
    """The first few files, for a message.

    >>> listed([Path(f"{number}.txt") for number in range(10)])
    '0.txt, 1.txt, 2.txt, 3.txt, 4.txt, 5.txt, 6.txt, 7.txt and 2 more'
    """
    names = [str(path) for path in paths]
    more = f" and {len(names) - _MAX_NAMED_FILES} more" if len(names) > _MAX_NAMED_FILES else ""
    return ", ".join(names[:_MAX_NAMED_FILES]) + more


def content(path: Path) -> bytes:
    """Bytes of a file, decompressed if it is gzip."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path}: cannot be read: {error.strerror}") from error
    if not data.startswith(MAGIC):
        return data
    try:
        page = unpacked(data, _MAX_BYTES)
    except StupidosError as error:
        raise CorpusError(f"{path}: {error}") from None
    if page.damage:
        raise CorpusError(f"{path}: {page.damage}: unpack it by hand, or fetch it again")
    return page.content


def gold_segments(text: str) -> list[Segment]:
    """Segments of a gold text: at its markers, or one per line without markers.

    >>> [(s.kind.value, s.text) for s in gold_segments("URL: x\\n<h>Tea\\n<p>Hot\\n or cold.")]
    [('h', 'Tea'), ('p', 'Hot or cold.')]
    >>> [segment.text for segment in gold_segments("Tea\\n\\nHot or cold.")]
    ['Tea', 'Hot or cold.']
    """
    before, *marked = _MARKER.split(_ADDRESS_LINE.sub("", text))
    kinds = [Kind(letter.lower()) for letter in marked[::2]]
    lines = [(Kind.PARAGRAPH, line) for line in before.splitlines()]
    squeezed = (
        (kind, " ".join(part.split())) for kind, part in [*lines, *zip(kinds, marked[1::2], strict=True)]
    )
    return [Segment(part, kind) for kind, part in squeezed if part]


def gold_of(path: Path) -> list[Segment]:
    """Segments of a gold file, in any encoding."""
    text, _ = decode(content(path))
    return gold_segments(text)


def raw_of(path: Path) -> Page:
    """A raw page or dump, rendered."""
    return read(content(path))
