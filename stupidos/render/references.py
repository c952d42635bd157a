"""Character references: `&amp;`, `&#8364;`, `&notit;` as the HTML standard reads them in text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5

REFERENCE = re.compile(r"(&(?:#(?:[xX][0-9a-fA-F]++|[0-9]++)|[a-zA-Z][a-zA-Z0-9]{1,31}+);?)")
LONGEST, MOST = 40, 4096  # characters of a reference that is remembered, only numbers have more; and of these
AT_ONCE = 1 << 20  # characters
LAST = 0x10FFFF
DIGITS = 8  # more cannot name a character, and int() refuses thousands of them
CONTROLS = frozenset(range(1, 32)) - frozenset(b"\t\n\f\r")  # nobody sees them, some are the renderer's marks

# Numbers that name C1 controls mean the characters of Windows-1252.
C1 = range(0x80, 0xA0)
WINDOWS = {
    number: letter for number, letter in zip(C1, bytes(C1).decode("cp1252", "replace")) if letter != "\ufffd"
}

# Old names count without their semicolon too, as the longest prefix of a longer word: `&notit;`.
_LONGEST_OLD = max(len(name) for name in html5 if not name.endswith(";"))


def numbered(digits: str, base: int) -> str:
    """The character of a number; what is no character becomes U+FFFD, a control nothing.

    >>> numbered("20AC", 16), numbered("0", 10), numbered("9" * 5000, 10), numbered("1", 10)
    ('€', '\ufffd', '\ufffd', '')
    """
    digits = digits.lstrip("0")
    number = int(digits, base) if 0 < len(digits) <= DIGITS else 0
    if number in WINDOWS:
        return WINDOWS[number]
    if number in CONTROLS:
        return ""
    return chr(number) if 0 < number <= LAST and not 0xD800 <= number <= 0xDFFF else "\ufffd"


def resolved(reference: str) -> str:
    """The text of one reference, which is the reference itself where the name is unknown.

    >>> resolved("&euro;"), resolved("&#8364"), resolved("&copyleft;"), resolved("&nosuch;")
    ('€', '€', '©left;', '&nosuch;')
    """
    if reference.startswith(("&#x", "&#X")):
        return numbered(reference[3:].rstrip(";"), 16)
    if reference.startswith("&#"):
        return numbered(reference[2:].rstrip(";"), 10)
    name = reference[1:]
    if name in html5:
        return html5[name]
    for length in range(min(len(name), _LONGEST_OLD), 1, -1):
        if name[:length] in html5:
            return html5[name[:length]] + name[length:]
    return reference


class Remembered(dict[str, str]):
    """Reference -> its text, for the few that make up nearly all; half the time of lru_cache."""

    def __missing__(self, reference: str) -> str:
        text = resolved(reference)
        if len(reference) <= LONGEST and len(self) < MOST:
            self[reference] = text
        return text


REMEMBERED = Remembered()


def unescaped(text: str) -> str:
    """`text` with its character references resolved.

    >>> unescaped("R&amp;D &notit; &#x20ac; &nosuch;")
    'R&D ¬it; € &nosuch;'
    """
    if "&" not in text:
        return text
    if len(text) > AT_ONCE:
        return "".join([unescaped(part) for part in parts(text)])
    pieces = REFERENCE.split(text)
    pieces[1::2] = map(REMEMBERED.__getitem__, pieces[1::2])
    return "".join(pieces)


def parts(text: str) -> Iterator[str]:
    """A long text in parts of at most AT_ONCE characters, or more where no "&" is; no reference is cut."""
    start = 0
    while start < len(text):
        end = text.rfind("&", start + 1, start + AT_ONCE)
        if end < 0:
            end = text.find("&", start + AT_ONCE)
        end = len(text) if end < 0 or start + AT_ONCE >= len(text) else end
        yield text[start:end]
        start = end
