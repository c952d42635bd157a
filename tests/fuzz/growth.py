"""How CPU time grows with the size of inputs that repeat a few hostile fragments."""

from __future__ import annotations

import random
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

from generators import sequence

from stupidos import Cleaner, DecodeError, Options
from stupidos.decode import decode
from stupidos.scale.json_fields import fields

FACTOR = 8  # between the two sizes
SUSPICIOUS = 24  # times the CPU time for an input FACTOR times as large
ENOUGH = 0.005  # seconds that the small input must take
SMALLEST, LARGEST = 2_000, 250_000  # characters of the small input
LONGEST_START = 100
REPEATS = 3


class Growth(NamedTuple):
    """One measurement; `ratio` is 0 where even a large input takes no time."""

    ratio: float
    stage: str
    start: str  # what stands before the repeated fragments
    repeated: str
    size: int  # characters of the small input
    seconds: float  # for the small input


@cache
def cleaner(kind: Any) -> Cleaner:
    return Cleaner.load(None, Options(kind))


def decoded(text: str) -> None:
    with suppress(DecodeError):
        decode(text.encode("cp1252", "replace") + b"\xe9\x80")


def json_line(text: str) -> None:
    with suppress(ValueError):
        fields(b'{"html": "x", "more": ' + text.encode(), ("html",))


STAGES: dict[str, Callable[[str], Any]] = {
    "clean": lambda text: cleaner("html").judge(text),
    "dump": lambda text: cleaner("text").judge(text),
    "decode": decoded,
    "json": json_line,
}
JSON = [
    "[",
    "]",
    "{",
    "}",
    '"',
    ",",
    ":",
    '"a":',
    "1",
    "-",
    "1e",
    '\\"',
    "\\",
    " ",
    "null,",
    "[],",
    '{"a":',
    "[1,",
]


def fragments(stage: str, chance: random.Random) -> str:
    """What is repeated: never empty."""
    if stage == "json":
        return "".join(chance.choices(JSON, k=chance.randrange(1, 6)))
    return sequence(chance)


def spent(stage: str, text: str) -> float:
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        STAGES[stage](text)
    return time.process_time() - start


def filled(start: str, repeated: str, size: int) -> str:
    return start + repeated * (size // len(repeated) + 1)


def measured(stage: str, chance: random.Random) -> Growth:
    """The growth for one input, at the smallest size that can be measured."""
    start = fragments(stage, chance)[:LONGEST_START] if chance.random() < 0.5 else ""
    repeated = fragments(stage, chance)
    spent(stage, repeated)  # whatever is loaded when first used
    size = SMALLEST
    while spent(stage, filled(start, repeated, size)) < ENOUGH:
        size *= 2
        if size > LARGEST:
            return Growth(0.0, stage, start, repeated, size, 0.0)
    small, large = filled(start, repeated, size), filled(start, repeated, FACTOR * size)
    first = min(spent(stage, small) for _ in range(REPEATS))
    second = float("inf")
    for _ in range(REPEATS):
        second = min(second, spent(stage, large))
        if second < FACTOR * 2 * first:
            break  # nothing to see; only what looks dear is measured again
    return Growth(second / first, stage, start, repeated, size, first)
