"""The default model for HTML: two language models, some 170 features, a small network, expected F.

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
import numpy.typing as npt

from stupidos.errors import ModelError
from stupidos.lm import archive
from stupidos.lm.archive import Arrays, Header, Member
from stupidos.page import Page
from stupidos.score.features import (
    FEATURES,
    prepared,
    read_rows,
)
from stupidos.score.net import Matrix, Places, Weights, log_odds
from stupidos.score.scorer import Decision, Scores
from stupidos.score.sketch import ORDERS, Pair, Sketch, odds
from stupidos.score.surroundings import NEIGHBOURHOODS
from stupidos.score.symbols import Symbols, codes_of

FORMAT = "web"
TABLES = {f"ngrams_{order}": 2 << bits for order, bits in ORDERS}  # their lengths
LARGEST = 1e6  # weight; three layers of larger ones could add up to more than a number holds
SCHEMA = (
    {"symbols": Member("|u1", 1, 1 << 16)}
    | {name: Member("|i1", 1, length) for name, length in TABLES.items()}
    | {
        name: Member("<f4", 2 if name in ("hidden", "heads", "around") else 1, 1 << 20)
        for name in Weights._fields
    }
)


@dataclass(frozen=True, slots=True, eq=False)
class Web:
    """A scorer that has read many pages and sees their structure."""

    name: str
    signature: str
    symbols: Symbols
    ngrams: Pair
    weights: Weights
    header: Mapping[str, Any]
    decision: Decision = "expected-f"
    rules: bool = False  # they are learnt; on news they would cost .002 of F, as golds keep agency lines
    markup: bool = True
    hidden: bool = True  # hidden text is judged too: tabs and accordions hold what a page is about

    def score(self, page: Page) -> Scores:
        if not page.segments:
            return np.zeros(0)
        made = prepared(page, self.symbols)
        rows = read_rows(made, self.ngrams)
        return log_odds(rows, made.places, self.weights).astype(np.float64)

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
            "text": rows[FEATURES.index("text sum long")] * 10,
            "structure": rows[FEATURES.index("all elements")],
            "alone": alone(rows, self.weights),
        }
        return {name: part.astype(np.float64) for name, part in found.items()}


def alone(rows: Matrix, weights: Weights) -> Matrix:
    """The network's opinion of segments as if each were all there is around it."""
    index = np.arange(rows.shape[1])
    itself = np.tile(index[:, None], (1, NEIGHBOURHOODS))
    itself[:, -1] += len(index) + 1
    return log_odds(rows, Places(itself, itself + 1, index), weights)


def save(path: Path, symbols: Symbols, tables: Arrays, weights: Weights, header: Header) -> None:
    """Write a model file; `tables` holds the TABLES."""
    archive.write(path, {**header, "format": FORMAT}, {"symbols": symbols} | tables | weights._asdict())


def load(path: Path) -> Web:
    """The scorer of a model file, called as the file is."""
    header, arrays = archive.read(path, SCHEMA)
    weights = Weights(*(arrays[name] for name in Weights._fields))
    hidden, units = len(weights.hidden_bias), len(weights.around_bias)
    opinions = weights.around.shape[1] // NEIGHBOURHOODS
    wanted = {
        "symbols": (1 << 16,), "spread": (len(FEATURES),), "hidden": (hidden, len(FEATURES)),
        "around": (units, opinions * NEIGHBOURHOODS), "heads": (opinions + units + 1, hidden),
        "last": (units,), "bias": (1,),
    } | {name: (length,) for name, length in TABLES.items()}  # fmt: skip
    if not hidden or not units or not opinions:
        raise ModelError(f"{path}: is no model file that can be trusted: its network is empty")
    for name, shape in wanted.items():
        if arrays[name].shape != shape:
            raise ModelError(
                f"{path}: its {name} has the shape {arrays[name].shape}, not {shape}: train it again"
            )
    for name, array in weights._asdict().items():
        if np.abs(array).max() > LARGEST:
            raise ModelError(
                f"{path}: is no model file that can be trusted: its {name} has a number too large"
            )
    return of(path.stem, arrays["symbols"], arrays, weights, header)


def of(name: str, symbols: Symbols, tables: Arrays, weights: Weights, header: Header) -> Web:
    """The scorer of a model; `tables` holds the TABLES."""
    units = f"{len(weights.hidden_bias)}+{len(weights.last)}"
    signature = f"model:{name}|n:{ORDERS[1][0]}|features:{len(FEATURES)}|units:{units}"
    return Web(name, signature, symbols, pair(tables), weights, header)


def pair(tables: Mapping[str, npt.NDArray[np.int8]]) -> Pair:
    """The two sketches of a model file."""
    short, long = (Sketch(order, bits, tables[f"ngrams_{order}"]) for order, bits in ORDERS)
    return short, long
