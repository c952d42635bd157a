"""A filter starts once a page: what one page does not need is not loaded."""

import subprocess
import sys

PROGRAM = """
import sys
from stupidos.cli import main
assert main(["clean", sys.argv[1]]) == 0
print(*sys.modules, file=sys.stderr)
"""
UNNEEDED = (
    "rules", "metadata.extract", "structure", "report", "annotate", "lab", "literature", "scale.batch",
    "scale.sources", "scale.files", "scale.jsonl", "scale.warc", "scale.parquet", "scale.workers",
    "write.markdown", "write.tei", "web.train",
)  # fmt: skip
SLOW_TO_LOAD = {
    "bz2", "gzip", "logging", "lzma", "pathlib", "shutil", "signal", "threading", "urllib.parse", "zipfile",
}  # fmt: skip


def loaded_by(*arguments: str) -> set[str]:
    """The modules that a program, which prints them to stderr, has loaded."""
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_cleaning_one_page_loads_nothing_of_crawls_rules_or_formats(checkout):
    loaded = loaded_by("-c", PROGRAM, str(checkout / "tests" / "pages" / "lighthouse.html"))
    ours = {name.removeprefix("stupidos.") for name in loaded if name.startswith("stupidos.")}
    assert {"pipeline", "web.scorer", "scale.page_task"} <= ours
    assert not ours.intersection(UNNEEDED)
    by_numpy = loaded_by("-c", "import numpy, sys; print(*sys.modules, file=sys.stderr)")
    assert not (loaded - by_numpy) & SLOW_TO_LOAD


COLLECTIONS = """
import gc, sys
from stupidos.cli import command
gc.collect()
before = [one["collections"] for one in gc.get_stats()]
assert command() == 0
assert gc.get_freeze_count()
print(*(one["collections"] - number for one, number in zip(gc.get_stats(), before)), file=sys.stderr)
"""


def test_no_garbage_is_collected_while_one_page_is_cleaned(checkout):
    page = checkout / "tests" / "pages" / "lighthouse.html"
    command = [sys.executable, "-c", COLLECTIONS, "clean", page]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["0", "0", "0"]
