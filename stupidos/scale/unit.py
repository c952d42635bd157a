"""Run one unit of work: clean its pages, write a part of the output, count the results."""

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
from stupidos.scale.compression import compressor
from stupidos.scale.disk import fsync, message, naming
from stupidos.scale.files import Files, printable_path
from stupidos.scale.job import Job
from stupidos.scale.jsonl import Lines
from stupidos.scale.page_task import FORMATS_WITH_ERRORS, PageOutput, PageTask, count, failed, fate_of
from stupidos.scale.source_items import Damage, Raw, Skipped, SourceItem, Span
from stupidos.scale.sources import Inline, Unit
from stupidos.scale.warc import Range

_MAX_FAILURES_LISTED = 100  # per unit; all failures have records
UNREADABLE = "reading on ended two workers: what is left of this piece was not read"
_BAD_NAME = frozenset(
    {errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL}
)  # the name is invalid; the disk is fine

Announce = Callable[[int, bool], None]  # number of the page in its unit, and whether it is being cleaned


class KnownCrashes(NamedTuple):
    """Failures learnt from earlier attempts at a unit that crashed a worker."""

    pages: Mapping[int, str] = {}  # number of a page -> why it failed
    end: int | None = None  # number of pages after which reading crashes the worker


class Outcome(NamedTuple):
    """The result of a unit."""

    accounts: Accounts
    failures: tuple[tuple[str, str], ...] = ()  # page and reason
    span: Span = Span(None, None)
    dropped: bool = False  # discard the written part


def run_unit(
    unit: Unit, task: PageTask, part: Path, known_crashes: KnownCrashes, announce: Announce
) -> Outcome:
    """Run a unit; its output goes to the file `part`, or to the output folder."""
    accounts, failures = Accounts(), list[tuple[str, str]]()
    span = Span(None, None)
    with closing(Folder(unit, task.job, part) if task.job.folder else Part(unit, task.job, part)) as output:
        number = 0
        pages = unit.work.items(task.job.most)
        while number != known_crashes.end:
            announce(number, False)
            item = _next_item(pages, unit)
            if item is None:
                break
            if isinstance(item, Skipped):
                accounts.skip(item.kind)
            elif isinstance(item, Span):
                span = item
            elif isinstance(item, Damage):
                accounts.damage(item)
                if len(failures) < _MAX_FAILURES_LISTED:
                    failures.append((f"{item.path}@{item.start}", item.reason))
            else:
                announce(number, True)
                result = task.output(item, known_crashes.pages.get(number, ""))
                document = result.document
                if unwritten := output.add(result):
                    document = failed(item._replace(id=document.id), unwritten)
                count(accounts, document, len(item.data))
                if fate_of(document) == "failed" and len(failures) < _MAX_FAILURES_LISTED:
                    failures.append((document.id, document.error))
                number += 1
        else:
            accounts.damaged += 1
            failures.append((source(unit), UNREADABLE))
        output.finish()
    return Outcome(accounts, tuple(failures), span)


def _next_item(pages: Iterator[SourceItem], unit: Unit) -> SourceItem | None:
    """Read the next item; a read error becomes a failed page that stands for the rest of the unit."""
    try:
        return next(pages, None)
    except ExtraError:
        raise
    except Exception as error:  # a deleted file, no memory, a library bug: continue with the other units
        return Raw(source(unit), error=f"not read from here on: {message(error)}")


def source(unit: Unit) -> str:
    """Where the pages of a unit come from."""
    work = unit.work
    if isinstance(work, Range):
        return f"{printable_path(work.path)}@{work.start}"
    return f"{printable_path(work.path)}:{work.first}" if isinstance(work, Lines) else "files"


class Part:
    """A part of one output file, compressed separately, since compressed parts can be concatenated."""

    def __init__(self, unit: Unit, job: Job, path: Path) -> None:
        self._path, self._file = path, path.open("wb")
        self._suffix = job.packing
        self._writer: Any = None if self._suffix else self._file
        # Formats without page markers have a blank line between pages
        self._between = "" if job.style.format in FORMATS_WITH_ERRORS else "\n"
        self._first = unit.number == 0

    def add(self, result: PageOutput) -> str:
        """Write a page; returns why the page could not be written, or \"\"."""
        if not result.text:
            return ""
        if self._writer is None:  # a part without pages stays empty
            self._writer = compressor(self._file, self._suffix)
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
        with suppress(OSError):  # the part is incomplete anyway
            self._file.close()


class Folder:
    """The files of an output folder; they are renamed into place after all files of the unit are synced."""

    def __init__(self, unit: Unit, job: Job, scratch: Path) -> None:
        self._root = Path(job.output)
        self._scratch = scratch
        work = unit.work
        self._names: Iterator[str] = work.names() if isinstance(work, Files | Inline) else repeat("")
        self._written: list[tuple[Path, Path]] = []

    def add(self, result: PageOutput) -> str:
        """Write a page; returns why its name is unusable, or \"\"."""
        name = next(self._names)
        failed_or_skipped = fate_of(result.document) == "failed" or result.document.skipped
        if not name or (failed_or_skipped and not result.text):
            return ""
        try:
            target = inside(self._root, name)
        except OSError as error:
            if error.errno in _BAD_NAME:
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
                fsync(path)
        for path, target in self._written:
            with naming(target):
                os.replace(path, target)
        for folder in {target.parent for _, target in self._written}:
            fsync(folder)

    def close(self) -> None:
        pass


def inside(root: Path, name: str) -> Path:
    """The path of `name` below `root`, with parent folders created; symlinks leading outside are rejected."""
    target = root / name
    parent = Path(os.path.realpath(target.parent))
    if not parent.is_relative_to(os.path.realpath(root)) or os.path.isdir(target):
        raise StupidosError(f"{target}: would be written outside of {root}: remove the link, or the folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        os.lstat(target)  # raises if the file system rejects the name
    return target
