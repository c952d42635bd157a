"""An annotation session: pages to label, labels given, all of it on disk at every moment."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from threading import RLock

from stupidos.errors import StupidosError
from stupidos.explain.agreement import Agreement, Opinion, agreement
from stupidos.explain.history import History, Labelling
from stupidos.explain.journal import FILE, Entry, Journal
from stupidos.explain.labels import SUFFIX, Label, LabelledPage, read_labels, remove_gold, write_gold
from stupidos.explain.retrain import Retraining, Train
from stupidos.explain.second import Other, conflict, opinions
from stupidos.explain.suggest import Judge, Judged, Read, Suggestions
from stupidos.page import Kind


@dataclass(frozen=True, slots=True)
class Project:
    """What is to be labelled, and where the labels go."""

    documents: Mapping[str, Read]  # raw pages by the stem of their file
    gold: Path
    annotator: str = ""
    other: Other = field(default_factory=lambda: Other({}))
    sources: Mapping[str, str] = field(default_factory=dict)  # file name of each page


class Session:
    """Everything the browser asks for; safe to call from several threads."""

    def __init__(self, project: Project, judge: Judge, train: Train | None = None) -> None:
        self.project = project
        self.suggestions = Suggestions(project.documents, judge)
        self.retraining = Retraining(train)
        self._lock = RLock()
        self._journal = Journal(project.gold / FILE)
        try:
            self.history = History(self._journal.entries())
            self._import_labels()
            self._mend_gold()
        except BaseException:
            self._journal.close()
            raise
        self.rank()

    def close(self) -> None:
        """Stop the work in the background; nothing is left to save."""
        self.suggestions.stop()
        self._journal.close()

    def rank(self) -> None:
        """Judge what is still to be labelled, in the background."""
        self.suggestions.rank(self.unfinished())

    def unfinished(self) -> list[str]:
        """Pages that have no gold text yet."""
        return [name for name in self.project.documents if self.state(name) in ("open", "started")]

    def queue(self) -> list[str]:
        """Pages that want a look: conflicts first, then the least confident."""
        conflicts = [name for name in self.project.other.pages if self.conflicts(name)]
        return conflicts + self.suggestions.order(self.unfinished())

    def state(self, name: str) -> str:
        """How far a page is: broken, finished, given (gold made elsewhere), started or open."""
        if name in self.suggestions.broken:
            return "broken"
        if self.history.finished(name):
            return "finished"
        if (self.project.gold / f"{name}.txt").exists():
            return "given"
        return "started" if self.history.entries(name) else "open"

    def labelling(self, name: str) -> tuple[Judged, Labelling]:
        """A page's suggestions and its labels so far."""
        judged = self.suggestions.of(self._known(name))
        with self._lock:
            return judged, self.history.labelling(name, judged.texts(), judged.labels())

    def labelled(self, name: str) -> LabelledPage:
        """A page with its labels, ready to be written or learnt from."""
        judged, labelling = self.labelling(name)
        return LabelledPage(
            name=name,
            title=judged.title,
            segments=[verdict.segment for verdict in judged.verdicts],
            labels=labelling.labels,
            by_hand=labelling.by_hand,
            source=self.project.sources.get(name, ""),
            sha256=sha256(self.project.documents[name]()).hexdigest(),
            annotator=self.project.annotator,
        )

    def change(self, change: Entry) -> None:
        """Set labels or kinds of some segments; the gold of a finished page follows at once."""
        judged = self.suggestions.of(self._known(change.page))
        if not change.segments or max(change.segments) >= len(judged.verdicts):
            raise StupidosError(f"{change.page}: has no such segment; load the page again")
        if change.keep is None and change.kind is None:
            raise StupidosError(f"{change.page}: a change needs a label or a kind")
        with self._lock:
            self._may_write(change.page)
            if not self.history.knows(change.key):
                self._record(change.page, replace(change, do="change"))

    def finish(self, name: str, key: str = "") -> None:
        """Accept all labels of a page as they stand now, and write its gold files."""
        with self._lock:
            _, labelling = self.labelling(name)
            self._may_write(name)
            if labelling.finished or self.history.knows(key):
                return
            keeps = "".join("01"[label.keep] for label in labelling.labels)
            kinds = "".join(label.kind for label in labelling.labels)
            self._record(name, Entry("finish", name, keeps=keeps, kinds=kinds, key=key))

    def undo(self, key: str = "") -> str:
        """Take back the last change, wherever it was; the page it was on, or an empty name."""
        with self._lock:
            if self.history.knows(key):
                return self.history.last
            name = self.history.undo_page()
            if name:
                self._record(name, Entry("undo", name, key=key))
            return name

    def retrain(self) -> None:
        """Train on the finished pages and suggest anew, in the background."""
        with self._lock:
            names = [name for name in self.project.documents if self.state(name) == "finished"]
            self.retraining.start([self.labelled(name) for name in names], self._learnt)

    def conflicts(self, name: str) -> int:
        """Segments of a finished page that the second annotator labelled otherwise and nobody settled."""
        texts = self.history.shown(name) if name in self.project.other.pages else None
        if texts is None or not self.history.finished(name):
            return 0
        found = self.history.labelling(name, texts, _blank(len(texts)))
        theirs = self.project.other.labels(name, texts)
        pairs = zip(found.labels, theirs, found.settled, strict=True)
        return sum(conflict(mine, other) and not settled for mine, other, settled in pairs)

    def agreement(self) -> Agreement:
        """Agreement with the second annotator on pages both have finished, before any merging."""
        found: list[Opinion] = []
        for name in self.project.other.pages:
            texts = self.history.shown(name)
            if texts is not None and self.history.finished(name):
                mine = self.history.labelling(name, texts, _blank(len(texts)), settling=False)
                found += opinions(texts, mine.labels, self.project.other.labels(name, texts))
        return agreement(found)

    def _learnt(self, judge: Judge) -> None:
        self.suggestions.stop()
        self.suggestions.replace(judge)
        self.rank()

    def _known(self, name: str) -> str:
        if name not in self.project.documents:
            raise StupidosError(f"there is no page {name!r}")
        return name

    def _may_write(self, name: str) -> None:
        if self.state(name) == "given":
            raise StupidosError(f"{name}.txt was not made here: move it away to label the page anew")

    def _record(self, name: str, entry: Entry) -> None:
        """Journal first, then memory, then the gold files: a crash in between loses nothing."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        entries = [replace(entry, at=now)]
        if entry.do != "undo":
            texts = tuple(self.suggestions.of(name).texts())
            if self.history.shown(name) != texts:
                entries.insert(0, Entry("open", name, texts=texts, at=now))
        self._journal.append(*entries)
        for each in entries:
            self.history.add(each)
        self._write_gold(name)

    def _write_gold(self, name: str) -> None:
        if name not in self.project.documents:  # its raw page is gone: what there is stays
            return
        if self.history.finished(name):
            write_gold(self.project.gold, self.labelled(name))
        elif (self.project.gold / (name + SUFFIX)).exists():
            remove_gold(self.project.gold, name)

    def _import_labels(self) -> None:
        """Labels files that came without a journal count as finished pages."""
        for name in self.project.documents:
            path = self.project.gold / (name + SUFFIX)
            if self.history.entries(name) or not path.exists():
                continue
            texts, labels, by_hand = read_labels(path)
            entry = Entry(
                "import",
                name,
                texts=texts,
                keeps="".join("01"[label.keep] for label in labels),
                kinds="".join(label.kind for label in labels),
                hands="".join("01"[hand] for hand in by_hand),
            )
            self._journal.append(entry)
            self.history.add(entry)

    def _mend_gold(self) -> None:
        """Write what a crash between the journal and the gold files left unwritten."""
        for name in self.history.touched():
            missing = not (self.project.gold / f"{name}.txt").exists()
            if missing or name == self.history.last:
                with suppress(StupidosError):  # a raw page that has become unreadable shows as broken
                    self._write_gold(name)


def _blank(size: int) -> list[Label]:
    """Suggestions for a finished page, which needs none."""
    return [Label(False, Kind.PARAGRAPH)] * size
