"""A judged page: the one value that the command line, crawls, Spark, reports and annotation pass around."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from stupidos import confidence, verdict, write
from stupidos.page import Kind, Page, Segment, Verdict
from stupidos.render.columns import kept_of, kept_texts
from stupidos.score.scorer import Scorer

if TYPE_CHECKING:
    from stupidos.confidence import Estimate, Layout
    from stupidos.metadata.detect import Language
    from stupidos.metadata.extract import Metadata
    from stupidos.structure import Node
    from stupidos.verdict import Decision

_EMPTY_PAGE = Page("", "", ())


class Document:
    """A page with the decision on each of its segments, or with the error that kept it from being judged.

    Verdicts, confidence and metadata are computed when first asked for: `clean` to text needs none of them.
    """

    def __init__(
        self,
        page: Page = _EMPTY_PAGE,
        scorer: Scorer | None = None,
        decision: Decision | None = None,
        *,
        id: str = "",
        url: str = "",
        model: str = "",
        truncated: str = "",
        error: str = "",
        skipped: str = "",
        fields: Mapping[str, object] | None = None,
        content_language: str = "",
    ) -> None:
        self._page = page
        self.scorer = scorer  # None for a page that could not be judged
        self.decision = decision
        self.id, self.url = id, url
        self.model = model  # name or file of the model, by which its hash is found
        self.truncated = truncated or page.truncated  # why the page was not read to its end
        self.error = error  # why there is no text
        self.skipped = skipped  # kind of page that was not wanted, as the accounts count it: "language en"
        self.fields = fields or {}  # what else the input says about the page, for its record
        self.content_language = content_language  # HTTP header: what the server declares
        self._verdicts: Sequence[Verdict] | None = None
        self._estimate: Estimate | None = None
        self._metadata: Metadata | None = None
        self._text: str | None = None  # computed on first access
        self._title: str | None = None  # until the metadata are known
        self._language: Language | None = None

    @property
    def page(self) -> Page:
        """The page as it was rendered."""
        return self._page

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """A verdict for each segment, in the order of the page."""
        if self._verdicts is None:
            if self.decision is None or self.scorer is None:
                self._verdicts = ()
            else:
                self._verdicts = verdict.verdicts(self.page.segments, self.decision, self.scorer.name)
        return self._verdicts

    @property
    def segments(self) -> Iterator[Segment]:
        """The segments that were kept."""
        if self.decision is None:
            return iter(())
        return iter(kept_of(self.page.segments, self.decision.keep.tolist()))

    @property
    def kept_texts(self) -> Iterable[tuple[str, Kind]]:
        """Text and kind of the segments that were kept."""
        if self.decision is None:
            return ()
        return kept_texts(self.page.segments, self.decision.keep.tolist())

    @property
    def kept(self) -> list[int]:
        """1 for each segment that was kept and 0 for the others."""
        return [] if self.decision is None else self.decision.keep.view("int8").tolist()

    @property
    def empty(self) -> bool:
        """Whether nothing was kept."""
        return self.decision is None or not self.decision.keep.any()

    @property
    def text(self) -> str:
        """The text of the page without its boilerplate."""
        if self._text is None:
            self._text = write.text_of(self.kept_texts)
        return self._text

    @property
    def text_sha1(self) -> str | None:
        """SHA-1 of the text in UTF-8, by which exact duplicates are found; None without a text."""
        return None if self.empty else write.sha1_of(self.text)

    @property
    def metadata(self) -> Metadata:
        """What the page says about itself: title, authors, dates, site and the like."""
        if self._metadata is None:
            from stupidos.metadata.extract import metadata

            self._metadata = metadata(self.page, self.url, self.content_language)
        return self._metadata

    @property
    def tree(self) -> Node:
        """The text with its structure, as a tree in the vocabulary of structure/node.py."""
        from stupidos.structure import Node

        tree = write.structured(self, write.Style("markdown"))
        return tree if isinstance(tree, Node) else Node("document", None, list(tree.children))

    @property
    def markdown(self) -> str:
        """The text with its structure, as Markdown; links are absolute if the page's address is known."""
        return write.written(self, "markdown")

    @property
    def html(self) -> str:
        """The text with its structure, as a small and safe fragment of HTML."""
        return write.written(self, "html")

    @property
    def tei(self) -> str:
        """The page in TEI P5, with its header."""
        return write.written(self, "tei")

    @property
    def title(self) -> str:
        """The headline, without the name of the site; empty if the page has none."""
        if self._metadata is not None:
            return self._metadata.title or ""
        if self._title is None:
            from stupidos.metadata.extract import title

            self._title = title(self.page, self.url)
        return self._title

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of the authors."""
        return self.metadata.authors

    @property
    def date(self) -> str | None:
        """Date of publication in ISO 8601, as exact as it is known."""
        return self.metadata.date

    @property
    def language(self) -> str | None:
        """Language of the text, as a tag: declared by the page, or detected (with the extra `lang`)."""
        return self._language_of().tag

    @property
    def language_source(self) -> str | None:
        """How the language is known: `declared` or `detected`."""
        return self._language_of().source

    def _language_of(self, text: str | None = None) -> Language:
        if self._language is None:
            from stupidos.metadata.detect import language_of

            self._language = language_of(self.text if text is None else text, self.metadata.language)
        return self._language

    @property
    def encoding(self) -> str:
        """What the bytes of the page were decoded from."""
        return self.page.encoding

    @property
    def confidence(self) -> float | None:
        """Expected F of the text, 0 to 1; None if the model has no confidence estimate.

        For a model that does not estimate the recall it is the expected precision.
        """
        estimate = self.estimate
        return None if estimate is None else estimate.confidence

    @property
    def expected_precision(self) -> float | None:
        """Expected share of the text that belongs to the page's content, 0 to 1."""
        return None if self.estimate is None else self.estimate.precision

    @property
    def expected_recall(self) -> float | None:
        """Expected share of the page's content that is in the text, 0 to 1; None if it is not estimated."""
        return None if self.estimate is None else self.estimate.recall

    @property
    def estimate(self) -> Estimate | None:
        """Expected precision and recall; None if the model has no confidence estimate."""
        if self._estimate is None and self.scorer is not None:
            self._estimate = confidence.estimate(self.scorer.header, self._layout())
        return self._estimate

    def _layout(self) -> Layout:
        if self.decision is None:
            return confidence.layout_of(())
        return confidence.decided_layout(self.page.segments, self.decision, len(self.page.source))

    def written(self, format: str) -> str:
        """The page in one of the formats of `stupidos clean --format`."""
        return write.written(self, write.format_named(format))

    def record(self) -> dict[str, object]:
        """The page as a record, as `stupidos clean --format jsonl` writes it."""
        from stupidos.write.records import record_of

        return record_of(self)

    def _repr_markdown_(self) -> str:
        """What a notebook shows."""
        return self.error or self.written("markdown")

    def _repr_html_(self) -> str:
        """What a notebook shows rather than Markdown."""
        from html import escape

        return f"<p>{escape(self.error)}</p>" if self.error else self.html

    def __repr__(self) -> str:
        """A short description.

        >>> Document(id="a.html", error="no text")
        <Document a.html: no text>
        """
        name = self.id or self.url or self.title or "without a name"
        about = self.error or (f"{sum(1 for _ in self.segments)} of {len(self.page.segments)} segments kept")
        return f"<Document {name}: {about}>"

    def without_text(self, reason: str, skipped: str = "") -> Document:
        """The same page with everything dropped, and why."""
        other = Document(
            self.page, self.scorer, None, id=self.id, url=self.url, model=self.model,
            truncated=self.truncated, error=reason, skipped=skipped, fields=self.fields,
            content_language=self.content_language,
        )  # fmt: skip
        other._estimate = self.estimate
        other._metadata, other._language = self._metadata, self._language
        return other

    def about(self, confidence: bool = True, metadata: bool = True) -> write.About:
        """What the writers say about the page besides its text; confidence and metadata take time."""
        from stupidos.score.registry import model_sha256

        if self.scorer is None:
            return write.About(
                self.id, self.url, truncated=self.truncated, error=self.error, fields=self.fields
            )
        about = write.About(
            self.id,
            self.url,
            "",
            self.encoding,
            self.scorer.name,
            model_sha256(self.model),
            self.confidence if confidence else None,
            self.truncated,
            self.error,
            fields=self.fields,
            expected_precision=self.expected_precision if confidence else None,
            expected_recall=self.expected_recall if confidence else None,
        )
        text = self.text
        about = about._replace(text=text, text_sha1=write.sha1_of(text) if text else None)
        if not metadata:
            return about
        language = self._language_of(text)
        return about._replace(
            url=self.url or self.metadata.url or "",
            title=self.title,
            metadata=self.metadata,
            language=language.tag,
            language_source=language.source,
        )
