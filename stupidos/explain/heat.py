"""The heat map: every character in one of nine colours, neighbours of one colour together."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from re import finditer
from typing import NamedTuple

# Log-odds of a character between which the colour changes, from dirty to clean: four
# oranges, one colourless, four blues.
STEPS = (-2.0, -1.0, -0.5, -0.15, 0.15, 0.5, 1.0, 2.0)
PLAIN = 4  # the colour of characters that say nothing; gets no markup
MOST_RUNS = 60_000  # coloured runs a report may hold; a browser scrolls that without effort

WORDS = r"\s*\S+\s*|\s+"
SEGMENT = r"(?s:.+)"


class Run(NamedTuple):
    """Neighbouring characters of one colour."""

    colour: int  # 0 very dirty, PLAIN undecided, 8 very clean
    text: str


def colour(log_odds: float) -> int:
    """Number of the colour of a character, 0 for very dirty, 8 for very clean.

    >>> [colour(x) for x in (-9.0, -0.1, 0.0, 0.7, 3.0)]
    [0, 4, 4, 6, 8]
    """
    return bisect_right(STEPS, log_odds)


def runs(text: str, log_odds: Sequence[float]) -> list[Run]:
    """Text cut where the colour changes, so that a page needs few elements.

    >>> runs("abcd", [0.0, 0.1, 3.0, 3.0])
    [Run(colour=4, text='ab'), Run(colour=8, text='cd')]
    """
    colours = [colour(value) for value in log_odds]
    starts = [i for i, (before, here) in enumerate(pairwise(colours), 1) if before != here]
    return [Run(colours[a], text[a:b]) for a, b in pairwise([0, *starts, len(text)]) if a < b]


def means(text: str, log_odds: Sequence[float], unit: str) -> list[float]:
    """Each character's log-odds replaced by the mean over what matches `unit` around it.

    >>> means("ab c", [1.0, 2.0, 0.0, 4.0], WORDS)
    [1.0, 1.0, 1.0, 4.0]
    """
    smooth: list[float] = []
    for match in finditer(unit, text):
        values = log_odds[match.start() : match.end()]
        smooth += [sum(values) / len(values)] * len(values)
    return smooth


def heat(segments: Iterable[tuple[str, Sequence[float]]], most: int = MOST_RUNS) -> list[list[Run]]:
    """Runs of every segment, by characters; by words or whole segments where a page is too long."""
    pairs = list(segments)
    coloured = [runs(text, values) for text, values in pairs]
    for unit in (WORDS, SEGMENT):
        if sum(map(len, coloured)) <= most:
            break
        coloured = [runs(text, means(text, values, unit)) for text, values in pairs]
    return coloured


def legend() -> Iterator[tuple[int, str]]:
    """Each colour with the log-odds it stands for."""
    edges = [f"{step:+g}" for step in STEPS]
    yield 0, f"below {edges[0]}"
    yield from ((i, f"{low} to {high}") for i, (low, high) in enumerate(pairwise(edges), 1))
    yield len(STEPS), f"above {edges[-1]}"
