"""Memory stays in proportion to the page; the peak of a process that renders one page and nothing else."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

GROWTH = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "growth.py"))
MEMORY = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "memory.py"))
MEGABYTES = 4
RENDERED = """
import re, runpy, sys
from stupidos.render import render
render(runpy.run_path(sys.argv[1])["page"](sys.argv[2], int(sys.argv[3])))
print(int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024)
"""  # not ru_maxrss: a child inherits that of the process it was forked from


def peak(name: str, checkout: Path) -> float:
    """Megabytes at the peak."""
    command = [
        sys.executable,
        "-c",
        RENDERED,
        str(checkout / "benchmarks" / "growth.py"),
        name,
        f"{MEGABYTES}000000",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=checkout)
    return float(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["<p>a", "<p b>cd", "<li>", "<tr><td>a<td>b", "pre of tabs", "astral"])
def test_memory_on_the_worst_pages_is_bounded(name: str, checkout: Path) -> None:
    base, factor = GROWTH["MEMORY"]
    assert peak(name, checkout) < base + factor * MEGABYTES


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWTH["ORDINARY"])
def test_memory_on_ordinary_pages_is_bounded(name: str, checkout: Path) -> None:
    base, factor = GROWTH["ORDINARY_MEMORY"]
    assert peak(name, checkout) < base + factor * MEGABYTES


def keeps_the_limit(name: str, megabytes: float, folder: Path, *command: str) -> bool:
    """Whether the command line stays within the limit of an input; printed, as the benchmark does."""
    path = MEMORY["written"](name, folder, int(megabytes * 1e6))
    some = MEMORY["ORDINARY"] if MEMORY["INPUTS"][name].ordinary else MEMORY["WORST"]
    kept: bool = MEMORY["row"](name, path, some, command)
    return kept


def test_cleaning_a_page_of_a_quarter_million_segments_keeps_the_limit(tmp_path: Path) -> None:
    assert keeps_the_limit("<p>x", 1.05, tmp_path, "clean")


@pytest.mark.slow
@pytest.mark.parametrize("size", [2, 4, 16])
@pytest.mark.parametrize("name", MEMORY["PAGES"])
def test_cleaning_a_large_page_keeps_the_limit(name: str, size: int, tmp_path: Path) -> None:
    assert keeps_the_limit(name, size, tmp_path, "clean")


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 16])
@pytest.mark.parametrize("name", MEMORY["DUMPS"])
def test_cleaning_a_large_dump_keeps_the_limit(name: str, size: int, tmp_path: Path) -> None:
    assert keeps_the_limit(name, size, tmp_path, "clean", "--input", "text")


@pytest.mark.slow
def test_cleaning_fifty_megabytes_of_prose_keeps_the_limit(tmp_path: Path) -> None:
    assert keeps_the_limit("prose", 50, tmp_path, "clean", "--input", "text")
