"""Character references: `&amp;`, `&#8364;`, `&notit;` as the HTML standard reads them in text."""

from __future__ import annotations

import re
from html.entities import html5

REFERENCE = re.compile(r"&(?:#(?:[xX]([0-9a-fA-F]++)|([0-9]++));?|([a-zA-Z][a-zA-Z0-9]{1,31}+;?))")
LAST = 0x10FFFF
DIGITS = 8  # more cannot name a character, and int() refuses thousands of them

# Numbers that name C1 controls mean the characters of Windows-1252.
WINDOWS = {
    0x80 + at: letter for at, letter in enumerate(bytes(range(0x80, 0xA0)).decode("cp1252", "replace"))
}
WINDOWS = {number: letter for number, letter in WINDOWS.items() if letter != "\ufffd"}

# Old names count without their semicolon too, as the longest prefix of a longer word: `&notit;`.
LONGEST_OLD = max(len(name) for name in html5 if not name.endswith(";"))


def numbered(digits: str, base: int) -> str:
    """The character of a number; what is no character becomes U+FFFD.

    >>> numbered("20AC", 16), numbered("0", 10), numbered("9" * 5000, 10)
    ('€', '\ufffd', '\ufffd')
    """
    digits = digits.lstrip("0")
    number = int(digits, base) if 0 < len(digits) <= DIGITS else 0
    if number in WINDOWS:
        return WINDOWS[number]
    return chr(number) if 0 < number <= LAST and not 0xD800 <= number <= 0xDFFF else "\ufffd"


def resolved(match: re.Match[str]) -> str:
    """The text of one reference, which is the reference itself where the name is unknown."""
    hexadecimal, decimal, name = match.groups()
    if name is None:
        return numbered(hexadecimal, 16) if hexadecimal else numbered(decimal, 10)
    if name in html5:
        return html5[name]
    for length in range(min(len(name), LONGEST_OLD), 1, -1):
        if name[:length] in html5:
            return html5[name[:length]] + name[length:]
    return match.group()


def unescaped(text: str) -> str:
    """`text` with its character references resolved.

    >>> unescaped("R&amp;D &notit; &#x20ac; &nosuch;")
    'R&D ¬it; € &nosuch;'
    """
    return REFERENCE.sub(resolved, text) if "&" in text else text
