"""`extract_many` against the crawl driver: `python benchmarks/many.py DATA [PAGES]`.

Both clean the same files, piece by piece in turns, each in a fresh interpreter: the driver to a JSONL file,
`extract_many` for a loop that reads what such a record holds. The figures are processor seconds of all
processes.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from crawl import CLEAN, PAGES, corpus_pages, cost_of

PIECES = 4
MOST = 1.05  # processor time of extract_many, relative to the driver's
LOOP = """
import sys
from pathlib import Path
import stupidos

for page in stupidos.extract_many(map(Path, Path(sys.argv[1]).iterdir()), jobs=int(sys.argv[2])):
    page.text, page.title, page.authors, page.date, page.language, page.confidence
"""


def linked(folder: Path, pages: Sequence[Path]) -> Path:
    """A folder that holds these pages."""
    folder.mkdir()
    for number, page in enumerate(pages):
        (folder / f"{number}.html").symlink_to(page.resolve())
    return folder


def seconds(folder: Path, jobs: int) -> tuple[float, float]:
    """Processor seconds of the driver and of extract_many."""
    output = folder.with_suffix(f".{jobs}.jsonl")
    crawl = [*CLEAN, str(folder), "-o", str(output), "--jobs", str(jobs)]
    many = [sys.executable, "-W", "ignore", "-c", LOOP, str(folder), str(jobs)]
    if jobs == 1:
        return cost_of(crawl).processor, cost_of(many).processor
    loop = cost_of(many).processor
    return cost_of(crawl).processor, loop


def main() -> int:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    pages = corpus_pages(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else PAGES)
    step = -(-len(pages) // PIECES)
    spent: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as name:
        for number, start in enumerate(range(0, len(pages), step)):
            folder = linked(Path(name) / str(number), pages[start : start + step])
            for jobs, costs in spent.items():
                costs.append(seconds(folder, jobs))
    ratios = []
    for jobs, costs in spent.items():
        driver, many = (sum(one) for one in zip(*costs, strict=True))
        ratios.append(many / driver)
        print(f"jobs {jobs}: driver {driver:.1f} s, extract_many {many:.1f} s, ratio {many / driver:.3f}")
    return 0 if max(ratios) <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
