"""Two annotators compared: agreement and conflicts, from the journal of the one and the labels of the other.

Nothing is written, so that the agreement can be printed while the folder is being annotated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from stupidos.annotate.agreement import Agreement, agreement
from stupidos.annotate.history import History, PageLabels
from stupidos.annotate.journal import JOURNAL_FILE, AnnotationEntry, read_entries
from stupidos.annotate.labels import LABELS_SUFFIX, Label, StoredLabels, label_codes, read_labels
from stupidos.annotate.project import Project
from stupidos.annotate.second_annotator import SecondAnnotator, conflict, label_pairs
from stupidos.page import Kind


class Conflict(NamedTuple):
    """A segment that two annotators labelled differently."""

    segment: int
    text: str
    ours: Label
    theirs: Label
    settled: bool


class _AgreementSummary(NamedTuple):
    """The agreement over a folder."""

    agreement: Agreement
    pages: int  # compared
    accepted: int  # left out, since one of the two accepted all suggestions unchanged


@dataclass(frozen=True, slots=True)
class AnnotatorComparison:
    """The labels of one annotator beside those of another."""

    history: History
    second: SecondAnnotator

    def compared(self) -> list[str]:
        """Pages that both have finished."""
        return [
            name
            for name in self.second.pages
            if self.history.finished(name) and self.history.rendered_texts(name) is not None
        ]

    def accepted(self, name: str) -> bool:
        """Whether one of the two accepted all suggestions: that says nothing about two annotators."""
        return self.history.accepted(name) or self.second.pages[name].accepted

    def agreement(self, name: str) -> Agreement:
        """The agreement on one page, before conflicts were settled."""
        texts = self.history.rendered_texts(name) or ()
        ours = self._labels(name, texts, settling=False)
        return agreement(label_pairs(texts, ours.labels, self.second.labels(name, texts)))

    def summary(self, with_accepted: bool = False) -> _AgreementSummary:
        """The agreement over all pages that both have finished; accepted ones are left out by default."""
        names = self.compared()
        counted = [name for name in names if with_accepted or not self.accepted(name)]
        tables = [self.agreement(name) for name in counted]
        total = Agreement(*(sum(column) for column in zip(*tables, strict=True))) if tables else Agreement()
        return _AgreementSummary(total, len(counted), len(names) - len(counted))

    def conflicts(self, name: str) -> list[Conflict]:
        """The segments that the two labelled differently, on a page that both have finished."""
        texts = self.history.rendered_texts(name) if name in self.second.pages else None
        if texts is None or not self.history.finished(name):
            return []
        page, theirs = self._labels(name, texts), self.second.labels(name, texts)
        return [
            Conflict(i, text, ours, other, settled)
            for i, (text, ours, other, settled) in enumerate(
                zip(texts, page.labels, theirs, page.settled, strict=True)
            )
            if other is not None and (conflict(ours, other) or settled)
        ]

    def open_conflicts(self, name: str) -> int:
        """How many conflicts are not settled."""
        return sum(not each.settled and conflict(each.ours, each.theirs) for each in self.conflicts(name))

    def _labels(self, name: str, texts: tuple[str, ...], settling: bool = True) -> PageLabels:
        """Our labels of a finished page, which replace every placeholder."""
        placeholders = [Label(False, Kind.PARAGRAPH)] * len(texts)
        return self.history.page_labels(name, texts, placeholders, settling)


def read_history(project: Project) -> History:
    """The history of a folder as it is on the disk, read without changing anything there."""
    history = History(read_entries(project.gold / JOURNAL_FILE, growing=True))
    for name in project.raw_pages:
        if entry := imported(project, history, name):
            history.add(entry)
    return history


def imported(project: Project, history: History, name: str) -> AnnotationEntry | None:
    """The labels file of a page that the journal lacks, as an entry of a finished page."""
    path = project.gold / (name + LABELS_SUFFIX)
    return None if history.entries(name) or not path.exists() else _import_entry(name, read_labels(path))


def _import_entry(name: str, stored: StoredLabels) -> AnnotationEntry:
    """The entry that takes over a labels file; `hands` is empty if the file does not say who labelled."""
    title, source, digest, annotator = stored.header
    keeps, kinds = label_codes(stored.labels)
    known = stored.accepted or any(stored.by_hand)
    return AnnotationEntry(
        "import",
        name,
        texts=stored.texts,
        title=title,
        source=source,
        sha256=digest,
        keeps=keeps,
        kinds=kinds,
        hands="".join("01"[hand] for hand in stored.by_hand) if known else "",
        annotator=annotator,
    )
