"""A second annotator's labels: where they differ from the first one's, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stupidos.annotate.agreement import Opinion, word_count
from stupidos.annotate.labels import SUFFIX, Label, StoredLabels, carried, read_labels


class Other(NamedTuple):
    """The second annotator's labels by page."""

    pages: Mapping[str, StoredLabels]

    def labels(self, name: str, texts: Sequence[str]) -> list[Label | None]:
        """The labels of a page, none where a segment is not in the second file."""
        found: list[Label | None] = [None] * len(texts)
        if name in self.pages:
            stored = self.pages[name]
            for there, here in carried(stored.texts, texts).items():
                found[here] = stored.labels[there]
        return found


def opinions(
    texts: Sequence[str], first: Sequence[Label], second: Sequence[Label | None]
) -> Iterator[Opinion]:
    """Segments that both have labelled."""
    for text, mine, theirs in zip(texts, first, second, strict=True):
        if theirs is not None:
            yield Opinion(word_count(text), mine.keep, theirs.keep)


def conflict(mine: Label, theirs: Label | None) -> bool:
    """Whether two labels differ in what comes out: the kind of what both drop does not.

    >>> from stupidos.page import Kind
    >>> conflict(Label(False, Kind.ITEM), Label(False, Kind.PARAGRAPH))
    False
    """
    return theirs is not None and (mine.keep != theirs.keep or (mine.keep and mine.kind != theirs.kind))


def read_other(path: Path) -> Other:
    """The labels files of a folder (there may be none), or one such file."""
    files = sorted(path.glob("*" + SUFFIX)) if path.is_dir() else [path]
    return Other({file.name.removesuffix(SUFFIX): read_labels(file) for file in files})
