"""Suggestions: what the current model thinks of every page, the least sure pages first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from threading import Event, Lock, Thread
from typing import NamedTuple

from stupidos.annotate.labels import Label
from stupidos.errors import StupidosError
from stupidos.page import Kind, Verdict

REMEMBERED = 16  # judged pages kept in memory; the annotator looks at one


class Judged(NamedTuple):
    """A page as a model sees it."""

    title: str
    verdicts: Sequence[Verdict]
    confidence: float  # 0 to 1
    sha256: str = ""  # of the bytes that were judged

    def texts(self) -> list[str]:
        return [verdict.segment.text for verdict in self.verdicts]

    def version(self) -> str:
        """A short hash of the segments: their numbers mean nothing on another version of the page.

        >>> Judged("", [], 1.0).version()
        'e3b0c44298fc1c14'
        """
        return sha256("\0".join(self.texts()).encode(errors="surrogatepass")).hexdigest()[:16]

    def labels(self) -> list[Label]:
        return [Label(bool(verdict.keep), Kind(verdict.segment.kind)) for verdict in self.verdicts]


class Judge(NamedTuple):
    """A model under the name that people know it by."""

    name: str
    judge: Callable[[bytes], Judged]


Read = Callable[[], bytes]  # the bytes of one raw page


class Suggestions:
    """A model at work on a folder; a better one can take its place at any time."""

    def __init__(self, documents: Mapping[str, Read], judge: Judge) -> None:
        self._documents = documents
        self._judge = judge
        self._judged: OrderedDict[str, Judged] = OrderedDict()
        self._lock = Lock()
        self._stop = Event()
        self._ranking: Thread | None = None
        self.confidence: dict[str, float] = {}
        self.broken: dict[str, str] = {}  # pages that cannot be read, with the reason

    @property
    def model(self) -> str:
        """Name of the model that suggests."""
        return self._judge.name

    def of(self, name: str, fresh: bool = False) -> Judged:
        """The model's opinion of one page; a `fresh` one is of the page as it is on the disk now."""
        with self._lock:
            judge, known = self._judge, self._judged.get(name)
            if known is not None and not fresh:
                self._judged.move_to_end(name)
                return known
        try:
            data = self._documents[name]()
            digest = sha256(data).hexdigest()
            if known is not None and known.sha256 == digest:
                self.broken.pop(name, None)
                return known
            found = judge.judge(data)._replace(sha256=digest)
        except StupidosError as error:
            self.broken[name] = str(error)
            raise
        self.broken.pop(name, None)
        with self._lock:
            if judge is self._judge:
                self._judged[name] = found
                self.confidence[name] = found.confidence
                if len(self._judged) > REMEMBERED:
                    self._judged.popitem(last=False)
        return found

    def replace(self, judge: Judge) -> None:
        """Let another model suggest from now on."""
        with self._lock:
            self._judge = judge
            self._judged.clear()
            self.confidence.clear()

    def rank(self, names: Iterable[str]) -> None:
        """Judge these pages in the background, so that the least sure ones can come first."""
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
                continue  # `broken` tells why
            except Exception as error:  # one page must not keep the others from being judged
                self.broken[name] = f"{name}: internal error: {type(error).__name__}: {error}"

    @property
    def ranking(self) -> bool:
        """Whether pages are still being judged."""
        return self._ranking is not None and self._ranking.is_alive()

    def stop(self) -> None:
        """End the work in the background."""
        self._stop.set()
        if self._ranking is not None:
            self._ranking.join()

    def order(self, names: Iterable[str]) -> list[str]:
        """The pages, least confident first, those nobody judged yet last, broken ones not at all."""
        found = dict(self.confidence)
        fit = [name for name in names if name not in self.broken]
        return sorted(fit, key=lambda name: (found.get(name, 2.0), name))
