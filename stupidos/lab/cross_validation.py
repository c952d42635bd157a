"""Cross-validated scores: every page is judged by a model that was trained on the other folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from stupidos.confidence import statistics
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
    quietly,
    text_of,
)
from stupidos.lab.examples import Example, Problem, flaw
from stupidos.lab.measure import Comparison, Measure, compare, empty
from stupidos.lab.retrain import Retrainer, retrainer
from stupidos.page import Verdict
from stupidos.pipeline import Cleaner, Options
from stupidos.render import RenderOptions, read

Mapper = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]


class HeldOutPage(NamedTuple):
    """A page to be judged, and to learn from unless it has a flaw."""

    example: Example
    gold: str  # the text as it is, for the measure
    flaw: str


class _CleanedPage(NamedTuple):
    """A page after cleaning."""

    item: HeldOutPage
    text: str
    statistics: list[float] | None


def items(pairs: Iterable[Pair], options: Options) -> Iterator[HeldOutPage | EmptyGold | Problem]:
    """The pages of a gold standard, rendered; those that cannot be scored are named."""
    for pair in pairs:
        try:
            with quietly():
                found = _item(pair, options)
            yield found
        except StupidosError as error:
            yield Problem(pair.name, str(error))


def _item(pair: Pair, options: Options) -> HeldOutPage | EmptyGold:
    gold = text_of(pair.gold)
    if empty(gold):
        return EmptyGold(pair.name)
    page = read(content(pair.raw), options.input, RenderOptions(br=options.br))
    example = Example(pair.name, page, gold_of(pair.gold))
    return HeldOutPage(example, gold, flaw(example))


def cross_validated(
    model: str,
    folds: Sequence[Sequence[HeldOutPage]],
    options: Options,
    measure: Measure,
    mapper: Mapper,
    golds: str,
) -> Evaluation:
    """Scores of a model trained anew for each fold; `golds` is the fingerprint of the gold texts."""
    return cross_validated_by(retrainer(model), folds, options, measure, mapper, golds)


def cross_validated_by(
    trained: Retrainer,
    folds: Sequence[Sequence[HeldOutPage]],
    options: Options,
    measure: Measure,
    mapper: Mapper,
    golds: str,
) -> Evaluation:
    """Scores of what `trained` makes of the folds."""
    scorers = trained([[item.example for item in fold if not item.flaw] for fold in folds])
    cleaned: list[list[_CleanedPage]] = []
    for scorer, fold in zip(scorers, folds, strict=True):
        cleaner = Cleaner(scorer, scorer, options)
        cleaned.append([_cleaned(item, cleaner) for item in fold])
        name, signature = scorer.name, scorer.signature
    flat = [one for fold in cleaned for one in fold]
    results = list(mapper(partial(_compared, measure=measure), [(one.text, one.item.gold) for one in flat]))
    problems = [
        Problem(one.item.example.name, str(error))
        for one, error in zip(flat, results, strict=True)
        if isinstance(error, StupidosError)
    ]
    scored = _scored(cleaned, results)
    settings = f"{signature}{option_signature(options)}|folds:{len(folds)}"
    return collected(name, settings, [*scored, *problems], measure, golds)


def _cleaned(item: HeldOutPage, cleaner: Cleaner) -> _CleanedPage:
    page = item.example.page
    if cleaner.scorer.hidden:  # such a model wants to see what the page hides
        page = cleaner.page(page.source)
    verdicts: Sequence[Verdict] = cleaner.document(page).verdicts
    return _CleanedPage(item, as_gold(verdicts, item.gold), statistics(verdicts))


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
        PageScore(one.item.example.name, comparison, expected)
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
    if sum(map(len, kept)) < confidence.MIN_PAGES:
        return [[None] * len(fold) for fold in folds]
    estimates = (expected for fold in confidence.held_out(kept) for expected in fold)
    return [[round(next(estimates), 4) if sample else 0.0 for sample in fold] for fold in samples]
