"""Adapt a model to the annotator: train a small one on the finished pages and add it to the first.

A few pages are too little to train a model from scratch, but both models give log-odds, which
add up. The weight of the small model is chosen by cross-validation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from stupidos.annotate.agreement import LabelPair, agreement, word_count
from stupidos.annotate.labels import LabelledPage
from stupidos.annotate.retrain import Retrained, Train
from stupidos.annotate.suggestions import ReadPage
from stupidos.confidence import EXPECTATION_KEY
from stupidos.errors import StupidosError
from stupidos.lm.alphabet import ALPHABETS
from stupidos.lm.counts import count
from stupidos.lm.model import Model
from stupidos.page import Page
from stupidos.pipeline import Cleaner
from stupidos.score import ngram
from stupidos.score.ngram import Ngram
from stupidos.score.scorer import DecisionRule, Scorer, Scores

_ORDER, Q = 3, 0.5  # the paper's; on 3 to 20 pages better than any larger n
_ASCII_SHARE = 0.5  # of the characters; from here on the alphabet has single ASCII letters
_FOLDS = 4

# Weights of the small model; the first model has 1. One that sees markup memorizes the sites of the
# labelled pages, and the folds share those: a weight above a half was worse on other sites.
_WEIGHTS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
_MAX_MARKUP_WEIGHT = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class _CombinedScorer:
    """The weighted sum of two scorers, with all properties of the first."""

    base: Scorer
    small: Scorer
    weight: float
    confidence: Mapping[str, Any] = field(default_factory=dict)  # header entry, if one could be fitted

    @property
    def name(self) -> str:
        return self.base.name

    @property
    def signature(self) -> str:
        return f"{self.base.signature}|adapted:{self.weight:g}"

    @property
    def decision(self) -> DecisionRule:
        return self.base.decision

    @property
    def rules(self) -> bool:
        return self.base.rules

    @property
    def markup(self) -> bool:
        return self.base.markup

    @property
    def hidden(self) -> bool:
        return self.base.hidden

    @property
    def pieces(self) -> bool:
        return self.base.pieces

    @property
    def header(self) -> Mapping[str, Any]:
        if not self.confidence:
            return self.base.header
        kept = {key: entry for key, entry in self.base.header.items() if key != EXPECTATION_KEY}
        return {**kept, **self.confidence}

    def score(self, page: Page) -> Scores:
        return self.base.score(page) + self.weight * self.small.score(page)


class FinishedPage(NamedTuple):
    """A rendered page with the annotator's decision on each segment."""

    page: Page
    keeps: Sequence[bool]

    def texts(self, keep: bool) -> list[str]:
        """Texts of the segments that were kept, or of those that were dropped."""
        pairs = zip(self.page.segments, self.keeps, strict=True)
        return [segment.text for segment, kept in pairs if kept is keep]


_TrainScorer = Callable[[Sequence[FinishedPage]], Scorer]


class _Weight(NamedTuple):
    """A weight of the small model, and the cross-validated agreement with the annotator."""

    weight: float  # 0 where the small model is no improvement
    agreement: float  # share of words, macro-averaged over pages
    agreement_before: float  # of the first model alone


def trainer(cleaner: Cleaner, raw_pages: Mapping[str, ReadPage]) -> Train:
    """The function that adapts the model a session started with."""
    train_scorer: _TrainScorer = train_web if cleaner.scorer.markup else train_ngram

    def train(labelled: Sequence[LabelledPage]) -> Retrained:
        pages = [_finished_page(cleaner.page(raw_pages[each.name]()), each) for each in labelled]
        models = _fold_models(pages, train_scorer)
        weight, after, before = best_weight(cleaner, pages, models)
        adapted = cleaner
        if weight:
            confidence = _confidence(cleaner, pages, models, weight)
            adapted = combined(cleaner, train_scorer(pages), weight, confidence)
        message = (
            f"Words labelled as you did, on pages not learnt from: {before:.1%} before, {after:.1%} now."
            if weight
            else f"No better than before on pages not learnt from ({before:.1%} of the words as you did)."
        )
        return Retrained(adapted, f"{cleaner.scorer.name} + {len(labelled)} of your pages", message)

    return train


def _finished_page(page: Page, labelled: LabelledPage) -> FinishedPage:
    """A page with its labels, which must be those of the same segments."""
    if [segment.text for segment in page.segments] != [segment.text for segment in labelled.segments]:
        raise StupidosError(f"{labelled.name}: the raw page has changed meanwhile; look at it again")
    return FinishedPage(page, [label.keep for label in labelled.labels])


def train_ngram(pages: Sequence[FinishedPage]) -> Ngram:
    """An n-gram model of what the annotator kept and dropped.

    The alphabet has single ASCII letters if the text is mostly ASCII, else only classes of letters.
    """
    sides = [[text for page in pages for text in page.texts(keep)] for keep in (True, False)]
    texts = "".join(text for side in sides for text in side)
    mostly_ascii = len(texts.encode("ascii", "ignore")) >= _ASCII_SHARE * len(texts)
    alphabet = ALPHABETS["ascii" if mostly_ascii else "unicode"]
    clean, dirty = (count(side, alphabet, _ORDER) for side in sides)
    return ngram.of(Model(clean, dirty, Q), "own")


def train_web(pages: Sequence[FinishedPage]) -> Scorer:
    """A web model of what the annotator kept and dropped; n-grams if a page is a plain-text dump."""
    from stupidos.web.train import train_on_labels

    if not all(page.page.markup for page in pages):
        return train_ngram(pages)
    return train_on_labels(pages)


_NO_CONFIDENCE: Mapping[str, Any] = {}


def combined(
    cleaner: Cleaner, small: Scorer, weight: float, confidence: Mapping[str, Any] = _NO_CONFIDENCE
) -> Cleaner:
    """The cleaner with the small model added; one that needs markup is not added for dumps."""
    dumps = cleaner.dumps if small.markup else _CombinedScorer(cleaner.dump_scorer, small, weight)
    return replace(cleaner, scorer=_CombinedScorer(cleaner.scorer, small, weight, confidence), dumps=dumps)


def _fold_models(pages: Sequence[FinishedPage], train_scorer: _TrainScorer) -> list[Scorer]:
    """A small model for each fold, which has not seen its pages; page n is in fold n modulo their number."""
    folds = min(_FOLDS, len(pages))
    return [
        train_scorer([page for i, page in enumerate(pages) if i % folds != fold]) for fold in range(folds)
    ]


def _confidence(
    cleaner: Cleaner, pages: Sequence[FinishedPage], models: Sequence[Scorer], weight: float
) -> Mapping[str, Any]:
    """The confidence of the adapted model, fitted on pages not learnt from; the first model's if too few."""
    from stupidos.lab.confidence import MIN_PAGES, sample
    from stupidos.web.train_confidence import confidence_header

    cleaners = [combined(cleaner, model, weight) for model in models]
    samples = []
    for i, page in enumerate(pages):
        verdicts = cleaners[i % len(cleaners)].document(page.page).verdicts
        gold = [segment for segment, keep in zip(page.page.segments, page.keeps, strict=True) if keep]
        samples.append(sample(verdicts, gold))
    usable = [one for one in samples if one]
    return confidence_header(usable) if len(usable) >= MIN_PAGES else _NO_CONFIDENCE


def best_weight(cleaner: Cleaner, pages: Sequence[FinishedPage], models: Sequence[Scorer]) -> _Weight:
    """The smallest weight whose cross-validated agreement is not clearly below the best one.

    Differences within one standard error may be chance, or due to sites that the folds share; a
    weight of 0 is chosen where the first model alone is as good.
    """
    folds = len(models)

    def agreements(weight: float) -> Scores:
        cleaners = [combined(cleaner, model, weight) for model in models]
        return np.array([_agreement_on(cleaners[i % folds], page) for i, page in enumerate(pages)])

    before = np.array([_agreement_on(cleaner, page) for page in pages])
    largest = _MAX_MARKUP_WEIGHT if models[0].markup else max(_WEIGHTS)
    by_weight = {0.0: before, **{weight: agreements(weight) for weight in _WEIGHTS if weight <= largest}}
    best = max(by_weight.values(), key=lambda each: float(each.mean()))
    weight = next(weight for weight, each in by_weight.items() if not _significant(best - each))
    return _Weight(weight, float(by_weight[weight].mean()), float(before.mean()))


def _significant(gains: Scores) -> bool:
    """Whether the mean gain over pages is above its standard error.

    >>> _significant(np.array([0.1, 0.1, 0.0])), _significant(np.array([0.3, -0.2, 0.0]))
    (True, False)
    """
    return bool(gains.mean() > gains.std(ddof=1) / len(gains) ** 0.5)


def _agreement_on(cleaner: Cleaner, finished: FinishedPage) -> float:
    """Share of a page's words that the cleaner labels as the annotator did."""
    verdicts = cleaner.document(finished.page).verdicts
    return agreement(
        LabelPair(word_count(verdict.segment.text), bool(verdict.keep), keep)
        for verdict, keep in zip(verdicts, finished.keeps, strict=True)
    ).observed
