"""The default model for HTML: two language models, some 70 features, a small network, expected F.

    segments -> text and structure language models + features -> network over neighbourhoods -> log-odds

What the page says and how it is built are read by hashed character n-grams (sketch.py); the network
(net.py) hears both beside the plain features (features.py), for the segment and for its surroundings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stupidos.errors import ModelError
from stupidos.lm import archive
from stupidos.lm.archive import Arrays, Header, Member
from stupidos.page import Page
from stupidos.score.scorer import Decision, Scores
from stupidos.web.features import AT, FEATURES, prepared, read_rows
from stupidos.web.hashed_ngrams import ORDER, SLOTS, Table, odds
from stupidos.web.neighbourhoods import NEIGHBOURHOODS
from stupidos.web.network import Matrix, Places, Weights, log_odds
from stupidos.web.page_kind import numbered
from stupidos.web.symbols import ASCII, Symbols, codes_of

FORMAT = "web"
WORDS = "words"  # in the header: those that heads of pages may have
NGRAMS = "ngrams"  # the table of both kinds
MATRICES = ("hidden", "heads", "around", "words", "kind_hidden", "kind_around")
LARGEST = 1e6  # weight; three layers of larger ones could add up to more than a number holds
SCHEMA = (
    {"symbols": Member("|u1", 1, 1 << 16)}
    | {NGRAMS: Member("|i1", 1, 2 * SLOTS)}
    | {name: Member("<f4", 2 if name in MATRICES else 1, 1 << 20) for name in Weights._fields}
)


@dataclass(frozen=True, slots=True, eq=False)
class Web:
    """A scorer that has read many pages and sees their structure."""

    name: str
    signature: str
    symbols: Symbols
    ngrams: Table
    weights: Weights
    vocabulary: Mapping[str, int]  # numbers of the words that heads of pages may have
    header: Mapping[str, Any]
    decision: Decision = "expected-f"
    rules: bool = False  # they are learnt; on news they would cost .002 of F, as golds keep agency lines
    markup: bool = True
    pieces: bool = False
    hidden: bool = True  # hidden text is judged too: tabs and accordions hold what a page is about

    def score(self, page: Page) -> Scores:
        if not page.segments:
            return np.zeros(0)
        made = prepared(page, self.symbols)
        rows, places = read_rows(made, self.ngrams), made.places
        words = numbered(made.words, self.vocabulary)
        del made  # the network needs the memory where a page is large
        return log_odds(rows, places, self.weights, words).astype(np.float64)

    def characters(self, text: str) -> Scores:
        """Natural log-odds of each character by the language models of the text."""
        symbols = self.symbols[codes_of("\n" + text)]
        return odds(self.ngrams, symbols)[1 : len(text) + 1].astype(np.float64)

    def parts(self, page: Page) -> dict[str, Scores]:
        """What led to the scores: the language models' opinions, and the network's of the segment alone."""
        if not page.segments:
            return {}
        made = prepared(page, self.symbols)
        rows = read_rows(made, self.ngrams)
        found = {
            "text": rows[FEATURES.index("text sum")],
            "structure": rows[AT["elements"]].sum(axis=0),
            "alone": alone(rows.copy(), self.weights, numbered(made.words, self.vocabulary)),
        }
        return {name: part.astype(np.float64) for name, part in found.items()}


def alone(rows: Matrix, weights: Weights, words: Sequence[int]) -> Matrix:
    """The network's opinion of segments as if each were all there is around it."""
    index = np.arange(rows.shape[1])
    itself = np.tile(index[:, None], (1, NEIGHBOURHOODS))
    return log_odds(rows, Places(np.stack([itself, itself + 1]), np.tile(index, 2)), weights, words)


def save(path: Path, symbols: Symbols, ngrams: Table, weights: Weights, header: Header) -> None:
    """Write a model file."""
    arrays: Arrays = {"symbols": symbols, NGRAMS: ngrams}
    archive.write(path, {**header, "format": FORMAT}, arrays | weights._asdict())


def load(path: Path) -> Web:
    """The scorer of a model file, called as the file is."""
    header, arrays = archive.read(path, SCHEMA)
    weights = Weights(*(arrays[name] for name in Weights._fields))
    hidden, units = len(weights.hidden_bias), len(weights.around_bias)
    opinions = weights.around.shape[1] // NEIGHBOURHOODS
    words, kinds = words_of(path, header), weights.words.shape[1]
    wanted = {
        "symbols": (1 << 16,), "spread": (len(FEATURES),), "hidden": (hidden, len(FEATURES)),
        "around": (units, opinions * NEIGHBOURHOODS), "heads": (opinions + units + 1, hidden),
        "last": (units,), "bias": (1,), "words": (len(words), kinds), "kind_hidden": (hidden, kinds),
        "kind_around": (units, kinds),
        NGRAMS: (2 * SLOTS,),
    }  # fmt: skip
    if not hidden or not units or not opinions:
        raise ModelError(f"{path}: is no model file that can be trusted: its network is empty")
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            raise ModelError(
                f"{path}: its {name} has the shape {arrays[name].shape}, not {shape}: train it again"
            )
    if (arrays["symbols"][:ASCII] != np.arange(ASCII)).any():
        raise ModelError(f"{path}: its symbols of ASCII are not those characters: train it again")
    for name, array in weights._asdict().items():
        if np.abs(array).max(initial=0) > LARGEST:
            raise ModelError(
                f"{path}: is no model file that can be trusted: its {name} has a number too large"
            )
    return of(path.stem, arrays["symbols"], arrays[NGRAMS], weights, header)


def words_of(path: Path, header: Header) -> list[str]:
    """The words of a model's header, which must be words."""
    words = header.get(WORDS)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ModelError(f"{path}: its header has no list of words: train it again")
    return words


def of(name: str, symbols: Symbols, ngrams: Table, weights: Weights, header: Header) -> Web:
    """The scorer of a model."""
    units = f"{len(weights.hidden_bias)}+{len(weights.last)}"
    signature = f"model:{name}|n:{ORDER}|features:{len(FEATURES)}|units:{units}"
    vocabulary = {word: at for at, word in enumerate(header[WORDS])}
    return Web(name, signature, symbols, ngrams, weights, vocabulary, header)
