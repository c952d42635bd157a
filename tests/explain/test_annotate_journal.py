"""The journal: what was acknowledged is there, whatever happened in between."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

import pytest

from stupidos.errors import CorpusError
from stupidos.explain.journal import Entry, Journal, entry_of

KEEP = Entry("change", "bees", (0, 2), keep=True, key="a", at="2024-01-01T00:00:00+00:00")
DROP = Entry("change", "bees", (2,), keep=False)
HEAD = Entry("change", "bees", (1,), kind="h", settles=True)


def written(path: Path, *entries: Entry) -> list[Entry]:
    with closing(Journal(path)) as journal:
        journal.append(*entries)
        return list(journal.entries())


@pytest.mark.parametrize(
    "entry",
    [
        KEEP,
        DROP,
        HEAD,
        Entry("open", "zażółć", texts=("a\nb", "\ud800", "</script>")),
        Entry("finish", "bees", keeps="010", kinds="phl"),
        Entry("undo", "bees"),
    ],
)
def test_an_entry_comes_back_as_it_was_written(entry: Entry, tmp_path: Path) -> None:
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
    with closing(Journal(tmp_path / "j")) as journal:
        synced.clear()
        journal.append(KEEP)
        journal.append(DROP, HEAD)
    assert synced == [len(KEEP.line()), sum(len(entry.line()) for entry in (KEEP, DROP, HEAD))]


@pytest.mark.parametrize("torn", [b"{", b'{"do": "undo"}', b"x" * 200_000])
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
    with closing(Journal(path)) as journal, pytest.raises(CorpusError, match="line 2 is damaged"):
        list(journal.entries())


def test_a_disk_that_is_full_leaves_the_journal_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with closing(Journal(tmp_path / "j")) as journal:
        journal.append(KEEP)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", full)
            with pytest.raises(CorpusError, match="not saved: No space left on device"):
                journal.append(DROP)
        journal.append(HEAD)
        assert list(journal.entries()) == [KEEP, HEAD]


def test_a_key_is_short() -> None:
    with pytest.raises(ValueError, match="key"):
        entry_of({"do": "undo", "key": "x" * 65})
