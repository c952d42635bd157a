"""A cleaner without a model, and pages that do to their worker whatever they ask for."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from stupidos.page import Page, Verdict
from stupidos.render import read
from stupidos.write import verdicts_of

NAME = "standin:Standin"


class Scorer(NamedTuple):
    name: str = "keep-all"
    signature: str = "model:keep-all"


class Standin:
    """Keeps every segment of a page."""

    scorer = dumps = dump_scorer = Scorer()

    def __init__(self, model: str | None, options: Any) -> None:
        self.options = options

    def page(self, data: str | bytes, header: str | None = None) -> Page:
        found = read(data, self.options.input, header=header)
        for word, deed in DEEDS.items():
            if f"Dear stand-in, {word}" in found.source:
                deed()
        return found

    def verdicts(self, page: Page) -> list[Verdict]:
        return verdicts_of([segment for segment in page.segments if segment.text != "Menu"])

    def scorer_of(self, page: Page) -> Scorer:
        return self.scorer

    def confidence(self, page: Page, verdicts: Sequence[Verdict]) -> float:
        return 0.25 if "doubtful" in page.source else 0.75


def run_forever() -> None:
    while True:
        pass


def raise_error() -> None:
    raise ZeroDivisionError("as asked")


def take_memory() -> None:
    raise MemoryError


DEEDS = {
    "exit": lambda: os._exit(3),
    "loop": run_forever,
    "hold": lambda: sum(range(10**12)),  # in C, where no alarm is heard
    "raise": raise_error,
    "overflow": take_memory,
    "sleep": lambda: time.sleep(1000),
    "wait": lambda: time.sleep(0.02),
}
