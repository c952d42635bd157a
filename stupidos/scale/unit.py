"""One unit of work: its pages in, a part of the output out, and what became of them."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

from stupidos.errors import ExtraError, StupidosError
from stupidos.scale.accounts import Accounts
from stupidos.scale.compression import packing
from stupidos.scale.disk import message, naming, synced
from stupidos.scale.files import Files, shown
from stupidos.scale.job import Job
from stupidos.scale.jsonl import Lines
from stupidos.scale.page_task import FORMATS_WITH_ERRORS, Output, PageTask, failed, fate_of
from stupidos.scale.source_items import Damage, Found, Raw, Skipped, Span
from stupidos.scale.sources import Inline, Unit
from stupidos.scale.warc import Range

MOST_NAMED = 100  # failures named one by one in a unit; all have their records
UNREADABLE = "reading on ended two workers: what is left of this piece was not read"
BAD_NAME = frozenset({errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL})  # of a page, no fault of the disk

Announce = Callable[[int, bool], None]  # number of the page in its unit, and whether it is being cleaned


class Poison(NamedTuple):
    """What earlier attempts at a unit taught, each of which ended a worker."""

    pages: Mapping[int, str] = {}  # number of a page -> why it failed
    end: int | None = None  # number of pages after which reading on ends the worker


class Outcome(NamedTuple):
    """What became of a unit."""

    accounts: Accounts
    failures: tuple[tuple[str, str], ...] = ()  # page and reason
    span: Span = Span(None, None)
    dropped: bool = False  # what was written is not to be used


def worked(unit: Unit, task: PageTask, part: Path, poison: Poison, announce: Announce) -> Outcome:
    """Do a unit; its output is in the file `part`, or in the output folder."""
    accounts, failures = Accounts(), list[tuple[str, str]]()
    span = Span(None, None)
    with closing(Folder(unit, task.job, part) if task.job.folder else Part(unit, task.job, part)) as output:
        number = 0
        pages = unit.work.found(task.job.most)
        while number != poison.end:
            announce(number, False)
            found = following(pages, unit)
            if found is None:
                break
            if isinstance(found, Skipped):
                accounts.skip(found.kind)
            elif isinstance(found, Span):
                span = found
            elif isinstance(found, Damage):
                accounts.damage(found)
                if len(failures) < MOST_NAMED:
                    failures.append((f"{found.path}@{found.start}", found.reason))
            else:
                announce(number, True)
                result = task.output(found, poison.pages.get(number, ""))
                document = result.document
                if unwritten := output.add(result):
                    document = failed(found._replace(id=document.id), unwritten)
                fate = fate_of(document)
                accounts.count(fate, bool(document.truncated), len(found.data))
                if fate == "failed" and len(failures) < MOST_NAMED:
                    failures.append((document.id, document.error))
                number += 1
        else:
            accounts.damaged += 1
            failures.append((source(unit), UNREADABLE))
        output.finish()
    return Outcome(accounts, tuple(failures), span)


def following(pages: Iterator[Found], unit: Unit) -> Found | None:
    """What is read next; where reading fails, the rest of the unit is a page with an error."""
    try:
        return next(pages, None)
    except ExtraError:
        raise
    except Exception as error:  # a file that vanished, no memory, a bug of a library: the others must go on
        return Raw(source(unit), error=f"not read from here on: {message(error)}")


def source(unit: Unit) -> str:
    """Where the pages of a unit come from."""
    work = unit.work
    if isinstance(work, Range):
        return f"{shown(work.path)}@{work.start}"
    return f"{shown(work.path)}:{work.first}" if isinstance(work, Lines) else "files"


class Part:
    """A part of one output file; packed by itself, since packed parts may be joined."""

    def __init__(self, unit: Unit, job: Job, path: Path) -> None:
        self._path, self._file = path, path.open("wb")
        self._suffix = job.packing
        self._writer: Any = None if self._suffix else self._file
        # A blank line goes before all pages but the first, where the format does not mark their starts
        self._between = "" if job.style.format in FORMATS_WITH_ERRORS else "\n"
        self._first = unit.number == 0

    def add(self, result: Output) -> str:
        """Write a page; why it could not be written, where that is the fault of the page."""
        if not result.text:
            return ""
        if self._writer is None:  # a part without pages is no bytes at all
            self._writer = packing(self._file, self._suffix)
        text = result.text if self._first else self._between + result.text
        with naming(self._path):
            self._writer.write(text.encode("utf-8", "replace"))
        self._first = False
        return ""

    def finish(self) -> None:
        with naming(self._path):
            if self._writer is not None:
                self._writer.close()
            self._file.close()

    def close(self) -> None:
        with suppress(OSError):  # of a part that could not be finished
            self._file.close()


class Folder:
    """The files of an output folder; each gets its name when all of the unit are safe on the disk."""

    def __init__(self, unit: Unit, job: Job, scratch: Path) -> None:
        self._root = Path(job.output)
        self._scratch = scratch
        work = unit.work
        self._names: Iterator[str] = work.names() if isinstance(work, Files | Inline) else repeat("")
        self._written: list[tuple[Path, Path]] = []

    def add(self, result: Output) -> str:
        """Write a page; why it could not be written, where that is the fault of its name."""
        name = next(self._names)
        if not name or (fate_of(result.document) == "failed" and not result.text):
            return ""
        try:
            target = inside(self._root, name)
        except OSError as error:
            if error.errno in BAD_NAME:
                return f"no place in {self._root}: {error.strerror}"
            raise
        path = self._scratch.with_suffix(f".{len(self._written)}")
        with naming(target):
            path.write_bytes(result.text.encode("utf-8", "replace"))
        self._written.append((path, target))
        return ""

    def finish(self) -> None:
        for path, target in self._written:
            with naming(target):
                synced(path)
        for path, target in self._written:
            with naming(target):
                os.replace(path, target)
        for folder in {target.parent for _, target in self._written}:
            synced(folder)

    def close(self) -> None:
        pass


def inside(root: Path, name: str) -> Path:
    """The path of a name in a folder, its folders made; a link that leads elsewhere is refused."""
    target = root / name
    parent = Path(os.path.realpath(target.parent))
    if not parent.is_relative_to(os.path.realpath(root)) or os.path.isdir(target):
        raise StupidosError(f"{target}: would be written outside of {root}: remove the link, or the folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        os.lstat(target)  # the system says now whether it can have such a name
    return target
