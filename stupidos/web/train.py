"""Training of the web model: label pages by their gold, count n-grams, school the network.

The language models that read a training page have not seen it, nor its site: each fold of sites is read
by models of the other folds. Otherwise the network would learn to trust them more than it may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from zlib import crc32

from stupidos import __version__
from stupidos.errors import CorpusError
from stupidos.lab.examples import Example, Problem, list_digest
from stupidos.render import RenderOptions, read
from stupidos.score.scorer import Scorer
from stupidos.web import scorer
from stupidos.web.features import FEATURES
from stupidos.web.hashed_ngrams import Table
from stupidos.web.network import Weights
from stupidos.web.symbols import Symbols, symbols
from stupidos.web.train_data import (
    Lesson,
    Pair,
    WebPage,
    fold_counts,
    lesson,
    ngram_table,
    web_page,
    words_of,
)
from stupidos.web.train_network import Schooling, schooled
from stupidos.web.train_page_kind import Vocabulary

FOLDS = 5
SHOWN = RenderOptions(hidden=True)  # as scorer.Web wants its pages


class Source(NamedTuple):
    """Where examples come from: what a page of theirs weighs, and which site each page is of."""

    examples: Iterable[Example | Problem]
    weight: float = 1.0
    sites: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Learnt:
    """A trained web model and how it went."""

    symbols: Symbols
    ngrams: Table
    vocabulary: Vocabulary
    weights: Weights
    pages: int
    segments: int
    digest: str
    problems: list[Problem]

    @property
    def header(self) -> dict[str, Any]:
        """What the model file tells of its training."""
        return {
            "features": len(FEATURES),
            "pages": self.pages,
            "segments": self.segments,
            "stupidos": __version__,
            "training_sha256": self.digest,
            scorer.WORDS: list(self.vocabulary),
        }

    def save(self, path: Path, **more: Any) -> None:
        """Write the model file; `more` goes into its header."""
        header = {"name": path.stem, **self.header, **more}
        scorer.save(path, self.symbols, self.ngrams, self.weights, header)

    def scorer(self, name: str) -> Scorer:
        """The model at work, without a file."""
        return scorer.of(name, self.symbols, self.ngrams, self.weights, self.header)


class Pages(NamedTuple):
    """Everything read for training."""

    symbols: Symbols
    pages: list[WebPage]
    problems: list[Problem]
    digests: list[tuple[str, str]]


def with_hidden(example: Example) -> Example:
    """The example with its page rendered as the web model wants it."""
    page = example.page
    if not page.markup:
        return example
    shown = read(page.source, "html", SHOWN)
    return example._replace(page=shown._replace(encoding=page.encoding))


def fold_of(site: str, salt: str = "") -> int:
    """The fold of a site: the same in every run, and another one with some `salt`."""
    return crc32((salt + site).encode("utf-8", "surrogateescape")) % FOLDS


def pages_of(sources: Iterable[Source], salt: str = "") -> Pages:
    """The pages of several sources, each in the fold of its site."""
    found = Pages(symbols(), [], [], [])
    for source in sources:
        for example in source.examples:
            if isinstance(example, Problem):
                found.problems.append(example)
                continue
            site = source.sites.get(example.name, example.name)
            shown = with_hidden(example)
            if not shown.page.segments:
                found.problems.append(Problem(example.name, "the page has no text"))
                continue
            found.pages.append(
                web_page(
                    example.name,
                    shown.page,
                    shown.gold,
                    found.symbols,
                    source.weight,
                    site,
                    fold_of(site, salt),
                )
            )
            found.digests.append((example.name, example.digest))
    if not found.pages:
        raise CorpusError("no page to learn from")
    return found


def others(counts: Sequence[list[Pair]], fold: int) -> list[list[Pair]]:
    """The counts of all folds but one; of all, where there is only that one."""
    rest = [part for at, part in enumerate(counts) if at != fold]
    return rest or list(counts)


def lessons_of(pages: Sequence[WebPage], counts: Sequence[list[Pair]], known: Vocabulary) -> list[Lesson]:
    """Every page read by the language models of the other folds."""
    readers = [ngram_table(others(counts, fold)) for fold in range(len(counts))]
    return [lesson(page, readers[page.fold], known) for page in pages]


def learn(
    sources: Iterable[Source], how: Schooling = Schooling(), told: Callable[[], object] = lambda: None
) -> Learnt:
    """A web model of all the sources; `told` is called after each epoch."""
    found = pages_of(sources)
    counts = fold_counts(found.pages, FOLDS)
    known = words_of(found.pages)
    weights = schooled(lessons_of(found.pages, counts, known), how, len(known), told)
    segments = sum(len(page.labels) for page in found.pages)
    return Learnt(found.symbols, ngram_table(counts), known, weights, len(found.pages), segments,
                  list_digest(found.digests), found.problems)  # fmt: skip


def retrained(folds: Sequence[Sequence[Example]], how: Schooling = Schooling()) -> Iterator[Scorer]:
    """A web model for each fold that has seen the others only; for cross-validation."""
    for fold in range(len(folds)):
        seen = [example for at, part in enumerate(folds) if at != fold for example in part]
        yield learn([Source(seen)], how).scorer("web")
