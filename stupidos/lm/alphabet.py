"""Alphabets: encode text as small integers, one per character."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from stupidos.errors import ModelError
from stupidos.lm import character_classes as classes

SymbolCodes: TypeAlias = npt.NDArray[np.uint8]  # shape (characters,), values 1 .. size

NEWLINE_CODE = 1  # code of the newline in every alphabet; 0 is reserved
_UNKNOWN = 0  # not looked up yet
_CODE_POINTS = 0x110000


@dataclass(frozen=True)
class Alphabet:
    """The symbols that a model distinguishes, and the mapping of characters to them.

    >>> ALPHABETS["simplified"].read("Hi 42!")
    'aa 00!'
    """

    name: str
    symbols: str  # the newline first; the code of a symbol is its index, from 1
    symbol: Callable[[str], str]

    @property
    def size(self) -> int:
        """Number of symbols."""
        return len(self.symbols)

    @property
    def base(self) -> int:
        """Base in which n-grams are numbered: the symbols and the reserved 0."""
        return len(self.symbols) + 1

    def encode(self, text: str) -> SymbolCodes:
        """The codes of a text, one per character.

        >>> ALPHABETS["ascii"].encode(" \\n~")
        array([ 2,  1, 96], dtype=uint8)
        """
        if text.isascii():  # a flag of the string, no scan
            return np.frombuffer(text.encode("ascii").translate(self._ascii), np.uint8)
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        codes = self._table.take(points)
        unknown = points[codes == _UNKNOWN]
        if unknown.size:
            self._learn(np.unique(unknown))
            codes = self._table.take(points)
        return codes

    def read(self, text: str) -> str:
        """The text as the models see it."""
        return self.decode(self.encode(text).tolist())

    def decode(self, codes: Sequence[int]) -> str:
        """The symbols of the codes, without the reserved 0."""
        return "".join(self.symbols[code - 1] for code in codes if code)

    def joined(self, texts: Sequence[str], padding: int) -> str:
        """The texts with `padding` newlines before, between and after them, and none inside.

        >>> ALPHABETS["ascii"].joined(["a", "b"], 2)
        '\\n\\na\\n\\nb\\n\\n'
        """
        edge = "\n" * padding
        whole = edge + edge.join(texts) + edge
        if whole.count("\n") > padding * (len(texts) + 1):
            whole = edge + edge.join(text.replace("\n", " ") for text in texts) + edge
        return whole

    def _code(self, character: str) -> int:
        return self.symbols.index(self.symbol(character)) + 1

    @cached_property
    def _ascii(self) -> bytes:
        return bytes(self._code(chr(point)) for point in range(128)) + bytes([NEWLINE_CODE]) * 128

    @cached_property
    def _table(self) -> SymbolCodes:
        table = np.full(_CODE_POINTS, _UNKNOWN, np.uint8)
        table[:128] = np.frombuffer(self._ascii[:128], np.uint8)
        return table

    def _learn(self, points: npt.NDArray[np.uint32]) -> None:
        # Filled on demand: classifying all code points takes a second, a page has a few dozen.
        self._table[points] = [self._code(chr(point)) for point in points.tolist()]


ALPHABETS = {
    alphabet.name: alphabet
    for alphabet in (
        Alphabet("ascii", classes.NEWLINE + classes.PRINTABLE, classes.as_ascii),
        Alphabet("simplified", classes.NEWLINE + classes.MARKS + "a0", classes.as_simplified),
        Alphabet("vowels", classes.NEWLINE + classes.MARKS + "at0", classes.as_vowels),
        Alphabet("unicode", classes.UNICODE, classes.as_unicode),
    )
}


def alphabet(name: str) -> Alphabet:
    """The alphabet of a name.

    >>> alphabet("ascii").size
    96
    """
    if name not in ALPHABETS:
        raise ModelError(f"unknown alphabet {name}: choose from {', '.join(ALPHABETS)}")
    return ALPHABETS[name]
