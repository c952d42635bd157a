"""The symbol of a character in each alphabet: the character itself, or its class."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

NEWLINE = "\n"
PRINTABLE = "".join(map(chr, range(32, 127)))
MARKS = "".join(symbol for symbol in PRINTABLE if not symbol.isalnum())  # blank, punctuation, `~`

# Vowels of the alphabets that have them; accents are taken off before they are looked up.
_VOWELS = frozenset("aeiouAEIOUαεηιουωΑΕΗΙΟΥΩаеиоуыэюяіАЕИОУЫЭЮЯІ")

_GREEK = "αβγδεζηθικλμνξοπρστυφχψω"
_CYRILLIC = "абвгдежзиклмнопрстуфхцчшщъыьэюяі"

# First word of a character's Unicode name -> the letter that stands for its script.
_SCRIPTS = {
    "LATIN": "ø",
    "GREEK": "Ω",  # capitals and old letters; the 24 small ones stand for themselves
    "CYRILLIC": "Я",
    "CJK": "漢",
    "HIRAGANA": "あ",
    "KATAKANA": "ア",
    "HANGUL": "한",
    "ARABIC": "ع",
    "HEBREW": "א",
    "DEVANAGARI": "अ",
    "BENGALI": "অ",
    "TAMIL": "அ",
    "THAI": "ก",
    "GEORGIAN": "ა",
    "ARMENIAN": "ա",
}
_OTHER_LETTER = "ʘ"

# Unicode category -> the symbol that stands for it, where its script does not decide.
_CATEGORIES = {
    "Mn": "́",
    "Mc": "́",
    "Nd": "0",
    "No": "0",
    "Nl": "0",
    "Zs": " ",
    "Zl": " ",
    "Zp": " ",
    "Cc": " ",
    "Cf": "‌",
    "Sc": "€",
    "Sm": "×",
    "Sk": "×",
    "So": "★",
    "Pd": "-",
    "Pi": "“",
    "Pf": "”",
    "Ps": "「",
    "Pe": "」",
    "Po": "‡",
    "Pc": "_",
}

# Characters more specific than their category.
_TELLING = {
    "‘": "'", "’": "'", "“": "“", "”": "”", "„": "“", "«": "“", "»": "”", "›": "→", "‹": "→",
    "·": "•", "•": "•", "●": "•", "■": "•", "▪": "•", "►": "→", "▶": "→", "→": "→", "←": "→", "↑": "→",
    "©": "©", "®": "©", "™": "©", "…": ".",
    "。": "。", "．": "。", "！": "。", "？": "。", "।": "。", "؟": "。",
    "，": "、", "、": "、", "；": "、", "：": "、", "،": "、",
}  # fmt: skip

UNICODE = "".join(
    dict.fromkeys(
        NEWLINE
        + PRINTABLE
        + _GREEK
        + _CYRILLIC
        + "".join(_SCRIPTS.values())
        + _OTHER_LETTER
        + "".join(_CATEGORIES.values())
        + "".join(_TELLING.values())
    )
)


def as_ascii(character: str) -> str:
    """The paper's reading: control characters are blanks, what is not ASCII is `~`.

    >>> "".join(map(as_ascii, "Tö\\tx"))
    'T~ x'
    """
    if character == NEWLINE or " " <= character <= "~":
        return character
    return " " if character < " " or character == "\x7f" else "~"


def as_simplified(character: str) -> str:
    """Letters are `a` and digits `0`, in whatever script.

    >>> "".join(map(as_simplified, "The answer is 42."))
    'aaa aaaaaa aa 00.'
    """
    if character.isalpha() or (character > "~" and unicodedata.category(character) in ("Mn", "Mc")):
        return "a"
    return "0" if character.isdecimal() else as_ascii(character)


def as_vowels(character: str) -> str:
    """Vowels are `a`, other letters `t`, digits `0`.

    >>> "".join(map(as_vowels, "The answer is 42."))
    'tta atttat at 00.'
    """
    simple = as_simplified(character)
    if simple != "a":
        return simple
    return "a" if _unaccented(character) in _VOWELS else "t"


def as_unicode(character: str) -> str:
    """Beyond the paper: other scripts keep their letters (Greek, Cyrillic) or become one letter each.

    >>> "".join(map(as_unicode, "Één 中文。 Да! ©"))
    'Een 漢漢。 Яа! ©'
    """
    if character in _TELLING:
        return _TELLING[character]
    plain = _unaccented(character)
    if plain in UNICODE:
        return plain
    if plain.isalpha():
        return _SCRIPTS.get(_script(plain), _OTHER_LETTER)
    return _CATEGORIES.get(unicodedata.category(plain), "~")


def _unaccented(character: str) -> str:
    """The letter below the accents; wide forms become plain ones.

    >>> _unaccented("é"), _unaccented("ς"), _unaccented("Ａ")
    ('e', 'σ', 'A')
    """
    base = unicodedata.normalize("NFKD", character)[:1] or character
    return "σ" if base == "ς" else base


@lru_cache(maxsize=4096)
def _script(character: str) -> str:
    """First word of the character's Unicode name.

    >>> _script("ж"), _script("漢")
    ('CYRILLIC', 'CJK')
    """
    name = unicodedata.name(character, "")
    return name.split(" ")[0].split("-")[0]
