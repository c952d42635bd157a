"""Split inputs of every kind into units of work.

The split depends only on the inputs, not on the number of workers, so that an interrupted run can be
resumed and any number of workers writes the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import chain, islice
from typing import NamedTuple

from stupidos.errors import ExtraError, StupidosError
from stupidos.scale.disk import NOT_REGULAR
from stupidos.scale.files import File, Files, file_or_skipped, no_page, printable_path, tree, unreadable
from stupidos.scale.input_kinds import kind_of
from stupidos.scale.jsonl import Lines, pieces
from stupidos.scale.names import Names
from stupidos.scale.remote import is_url
from stupidos.scale.source_items import Raw, Skipped, SourceItem, is_archive
from stupidos.scale.warc import Range, ranges

_MIN_UNIT_FILES = 8  # a unit has at least this many, however large they are
_MAX_UNIT_FILES = 64
_UNIT_BYTES = 8 << 20  # a unit is complete at this size


class Inline(NamedTuple):
    """A page already in memory: standard input, or the error of an unreadable input."""

    page: Raw
    name: str = ""

    @property
    def size(self) -> int:
        return len(self.page.data)

    def items(self, most: int) -> Iterator[SourceItem]:
        yield self.page

    def names(self) -> Iterator[str]:
        yield self.name


_Work = Files | Range | Lines | Inline
Name = str | Inline | Lines  # an input by name, or content that has already been read


class Unit(NamedTuple):
    """A piece of work and its position in the run."""

    number: int
    chain: int  # units of a chain are ranges of one file; each begins where the previous one ended
    work: _Work
    digest: str  # detects inputs that changed between runs
    size: int  # bytes on disk

    def without_lines(self) -> Unit:
        """The unit without its data, which is no longer needed when it is finished."""
        return self._replace(work=self.work._replace(lines=())) if isinstance(self.work, Lines) else self


class ReadOptions(NamedTuple):
    """How inputs are read."""

    field: str | None = None  # of JSON Lines
    suffix: str = ""  # of files in an output folder; empty if the output is one file
    avoid: str = ""  # real path of the output folder, which is not read
    input: str = "auto"  # type of inputs without a known suffix: auto, html, text, jsonl, warc


def units(names: Iterable[Name], options: ReadOptions = ReadOptions()) -> Iterator[Unit]:
    """All units, generated lazily."""
    chains = 0
    for number, (new, work) in enumerate(_works(names, options)):
        chains += new
        yield Unit(number, chains, work, _digest(work), work.size)


def _works(names: Iterable[Name], options: ReadOptions) -> Iterator[tuple[bool, _Work]]:
    """Pieces of work, each with a flag that says whether it starts a new chain."""
    batch: list[File | Skipped | Raw] = []
    for entry in _entries(names, options):
        if isinstance(entry, Name):
            if batch:
                yield True, Files(tuple(batch))
                batch = []
            yield from _archive(entry, options) if isinstance(entry, str) else [(True, entry)]
            continue
        batch.append(entry)
        if len(batch) == _MAX_UNIT_FILES or (
            len(batch) >= _MIN_UNIT_FILES and Files(tuple(batch)).size >= _UNIT_BYTES
        ):
            yield True, Files(tuple(batch))
            batch = []
    if batch:
        yield True, Files(tuple(batch))


def _entries(names: Iterable[Name], options: ReadOptions) -> Iterator[File | Skipped | Raw | Name]:
    """Files, skipped and unreadable entries of folders, and the paths of archives."""
    names = iter(names)
    first = list(islice(names, 2))
    outputs = Names(options.suffix, several=len(first) > 1) if options.suffix else None
    for name in chain(first, names):
        if isinstance(name, Inline):
            yield name._replace(name=outputs.of_stream(name.name)) if outputs else name
        elif isinstance(name, Lines):
            yield name
        elif os.path.isdir(name):
            yield from _folder_entries(name, options.avoid, outputs)
        elif kind_of(name, options.input, options.field):
            yield name
        else:
            file = file_or_skipped(name)
            if isinstance(file, Skipped):
                yield Raw(printable_path(name), error=f"{NOT_REGULAR}: give it as standard input (-)")
            else:
                yield file._replace(name=outputs.of_file(name)) if outputs else file


def _folder_entries(folder: str, avoid: str, outputs: Names | None) -> Iterator[File | Skipped | Raw | str]:
    """The entries below a folder; files whose suffix excludes a page are skipped."""
    above = outputs.of_input(folder) if outputs else ""
    pages = False
    for path in tree(folder, avoid):
        if not isinstance(path, str):
            pages = pages or isinstance(path, Raw)  # what cannot be read has an error of its own
            yield path
        elif not is_archive(path) and (kind := no_page(os.path.basename(path))):
            yield Skipped(kind)
        else:
            file = file_or_skipped(path)
            pages = pages or not isinstance(file, Skipped)
            if isinstance(file, Skipped):
                yield file
            elif is_archive(path):
                yield path
            else:
                yield file._replace(name=outputs.of_member(path, folder, above)) if outputs else file
    if not pages:
        yield Raw(printable_path(folder), error="holds no pages: is it the right folder?")


def sizes(names: Iterable[str]) -> Iterator[int]:
    """Sizes of the inputs on disk in bytes, file by file; 0 if unreadable."""
    for entry in _entries(names, ReadOptions()):
        if isinstance(entry, File):
            yield entry.size
        elif isinstance(entry, str) and not is_url(entry):
            file = file_or_skipped(entry)
            yield file.size if isinstance(file, File) else 0


def _archive(path: str, options: ReadOptions) -> Iterator[tuple[bool, _Work]]:
    """The pieces of an archive; an unreadable archive becomes a failed page."""
    if options.suffix:
        raise StupidosError(f"{path} holds many pages: write them to one file (-o clean.jsonl), not a folder")
    try:
        if kind_of(path, options.input, options.field) == "warc":
            for piece in ranges(path):
                yield piece.start == 0, piece
        else:
            for lines in pieces(path, options.field):
                yield True, lines
    except ExtraError:
        raise
    except (OSError, ValueError, MemoryError, StupidosError) as error:
        yield True, Inline(unreadable(path, error))


def _digest(work: _Work) -> str:
    """A short hash of a piece of work and the size and time of its files."""
    state = sha256()
    if isinstance(work, Lines):
        for line in work.lines:
            state.update(line)
        work = work._replace(lines=())
    state.update(repr(work).encode("utf-8", "backslashreplace"))
    return state.hexdigest()[:16]
