"""An annotation session: pages to label, labels given, all of it on disk at every moment.

A label is saved when it is in the journal. The gold files are derived from the journal (`gold.py`
has the rule); one that cannot be written is an error, and every later change tries it again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock

from stupidos.annotate.agreement import Agreement, Opinion, agreement
from stupidos.annotate.gold import GoldError, GoldFolder
from stupidos.annotate.history import History, Labelling
from stupidos.annotate.journal import FILE, Entry, Journal
from stupidos.annotate.labels import SUFFIX, Label, LabelledPage, marks, read_labels
from stupidos.annotate.retrain import Retraining, Train
from stupidos.annotate.second_annotator import Other, conflict, opinions
from stupidos.annotate.suggestions import Judge, Judged, Read, Suggestions
from stupidos.errors import StupidosError
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

    def __init__(
        self,
        project: Project,
        judge: Judge,
        train: Train | None = None,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.project = project
        self.tell = tell  # takes a line for the person at the terminal
        self.notes: list[str] = []  # lines told so far: what was repaired, and what was kept where
        self.gold = GoldFolder(project.gold)
        self.suggestions = Suggestions(project.documents, judge)
        self.retraining = Retraining(train)
        self._lock = RLock()
        self._journal = Journal(project.gold / FILE)
        try:
            self.history = History(self._journal.entries())
            self._import_labels()
            self._mend_gold()
            self._tell_notes()
        except BaseException:
            self._journal.close()
            raise
        self.rank()

    def close(self) -> None:
        """Stop the work in the background; nothing is left to save."""
        self.suggestions.stop()
        with self._lock:  # a change that is being saved comes first
            self._journal.close()

    def rank(self) -> None:
        """Judge what is still to be labelled, in the background."""
        self.suggestions.rank(self.unfinished())

    def unfinished(self) -> list[str]:
        """Pages that have no gold text yet."""
        return [name for name in self.project.documents if self.state(name) in ("open", "started")]

    def queue(self) -> list[str]:
        """Pages that want a look: conflicts first, then the least confident."""
        both = [name for name in self.project.other.pages if name in self.project.documents]
        conflicts = [name for name in both if self.conflicts(name)]
        return conflicts + self.suggestions.order(self.unfinished())

    def state(self, name: str) -> str:
        """How far a page is: finished, broken, given (gold made elsewhere), started or open."""
        if self.history.finished(name):
            return "finished"
        if name in self.suggestions.broken:
            return "broken"
        if name not in self.gold.unwritten and (self.project.gold / f"{name}.txt").exists():
            return "given"
        return "started" if self.history.entries(name) else "open"

    def labelling(self, name: str, fresh: bool = False) -> tuple[Judged, Labelling]:
        """A page's suggestions and its labels so far; `fresh` reads the page from the disk again."""
        judged = self.suggestions.of(self._known(name), fresh)
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
            sha256=judged.sha256,
            annotator=self.project.annotator,
        )

    def change(self, change: Entry, version: str = "") -> None:
        """Set labels or kinds of some segments; the gold of a finished page follows at once.

        With the `version` of the page that the segments were chosen on, they are refused where the
        raw page has other segments by now.
        """
        judged = self._judged(change.page, version)
        if not change.segments or max(change.segments) >= len(judged.verdicts):
            raise StupidosError(f"{change.page}: has no such segment; load the page again")
        if change.keep is None and change.kind is None:
            raise StupidosError(f"{change.page}: a change needs a label or a kind")
        with self._lock:
            self._may_write(change.page)
            if not self.history.knows(change.key):
                self._record(change.page, replace(change, do="change"), judged)
            self.write_gold()

    def finish(self, name: str, key: str = "", version: str = "", seen: Entry | None = None) -> None:
        """Accept all labels of a page as they stand now, and write its gold files.

        Labels as the annotator has `seen` them are compared first: nobody accepts what a second
        window or a new model has changed in the meantime.
        """
        judged = self._judged(name, version)
        with self._lock:
            self._may_write(name)
            labelling = self.history.labelling(name, judged.texts(), judged.labels())
            if not labelling.finished and not self.history.knows(key):
                keeps, kinds = marks(labelling.labels)
                if seen is not None and (seen.keeps, seen.kinds) != (keeps, kinds):
                    raise StupidosError(f"{name}: its labels have changed meanwhile; look at the page again")
                self._record(name, Entry("finish", name, keeps=keeps, kinds=kinds, key=key), judged)
            self.write_gold()

    def undo(self, key: str = "") -> str:
        """Take back the last change, wherever it was; the page it was on, or an empty name."""
        with self._lock:
            if self.history.knows(key):
                name = self.history.last
            elif name := self.history.undo_page():
                self._record(name, Entry("undo", name, key=key))
            self.write_gold()
            return name

    def retrain(self) -> None:
        """Train on the finished pages and suggest anew, in the background."""
        with self._lock:
            names = [name for name in self.project.documents if self.state(name) == "finished"]
            self.retraining.start([self.labelled(name) for name in names], self._learnt)

    def write_gold(self) -> None:
        """Write every gold file that is not what the journal gives; an error where one cannot be."""
        with self._lock:
            for name in self.history.touched():
                if name in self.project.documents and not self.gold.untouched(name):
                    self.gold.bring(name, self.history.gold(name))
            self._tell_notes()
            if self.gold.unwritten:
                raise GoldError(self.gold.trouble())

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

    def _judged(self, name: str, version: str) -> Judged:
        """The model's opinion of a page, if it is still the page that somebody has seen."""
        judged = self.suggestions.of(self._known(name))
        if version and version != judged.version():
            raise StupidosError(f"{name}: the raw page has changed meanwhile; look at it again")
        return judged

    def _known(self, name: str) -> str:
        if name not in self.project.documents:
            raise StupidosError(f"there is no page {name!r}")
        return name

    def _may_write(self, name: str) -> None:
        if self.state(name) == "given":
            raise StupidosError(f"{name}.txt was not made here: move it away to label the page anew")

    def _record(self, name: str, entry: Entry, judged: Judged | None = None) -> None:
        """Journal first, then memory: what cannot be saved has not happened."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        entries = [replace(entry, at=now, annotator=self.project.annotator)]
        if judged is not None and not self._rendered(name, judged):
            entries.insert(0, replace(self._opening(name, judged), at=now))
        try:
            self._journal.append(*entries)
        finally:
            self._tell_notes()
        for each in entries:
            self.history.add(each)
        self.gold.forget(name)

    def _rendered(self, name: str, judged: Judged) -> bool:
        """Whether the journal knows the page as it is now."""
        seen = self.history.rendered(name)
        return seen is not None and (seen.texts, seen.sha256) == (tuple(judged.texts()), judged.sha256)

    def _opening(self, name: str, judged: Judged) -> Entry:
        """The page as it is now, with all labels where it is finished: gold needs one of each segment."""
        keeps = kinds = ""
        if self.history.finished(name):
            keeps, kinds = marks(self.history.labelling(name, judged.texts(), judged.labels()).labels)
        return Entry(
            "open",
            name,
            texts=tuple(judged.texts()),
            title=judged.title,
            source=self.project.sources.get(name, ""),
            sha256=judged.sha256,
            keeps=keeps,
            kinds=kinds,
        )

    def _tell_notes(self) -> None:
        for told in (self._journal.notes, self.gold.notes):
            for line in told:
                self.tell(line)
            self.notes += told
            told.clear()

    def _import_labels(self) -> None:
        """Labels files that came without a journal count as finished pages."""
        for name in self.project.documents:
            path = self.project.gold / (name + SUFFIX)
            if self.history.entries(name) or not path.exists():
                continue
            found = read_labels(path)
            title, source, digest, annotator = found.head
            keeps, kinds = marks(found.labels)
            entry = Entry(
                "import",
                name,
                texts=found.texts,
                title=title,
                source=source,
                sha256=digest,
                keeps=keeps,
                kinds=kinds,
                hands="".join("01"[hand] for hand in found.by_hand),
                annotator=annotator,
            )
            self._journal.append(entry)
            self.history.add(entry)

    def _mend_gold(self) -> None:
        """Write what a crash or a full disk left unwritten, and clear away what it left behind."""
        self.gold.remove_parts(self.project.documents)
        wrong = set()
        for name in self.history.touched():
            if name in self.project.documents and not self.gold.agrees(name, self.history.gold(name)):
                wrong.add(name)
        if wrong:
            self._remember_earlier(wrong)
        try:
            self.write_gold()
        except GoldError as error:
            self.tell(str(error))

    def _remember_earlier(self, names: set[str]) -> None:
        """Tell gold that an earlier moment of the journal gave from gold that somebody edited."""
        history = History()
        for entry in self._journal.entries():
            history.add(entry)
            page = history.gold(entry.page) if entry.page in names else None
            if page is not None:
                self.gold.remember(page)


def _blank(size: int) -> list[Label]:
    """Suggestions for a finished page, which needs none."""
    return [Label(False, Kind.PARAGRAPH)] * size
