"""Standard input of a batch run: a page, JSON Lines or a WARC file."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from stupidos.cli import inputs
from stupidos.errors import ExtraError, StupidosError
from stupidos.scale.compression import decompressing
from stupidos.scale.job import Job
from stupidos.scale.jsonl import Lines, pieces_of
from stupidos.scale.source_items import Raw, shortened
from stupidos.scale.sources import Inline
from stupidos.signatures import GZIP, ZSTD

NAME = "standard input"
_COPY_CHUNK = 1 << 20  # bytes


def page(job: Job) -> Inline:
    """The page on standard input."""
    content = inputs.content(inputs.STDIN)
    data, truncated = shortened(content.data, job.max_bytes)
    raw = Raw(inputs.STDIN, data, truncated=truncated, error=content.damage)
    return Inline(raw, "standard-input" + job.suffix)


def lines(job: Job) -> Iterator[Lines | Inline]:
    """JSON Lines from standard input, streamed; a read error becomes a failed page."""
    start = inputs.peek(max(len(GZIP), len(ZSTD)))
    try:
        with decompressing(sys.stdin.buffer, start) as file:
            yield from pieces_of(file, NAME, job.field)
    except ExtraError:
        raise
    except OSError as error:
        yield Inline(Raw(NAME, error=error.strerror or str(error)))
    except StupidosError as error:
        yield Inline(Raw(NAME, error=str(error)))


def warc(resume: bool, stack: ExitStack) -> str:
    """Copy a WARC file from standard input to a temporary file, removed when `stack` closes.

    Workers read ranges of the file, and a stream cannot seek.
    """
    if resume:
        raise StupidosError(f"{NAME}: --resume needs a WARC file with a name, not a stream")
    if sys.stdin is None:
        raise StupidosError(f"{NAME} is closed")
    try:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="stupidos-"))
        path = Path(folder) / "standard-input.warc"
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file, _COPY_CHUNK)
    except OSError as error:
        raise StupidosError(
            f"{NAME}: {error.strerror or error}: a WARC file is copied to {tempfile.gettempdir()} first;"
            " set TMPDIR to a larger folder, or pass the file by name"
        ) from None
    return str(path)
