"""Characters as small numbers: what the language models read.

A table over the 65,536 code units of UTF-16, so that a page is translated by one gather. It is made once
and stored in the model file: the same model reads the same symbols on every Python.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.uint16]  # shape (characters,), UTF-16 code units
Symbols = npt.NDArray[np.uint8]  # shape (characters,)

# Classes of characters; those beyond ASCII are told apart by them.
CLASSES = (
    "other", "lower", "upper", "digit", "blank", "stop", "comma", "bar", "quote", "letter",
    "ideograph", "sign",
)  # fmt: skip
STOPS, COMMAS, BARS, QUOTES = ".!?…。！？", ",;:、，；：", "|»«›‹•·/\\>→-–—", "\"'()[]“”‘’„「」《》（）"
SIGNS = "©®™@#%&+=*$€£¥~^_"
WIDE = (  # scripts written without blanks: Thai to Myanmar, kana, Han
    range(0x0E00, 0x1100), range(0x3040, 0x3100), range(0x3400, 0xA000), range(0xF900, 0xFB00),
)  # fmt: skip
BEYOND = re.compile("[\U00010000-\U0010ffff]")  # the first plane, where a character takes two units
ASCII = 128  # characters below are their own symbols; the others are ASCII plus class, script and case


def codes_of(text: str) -> Codes:
    """The UTF-16 code units of a text, one for each character.

    >>> codes_of("tea 🍵").tolist()
    [116, 101, 97, 32, 65533]
    """
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) > 2 * len(text):
        units = BEYOND.sub("\ufffd", text).encode("utf-16-le", "surrogatepass")
    return np.frombuffer(units, np.uint16)


def symbols_of(text: str, table: Symbols) -> Symbols:
    """The symbol of each character; `table` has one for every code unit.

    >>> symbols_of("tea…", symbols()).tolist()[:3]
    [116, 101, 97]
    """
    codes = codes_of(text)
    found = codes.astype(np.uint8)
    other = (codes >= ASCII).nonzero()[0]  # few, as a rule; the rest are their own symbols
    found[other] = table.take(codes.take(other).astype(np.intp))
    return found


def class_of(character: str) -> str:
    """The class of a character.

    >>> [class_of(character) for character in "aÄ7 .国|"]
    ['lower', 'upper', 'digit', 'blank', 'stop', 'ideograph', 'bar']
    """
    for listed, name in (
        (STOPS, "stop"),
        (COMMAS, "comma"),
        (BARS, "bar"),
        (QUOTES, "quote"),
        (SIGNS, "sign"),
    ):
        if character in listed:
            return name
    if any(ord(character) in span for span in WIDE):
        return "ideograph"
    category = unicodedata.category(character)
    if category[0] == "Z" or character in "\n\t\r":
        return "blank"
    return {"Ll": "lower", "Lu": "upper", "Lt": "upper", "Nd": "digit"}.get(
        category, "letter" if category[0] in "LM" else "sign" if category == "Sc" else "other"
    )


@lru_cache(maxsize=1)
def symbols() -> Symbols:
    """For every code unit of UTF-16, its symbol."""
    classes = np.array([CLASSES.index(class_of(chr(code))) for code in range(1 << 16)], np.uint8)
    codes = np.arange(1 << 16)
    # beyond ASCII: the class, and one of four blocks, so that Cyrillic is not Latin with accents
    block = (codes >= 0x370).astype(np.uint8) + (codes >= 0x590) + (codes >= 0x2000)
    return np.where(codes < ASCII, codes, ASCII + block * len(CLASSES) + classes).astype(np.uint8)
