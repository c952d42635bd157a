"""What people hear while many pages are cleaned."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from stupidos.cli import output, progress
from stupidos.cli.inputs import STDIN

if TYPE_CHECKING:
    from stupidos.scale.accounts import Accounts
    from stupidos.scale.batch import News

MOST_NAMED = 20  # pages that failed named one by one; JSONL has them all


class Reporter:
    """Tells people what goes on: a bar on a terminal, the pages that failed, the accounts at the end."""

    def __init__(self, names: Iterable[str] | None) -> None:
        self._bar = bar(names) if progress.shown() else None
        self._named = 0
        self._pages = 0

    def hear(self, news: News) -> None:
        """A unit is done."""
        for page, reason in news.failures:
            self._named += 1
            if self._named <= MOST_NAMED:
                self._say(f"stupidos: {page if page.isprintable() else ascii(page)}: {reason}")
        if self._bar is not None:
            if news.pages is None:
                self._bar.initial += news.size  # no part of today's speed
            self._pages += news.pages or 0
            elapsed = self._bar.format_dict["elapsed"] or 1
            self._bar.set_postfix_str(f"{self._pages / elapsed:.0f} pages/s", refresh=False)
            self._bar.update(news.size)

    def _say(self, line: str) -> None:
        if self._bar is not None:
            self._bar.clear()
        output.complain(line)

    def close(self, accounts: Accounts) -> None:
        """The last lines."""
        if self._named > MOST_NAMED:
            output.complain(f"stupidos: and {self._named - MOST_NAMED} other pages that failed")
        output.complain(f"stupidos: {accounts.summary()}")

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def bar(names: Iterable[str] | None) -> Any:
    """A bar of bytes with speed and time left; lists have no end that we know of."""
    from tqdm import tqdm

    from stupidos.scale.sources import sizes

    tqdm.monitor_interval = 0  # a thread of its own, with which workers could not be copies of us
    total = sum(sizes(name for name in names if name != STDIN)) if names is not None else None
    return tqdm(total=total or None, unit="B", unit_scale=True, leave=False, dynamic_ncols=True)
