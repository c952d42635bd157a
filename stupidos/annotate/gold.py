"""The gold files of a folder, derived from the journal.

The journal is what counts. At the start and after every change, each gold file of a page in RAW
that differs from what the journal gives is written again (or removed, where the page is no longer
finished). Nothing is lost on the way: a file that holds something else than the journal ever gave,
such as an edit by hand, is first kept beside itself as NAME.txt.orig or NAME.labels.json.orig, and a
line says so. Gold of pages that the journal does not call finished is never touched unless it came
from the journal, and neither is gold of pages that are not in RAW.

Labels files are compared by their segments and labels: their head may be edited.
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

from stupidos.annotate.journal import FILE
from stupidos.annotate.labels import (
    SUFFIX,
    Label,
    LabelledPage,
    encoded,
    marks,
    part_of,
    replace_file,
    stored,
)
from stupidos.errors import CorpusError

TEXT = ".txt"
SUFFIXES = (SUFFIX, TEXT)  # the labels first, since they hold more

Stamp = tuple[int, int, int] | None  # inode, size and time of a file; None where there is none


class GoldError(CorpusError):
    """Gold files that could not be written; the labels themselves are safe in the journal."""


class GoldFolder:
    """Gold files, and which contents of theirs came from the journal."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes: list[str] = []  # a line for every file that was kept beside itself
        self.unwritten: dict[str, str] = {}  # pages whose files are not as they should be, and why
        self._ours: defaultdict[str, set[str]] = defaultdict(set)  # contents by file name, as `content_key`
        self._stamps: dict[str, tuple[Stamp, ...]] = {}  # pages that were as they should be, at that time

    def remove_parts(self, names: Iterable[str]) -> None:
        """Remove files that a killed process left unfinished."""
        files = [FILE, *(name + suffix for name in names for suffix in SUFFIXES)]
        for file in files:
            try:
                part_of(self.folder / file).unlink(missing_ok=True)
            except OSError as error:
                self.notes.append(f"{part_of(self.folder / file)}: cannot be removed: {error.strerror}")

    def remember(self, page: LabelledPage) -> None:
        """Note what the journal gives, or gave once, as contents that may be replaced."""
        for file, key in keys_of(page).items():
            self._ours[file].add(key)

    def agrees(self, name: str, page: LabelledPage | None) -> bool:
        """Whether the files of a page hold what the journal gives, or are absent where it gives none."""
        keys = keys_of(page) if page else {}
        stamp = self._stamp(name)
        try:
            found = {file: self._read(file) for file in (name + suffix for suffix in SUFFIXES)}
        except OSError:
            return False
        if {file: content_key(file, data) for file, data in found.items() if data is not None} != keys:
            return False
        for file, key in keys.items():
            self._ours[file].add(key)
        self._stamps[name] = stamp
        return True

    def untouched(self, name: str) -> bool:
        """Whether the files of a page are those that `bring` left."""
        return name in self._stamps and self._stamps[name] == self._stamp(name)

    def forget(self, name: str) -> None:
        """Let the next `bring` look at the files of a page again."""
        self._stamps.pop(name, None)

    def bring(self, name: str, page: LabelledPage | None) -> None:
        """Make the files of a page hold what the journal gives; a failure is noted in `unwritten`."""
        self.unwritten.pop(name, None)
        file = name
        try:
            if page is None:
                for file in (name + TEXT, name + SUFFIX):
                    self._take_back(file)
            else:
                self.remember(page)
                for file, text in files_of(page).items():
                    self._write(file, text)
        except OSError as error:
            self.unwritten[name] = f"{self.folder / file}: {error.strerror or error}"
            self.forget(name)
        else:
            self._stamps[name] = self._stamp(name)

    def trouble(self) -> str:
        """What could not be written, in words for the annotator; empty where all is well."""
        if not self.unwritten:
            return ""
        first, *more = self.unwritten.values()
        others = f" (and {len(more)} more)" if more else ""
        return f"saved in the journal, but gold is not written: {first}{others}; the next change tries again"

    def _write(self, file: str, text: str) -> None:
        path, present = self.folder / file, self._read(file)
        if present is not None and content_key(file, present) == content_key(file, encoded(text)):
            return
        if not present or content_key(file, present) in self._ours[file]:
            replace_file(path, encoded(text))
            return
        copy = keep_beside(path, present)
        try:
            replace_file(path, encoded(text))
        except OSError:
            if copy.samefile(path):  # a link, through which the next edit would change the copy
                copy.unlink()
            raise
        self.notes.append(f"{path}: was changed outside the journal; that version is kept as {copy.name}")

    def _take_back(self, file: str) -> None:
        present = self._read(file)
        if present is not None and content_key(file, present) in self._ours[file]:
            (self.folder / file).unlink(missing_ok=True)

    def _read(self, file: str) -> bytes | None:
        try:
            return (self.folder / file).read_bytes()
        except FileNotFoundError:
            return None

    def _stamp(self, name: str) -> tuple[Stamp, ...]:
        return tuple(_stamp(self.folder / (name + suffix)) for suffix in SUFFIXES)


def files_of(page: LabelledPage) -> dict[str, str]:
    """The files of a finished page by their names."""
    return {page.name + SUFFIX: page.json(), page.name + TEXT: page.gold()}


def keys_of(page: LabelledPage) -> dict[str, str]:
    """The `content_key` of each file of a finished page, without a detour by JSON."""
    texts = [segment.text for segment in page.segments]
    return {
        page.name + SUFFIX: labels_key(texts, page.labels, page.by_hand),
        page.name + TEXT: sha256(encoded(page.gold())).hexdigest(),
    }


def content_key(file: str, data: bytes) -> str:
    """A hash of what a gold file says: its bytes, or the segments of a labels file."""
    if file.endswith(SUFFIX):  # of a damaged one nothing but the bytes can be compared
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            found = stored(json.loads(data))
            return labels_key(found.texts, found.labels, found.by_hand)
    return sha256(data).hexdigest()


def labels_key(texts: Sequence[str], labels: Sequence[Label], by_hand: Sequence[bool]) -> str:
    """A hash of segments and their labels."""
    hands = "".join("01"[hand] for hand in by_hand)
    parts = "\0".join((*marks(labels), hands, *texts))
    return sha256(parts.encode(errors="surrogatepass")).hexdigest()


def keep_beside(path: Path, data: bytes) -> Path:
    """Keep the present content of a file under a further name; a link takes no room on a full disk."""
    for number in count(1):
        copy = path.with_name(f"{path.name}.orig{number if number > 1 else ''}")
        if os.path.lexists(copy):
            if copy.is_file() and copy.read_bytes() == data:  # kept already, before a crash
                return copy
            continue
        try:
            os.link(path, copy)
        except OSError:  # a file system without links
            replace_file(copy, data)
        return copy
    raise AssertionError("there is always a next number")


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
