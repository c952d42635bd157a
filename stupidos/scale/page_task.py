"""Turn one page into one output, errors included; shared by files, Spark and datatrove."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, Protocol

from stupidos.document import Document
from stupidos.errors import StupidosError
from stupidos.lazy import imported
from stupidos.render.pages import Input
from stupidos.render.sniff import SNIFFED, many_pages
from stupidos.render.without_gc import without_gc
from stupidos.scale.disk import message
from stupidos.scale.job import Job
from stupidos.scale.limits import Limit, Overtime
from stupidos.scale.source_items import CRAWL_FIELDS, Raw
from stupidos.score.scorer import Scorer
from stupidos.write import pieces, reads_tokens

if TYPE_CHECKING:
    from stupidos.scale.accounts import Accounts, Fate

_FORMATS_WITH_ERRORS = frozenset(
    {"jsonl", "vertical", "tei"}
)  # formats that can represent a page without text
_LOADING_TIME = 5.0  # seconds; with a shorter limit, models are loaded in advance
_NO_ESTIMATE = "skipped: this model has no {} estimate (retrain it, or drop --min-{})"
_LONGEST_ERROR = 300  # characters; some errors repeat their input


class _Extractor(Protocol):
    """The part of Cleaner that a task uses."""

    @property
    def dump_scorer(self) -> Scorer: ...

    def extract(
        self, data: str | bytes, *, url: str | None, header: str | None, input: Input | None
    ) -> Document: ...

    def fingerprint(self) -> str: ...


class PageOutput(NamedTuple):
    """A page in the format of the job."""

    document: Document
    text: str


class PageTask:
    """Cleans pages with the settings of a job. Create one per process: models are slow to load."""

    def __init__(self, job: Job, deadly: bool = False) -> None:
        from stupidos.pipeline import Options

        self.job = job
        options = job.options or Options()
        if job.returned or job.languages or reads_tokens(job.style):
            options = replace(options, structure=True)
        self._cleaner: _Extractor = imported(job.cleaner)(job.model, options)
        if 0 < job.seconds < _LOADING_TIME:
            self._cleaner.dump_scorer  # noqa: B018  # otherwise loaded with the first dump
        self.limit = Limit(job.seconds, deadly)
        self._with_errors = job.style.format in _FORMATS_WITH_ERRORS

    @without_gc
    def record(self, raw: Raw, accounts: Accounts | None = None) -> dict[str, object]:
        """The page as a record, independent of the format of the job; counted in `accounts` if given."""
        document = self.document(raw)
        if accounts is not None:
            count(accounts, document, len(raw.data))
        return self.record_of(document)

    @without_gc
    def record_of(self, document: Document) -> dict[str, object]:
        """A document as a record."""
        from stupidos.write.records import record_of

        return record_of(document, self.job.style)

    @without_gc
    def output(self, raw: Raw, known_error: str = "") -> PageOutput:
        """The page in the format of the job; with `known_error`, a record of that error."""
        document = failed(raw, known_error) if known_error else self.document(raw)
        try:
            return PageOutput(document, self.text(document))
        except Exception as error:  # such as out of memory; the other pages must be processed
            document = failed(raw, message(error))
            return PageOutput(document, self.text(document))

    def text(self, document: Document) -> str:
        """A document in the style of the job; empty if it has no text and the format has no error records."""
        return "".join(self.pieces(document))

    def pieces(self, document: Document) -> Iterator[str]:
        """The same in pieces, for output too large to hold in memory."""
        if document.skipped or (not document.kept and not self._with_errors):
            return iter(())
        return pieces(document, self.job.style)

    def document(self, raw: Raw) -> Document:
        """Extract a page within its time limit; an exception becomes the error of the document."""
        try:
            with self.limit:
                raw = self._with_fields(raw.parse(raw) if raw.parse else raw)
                return failed(raw, raw.error) if raw.error else self.extract(raw)
        except Overtime:
            return failed(raw, f"needs more than {self.job.seconds:g} s")
        except Exception as error:  # a page may trigger an unknown bug; the other pages must be processed
            return failed(raw, message(error))

    def extract(self, raw: Raw) -> Document:
        """Extract a page without a time limit; errors are raised."""
        self._check_one_page(raw)
        document = self._cleaner.extract(
            raw.data, url=raw.url, header=raw.header, input="text" if raw.dump else None
        )
        document.id = raw.id
        document.truncated = raw.truncated or document.truncated
        document.fields = raw.fields
        document.content_language = raw.language
        if self.job.languages and not document.empty and (other := self._other_language(document)):
            return document.without_text(f"skipped: {other}", other)
        doubts = self._doubts(document)
        return document.without_text(doubts) if doubts else document

    def _doubts(self, document: Document) -> str:
        """Why a page is skipped for what is expected of its text; empty if it is not."""
        job = self.job
        minima = {"confidence": job.min_confidence, "precision": job.min_precision, "recall": job.min_recall}
        for name, minimum in minima.items():
            if minimum is None:
                continue
            value = document.estimate and getattr(document.estimate, name)
            if value is None:
                return _NO_ESTIMATE.format(name, name)
            if value < minimum:
                return f"skipped: {name} {value:.2f} is below {minimum:g}"
        return ""

    def _other_language(self, document: Document) -> str:
        """How the accounts count a page in none of the job's languages; empty if it is in one of them."""
        from stupidos.metadata.detect import primary

        language = primary(document.language or "") or "unknown"
        return "" if language in self.job.languages else f"language {language}"

    def _with_fields(self, raw: Raw) -> Raw:
        """The page with the fields of its input that go to the record."""
        if self.job.fields == "keep" or not raw.fields:
            return raw
        return raw._replace(fields={name: raw.fields[name] for name in CRAWL_FIELDS if name in raw.fields})

    def _check_one_page(self, raw: Raw) -> None:
        """Refuse a file of many pages whose name does not say so, such as one inside a folder."""
        if self.job.input == "auto" and raw.header is None and isinstance(raw.data, bytes):
            kind = many_pages(raw.data[:SNIFFED])
            if kind:
                raise StupidosError(f"holds many pages: give it a name in .{kind}, or say --input {kind}")

    def preload(self) -> None:
        """Load what most crawls need sooner or later; forks of this process share its memory."""
        from stupidos.decode import load_detector
        from stupidos.metadata.detect import load_classifier

        load_detector()
        detected = self._with_errors and not self.job.returned  # formats that hold the language
        if detected or self.job.languages:
            load_classifier()

    def models(self) -> str:
        """Hashes of the models, to detect a changed model."""
        return self._cleaner.fingerprint()


def failed(raw: Raw, error: str) -> Document:
    """The document of a page that could not be processed."""
    reason = " ".join(error.split())[:_LONGEST_ERROR]
    return Document(id=raw.id, url=raw.url, truncated=raw.truncated, error=reason, fields=raw.fields)


def fate_of(document: Document) -> Fate:
    """How the accounts count a document."""
    if document.scorer is None:
        return "failed"
    return "empty" if document.empty else "written"


def count(accounts: Accounts, document: Document, size: int) -> None:
    """Count a page of `size` bytes, or that it was skipped."""
    if document.skipped:
        accounts.skip(document.skipped)
    else:
        accounts.count(fate_of(document), bool(document.truncated), size)
