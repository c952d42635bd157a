"""The journal: complete lines are the truth, everything behind them never happened."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from stupidos.errors import StupidosError
from stupidos.scale.accounts import Accounts
from stupidos.scale.journal import Journal, UnitEntry

ENTRIES = [
    UnitEntry(number, f"digest{number}", 10 * (number + 1), None, Accounts(written=1)) for number in range(3)
]

DEEP = b"[" * 200_000 + b"\n"  # deeper than any Python parses


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The state of a run that was killed after three units, 30 bytes of output and a bit."""
    folder = tmp_path / "out.jsonl.parts"
    with Journal(folder, "print", resume=False) as journal:
        journal.write(*(entry.line() for entry in ENTRIES))
        (folder / "output").write_bytes(b"x" * 37)
    return folder


def test_what_was_done_is_known_again(folder: Path) -> None:
    with Journal(folder, "print", resume=True) as journal:
        assert journal.done == {number: (f"digest{number}", None) for number in range(3)}
        assert journal.accounts == Accounts(written=3)
        assert not journal.finished


def test_a_journal_of_this_format_is_continued(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text(
        '{"stupidos": 1, "fingerprint": "print"}\n'
        '{"unit": 0, "digest": "d", "offset": 7, "ended": null, "accounts": {"written": 2}}\n'
    )
    with Journal(tmp_path, "print", resume=True) as journal:
        assert (journal.done, journal.offset) == ({0: ("d", None)}, 7)
        assert journal.accounts == Accounts(written=2)


def test_a_unit_told_twice_counts_once(folder: Path) -> None:
    with Journal(folder, "print", resume=True) as journal:
        journal.write(ENTRIES[2].line())
    with Journal(folder, "print", resume=True) as journal:
        assert journal.accounts == Accounts(written=3)


def test_scratch_of_a_killed_run_goes_and_what_cannot_go_is_no_error(folder: Path) -> None:
    (folder / "run-1").mkdir()
    (folder / "run-1" / "page").write_bytes(b"x")
    (folder / "run-2").write_bytes(b"no folder")
    with Journal(folder, "print", resume=True) as journal:
        assert not (folder / "run-1").exists()
        assert journal.scratch.is_dir()


def test_output_that_no_line_vouches_for_is_cut_off(folder: Path) -> None:
    with Journal(folder, "print", resume=True) as journal, journal.output() as output:
        output.write(b"more")
        output.flush()
        assert (folder / "output").read_bytes() == b"x" * 30 + b"more"


@pytest.mark.parametrize("tail", [b'{"unit": 3, "digest": "x", "off', b"\0\0\0\0", b'{"unit"\n{"unit"', DEEP])
def test_a_line_that_was_cut_off_never_happened(folder: Path, tail: bytes) -> None:
    path = folder / "journal"
    whole = path.read_bytes()
    path.write_bytes(whole + tail)
    with Journal(folder, "print", resume=True) as journal:
        assert sorted(journal.done) == [0, 1, 2]
        journal.write(ENTRIES[0]._replace(unit=3).line())
    assert path.read_bytes() == whole + ENTRIES[0]._replace(unit=3).line().encode() + b"\n"


@pytest.mark.parametrize("content", [b"", b'{"stup', DEEP])
def test_a_journal_without_a_first_line_is_a_new_one(folder: Path, content: bytes) -> None:
    (folder / "journal").write_bytes(content)
    with Journal(folder, "print", resume=True) as journal:
        assert journal.done == {}
        assert journal.offset == 0


def test_a_stopped_run_is_not_overwritten(folder: Path) -> None:
    with pytest.raises(StupidosError, match="--resume"):
        Journal(folder, "print", resume=False)


def test_another_command_is_refused(folder: Path) -> None:
    with pytest.raises(StupidosError, match="another command"):
        Journal(folder, "other print", resume=True)


def test_two_runs_at_once_are_refused(folder: Path) -> None:
    with Journal(folder, "print", resume=True), pytest.raises(StupidosError, match="another run"):
        Journal(folder, "print", resume=True)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("Dear Sir")
    with pytest.raises(StupidosError, match="in the way"):
        Journal(tmp_path / "letters", "print", resume=True)


def test_an_empty_folder_is_as_good_as_none(tmp_path: Path) -> None:
    with Journal(tmp_path, "print", resume=False) as journal:
        assert journal.done == {}


def test_lost_output_is_noticed(folder: Path) -> None:
    (folder / "output").write_bytes(b"x" * 29)
    with Journal(folder, "print", resume=True) as journal, pytest.raises(StupidosError, match="truncated"):
        journal.output()


def test_scratch_files_of_earlier_runs_go(folder: Path) -> None:
    old = folder / "run-abc"
    old.mkdir()
    (old / "1.part").write_bytes(b"half a part")
    with Journal(folder, "print", resume=True) as journal:
        assert not old.exists()
        assert journal.scratch.is_dir()
    assert sorted(path.name for path in folder.iterdir()) == ["journal", "output"]


def test_a_run_that_did_nothing_leaves_nothing(tmp_path: Path) -> None:
    with Journal(tmp_path / "parts", "print", resume=False):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_resumed_run_that_did_nothing_leaves_nothing(tmp_path: Path) -> None:
    killed = tmp_path / "killed.parts"
    with Journal(tmp_path / "out.parts", "print", resume=False):
        shutil.copytree(tmp_path / "out.parts", killed)  # the state of a run killed before its first unit
    with Journal(killed, "print", resume=True):
        pass
    assert not killed.exists()


def test_scratch_that_is_gone_is_no_error(folder: Path) -> None:
    with Journal(folder, "print", resume=True) as journal:
        shutil.rmtree(journal.scratch)
        journal.write('{"finished": true}')
        journal.remove()
    assert not folder.exists()


def test_kinds_of_skipped_records_are_listed_by_number_then_by_name() -> None:
    accounts = Accounts()
    for kind in ("metadata", "request", "dns", "request"):
        accounts.skip(kind)
    assert accounts.summary().endswith("; skipped 4 (request 2, dns 1, metadata 1)")


def test_the_end_is_known_again_and_all_can_go(folder: Path) -> None:
    with Journal(folder, "print", resume=True) as journal:
        journal.write('{"finished": true}')
    with Journal(folder, "print", resume=True) as journal:
        assert journal.finished
        journal.remove()
    assert not folder.exists()


ENTRY = '{"unit": 3, "digest": "d", "offset": 40, "ended": null, "accounts": {"written": 1}}'
DAMAGED = {
    "a field missing": ENTRY.replace('"offset": 40, ', ""),
    "a field too many": ENTRY.replace('"unit"', '"extra": 1, "unit"'),
    "a second head": '{"stupidos": 1, "fingerprint": "print"}',
    "an empty object": "{}",
    "a negative offset": ENTRY.replace("40", "-1"),
    "an offset that is no number": ENTRY.replace("40", '"40"'),
    "an output that shrinks": ENTRY.replace("40", "9"),
    "a unit that is no number": ENTRY.replace('"unit": 3', '"unit": [3]'),
    "a unit that is a truth": ENTRY.replace('"unit": 3', '"unit": true'),
    "a digest that is no text": ENTRY.replace('"d"', "7"),
    "an end that is no number": ENTRY.replace("null", '"x"'),
    "accounts that are a list": ENTRY.replace('{"written": 1}', "[1]"),
    "accounts that are null": ENTRY.replace('{"written": 1}', "null"),
    "an unknown count": ENTRY.replace('"written"', '"wrote"'),
    "a count that is no number": ENTRY.replace('"written": 1', '"written": ""'),
    "a negative count": ENTRY.replace('"written": 1', '"written": -1'),
    "kinds that are numbers": ENTRY.replace('"written": 1', '"skipped": 7'),
    "kinds that are counted in words": ENTRY.replace('"written": 1', '"skipped": {"a": "b"}'),
    "an end that is not": '{"finished": 0}',
}


@pytest.mark.parametrize("line", DAMAGED.values(), ids=DAMAGED)
def test_a_wrong_line_is_one_line_of_error(folder: Path, line: str) -> None:
    path = folder / "journal"
    path.write_text(f"{path.read_text()}{line}\n{ENTRY}\n")
    before = path.read_bytes()
    remedy = f"^{path}: line 5 is damaged: remove the folder {folder} and start again$"
    with pytest.raises(StupidosError, match=remedy):
        Journal(folder, "print", resume=True)
    assert path.read_bytes() == before
