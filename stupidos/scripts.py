"""Scripts written without spaces between words, by Unicode property.

`regex` knows the script of every character; hand-written ranges miss extensions and halfwidth forms. It is
imported on first use, since that takes longer than rendering a page.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

_SCRIPTS = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")
# Script extensions (scx) include the marks that these scripts share, such as the long vowel mark of kana.
# Only letters, combining marks and numbers: punctuation such as the middle dot is used elsewhere as well.
_ANY_SCRIPT = "".join(rf"\p{{scx={script}}}" for script in _SCRIPTS)
UNSPACED = rf"[[{_ANY_SCRIPT}]&&[\p{{L}}\p{{M}}\p{{N}}]]"


@cache
def pattern(text: str) -> regex.Pattern[str]:
    """A compiled `regex` pattern; sets can be nested, as in [a-z--[aeiou]] or [^{UNSPACED}]."""
    import regex

    return regex.compile(text, regex.VERSION1)


def _unspaced(character: str) -> bool:
    """Whether a character belongs to a script without spaces between words.

    >>> [_unspaced(character) for character in "漢ーｱก한a"]
    [True, True, True, True, False, False]
    """
    return pattern(UNSPACED).match(character) is not None
