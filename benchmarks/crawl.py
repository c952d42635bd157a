"""Crawls: WARC to JSONL against other tools, one process against two, and what grows with the pages.

    python benchmarks/crawl.py DATA                       # speed; exits with 1 below a limit
    python benchmarks/crawl.py DATA --growth 100000       # time and memory, and the plot of SCALING.md

DATA is the folder of the corpora. A WARC file of 2,000 of their pages is made in a temporary folder.
The tools take turns on pieces of it, so that a busy machine is unfair to none; their ratios are by
processor time. One and two processes take turns too, when the machine is free, by the clock.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from stupidos.scale.batch import Progress, run
from stupidos.scale.job import Job
from stupidos.scale.source_items import Raw
from stupidos.scale.warc import whole_file
from stupidos.write import Style

PAGES = 2000
PIECES = 10
JOBS_ROUNDS = 4
CLEAN = (sys.executable, "-m", "stupidos", "clean")
FREE, LOOK, WAITS = 0.9, 0.5, 60  # share of the machine, seconds, looks at most
BARE = "stupidos, --metadata drop"  # whose records say as much as those of the others
LEAST = {"two processes / one": 1.6, f"{BARE} / trafilatura": 8.0, f"{BARE} / fastwarc + resiliparse": 0.4}
MOST = {"processor time, two / one": 1.15, "memory of one process, MB": 120.0}
MOST_GROWTH = 1.05  # of the memory, from EARLY pages to the last
EARLY = 5000
WITH_METADATA = Style("jsonl")
WITHOUT_METADATA = Style("jsonl", metadata=False)

Tool = Callable[[str, str], int]  # WARC file and JSONL file -> pages


def corpus_pages(data: Path, count: int) -> list[Path]:
    """The same random pages of all corpora every time."""
    found = sorted(path for path in data.glob("*/raw/*") if path.is_file())
    if not found:
        raise SystemExit(f"{data} holds no NAME/raw/*: give the folder of the corpora")
    return random.Random(1).sample(found, min(count, len(found)))


def write_warc(path: Path, pages: Sequence[Path]) -> str:
    """A WARC file as crawlers write it: a gzip member a record."""
    with path.open("wb") as file:
        for page in pages:
            block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page.read_bytes()
            head = (
                "WARC/1.0\r\nWARC-Type: response\r\n"
                f"WARC-Record-ID: <urn:page:{page.parts[-3]}/{page.name}>\r\n"
                f"WARC-Target-URI: http://example.org/{page.name}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0))
    return str(path)


def stupidos(warc: str, output: str, model: str | None = None, style: Style = WITH_METADATA) -> int:
    return run(Job((warc,), output, style=style, model=model)).read


def by_hand(extract: Callable[[str], str | None]) -> Tool:
    """The shortest loop there is: fastwarc, resiliparse's decoder, a tool, and a line of JSON."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType
    from resiliparse.parse.encoding import bytes_to_str, detect_encoding

    def tool(warc: str, output: str) -> int:
        pages = 0
        with open(warc, "rb") as file, open(output, "w", encoding="utf-8", errors="replace") as out:
            for record in ArchiveIterator(file, record_types=WarcRecordType.response):
                body = record.reader.read()
                html = bytes_to_str(body, record.http_charset or detect_encoding(body))
                line = {"url": record.headers["WARC-Target-URI"], "text": extract(html) or ""}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
                pages += 1
        return pages

    return tool


def resiliparse() -> Tool:
    from resiliparse.extract.html2text import extract_plain_text

    return by_hand(lambda html: extract_plain_text(html, main_content=True))


def trafilatura() -> Tool:
    from trafilatura import extract

    return by_hand(extract)


def in_turns(pieces: Sequence[str], tools: dict[str, Tool], folder: Path) -> dict[str, list[float]]:
    """Processor seconds of each tool on each piece."""
    spent: dict[str, list[float]] = {name: [] for name in tools}
    names = list(tools)
    for number, piece in enumerate(pieces):
        for name in names[number % len(names) :] + names[: number % len(names)]:
            start = time.process_time()
            tools[name](piece, str(folder / "out.jsonl"))
            spent[name].append(time.process_time() - start)
    return spent


def speeds(folder: Path, pages: Sequence[Path], model: str | None) -> dict[str, float]:
    """The ratios to the others, some of which LEAST limits, with the speeds that they come from."""
    step = -(-len(pages) // PIECES)
    pieces = [
        write_warc(folder / f"{start}.warc.gz", pages[start : start + step])
        for start in range(0, len(pages), step)
    ]

    def own(warc: str, output: str) -> int:
        return stupidos(warc, output, model=model)

    def bare(warc: str, output: str) -> int:
        return stupidos(warc, output, model=model, style=WITHOUT_METADATA)

    def published(warc: str, output: str) -> int:
        return stupidos(warc, output, model="standard")

    tools = {
        "stupidos": own,
        BARE: bare,
        "stupidos, standard": published,
        "trafilatura": trafilatura(),
        "fastwarc + resiliparse": resiliparse(),
    }
    for name, tool in tools.items():  # load what is loaded lazily
        tool(pieces[-1], str(folder / f"warm-{name}.jsonl"))
    spent = in_turns(pieces, tools, folder)
    size = sum(path.stat().st_size for path in pages) / 1e6
    for name, seconds in spent.items():
        total = sum(seconds)
        print(f"{name:26} {len(pages) / total:8.1f} pages/s {size / total:7.1f} MB/s of one core")
    return {
        f"{own} / {name}": sum(spent[name]) / sum(spent[own])
        for own in ("stupidos", BARE)
        for name in ("trafilatura", "fastwarc + resiliparse")
    }


class Cost(NamedTuple):
    """What a command took, with all the processes that it started."""

    clock: float  # seconds
    processor: float  # seconds
    memory: float  # MB, the most that one of its processes held


def two_processes(folder: Path, warc: str, model: str | None) -> dict[str, float]:
    """Two processes against one, the command as people give it; the best of rounds in turns.

    Only free cores can show what a second one is worth, so each run waits for them, but not for ever;
    processor time also tells on a busy machine what the second process costs.
    """
    best: dict[int, Cost] = {}
    for _ in range(JOBS_ROUNDS):
        for jobs in (1, 2):
            command = [*CLEAN, warc, "-o", str(folder / f"{jobs}.jsonl"), "--jobs", str(jobs)]
            free = free_cores()
            cost = cost_of(command + (["--model", model] if model else []))
            print(f"--jobs {jobs}: {shown(cost)}, {free:.0%} of the machine free before")
            best[jobs] = Cost(*map(min, cost, best.get(jobs, cost)))
        assert (folder / "1.jsonl").read_bytes() == (folder / "2.jsonl").read_bytes()
    for jobs, cost in best.items():
        print(f"--jobs {jobs}: {shown(cost)}, the best of {JOBS_ROUNDS}")
    return {
        "two processes / one": best[1].clock / best[2].clock,
        "processor time, two / one": best[2].processor / best[1].processor,
        "memory of one process, MB": best[1].memory,
    }


def shown(cost: Cost) -> str:
    """The three figures.

    >>> shown(Cost(8.02, 14.8, 96.4))
    'clock 8.02 s, processor time 14.80 s, memory 96 MB'
    """
    clock, processor, memory = cost
    return f"clock {clock:.2f} s, processor time {processor:.2f} s, memory {memory:.0f} MB"


def cost_of(command: Sequence[str]) -> Cost:
    """Run a command and see what it took."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, code, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    if process.returncode:
        raise SystemExit(f"{shlex.join(command)} failed")
    return Cost(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6)


def free_cores() -> float:
    """The idle share of the machine, after waiting a while for nearly all of it."""
    for _ in range(WAITS):
        before = idle_time()
        time.sleep(LOOK)
        after = idle_time()
        share = (after[0] - before[0]) / max(after[1] - before[1], 1)
        if share >= FREE:
            break
    return share


def idle_time() -> tuple[int, int]:
    """Ticks that the cores have been idle, and all ticks."""
    with open("/proc/stat") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return ticks[3], sum(ticks)


def memory() -> float:
    """Megabytes that this process holds now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def growth(folder: Path, warc: str, count: int, model: str | None) -> Iterator[tuple[int, float, float]]:
    """Pages so far, processor seconds and megabytes, while so many pages go through one process."""
    found: list[tuple[int, float, float]] = []
    start = time.process_time()

    def watch(news: Progress) -> None:
        found.append((news.accounts.read, time.process_time() - start, memory()))

    pages = sum(isinstance(one, Raw) for one in whole_file(warc).items(1 << 20))
    first = write_first(folder, warc)
    run(Job((first,), str(folder / "first.jsonl"), model=model), 1, on_progress=watch)
    start = time.process_time()
    run(Job((warc,) * -(-count // pages), str(folder / "growth.jsonl.gz"), model=model), 1, on_progress=watch)
    yield from found


def write_first(folder: Path, warc: str) -> str:
    """A WARC file of the first page alone."""
    import zlib

    with open(warc, "rb") as file:
        data = file.read(1 << 24)
    member = zlib.decompressobj(31)
    member.decompress(data)
    (folder / "first.warc.gz").write_bytes(data[: len(data) - len(member.unused_data)])
    return str(folder / "first.warc.gz")


def check_growth(points: Sequence[tuple[int, float, float]]) -> bool:
    """Show how time and memory went; whether the memory stayed flat."""
    early = next(size for pages, _, size in points if pages >= EARLY)
    for pages, seconds, size in [*points[:: max(len(points) // 12, 1)], points[-1]]:
        print(f"{pages:8} pages {seconds:8.1f} s {1e3 * seconds / pages:6.2f} ms/page {size:6.1f} MB")
    late = points[-1][2]
    print(f"memory after {EARLY} pages {early:.1f} MB, at the end {late:.1f} MB: {late / early:.3f}")
    return late <= early * MOST_GROWTH


def plot(points: Sequence[tuple[int, float, float]], path: Path) -> None:
    """Time and memory over the pages."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "stupidos"
    pages, seconds, sizes = zip(*points, strict=True)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    left.loglog(pages, seconds, color="tab:blue")
    left.set(xlabel="pages", ylabel="processor seconds, one process", title="time")
    right.semilogx(pages, sizes, color="tab:red")
    right.set(xlabel="pages", ylabel="MB held", title="memory", ylim=(0, max(sizes) * 1.3))
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--model", help="the default one without")
    parser.add_argument("--growth", type=int, metavar="PAGES", help="measure that instead")
    parser.add_argument("--plot", type=Path, default=Path(__file__).with_name("scaling.svg"))
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    pages = corpus_pages(arguments.data, arguments.pages)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warc = write_warc(folder / "crawl.warc.gz", pages)
        if arguments.growth:
            points = list(growth(folder, warc, arguments.growth, arguments.model))
            plot(points, arguments.plot)
            return 0 if check_growth(points) else 1
        found = two_processes(folder, warc, arguments.model) | speeds(folder, pages, arguments.model)
    for name, value in found.items():
        limit = f"  (at least {LEAST[name]:g})" if name in LEAST else ""
        limit = f"  (at most {MOST[name]:g})" if name in MOST else limit
        print(f"{name:50} {value:6.2f}{limit}")
    kept = [found[name] >= least for name, least in LEAST.items()]
    return 0 if all(kept) and all(found[name] <= most for name, most in MOST.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
