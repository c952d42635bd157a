"""What there is to do: inputs of every kind, cut into units that any worker can take.

The cut depends on the inputs alone, never on the number of workers, so that a stopped run can be
taken up again and any number of workers write the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import chain, islice
from typing import NamedTuple

from stupidos.errors import ExtraError, StupidosError
from stupidos.scale.disk import NO_FILE
from stupidos.scale.files import File, Files, file_or_skipped, no_page, shown, tree, unreadable
from stupidos.scale.input_kinds import kind_of
from stupidos.scale.jsonl import Lines, pieces
from stupidos.scale.names import Names
from stupidos.scale.source_items import Found, Raw, Skipped, is_archive
from stupidos.scale.warc import Range, ranges

FEW = 8  # pages that a unit has at least, however large they are
MOST_FILES = 64
ENOUGH = 8 << 20  # bytes of files in one unit


class Inline(NamedTuple):
    """A page that is here already: standard input, or the news that an input cannot be read."""

    page: Raw
    name: str = ""

    @property
    def size(self) -> int:
        return len(self.page.data)

    def found(self, most: int) -> Iterator[Found]:
        yield self.page

    def names(self) -> Iterator[str]:
        yield self.name


Work = Files | Range | Lines | Inline
Name = str | Inline | Lines  # of an input; or what has been read of it already


class Unit(NamedTuple):
    """A piece of work with its place in the whole."""

    number: int
    chain: int  # units of one chain are ranges of one file, each to begin where the last one ended
    work: Work
    digest: str  # tells whether the work is still the one that was done before
    size: int  # bytes on disk

    def light(self) -> Unit:
        """The unit without what it carries; done, it may have to wait."""
        return self._replace(work=self.work._replace(lines=())) if isinstance(self.work, Lines) else self


class Wanted(NamedTuple):
    """How the inputs are to be read."""

    field: str | None = None  # of JSON Lines
    suffix: str = ""  # of files in an output folder; empty where the output is one file
    avoid: str = ""  # the output folder as the system knows it
    input: str = "auto"  # what inputs are whose names do not tell: auto, html, text, jsonl, warc


def units(names: Iterable[Name], wanted: Wanted = Wanted()) -> Iterator[Unit]:
    """The whole work, piece by piece; nothing is held but the piece at hand."""
    chains = 0
    for number, (new, work) in enumerate(works(names, wanted)):
        chains += new
        yield Unit(number, chains, work, digest(work), work.size)


def works(names: Iterable[Name], wanted: Wanted) -> Iterator[tuple[bool, Work]]:
    """Pieces of work, each with whether it starts a new chain."""
    batch: list[File | Skipped | Raw] = []
    for entry in entries(names, wanted):
        if isinstance(entry, Name):
            if batch:
                yield True, Files(tuple(batch))
                batch = []
            yield from archive(entry, wanted) if isinstance(entry, str) else [(True, entry)]
            continue
        batch.append(entry)
        if len(batch) == MOST_FILES or (len(batch) >= FEW and Files(tuple(batch)).size >= ENOUGH):
            yield True, Files(tuple(batch))
            batch = []
    if batch:
        yield True, Files(tuple(batch))


def entries(names: Iterable[Name], wanted: Wanted) -> Iterator[File | Skipped | Raw | Name]:
    """Files, what is skipped or fails in folders, and the paths of files that hold many pages."""
    names = iter(names)
    first = list(islice(names, 2))
    outputs = Names(wanted.suffix, several=len(first) > 1) if wanted.suffix else None
    for name in chain(first, names):
        if isinstance(name, Inline):
            yield name._replace(name=outputs.of_stream(name.name)) if outputs else name
        elif isinstance(name, Lines):
            yield name
        elif os.path.isdir(name):
            yield from folder_entries(name, wanted.avoid, outputs)
        elif kind_of(name, wanted.input, wanted.field):
            yield name
        else:
            file = file_or_skipped(name)
            if isinstance(file, Skipped):
                yield Raw(shown(name), error=f"{NO_FILE}: give it as standard input (-)")
            else:
                yield file._replace(name=outputs.of_file(name)) if outputs else file


def folder_entries(folder: str, avoid: str, outputs: Names | None) -> Iterator[File | Skipped | Raw | str]:
    """The same for all that is below a folder, where names tell what is no page."""
    above = outputs.of_input(folder) if outputs else ""
    for path in tree(folder, avoid):
        if not isinstance(path, str):
            yield path
        elif not is_archive(path) and (kind := no_page(os.path.basename(path))):
            yield Skipped(kind)
        else:
            file = file_or_skipped(path)
            if isinstance(file, Skipped):
                yield file
            elif is_archive(path):
                yield path
            else:
                yield file._replace(name=outputs.of_member(path, folder, above)) if outputs else file


def sizes(names: Iterable[str]) -> Iterator[int]:
    """Bytes of the inputs on the disk, file by file; what cannot be read has none."""
    for entry in entries(names, Wanted()):
        if isinstance(entry, File):
            yield entry.size
        elif isinstance(entry, str) and "://" not in entry:
            file = file_or_skipped(entry)
            yield file.size if isinstance(file, File) else 0


def archive(path: str, wanted: Wanted) -> Iterator[tuple[bool, Work]]:
    """The pieces of a file of many pages; one that cannot be read is a page that failed."""
    if wanted.suffix:
        raise StupidosError(f"{path} holds many pages: write them to one file (-o clean.jsonl), not a folder")
    try:
        if kind_of(path, wanted.input, wanted.field) == "warc":
            for piece in ranges(path):
                yield piece.start == 0, piece
        else:
            for lines in pieces(path, wanted.field):
                yield True, lines
    except ExtraError:
        raise
    except (OSError, ValueError, MemoryError, StupidosError) as error:
        yield True, Inline(unreadable(path, error))


def digest(work: Work) -> str:
    """A short hash of a piece of work and the size and time of its files."""
    state = sha256()
    if isinstance(work, Lines):
        for line in work.lines:
            state.update(line)
        work = work._replace(lines=())
    state.update(repr(work).encode("utf-8", "backslashreplace"))
    return state.hexdigest()[:16]
