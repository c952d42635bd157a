"""The layout of pages that are cleaned with visual features: measured once, then kept in a cache folder."""

from __future__ import annotations

import json
import os
from contextlib import ExitStack
from pathlib import Path
from threading import Lock

from stupidos.atomic_file import replacing
from stupidos.errors import CorpusError
from stupidos.literature.chromium import Browser, browser
from stupidos.literature.fiasco import digest
from stupidos.literature.fiasco_regions import Boxes

_BROWSER_LOCK = Lock()  # a browser lays out one page at a time; the annotation server has threads


def _cache_folder() -> Path:
    """Where boxes are kept: $STUPIDOS_CACHE, or `stupidos` in the user's cache folder."""
    own = os.environ.get("STUPIDOS_CACHE")
    if own:
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "stupidos"


class LayoutCache:
    """Boxes of pages by their source: from the cache, else from one Chromium that is started when needed."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _cache_folder()
        self._open = ExitStack()
        self._browser: Browser | None = None

    def __call__(self, source: str) -> Boxes:
        path = self.folder / f"{digest(source)}.boxes.json"
        kept = _stored_boxes(path)
        if kept and kept[0] == digest(source):
            return kept[1]
        with _BROWSER_LOCK:
            if self._browser is None:
                self._browser = self._started()
            boxes = self._browser.boxes(source)
        _write_boxes(path, source, boxes)
        return boxes

    def _started(self) -> Browser:
        from multiprocessing.util import Finalize

        chromium = self._open.enter_context(browser())
        Finalize(self, self._open.close, exitpriority=10)  # at the end of a worker too, unlike atexit
        return chromium

    def close(self) -> None:
        """Quit the browser; the next page that is not in the cache starts another."""
        self._browser = None
        self._open.close()


def _write_boxes(path: Path, source: str, boxes: Boxes) -> None:
    """Write the boxes of a page, by way of another file: runs may share a cache."""
    text = json.dumps({"source": digest(source), "boxes": boxes}, separators=(",", ":"))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise CorpusError(f"{path}: cannot be written: {error.strerror}; set STUPIDOS_CACHE") from error


def _stored_boxes(path: Path) -> tuple[str, Boxes] | None:
    """The digest of a measured page and its boxes; None if there is no file."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        boxes = {
            int(number): [(float(x), float(y), float(width), float(height)) for x, y, width, height in lines]
            for number, lines in stored["boxes"].items()
        }
        return str(stored["source"]), boxes
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CorpusError(f"{path}: holds no boxes: remove it ({error})") from error
