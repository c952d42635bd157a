"""An ordered map over a pool of processes."""

from __future__ import annotations

import multiprocessing
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from types import ModuleType
from typing import TypeVar

Item = TypeVar("Item")
_Result = TypeVar("_Result")

_CHUNK_ITEMS = 4  # items sent at once; pages differ a hundredfold in length
_MAX_CHUNKS_AHEAD = 4  # queued for each process


def mapped(function: Callable[[Item], _Result], items: Iterable[Item], jobs: int = 1) -> Iterator[_Result]:
    """`function` of each item, in order; with more jobs than one, in a process pool.

    >>> list(mapped(abs, [-1, 2]))
    [1, 2]
    """
    if jobs <= 1:
        yield from map(function, items)
        return
    # Spawn, not fork: the progress bar has a thread, and a lock forked while held is never released.
    context = multiprocessing.get_context("spawn")
    source = iter(items)
    waiting: deque[Future[list[_Result]]] = deque()
    with ProcessPoolExecutor(jobs, context) as pool:
        try:
            while True:
                while len(waiting) < _MAX_CHUNKS_AHEAD * jobs and (
                    chunk := list(islice(source, _CHUNK_ITEMS))
                ):
                    with _no_script():
                        waiting.append(pool.submit(_apply_all, function, chunk))
                if not waiting:
                    return
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def _no_script() -> Iterator[None]:
    """Hide the main module while processes start: spawn would run an unguarded script again."""
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _apply_all(function: Callable[[Item], _Result], chunk: Sequence[Item]) -> list[_Result]:
    return [function(item) for item in chunk]
