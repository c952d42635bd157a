"""An annotation session: the pages to label and the labels given, on disk at every moment.

A label is saved once it is in the journal. The gold files are derived from the journal (see
`gold.py`); one that cannot be written is an error, and every later change tries again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from threading import RLock

from stupidos.annotate.comparison import AnnotatorComparison, imported
from stupidos.annotate.gold import GoldError, GoldFolder
from stupidos.annotate.history import History, PageLabels
from stupidos.annotate.journal import JOURNAL_FILE, AnnotationEntry, AnnotationJournal
from stupidos.annotate.labels import LabelledPage, label_codes
from stupidos.annotate.original import original
from stupidos.annotate.project import Project
from stupidos.annotate.retrain import Retrained, Retraining, Train
from stupidos.annotate.suggestions import Suggestion, Suggestions
from stupidos.errors import StupidosError
from stupidos.pipeline import Cleaner


class Session:
    """Everything the browser can request; safe to call from several threads."""

    def __init__(
        self,
        project: Project,
        cleaner: Cleaner,
        train: Train | None = None,
        log: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.project = project
        self.log = log  # takes a line for the person at the terminal
        self.notes: list[str] = []  # lines logged so far about repairs and backups
        self.gold = GoldFolder(project.gold)
        self.suggestions = Suggestions(project.raw_pages, cleaner)
        self.retraining = Retraining(train)
        self._lock = RLock()
        self._journal = AnnotationJournal(project.gold / JOURNAL_FILE)
        try:
            self.history = History(self._journal.entries())
            self._import_labels()
            self._repair_gold()
            self._log_notes()
        except BaseException:
            self._journal.close()
            raise
        self.rank()

    def close(self) -> None:
        """Stop the background work and close the journal, which already holds every label."""
        self.suggestions.stop()
        with self._lock:  # waits for a change that is being saved
            self._journal.close()

    def rank(self) -> None:
        """Judge the unfinished pages in the background."""
        self.suggestions.rank(self.unfinished())

    def unfinished(self) -> list[str]:
        """Pages that have no gold text yet."""
        return [name for name in self.project.raw_pages if self.state(name) in ("open", "started")]

    def finished(self) -> list[str]:
        """Pages whose labels have been accepted."""
        return [name for name in self.project.raw_pages if self.state(name) == "finished"]

    def queue(self) -> list[str]:
        """Pages that need attention: those with conflicts first, then the least confident."""
        labelled_twice = [name for name in self.project.second.pages if name in self.project.raw_pages]
        conflicts = [name for name in labelled_twice if self.conflicts(name)]
        return conflicts + self.suggestions.by_confidence(self.unfinished())

    def state(self, name: str) -> str:
        """The state of a page: finished, broken, given (its gold comes from elsewhere), started or open."""
        if self.history.finished(name):
            return "finished"
        if name in self.suggestions.broken:
            return "broken"
        if name not in self.gold.unwritten and (self.project.gold / f"{name}.txt").exists():
            return "given"
        return "started" if self.history.entries(name) else "open"

    def page_labels(self, name: str, fresh: bool = False) -> tuple[Suggestion, PageLabels]:
        """A page's suggestion and its current labels; `fresh` reads the raw file again."""
        suggestion = self.suggestions.of(self._checked(name), fresh)
        with self._lock:
            return suggestion, self._labels(name, suggestion)

    def labelled_page(self, name: str) -> LabelledPage:
        """A page with its current labels, ready to be written or trained on."""
        suggestion, labels = self.page_labels(name)
        return LabelledPage(
            name=name,
            title=suggestion.title,
            segments=[verdict.segment for verdict in suggestion.verdicts],
            labels=labels.labels,
            by_hand=labels.by_hand,
            source=self.project.sources.get(name, ""),
            sha256=suggestion.sha256,
            annotator=self.project.annotator,
        )

    def change(self, change: AnnotationEntry, version: str = "") -> None:
        """Set the label or kind of some segments, and update the gold files of a finished page.

        `version` is that of the page on which the segments were selected; the change is refused if
        the raw page has other segments by now.
        """
        suggestion = self._suggestion(change.page, version)
        if not change.segments or max(change.segments) >= len(suggestion.verdicts):
            raise StupidosError(f"{change.page}: has no such segment; reload the page")
        if change.keep is None and change.kind is None:
            raise StupidosError(f"{change.page}: a change needs a label or a kind")
        with self._lock:
            self._check_writable(change.page)
            if not self.history.has_key(change.key):
                self._record(change.page, replace(change, do="change"), suggestion)
            self.write_gold()

    def finish(
        self, name: str, key: str = "", version: str = "", displayed: AnnotationEntry | None = None
    ) -> None:
        """Accept all current labels of a page, and write its gold files.

        The labels that the browser `displayed` are compared first, so that nobody accepts what a
        second window or a new model has changed in the meantime.
        """
        suggestion = self._suggestion(name, version)
        with self._lock:
            self._check_writable(name)
            labels = self._labels(name, suggestion)
            if not labels.finished and not self.history.has_key(key):
                keeps, kinds = label_codes(labels.labels)
                if displayed is not None and (displayed.keeps, displayed.kinds) != (keeps, kinds):
                    raise StupidosError(f"{name}: its labels have changed meanwhile; look at the page again")
                entry = AnnotationEntry("finish", name, keeps=keeps, kinds=kinds, key=key)
                self._record(name, entry, suggestion)
            self.write_gold()

    def undo(self, key: str = "") -> str:
        """Undo the last change on any page; return the name of that page, empty if there was none."""
        with self._lock:
            if self.history.has_key(key):
                name = self.history.last
            elif name := self.history.undo_page():
                self._record(name, AnnotationEntry("undo", name, key=key))
            self.write_gold()
            return name

    def retrain(self) -> None:
        """Train on the finished pages in the background, then suggest with the new model."""
        with self._lock:
            pages = [self.labelled_page(name) for name in self.finished()]
            self.retraining.start(pages, self._use_model)

    def write_gold(self) -> None:
        """Write every gold file that differs from the journal; raise GoldError if one cannot be written."""
        with self._lock:
            for name in self.history.pages():
                if name in self.project.raw_pages and not self.gold.unchanged(name):
                    self.gold.update(name, self.history.gold(name))
            self._log_notes()
            if self.gold.unwritten:
                raise GoldError(self.gold.error_message())

    @property
    def comparison(self) -> AnnotatorComparison:
        """Our labels beside those of the second annotator."""
        return AnnotatorComparison(self.history, self.project.second)

    def conflicts(self, name: str) -> int:
        """Number of unsettled conflicts with the second annotator on a finished page."""
        return self.comparison.open_conflicts(name)

    def original(self, name: str) -> str:
        """The raw page as HTML to look at, with its segments marked; see `original.py`."""
        return original(self.suggestions.of(self._checked(name)).document.page)

    def title(self, name: str) -> str:
        """The title of a page, as far as it is known: of the last rendering, or once it was judged."""
        last = self.history.last_rendering(name)
        return self.suggestions.titles.get(name) or (last.title if last is not None else "")

    def _use_model(self, retrained: Retrained) -> None:
        self.suggestions.stop()
        self.suggestions.replace(retrained.cleaner, retrained.model)
        self.rank()

    def _labels(self, name: str, suggestion: Suggestion) -> PageLabels:
        return self.history.page_labels(name, suggestion.texts(), suggestion.labels())

    def _suggestion(self, name: str, version: str) -> Suggestion:
        """The suggestion for a page, provided that its segments are still those of `version`."""
        suggestion = self.suggestions.of(self._checked(name))
        if version and version != suggestion.version():
            raise StupidosError(f"{name}: the raw page has changed meanwhile; look at it again")
        return suggestion

    def _checked(self, name: str) -> str:
        if name not in self.project.raw_pages:
            raise StupidosError(f"there is no page {name!r}")
        return name

    def _check_writable(self, name: str) -> None:
        if self.state(name) == "given":
            raise StupidosError(f"{name}.txt was not made here: move it away to label the page again")

    def _record(self, name: str, entry: AnnotationEntry, suggestion: Suggestion | None = None) -> None:
        """Append to the journal, then update the state in memory: a failed write changes nothing."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        entries = [replace(entry, at=now, annotator=self.project.annotator)]
        if suggestion is not None and not self._is_journaled(name, suggestion):
            entries.insert(0, replace(self._open_entry(name, suggestion), at=now))
        try:
            self._journal.append(*entries)
        finally:
            self._log_notes()
        for each in entries:
            self.history.add(each)
        self.gold.invalidate(name)

    def _is_journaled(self, name: str, suggestion: Suggestion) -> bool:
        """Whether the journal has the current rendering of the page."""
        last = self.history.last_rendering(name)
        return last is not None and (last.texts, last.sha256) == (
            tuple(suggestion.texts()),
            suggestion.sha256,
        )

    def _open_entry(self, name: str, suggestion: Suggestion) -> AnnotationEntry:
        """The current rendering of the page; with all labels if it is finished, since gold needs them."""
        keeps = kinds = ""
        if self.history.finished(name):
            keeps, kinds = label_codes(self._labels(name, suggestion).labels)
        return AnnotationEntry(
            "open",
            name,
            texts=tuple(suggestion.texts()),
            title=suggestion.title,
            source=self.project.sources.get(name, ""),
            sha256=suggestion.sha256,
            keeps=keeps,
            kinds=kinds,
        )

    def _log_notes(self) -> None:
        for notes in (self._journal.notes, self.gold.notes):
            for line in notes:
                self.log(line)
            self.notes += notes
            notes.clear()

    def _import_labels(self) -> None:
        """Import labels files of pages that the journal lacks, as finished pages."""
        for name in self.project.raw_pages:
            if entry := imported(self.project, self.history, name):
                self._journal.append(entry)
                self.history.add(entry)

    def _repair_gold(self) -> None:
        """Write what a crash or a full disk left unwritten, and remove its temporary files."""
        self.gold.remove_temporary_files(self.project.raw_pages)
        outdated = {
            name
            for name in self.history.pages()
            if name in self.project.raw_pages and not self.gold.matches(name, self.history.gold(name))
        }
        if outdated:
            self._replay(outdated)
        try:
            self.write_gold()
        except GoldError as error:
            self.log(str(error))

    def _replay(self, names: set[str]) -> None:
        """Register all earlier states of these pages, so that only edits from outside are backed up."""
        history = History()
        for entry in self._journal.entries():
            history.add(entry)
            page = history.gold(entry.page) if entry.page in names else None
            if page is not None:
                self.gold.register(page)
