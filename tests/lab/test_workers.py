"""Work in several processes gives what one gives."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from stupidos.lab.workers import mapped


def path_to(checkout: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(checkout)}


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs: int) -> None:
    assert list(mapped(str.upper, ["a", "b", "c", "d", "e", "f"], jobs)) == ["A", "B", "C", "D", "E", "F"]


def test_an_error_in_a_process_comes_back() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(mapped(int, ["1", "x"], 2))


def test_a_script_without_a_guard_is_not_run_again(tmp_path: Path, checkout: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("from stupidos.lab.workers import mapped\nprint(list(mapped(abs, [-1, 2], 2)))\n")
    done = subprocess.run(
        [sys.executable, script], cwd=checkout, env=path_to(checkout), capture_output=True, text=True
    )
    assert (done.stdout, done.stderr, done.returncode) == ("[1, 2]\n", "", 0)


def test_nothing_to_do_is_no_work() -> None:
    assert list(mapped(int, [], 2)) == []
