"""What is observed of each page of the golden set, as it is stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import catalogue
import probe
import store

Records = dict[str, dict[str, Any]]
# From cause to effect, so that the first difference told is the one to look at.
SECTIONS = (
    "error",
    "segments",
    "web",
    "verdicts",
    "explain",
    "options",
    "render",
    "output",
    "outputs",
    "crawls",
)


class Observations:
    """Everything that is observed of the pages; what is done with all pages at once is done first."""

    def __init__(self, folder: Path) -> None:
        self.pages = catalogue.pages()
        self.own = {name: data for name, data in self.pages.items() if name in catalogue.OWN}
        self.options: Records = probe.options(self.own, folder)
        self.outputs: Records = probe.outputs(self.own, folder)
        self.crawls: dict[str, Records] = {
            "folder": probe.folder_crawl(self.pages, folder),
            "warc": probe.warc_crawl(self.pages, folder),
        }

    def page(self, name: str) -> Any:
        """All that is observed of a page."""
        found = probe.observed(self.pages[name], complete=name in self.own)
        if name in self.own:
            found |= {"options": self.options[name], "outputs": self.outputs[name]}
        alone = json.loads(found["output"]["clean --format jsonl"][0])
        crawled = {kind: other_fields(alone, records.get(name)) for kind, records in self.crawls.items()}
        found["crawls"] = crawled
        return store.condensed({section: found[section] for section in SECTIONS if section in found})


def other_fields(alone: dict[str, Any], record: dict[str, Any] | None) -> Any:
    """The fields of a page's record in a crawl that `clean --format jsonl` gives otherwise.

    >>> other_fields({"id": "-", "text": "Tea"}, {"id": "tea.html", "text": "Tea"})
    {'id': 'tea.html'}
    """
    if record is None:
        return "no record"
    missing = {key: "missing" for key in alone if key not in record}
    return missing | {key: value for key, value in record.items() if alone.get(key) != value}


def differences(expected: Any, found: Any, name: str) -> Iterator[str]:
    """Where a page is not what it was: page, section, model, field, segment.

    Crawls over WARC files are compared only where they can be read.
    """
    crawls = {kind: value for kind, value in expected["crawls"].items() if kind in found["crawls"]}
    expected = expected | {"crawls": crawls}
    if json.dumps(expected) == json.dumps(found):
        return  # by far the usual case, and much faster than to look at each number
    for where, how in store.differences(expected, found):
        yield f"{name} / {' / '.join(where)}: {how}{segment_at(expected, where)}"


def segment_at(expected: Any, where: store.Where) -> str:
    """The text of the segment that a place in an observation tells of, where it does."""
    if len(where) < 3 or where[0] not in ("verdicts", "web") or not where[-1].isdigit():
        return ""
    section, model = where[:2]
    reading = expected["verdicts"][model if section == "verdicts" else "web"]["segments of"]
    segments = expected["segments"][reading]
    at = int(where[-1])
    return (
        f" (segment {at}: {segments[at][-1][:40]!r})"
        if isinstance(segments, list) and at < len(segments)
        else ""
    )
