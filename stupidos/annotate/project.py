"""An annotation project: the raw pages, and the folder of their labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from stupidos.annotate.second_annotator import SecondAnnotator
from stupidos.annotate.suggestions import ReadPage
from stupidos.errors import CorpusError
from stupidos.lab.corpus import by_stem, content


@dataclass(frozen=True, slots=True)
class Project:
    """The pages to label, and the folder that receives the labels."""

    raw_pages: Mapping[str, ReadPage]  # by the stem of their file
    gold: Path
    annotator: str = ""
    second: SecondAnnotator = field(default_factory=lambda: SecondAnnotator({}))
    sources: Mapping[str, str] = field(default_factory=dict)  # file name of each raw page


def open_project(raw: Path, gold: Path, annotator: str = "", read_only: bool = False) -> Project:
    """The project of two folders; the gold folder is created if missing, unless it is only read."""
    files = _raw_files(raw)
    try:
        if read_only:
            gold.stat()
        else:
            gold.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CorpusError(f"{gold}: {error.strerror}") from error
    if gold.samefile(raw):
        raise CorpusError(f"{gold}: gold files need a folder of their own, not that of the raw pages")
    raw_pages = {name: partial(content, path) for name, path in files.items()}
    return Project(raw_pages, gold, annotator, sources={name: path.name for name, path in files.items()})


def _raw_files(folder: Path) -> dict[str, Path]:
    """The pages of a folder by their stems; two pages of one stem would share a gold file."""
    files, duplicates = by_stem(folder)
    if duplicates:
        raise CorpusError(
            f"{duplicates[0]}: another page has the same name before the dot; rename one of them"
        )
    return files
