"""Training of the web model: align gold to segments, count n-grams, train the network, fit a confidence.

The language models that read a training page have seen neither the page nor its site: each fold of sites is
read by models of the other folds. Otherwise the network would learn to trust them too much.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple
from zlib import crc32

from stupidos import __version__
from stupidos.errors import CorpusError
from stupidos.lab.confidence import ConfidenceSample
from stupidos.lab.examples import TRAINING_PAGES, Example, Problem, joined_hashes, list_digest, page_hash
from stupidos.page import Page
from stupidos.score.cut import CutNetwork
from stupidos.score.scorer import Scorer
from stupidos.web import scorer
from stupidos.web.features import FEATURES
from stupidos.web.hashed_ngrams import NgramTable
from stupidos.web.network import Weights
from stupidos.web.second_look import SecondLook
from stupidos.web.symbols import Symbols, symbol_table
from stupidos.web.train_confidence import EvenSample, confidence_header, samples_of
from stupidos.web.train_data import (
    AlignedPage,
    FoldCounts,
    aligned_page,
    fold_counts,
    ngram_table,
    no_counts,
    training_pages,
    vocabulary_of,
)
from stupidos.web.train_examples import with_hidden
from stupidos.web.train_network import TrainingOptions, train_network
from stupidos.web.train_page_kind import Vocabulary

FOLDS = 5

_OnEpoch = Callable[[], object]  # called after each epoch


def _ignore() -> None:
    pass


class Source(NamedTuple):
    """Examples rendered with their hidden text, the weight of each; sites and conventions by their names."""

    examples: Iterable[Example | Problem]
    weight: float = 1.0
    sites: Mapping[str, str] = MappingProxyType({})  # a page that is missing is a site of its own
    conventions: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # words: what the gold counts as text


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained web model and a summary of its training."""

    symbols: Symbols
    ngrams: NgramTable
    vocabulary: Vocabulary
    weights: Weights
    pages: int
    segments: int
    digest: str = ""  # of the training pages
    problems: Sequence[Problem] = ()
    confidence: Mapping[str, Any] = field(default_factory=dict)  # header entry: train_confidence
    hashes: Sequence[str] = ()  # of the training pages
    cut_network: CutNetwork | None = None
    second_look: SecondLook | None = None
    conventions: Mapping[str, Sequence[str]] = field(default_factory=dict)  # words of each, by name

    @property
    def header(self) -> dict[str, Any]:
        """The header of the model file."""
        return {
            "features": len(FEATURES),
            "pages": self.pages,
            "segments": self.segments,
            "stupidos": __version__,
            "training_sha256": self.digest,
            TRAINING_PAGES: joined_hashes(self.hashes),
            scorer.WORDS_KEY: list(self.vocabulary),
            **({scorer.CONVENTIONS_KEY: dict(self.conventions)} if self.conventions else {}),
            **self.confidence,
        }

    def save(self, path: Path, **more: Any) -> None:
        """Write the model file; `more` goes into its header."""
        header = {"name": path.stem, **self.header, **more}
        networks = self.cut_network, self.second_look
        scorer.save(path, self.symbols, self.ngrams, self.weights, header, *networks)

    def scorer(self, name: str) -> Scorer:
        """The model as a scorer, without a file."""
        web = scorer.web_scorer(name, self.symbols, self.ngrams, self.weights, self.header)
        return replace(web, cut_network=self.cut_network, second_look=self.second_look)


class TrainingSet(NamedTuple):
    """Everything read for training."""

    symbols: Symbols
    pages: list[AlignedPage]
    problems: list[Problem]
    digests: list[tuple[str, str]]  # name and digest of each page
    hashes: list[str]  # of their sources
    sample: EvenSample  # examples to fit the confidence on


def fold_of(site: str, salt: str = "") -> int:
    """The fold of a site: the same in every run, and another one with some `salt`."""
    return crc32((salt + site).encode("utf-8", "surrogateescape")) % FOLDS


def training_set(sources: Iterable[Source], salt: str = "", sampled: bool = False) -> TrainingSet:
    """The pages of several sources, each in the fold of its site; `sampled` keeps some whole examples."""
    result = TrainingSet(symbol_table(), [], [], [], [], EvenSample())
    for source in sources:
        for example in source.examples:
            if isinstance(example, Problem):
                result.problems.append(example)
                continue
            name, page, gold = example
            if not page.segments:
                result.problems.append(Problem(name, "the page has no text"))
                continue
            site = source.sites.get(name, name)
            if sampled and page.markup:
                result.sample.add(len(result.pages), example)
            aligned = aligned_page(
                name, page, gold, result.symbols, source.weight, site, fold_of(site, salt)
            )
            result.pages.append(aligned._replace(conventions=source.conventions.get(name, ())))
            result.digests.append((name, example.digest))
            result.hashes.append(page_hash(page.source))
    if not result.pages:
        raise CorpusError("no page to learn from")
    return result


def train_model(
    sources: Iterable[Source],
    options: TrainingOptions = TrainingOptions(),
    on_epoch: _OnEpoch = _ignore,
    fit_confidence: bool = True,
) -> TrainedModel:
    """A web model of all sources.

    The confidence is fitted on at most train_confidence.MOST_PAGES of the pages, by models of other folds.
    """
    data = training_set(sources, sampled=fit_confidence)
    counts = fold_counts(data.pages, FOLDS)
    vocabulary = vocabulary_of(data.pages)
    weights = train_network(
        training_pages(data.pages, counts, vocabulary), options, len(vocabulary), on_epoch
    )
    segments = sum(len(page.labels) for page in data.pages)
    confidence = confidence_header(_held_out_samples(data, options, on_epoch)) if fit_confidence else {}
    return TrainedModel(data.symbols, ngram_table(counts), vocabulary, weights, len(data.pages), segments,
                        list_digest(data.digests), data.problems, confidence, data.hashes)  # fmt: skip


def held_out_model(
    pages: Sequence[AlignedPage],
    counts: Sequence[FoldCounts],
    fold: int,
    options: TrainingOptions,
    on_epoch: _OnEpoch = _ignore,
) -> TrainedModel:
    """A model that has not seen one fold of the pages; `counts` are those of all folds."""
    seen = [page for page in pages if page.fold != fold]
    seen_counts = [no_counts() if index == fold else part for index, part in enumerate(counts)]
    vocabulary = vocabulary_of(seen)
    weights = train_network(training_pages(seen, seen_counts, vocabulary), options, len(vocabulary), on_epoch)
    return TrainedModel(symbol_table(), ngram_table(seen_counts), vocabulary, weights, len(seen), 0)


def _held_out_samples(
    data: TrainingSet, options: TrainingOptions, on_epoch: _OnEpoch
) -> list[ConfidenceSample]:
    """Samples of the sampled pages, by models that have seen other folds of them only."""
    pages = [data.pages[index] for index, _ in data.sample.entries]
    examples = [example for _, example in data.sample.entries]
    folds = sorted({page.fold for page in pages})
    if len(folds) < 2:
        return []
    counts = fold_counts(pages, FOLDS)
    samples = []
    for fold in folds:
        model = held_out_model(pages, counts, fold, options, on_epoch)
        held_out = [example for example, page in zip(examples, pages) if page.fold == fold]
        samples += samples_of(model.scorer("web"), held_out)
    return samples


def retrained(
    folds: Sequence[Sequence[Example]], options: TrainingOptions = TrainingOptions()
) -> Iterator[Scorer]:
    """A web model for each fold, trained on the others; for lab.retrain."""
    for fold in range(len(folds)):
        seen = [with_hidden(example) for at, part in enumerate(folds) if at != fold for example in part]
        yield train_model([Source(seen)], options, fit_confidence=False).scorer("web")


def train_on_labels(pages: Sequence[tuple[Page, Sequence[bool]]]) -> Scorer:
    """A web model of a few labelled pages, as rendered for the annotator; labels say what is kept.

    Without a confidence: it is added to another model, which has one.
    """
    examples = [
        Example(str(index), page, [segment for segment, keep in zip(page.segments, labels) if keep])
        for index, (page, labels) in enumerate(pages)
    ]
    return train_model([Source(examples)], fit_confidence=False).scorer("own")
