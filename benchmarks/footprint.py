"""Memory of a process that cleans pages, ours and others': `python benchmarks/footprint.py DATA [PAGES]`.

Each tool cleans the same pages of DATA/wcxb/raw (150 by default, evenly spread) in a process of its own;
printed is the largest resident set of that process, Python and the tool included.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import accuracy
import peers

OURS = "stupidos"
UNIT = 1 << 10  # ru_maxrss is in kB on Linux


def ours() -> peers.Tool:
    from stupidos import clean

    return clean


def readability() -> peers.Tool:
    """Its HTML, without our renderer."""
    from readability import Document

    return lambda html: Document(html).summary()


TOOLS = {OURS: ours, **accuracy.TOOLS, "readability": readability}


def peak(data: str, pages: int, tool: str) -> int:
    """Clean the pages in this process; its largest resident set in MB."""
    cleaner = TOOLS[tool]()
    paths = sorted(Path(data, "wcxb", "raw").iterdir())
    for path in paths[:: max(1, len(paths) // pages)][:pages]:
        with suppress(Exception):
            cleaner(path.read_bytes().decode("utf-8", "replace"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // UNIT


def main() -> None:
    data, pages, *tool = [*sys.argv[1:], *(["150"] if len(sys.argv) == 2 else [])]
    if tool:
        print(peak(data, int(pages), tool[0]))
        return
    for name in peers.installed(TOOLS):
        command = [sys.executable, __file__, data, pages, name]
        found = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        print(f"{name}: {found.split()[-1]} MB", flush=True)


if __name__ == "__main__":
    main()
