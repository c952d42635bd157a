"""Bytes to verdicts: decode, render, rules, score, decide. The file to read first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import Literal

from stupidos import rules, verdict, write
from stupidos.page import Page, Verdict
from stupidos.render import RenderOptions, read, script_filled
from stupidos.render.without_gc import uncollected
from stupidos.score import registry
from stupidos.score.scorer import Scorer, Scores

# What judges a page when nobody names a model: HTML, and plain-text dumps. The first that is there.
HTML_MODELS = ("web", "standard")
DUMP_MODELS = ("text", "standard")
FEW = 20  # segments; a page with more is no shell that scripts would fill


@dataclass(frozen=True, slots=True)
class Options:
    """What a user can ask of the cleaner."""

    input: Literal["auto", "html", "text"] = "auto"
    threshold: float | None = None  # natural log-odds; replaces the model's own decision
    preference: verdict.Preference = "balanced"
    comments: Literal["auto", "keep", "drop"] = "auto"  # reader comments
    rules_off: frozenset[str] = frozenset()
    br: Literal["paragraph", "line"] = "paragraph"
    ancestor: int | None = None  # keep only the largest group with the same n-th ancestor (tree filter)


@dataclass(frozen=True, slots=True)
class Cleaner:
    """A model with its options, ready for any number of pages."""

    scorer: Scorer  # for HTML
    dumps: Scorer | str  # for plain-text dumps; a name is loaded with the first one, which takes 0.6 s
    options: Options = Options()

    @classmethod
    def load(cls, model: str | None = None, options: Options = Options()) -> Cleaner:
        """The cleaner with a model of that name or file, or with the default ones."""
        scorer = registry.scorer(model or first_there(HTML_MODELS))
        if options.ancestor:
            from stupidos.literature import tree_filter

            scorer = tree_filter.by_ancestor(scorer, options.ancestor)
        return cls(scorer, first_there(DUMP_MODELS) if model is None or scorer.markup else scorer, options)

    @property
    def dump_scorer(self) -> Scorer:
        return registry.scorer(self.dumps) if isinstance(self.dumps, str) else self.dumps

    def page(self, data: str | bytes, header: str | None = None) -> Page:
        """The page, rendered as the model wants it; `header` is the HTTP Content-Type, if known."""
        shows_hidden = bool(getattr(self.scorer, "hidden", False))
        wants_pieces = bool(getattr(self.scorer, "pieces", False))
        options = RenderOptions(br=self.options.br, hidden=shows_hidden, pieces=wants_pieces)
        found = read(data, self.options.input, options, header)
        return script_filled.filled(found) if len(found.segments) < FEW else found

    def scorer_of(self, page: Page) -> Scorer:
        """The scorer that judges this page."""
        return self.scorer if page.markup else self.dump_scorer

    def verdicts(self, page: Page) -> Sequence[Verdict]:
        """A verdict for each segment of a page."""
        return verdict.decide(self.evidence(page))

    def evidence(self, page: Page) -> verdict.Evidence:
        """What the verdicts on a page follow from."""
        scorer, options = self.scorer_of(page), self.options
        scores = self.scores(page)
        broken: Sequence[str] = rules.broken_rules(page.segments, options.rules_off) if scorer.rules else ()
        return verdict.Evidence(page.segments, scores, scorer, broken, options.threshold, options.preference)

    def scores(self, page: Page) -> Scores:
        """The score of each segment, after what the options add to the model."""
        scores = self.scorer_of(page).score(page)
        if self.options.comments != "auto":
            from stupidos.score import comments

            scores = comments.moved(page, scores, keep=self.options.comments == "keep")
        if self.options.ancestor:
            from stupidos.literature import tree_filter

            scores = tree_filter.grouped(page, scores, self.options.ancestor)
        return scores

    @uncollected
    def judge(self, data: str | bytes, header: str | None = None) -> Sequence[Verdict]:
        """Verdicts on a page or dump, from bytes in any encoding."""
        return self.verdicts(self.page(data, header))

    @uncollected
    def clean(self, data: str | bytes, header: str | None = None) -> str:
        """The text of a page without its boilerplate."""
        page = self.page(data, header)
        return write.text_of(compress(page.segments, verdict.kept(self.evidence(page)).tolist()))

    def confidence(self, page: Page, verdicts: Sequence[Verdict]) -> float | None:
        """Expected precision of the cleaned page, 0 to 1; None if the model was not trained to tell."""
        from stupidos import confidence

        return confidence.expected_precision(self.scorer_of(page).header, verdicts)


def first_there(names: Sequence[str]) -> str:
    """The first of these models that is on the shelf."""
    there = registry.names()
    return next((name for name in names if name in there), names[-1])


@lru_cache(maxsize=1)
def _default() -> Cleaner:
    return Cleaner.load()


def clean(html: str | bytes) -> str:
    """The text of a page or dump without its boilerplate, by the default models."""
    return _default().clean(html)
