"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from stupidos.atomic_file import replacing


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


@pytest.mark.parametrize("named", [False, True])
def test_the_old_file_stays_until_the_new_one_is_complete(tmp_path: Path, named: bool) -> None:
    tea = tmp_path / "tea"
    tea.write_text("cold")
    with replacing(tea, tmp_path / ".tea.part" if named else None) as file:
        file.write(b"hot")
        assert tea.read_text() == "cold"
    assert contents(tmp_path) == {"tea": "hot"}


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()], ids=["error", "Ctrl-C"])
def test_an_error_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, named: bool, error: BaseException
) -> None:
    tea = tmp_path / "tea"
    tea.write_text("cold")
    part = tmp_path / ".tea.part" if named else None
    with pytest.raises(type(error)), replacing(tea, part) as file:
        file.write(b"h")
        raise error
    assert contents(tmp_path) == {"tea": "cold"}


def test_a_target_that_cannot_be_replaced_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "tea").mkdir()
    with pytest.raises(OSError), replacing(tmp_path / "tea"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["tea"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_permissions_follow_the_umask(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        with replacing(tmp_path / "tea"):
            pass
        assert os.umask(mask) == mask  # as it was
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "tea").stat().st_mode) == mode


def test_two_writers_of_one_file_do_not_share_a_temporary_one(tmp_path: Path) -> None:
    with replacing(tmp_path / "tea") as first, replacing(tmp_path / "tea") as second:
        first.write(b"hot")
        second.write(b"cold")
    assert contents(tmp_path) == {"tea": "hot"}
