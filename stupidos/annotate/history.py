"""What the journal amounts to: the labels of every page, and the last thing to undo."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from stupidos.annotate.journal import Entry
from stupidos.annotate.labels import Label, LabelledPage, carried
from stupidos.page import Kind, Segment

UNDOABLE = frozenset({"change", "finish"})


class Labelling(NamedTuple):
    """The labels of a page so far."""

    labels: list[Label]
    by_hand: list[bool]
    settled: list[bool]  # conflicts with a second annotator that somebody has looked at
    finished: bool


class History:
    """Entries of a journal by page, without those that were undone."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._pages: dict[str, list[Entry]] = defaultdict(list)
        self._undoable: list[str] = []  # pages of the changes, the last one last
        self._keys: set[str] = set()
        self.last = ""  # page that the last entry was about
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Take in one entry; an undo takes out the last change instead."""
        if entry.key:
            self._keys.add(entry.key)
        if entry.do == "undo":
            if self._undoable:
                _take_out_last(self._pages[self._undoable.pop()])
        else:
            self._pages[entry.page].append(entry)
            if entry.do in UNDOABLE:
                self._undoable.append(entry.page)
        self.last = entry.page or self.last

    def knows(self, key: str) -> bool:
        """Whether a request was carried out before."""
        return bool(key) and key in self._keys

    def touched(self) -> list[str]:
        """Pages the journal tells of."""
        return [name for name, entries in self._pages.items() if entries]

    def entries(self, name: str) -> tuple[Entry, ...]:
        """What was said about a page and not taken back."""
        return tuple(self._pages.get(name, ()))

    def undo_page(self) -> str:
        """Page of the change that an undo would take back; empty where there is none."""
        return self._undoable[-1] if self._undoable else ""

    def finished(self, name: str) -> bool:
        """Whether somebody called the page done."""
        return any(entry.do in ("finish", "import") for entry in self._pages.get(name, ()))

    def shown(self, name: str) -> tuple[str, ...] | None:
        """Texts of the segments that the page's last changes are about."""
        rendered = self.rendered(name)
        return None if rendered is None else rendered.texts

    def rendered(self, name: str) -> Entry | None:
        """The entry that says which segments the page's last changes are about."""
        return next((entry for entry in reversed(self._pages.get(name, ())) if entry.renders), None)

    def gold(self, name: str) -> LabelledPage | None:
        """A finished page by the journal alone, whatever became of its raw page and of the model."""
        if not self.finished(name):
            return None
        seen = self.rendered(name) or Entry("open", name)
        state = self.labelling(name, seen.texts, [Label(False, Kind.PARAGRAPH)] * len(seen.texts))
        authors = [entry.annotator for entry in self._pages[name] if entry.annotator]
        return LabelledPage(
            name=name,
            title=seen.title,
            segments=[Segment(text) for text in seen.texts],
            labels=state.labels,
            by_hand=state.by_hand,
            source=seen.source,
            sha256=seen.sha256,
            annotator=authors[-1] if authors else "",
        )

    def labelling(
        self, name: str, texts: Sequence[str], suggested: Sequence[Label], settling: bool = True
    ) -> Labelling:
        """Suggestions overruled by what was said about the page.

        Without `settling`, conflicts that were settled count as they stood before: that is
        what the agreement of two annotators is measured on.
        """
        state = Labelling(list(suggested), [False] * len(texts), [False] * len(texts), self.finished(name))
        place = {i: i for i in range(len(texts))}
        for entry in self._pages.get(name, ()):
            if entry.renders:
                place = carried(entry.texts, texts)
            if entry.do in ("finish", "import") or (entry.do == "open" and settling):
                _accept(state, entry, place)
            elif entry.do == "change" and (settling or not entry.settles):
                _change(state, entry, place)
        return state


def _take_out_last(entries: list[Entry]) -> None:
    """Undo on one page: what was said last goes, the texts it was said about stay."""
    del entries[max(i for i, entry in enumerate(entries) if entry.do in UNDOABLE)]


def _accept(state: Labelling, entry: Entry, place: dict[int, int]) -> None:
    """All labels of a page as they were when somebody called it done."""
    for i, (keep, kind) in enumerate(zip(entry.keeps, entry.kinds, strict=False)):
        if i in place:
            state.labels[place[i]] = Label(keep == "1", Kind(kind))
    for i, hand in enumerate(entry.hands):
        if i in place:
            state.by_hand[place[i]] = hand == "1"


def _change(state: Labelling, entry: Entry, place: dict[int, int]) -> None:
    """The segments of one change, as far as they are still on the page."""
    for i in entry.segments:
        if i not in place:
            continue
        here = place[i]
        keep, kind = state.labels[here]
        state.labels[here] = Label(
            keep if entry.keep is None else entry.keep, kind if entry.kind is None else Kind(entry.kind)
        )
        state.by_hand[here] = True
        if entry.settles:
            state.settled[here] = True
