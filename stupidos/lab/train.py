"""Training of n-gram models for clean and dirty text from pages and their gold texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from stupidos import __version__
from stupidos.errors import CorpusError
from stupidos.lab.align import clean_segments
from stupidos.lab.examples import TRAINING_PAGES, Example, Problem, joined_hashes, list_digest, page_hash
from stupidos.lm import store
from stupidos.lm.alphabet import alphabet
from stupidos.lm.counts import NgramCounter, NgramCounts
from stupidos.lm.interpolate import cross_entropy
from stupidos.lm.model import Model

_HELD_OUT_EVERY = 10  # every tenth page is held out while the cross-entropy is measured

_DirtySource = Literal["differential", "aligned", "published"]


@dataclass(frozen=True, slots=True)
class Recipe:
    """What kind of model to train; the paper's standard model by default."""

    alphabet: str = "ascii"
    n: int = 3
    q: float = 0.5
    dirty: _DirtySource = "differential"


STANDARD = Recipe()
PUBLISHED = Recipe(dirty="published")
SIMPLIFIED = Recipe("simplified", 6, 0.4)


@dataclass(frozen=True, slots=True)
class Training:
    """A trained model with the statistics of its training."""

    model: Model
    recipe: Recipe
    pages: int
    digest: str  # of the training list
    problems: list[Problem]
    bits: dict[str, float]  # per character, of each side on held-out pages; may be empty
    hashes: list[str]  # of the pages

    @property
    def header(self) -> dict[str, Any]:
        """Training statistics for the header of the model file."""
        clean, dirty = self.model.clean, self.model.dirty
        return {
            "counts": {
                "clean": {"characters": clean.total, "ngrams": clean.keys.size},
                "dirty": {"characters": dirty.total, "ngrams": dirty.keys.size},
            },
            "dirty": self.recipe.dirty,
            "pages": self.pages,
            "scores": {"bits_per_character": {side: round(bits, 4) for side, bits in self.bits.items()}},
            "stupidos": __version__,
            "training_sha256": self.digest,
            TRAINING_PAGES: joined_hashes(self.hashes),
        }

    def save(self, path: Path, **more: Any) -> None:
        """Write the model file; `more` goes into its header."""
        store.save(path, self.model, {"name": path.stem, **self.header, **more})


def train(examples: Iterable[Example | Problem], recipe: Recipe = STANDARD) -> Training:
    """Train a model on all examples."""
    learnt, held_out = _SideCounts(recipe), _SideCounts(recipe)
    problems: list[Problem] = []
    digests: list[tuple[str, str]] = []
    hashes: list[str] = []
    for example in examples:
        if isinstance(example, Problem):
            problems.append(example)
            continue
        digests.append((example.name, example.digest))
        hashes.append(page_hash(example.page.source))
        (held_out if len(digests) % _HELD_OUT_EVERY == 2 else learnt).add(
            example
        )  # starting with the second page
    if not digests:
        reasons = "; ".join(f"{problem.name}: {problem.reason}" for problem in problems[:3])
        raise CorpusError(f"no page to learn from: {reasons or 'there is none'}")
    bits = _bits(model_of(*learnt.counts(), recipe), model_of(*held_out.counts(), recipe))
    # One side after the other, releasing the partial counts: a large corpus fits into memory only once.
    clean = learnt.clean.take_counts() + held_out.clean.take_counts()
    other = learnt.other.take_counts() + held_out.other.take_counts()
    return Training(
        model_of(clean, other, recipe), recipe, len(digests), list_digest(digests), problems, bits, hashes
    )


def model_of(clean: NgramCounts, other: NgramCounts, recipe: Recipe) -> Model:
    """The model of clean counts and, depending on the recipe, raw or dirty counts.

    `published` is the scheme of the paper: differences of counts as they are, probabilities clamped to [0, 1]
    afterwards, and unseen histories with probability 0. `differential` clamps the counts instead and
    redistributes the weight of unseen histories, which is better (training/REPRODUCTION.md has both).
    """
    if recipe.dirty == "published":
        return Model(clean, other - clean, recipe.q, fixed_weights=True)
    dirty = (other - clean).positive() if recipe.dirty == "differential" else other
    return Model(clean, dirty, recipe.q)


_Sides = tuple[list[str], list[str]]


def _gold_and_raw(example: Example) -> _Sides:
    """Gold texts, and all texts of the page: the difference of their counts is the dirty text."""
    return [segment.text for segment in example.gold], [segment.text for segment in example.page.segments]


def _clean_and_dirty(example: Example) -> _Sides:
    """Texts of clean segments and of dirty segments, by alignment."""
    segments = example.page.segments
    sides: _Sides = ([], [])
    for segment, clean in zip(segments, clean_segments(segments, example.gold), strict=True):
        sides[0 if clean else 1].append(segment.text)
    return sides


SIDES: dict[_DirtySource, Callable[[Example], _Sides]] = {
    "differential": _gold_and_raw,
    "aligned": _clean_and_dirty,
    "published": _gold_and_raw,
}


class _SideCounts:
    """Counts of clean text, and of raw or dirty text."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        letters = alphabet(recipe.alphabet)
        self.clean, self.other = NgramCounter(letters, recipe.n), NgramCounter(letters, recipe.n)

    def add(self, example: Example) -> None:
        clean, other = SIDES[self.recipe.dirty](example)
        self.clean.add(clean)
        self.other.add(other)

    def counts(self) -> tuple[NgramCounts, NgramCounts]:
        return self.clean.counts(), self.other.counts()


def _bits(learnt: Model, held_out: Model) -> dict[str, float]:
    pairs = (("clean", learnt.clean, held_out.clean), ("dirty", learnt.dirty, held_out.dirty))
    return {
        side: cross_entropy(seen, asked, learnt.q, learnt.fixed_weights)
        for side, seen, asked in pairs
        if seen.total and asked.total
    }
