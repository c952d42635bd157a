"""The heat map: every character in one of nine colours, neighbours of one colour together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from re import finditer
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

# Log-odds of a character between which the colour changes, from dirty to clean: four
# oranges, one colourless, four blues.
STEPS = (-2.0, -1.0, -0.5, -0.15, 0.15, 0.5, 1.0, 2.0)
PLAIN = 4  # the colour of characters that say nothing; gets no markup
MOST_RUNS = 60_000  # coloured runs a report may hold; a browser scrolls that without effort

WORDS = r"\s*\S+\s*|\s+"
SEGMENT = r"(?s:.+)"

LogOdds: TypeAlias = npt.NDArray[np.float64]  # shape (characters,)


class Run(NamedTuple):
    """Neighbouring characters of one colour."""

    colour: int  # 0 very dirty, PLAIN undecided, 8 very clean
    text: str


def colours(log_odds: LogOdds) -> npt.NDArray[np.intp]:
    """Number of each character's colour, 0 for very dirty, 8 for very clean.

    >>> colours(np.array([-9.0, -0.1, 0.0, 0.7, 3.0])).tolist()
    [0, 4, 4, 6, 8]
    """
    return np.searchsorted(STEPS, log_odds, side="right")


def runs(text: str, log_odds: LogOdds) -> list[Run]:
    """Text cut where the colour changes, so that a page needs few elements.

    >>> runs("abcd", np.array([0.0, 0.1, 3.0, 3.0]))
    [Run(colour=4, text='ab'), Run(colour=8, text='cd')]
    """
    found = colours(log_odds)
    starts = [0, *(np.flatnonzero(np.diff(found)) + 1).tolist(), len(text)]
    return [Run(int(found[a]), text[a:b]) for a, b in pairwise(starts) if a < b]


def means(text: str, log_odds: LogOdds, unit: str) -> LogOdds:
    """Each character's log-odds replaced by the mean over what matches `unit` around it.

    >>> means("ab c", np.array([1.0, 2.0, 0.0, 4.0]), WORDS)
    array([1., 1., 1., 4.])
    """
    starts = [match.start() for match in finditer(unit, text)]
    if not starts:
        return log_odds
    sizes = np.diff([*starts, len(text)])
    return np.repeat(np.add.reduceat(log_odds, starts) / sizes, sizes)


def heat(segments: Iterable[tuple[str, LogOdds | Sequence[float]]], most: int = MOST_RUNS) -> list[list[Run]]:
    """Runs of every segment, by characters; by words or whole segments where a page is too long."""
    pairs = [(text, np.asarray(values, dtype=np.float64)) for text, values in segments]
    smooth = pairs
    for unit in (WORDS, SEGMENT):
        if sum(1 + np.count_nonzero(np.diff(colours(values))) for _, values in smooth) <= most:
            break
        smooth = [(text, means(text, values, unit)) for text, values in pairs]
    return [runs(text, values) for text, values in smooth]


def legend() -> Iterator[tuple[int, str]]:
    """Each colour with the log-odds it stands for."""
    edges = [f"{step:+g}" for step in STEPS]
    yield 0, f"below {edges[0]}"
    yield from ((i, f"{low} to {high}") for i, (low, high) in enumerate(pairwise(edges), 1))
    yield len(STEPS), f"above {edges[-1]}"
