"""One page to one piece of output, whatever happens: the same for files, workers and Spark."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

from stupidos.errors import StupidosError
from stupidos.page import Page, Verdict
from stupidos.render.sniff import SNIFFED, many_pages
from stupidos.render.without_gc import uncollected
from stupidos.scale.accounts import Accounts, Fate
from stupidos.scale.disk import message
from stupidos.scale.job import Job
from stupidos.scale.limits import Limit, Overtime
from stupidos.scale.source_items import Raw
from stupidos.score.scorer import Scorer
from stupidos.write import About, written

TELLING = frozenset({"jsonl", "vertical", "tei"})  # formats with a place for pages without text
LOADING = 5.0  # seconds of a page in which a model can be loaded too
UNTOLD = "is unknown: the model was not trained to tell it"
MOST_REASON = 300  # characters of an error; some repeat their input



class Judge(Protocol):
    """What the desk asks of a cleaner."""

    @property
    def scorer(self) -> Scorer: ...

    @property
    def dumps(self) -> Scorer | str: ...

    @property
    def dump_scorer(self) -> Scorer: ...

    def page(self, data: str | bytes, header: str | None = None) -> Page: ...

    def verdicts(self, page: Page) -> Sequence[Verdict]: ...

    def scorer_of(self, page: Page) -> Scorer: ...

    def confidence(self, page: Page, verdicts: Sequence[Verdict]) -> float | None: ...


class Judged(NamedTuple):
    """A page that has been judged, or could not be."""

    fate: Fate
    verdicts: Sequence[Verdict]
    about: About


class Sheet(NamedTuple):
    """A page in the format of the job."""

    id: str
    fate: Fate
    text: str
    error: str = ""
    truncated: bool = False


class Desk:
    """A cleaner with its job; make one a process, since models take time to load."""

    def __init__(self, job: Job, deadly: bool = False) -> None:
        from stupidos.pipeline import Options

        options = job.options or Options()
        self.job = job
        self._html: Judge = made(job.cleaner, job.model, options)
        self._text: Judge = made(job.cleaner, job.model, replace(options, input="text"))
        if 0 < job.seconds < LOADING:
            self._text.dump_scorer  # noqa: B018  # loaded with the first dump otherwise
        self._limit = Limit(job.seconds, deadly)
        self._telling = job.style.format in TELLING

    @uncollected
    def record(self, raw: Raw) -> dict[str, object]:
        """The page as a record, whatever the format of the job."""
        from stupidos.write.records import record

        _, verdicts, about = self.judged(raw)
        return record(verdicts, about, self.job.style)

    @uncollected
    def counted_record(self, raw: Raw, accounts: Accounts) -> dict[str, object]:
        """The page as a record, entered into the accounts."""
        from stupidos.write.records import record

        fate, verdicts, about = self.judged(raw)
        accounts.count(fate, bool(about.truncated), len(raw.data))
        return record(verdicts, about, self.job.style)

    @uncollected
    def done(self, raw: Raw, known: str = "") -> Sheet:
        """The page as it is to be written; `known` is why it cannot be, if that is known."""
        judged = self.failed(raw, known) if known else self.judged(raw)
        try:
            text = self.text(judged)
        except Exception as problem:  # no memory, for one; the other pages must go on
            judged = self.failed(raw, message(problem))
            text = self.text(judged)
        error = judged.about.error if judged.fate == "failed" else ""
        return Sheet(judged.about.id, judged.fate, text, error, bool(judged.about.truncated))

    def text(self, judged: Judged) -> str:
        """A page in the style of the job; nothing for one without verdicts if the format cannot tell why."""
        told = judged.verdicts or self._telling
        return written(judged.verdicts, self.job.style, judged.about) if told else ""

    def judged(self, raw: Raw) -> Judged:
        """The verdicts on a page; what goes wrong becomes its error."""
        try:
            with self._limit:
                raw = raw.parse(raw) if raw.parse else raw
                return self.failed(raw, raw.error) if raw.error else self.verdicts(raw)
        except Overtime:
            return self.failed(raw, f"needs more than {self.job.seconds:g} s")
        except Exception as error:  # any page may meet a bug nobody knows; the others must go on
            return self.failed(raw, message(error))

    def failed(self, raw: Raw, error: str) -> Judged:
        reason = " ".join(error.split())[:MOST_REASON]
        return Judged("failed", (), About(raw.id, raw.url, truncated=raw.truncated, error=reason))

    def verdicts(self, raw: Raw) -> Judged:
        """The verdicts on a page, or its error raised; no limit of time."""
        cleaner = self._text if raw.dump else self._html
        self._check_one_page(raw)
        page = cleaner.page(raw.data, raw.header)
        verdicts = cleaner.verdicts(page)
        scorer, least = cleaner.scorer_of(page), self.job.least
        about = About(raw.id, raw.url, page.title, page.encoding, scorer.name, self._hash(scorer))
        about = about._replace(truncated=raw.truncated or page.truncated)
        if self._telling or least is not None:
            about = about._replace(confidence=cleaner.confidence(page, verdicts))
        if least is not None and (about.confidence is None or about.confidence < least):
            low = UNTOLD if about.confidence is None else f"is {about.confidence:.2f}, below {least:g}"
            return Judged("empty", (), about._replace(error=f"left out: its confidence {low}"))
        return Judged("written" if any(verdict.keep for verdict in verdicts) else "empty", verdicts, about)

    def _check_one_page(self, raw: Raw) -> None:
        """Refuse a file that holds many pages though its name does not say so, as one in a folder may."""
        if self.job.input == "auto" and raw.header is None and isinstance(raw.data, bytes):
            kind = many_pages(raw.data[:SNIFFED])
            if kind:
                raise StupidosError(f"holds many pages: give it a name in .{kind}, or say --input {kind}")

    def _hash(self, scorer: Scorer) -> str:
        own = scorer is self._html.scorer
        return hash_of(self.job.model if own and self.job.model else scorer.name)

    def models(self) -> str:
        """What tells whether the models are still the same."""
        dumps = self._html.dumps
        own = hash_of(dumps) if isinstance(dumps, str) else self._hash(dumps)
        return f"{self._hash(self._html.scorer)} {own}"


@lru_cache(maxsize=8)
def hash_of(model: str) -> str:
    """SHA-256 of a model's file, by the model's name; empty for models without a file."""
    from stupidos.write.records import model_sha256

    return model_sha256(model)


def made(factory: str, *arguments: Any) -> Any:
    """The object that a factory makes, named as `module:function` so that any process can find it.

    >>> made("collections:Counter", "aab")
    Counter({'a': 2, 'b': 1})
    """
    module, _, name = factory.partition(":")
    return attrgetter(name)(import_module(module))(*arguments)


@contextmanager
def quiet() -> Iterator[None]:
    """No warnings about encodings: a crawl has too many pages that lie about their own."""
    from stupidos.decode import DecodeWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DecodeWarning)
        yield
