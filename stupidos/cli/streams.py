"""Standard input as an input of the crawl driver: a page, JSON Lines or a WARC file."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from stupidos.cli import inputs
from stupidos.errors import ExtraError, StupidosError
from stupidos.scale.compression import GZIP, ZSTD, unpacking
from stupidos.scale.job import Job
from stupidos.scale.jsonl import Lines, pieces_of
from stupidos.scale.source_items import Raw, shortened
from stupidos.scale.sources import Inline

NAME = "standard input"
COPIED = 1 << 20  # bytes at once


def page(job: Job) -> Inline:
    """The page on standard input."""
    data, truncated = shortened(inputs.content(inputs.STDIN), job.most)
    return Inline(Raw(inputs.STDIN, data, truncated=truncated), "standard-input" + job.suffix)


def lines(job: Job) -> Iterator[Lines | Inline]:
    """JSON Lines on standard input, as they come; what breaks off ends in a page that failed."""
    start = inputs.peek(max(len(GZIP), len(ZSTD)))
    try:
        with unpacking(sys.stdin.buffer, start) as file:
            yield from pieces_of(file, NAME, job.field)
    except ExtraError:
        raise
    except OSError as error:
        yield Inline(Raw(NAME, error=error.strerror or str(error)))
    except StupidosError as error:
        yield Inline(Raw(NAME, error=str(error)))


def warc(resume: bool, stack: ExitStack) -> str:
    """The path of a copy of the WARC file on standard input, gone at the end of `stack`.

    Workers read ranges of it, which a stream does not let them do.
    """
    if resume:
        raise StupidosError(f"{NAME}: a WARC file cannot be resumed from here: give it by its name")
    if sys.stdin is None:
        raise StupidosError(f"{NAME} is closed")
    try:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="stupidos-"))
        path = Path(folder) / "standard-input.warc"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, COPIED)
    except OSError as error:
        raise StupidosError(
            f"{NAME}: {error.strerror or error}: a WARC file is copied to {tempfile.gettempdir()} first;"
            " set TMPDIR to a larger folder, or give the file by its name"
        ) from None
    return str(path)
