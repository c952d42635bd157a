"""The state that the journal's entries add up to: the labels of every page, and the undo stack."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stupidos.annotate.journal import AnnotationEntry
from stupidos.annotate.labels import Label, LabelledPage, matched_segments
from stupidos.page import Kind, Segment

_UNDOABLE = frozenset({"change", "finish"})


class PageLabels(NamedTuple):
    """The current labels of a page."""

    labels: list[Label]
    by_hand: list[bool]
    settled: list[bool]  # conflicts with a second annotator that were resolved
    finished: bool


class History:
    """The entries of a journal by page, without those that were undone."""

    def __init__(self, entries: Iterable[AnnotationEntry] = ()) -> None:
        self._pages: dict[str, list[AnnotationEntry]] = defaultdict(list)
        self._undoable: list[str] = []  # page of each change, in order
        self._keys: set[str] = set()
        self.last = ""  # page of the last entry
        for entry in entries:
            self.add(entry)

    def add(self, entry: AnnotationEntry) -> None:
        """Apply one entry; an undo removes the last change."""
        if entry.key:
            self._keys.add(entry.key)
        if entry.do == "undo":
            if self._undoable:
                _remove_last_change(self._pages[self._undoable.pop()])
        else:
            self._pages[entry.page].append(entry)
            if entry.do in _UNDOABLE:
                self._undoable.append(entry.page)
        self.last = entry.page or self.last

    def has_key(self, key: str) -> bool:
        """Whether a request with this key was carried out already."""
        return bool(key) and key in self._keys

    def pages(self) -> list[str]:
        """Names of the pages that have entries."""
        return [name for name, entries in self._pages.items() if entries]

    def entries(self, name: str) -> tuple[AnnotationEntry, ...]:
        """The entries of a page that were not undone."""
        return tuple(self._pages.get(name, ()))

    def undo_page(self) -> str:
        """Page of the change that an undo would remove; empty if there is none."""
        return self._undoable[-1] if self._undoable else ""

    def finished(self, name: str) -> bool:
        """Whether the labels of a page have been accepted."""
        return any(entry.do in ("finish", "import") for entry in self._pages.get(name, ()))

    def accepted(self, name: str) -> bool:
        """Whether a page was finished without a single change: its labels are the model's.

        Settled conflicts do not count: a second annotator caused them.
        """
        entries = self._pages.get(name, ())
        if not self.finished(name) or any(entry.do == "change" and not entry.settles for entry in entries):
            return False
        return all(entry.hands and "1" not in entry.hands for entry in entries if entry.do == "import")

    def rendered_texts(self, name: str) -> tuple[str, ...] | None:
        """Texts of the segments that the page's last changes refer to."""
        last = self.last_rendering(name)
        return None if last is None else last.texts

    def last_rendering(self, name: str) -> AnnotationEntry | None:
        """The entry with the segments that the page's last changes refer to."""
        return next((entry for entry in reversed(self._pages.get(name, ())) if entry.renders), None)

    def gold(self, name: str) -> LabelledPage | None:
        """A finished page by the journal alone, independent of its raw page and of the model."""
        if not self.finished(name):
            return None
        last = self.last_rendering(name) or AnnotationEntry("open", name)
        page = self.page_labels(name, last.texts, [Label(False, Kind.PARAGRAPH)] * len(last.texts))
        authors = [entry.annotator for entry in self._pages[name] if entry.annotator]
        return LabelledPage(
            name=name,
            title=last.title,
            segments=[Segment(text) for text in last.texts],
            labels=page.labels,
            by_hand=page.by_hand,
            source=last.source,
            sha256=last.sha256,
            annotator=authors[-1] if authors else "",
        )

    def page_labels(
        self, name: str, texts: Sequence[str], suggested: Sequence[Label], settling: bool = True
    ) -> PageLabels:
        """The suggested labels of a page, replaced by those that the annotator gave.

        Without `settling`, settled conflicts count as they were before, which is what the agreement
        of two annotators is measured on.
        """
        page = PageLabels(list(suggested), [False] * len(texts), [False] * len(texts), self.finished(name))
        indices = {i: i for i in range(len(texts))}
        for entry in self._pages.get(name, ()):
            if entry.renders:
                indices = matched_segments(entry.texts, texts)
            if entry.do in ("finish", "import") or (entry.do == "open" and settling):
                _apply_all(page, entry, indices)
            elif entry.do == "change" and (settling or not entry.settles):
                _apply_change(page, entry, indices)
        return page


def _remove_last_change(entries: list[AnnotationEntry]) -> None:
    """Remove the last change of a page; the rendering it refers to stays."""
    del entries[max(i for i, entry in enumerate(entries) if entry.do in _UNDOABLE)]


def _apply_all(page: PageLabels, entry: AnnotationEntry, indices: dict[int, int]) -> None:
    """Set all labels of a page; `indices` maps the segments of the entry to those of the page."""
    for i, (keep, kind) in enumerate(zip(entry.keeps, entry.kinds, strict=False)):
        if i in indices:
            page.labels[indices[i]] = Label(keep == "1", Kind(kind))
    for i, hand in enumerate(entry.hands):
        if i in indices:
            page.by_hand[indices[i]] = hand == "1"


def _apply_change(page: PageLabels, entry: AnnotationEntry, indices: dict[int, int]) -> None:
    """Set the labels of one change, for those of its segments that are still on the page."""
    for i in entry.segments:
        if i not in indices:
            continue
        here = indices[i]
        keep, kind = page.labels[here]
        page.labels[here] = Label(
            keep if entry.keep is None else entry.keep, kind if entry.kind is None else Kind(entry.kind)
        )
        page.by_hand[here] = True
        if entry.settles:
            page.settled[here] = True
