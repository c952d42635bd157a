"""Characters mapped to one byte each, the alphabet of the language models.

The map is a table over the 65,536 code units of UTF-16, so that a page is translated by one gather. It is
stored in the model file: a model reads the same symbols whatever Unicode version Python has.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from stupidos import scripts

_CodeUnits = npt.NDArray[np.uint16]  # (characters,), of UTF-16
Symbols = npt.NDArray[np.uint8]  # (characters,)

# Characters beyond ASCII are reduced to their class.
_CLASSES = (
    "other", "lower", "upper", "digit", "blank", "stop", "comma", "bar", "quote", "letter",
    "ideograph", "sign",
)  # fmt: skip
_STOPS, _COMMAS, _BARS, _QUOTES = ".!?…。！？", ",;:、，；：", "|»«›‹•·/\\>→-–—", "\"'()[]“”‘’„「」《》（）"
_SIGNS = "©®™@#%&+=*$€£¥~^_"
# Scripts without spaces. Tibetan, Georgian and the hexagrams are here because models were trained so.
_TRAINED_AS_WIDE = "\u0f00-\u0fff\u10a0-\u10ff\u4dc0-\u4dff"
_WIDE = f"[{scripts.THAI_LAO}{scripts.MYANMAR}{scripts.KANA}{scripts.HAN}{_TRAINED_AS_WIDE}]"
# outside the Basic Multilingual Plane: two code units each. These patterns are compiled where they are needed
_ASTRAL = "[\U00010000-\U0010ffff]"
_CHARACTERS_AT_ONCE = 1 << 18  # few pages have more, and ten times their memory is needed
ASCII = 128  # characters below are their own symbols; the others are ASCII plus block and class


def code_units(text: str) -> _CodeUnits:
    """One UTF-16 code unit per character; astral characters become U+FFFD.

    >>> code_units("tea 🍵").tolist()
    [116, 101, 97, 32, 65533]
    """
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) > 2 * len(text):
        units = re.sub(_ASTRAL, "\ufffd", text).encode("utf-16-le", "surrogatepass")
    return np.frombuffer(units, np.uint16)


def symbols_of(text: str, table: Symbols) -> Symbols:
    """The symbol of each character by `table`, which has one for every code unit.

    >>> symbols_of("tea…", symbol_table()).tolist()[:3]
    [116, 101, 97]
    """
    if len(text) > _CHARACTERS_AT_ONCE:
        parts = range(0, len(text), _CHARACTERS_AT_ONCE)
        return np.concatenate([symbols_of(text[at : at + _CHARACTERS_AT_ONCE], table) for at in parts])
    codes = code_units(text)
    symbols = codes.astype(np.uint8)
    other = (codes >= ASCII).nonzero()[0]  # usually few
    symbols[other] = table.take(codes.take(other).astype(np.intp))
    return symbols


def _character_class(character: str) -> str:
    """The class of a character.

    >>> [_character_class(character) for character in "aÄ7 .国|"]
    ['lower', 'upper', 'digit', 'blank', 'stop', 'ideograph', 'bar']
    """
    for listed, name in (
        (_STOPS, "stop"),
        (_COMMAS, "comma"),
        (_BARS, "bar"),
        (_QUOTES, "quote"),
        (_SIGNS, "sign"),
    ):
        if character in listed:
            return name
    if re.match(_WIDE, character):
        return "ideograph"
    category = unicodedata.category(character)
    if category[0] == "Z" or character in "\n\t\r":
        return "blank"
    return {"Ll": "lower", "Lu": "upper", "Lt": "upper", "Nd": "digit"}.get(
        category, "letter" if category[0] in "LM" else "sign" if category == "Sc" else "other"
    )


@lru_cache(maxsize=1)
def symbol_table() -> Symbols:
    """The symbol of every UTF-16 code unit, (65536,)."""
    classes = np.array([_CLASSES.index(_character_class(chr(code))) for code in range(1 << 16)], np.uint8)
    codes = np.arange(1 << 16)
    # four blocks of scripts, so that Cyrillic is not Latin with accents
    block = (codes >= 0x370).astype(np.uint8) + (codes >= 0x590) + (codes >= 0x2000)
    return np.where(codes < ASCII, codes, ASCII + block * len(_CLASSES) + classes).astype(np.uint8)
