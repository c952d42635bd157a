"""The index of a report on several pages: worst confidence first."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from string import Template
from typing import NamedTuple
from urllib.parse import quote

from stupidos.assets import asset
from stupidos.report.formatting import total_words
from stupidos.report.html_report import digest
from stupidos.report.page_report import PageReport

INDEX_FILE = "index.html"


class IndexEntry(NamedTuple):
    """One page in the index."""

    name: str  # of the page's file
    title: str = ""
    file: str = ""  # of its report, relative to the index; empty if there is none
    confidence: float | None = None
    kept: int = 0  # words
    words: int = 0
    error: str = ""  # why there is no report


def index_entry(name: str, file: str, report: PageReport) -> IndexEntry:
    """The entry of a page that has a report."""
    kept = total_words(verdict for verdict in report.verdicts if verdict.keep)
    words = total_words(report.verdicts)
    return IndexEntry(name, report.title, file, report.confidence, kept, words)


def _worst_first(entries: Iterable[IndexEntry]) -> list[IndexEntry]:
    """Pages that could not be read, then the least confident ones; those without a confidence last.

    >>> pages = [IndexEntry("a", confidence=0.9), IndexEntry("b"), IndexEntry("c", confidence=0.2)]
    >>> [entry.name for entry in _worst_first([*pages, IndexEntry("d", error="is no text")])]
    ['d', 'c', 'a', 'b']
    """
    return sorted(
        entries,
        key=lambda entry: (
            not entry.error,
            2.0 if entry.confidence is None else entry.confidence,
            entry.name,
        ),
    )


def index_page(entries: Iterable[IndexEntry], model: str) -> str:
    """The index as HTML, which loads nothing and runs no script."""
    ordered = _worst_first(entries)
    folder = _common_folder([entry.name for entry in ordered])
    known = [entry.confidence for entry in ordered if entry.confidence is not None]
    style = asset("base.css") + asset("report.css")
    return Template(asset("report-index.html")).substitute(
        policy=f"default-src 'none'; style-src '{digest(style)}'; base-uri 'none'; form-action 'none'",
        style=style,
        pages=f"{len(ordered):,}",
        failed=f"{sum(bool(entry.error) for entry in ordered):,}",
        kept=f"{sum(entry.kept for entry in ordered):,}",
        words=f"{sum(entry.words for entry in ordered):,}",
        confidence=f"{sum(known) / len(known):.0%}" if known else "unknown",
        model=escape(model),
        folder=f"<div><dt>folder</dt><dd><bdi>{escape(folder)}</bdi></dd></div>" if folder else "",
        rows="\n".join(_rows(ordered, folder)),
    )


def _common_folder(names: Sequence[str]) -> str:
    """The folder that all files are in, or below; empty if there is none.

    >>> _common_folder(["a/b/c.html", "a/b/d/e.html"]), _common_folder(["a/b.html", "/a/b.html"])
    ('a/b', '')
    """
    try:
        return os.path.commonpath([os.path.dirname(name) for name in names])
    except ValueError:  # relative and absolute ones, other drives, or none at all
        return ""


def _rows(entries: Iterable[IndexEntry], folder: str) -> Iterator[str]:
    """The entries; names of files are shown from the folder on."""
    for entry in entries:
        name = escape(os.path.relpath(entry.name, folder) if folder else entry.name)
        title = escape(entry.title) or name
        if entry.error:
            yield (
                f'<li class="failed"><span class="figure">–</span><div><p class="page" dir="auto">{title}</p>'
                f'<p class="note">{escape(entry.error)}</p></div></li>'
            )
            continue
        confidence = "–" if entry.confidence is None else f"{entry.confidence:.0%}"
        note = f"{name} · {entry.kept:,} of {entry.words:,} words kept"
        yield (
            f'<li><span class="figure">{confidence}</span><div>'
            f'<p class="page" dir="auto"><a href="{escape(quote(entry.file))}">{title}</a></p>'
            f'<p class="note"><bdi>{note}</bdi></p></div></li>'
        )
