"""Scripts written without spaces between words, by Unicode property.

`regex` knows the script of every character; hand-written ranges miss extensions and halfwidth forms. It is
imported on first use, since that takes longer than rendering a page.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

SCRIPTS = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")
# Script extensions (scx) include the marks that these scripts share, such as the long vowel mark of kana.
# A class for `regex`, to stand inside brackets; punctuation shared by these scripts is in it too.
UNSPACED = "".join(rf"\p{{scx={script}}}" for script in SCRIPTS)
WORD_CHARACTER = r"\p{L}\p{N}_"  # what \w means to `re`; in `regex` it includes combining marks


@cache
def pattern(text: str) -> regex.Pattern[str]:
    """A compiled `regex` pattern; sets may be nested, as in [a-z--[aeiou]]."""
    import regex

    return regex.compile(text, regex.VERSION1)


def unspaced(character: str) -> bool:
    """Whether a character belongs to a script without spaces between words.

    >>> [unspaced(character) for character in "漢ーｱก한a"]
    [True, True, True, True, False, False]
    """
    return pattern(f"[{UNSPACED}]").match(character) is not None
