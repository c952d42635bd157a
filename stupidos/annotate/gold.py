"""The gold files of a folder, derived from the journal.

The journal is authoritative. At the start and after every change, each gold file of a page in RAW
that differs from the journal is rewritten (or removed, if the page is no longer finished). Nothing
is lost: a content that did not come from the journal, such as an edit by hand, is first backed up
as NAME.txt.orig or NAME.labels.json.orig, and a note says so. Gold of unfinished pages is touched
only if it came from the journal, and gold of pages that are not in RAW never.

Labels files are compared by their segments and labels; their header may be edited.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path

from stupidos.annotate.journal import JOURNAL_FILE
from stupidos.annotate.labels import (
    LABELS_SUFFIX,
    Label,
    LabelledPage,
    gold_bytes,
    label_codes,
    parse_labels,
    temporary_path,
    write_atomically,
)
from stupidos.errors import CorpusError

_TEXT_SUFFIX = ".txt"
_SUFFIXES = (LABELS_SUFFIX, _TEXT_SUFFIX)  # labels first, since they hold more

_Stamp = tuple[int, int, int] | None  # inode, size and modification time; None if there is no file


class GoldError(CorpusError):
    """Gold files could not be written; the labels are safe in the journal."""


class GoldFolder:
    """The gold files of a folder, and which of their contents came from the journal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []  # a line for every backup
        self.unwritten: dict[str, str] = {}  # pages whose files could not be updated, and why
        self._ours: defaultdict[str, set[str]] = defaultdict(set)  # contents by file name, as `_content_key`
        self._stamps: dict[str, tuple[_Stamp, ...]] = {}  # state of the files of up-to-date pages

    def remove_temporary_files(self, names: Iterable[str]) -> None:
        """Remove temporary files of a killed process."""
        files = [JOURNAL_FILE, *(name + suffix for name in names for suffix in _SUFFIXES)]
        for file in files:
            try:
                temporary_path(self.folder / file).unlink(missing_ok=True)
            except OSError as error:
                self.notes.append(
                    f"{temporary_path(self.folder / file)}: cannot be removed: {error.strerror}"
                )

    def register(self, page: LabelledPage) -> None:
        """Register the current or an earlier state of a page as content that needs no backup."""
        for file, key in _keys_of(page).items():
            self._ours[file].add(key)

    def matches(self, name: str, page: LabelledPage | None) -> bool:
        """Whether the files of a page match the journal; for an unfinished page there must be none."""
        keys = _keys_of(page) if page else {}
        stamp = self._stamp(name)
        try:
            contents = {file: self._read(file) for file in (name + suffix for suffix in _SUFFIXES)}
        except OSError:
            return False
        if {file: _content_key(file, data) for file, data in contents.items() if data is not None} != keys:
            return False
        for file, key in keys.items():
            self._ours[file].add(key)
        self._stamps[name] = stamp
        return True

    def unchanged(self, name: str) -> bool:
        """Whether the files of a page are as the last `update` left them."""
        return name in self._stamps and self._stamps[name] == self._stamp(name)

    def invalidate(self, name: str) -> None:
        """Make `unchanged` false until the next `update`."""
        self._stamps.pop(name, None)

    def update(self, name: str, page: LabelledPage | None) -> None:
        """Make the files of a page match the journal; a failure is recorded in `unwritten`."""
        self.unwritten.pop(name, None)
        file = name
        try:
            if page is None:
                for file in (name + _TEXT_SUFFIX, name + LABELS_SUFFIX):
                    self._remove(file)
            else:
                self.register(page)
                for file, text in _files_of(page).items():
                    self._write(file, text)
        except OSError as error:
            self.unwritten[name] = f"{self.folder / file}: {error.strerror or error}"
            self.invalidate(name)
        else:
            self._stamps[name] = self._stamp(name)

    def error_message(self) -> str:
        """Which file could not be written, for the annotator; empty if all were."""
        if not self.unwritten:
            return ""
        first, *more = self.unwritten.values()
        others = f" (and {len(more)} more)" if more else ""
        return f"saved in the journal, but gold is not written: {first}{others}; the next change retries"

    def _write(self, file: str, text: str) -> None:
        path, present = self.folder / file, self._read(file)
        if present is not None and _content_key(file, present) == _content_key(file, gold_bytes(text)):
            return
        if not present or _content_key(file, present) in self._ours[file]:
            write_atomically(path, gold_bytes(text))
            return
        copy = _back_up(path, present)
        try:
            write_atomically(path, gold_bytes(text))
        except OSError:
            if copy.samefile(path):  # a hard link, which the next edit would change too
                copy.unlink()
            raise
        self.notes.append(f"{path}: was changed outside the journal; that version is saved as {copy.name}")

    def _remove(self, file: str) -> None:
        present = self._read(file)
        if present is not None and _content_key(file, present) in self._ours[file]:
            (self.folder / file).unlink(missing_ok=True)

    def _read(self, file: str) -> bytes | None:
        try:
            return (self.folder / file).read_bytes()
        except FileNotFoundError:
            return None

    def _stamp(self, name: str) -> tuple[_Stamp, ...]:
        return tuple(_stamp(self.folder / (name + suffix)) for suffix in _SUFFIXES)


def _files_of(page: LabelledPage) -> dict[str, str]:
    """The contents of the files of a finished page by file name."""
    return {page.name + LABELS_SUFFIX: page.json(), page.name + _TEXT_SUFFIX: page.gold()}


def _keys_of(page: LabelledPage) -> dict[str, str]:
    """The `_content_key` of each file of a finished page, computed without writing JSON."""
    texts = [segment.text for segment in page.segments]
    return {
        page.name + LABELS_SUFFIX: _labels_key(texts, page.labels, page.by_hand),
        page.name + _TEXT_SUFFIX: sha256(gold_bytes(page.gold())).hexdigest(),
    }


def _content_key(file: str, data: bytes) -> str:
    """A hash of a gold file: of its bytes, or of the segments and labels of a labels file."""
    if file.endswith(LABELS_SUFFIX):  # a damaged one is compared by its bytes
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            stored = parse_labels(json.loads(data))
            return _labels_key(stored.texts, stored.labels, stored.by_hand)
    return sha256(data).hexdigest()


def _labels_key(texts: Sequence[str], labels: Sequence[Label], by_hand: Sequence[bool]) -> str:
    """A hash of segments and their labels."""
    hands = "".join("01"[hand] for hand in by_hand)
    parts = "\0".join((*label_codes(labels), hands, *texts))
    return sha256(parts.encode(errors="surrogatepass")).hexdigest()


def _back_up(path: Path, data: bytes) -> Path:
    """Save the present content of a file under another name; a hard link needs no disk space."""
    for number in count(1):
        copy = path.with_name(f"{path.name}.orig{number if number > 1 else ''}")
        if os.path.lexists(copy):
            if copy.is_file() and copy.read_bytes() == data:  # backed up before a crash
                return copy
            continue
        try:
            os.link(path, copy)
        except OSError:  # a file system without hard links
            write_atomically(copy, data)
        return copy
    raise AssertionError("there is always a next number")


def _stamp(path: Path) -> _Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
