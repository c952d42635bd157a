"""Cross-validated evaluation: every page is scored by a model trained on the other folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from stupidos.confidence import layout_of, statistics
from stupidos.decode import quietly
from stupidos.errors import StupidosError
from stupidos.lab import confidence
from stupidos.lab.corpus import Pair, content, gold_of
from stupidos.lab.evaluate import (
    EmptyGold,
    Evaluation,
    PageScore,
    as_gold,
    collected,
    option_signature,
    text_of,
)
from stupidos.lab.examples import Example, Problem, flaw
from stupidos.lab.folds import folds as names_in_folds
from stupidos.lab.measure import Comparison, Measure, compare, empty
from stupidos.lab.retrain import Retrainer, retrainer
from stupidos.page import Verdict
from stupidos.pipeline import Cleaner, Options
from stupidos.render import RenderOptions, read

_Mapper = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]


class HeldOutPage(NamedTuple):
    """A page to score, and to train on unless it has a flaw."""

    example: Example
    gold: str  # the gold text as it is, for the measure
    flaw: str


class _CleanedPage(NamedTuple):
    """A page after cleaning."""

    page: HeldOutPage
    text: str
    statistics: list[float] | None


def held_out_pages(
    pairs: Iterable[Pair], options: Options = Options()
) -> Iterator[HeldOutPage | EmptyGold | Problem]:
    """The rendered pages of a gold standard; those that cannot be scored are named."""
    for pair in pairs:
        try:
            with quietly():
                page = _held_out_page(pair, options)
            yield page
        except StupidosError as error:
            yield Problem(pair.name, str(error))


def _held_out_page(pair: Pair, options: Options) -> HeldOutPage | EmptyGold:
    gold = text_of(pair.gold)
    if empty(gold):
        return EmptyGold(pair.name)
    page = read(content(pair.raw), options.input, RenderOptions(br=options.br))
    example = Example(pair.name, page, gold_of(pair.gold))
    return HeldOutPage(example, gold, flaw(example))


@dataclass(frozen=True)
class CrossValidation:
    """A gold standard in folds: its pages are rendered once, the models retrained for each fold."""

    folds: list[list[HeldOutPage]]
    empty: list[str]  # pages whose gold text is empty
    problems: list[Problem]

    @classmethod
    def of(
        cls,
        pages: Iterable[HeldOutPage | EmptyGold | Problem],
        sites: Mapping[str, str] | None = None,
        number: int = 10,
    ) -> CrossValidation:
        """The pages in `number` folds; pages of one site share a fold."""
        every = list(pages)
        by_name = {page.example.name: page for page in every if isinstance(page, HeldOutPage)}
        return cls(
            [[by_name[name] for name in fold] for fold in names_in_folds(list(by_name), sites, number)],
            [page.page for page in every if isinstance(page, EmptyGold)],
            [page for page in every if isinstance(page, Problem)],
        )

    def evaluate(
        self, model: str, options: Options, measure: Measure, mapper: _Mapper, golds: str
    ) -> Evaluation:
        """Scores of a model by its name; `golds` is the fingerprint of the gold texts."""
        scores = cross_validated(retrainer(model), self.folds, options, measure, mapper, golds)
        return replace(scores, empty=self.empty, problems=[*self.problems, *scores.problems])


def cross_validated(
    retrain: Retrainer,
    folds: Sequence[Sequence[HeldOutPage]],
    options: Options,
    measure: Measure,
    mapper: _Mapper,
    golds: str,
) -> Evaluation:
    """Scores of every page by the scorer that `retrain` trained on the other folds."""
    scorers = retrain([[page.example for page in fold if not page.flaw] for fold in folds])
    cleaned: list[list[_CleanedPage]] = []
    for scorer, fold in zip(scorers, folds, strict=True):
        cleaner = Cleaner(scorer, scorer, options)
        cleaned.append([_cleaned(page, cleaner) for page in fold])
        name, signature = scorer.name, scorer.signature
    flat = [page for fold in cleaned for page in fold]
    results = list(mapper(partial(_compared, measure=measure), [(one.text, one.page.gold) for one in flat]))
    problems = [
        Problem(one.page.example.name, str(error))
        for one, error in zip(flat, results, strict=True)
        if isinstance(error, StupidosError)
    ]
    settings = f"{signature}{option_signature(options)}|folds:{len(folds)}"
    return collected(name, settings, [*_scored(cleaned, results), *problems], measure, golds)


def _cleaned(held_out: HeldOutPage, cleaner: Cleaner) -> _CleanedPage:
    page = held_out.example.page
    if cleaner.scorer.hidden:  # such a model also scores what the page hides
        page = cleaner.page(page.source)
    verdicts: Sequence[Verdict] = cleaner.document(page).verdicts
    return _CleanedPage(held_out, as_gold(verdicts, held_out.gold), statistics(layout_of(verdicts)))


def _compared(texts: tuple[str, str], measure: Measure) -> Comparison | StupidosError:
    try:
        return compare(*texts, measure)
    except StupidosError as error:  # too long to align
        return error


def _scored(
    folds: Sequence[Sequence[_CleanedPage]], results: Sequence[Comparison | StupidosError]
) -> list[PageScore]:
    """Scores of the pages that could be compared, in the order of their names."""
    following = iter(results)
    pages = [
        [(one, result) for one in fold if isinstance(result := next(following), Comparison)] for fold in folds
    ]
    scores = [
        PageScore(one.page.example.name, comparison, expected)
        for fold, confidences in zip(pages, _confidences(pages), strict=True)
        for (one, comparison), expected in zip(fold, confidences, strict=True)
    ]
    return sorted(scores, key=lambda score: score.page)


def _confidences(folds: Sequence[Sequence[tuple[_CleanedPage, Comparison]]]) -> list[list[float | None]]:
    """Confidence of each page, estimated on the other folds; 0 where nothing was kept."""
    samples = [
        [
            confidence.ConfidenceSample(one.statistics, comparison.words.precision)
            if one.statistics
            else None
            for one, comparison in fold
        ]
        for fold in folds
    ]
    kept = [[sample for sample in fold if sample] for fold in samples]
    if sum(map(len, kept)) < confidence.MIN_REGRESSION_PAGES:
        return [[None] * len(fold) for fold in folds]
    estimates = (expected for fold in confidence.held_out(kept) for expected in fold)
    return [[round(next(estimates), 4) if sample else 0.0 for sample in fold] for fold in samples]
