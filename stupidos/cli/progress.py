"""Progress bars, shown only if stderr is a terminal; failures and summary of a batch run."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from stupidos.cli import output
from stupidos.cli.inputs import STDIN

if TYPE_CHECKING:
    from stupidos.scale.accounts import Accounts
    from stupidos.scale.batch import Progress

_MAX_FAILURES_PRINTED = 20  # JSONL output lists all of them
_Item = TypeVar("_Item")


def _enabled() -> bool:
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
    if not _enabled():
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, desc=label, total=total, unit=unit, leave=False, dynamic_ncols=True)


class Reporter:
    """Shows a progress bar on a terminal, prints failed pages, and a summary at the end."""

    def __init__(self, names: Iterable[str] | None) -> None:
        self._bar = _progress_bar(names) if _enabled() else None
        self._failures = 0
        self._pages = 0

    def update(self, unit: Progress) -> None:
        """Report a finished unit."""
        for page, reason in unit.failures:
            self._failures += 1
            if self._failures <= _MAX_FAILURES_PRINTED:
                self._print(f"stupidos: {page if page.isprintable() else ascii(page)}: {reason}")
        if self._bar is not None:
            if unit.pages is None:
                self._bar.initial += unit.size  # done by an earlier run, so not part of the speed
            self._pages += unit.pages or 0
            elapsed = self._bar.format_dict["elapsed"] or 1
            self._bar.set_postfix_str(f"{self._pages / elapsed:.0f} pages/s", refresh=False)
            self._bar.update(unit.size)

    def _print(self, line: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        output.complain(line)

    def close(self, accounts: Accounts) -> None:
        """Print the summary."""
        if self._failures > _MAX_FAILURES_PRINTED:
            output.complain(f"stupidos: and {self._failures - _MAX_FAILURES_PRINTED} more failed pages")
        output.complain(f"stupidos: {accounts.summary()}")

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _progress_bar(names: Iterable[str] | None) -> Any:
    """A bar in bytes with speed and time left; the total of a list of names is unknown."""
    from tqdm import tqdm

    from stupidos.scale.sources import sizes

    tqdm.monitor_interval = 0  # the monitor thread would prevent forking workers
    total = sum(sizes(name for name in names if name != STDIN)) if names is not None else None
    return tqdm(total=total or None, unit="B", unit_scale=True, leave=False, dynamic_ncols=True)
