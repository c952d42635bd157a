"""A step of a datatrove pipeline: documents come with HTML and go on with its text.

    from stupidos.scale.datatrove import StupidosCleaner

    pipeline = [WarcReader(...), StupidosCleaner(), JsonlWriter(...)]

The class is made when it is asked for, since its base belongs to a package that need not be installed.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from stupidos.errors import ExtraError
from stupidos.scale.desk import Desk, quiet
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

        A document without text goes no further unless `keep_empty`; then its error is in the metadata too.
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
                self.stat_update("total")
                with self.track_time(), quiet():
                    record = desk.record(page_of(document))
                document.text = record["text"]
                document.metadata.update({name: record[name] for name in KEPT})
                if record["error"]:
                    self.stat_update("failed")
                    document.metadata["error"] = record["error"]
                if document.text or self.keep_empty:
                    self.stat_update("forwarded")
                    self.update_doc_stats(document)
                    yield document
                else:
                    self.stat_update("dropped")

    StupidosCleaner.__qualname__ = "StupidosCleaner"
    return StupidosCleaner


def page_of(document: Any) -> Raw:
    """The page in a document."""
    text, truncated = shortened(document.text, MOST_PAGE)
    return Raw(document.id, text, str(document.metadata.get("url") or ""), truncated=truncated)
