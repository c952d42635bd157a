"""The default model for HTML: two language models, about 150 features, a small network, expected F.

    segments -> text and structure language models + features -> network over neighbourhoods -> log-odds

What the page says and how it is built are read by hashed character n-grams (sketch.py); the network
(net.py) hears both beside the plain features (features.py), for the segment and for its surroundings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stupidos.errors import ModelError
from stupidos.lm import archive
from stupidos.lm.archive import Arrays, Header, Member
from stupidos.page import Page
from stupidos.score.features import (
    FEATURES,
    Alphabet,
    Pair,
    Prepared,
    prepared,
    read_columns,
)
from stupidos.score.net import Matrix, Places, Weights, log_odds
from stupidos.score.scorer import Decision, Scores
from stupidos.score.sketch import Sketch, odds
from stupidos.score.surroundings import NEIGHBOURHOODS
from stupidos.score.symbols import CLASSES, codes_of

FORMAT = "web"
# Orders of the n-grams and bits of their tables, the short one first.
ORDERS = {"text": ((3, 16), (5, 18)), "structure": ((4, 16), (6, 17))}
SKETCHES = {f"{kind}_{order}": bits for kind, orders in ORDERS.items() for order, bits in orders}
SCHEMA = (
    {name: Member("|u1", 1, 1 << 16) for name in Alphabet._fields}
    | {name: Member("|i1", 1, 1 << bits) for name, bits in SKETCHES.items()}
    | {name: Member("<f4", 2 if name in ("hidden", "mixed") else 1, 1 << 20) for name in Weights._fields}
)


@dataclass(frozen=True, slots=True, eq=False)
class Web:
    """A scorer that has read many pages and sees their structure."""

    name: str
    signature: str
    alphabet: Alphabet
    text: Pair
    structure: Pair
    weights: Weights
    header: Mapping[str, Any]
    decision: Decision = "expected-f"
    rules: bool = False  # they are learnt; on news they would cost .002 of F, as golds keep agency lines
    markup: bool = True
    hidden: bool = True  # hidden text is judged too: tabs and accordions hold what a page is about

    def score(self, page: Page) -> Scores:
        if not page.segments:
            return np.zeros(0)
        made = prepared(page, self.alphabet)
        return log_odds(self.columns(made), made.places, self.weights).astype(np.float64)

    def columns(self, made: Prepared) -> Matrix:
        """All features of a page, shape (segments, FEATURES)."""
        return np.concatenate([made.columns, read_columns(made, self.text, self.structure)], axis=1)

    def characters(self, text: str) -> Scores:
        """Natural log-odds of each character by the language models of the text."""
        symbols = self.alphabet.symbols[codes_of("\n" + text)]
        return odds(self.text, symbols)[1 : len(text) + 1].astype(np.float64)

    def parts(self, page: Page) -> dict[str, Scores]:
        """What led to the scores: the language models' opinions, and the network's of the segment alone."""
        if not page.segments:
            return {}
        made = prepared(page, self.alphabet)
        columns = self.columns(made)
        found = {
            "text": columns[:, FEATURES.index("text sum long")] * 10,
            "structure": columns[:, FEATURES.index("all elements")],
            "alone": alone(columns, self.weights),
        }
        return {name: part.astype(np.float64) for name, part in found.items()}


def alone(columns: Matrix, weights: Weights) -> Matrix:
    """The network's opinion of segments as if each were all there is around it."""
    index = np.arange(len(columns))
    itself = np.tile(index, (NEIGHBOURHOODS, 1))
    return log_odds(columns, Places(itself, itself + 1, index), weights)


def save(path: Path, alphabet: Alphabet, tables: Arrays, weights: Weights, header: Header) -> None:
    """Write a model file; `tables` holds those of the SKETCHES."""
    archive.write(path, {**header, "format": FORMAT}, alphabet._asdict() | tables | weights._asdict())


def load(path: Path) -> Web:
    """The scorer of a model file, called as the file is."""
    header, arrays = archive.read(path, SCHEMA)
    weights = Weights(*(arrays[name] for name in Weights._fields))
    hidden, units = len(weights.hidden_bias), len(weights.mixed_bias)
    wanted = {
        "classes": (1 << 16,), "symbols": (1 << 16,),
        "least": (len(FEATURES),), "most": (len(FEATURES),), "hidden": (len(FEATURES), hidden),
        "mixed": (hidden, (1 + NEIGHBOURHOODS) * units), "last": (units,), "direct": (hidden,), "bias": (1,),
    } | {name: (1 << bits,) for name, bits in SKETCHES.items()}  # fmt: skip
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            raise ModelError(
                f"{path}: its {name} has the shape {arrays[name].shape}, not {shape}: train it again"
            )
    if arrays["classes"].max() >= len(CLASSES):
        raise ModelError(
            f"{path}: is no model file that can be trusted: it has classes of characters too many"
        )
    return of(path.stem, Alphabet(arrays["classes"], arrays["symbols"]), arrays, weights, header)


def of(name: str, alphabet: Alphabet, tables: Arrays, weights: Weights, header: Header) -> Web:
    """The scorer of a model; `tables` holds those of the SKETCHES."""
    text, structure = (pair(tables, kind) for kind in ("text", "structure"))
    units = f"{len(weights.hidden_bias)}+{len(weights.mixed_bias)}"
    signature = f"model:{name}|n:{text[1].order}|features:{len(FEATURES)}|units:{units}"
    return Web(name, signature, alphabet, text, structure, weights, header)


def pair(tables: Arrays, kind: str) -> Pair:
    """The two sketches of one kind of text."""
    short, long = (Sketch(order, bits, tables[f"{kind}_{order}"]) for order, bits in ORDERS[kind])
    return short, long
