"""Steps of a datatrove pipeline: read WARC files, and replace the HTML of documents by its text.

    from stupidos.scale.datatrove import StupidosCleaner, StupidosWarcReader

    pipeline = [StupidosWarcReader("crawl/"), StupidosCleaner(), JsonlWriter("clean/")]
    LocalPipelineExecutor(pipeline, tasks=2, workers=2).run()

datatrove's own WarcReader works too. The extra `datatrove` brings what it imports, except
the system library libmagic (Debian: apt-get install libmagic1). It does not count the records that it
drops: those that are not HTML by their WARC-Identified-Payload-Type or by libmagic, those whose encoding it
cannot guess or that do not decode in it, and what follows a damaged place.

The classes are created on first access, since their base classes belong to an optional package.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from stupidos.decode import decode, quietly
from stupidos.errors import DecodeError, missing_extra
from stupidos.scale.accounts import Fate
from stupidos.scale.job import SECONDS, Job
from stupidos.scale.page_task import PageTask
from stupidos.scale.source_items import MAX_PAGE_BYTES, Damage, Raw, Skipped, shortened
from stupidos.scale.warc import whole_file
from stupidos.write.records import CONFIDENCE, METADATA_FIELDS

if TYPE_CHECKING:
    from stupidos.pipeline import Options

# of the record, in the metadata
_KEPT = (*METADATA_FIELDS, "text_sha1", *CONFIDENCE, "model", "model_sha256", "truncated")
_DUMP = "dump"  # metadata of a WET record: its text is plain


def __getattr__(name: str) -> Any:
    if name in _CLASSES:
        try:
            return _CLASSES[name]()
        except ImportError:
            raise missing_extra("pipelines need datatrove", "datatrove") from None
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def _cleaner_class() -> Any:
    """The class; the same one every time, or no other process could find it."""
    from datatrove.pipeline.base import PipelineStep

    class StupidosCleaner(PipelineStep):  # type: ignore[misc]
        """Replace each document's HTML by its text; the other fields of its record go to the metadata.

        A document without text is dropped unless `keep_empty`; then its error is in the metadata too. The
        stats count as the command line does, read = written + empty + failed, and `cut` pages of which only
        the first 20 MB were looked at; datatrove's own are total = forwarded + dropped.
        """

        name = "stupidos"
        type = "🛢 - EXTRAC"

        def __init__(
            self,
            model: str | None = None,
            options: Options | None = None,
            timeout: float = SECONDS,
            keep_empty: bool = False,
        ) -> None:
            super().__init__()
            self.job = Job((), model=model, options=options, seconds=timeout)
            self.keep_empty = keep_empty

        def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Any:
            task = PageTask(self.job)
            for document in data:
                raw = _page_of(document)
                with self.track_time(), quietly():
                    record = task.record(raw)
                document.text = record["text"]
                if "date" in document.metadata:  # of the crawl, by datatrove's own reader
                    document.metadata.setdefault("warc_date", document.metadata["date"])
                document.metadata.update({name: record[name] for name in _KEPT})
                if record["error"]:
                    document.metadata["error"] = record["error"]
                forwarded = bool(document.text) or self.keep_empty
                self.stat_update("total", "read", _fate_of(record), "forwarded" if forwarded else "dropped")
                if record["truncated"]:
                    self.stat_update("cut")
                if forwarded:
                    self.update_doc_stats(document)
                    yield document

    StupidosCleaner.__qualname__ = "StupidosCleaner"
    return StupidosCleaner


@cache
def _reader_class() -> Any:
    """The class of the reader, created like that of the cleaner."""
    from datatrove.pipeline.readers.base import BaseDiskReader

    class StupidosWarcReader(BaseDiskReader):  # type: ignore[misc]
        """Read the pages of WARC and WET files; takes the arguments of datatrove's other readers.

        The stats count what gives no document as the command line does: records `skipped`, pages `empty`
        and `failed` (not text, or not to be unpacked), `damaged` places, and the bytes `lost` to them.
        """

        name = "stupidos WARC"

        def read_file(self, filepath: str) -> Any:
            path = self.data_folder.resolve_paths(filepath)
            for number, item in enumerate(whole_file(path).items(MAX_PAGE_BYTES)):
                if isinstance(item, Skipped):
                    self.stat_update("skipped")
                elif isinstance(item, Damage):
                    self.stat_update("damaged")
                    self.stat_update("lost", value=item.end - item.start, unit="byte")
                elif isinstance(item, Raw):
                    with self.track_time():
                        document = self._document(item, filepath, number)
                    if document:
                        yield document

        def _document(self, page: Raw, filepath: str, number: int) -> Any:
            try:
                data = _document_of(page)
            except DecodeError:
                self.stat_update("failed")
                return None
            if not data["text"]:
                self.stat_update("failed" if page.error else "empty")
                return None
            return self.get_document_from_dict(data, filepath, number)

    StupidosWarcReader.__qualname__ = "StupidosWarcReader"
    return StupidosWarcReader


_CLASSES = {"StupidosCleaner": _cleaner_class, "StupidosWarcReader": _reader_class}


def _document_of(page: Raw) -> dict[str, Any]:
    """The fields of a document; a WET record is marked as a dump."""
    text = page.data
    if isinstance(text, bytes):
        with quietly():
            text = decode(text, page.header)[0]
    fields: dict[str, Any] = {"text": text, "id": page.id, "url": page.url}
    fields |= {name: value for name, value in page.fields.items() if value is not None}
    fields |= {_DUMP: True} if page.dump else {}
    return fields | ({"truncated": page.truncated} if page.truncated else {})


def _fate_of(record: dict[str, object]) -> Fate:
    """What became of a page: `written`, `empty` or `failed`.

    >>> _fate_of({"text": "Hi", "error": None}), _fate_of({"text": "", "error": "needs more than 10 s"})
    ('written', 'failed')
    """
    if record["text"]:
        return "written"
    return "failed" if record["error"] else "empty"


def _page_of(document: Any) -> Raw:
    """The page in a document."""
    text, truncated = shortened(document.text, MAX_PAGE_BYTES)
    metadata = document.metadata
    return Raw(
        document.id,
        text,
        str(metadata.get("url") or ""),
        dump=bool(metadata.get(_DUMP)),
        truncated=truncated or str(metadata.get("truncated") or ""),
    )
