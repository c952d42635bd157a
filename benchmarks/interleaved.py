"""CPU time of tools on the same pages, taken in turns so that a busy machine is unfair to none."""

from __future__ import annotations

import gc
import random
import sys
import time
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from peers import REFERENCE, Tool

from stupidos.decode import decode
from stupidos.errors import StupidosError

CORPORA = ("wcxb", "cleaneval")
PAGES = 60  # of each corpus
ROUNDS = 3
WARM_UP = 4


def pages(folder: Path, most: int = PAGES, seed: int = 1) -> list[str]:
    """The same random pages of a folder every time, decoded."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    chosen = random.Random(seed).sample(files, min(most, len(files)))
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in chosen:
            try:
                found.append(decode(path.read_bytes())[0])
            except StupidosError:
                continue
    return found


def costs(tools: Mapping[str, Tool], pages: Sequence[str], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """CPU seconds of each tool on each page, the best of the rounds."""
    names = list(tools)
    for page in pages[:WARM_UP]:
        for name in names:
            spent(tools[name], page)
    gc.collect()
    gc.freeze()
    best = {name: [float("inf")] * len(pages) for name in names}
    for turn in range(rounds):
        for number, page in enumerate(pages):
            first = (turn + number) % len(names)
            for name in names[first:] + names[:first]:
                best[name][number] = min(best[name][number], spent(tools[name], page))
    return best


def spent(tool: Tool, page: str) -> float:
    """CPU seconds of one call; a tool that cannot do a page has spent what it spent."""
    start = time.process_time()
    try:
        tool(page)
    except Exception as error:  # a peer's failure is not ours to stop at
        print(f"  {type(error).__name__} in a peer: {error}"[:100], file=sys.stderr)
    return time.process_time() - start


def table(
    title: str, tools: Mapping[str, Tool], pages: Sequence[str], reference: str = REFERENCE
) -> dict[str, float]:
    """Measure, print one row a tool, and give the speeds relative to the reference."""
    best = costs(tools, pages)
    total = {name: sum(seconds) for name, seconds in best.items()}
    characters = sum(map(len, pages))
    print(f"\n{title}: {len(pages)} pages, {characters / 1e6:.1f} M characters, best of {ROUNDS}, CPU time")
    print(f"  {'':24} {'speed':>7} {'ms/page':>8} {'MB/s':>7}   ({reference} = 1)")
    for name in sorted(total, key=lambda name: total[name]):
        milliseconds = 1000 * total[name] / len(pages)
        speed = characters / 1e6 / total[name]
        print(f"  {name:24} {total[reference] / total[name]:7.2f} {milliseconds:8.2f} {speed:7.1f}")
    return {name: total[reference] / total[name] for name in total}


def corpora(arguments: Sequence[str], names: Sequence[str] = CORPORA) -> list[tuple[str, list[str]]]:
    """The corpora under the folder that the command line names."""
    if len(arguments) != 2:
        raise SystemExit(f"usage: {arguments[0]} DATA, the folder that holds {' and '.join(names)}")
    found = [(name, Path(arguments[1]) / name / "raw") for name in names]
    there = [(name, pages(folder)) for name, folder in found if folder.is_dir()]
    if not there:
        raise SystemExit(f"{arguments[1]}: holds neither of {', '.join(f'{name}/raw' for name in names)}")
    return there
