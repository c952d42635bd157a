"""The scorer of the paper: character n-gram models of clean and dirty text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stupidos.errors import ModelError
from stupidos.lm import archive, store
from stupidos.lm.model import Model
from stupidos.lm.table import LogOddsTable, character_scores, text_scores
from stupidos.score.scorer import DecisionRule, Scores

if TYPE_CHECKING:
    from pathlib import Path

    from stupidos.page import Page


_FEW = 1 << 13  # segments whose texts are read together


@dataclass(frozen=True, slots=True, eq=False)
class Ngram:
    """Log-odds of a segment: those of its characters, added up."""

    name: str
    signature: str
    table: LogOddsTable
    header: Mapping[str, Any] = field(default_factory=dict)
    decision: DecisionRule = "zero"
    rules: bool = True
    markup: bool = False
    hidden: bool = False
    pieces: bool = False

    def score(self, page: Page) -> Scores:
        texts = (segment.text for segment in page.segments)
        return self.texts(texts if len(page.segments) > _FEW else list(texts))

    def texts(self, texts: Iterable[str]) -> Scores:
        """Natural log-odds of each text, clean over dirty."""
        return text_scores(self.table, texts)

    def characters(self, text: str) -> Scores:
        """Natural log-odds of each character; the last one also carries the end of the text."""
        return character_scores(self.table, text)


def of(model: Model, name: str, header: Mapping[str, Any] | None = None) -> Ngram:
    """The scorer of a model that was just trained.

    >>> from stupidos.lm.alphabet import ALPHABETS
    >>> from stupidos.lm.counts import count
    >>> sides = [count([text], ALPHABETS["ascii"], 3) for text in ("It rained.", "Home | Login")]
    >>> of(Model(*sides, q=0.5), "rain").signature
    'model:rain|n:3|q:0.5'
    """
    signature = f"model:{name}|n:{model.n}|q:{model.q:g}"
    if model.alphabet.name != "ascii":
        signature += f"|alphabet:{model.alphabet.name}"
    if model.fixed_weights:
        signature += "|dirty:published"
    header = header or {}
    if header.get("decision") != "viterbi":
        return Ngram(name, signature, model.table(), header)
    signature += f"|viterbi:{float(header['switch']):g}"
    return Ngram(name, signature, model.table(), header, decision="viterbi")


def load(path: Path | str) -> Ngram:
    """The scorer of a model file, called as the file is."""
    model, header = store.load(path)
    try:
        return of(model, archive.stem(path), header)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"{path}: its header has no switch for the Viterbi decision: {error}") from error
