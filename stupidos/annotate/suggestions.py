"""Suggestions of the current model for every page, and the pages ordered by its confidence."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import tanh
from threading import Event, Lock, Thread

from stupidos.annotate.labels import Label
from stupidos.document import Document
from stupidos.errors import StupidosError
from stupidos.page import Kind, Verdict
from stupidos.pipeline import Cleaner

_CACHED_PAGES = 16  # suggestions kept in memory; the annotator looks at one page
_NOT_JUDGED = 2.0  # sorts after every confidence

ReadPage = Callable[[], bytes]  # reads the bytes of one raw page


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A raw page as the model judges it."""

    document: Document
    sha256: str  # of the bytes that were judged

    @property
    def title(self) -> str:
        return self.document.page.title

    @property
    def verdicts(self) -> Sequence[Verdict]:
        return self.document.verdicts

    @property
    def confidence(self) -> float:
        """The model's confidence estimate, 0 to 1; its `_certainty` where it has none."""
        confidence = self.document.confidence
        return _certainty(self.verdicts) if confidence is None else confidence

    def texts(self) -> list[str]:
        return [verdict.segment.text for verdict in self.verdicts]

    def labels(self) -> list[Label]:
        return [Label(bool(verdict.keep), Kind(verdict.segment.kind)) for verdict in self.verdicts]

    def version(self) -> str:
        """A short hash of the segments, whose indices are only valid for this version of the page.

        >>> Suggestion(Document(), "").version()
        'e3b0c44298fc1c14'
        """
        return sha256("\0".join(self.texts()).encode(errors="surrogatepass")).hexdigest()[:16]


def _certainty(verdicts: Sequence[Verdict]) -> float:
    """Mean distance of the probabilities from one half over the characters of a page, 0 to 1.

    It stands in for the confidence of models that have no estimate. An empty page is certain.

    >>> from stupidos.page import Segment
    >>> _certainty([Verdict(Segment("perhaps"), 0.0, False, "model")])
    0.0
    """
    lengths = [len(verdict.segment.text) for verdict in verdicts]
    distances = [tanh(abs(verdict.score) / 2) for verdict in verdicts]  # |2p - 1|
    total = sum(lengths)
    return sum(d * n for d, n in zip(distances, lengths, strict=True)) / total if total else 1.0


class Suggestions:
    """Suggestions for the pages of a folder; the model can be replaced at any time."""

    def __init__(self, raw_pages: Mapping[str, ReadPage], cleaner: Cleaner, model: str = "") -> None:
        self._raw_pages = raw_pages
        self._cleaner = cleaner
        self.model = model or cleaner.scorer.name  # shown to the annotator
        self._cache: OrderedDict[str, Suggestion] = OrderedDict()
        self._lock = Lock()
        self._stop = Event()
        self._ranking: Thread | None = None
        self.confidence: dict[str, float] = {}
        self.titles: dict[str, str] = {}  # of the pages judged so far
        self.broken: dict[str, str] = {}  # pages that cannot be read, with the reason

    def of(self, name: str, fresh: bool = False) -> Suggestion:
        """The suggestion for one page; `fresh` reads the file again and notices if it has changed."""
        with self._lock:
            cleaner, cached = self._cleaner, self._cache.get(name)
            if cached is not None and not fresh:
                self._cache.move_to_end(name)
                return cached
        try:
            data = self._raw_pages[name]()
            digest = sha256(data).hexdigest()
            if cached is not None and cached.sha256 == digest:
                self.broken.pop(name, None)
                return cached
            suggestion = Suggestion(cleaner.extract(data), digest)
        except StupidosError as error:
            self.broken[name] = str(error)
            raise
        self.broken.pop(name, None)
        confidence = suggestion.confidence
        self.titles[name] = suggestion.title
        with self._lock:
            if cleaner is self._cleaner:
                self._cache[name] = suggestion
                self.confidence[name] = confidence
                if len(self._cache) > _CACHED_PAGES:
                    self._cache.popitem(last=False)
        return suggestion

    def replace(self, cleaner: Cleaner, model: str) -> None:
        """Switch to the suggestions of another model."""
        with self._lock:
            self._cleaner, self.model = cleaner, model
            self._cache.clear()
            self.confidence.clear()

    def rank(self, names: Iterable[str]) -> None:
        """Judge these pages in the background, so that the least confident ones can come first."""
        self.stop()
        self._stop = Event()
        self._ranking = Thread(target=self._rank, args=(list(names), self._stop), daemon=True)
        self._ranking.start()

    def _rank(self, names: Sequence[str], stop: Event) -> None:
        for name in names:
            if stop.is_set():
                return
            try:
                if name not in self.confidence:
                    self.of(name)
            except StupidosError:
                continue  # `broken` has the reason
            except Exception as error:  # one page must not keep the others from being judged
                self.broken[name] = f"{name}: internal error: {type(error).__name__}: {error}"

    @property
    def ranking(self) -> bool:
        """Whether pages are still being judged in the background."""
        return self._ranking is not None and self._ranking.is_alive()

    def stop(self) -> None:
        """Stop the background thread and wait for it."""
        self._stop.set()
        if self._ranking is not None:
            self._ranking.join()

    def by_confidence(self, names: Iterable[str]) -> list[str]:
        """The readable pages, least confident first, those not judged yet last."""
        confidence = dict(self.confidence)
        readable = [name for name in names if name not in self.broken]
        return sorted(readable, key=lambda name: (confidence.get(name, _NOT_JUDGED), name))
