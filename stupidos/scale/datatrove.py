"""A step of a datatrove pipeline: documents come with HTML and go on with its text.

    from stupidos.scale.datatrove import StupidosCleaner

    pipeline = [WarcReader(...), StupidosCleaner(), JsonlWriter(...)]
    LocalPipelineExecutor(pipeline, tasks=2, workers=2).run()

The extra `datatrove` brings what WarcReader and JsonlWriter import, except the system library libmagic
(Debian: apt-get install libmagic1). WarcReader drops records before this step sees them, and does not count
them: those that are not HTML by their WARC-Identified-Payload-Type or by libmagic, and those whose encoding
it cannot guess or that do not decode in it.

The class is made when it is asked for, since its base belongs to a package that need not be installed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from stupidos.errors import ExtraError
from stupidos.scale.desk import Desk, Fate, quiet
from stupidos.scale.job import SECONDS, Job
from stupidos.scale.raw import MOST_PAGE, Raw, shortened

if TYPE_CHECKING:
    from stupidos.pipeline import Options

KEPT = ("title", "confidence", "model", "model_sha256")  # of the record, in the document's metadata


def __getattr__(name: str) -> Any:
    if name == "StupidosCleaner":
        return cleaner_class()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def cleaner_class() -> Any:
    """The class; the same one every time, or no other process could find it."""
    try:
        from datatrove.pipeline.base import PipelineStep
    except ImportError:
        raise ExtraError('pipelines need datatrove: pip install "stupidos[datatrove]"') from None

    class StupidosCleaner(PipelineStep):  # type: ignore[misc]
        """Replace each document's HTML by its text; confidence and model go to the metadata.

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
            desk = Desk(self.job)
            for document in data:
                raw = page_of(document)
                with self.track_time(), quiet():
                    record = desk.record(raw)
                document.text = record["text"]
                document.metadata.update({name: record[name] for name in KEPT})
                if record["error"]:
                    document.metadata["error"] = record["error"]
                forwarded = bool(document.text) or self.keep_empty
                self.stat_update("total", "read", fate_of(record), "forwarded" if forwarded else "dropped")
                if raw.cut:
                    self.stat_update("cut")
                if forwarded:
                    self.update_doc_stats(document)
                    yield document

    StupidosCleaner.__qualname__ = "StupidosCleaner"
    return StupidosCleaner


def fate_of(record: dict[str, object]) -> Fate:
    """What became of a page: `written`, `empty` or `failed`.

    >>> fate_of({"text": "Hi", "error": None}), fate_of({"text": "", "error": "needs more than 10 s"})
    ('written', 'failed')
    """
    if record["text"]:
        return "written"
    return "failed" if record["error"] else "empty"


def page_of(document: Any) -> Raw:
    """The page in a document."""
    text, truncated = shortened(document.text, MOST_PAGE)
    return Raw(document.id, text, str(document.metadata.get("url") or ""), truncated=truncated)
