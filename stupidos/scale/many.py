"""Many pages from Python: `extract_many`, with the workers and limits of a crawl."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.document import Document
from stupidos.metadata.detect import primary
from stupidos.page import Page
from stupidos.pipeline import Cleaner, Options, checked
from stupidos.scale.executor import WorkerPool
from stupidos.scale.files import File, Files, page
from stupidos.scale.job import SECONDS, Job
from stupidos.scale.ordering import OrderedEmitter
from stupidos.scale.page_task import PageTask, failed
from stupidos.scale.source_items import MAX_PAGE_BYTES, Raw
from stupidos.scale.sources import Unit
from stupidos.scale.unit import Reply
from stupidos.write import Style

if TYPE_CHECKING:
    Data = str | bytes | os.PathLike[str]

_UNIT_PAGES = 32  # pages that a worker gets at once
_UNIT_BYTES = 2 << 20  # a unit is complete at this size
_UNITS_AHEAD = 3  # per worker, that wait to be cleaned or to be taken

_log = logging.getLogger("stupidos")


def extract_many(
    pages: Iterable[Data | tuple[str, Data]],
    *,
    jobs: int = 1,
    model: str | None = None,
    options: Options | None = None,
    timeout: float = SECONDS,
    max_bytes: int = MAX_PAGE_BYTES,
    lang: Collection[str] = (),
) -> Iterator[Document]:
    """The documents of many pages, in the order of the pages.

    A page is a str, bytes, or the path of a file (a pathlib.Path); or such a page with its id, (id, page). A
    page that cannot be cleaned, takes longer than `timeout` seconds of processor time or ends its worker is a
    document with an `error`, and a warning of the logger `stupidos`. At most `max_bytes` of a page
    are read. With `jobs` above 1, worker processes do the work; pages are read from the iterable as they are
    needed. The time limit needs the main thread, or `jobs` above 1. With `lang` (codes such as "de"), a page
    in another language is a document without text; its `skipped` says which language.

    >>> [(document.id, document.text) for document in extract_many([("rain", "<p>It rained all day long.")])]
    [('rain', 'It rained all day long.\\n')]
    """
    if isinstance(lang, str):
        raise TypeError(f"lang is a list of codes: [{lang!r}]")
    if isinstance(pages, str | bytes | bytearray | os.PathLike) or not isinstance(pages, Iterable):
        name = type(pages).__name__
        raise TypeError(f"pages are an iterable of pages, not {name}: for one page there is extract")
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}: at least one process is needed")
    job = Job(
        (), style=Style("text"), model=model, options=options, seconds=timeout, max_bytes=max_bytes,
        languages=tuple(map(primary, lang)), returned=True,
    )  # fmt: skip
    documents = _in_process(pages, job) if jobs == 1 else _in_workers(pages, job, jobs)
    return _logged(documents)


def _logged(documents: Iterable[Document]) -> Iterator[Document]:
    for document in documents:
        if document.error and not document.skipped:
            _log.warning("%s: %s", document.id, document.error)
        yield document


def _entries(pages: Iterable[Data | tuple[str, Data]]) -> Iterator[tuple[str, File | Raw]]:
    """Each page with its id: to be read from a file, in memory, or an error."""
    for number, given in enumerate(pages):
        name, data = given if isinstance(given, tuple) and len(given) == 2 else ("", given)
        if isinstance(data, os.PathLike):
            path = os.fspath(data)
            yield str(name) or path, File(path)
            continue
        name = str(name) or str(number)
        try:
            yield name, Raw(name, checked(data))
        except TypeError as error:
            yield name, Raw(name, error=str(error))


def _read(name: str, entry: File | Raw, most: int) -> Raw:
    raw = page(entry.path, most) if isinstance(entry, File) else entry
    return raw._replace(id=name)


def _in_process(pages: Iterable[Data | tuple[str, Data]], job: Job) -> Iterator[Document]:
    task = PageTask(job._replace(returned=False))  # metadata are computed only on access
    for name, entry in _entries(pages):
        yield task.document(_read(name, entry, job.max_bytes))


def _in_workers(pages: Iterable[Data | tuple[str, Data]], job: Job, jobs: int) -> Iterator[Document]:
    task = PageTask(job, deadly=True)
    cleaner = Cleaner.load(job.model, replace(job.options or Options(), structure=True))
    emitter = OrderedEmitter(ordered=True)
    waiting: dict[int, list[tuple[str, File | Raw]]] = {}  # what each unit under way was made of
    plan = _units(pages, waiting)
    with closing(WorkerPool(job, Path(), jobs, task)) as pool:
        while True:
            while pool.free() and len(waiting) < _UNITS_AHEAD * jobs and (unit := next(plan, None)):
                pool.start(unit)
            if not pool.busy():
                return
            for unit, outcome in emitter.add(*pool.finished()):
                entries = waiting.pop(unit.number)
                for (name, entry), reply in zip(entries, outcome.replies, strict=True):
                    read = partial(_read, name, entry, job.max_bytes)
                    yield _document(cleaner, reply._replace(id=name), read)


def _units(
    pages: Iterable[Data | tuple[str, Data]], waiting: dict[int, list[tuple[str, File | Raw]]]
) -> Iterator[Unit]:
    entries = _entries(pages)
    number = 0
    while group := list(_next_group(entries)):
        waiting[number] = group
        yield Unit(number, number, Files(tuple(entry for _, entry in group)), "", 0)
        number += 1


def _next_group(entries: Iterator[tuple[str, File | Raw]]) -> Iterator[tuple[str, File | Raw]]:
    """The next entries, up to _UNIT_PAGES or _UNIT_BYTES."""
    size = 0
    for name, entry in islice(entries, _UNIT_PAGES):
        yield name, entry
        size += len(entry.data) if isinstance(entry, Raw) else 0
        if size >= _UNIT_BYTES:
            break


def _document(cleaner: Cleaner, reply: Reply, read: Callable[[], Raw]) -> Document:
    if reply.decision is None:
        document = failed(Raw(reply.id, truncated=reply.truncated), reply.error)
        document.skipped = reply.skipped
        return document
    return _Returned(cleaner, reply, read)


class _Returned(Document):
    """A document that a worker judged; its page is rendered again on first access."""

    def __init__(self, cleaner: Cleaner, reply: Reply, read: Callable[[], Raw]) -> None:
        self._cleaner, self._reply, self._read = cleaner, reply, read
        self._rendered: Page | None = None
        super().__init__(
            scorer=cleaner.scorer if reply.markup else cleaner.dump_scorer,
            decision=reply.decision,
            id=reply.id,
            model=cleaner.model_of(cleaner.scorer if reply.markup else cleaner.dump_scorer),
            truncated=reply.truncated,
            error=reply.error,
        )
        self._estimate, self._metadata = reply.estimate, reply.metadata

    @property
    def page(self) -> Page:
        if self._rendered is None:
            self._rendered = self._cleaner.page(self._read().data)
        return self._rendered

    @property
    def text(self) -> str:
        return self._reply.text
