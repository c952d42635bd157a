"""A page's labels as people gave them, and the two files that keep them.

`NAME.txt` is the gold text in CleanEval form. `NAME.labels.json` holds every segment with its
label, so that nothing about what was boilerplate is lost.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from stupidos.errors import CorpusError
from stupidos.page import Kind, Segment, Verdict
from stupidos.write import written

FORMAT, VERSION = "stupidos-labels", 1
SUFFIX = ".labels.json"
HEAD = ("title", "source", "sha256", "annotator")
AUTHORS = ("model", "hand")  # a suggestion that was accepted, or a label somebody set


class Label(NamedTuple):
    """What a segment is: text to keep or not, and of which kind."""

    keep: bool
    kind: Kind


def marks(labels: Sequence[Label]) -> tuple[str, str]:
    """Labels as the journal has them: a digit and a letter each.

    >>> marks([Label(True, Kind.HEADING), Label(False, Kind.PARAGRAPH)])
    ('10', 'hp')
    """
    return "".join("01"[label.keep] for label in labels), "".join(label.kind for label in labels)


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """Every segment of a page with its label."""

    name: str  # stem of the raw file and of the gold files
    title: str
    segments: Sequence[Segment]  # as rendered; a label may correct the kind
    labels: Sequence[Label]
    by_hand: Sequence[bool]  # False where a suggestion was accepted
    source: str = ""  # name of the raw file
    sha256: str = ""  # of the raw file's bytes
    annotator: str = ""

    def verdicts(self) -> list[Verdict]:
        """The labels as if a model had given them, for the writers."""
        return [
            Verdict(segment._replace(kind=label.kind), 1.0 if label.keep else -1.0, label.keep, "annotator")
            for segment, label in zip(self.segments, self.labels, strict=True)
        ]

    def gold(self) -> str:
        """The kept segments in CleanEval form."""
        return written(self.verdicts(), "cleaneval")

    def json(self) -> str:
        """The labels file: one line a segment, so that differences read well."""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "page": self.name,
            "source": self.source,
            "sha256": self.sha256,
            "title": self.title,
            "annotator": self.annotator,
        }
        rows = [
            {"keep": label.keep, "kind": label.kind.value, "by": AUTHORS[hand], "text": segment.text}
            for segment, label, hand in zip(self.segments, self.labels, self.by_hand, strict=True)
        ]
        fields = "".join(f" {quoted(key)}: {quoted(value)},\n" for key, value in head.items())
        lines = ",\n".join(f"  {quoted(row)}" for row in rows)
        return f'{{\n{fields} "segments": [\n{lines}\n ]\n}}\n'


def quoted(value: object) -> str:
    """A JSON value on one line; lone surrogates stay escaped, so that the file is valid UTF-8.

    >>> quoted({"text": "zażółć"})
    '{"text": "zażółć"}'
    """
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


class StoredLabels(NamedTuple):
    """What a labels file says: texts, labels, and which were set by hand."""

    texts: tuple[str, ...]
    labels: tuple[Label, ...]
    by_hand: tuple[bool, ...]
    head: tuple[str, str, str, str] = ("", "", "", "")  # title, source, sha256, annotator


def read_labels(path: Path) -> StoredLabels:
    """The content of a labels file, checked before it is believed."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return stored(found)
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CorpusError(f"{path}: is no labels file of `stupidos annotate`; move it away") from error


def stored(found: Any) -> StoredLabels:
    """Labels out of parsed JSON; a ValueError, TypeError or KeyError where it is something else."""
    if found["format"] != FORMAT or found["version"] != VERSION:
        raise ValueError("unknown format")
    rows = found["segments"]
    if not all(isinstance(row["text"], str) and isinstance(row["keep"], bool) for row in rows):
        raise TypeError("bad segment")
    return StoredLabels(
        tuple(row["text"] for row in rows),
        tuple(Label(row["keep"], Kind(row["kind"])) for row in rows),
        tuple(row.get("by") == AUTHORS[True] for row in rows),
        tuple(str(found.get(name, "")) for name in HEAD),  # type: ignore[arg-type]
    )


def write_gold(folder: Path, page: LabelledPage) -> None:
    """Both files of a page, each complete or untouched; the labels first, since they hold more."""
    replace_file(folder / (page.name + SUFFIX), encoded(page.json()))
    replace_file(folder / (page.name + ".txt"), encoded(page.gold()))


def replace_file(path: Path, data: bytes) -> None:
    """Bytes into a file that is old or new at any moment, never half of each."""
    part = part_of(path)
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def encoded(text: str) -> bytes:
    """Text as a gold file holds it; a lone surrogate becomes a question mark."""
    return text.encode(errors="replace")


def part_of(path: Path) -> Path:
    """The file that becomes `path` once it is complete.

    >>> part_of(Path("gold/tea.txt")).name
    '.tea.txt.part'
    """
    return path.with_name(f".{path.name}.part")


def carried(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Where each segment of one rendering is in another, by its text.

    >>> carried(["Home", "Text", "End"], ["Text", "new", "End"])
    {1: 0, 2: 2}
    """
    if tuple(before) == tuple(after):
        return {i: i for i in range(len(after))}
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return {a + i: b + i for a, b, size in blocks for i in range(size)}
