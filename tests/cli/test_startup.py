"""A filter starts once a page: what one page does not need is not loaded."""

import subprocess
import sys

PROGRAM = """
import sys
from stupidos.cli import main
assert main(["clean", sys.argv[1]]) == 0
print(*(name for name in sys.modules if name.startswith("stupidos.")), file=sys.stderr)
"""
UNNEEDED = (
    "rules", "metadata.extract", "structure", "report", "annotate", "lab", "literature", "scale.batch",
    "scale.sources", "scale.files", "scale.jsonl", "scale.warc", "scale.parquet", "scale.workers",
    "write.markdown", "write.tei", "web.train",
)  # fmt: skip


def test_cleaning_one_page_loads_nothing_of_crawls_rules_or_formats(checkout):
    page = checkout / "tests" / "pages" / "lighthouse.html"
    done = subprocess.run([sys.executable, "-c", PROGRAM, page], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("stupidos.") for name in done.stderr.split()}
    assert {"pipeline", "web.scorer", "scale.page_task"} <= loaded
    assert not loaded.intersection(UNNEEDED)


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
