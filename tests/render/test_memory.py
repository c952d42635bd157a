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
@pytest.mark.parametrize("name", ["<p b>cd", "<tr><td>a<td>b", "astral"])
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


@pytest.mark.slow
def test_cleaning_a_page_of_a_quarter_million_segments_keeps_the_limit(tmp_path: Path) -> None:
    assert keeps_the_limit("<p>x", 1.05, tmp_path, "clean")


# The benchmark measures all inputs in all sizes; these come nearest to their limits.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("<p>xy", 4),
        ("different long attributes", 4),
        ("documentation", 16),
        ("articles with one emoji", 16),
        ("<pre> of tabs", 16),
        ("one emoji, long word", 16),
    ],
)
def test_cleaning_a_large_page_keeps_the_limit(name: str, size: int, tmp_path: Path) -> None:
    assert keeps_the_limit(name, size, tmp_path, "clean")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "size"),
    [("words and an emoji on one line", 8), ("prose", 8)],
)
def test_cleaning_a_large_dump_keeps_the_limit(name: str, size: int, tmp_path: Path) -> None:
    assert keeps_the_limit(name, size, tmp_path, "clean", "--input", "text")


@pytest.mark.slow
@pytest.mark.parametrize("command", [("render",), ("clean", "--format", "jsonl", "--segments")])
def test_writing_a_million_tiny_segments_keeps_the_limit(command: tuple[str, ...], tmp_path: Path) -> None:
    assert keeps_the_limit("xy\\n\\n", 4, tmp_path, *command, "--input", "text")


@pytest.mark.slow
@pytest.mark.parametrize("format", ["markdown", "html", "tei"])
@pytest.mark.parametrize("name", ["articles", "documentation"])
def test_writing_the_structure_of_a_large_page_keeps_the_limit(
    name: str, format: str, tmp_path: Path
) -> None:
    assert keeps_the_limit(name, 16, tmp_path, "clean", "--format", format)
