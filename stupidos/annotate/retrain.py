"""Retraining in the background on the pages finished so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import NamedTuple

from stupidos.annotate.labels import LabelledPage
from stupidos.errors import StupidosError
from stupidos.pipeline import Cleaner

MIN_FINISHED_PAGES = 2  # finished pages that training needs


class Retrained(NamedTuple):
    """The outcome of one training."""

    cleaner: Cleaner
    model: str  # name shown to the annotator
    message: str  # one line for the annotator


Train = Callable[[Sequence[LabelledPage]], Retrained]
_UseModel = Callable[[Retrained], None]


class Retraining:
    """Runs at most one training at a time; `message` is about the last one."""

    def __init__(self, train: Train | None) -> None:
        self._train = train
        self._thread: Thread | None = None
        self.message = ""
        self.failed = False

    @property
    def possible(self) -> bool:
        """Whether this session can train."""
        return self._train is not None

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, pages: Sequence[LabelledPage], use: _UseModel) -> None:
        """Train in a background thread, which then calls `use` with the new model."""
        if self._train is None:
            raise StupidosError("this session cannot train")
        if self.running:
            raise StupidosError("training is already running")
        if len(pages) < MIN_FINISHED_PAGES:
            raise StupidosError(f"finish {MIN_FINISHED_PAGES} pages first: training needs labelled text")
        self.message, self.failed = f"Training on {len(pages)} pages", False
        self._thread = Thread(target=self._run, args=(self._train, pages, use), daemon=True)
        self._thread.start()

    def _run(self, train: Train, pages: Sequence[LabelledPage], use: _UseModel) -> None:
        try:
            retrained = train(pages)
            use(retrained)
            self.message = retrained.message
        except StupidosError as error:
            self.message, self.failed = str(error), True
        except Exception as error:  # nothing catches it above a thread, and the annotator must see it
            self.message, self.failed = f"training failed: {type(error).__name__}: {error}", True

    def join(self) -> None:
        """Wait for a running training."""
        if self._thread is not None:
            self._thread.join()
