"""The default model for HTML: two language models, 75 features, a small network, expected F.

    segments -> text and structure language models + features -> network over neighbourhoods -> log-odds

Hashed character n-grams (hashed_ngrams.py) read the text of a page and the signatures of its elements; the
network (network.py) sees their log-odds beside the other features (features.py). A page of which it is unsure
gets a second look (second_look.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from stupidos.errors import ModelError
from stupidos.lm import archive
from stupidos.lm.archive import Arrays, Header, Member
from stupidos.page import CELL_END, Page
from stupidos.score.cut import CUT_FEATURES, CutNetwork
from stupidos.score.scorer import DecisionRule, Scorer, Scores
from stupidos.web.features import FEATURES, feature_rows, features, page_arrays, whole_page
from stupidos.web.hashed_ngrams import ORDER, SLOTS, NgramTable, character_log_odds
from stupidos.web.neighbourhoods import NEIGHBOURHOODS
from stupidos.web.network import SEGMENTS_AT_ONCE, Weights, log_odds
from stupidos.web.page_kind import word_indices
from stupidos.web.second_look import INPUTS, SecondLook, look_inputs, unsure
from stupidos.web.symbols import ASCII, Symbols, code_units

if TYPE_CHECKING:
    from pathlib import Path

_FORMAT = "web"
WORDS_KEY = "words"  # of the header: the vocabulary of page heads and conventions
CONVENTIONS_KEY = "conventions"  # of the header: the words that each convention stands for, by its name
_DEFAULT_CONVENTION = "auto"
_NGRAMS = "ngrams"
_MATRICES = ("hidden", "heads", "around", "words", "kind_hidden", "kind_around", "cut_hidden", "look_hidden")
_LARGEST_WEIGHT = 1e6  # larger ones could overflow in three layers
_SCHEMA = (
    {"symbols": Member("|u1", 1, 1 << 16)}
    | {_NGRAMS: Member("|i1", 1, 2 * SLOTS)}
    | {
        name: Member("<f4", 2 if name in _MATRICES else 1, 1 << 20)
        for name in (*Weights._fields, *CutNetwork._fields)
    }
)
_SECOND_LOOK = {  # models without one do not have these
    name: Member("<f4", 2 if name in _MATRICES else 1, 1 << 20) for name in SecondLook._fields
}


@dataclass(frozen=True, slots=True, eq=False)
class WebScorer:
    """A scorer that uses the text and the structure of a whole page."""

    name: str
    signature: str
    symbols: Symbols  # of every UTF-16 code unit
    ngrams: NgramTable
    weights: Weights
    vocabulary: Mapping[str, int]  # known words of page heads and their indices
    header: Mapping[str, Any]
    decision: DecisionRule = "expected-f"
    rules: bool = False  # learnt instead; on news they would cost .002 of F, as golds keep agency lines
    markup: bool = True
    pieces: bool = False
    hidden: bool = True  # hidden text is scored too: tabs and accordions hold main content
    cut_network: CutNetwork | None = None  # chooses the cut; without it, expected F does
    second_look: SecondLook | None = None  # corrects the scores of a page of which the network is unsure
    convention: frozenset[str] = frozenset()  # words that name what counts as text, beside those of the head

    def score(self, page: Page) -> Scores:
        if not page.segments:
            return np.zeros(0)
        arrays = page_arrays(page, self.symbols)
        whole = whole_page(arrays, self.ngrams)
        if len(page.segments) > SEGMENTS_AT_ONCE:
            arrays = arrays._replace(symbols=np.zeros(0, np.uint8))  # the network needs the memory
        words = word_indices(arrays.words | self.convention, self.vocabulary)
        rows = partial(feature_rows, arrays, whole)
        scores = log_odds(rows, arrays.neighbourhoods, self.weights, words)
        if (
            self.second_look is not None
            and len(scores) <= SEGMENTS_AT_ONCE
            and unsure(scores, arrays.sizes)
        ):
            scores += self.second_look.correction(look_inputs(arrays, whole.of_element, scores))
        return scores.astype(np.float64)

    def characters(self, text: str) -> Scores:
        """Natural log-odds of each character by the text language model."""
        symbols = self.symbols[code_units("\n" + text.replace(CELL_END, " "))]
        return character_log_odds(self.ngrams, symbols)[1 : len(text) + 1].astype(np.float64)

    def contributions(self, page: Page) -> dict[str, Scores]:
        """What features, neighbourhoods and second look contributed to the scores, which they add up to."""
        from stupidos.web.contributions import SECOND_LOOK, contributions

        if not page.segments:
            return {}
        arrays = page_arrays(page, self.symbols)
        words = word_indices(arrays.words | self.convention, self.vocabulary)
        parts = contributions(features(arrays, self.ngrams), arrays.neighbourhoods, self.weights, words)
        if self.second_look is not None:
            parts[SECOND_LOOK] = self.score(page) - replace(self, second_look=None).score(page)
        return parts


def with_convention(scorer: Scorer, name: str) -> Scorer:
    """The same scorer told what counts as text: a convention of the corpora it was trained on."""
    words = scorer.header.get(CONVENTIONS_KEY, {}).get(name)
    if not isinstance(scorer, WebScorer) or words is None:
        raise ModelError(
            f"the model {scorer.name} knows no convention {name}:"
            " leave --convention out, or choose --model web"
        )
    return replace(scorer, convention=frozenset(words))


def save(
    path: Path,
    symbols: Symbols,
    ngrams: NgramTable,
    weights: Weights,
    header: Header,
    cut_network: CutNetwork | None = None,
    second_look: SecondLook | None = None,
) -> None:
    """Write a model file; arrays of a missing network for cuts are empty, of a second look absent."""
    nothing = np.zeros(0, np.float32)
    network = cut_network or CutNetwork(nothing.reshape(0, len(CUT_FEATURES)), nothing, nothing)
    arrays: Arrays = {"symbols": symbols, _NGRAMS: ngrams}
    arrays = arrays | weights._asdict() | network._asdict() | (second_look._asdict() if second_look else {})
    archive.write(path, {**header, "format": _FORMAT}, arrays)


def load(path: Path | str) -> WebScorer:
    """The scorer of a model file, named after the file."""
    header, arrays = archive.read(path, _SCHEMA, _SECOND_LOOK)
    weights = Weights(*(arrays[name] for name in Weights._fields)).without_subnormals()
    network = CutNetwork(*(arrays[name] for name in CutNetwork._fields))
    second_look = None
    if SecondLook._fields[0] in arrays:
        second_look = SecondLook(*(arrays[name] for name in SecondLook._fields))
    _check_words(path, header)
    _check_shapes(path, arrays, weights, len(header[WORDS_KEY]))
    if (arrays["symbols"][:ASCII] != np.arange(ASCII)).any():
        raise ModelError(f"{path}: its symbols of ASCII characters are wrong: train it again")
    for name, array in arrays.items():
        if array.dtype.kind == "f" and np.abs(array).max(initial=0) > _LARGEST_WEIGHT:
            raise ModelError(
                f"{path}: is not a valid model file: its {name} has too large a number"
            )
    scorer = web_scorer(archive.stem(path), arrays["symbols"], arrays[_NGRAMS], weights, header)
    return replace(scorer, cut_network=network if len(network.cut_last) else None, second_look=second_look)


def _check_words(path: Path | str, header: Header) -> None:
    """Refuse a header whose vocabulary or conventions are not lists of words."""
    conventions = header.get(CONVENTIONS_KEY, {})
    if not isinstance(conventions, dict):
        raise ModelError(f"{path}: its header has no table of conventions: train it again")
    for words in (header.get(WORDS_KEY), *conventions.values()):
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ModelError(f"{path}: its header has no list of words: train it again")


def _check_shapes(path: Path | str, arrays: Arrays, weights: Weights, words: int) -> None:
    """Refuse arrays that do not fit each other, the features or the vocabulary."""
    hidden, units, kinds = len(weights.hidden_bias), len(weights.around_bias), weights.words.shape[1]
    channels = weights.around.shape[1] // len(NEIGHBOURHOODS)
    cut_units = len(arrays["cut_last"])
    expected = {
        "symbols": (1 << 16,), "spread": (len(FEATURES),), "hidden": (hidden, len(FEATURES)),
        "around": (units, channels * len(NEIGHBOURHOODS)), "heads": (channels + units + 1, hidden),
        "last": (units,), "bias": (1,), "words": (words, kinds), "kind_hidden": (hidden, kinds),
        "kind_around": (units, kinds), _NGRAMS: (2 * SLOTS,),
        "cut_hidden": (cut_units, len(CUT_FEATURES)), "cut_bias": (cut_units,),
    }  # fmt: skip
    if SecondLook._fields[0] in arrays:
        look_units = len(arrays["look_last"])
        if not look_units:
            raise ModelError(f"{path}: is not a valid model file: its second look is empty")
        expected |= {"look_hidden": (look_units, len(INPUTS)), "look_bias": (look_units,)}
    if not hidden or not units or not channels:
        raise ModelError(f"{path}: is not a valid model file: its network is empty")
    for name, shape in expected.items():
        if arrays[name].shape != shape:
            raise ModelError(
                f"{path}: its {name} has the shape {arrays[name].shape}, not {shape}: train it again"
            )


def web_scorer(
    name: str, symbols: Symbols, ngrams: NgramTable, weights: Weights, header: Header
) -> WebScorer:
    """The scorer of a model in memory."""
    units = f"{len(weights.hidden_bias)}+{len(weights.last)}"
    signature = f"model:{name}|n:{ORDER}|features:{len(FEATURES)}|units:{units}"
    vocabulary = {word: index for index, word in enumerate(header[WORDS_KEY])}
    convention = frozenset(header.get(CONVENTIONS_KEY, {}).get(_DEFAULT_CONVENTION, ()))
    return WebScorer(
        name, signature, symbols, ngrams, weights, vocabulary, header, convention=convention
    )
