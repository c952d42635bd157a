"""The journal: what was acknowledged is there, whatever happened in between."""

from __future__ import annotations

import os
from contextlib import closing
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from stupidos.annotate.journal import AnnotationEntry, AnnotationJournal, parse_entry
from stupidos.errors import CorpusError

KEEP = AnnotationEntry("change", "bees", (0, 2), keep=True, key="a", at="2024-01-01T00:00:00+00:00")
DROP = AnnotationEntry("change", "bees", (2,), keep=False)
HEAD = AnnotationEntry("change", "bees", (1,), kind="h", settles=True)


def written(path: Path, *entries: AnnotationEntry) -> list[AnnotationEntry]:
    with closing(AnnotationJournal(path)) as journal:
        journal.append(*entries)
        return list(journal.entries())


@pytest.mark.parametrize(
    "entry",
    [
        KEEP,
        DROP,
        HEAD,
        AnnotationEntry("open", "zażółć", texts=("a\nb", "\ud800", "</script>")),
        AnnotationEntry("finish", "bees", keeps="010", kinds="phl"),
        AnnotationEntry("undo", "bees"),
    ],
)
def test_an_entry_comes_back_as_it_was_written(entry: AnnotationEntry, tmp_path: Path) -> None:
    assert written(tmp_path / "j", entry) == [entry]


def test_entries_are_only_ever_appended(tmp_path: Path) -> None:
    path = tmp_path / "j"
    written(path, KEEP)
    before = path.read_bytes()
    written(path, DROP)
    assert path.read_bytes().startswith(before)


def test_every_append_is_on_the_disk_before_it_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(os.fstat(file).st_size), sync(file))[0])
    with closing(AnnotationJournal(tmp_path / "j")) as journal:
        synced.clear()
        journal.append(KEEP)
        journal.append(DROP, HEAD)
    assert synced == [len(KEEP.line()), sum(len(entry.line()) for entry in (KEEP, DROP, HEAD))]


@pytest.mark.parametrize(
    "torn", [b"{", b'{"do": "un', b'{"do": "open", "texts": ["' + b"x" * 200_000, b"\0" * 4096]
)
def test_a_line_cut_off_by_a_crash_is_taken_off(torn: bytes, tmp_path: Path) -> None:
    path = tmp_path / "j"
    written(path, KEEP)
    path.write_bytes(path.read_bytes() + torn)
    assert written(path, DROP) == [KEEP, DROP]


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[]",
        b'{"do": "delete"}',
        b'{"do": "undo", "more": 1}',
        b'{"do": "change", "segments": [-1]}',
        b'{"do": "change", "segments": ["1"]}',
        b'{"do": "change", "keep": "yes"}',
        b'{"do": "change", "kind": "x"}',
        b'{"do": "finish", "keeps": "2"}',
        b'{"do": "open", "texts": [1]}',
        b'{"do": "open", "page": 1}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_line_is_named(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(KEEP.line() + line + b"\n" + DROP.line())
    with closing(AnnotationJournal(path)) as journal, pytest.raises(CorpusError, match="line 2 is damaged"):
        list(journal.entries())


def test_a_disk_that_is_full_leaves_the_journal_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with closing(AnnotationJournal(tmp_path / "j")) as journal:
        journal.append(KEEP)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(CorpusError, match="j: No space left on device"):
                journal.append(DROP)
        journal.append(HEAD)
        assert list(journal.entries()) == [KEEP, HEAD]


def test_a_key_is_short() -> None:
    with pytest.raises(ValueError, match="key"):
        parse_entry({"do": "undo", "key": "x" * 65})


def test_a_last_line_that_only_lacks_its_end_counts(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(KEEP.line() + HEAD.line().rstrip(b"\n"))
    assert written(path, DROP) == [KEEP, HEAD, DROP]


def test_a_last_line_that_is_not_an_entry_is_named_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(KEEP.line() + b"my notes")
    with (
        closing(AnnotationJournal(path)) as journal,
        pytest.raises(CorpusError, match=r"line 2 is damaged.*repair"),
    ):
        list(journal.entries())
    assert path.read_bytes().endswith(b"my notes")


def test_a_line_that_was_removed_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(KEEP.line() + b'{"do": "fin')
    with closing(AnnotationJournal(path)) as journal:
        assert journal.notes == [f"{path}: removed an incomplete last line (11 bytes)"]


def test_half_a_line_that_cannot_be_taken_off_does_not_spoil_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(5, "Input/output error")

    class Half:
        """The file of a journal that takes half a line and cannot be truncated."""

        def __init__(self, file: FileIO) -> None:
            self.file = file

        def write(self, data: bytes) -> int:
            return self.file.write(data[: len(data) // 2]) or fails()  # type: ignore[func-returns-value]

        def __getattr__(self, name: str) -> Any:
            return fails if name == "truncate" else getattr(self.file, name)

    with closing(AnnotationJournal(tmp_path / "j")) as journal:
        journal.append(KEEP)
        file = journal._file
        monkeypatch.setattr(os, "fsync", fails)
        journal._file = Half(file)  # type: ignore[assignment]
        with pytest.raises(CorpusError, match="Input/output error"):
            journal.append(DROP)
        monkeypatch.undo()
        journal._file = file
        assert (tmp_path / "j").stat().st_size > len(KEEP.line())
        journal.append(HEAD)
        assert list(journal.entries()) == [KEEP, HEAD]


def test_a_journal_that_another_program_writes_to_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with closing(AnnotationJournal(path)) as journal:
        journal.append(KEEP)
        path.write_bytes(path.read_bytes() + DROP.line())
        with pytest.raises(CorpusError, match="another program has changed the journal"):
            journal.append(HEAD)
    assert path.read_bytes() == KEEP.line() + DROP.line()


def test_a_journal_that_was_replaced_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with closing(AnnotationJournal(path)) as journal:
        journal.append(KEEP)
        path.rename(tmp_path / "old")
        path.write_bytes(KEEP.line())
        with pytest.raises(CorpusError, match="another program has changed the journal"):
            journal.append(HEAD)


def test_a_deleted_journal_is_written_again_from_the_open_file(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with closing(AnnotationJournal(path)) as journal:
        journal.append(KEEP)
        path.unlink()
        journal.append(DROP)
        assert list(journal.entries()) == [KEEP, DROP]


def test_a_closed_journal_saves_nothing(tmp_path: Path) -> None:
    journal = AnnotationJournal(tmp_path / "j")
    journal.close()
    with pytest.raises(CorpusError, match="closed"):
        journal.append(KEEP)
