"""Boxes of measured pages beside the pages, as NAME.boxes.json: for experiments with the visual features."""

from __future__ import annotations

from pathlib import Path

from stupidos.errors import CorpusError
from stupidos.lab.corpus import content, stem
from stupidos.literature.chromium import Browser
from stupidos.literature.fiasco import digest
from stupidos.literature.fiasco_regions import Boxes
from stupidos.literature.page_layout import stored_boxes, write_boxes
from stupidos.render import read

_SUFFIX = ".boxes.json"


def boxes_path(page: Path) -> Path:
    """The file beside a page that stores its boxes.

    >>> boxes_path(Path("raw/7.html.gz")).as_posix()
    'raw/7.boxes.json'
    """
    return page.with_name(stem(page) + _SUFFIX)


def measure(chromium: Browser, path: Path) -> Boxes:
    """Lay out a page and store its boxes beside it, unless they are there and current."""
    page = read(content(path))
    if not page.markup:
        raise CorpusError(f"{path}: a plain-text dump cannot be laid out")
    kept = stored_boxes(boxes_path(path))
    if kept and kept[0] == digest(page.source):
        return kept[1]
    boxes = chromium.boxes(page.source)
    write_boxes(boxes_path(path), page.source, boxes)
    return boxes


def boxes_by_digest(raw: Path) -> dict[str, Boxes]:
    """The boxes of all measured pages of a folder, by the digest of their source."""
    every = (stored_boxes(path) for path in sorted(raw.glob(f"*{_SUFFIX}")))
    return dict(one for one in every if one)
