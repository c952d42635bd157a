"""Run one unit of work: clean its pages, write a part of the output, count the results."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from stupidos.errors import ExtraError, StupidosError
from stupidos.scale.accounts import Accounts
from stupidos.scale.compression import compressor
from stupidos.scale.disk import fsync, message, naming
from stupidos.scale.files import Files, printable_path
from stupidos.scale.job import Job
from stupidos.scale.jsonl import Lines
from stupidos.scale.page_task import PageOutput, PageTask, count, failed, fate_of
from stupidos.scale.source_items import Damage, Raw, Skipped, SourceItem, Span
from stupidos.scale.sources import Inline, Unit
from stupidos.scale.warc import Range
from stupidos.write import before_page

if TYPE_CHECKING:
    from stupidos.confidence import Estimate
    from stupidos.metadata.extract import Metadata
    from stupidos.verdict import Decision

_MAX_FAILURES_LISTED = 100  # per unit; all failures have records
_BUFFER = 1 << 17  # bytes written at once; a record has some 10 kB
_UNREADABLE = "reading on ended two workers: what is left of this piece was not read"
_BAD_NAME = frozenset(
    {errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL}
)  # the name is invalid; the disk is fine

_Announce = Callable[[int, bool], None]  # number of the page in its unit, and whether it is being cleaned


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
    replies: tuple[Reply, ...] = ()  # the documents of a job that returns them


def run_unit(
    unit: Unit, task: PageTask, part: Path, known_crashes: KnownCrashes, announce: _Announce
) -> Outcome:
    """Run a unit; its output goes to the file `part`, or to the output folder."""
    accounts, failures = Accounts(), list[tuple[str, str]]()
    span = Span(None, None)
    with closing(_output_of(unit, task.job, part)) as output, task.limit.kept():
        number = 0
        pages = unit.work.items(task.job.max_bytes)
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
            failures.append((_source(unit), _UNREADABLE))
        output.finish()
    return Outcome(accounts, tuple(failures), span, replies=tuple(output.replies))


def _next_item(pages: Iterator[SourceItem], unit: Unit) -> SourceItem | None:
    """Read the next item; a read error becomes a failed page that stands for the rest of the unit."""
    try:
        return next(pages, None)
    except ExtraError:
        raise
    except Exception as error:  # a deleted file, no memory, a library bug: continue with the other units
        return Raw(_source(unit), error=f"not read from here on: {message(error)}")


def _source(unit: Unit) -> str:
    """Where the pages of a unit come from."""
    work = unit.work
    if isinstance(work, Range):
        return f"{printable_path(work.path)}@{work.start}"
    return f"{printable_path(work.path)}:{work.first}" if isinstance(work, Lines) else "files"


class Reply(NamedTuple):
    """What a worker sends back of a document; the rest can be computed from the page again."""

    id: str
    text: str
    metadata: Metadata
    decision: Decision | None
    markup: bool
    estimate: Estimate | None
    truncated: str
    error: str
    skipped: str


class _Output(Protocol):
    """Receives the pages of a unit."""

    replies: list[Reply]

    def add(self, result: PageOutput) -> str:
        """Add a page; returns why it could not be written, or \"\"."""

    def finish(self) -> None: ...

    def close(self) -> None: ...


def _output_of(unit: Unit, job: Job, part: Path) -> _Output:
    if job.returned:
        return _Replies()
    return _Folder(unit, job, part) if job.folder else _Part(unit, job, part)


class _Replies:
    """The documents, to be sent to the caller."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []

    def add(self, result: PageOutput) -> str:
        document, text = result
        self.replies.append(
            Reply(
                document.id,
                text,
                document.metadata,
                document.decision,
                document.page.markup,
                document.estimate,
                document.truncated,
                document.error,
                document.skipped,
            )
        )
        return ""

    def finish(self) -> None:
        pass

    def close(self) -> None:
        pass


class _Part:
    """A part of one output file, compressed separately, since compressed parts can be concatenated."""

    def __init__(self, unit: Unit, job: Job, path: Path) -> None:
        self._path, self._file = path, path.open("wb", _BUFFER)
        self.replies: list[Reply] = []
        self._suffix = job.packing
        self._writer: Any = None if self._suffix else self._file
        self._style, self._level = job.style, job.level
        self._first = unit.number == 0

    def add(self, result: PageOutput) -> str:
        """Write a page; returns why the page could not be written, or \"\"."""
        if not result.text:
            return ""
        if self._writer is None:  # a part without pages stays empty
            self._writer = compressor(self._file, self._suffix, self._level)
        text = before_page(self._style, result.document.id, self._first) + result.text
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


class _Folder:
    """The files of an output folder; they are renamed into place after all files of the unit are synced."""

    def __init__(self, unit: Unit, job: Job, scratch: Path) -> None:
        self.replies: list[Reply] = []
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
            target = _inside(self._root, name)
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


def _inside(root: Path, name: str) -> Path:
    """The path of `name` below `root`, with parent folders created; symlinks leading outside are rejected."""
    target = root / name
    parent = Path(os.path.realpath(target.parent))
    if not parent.is_relative_to(os.path.realpath(root)) or os.path.isdir(target):
        raise StupidosError(f"{target}: would be written outside of {root}: remove the link, or the folder")
    target.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        os.lstat(target)  # raises if the file system rejects the name
    return target
