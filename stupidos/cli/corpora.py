"""Folders of pages and gold texts, with a line on stderr for whatever is left out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from stupidos.cli import output

if TYPE_CHECKING:
    from stupidos.lab.corpus import Pair


def pairs_of(gold: Path, raw: Path) -> tuple[list[Pair], int]:
    """The pairs of two folders, and the number of files without a partner, which are reported."""
    from stupidos.lab.corpus import corpus, listed

    paired = corpus(gold, raw)
    if paired.unpaired:
        output.complain(f"stupidos: left out, without a partner of the same name: {listed(paired.unpaired)}")
    return paired.pairs, len(paired.unpaired)


def report_left_out(pages: Iterable[tuple[str, str]]) -> None:
    """A line for each page that was left out, with the reason."""
    for name, reason in pages:
        output.complain(f"stupidos: left out: {name}: {' '.join(reason.split())}")
