"""One editor a folder, and no lock outlives its process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stupidos.annotate.lock import _LOCK_FILE, FolderLock
from stupidos.errors import CorpusError

HOLD = """
import sys
from pathlib import Path
from stupidos.annotate.lock import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_editor_is_refused_and_told_who_is_first(tmp_path: Path) -> None:
    with (
        FolderLock(tmp_path),
        pytest.raises(CorpusError, match=f"annotated already by process {os.getpid()}"),
    ):
        FolderLock(tmp_path)


def test_a_released_lock_can_be_taken(tmp_path: Path) -> None:
    FolderLock(tmp_path).release()
    with FolderLock(tmp_path):
        assert (tmp_path / _LOCK_FILE).read_text() == f"{os.getpid()}\n"


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    process = holder(tmp_path)
    with process:
        with pytest.raises(CorpusError, match=f"by process {process.pid}"):
            FolderLock(tmp_path)
        process.send_signal(signal.SIGKILL)
        process.wait()
    with FolderLock(tmp_path):
        assert (tmp_path / _LOCK_FILE).read_text() == f"{os.getpid()}\n"


def test_a_file_left_behind_is_not_a_lock(tmp_path: Path) -> None:
    (tmp_path / _LOCK_FILE).write_text("1\n")
    with FolderLock(tmp_path):
        assert (tmp_path / _LOCK_FILE).read_text() == f"{os.getpid()}\n"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="nowhere"):
        FolderLock(tmp_path / "nowhere")
