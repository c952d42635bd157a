"""Scores of cleaned texts, pages and models against a gold standard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial, reduce
from hashlib import sha256
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

from stupidos import __version__
from stupidos.decode import decode, quietly
from stupidos.errors import ModelError, StupidosError
from stupidos.lab.corpus import Pair, content
from stupidos.lab.examples import Problem, learnt_from, page_hash
from stupidos.lab.match_counts import MatchCounts
from stupidos.lab.measure import MARKER, Comparison, Measure, compare, empty
from stupidos.lab.retrain import only_cross_validated
from stupidos.page import Page, Verdict
from stupidos.pipeline import Cleaner, Options
from stupidos.score import registry
from stupidos.write import marked, plain

LOW_PRECISION, HIGH_PRECISION = 0.7, 0.9  # the paper counts pages below these
_SUREST_SHARE = 2 / 3  # of the pages, by confidence

# What is reported: the fields of a Comparison under their names in reports.
MEASURES = {"words": "", "segments": "segment_", "unlabelled": "segment_unlabelled_", "bag": "bag_"}
_FIGURES = ("precision", "recall", "f")


class PageScore(NamedTuple):
    """The score of one page."""

    page: str  # file stem
    comparison: Comparison
    confidence: float | None = None  # expected F or precision, if the model estimates it

    def figures(self) -> dict[str, float]:
        """Every figure by name, as a fraction."""
        return _named_figures(self.comparison)


class EmptyGold(NamedTuple):
    """A page that cannot be scored because its gold text is empty."""

    page: str


_PageResult = PageScore | EmptyGold | Problem


def _named_figures(tallies: Sequence[MatchCounts | None]) -> dict[str, float]:
    """Precision, recall and F of each part of a Comparison, by name; NaN where nothing could be compared."""
    return {
        f"{prefix}{figure}": nan if tally is None else getattr(tally, figure)
        for prefix, tally in zip(MEASURES.values(), tallies, strict=True)
        for figure in _FIGURES
    }


@dataclass(frozen=True)
class Evaluation:
    """The scores of one cleaner on a gold standard."""

    name: str
    signature: str
    pages: list[PageScore]
    empty: list[str] = field(default_factory=list)  # pages whose gold is empty
    problems: list[Problem] = field(default_factory=list)

    @property
    def macro(self) -> dict[str, float]:
        """Means over pages."""
        rows = [page.figures() for page in self.pages]
        names = _named_figures(_NO_MATCHES)
        return {name: _mean([row[name] for row in rows if not isnan(row[name])], len(rows)) for name in names}

    @property
    def micro(self) -> dict[str, float]:
        """Figures over the words of all pages together."""
        columns = zip(*(page.comparison for page in self.pages), strict=True)
        return _named_figures([_sum(column) for column in columns] if self.pages else _NO_MATCHES)

    def below(self, precision: float) -> int:
        """Number of pages below a precision."""
        return sum(page.comparison.words.precision < precision for page in self.pages)

    def column(self, figure: str) -> list[float]:
        """One figure of every page."""
        return [page.figures()[figure] for page in self.pages]

    def surest(self, share: float = _SUREST_SHARE) -> list[PageScore]:
        """The pages of highest confidence; empty if the model has no confidence estimate."""
        rated = [page for page in self.pages if page.confidence is not None]
        ranked = sorted(rated, key=lambda page: (-(page.confidence or 0.0), page.page))
        return ranked[: round(share * len(ranked))]

    def part(self, pages: Iterable[str]) -> Evaluation:
        """The evaluation of some of the pages."""
        wanted = frozenset(pages)
        return Evaluation(self.name, self.signature, [page for page in self.pages if page.page in wanted])

    def as_json(self) -> dict[str, Any]:
        """What `evaluate --json` prints."""
        return {
            "signature": self.signature,
            "macro": _rounded(self.macro),
            "micro": _rounded(self.micro),
            "below_70": self.below(LOW_PRECISION),
            "below_90": self.below(HIGH_PRECISION),
            "empty_golds": self.empty,
            "problems": {problem.name: problem.reason for problem in self.problems},
            "pages": [self._page_json(page) for page in self.pages],
        }

    @staticmethod
    def _page_json(page: PageScore) -> dict[str, Any]:
        words = page.comparison.words
        counts = {"words_matched": words.matched, "words_cleaned": words.found, "words_gold": words.wanted}
        confidence = {} if page.confidence is None else {"confidence": page.confidence}
        return {"page": page.page, **_rounded(page.figures()), **counts, **confidence}


_NO_MATCHES: list[MatchCounts | None] = [MatchCounts()] * len(MEASURES)


def _rounded(figures: Mapping[str, float]) -> dict[str, float | None]:
    return {name: None if isnan(value) else round(value, 6) for name, value in figures.items()}


def _mean(values: Sequence[float], pages: int) -> float:
    """The mean over the pages that have a value; NaN if none of them has."""
    return sum(values) / len(values) if values else nan if pages else 0.0


def _sum(column: Iterable[MatchCounts | None]) -> MatchCounts | None:
    """The sum over the pages that have counts; None if none of them has."""
    counted = [counts for counts in column if counts is not None]
    return reduce(MatchCounts.plus, counted) if counted else None


def collected(
    name: str, signature: str, scored: Iterable[_PageResult], measure: Measure, golds: str
) -> Evaluation:
    """Scores of all pages as an Evaluation, with its full signature."""
    results = list(scored)
    pages = [one for one in results if isinstance(one, PageScore)]
    whole = f"{signature}|gold:{golds}|pages:{len(pages)}{measure.signature}|v:{__version__}"
    empty_golds = [one.page for one in results if isinstance(one, EmptyGold)]
    return Evaluation(name, whole, pages, empty_golds, [one for one in results if isinstance(one, Problem)])


def text_of(path: Path) -> str:
    """A gold or cleaned text; bytes that are not UTF-8 are decoded like a page."""
    data = content(path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return decode(data)[0]


def gold_digest(pairs: Iterable[Pair]) -> str:
    """Fingerprint of the gold texts, for signatures."""
    digest = sha256()
    for pair in pairs:
        digest.update(
            f"{pair.name}\0{sha256(content(pair.gold)).hexdigest()}\n".encode("utf-8", "surrogateescape")
        )
    return digest.hexdigest()[:8]


def _score_text(pair: Pair, measure: Measure) -> _PageResult:
    """Score of a text cleaned by some tool, which is in `pair.raw`."""
    try:
        with quietly():
            gold = text_of(pair.gold)
            if empty(gold):
                return EmptyGold(pair.name)
            return PageScore(pair.name, compare(text_of(pair.raw), gold, measure))
    except StupidosError as error:
        return Problem(pair.name, str(error))


def _score_models(
    pair: Pair, models: tuple[str, ...], options: Options, measure: Measure
) -> list[_PageResult]:
    """Scores of a page cleaned by each of the models."""
    try:
        with quietly():
            gold, data = text_of(pair.gold), content(pair.raw)
            if empty(gold):
                return [EmptyGold(pair.name)] * len(models)
            scores: list[_PageResult] = []
            for model in models:
                cleaner = _cleaner(model, options)
                scores.append(judged(pair.name, cleaner, cleaner.page(data), gold, measure))
            return scores
    except StupidosError as error:
        return [Problem(pair.name, str(error))] * len(models)


@lru_cache(maxsize=16)
def _cleaner(model: str, options: Options) -> Cleaner:
    return Cleaner.load(model, options)


def judged(name: str, cleaner: Cleaner, page: Page, gold: str, measure: Measure) -> PageScore:
    """Score of a rendered page after cleaning."""
    document = cleaner.document(page)
    return PageScore(name, compare(as_gold(document.verdicts, gold), gold, measure), document.confidence)


def as_gold(verdicts: Sequence[Verdict], gold: str) -> str:
    """The cleaned page, with markers if its gold has any: against a plain gold each would count as a word."""
    return marked(verdicts) if MARKER.search(gold) else plain(verdicts)


def pages_learnt_from(pairs: Sequence[Pair], model: str) -> int:
    """How many of the pages a model was trained on, by the hashes in its header."""
    hashes = learnt_from(registry.scorer(model).header)
    if not hashes:
        return 0
    with quietly():
        return sum(page_hash(decode(content(pair.raw))[0]) in hashes for pair in pairs)


_Mapper = Callable[[Callable[[Pair], Any], Sequence[Pair]], Iterator[Any]]


def evaluate_texts(pairs: Sequence[Pair], name: str, measure: Measure, mapper: _Mapper) -> Evaluation:
    """Scores of a folder of cleaned texts."""
    scored = mapper(partial(_score_text, measure=measure), pairs)
    return collected(name, f"texts:{name}", scored, measure, gold_digest(pairs))


def evaluate_models(
    pairs: Sequence[Pair], models: Sequence[str], options: Options, measure: Measure, mapper: _Mapper
) -> list[Evaluation]:
    """Scores of each model on all pages."""
    for model in models:
        if only_cross_validated(model):
            raise ModelError(
                f"model {model} is not shipped, only trained for each fold: add --cross-validate"
            )
    scorers = [Cleaner.load(model, options).scorer for model in models]
    work = partial(_score_models, models=tuple(models), options=options, measure=measure)
    columns = list(zip(*mapper(work, pairs), strict=True))
    golds = gold_digest(pairs)
    return [
        collected(scorer.name, scorer.signature + option_signature(options), column, measure, golds)
        for scorer, column in zip(scorers, columns, strict=True)
    ]


def option_signature(options: Options) -> str:
    """Options that differ from the defaults, for the signature of a score."""
    usual = Options()
    changed: dict[str, object] = {
        "input": options.input,
        "threshold": options.threshold,
        "preference": options.preference,
        "comments": options.comments,
        "without": ",".join(sorted(options.rules_off)) or frozenset(),
        "br": options.br,
        "ancestor": options.ancestor,
    }
    return "".join(
        f"|{name}:{value}"
        for name, value in changed.items()
        if value != getattr(usual, "rules_off" if name == "without" else name)
    )
