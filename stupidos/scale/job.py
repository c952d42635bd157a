"""The specification of a run: everything that determines the bytes of its output, and nothing else."""

from __future__ import annotations

import os.path
import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from stupidos.scale.remote import is_url
from stupidos.scale.shard import WHOLE_RUN, Shard
from stupidos.scale.source_items import MAX_PAGE_BYTES
from stupidos.write import Style

if TYPE_CHECKING:
    from stupidos.pipeline import Options

SECONDS = 10.0  # CPU time for one page
_PACKED = (".gz", ".zst")
_SUFFIXES = {  # of the output file, without compression suffix -> format
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "jsonl",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".txt": "text",
    ".vert": "vertical",
    ".vrt": "vertical",
    ".tei": "tei",
    ".xml": "tei",
}
_FOLDER_SUFFIXES = {  # format -> suffix of the files in an output folder
    "text": ".txt",
    "cleaneval": ".txt",
    "jsonl": ".jsonl",
    "markdown": ".md",
    "html": ".html",
    "vertical": ".vert",
    "tei": ".xml",
}
_JSONL = Style("jsonl")


class Job(NamedTuple):
    """Inputs, output and settings."""

    inputs: tuple[str, ...]
    output: str = ""  # a file or folder; empty for a stream
    folder: bool = False
    style: Style = _JSONL
    model: str | None = None
    options: Options | None = None
    field: str | None = None  # field of JSON Lines that holds the page
    input: str = "auto"  # type of inputs without a known suffix: auto, html, text, jsonl, warc
    max_bytes: int = MAX_PAGE_BYTES  # of a page; the rest is ignored
    seconds: float = SECONDS  # of processor time for a page; 0 for no limit
    min_confidence: float | None = None  # pages below are skipped
    min_precision: float | None = None  # the same for the expected precision
    min_recall: float | None = None
    languages: tuple[str, ...] = ()  # pages in others are skipped; all are kept if there are none
    fields: Literal["keep", "drop"] = "keep"  # other fields of JSON Lines
    ordered: bool = True
    level: int | None = None  # of compression; None for the default
    shard: Shard = WHOLE_RUN  # the part of the run that this machine does
    returned: bool = False  # documents are sent back to the caller, not written
    cleaner: str = "stupidos.pipeline:Cleaner.load"  # called in each worker with model and options

    @property
    def packing(self) -> str:
        """Compression suffix: `.gz`, `.zst` or empty."""
        return "" if self.folder else next((one for one in _PACKED if self.output.endswith(one)), "")

    @property
    def remote(self) -> bool:
        """Whether the output is a URL; it is made in the current folder and uploaded when complete."""
        return is_url(self.output)

    @property
    def suffix(self) -> str:
        """Suffix of the files in an output folder; empty without a folder."""
        return _FOLDER_SUFFIXES[self.style.format] if self.folder else ""

    @property
    def parquet(self) -> bool:
        return not self.folder and self.output.endswith(".parquet")

    def fingerprint(self, models: str) -> str:
        """Hash of the job, version and models, to detect a changed command; `models` hashes the models."""
        import json
        from hashlib import sha256

        from stupidos import __version__

        options = self.options and asdict(self.options)
        settings: dict[str, Any] = {**self._asdict(), "options": options}
        settings.update(version=__version__, models=models)
        plain = json.dumps(settings, sort_keys=True, default=lambda value: sorted(value))
        return sha256(plain.encode("utf-8", "backslashreplace")).hexdigest()


def format_of(output: str) -> str | None:
    """The format implied by a file name; None for a folder.

    >>> format_of("clean.jsonl.gz"), format_of("corpus.vert"), format_of("out/"), format_of("out")
    ('jsonl', 'vertical', None, None)
    """
    name = re.sub(r"\.(?:gz|zst)$", "", output)
    return _SUFFIXES.get(suffix_of(name).lower()) if not output.endswith("/") else None


def suffix_of(path: str) -> str:
    """The suffix of a file name, with its dot; as pathlib has it, which takes long to import.

    >>> suffix_of("a.b/clean.jsonl"), suffix_of("a.b/clean"), suffix_of("clean.")
    ('.jsonl', '', '')
    """
    suffix = os.path.splitext(path)[1]
    return "" if suffix == "." else suffix
