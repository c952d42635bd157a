"""Retraining in the background, on what is labelled so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread
from typing import NamedTuple

from stupidos.annotate.labels import LabelledPage
from stupidos.annotate.suggestions import Judge
from stupidos.errors import StupidosError

LEAST_PAGES = 2  # finished pages before a model can be trained at all


class Trained(NamedTuple):
    """A new model, and a line about it for the annotator."""

    judge: Judge
    message: str


Train = Callable[[Sequence[LabelledPage]], Trained]


class Retraining:
    """At most one training at a time; what came of the last one is told by `message`."""

    def __init__(self, train: Train | None) -> None:
        self._train = train
        self._thread: Thread | None = None
        self.message = ""
        self.failed = False

    @property
    def possible(self) -> bool:
        """Whether somebody told how to train."""
        return self._train is not None

    @property
    def running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(self, pages: Sequence[LabelledPage], done: Callable[[Judge], None]) -> None:
        """Train on the pages; `done` gets the new model, in the background thread."""
        if self._train is None:
            raise StupidosError("this session cannot train")
        if self.running:
            raise StupidosError("training already runs")
        if len(pages) < LEAST_PAGES:
            raise StupidosError(f"finish {LEAST_PAGES} pages first: a model needs text to learn from")
        self.message, self.failed = f"Training on {len(pages)} pages", False
        self._thread = Thread(target=self._work, args=(self._train, pages, done), daemon=True)
        self._thread.start()

    def _work(self, train: Train, pages: Sequence[LabelledPage], done: Callable[[Judge], None]) -> None:
        try:
            trained = train(pages)
            done(trained.judge)
            self.message = trained.message
        except StupidosError as error:
            self.message, self.failed = str(error), True
        except Exception as error:  # a thread has nobody to raise to: the annotator must see it
            self.message, self.failed = f"training failed: {type(error).__name__}: {error}", True

    def join(self) -> None:
        """Wait for a training that runs."""
        if self._thread is not None:
            self._thread.join()
