"""The heat map: every character in one of nine colours, as runs of the same colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from re import finditer
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

# Boundaries between the colours, in log-odds of a character from dirty to clean: four oranges,
# one neutral, four blues.
_COLOUR_BOUNDARIES = (-2.0, -1.0, -0.5, -0.15, 0.15, 0.5, 1.0, 2.0)
NEUTRAL = 4  # the colour without markup
_MAX_RUNS = 60_000  # per report; browsers scroll that many elements smoothly

_WORDS = r"\s*\S+\s*|\s+"
_SEGMENT = r"(?s:.+)"

_CharacterLogOdds: TypeAlias = npt.NDArray[np.float64]  # shape (characters,)


class ColourRun(NamedTuple):
    """Consecutive characters of the same colour."""

    colour: int  # 0 very dirty, NEUTRAL undecided, 8 very clean
    text: str


def _colour_numbers(log_odds: _CharacterLogOdds) -> npt.NDArray[np.intp]:
    """Colour of each character, 0 for very dirty to 8 for very clean.

    >>> _colour_numbers(np.array([-9.0, -0.1, 0.0, 0.7, 3.0])).tolist()
    [0, 4, 4, 6, 8]
    """
    return np.searchsorted(_COLOUR_BOUNDARIES, log_odds, side="right")


def _colour_runs(text: str, log_odds: _CharacterLogOdds) -> list[ColourRun]:
    """Text split where the colour changes, so that a report has few elements.

    >>> _colour_runs("abcd", np.array([0.0, 0.1, 3.0, 3.0]))
    [ColourRun(colour=4, text='ab'), ColourRun(colour=8, text='cd')]
    """
    colours = _colour_numbers(log_odds)
    starts = [0, *(np.flatnonzero(np.diff(colours)) + 1).tolist(), len(text)]
    return [ColourRun(int(colours[a]), text[a:b]) for a, b in pairwise(starts) if a < b]


def _smoothed(text: str, log_odds: _CharacterLogOdds, unit: str) -> _CharacterLogOdds:
    """The mean log-odds of the match of `unit` around each character.

    >>> _smoothed("ab c", np.array([1.0, 2.0, 0.0, 4.0]), _WORDS)
    array([1., 1., 1., 4.])
    """
    starts = [match.start() for match in finditer(unit, text)]
    if not starts:
        return log_odds
    sizes = np.diff([*starts, len(text)])
    return np.repeat(np.add.reduceat(log_odds, starts) / sizes, sizes)


def heat_map(
    segments: Iterable[tuple[str, _CharacterLogOdds | Sequence[float]]], max_runs: int = _MAX_RUNS
) -> list[list[ColourRun]]:
    """Runs of every segment, coloured by character; by word or segment if that gives too many."""
    pairs = [(text, np.asarray(values, dtype=np.float64)) for text, values in segments]
    smoothed = pairs
    for unit in (_WORDS, _SEGMENT):
        if sum(1 + np.count_nonzero(np.diff(_colour_numbers(values))) for _, values in smoothed) <= max_runs:
            break
        smoothed = [(text, _smoothed(text, values, unit)) for text, values in pairs]
    return [_colour_runs(text, values) for text, values in smoothed]


def legend() -> Iterator[tuple[int, str]]:
    """Each colour with its range of log-odds."""
    edges = [f"{boundary:+g}" for boundary in _COLOUR_BOUNDARIES]
    yield 0, f"below {edges[0]}"
    yield from ((i, f"{low} to {high}") for i, (low, high) in enumerate(pairwise(edges), 1))
    yield len(_COLOUR_BOUNDARIES), f"above {edges[-1]}"
