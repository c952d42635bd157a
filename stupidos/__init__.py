"""Web pages to clean text: a model decides which segments of a page to keep, the rest is boilerplate.

    import stupidos

    text = stupidos.clean(html)                      # str or bytes
    document = stupidos.extract(html, url="https://example.org/")
    document.text, document.title, document.confidence
    for verdict in document.verdicts:
        verdict.segment.text, verdict.score, verdict.keep, verdict.reason
    for document in stupidos.extract_many(pages, jobs=4):
        document.text, document.error

Names are fetched when first used, so that `stupidos --version` does not pay for numpy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stupidos import decode, errors, pipeline, render, write
    from stupidos.document import Document
    from stupidos.errors import CorpusError, DecodeError, ExtraError, ModelError, StupidosError
    from stupidos.page import Kind, Page, Segment, Verdict
    from stupidos.pipeline import Cleaner, Options, clean, extract
    from stupidos.scale.many import extract_many

__version__ = "0.1.0"

HOMES = {
    "Cleaner": "pipeline",
    "Document": "document",
    "CorpusError": "errors",
    "DecodeError": "errors",
    "ExtraError": "errors",
    "Kind": "page",
    "ModelError": "errors",
    "Options": "pipeline",
    "Page": "page",
    "Segment": "page",
    "StupidosError": "errors",
    "Verdict": "page",
    "clean": "pipeline",
    "extract": "pipeline",
    "extract_many": "scale.many",
}
_MODULES = frozenset(
    {"decode", "errors", "pipeline", "render", "write"}
)  # `stupidos.render.render` just works

__all__ = [
    "Cleaner",
    "CorpusError",
    "DecodeError",
    "Document",
    "ExtraError",
    "Kind",
    "ModelError",
    "Options",
    "Page",
    "Segment",
    "StupidosError",
    "Verdict",
    "__version__",
    "clean",
    "decode",
    "errors",
    "extract",
    "extract_many",
    "pipeline",
    "render",
    "write",
]


def __getattr__(name: str) -> Any:
    """The public name, out of the module that holds it."""
    if name in _MODULES:
        return import_module(f"stupidos.{name}")
    if name not in HOMES:
        raise AttributeError(f"module 'stupidos' has no attribute {name!r}")
    value = getattr(import_module(f"stupidos.{HOMES[name]}"), name)
    globals()[name] = value  # asked once
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *HOMES, *_MODULES})
