"""A progress bar, shown only if stderr is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")


def enabled() -> bool:
    """Whether stderr is a terminal."""
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # closed
        return False


def progress(
    items: Iterable[_Item], label: str, total: int | None = None, unit: str = "page"
) -> Iterator[_Item]:
    """Yield the items, with a progress bar on a terminal.

    >>> list(progress([1, 2], "counting"))
    [1, 2]
    """
    if not enabled():
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, desc=label, total=total, unit=unit, leave=False, dynamic_ncols=True)
