"""Clean many pages: folders, crawls and lists of files, on all cores, with resume after an interruption.

The batch part of `stupidos clean`. A summary is printed at the end: read = written + empty + failed;
the exit code is 1 if pages failed. A page that exceeds the time limit or crashes its worker counts as
failed and is reported; the run continues.

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
from typing import TYPE_CHECKING

from stupidos.cli import inputs, output
from stupidos.cli.options import between, cores, options_of
from stupidos.errors import StupidosError
from stupidos.write import SEPARATORS, Style

if TYPE_CHECKING:
    from stupidos.scale.job import Job
    from stupidos.scale.shard import Shard
    from stupidos.scale.sources import Name

_STDIN = inputs.STDIN
_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_MIN_PARALLEL_BYTES = 4 << 20  # below this much input, starting workers costs more than it saves


def add_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("many pages")
    group.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="a folder (keeps file names), or a file: .jsonl .parquet .vert .xml .html .md .txt, also .gz"
        " or .zst; or the URL of a file, as in s3://bucket/clean.jsonl.gz",
    )
    group.add_argument(
        "--jobs", type=_positive, metavar="N", help="number of worker processes; default: all cores"
    )
    group.add_argument(
        "--resume", action="store_true", help="continue an interrupted run of the same command"
    )
    group.add_argument(
        "--unordered", action="store_true", help="write pages as they finish instead of in input order"
    )
    group.add_argument(
        "--compress-level",
        type=int,
        metavar="N",
        help="of .gz (1 to 9; default: 4) and .zst (1 to 19; default: 3): higher is smaller and slower",
    )
    group.add_argument(
        "--shard",
        type=_shard,
        metavar="I/N",
        help="clean only part I of N, to split a run over machines; all outputs joined are those of one run",
    )
    group.add_argument(
        "--files-from",
        metavar="FILE",
        help="read input names from FILE, one per line; - is standard input",
    )
    group.add_argument(
        "--field", metavar="NAME", help="field of JSONL or Parquet that holds the page; default: html or text"
    )
    group.add_argument(
        "--separator",
        metavar="LINE",
        help="line before each page in text and Markdown, {id} being its name; default: ==> {id} <== in text,"
        " <!-- {id} --> in Markdown; '' for a blank line only",
    )
    group.add_argument(
        "--fields",
        choices=("keep", "drop"),
        default="keep",
        help="other fields of JSONL records: hand them through to the output (default), or not",
    )
    group.add_argument(
        "--timeout",
        type=_seconds,
        metavar="S",
        help="CPU seconds per page; default: 10; 0: no limit",
    )
    group.add_argument(
        "--max-bytes",
        type=_size,
        metavar="N",
        help="truncate longer pages; default: 20m; suffixes k, m, g",
    )


def run(arguments: argparse.Namespace) -> int:
    from stupidos.cli.progress import Reporter
    from stupidos.scale.batch import run as work
    from stupidos.scale.workers import one_thread

    os.environ.update(one_thread())  # before numpy is loaded: its threads slow small matrices down
    job = job_of(arguments)
    lists = bool(arguments.files_from)
    unbounded = lists or bool(arguments.kinds.get(_STDIN))
    parallel = not arguments.visual and (unbounded or _worth_parallelizing(job.inputs))  # one browser
    jobs = arguments.jobs or (cores() if parallel else 1)
    try:
        whole = not unbounded and job.shard.shards == 1
        with Reporter(job.inputs if whole else None) as reporter, ExitStack() as stack:
            names = _input_names(arguments, job, stack)
            accounts = work(job, jobs, arguments.resume, names, reporter.update, output.write)
    except KeyboardInterrupt:
        if job.output:
            output.complain("stupidos: interrupted; run the same command with --resume to continue")
        raise
    reporter.close(accounts)
    return 0 if accounts.complete else 1


def job_of(arguments: argparse.Namespace) -> Job:
    """The job described by the command line."""
    from stupidos.scale.job import Job, format_of

    path: str = arguments.output or ""
    named = format_of(path) if not os.path.isdir(path) else None
    folder = _is_folder(path, bool(named or arguments.format))
    many = not path and any(arguments.kinds.values())
    format = arguments.format or named or ("jsonl" if many else "text")
    _check_output(path, folder, format, arguments.files)
    if arguments.model:
        _check_confidence(arguments)
    options = {"max_bytes": arguments.max_bytes, "seconds": arguments.timeout, "shard": arguments.shard}
    return Job(
        inputs=tuple(arguments.files) or (() if arguments.files_from else (_STDIN,)),
        output=path,
        folder=folder,
        style=_style(arguments, format, folder),
        model=arguments.model,
        options=options_of(arguments),
        field=arguments.field,
        input=arguments.input,
        min_confidence=arguments.min_confidence,
        min_precision=arguments.min_precision,
        min_recall=arguments.min_recall,
        languages=arguments.lang,
        fields=arguments.fields,
        ordered=not arguments.unordered,
        level=_level(arguments.compress_level, path),
        **{name: value for name, value in options.items() if value is not None},
    )


def _level(level: int | None, path: str) -> int | None:
    """The level of compression, if it is one of the output's format."""
    if level is None:
        return None
    from stupidos.scale.compression import MAX_LEVELS
    from stupidos.scale.job import suffix_of

    most = MAX_LEVELS.get(suffix_of(path))
    if most is None:
        raise StupidosError("--compress-level is for an output that ends in .gz or .zst")
    if not 1 <= level <= most:
        raise StupidosError(f"--compress-level {level}: {path} takes 1 to {most}")
    return level


def _style(arguments: argparse.Namespace, format: str, folder: bool) -> Style:
    """How pages are written; options that the format has no use for are refused."""
    style = Style(
        format,
        arguments.keep_dirty,
        arguments.segments,
        arguments.links,
        arguments.images,
        separator=_separator(arguments, format),
        front_matter=arguments.front_matter,
        title=arguments.title,
    )
    if arguments.standalone:
        if format != "html":
            raise StupidosError(f"--standalone is for HTML, not for {format}: add --format html")
        style = style._replace(standalone="page" if folder else "file")
    if arguments.front_matter and "markdown" not in (format, arguments.text_format):
        raise StupidosError(f"--front-matter is for Markdown, not for {format}: add --format markdown")
    if arguments.text_format != "text":
        if format != "jsonl":
            raise StupidosError(
                f"--text-format is for JSONL records: write --format {arguments.text_format} instead,"
                " or add --format jsonl"
            )
        style = style._replace(text_format=arguments.text_format)
    if arguments.metadata == "drop":
        if format != "jsonl":
            raise StupidosError(f"--metadata is for JSONL records, not for {format}: add --format jsonl")
        style = style._replace(metadata=False)
    return style


def _check_confidence(arguments: argparse.Namespace) -> None:
    """Refuse minima that the model cannot estimate: they would drop every page."""
    wanted = [name for name in ("confidence", "precision", "recall") if _minimum(arguments, name) is not None]
    if not wanted:
        return
    from stupidos.confidence import EXPECTATION_KEY, KEY
    from stupidos.score.registry import scorer

    header = scorer(arguments.model).header
    for name in wanted:
        if EXPECTATION_KEY not in header and (KEY not in header or name == "recall"):
            remedy = "train it on more pages" if header and name != "recall" else "choose --model web"
            raise StupidosError(
                f"the model {arguments.model} has no {name} estimate: leave --min-{name} out, or {remedy}"
            )


def _minimum(arguments: argparse.Namespace, name: str) -> float | None:
    value: float | None = getattr(arguments, f"min_{name}")
    return value


def _separator(arguments: argparse.Namespace, format: str) -> str:
    """The line before each page, if there may be several."""
    names = arguments.kinds
    several = arguments.files_from or len(names) > 1 or any(names.values()) or any(map(os.path.isdir, names))
    if not several:
        return ""
    return SEPARATORS.get(format, "") if arguments.separator is None else str(arguments.separator)


def _is_folder(path: str, has_format: bool) -> bool:
    """Whether an output path is a folder. A path with a suffix is a file, and needs a known format.

    >>> _is_folder("out", False), _is_folder("out.d/", False), _is_folder("out.jsonl", True)
    (True, True, False)
    """
    from stupidos.scale.job import suffix_of

    if not path or os.path.isdir(path) or path.endswith("/") or not suffix_of(path):
        return bool(path)
    if not has_format and not os.path.exists(path):
        raise StupidosError(
            f"{path}: unknown suffix: use .jsonl .parquet .vert .xml .html .md or .txt, optionally with"
            f" .gz or .zst, or add --format; for a folder write {path}/"
        )
    return not has_format


def _check_output(path: str, folder: bool, format: str, files: list[str]) -> None:
    """Reject an unusable output path before any work is done."""
    remote = "://" in path
    if remote and folder:
        raise StupidosError(
            f"{path}: a folder of files must be local:"
            f" write one file, such as {path.rstrip('/')}/clean.jsonl.gz"
        )
    if folder:
        if os.path.exists(path) and not os.path.isdir(path):
            raise StupidosError(f"{path} is a file: give a folder, or a name ending in .jsonl")
        if any(os.path.isdir(one) and os.path.realpath(one) == os.path.realpath(path) for one in files):
            raise StupidosError(f"{path} is an input: choose another output folder")
    elif path:
        if not remote and not os.path.isdir(os.path.dirname(path) or "."):
            raise StupidosError(f"{os.path.dirname(path)}: no such folder")
        if os.path.exists(path) and any(os.path.exists(one) and os.path.samefile(one, path) for one in files):
            raise StupidosError(f"{path} is an input: choose another output")
        if path.endswith(".parquet") and format != "jsonl":
            raise StupidosError(f"{path}: Parquet holds records: remove --format {format}")
        if path.endswith((".parquet.gz", ".parquet.zst")):
            raise StupidosError(f"{path}: Parquet is already compressed: use .parquet")


def kinds(arguments: argparse.Namespace) -> dict[str, str]:
    """Map each input to `jsonl` or `warc` if it holds many pages, else to ""; --files-from is not read."""
    from stupidos.scale.input_kinds import PACKED_START, kind_named, kind_of, sniffed

    kind_by_name: dict[str, str] = {}
    for name in arguments.files or (() if arguments.files_from else (_STDIN,)):
        kind_by_name[name] = ""
        if name != _STDIN:
            kind_by_name[name] = kind_of(name, arguments.input, arguments.field)
        elif arguments.input == "auto":
            with suppress(StupidosError):  # reported when it is read
                kind_by_name[name] = sniffed(inputs.peek(PACKED_START), arguments.field)
        else:
            kind_by_name[name] = kind_named(arguments.input)
    return kind_by_name


def _input_names(arguments: argparse.Namespace, job: Job, stack: ExitStack) -> Iterator[Name]:
    """All inputs, then those of --files-from; temporary files live until `stack` closes."""
    from stupidos.cli import streams
    from stupidos.scale.remote import matching

    for name in job.inputs:
        kind = arguments.kinds[name]
        if name != _STDIN:
            yield from matching(name)
        elif job.shard.shards > 1:
            raise StupidosError(f"--shard needs inputs by name: {streams.NAME} can be read only once")
        elif not kind:
            yield streams.page(job)
        elif job.folder:
            raise StupidosError(f"{streams.NAME} holds many pages: write them to one file (-o clean.jsonl)")
        elif kind == "jsonl":
            yield from streams.lines(job)
        else:
            yield streams.warc(arguments.resume, stack)
    if arguments.files_from:
        for name in _listed_names(arguments.files_from):
            yield from matching(name)


def _listed_names(path: str) -> Iterator[str]:
    """Names in a file, one per line, or separated by NULs (`find -print0`)."""
    try:
        if path == _STDIN and sys.stdin is None:
            raise StupidosError("standard input is closed")
        with nullcontext(sys.stdin.buffer) if path == _STDIN else open(path, "rb") as file:
            separator, rest = b"", b""
            while piece := file.read1(1 << 16):  # type: ignore[union-attr]  # does not block for more
                separator = separator or (b"\0" if b"\0" in piece else b"\n")
                *complete, rest = (rest + piece).split(separator)
                yield from (os.fsdecode(name) for name in complete if name)
            if rest:
                yield os.fsdecode(rest)
    except OSError as error:
        raise StupidosError(f"{path}: {error.strerror}") from None


def _worth_parallelizing(inputs: Iterable[str]) -> bool:
    """Whether there is enough input for several processes."""
    from stupidos.scale.sources import sizes

    return any(
        total >= _MIN_PARALLEL_BYTES for total in accumulate(sizes(name for name in inputs if name != _STDIN))
    )


def _positive(text: str) -> int:
    """Parse a positive integer.

    >>> _positive("4")
    4
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive integer")
    return int(text)


def _shard(text: str) -> Shard:
    from stupidos.scale.shard import Shard

    try:
        return Shard.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seconds(text: str) -> float:
    try:
        return between(0, sys.float_info.max)(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds") from None


def _size(text: str) -> int:
    """Parse a number of bytes with an optional unit.

    >>> _size("20m")
    20971520
    """
    unit = _UNITS.get(text[-1:].lower(), 1)
    try:
        return _positive(text[:-1] if unit > 1 else text) * unit
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text} is not a number of bytes such as 20m") from None
