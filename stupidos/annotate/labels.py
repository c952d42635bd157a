"""The labels of a page, and the two gold files that store them.

`NAME.txt` is the gold text in CleanEval form. `NAME.labels.json` holds every segment with its
label, boilerplate included.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any, NamedTuple

from stupidos.atomic_file import replacing
from stupidos.errors import CorpusError
from stupidos.page import Kind, Segment, Verdict
from stupidos.write import marked

_FORMAT, _VERSION = "stupidos-labels", 1
LABELS_SUFFIX = ".labels.json"
_HEADER_FIELDS = ("title", "source", "sha256", "annotator")
_AUTHORS = ("model", "hand")  # an accepted suggestion, or a label set by the annotator


class Label(NamedTuple):
    """Whether a segment is kept, and its kind."""

    keep: bool
    kind: Kind


def label_codes(labels: Sequence[Label]) -> tuple[str, str]:
    """Labels as the journal stores them: a string of digits and one of letters, one each per segment.

    >>> label_codes([Label(True, Kind.HEADING), Label(False, Kind.PARAGRAPH)])
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
        """The labels as verdicts, which is what the writers take."""
        return [
            Verdict(segment._replace(kind=label.kind), 1.0 if label.keep else -1.0, label.keep, "annotator")
            for segment, label in zip(self.segments, self.labels, strict=True)
        ]

    def gold(self) -> str:
        """The kept segments in CleanEval form."""
        return marked(self.verdicts())

    def json(self) -> str:
        """The content of the labels file: one line per segment, for readable diffs."""
        header = {
            "format": _FORMAT,
            "version": _VERSION,
            "page": self.name,
            "source": self.source,
            "sha256": self.sha256,
            "title": self.title,
            "annotator": self.annotator,
        }
        rows = [
            {"keep": label.keep, "kind": label.kind.value, "by": _AUTHORS[hand], "text": segment.text}
            for segment, label, hand in zip(self.segments, self.labels, self.by_hand, strict=True)
        ]
        fields = "".join(f" {json_line(key)}: {json_line(value)},\n" for key, value in header.items())
        lines = ",\n".join(f"  {json_line(row)}" for row in rows)
        return f'{{\n{fields} "segments": [\n{lines}\n ]\n}}\n'


def json_line(value: object) -> str:
    """A JSON value on one line; lone surrogates stay escaped to keep the file valid UTF-8.

    >>> json_line({"text": "zażółć"})
    '{"text": "zażółć"}'
    """
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


class StoredLabels(NamedTuple):
    """The content of a labels file."""

    texts: tuple[str, ...]
    labels: tuple[Label, ...]
    by_hand: tuple[bool, ...]  # False where a suggestion was accepted
    header: tuple[str, str, str, str] = ("", "", "", "")  # title, source, sha256, annotator
    accepted: bool = False  # whether every label is a suggestion that was accepted unchanged


def read_labels(path: Path) -> StoredLabels:
    """Read and validate a labels file."""
    try:
        return parse_labels(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CorpusError(f"{path}: is not a labels file of `stupidos annotate`; move it away") from error


def parse_labels(content: Any) -> StoredLabels:
    """Labels from parsed JSON; raises ValueError, TypeError or KeyError if it is anything else."""
    if content["format"] != _FORMAT or content["version"] != _VERSION:
        raise ValueError("unknown format")
    rows = content["segments"]
    if not all(isinstance(row["text"], str) and isinstance(row["keep"], bool) for row in rows):
        raise TypeError("bad segment")
    return StoredLabels(
        tuple(row["text"] for row in rows),
        tuple(Label(row["keep"], Kind(row["kind"])) for row in rows),
        tuple(row.get("by") == _AUTHORS[True] for row in rows),
        tuple(str(content.get(name, "")) for name in _HEADER_FIELDS),  # type: ignore[arg-type]
        bool(rows) and all(row.get("by") == _AUTHORS[False] for row in rows),
    )


def write_gold(folder: Path, page: LabelledPage) -> None:
    """Write both gold files of a page, each atomically; the labels first, since they hold more."""
    write_atomically(folder / (page.name + LABELS_SUFFIX), gold_bytes(page.json()))
    write_atomically(folder / (page.name + ".txt"), gold_bytes(page.gold()))


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file in one step: a crash leaves the old content or the new."""
    with replacing(path, temporary_path(path)) as file:
        file.write(data)


def gold_bytes(text: str) -> bytes:
    """Text in the encoding of gold files; a lone surrogate becomes a question mark."""
    return text.encode(errors="replace")


def temporary_path(path: Path) -> Path:
    """The file that is renamed to `path` once it is complete.

    >>> temporary_path(Path("gold/tea.txt")).name
    '.tea.txt.part'
    """
    return path.with_name(f".{path.name}.part")


def matched_segments(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Index of each segment of one rendering in another, aligned by their texts.

    >>> matched_segments(["Home", "Text", "End"], ["Text", "new", "End"])
    {1: 0, 2: 2}
    """
    if tuple(before) == tuple(after):
        return {i: i for i in range(len(after))}
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    return {a + i: b + i for a, b, size in blocks for i in range(size)}
