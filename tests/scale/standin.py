"""A cleaner without a model, and pages that do to their worker whatever they ask for."""

from __future__ import annotations

import os
import time
from typing import Any, NamedTuple

import numpy as np

from stupidos.confidence import Estimate
from stupidos.document import Document
from stupidos.render import read
from stupidos.render.pages import Input
from stupidos.verdict import Decision

NAME = "standin:Standin"


class Scorer(NamedTuple):
    name: str = "keep-all"
    signature: str = "model:keep-all"


class Judged(Document):
    @property
    def estimate(self) -> Estimate:
        share = 0.25 if "doubtful" in self.page.source else 0.75
        return Estimate(share, share)


class Standin:
    """Keeps every segment of a page but its menu."""

    dump_scorer = Scorer()

    def __init__(self, model: str | None, options: Any) -> None:
        self.options = options

    def extract(
        self, data: str | bytes, *, url: str | None, header: str | None, input: Input | None
    ) -> Document:
        page = read(data, input or self.options.input, header=header)
        for word, deed in DEEDS.items():
            if f"Dear stand-in, {word}" in page.source:
                deed()
        page = page._replace(segments=[segment for segment in page.segments if segment.text != "Menu"])
        count = len(page.segments)
        decision = Decision(np.zeros(count), np.ones(count, np.bool_))
        return Judged(page, self.dump_scorer, decision, url=url or "", model="keep-all")  # type: ignore[arg-type]

    def fingerprint(self) -> str:
        return ""


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
