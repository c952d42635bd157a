"""Bytes to a Document: decode, render, score, decide. The file to read first."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from stupidos import verdict
from stupidos.document import Document
from stupidos.errors import StupidosError
from stupidos.page import Page, Verdict
from stupidos.render import RenderOptions, read
from stupidos.render.pages import Input
from stupidos.render.without_gc import without_gc
from stupidos.score import registry
from stupidos.score.scorer import Scorer, Scores
from stupidos.write import Style, long_name, reads_tokens

# The default models for HTML and for plain-text dumps: the first that is installed.
_HTML_MODELS = ("web", "standard")
_DUMP_MODELS = ("text", "standard")
_LONGEST_NAME = 2000  # characters of an address, or of the name of a file
_ADDRESS_OR_FILE = re.compile(r"https?://\S+|[^\s<>]+\.(?:[xs]?html?|warc|gz|jsonl|txt|pdf)")


@dataclass(frozen=True, slots=True)
class Options:
    """What a user can ask of the cleaner."""

    input: Input = "auto"
    threshold: float | None = None  # natural log-odds; replaces the model's own decision
    preference: verdict.Preference = "balanced"
    comments: Literal["auto", "keep", "drop"] = "auto"  # reader comments
    convention: Literal["auto", "article", "page", "discussion"] = "auto"  # what counts as text
    rules_off: frozenset[str] = frozenset()
    br: Literal["paragraph", "line"] = "paragraph"
    structure: bool = False  # keep the tokens, which are read again for the tree and for metadata
    visual: bool = False  # lay out each page in Chromium, for a model that was trained so
    ancestor: int | None = None  # keep only the largest group with the same n-th ancestor (tree filter)


@dataclass(frozen=True, slots=True)
class Cleaner:
    """A model with its options, ready for any number of pages."""

    scorer: Scorer  # for HTML
    dumps: Scorer | str  # for plain-text dumps; a name is loaded with the first one, which takes 0.6 s
    options: Options = Options()
    model: str = ""  # name or file of the HTML model, where that is not the scorer's name

    @classmethod
    def load(cls, model: str | None = None, options: Options = Options()) -> Cleaner:
        """The cleaner with a model of that name or file, or with the default ones."""
        scorer = registry.scorer(model or _first_installed(_HTML_MODELS))
        _check_rules(scorer, options)
        if options.convention != "auto":
            from stupidos.web.scorer import with_convention

            scorer = with_convention(scorer, options.convention)
        if options.visual or scorer.header.get("visual"):
            from stupidos.literature import fiasco

            scorer = fiasco.with_layout(scorer, options.visual)
        if options.ancestor:
            from stupidos.literature import tree_filter

            scorer = tree_filter.by_ancestor(scorer, options.ancestor)
        dumps = _first_installed(_DUMP_MODELS) if model is None or scorer.markup else scorer
        return cls(scorer, dumps, options, model or "")

    @property
    def dump_scorer(self) -> Scorer:
        return registry.scorer(self.dumps) if isinstance(self.dumps, str) else self.dumps

    @without_gc
    def extract(
        self,
        data: str | bytes,
        *,
        url: str | None = None,
        header: str | None = None,
        input: Input | None = None,
        content_language: str | None = None,
    ) -> Document:
        """A page or dump from bytes in any encoding, judged.

        `header` is the HTTP Content-Type, `input` replaces that of the options; `content_language` is the
        HTTP header of that name, which counts if the page itself declares no language.
        """
        document = self.document(self.page(checked(data), header, input), url or "")
        document.content_language = content_language or ""
        return document

    def judge(self, data: str | bytes, header: str | None = None) -> Sequence[Verdict]:
        """The verdicts on a page or dump."""
        return self.extract(data, header=header).verdicts

    @without_gc
    def clean(self, data: str | bytes, header: str | None = None) -> str:
        """The text of a page without its boilerplate."""
        return self.extract(data, header=header).text

    def page(self, data: str | bytes, header: str | None = None, input: Input | None = None) -> Page:
        """The page, rendered as the model wants it."""
        options = RenderOptions(
            br=self.options.br,
            hidden=self.scorer.hidden,
            pieces=self.scorer.pieces,
            structure=self.options.structure,
        )
        return read(data, input or self.options.input, options, header)

    def document(self, page: Page, url: str = "") -> Document:
        """A rendered page, judged."""
        scorer, options = self.scorer_of(page), self.options
        broken = _broken_rules(page, options.rules_off) if scorer.rules else ()
        decision = verdict.decide(
            page.segments, self.scores(page), scorer, broken, options.threshold, options.preference
        )
        return Document(page, scorer, decision, url=url, model=self.model_of(scorer))

    def scorer_of(self, page: Page) -> Scorer:
        """The scorer that judges this page."""
        return self.scorer if page.markup else self.dump_scorer

    def model_of(self, scorer: Scorer) -> str:
        """The name or file that a scorer was loaded from."""
        return self.model if self.model and scorer is self.scorer else scorer.name

    def scores(self, page: Page) -> Scores:
        """The score of each segment, after what the options add to the model."""
        scorer = self.scorer_of(page)
        scores = self._with_comments(page, scorer, scorer.score(page))
        if self.options.ancestor:
            from stupidos.literature import tree_filter

            scores = tree_filter.grouped(page, scores, self.options.ancestor)
        return scores

    def _with_comments(self, page: Page, scorer: Scorer, scores: Scores) -> Scores:
        """The scores after what the options say of reader comments; an article's body has none."""
        from stupidos.score import comments  # with numpy, which `stupidos render` does without

        wanted, convention = self.options.comments, self.options.convention
        if wanted == "auto" and convention == "article":
            wanted = "drop"
        if wanted != "auto":
            return comments.decided(page, scores, keep=wanted == "keep")
        # the published models are measured on pages that keep comments
        if convention == "discussion" or scorer.decision != "expected-f":
            return scores
        return comments.without_minor_comments(page, scores)

    def fingerprint(self) -> str:
        """Hashes of both models, by which a changed model is noticed."""
        dumps = self.dumps if isinstance(self.dumps, str) else self.model_of(self.dumps)
        return f"{registry.model_sha256(self.model_of(self.scorer))} {registry.model_sha256(dumps)}"


def _broken_rules(page: Page, off: frozenset[str]) -> Sequence[str]:
    """The rule that each segment breaks, if any."""
    from stupidos import rules  # whose patterns take long to compile; the web model needs none

    return rules.broken_rules(page.segments, off)


def _check_rules(scorer: Scorer, options: Options) -> None:
    """Refuse to switch off rules for a model that applies none."""
    if options.rules_off and not scorer.rules and options.input != "text":
        raise StupidosError(
            f"the model {scorer.name} applies no rules: leave --without-rule out, or choose --model standard"
        )


def _first_installed(names: Sequence[str]) -> str:
    """The first of these models that is installed."""
    installed = registry.names()
    return next((name for name in names if name in installed), names[-1])


def checked(data: object) -> str | bytes:
    """The data of a page, or a TypeError that says what is wanted.

    >>> checked(None)
    Traceback (most recent call last):
    TypeError: a page is a str or bytes of HTML or plain text, not None
    """
    if isinstance(data, str | bytes):
        return data
    if isinstance(data, bytearray | memoryview):
        return bytes(data)
    remedy = ""
    if isinstance(data, os.PathLike):
        remedy = ": read it first, with Path.read_bytes()"
    elif hasattr(data, "read"):
        remedy = ": read it first, with its read()"
    name = "None" if data is None else type(data).__name__
    raise TypeError(f"a page is a str or bytes of HTML or plain text, not {name}{remedy}")


def _check_call(html: object, url: object) -> None:
    """Refuse a `url` that is not a str; warn if the page is an address or a file name instead of HTML."""
    if url is not None and not isinstance(url, str):
        raise TypeError(f"url is a str, not {type(url).__name__}")
    if isinstance(html, str) and len(html) <= _LONGEST_NAME and _ADDRESS_OR_FILE.fullmatch(html):
        import logging  # which takes a tenth of the time in which a filter starts

        logging.getLogger("stupidos").warning("%r is not a page: read the page first and pass its HTML", html)


@lru_cache(maxsize=4)
def _cleaner(model: str | None, preference: verdict.Preference, structure: bool) -> Cleaner:
    return Cleaner.load(model, Options(preference=preference, structure=structure))


def extract(
    html: str | bytes,
    *,
    url: str | None = None,
    model: str | None = None,
    precision: bool = False,
    recall: bool = False,
    header: str | None = None,
    content_language: str | None = None,
) -> Document:
    """A page or dump, judged: its text, verdicts, confidence and so on are attributes of the document.

    `url` is the address of the page; `model` a name that `stupidos models` lists or the path of a model file.
    `precision` and `recall` move the decision towards one or the other. `header` and `content_language` are
    the HTTP headers Content-Type and Content-Language; what the page itself declares counts more.

    >>> extract("<title>Rain</title><p>It rained all day long.").text
    'It rained all day long.\\n'
    """
    _check_call(html, url)
    if precision and recall:
        raise ValueError("choose precision or recall, not both")
    preference: verdict.Preference = "precision" if precision else "recall" if recall else "balanced"
    cleaner = _cleaner(model, preference, structure=True)  # metadata and tree are likely to be asked for
    return cleaner.extract(html, url=url, header=header, content_language=content_language)


@without_gc
def clean(
    html: str | bytes, *, format: str = "text", url: str | None = None, model: str | None = None
) -> str:
    """A page or dump without its boilerplate, in one of the formats of `stupidos clean --format`.

    >>> clean("<p>It rained all day long.")
    'It rained all day long.\\n'
    """
    _check_call(html, url)
    structure = reads_tokens(Style(long_name(format)))
    return _cleaner(model, "balanced", structure).extract(html, url=url).written(format)
