"""FIASCO's part-of-speech features: shares of closed-class, open-class, unknown and symbol words.

Bauer et al. (2007), footnote 4, tagged with TreeTagger. Here it is HanTa (extra `pos`, LGPL), which has
models of English, German and Dutch inside. A word is unknown if the lexicon of the tagger lacks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from stupidos.errors import missing_extra
from stupidos.literature.tokens import FloatArray

POS_FEATURES = ("closed-class words", "open-class words", "unknown words", "symbol words")


class _TagSet(NamedTuple):
    """The classes of a tag set by the beginnings of its tags; all other tags are closed-class."""

    model: str  # a file inside HanTa
    open: tuple[str, ...]
    symbols: tuple[str, ...]  # punctuation, symbols and foreign words
    numbers: tuple[str, ...]  # neither closed nor open


_TAG_SETS = {
    "en": _TagSet(  # C5
        "morphmodel_en.pgz", ("NN", "NP", "AJ", "AV0", "VV"), ("PU", "UNC", "ZZ", "!!!"), ("CRD", "ORD")
    ),
    "de": _TagSet(  # STTS
        "morphmodel_ger.pgz", ("NN", "NE", "ADJ", "ADV", "VV", "TRUNC"), ("$", "XY", "FM"), ("CARD",)
    ),
    "nl": _TagSet("morphmodel_dutch.pgz", ("N(", "ADJ", "BW", "WW"), ("LET", "SPEC"), ("TW",)),  # CGN
}
LANGUAGES = tuple(_TAG_SETS)

_MAX_TOKENS = 1000  # of a node: the time for a page must not grow without bounds
_MAX_WORD_LENGTH = 40  # characters; the morphology of longer ones takes long and finds nothing
_SENTENCE = 60  # tokens after which a sentence is cut
_TOKEN = re.compile(
    r"n['’]t\b|['’](?:s|d|m|re|ve|ll)\b|\w+(?=n['’]t\b)|\w+(?:-\w+)*|[^\w\s]", re.IGNORECASE
)
_ENDS = frozenset(".!?")


def tokens(text: str) -> Iterator[str]:
    """The first tokens of a text, long ones cut."""
    for found in islice(_TOKEN.finditer(text), _MAX_TOKENS):
        yield found[0][:_MAX_WORD_LENGTH]


def _sentences(text: str) -> Iterator[list[str]]:
    """The tokens of a text, sentence by sentence.

    >>> list(_sentences("It doesn't rain. Tea?"))
    [['It', 'does', "n't", 'rain', '.'], ['Tea', '?']]
    """
    sentence: list[str] = []
    for token in tokens(text):
        sentence.append(token)
        if token in _ENDS or len(sentence) == _SENTENCE:
            yield sentence
            sentence = []
    if sentence:
        yield sentence


class Tagger:
    """A part-of-speech tagger of one language."""

    def __init__(self, hanta: Any, tags: _TagSet) -> None:
        self._hanta, self._tags = hanta, tags

    def shares(self, text: str) -> tuple[float, ...]:
        """The shares of the tokens of a text that POS_FEATURES names."""
        counts = dict.fromkeys(POS_FEATURES, 0)
        tokens = 0
        for sentence in _sentences(text):
            tokens += len(sentence)
            for word, tag in zip(sentence, self._hanta.tag_sent(sentence, taglevel=0)):
                for name in self._classes(word, tag):
                    counts[name] += 1
        return tuple(count / max(tokens, 1) for count in counts.values())

    def _classes(self, word: str, tag: str) -> Iterator[str]:
        """The features that count a token."""
        tags = self._tags
        if not word[-1].isalnum() or (tag.startswith(tags.symbols) and not word.isdecimal()):
            yield "symbol words"
        elif tag.startswith(tags.open):
            yield "open-class words"
        elif not tag.startswith(tags.numbers) and not word.isdecimal():
            yield "closed-class words"
        if word[-1].isalpha() and word.lower() not in self._hanta.cache:
            yield "unknown words"

    def table(self, texts: Iterable[str]) -> FloatArray:
        """The shares of each text: (texts, 4)."""
        rows = [self.shares(text) for text in texts]
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(POS_FEATURES))


@cache
def tagger(language: str) -> Tagger:
    """The tagger of a language, loaded once."""
    try:
        from HanTa.HanoverTagger import HanoverTagger
    except ImportError:
        raise missing_extra("part-of-speech features need HanTa", "pos") from None
    tags = _TAG_SETS[language]
    return Tagger(HanoverTagger(tags.model), tags)
