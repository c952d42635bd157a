"""What a run is asked to do: everything that decides the bytes of its output, and nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stupidos.scale.source_items import MOST_PAGE
from stupidos.write import Style

if TYPE_CHECKING:
    from stupidos.pipeline import Options

SECONDS = 10.0  # processor time for one page
PACKED = (".gz", ".zst")
SUFFIXES = {  # of the output file, packing aside -> format
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "jsonl",
    ".md": "markdown",
    ".txt": "text",
    ".vert": "vertical",
    ".vrt": "vertical",
    ".tei": "tei",
    ".xml": "tei",
}
FOLDER_SUFFIXES = {  # format -> what the files of an output folder end in
    "text": ".txt",
    "cleaneval": ".txt",
    "jsonl": ".jsonl",
    "markdown": ".md",
    "vertical": ".vert",
    "tei": ".xml",
}
JSONL = Style("jsonl")


@dataclass(frozen=True, slots=True)
class Job:
    """Inputs, output and how to get from one to the other."""

    inputs: tuple[str, ...]
    output: str = ""  # a file or folder; empty for a stream
    folder: bool = False
    style: Style = JSONL
    model: str | None = None
    options: Options | None = None
    field: str | None = None  # of JSON Lines that holds the page
    input: str = "auto"  # what inputs are whose names do not tell: auto, html, text, jsonl, warc
    most: int = MOST_PAGE  # bytes of a page
    seconds: float = SECONDS
    least: float | None = None  # confidence below which a page is left out
    ordered: bool = True
    cleaner: str = "stupidos.pipeline:Cleaner.load"  # made by the workers from model and options

    @property
    def packing(self) -> str:
        """`.gz`, `.zst` or nothing."""
        return "" if self.folder else next((one for one in PACKED if self.output.endswith(one)), "")

    @property
    def suffix(self) -> str:
        """What the files of an output folder end in; nothing where there is no folder."""
        return FOLDER_SUFFIXES[self.style.format] if self.folder else ""

    @property
    def parquet(self) -> bool:
        return not self.folder and self.output.endswith(".parquet")

    def fingerprint(self, models: str) -> str:
        """What tells a changed command from the same one; `models` stands for the models' content."""
        from hashlib import sha256

        from stupidos import __version__

        found: dict[str, Any] = asdict(self)
        found.update(version=__version__, models=models)
        plain = json.dumps(found, sort_keys=True, default=lambda value: sorted(value))
        return sha256(plain.encode("utf-8", "backslashreplace")).hexdigest()


def format_of(output: str) -> str | None:
    """The format that a file name asks for; None when it is a folder's.

    >>> format_of("clean.jsonl.gz"), format_of("corpus.vert"), format_of("out/"), format_of("out")
    ('jsonl', 'vertical', None, None)
    """
    name = re.sub(r"\.(?:gz|zst)$", "", output)
    return SUFFIXES.get(Path(name).suffix.lower()) if not output.endswith("/") else None
