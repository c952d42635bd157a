"""The labels of a second annotator, and where they conflict with those of the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from stupidos.annotate.agreement import LabelPair, word_count
from stupidos.annotate.labels import LABELS_SUFFIX, Label, StoredLabels, matched_segments, read_labels
from stupidos.annotate.suggestions import ReadPage
from stupidos.errors import CorpusError
from stupidos.lab.align import clean_segments
from stupidos.lab.corpus import gold_of
from stupidos.pipeline import Cleaner


class SecondAnnotator(NamedTuple):
    """The second annotator's labels by page."""

    pages: Mapping[str, StoredLabels]

    def labels(self, name: str, texts: Sequence[str]) -> list[Label | None]:
        """Their label of each segment of a page; None for segments they have not labelled."""
        labels: list[Label | None] = [None] * len(texts)
        if name in self.pages:
            stored = self.pages[name]
            for theirs, ours in matched_segments(stored.texts, texts).items():
                labels[ours] = stored.labels[theirs]
        return labels


def load_second_annotator(path: Path, cleaner: Cleaner, raw_pages: Mapping[str, ReadPage]) -> SecondAnnotator:
    """Labels from a gold folder or one labels file; gold texts without labels are aligned to their pages."""
    labelled = _read_labels_files(path)
    if not path.is_dir():
        return SecondAnnotator(labelled)
    texts = {name: path / f"{name}.txt" for name in raw_pages.keys() - labelled.keys()}
    aligned = {
        name: aligned_labels(cleaner, raw_pages[name](), text)
        for name, text in texts.items()
        if text.exists()
    }
    if not labelled and not aligned:
        raise CorpusError(f"{path}: holds no labels and no gold texts of these pages")
    return SecondAnnotator({**labelled, **aligned})


def _read_labels_files(path: Path) -> dict[str, StoredLabels]:
    """The labels files of a folder (possibly none), or one labels file, by the name of their page."""
    files = sorted(path.glob("*" + LABELS_SUFFIX)) if path.is_dir() else [path]
    return {file.name.removesuffix(LABELS_SUFFIX): read_labels(file) for file in files}


def aligned_labels(cleaner: Cleaner, data: bytes, gold: Path) -> StoredLabels:
    """The labels of a page's segments by alignment with its gold text."""
    segments = cleaner.page(data).segments
    keeps = clean_segments(segments, gold_of(gold)).tolist()
    return StoredLabels(
        tuple(segment.text for segment in segments),
        tuple(Label(keep, segment.kind) for segment, keep in zip(segments, keeps, strict=True)),
        (False,) * len(segments),
    )


def label_pairs(
    texts: Sequence[str], first: Sequence[Label], second: Sequence[Label | None]
) -> Iterator[LabelPair]:
    """The segments that both annotators labelled."""
    for text, ours, theirs in zip(texts, first, second, strict=True):
        if theirs is not None:
            yield LabelPair(word_count(text), ours.keep, theirs.keep)


def conflict(ours: Label, theirs: Label | None) -> bool:
    """Whether two labels give different gold texts; the kind matters only for kept segments.

    >>> from stupidos.page import Kind
    >>> conflict(Label(False, Kind.ITEM), Label(False, Kind.PARAGRAPH))
    False
    """
    return theirs is not None and (ours.keep != theirs.keep or (ours.keep and ours.kind != theirs.kind))
