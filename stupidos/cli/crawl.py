"""Clean many pages: folders, crawls and lists of files, on every core, to be taken up again when stopped.

The part of `stupidos clean` that leaves files behind. What became of the pages is told at the end:
read = written + empty + failed; the exit code is 1 when pages failed. A page that needs too long or
ends its worker has failed, is named, and the rest goes on.

examples:
  stupidos clean pages/ -o clean/
  stupidos clean crawl-*.warc.gz -o clean.jsonl.gz --resume
  find . -name '*.html' | stupidos clean --files-from - -o clean.parquet
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, nullcontext, suppress
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import inputs, output
from stupidos.cli.options import options_of
from stupidos.cli.reporter import Reporter
from stupidos.errors import StupidosError
from stupidos.write import Style

if TYPE_CHECKING:
    from stupidos.scale.job import Job
    from stupidos.scale.sources import Name

STDIN = inputs.STDIN
UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
WORTH_IT = 4 << 20  # bytes of input below which starting workers takes longer than doing without


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("many pages")
    group.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="a folder (names are kept), or one file: .jsonl .parquet .vert .xml .md .txt, also .gz or .zst",
    )
    group.add_argument("--jobs", type=positive, metavar="N", help="processes; all cores by default")
    group.add_argument(
        "--resume", action="store_true", help="go on where the same command was stopped; else start"
    )
    group.add_argument(
        "--unordered", action="store_true", help="write pages as they are done, not as they came"
    )
    group.add_argument(
        "--files-from",
        metavar="FILE",
        help="names of inputs, a line each; - is standard input",
    )
    group.add_argument(
        "--field", metavar="NAME", help="field of JSONL inputs with the page; html or text by default"
    )
    group.add_argument(
        "--timeout",
        type=seconds,
        metavar="S",
        help="processor time for a page: 10 s by default, 0 sets no limit",
    )
    group.add_argument(
        "--max-bytes",
        type=size,
        metavar="N",
        help="cut longer pages, 20m by default; also k and g",
    )


def run(arguments: argparse.Namespace) -> int:
    from stupidos.scale.batch import run as work
    from stupidos.scale.workers import one_thread

    os.environ.update(one_thread())  # before numpy is loaded: its threads would fight over small matrices
    job = job_of(arguments)
    lists = bool(arguments.files_from)
    endless = lists or bool(arguments.kinds.get(STDIN))
    jobs = arguments.jobs or (cores() if endless or worth_it(job.inputs) else 1)
    try:
        with Reporter(None if endless else job.inputs) as reporter, ExitStack() as stack:
            todo = names(arguments, job, stack)
            accounts = work(job, jobs, arguments.resume, todo, reporter.hear, output.write)
    except KeyboardInterrupt:
        if job.output:
            output.complain("stupidos: stopped; the same command with --resume goes on from here")
        raise
    reporter.close(accounts)
    return 0 if accounts.complete else 1


def job_of(arguments: argparse.Namespace) -> Job:
    """The job that the command line asks for."""
    from stupidos.scale.job import Job, format_of

    path: str = arguments.output or ""
    named = format_of(path) if not os.path.isdir(path) else None
    folder = is_folder(path, bool(named or arguments.format))
    many = not path and any(arguments.kinds.values())
    format = arguments.format or named or ("jsonl" if many else "text")
    check_output(path, folder, format, arguments.files)
    options = {"most": arguments.max_bytes, "seconds": arguments.timeout}
    return Job(
        inputs=tuple(arguments.files) or (() if arguments.files_from else (STDIN,)),
        output=path,
        folder=folder,
        style=Style(format, arguments.keep_dirty, arguments.segments),
        model=arguments.model,
        options=options_of(arguments),
        field=arguments.field,
        input=arguments.input,
        least=arguments.min_confidence,
        ordered=not arguments.unordered,
        **{name: value for name, value in options.items() if value is not None},
    )


def is_folder(path: str, has_format: bool) -> bool:
    """Whether an output is a folder; a suffix makes it a file, which needs a format.

    >>> is_folder("out", False), is_folder("out.d/", False), is_folder("out.jsonl", True)
    (True, True, False)
    """
    if not path or os.path.isdir(path) or path.endswith("/") or not Path(path).suffix:
        return bool(path)
    if not has_format and not os.path.exists(path):
        raise StupidosError(
            f"{path}: no format has this suffix: take .jsonl .parquet .vert .xml .md or .txt, also with .gz"
            f" or .zst, or say --format; a folder is {path}/"
        )
    return not has_format


def check_output(path: str, folder: bool, format: str, files: list[str]) -> None:
    """Refuse an output that cannot be, before any work is done."""
    if folder:
        if os.path.exists(path) and not os.path.isdir(path):
            raise StupidosError(f"{path} is a file: give a folder, or a name that ends in .jsonl")
        if any(os.path.isdir(one) and os.path.realpath(one) == os.path.realpath(path) for one in files):
            raise StupidosError(f"{path} is an input: choose another output folder")
    elif path:
        if not os.path.isdir(os.path.dirname(path) or "."):
            raise StupidosError(f"{os.path.dirname(path)}: there is no such folder")
        if os.path.exists(path) and any(os.path.exists(one) and os.path.samefile(one, path) for one in files):
            raise StupidosError(f"{path} is an input: choose another output")
        if path.endswith(".parquet") and format != "jsonl":
            raise StupidosError(f"{path}: Parquet holds records: leave --format {format} out")
        if path.endswith((".parquet.gz", ".parquet.zst")):
            raise StupidosError(f"{path}: Parquet is packed already: call it .parquet")


def kinds(arguments: argparse.Namespace) -> dict[str, str]:
    """The inputs, each with `jsonl` or `warc` if it holds many pages; those of a list are left out."""
    from stupidos.scale.input_kinds import PACKED_START, kind_named, kind_of, sniffed

    found: dict[str, str] = {}
    for name in arguments.files or (() if arguments.files_from else (STDIN,)):
        found[name] = ""
        if name != STDIN:
            found[name] = kind_of(name, arguments.input, arguments.field)
        elif arguments.input == "auto":
            with suppress(StupidosError):  # reading it will tell what is wrong
                found[name] = sniffed(inputs.peek(PACKED_START), arguments.field)
        else:
            found[name] = kind_named(arguments.input)
    return found


def names(arguments: argparse.Namespace, job: Job, stack: ExitStack) -> Iterator[Name]:
    """The inputs, then those of the list; what they need is kept until the end of `stack`."""
    from stupidos.cli import streams

    for name in job.inputs:
        kind = arguments.kinds[name]
        if name != STDIN:
            yield name
        elif not kind:
            yield streams.page(job)
        elif job.folder:
            raise StupidosError(f"{streams.NAME} holds many pages: write them to one file (-o clean.jsonl)")
        elif kind == "jsonl":
            yield from streams.lines(job)
        else:
            yield streams.warc(arguments.resume, stack)
    if arguments.files_from:
        yield from listed(arguments.files_from)


def listed(path: str) -> Iterator[str]:
    """Names in a file, a line each, or with NULs between them (`find -print0`)."""
    try:
        if path == STDIN and sys.stdin is None:
            raise StupidosError("standard input is closed")
        with nullcontext(sys.stdin.buffer) if path == STDIN else open(path, "rb") as file:
            separator, rest = b"", b""
            while piece := file.read1(1 << 16):  # type: ignore[union-attr]  # what is there, no waiting for more
                separator = separator or (b"\0" if b"\0" in piece else b"\n")
                *complete, rest = (rest + piece).split(separator)
                yield from (os.fsdecode(name) for name in complete if name)
            if rest:
                yield os.fsdecode(rest)
    except OSError as error:
        raise StupidosError(f"{path}: {error.strerror}") from None


def worth_it(inputs: Iterable[str]) -> bool:
    """Whether there is enough to do for several processes."""
    from stupidos.scale.sources import sizes

    return any(total >= WORTH_IT for total in accumulate(sizes(name for name in inputs if name != STDIN)))


def cores() -> int:
    """Cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def positive(text: str) -> int:
    """A whole number from 1 on.

    >>> positive("4")
    4
    """
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def seconds(text: str) -> float:
    number = float(text)
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds")
    return number


def size(text: str) -> int:
    """A number of bytes.

    >>> size("20m")
    20971520
    """
    unit = UNITS.get(text[-1:].lower(), 1)
    return positive(text[:-1] if unit > 1 else text) * unit
