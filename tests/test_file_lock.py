"""Locks on files, and systems without them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from stupidos.file_lock import try_lock

# As on a system that lacks the modules of POSIX
BLOCKED = """
import sys
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None
from stupidos.cli import main
sys.exit(main(sys.argv[1:]))
"""


def blocked(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BLOCKED, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_second_lock_of_a_file_fails(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("w") as first, path.open("r") as second:
        assert try_lock(first.fileno())
        assert not try_lock(second.fileno())
    with path.open("r") as third:
        assert try_lock(third.fileno())


def test_one_page_is_cleaned_without_the_modules_of_posix(lighthouse: Path) -> None:
    run = blocked("clean", lighthouse)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("The last keeper of Gull Rock")


def test_folder_is_cleaned_without_the_modules_of_posix(lighthouse: Path, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(lighthouse.read_bytes())
    (tmp_path / "b.html").write_bytes(lighthouse.read_bytes())
    run = blocked("clean", tmp_path, "--format", "text")
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("Anders Holm climbed") == 2


@pytest.mark.parametrize("command", ["clean", "annotate"])
def test_work_that_needs_a_lock_says_so_in_one_line(command: str, lighthouse: Path, tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "a.html").write_bytes(lighthouse.read_bytes())
    out = ("-o", tmp_path / "out.jsonl") if command == "clean" else (tmp_path / "gold",)
    run = blocked(command, tmp_path / "raw", *out)
    assert run.returncode == 1
    assert run.stderr.count("\n") == 1
    assert "this system cannot lock files" in run.stderr
    assert not list(tmp_path.glob("out*"))
