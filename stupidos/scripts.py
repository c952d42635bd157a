"""Scripts written without spaces between words: by Unicode property, and as ranges for `re`.

`regex` knows the script of every character; ranges miss extensions. It is imported on first use, since that
takes longer than rendering a page. Whatever runs at start-up, or must not change with the version of Unicode
(input of models, published measures), uses the ranges below and names those it uses.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex

# Ranges of code points, to be put between [ and ] of a pattern.
THAI_LAO, MYANMAR, KHMER = "\u0e00-\u0eff", "\u1000-\u109f", "\u1780-\u17ff"
KANA, KANA_EXTENSIONS, HALFWIDTH_KANA = "\u3040-\u30ff", "\u31f0-\u31ff", "\uff66-\uff9f"
HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
HAN_SUPPLEMENT = "\U00020000-\U0003ffff"
HAN_MARKS = "\u3005-\u3007"  # iteration mark, closing mark, zero
# East Asian blocks with punctuation and fullwidth forms: wrapped lines are joined without a space.
EAST_ASIAN = "\u2e80-\u9fff\uf900-\ufaff\uff01-\uff60"

_SCRIPTS = ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar")
# Script extensions (scx) include the marks that these scripts share, such as the long vowel mark of kana.
# Only letters, combining marks and numbers: punctuation such as the middle dot is used elsewhere as well.
_ANY_SCRIPT = "".join(rf"\p{{scx={script}}}" for script in _SCRIPTS)
UNSPACED = rf"[[{_ANY_SCRIPT}]&&[\p{{L}}\p{{M}}\p{{N}}]]"


@cache
def pattern(text: str) -> regex.Pattern[str]:
    """A compiled `regex` pattern; sets can be nested, as in [a-z--[aeiou]] or [^{UNSPACED}].

    >>> [pattern(UNSPACED).match(character) is not None for character in "漢ーｱก한a"]
    [True, True, True, True, False, False]
    """
    import regex

    return regex.compile(text, regex.VERSION1)
