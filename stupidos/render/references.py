"""Resolve character references (`&amp;`, `&#8364;`, `&notit;`) as the HTML standard does in text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.entities import html5

REFERENCE = re.compile(r"(&(?:#(?:[xX][0-9a-fA-F]++|[0-9]++)|[a-zA-Z][a-zA-Z0-9]{1,31}+);?)")
_LONGEST, _MOST = 40, 4096  # cache limits: characters of a reference (only numbers are longer), and entries
_AT_ONCE = 1 << 20  # characters resolved in one call
_LAST = 0x10FFFF  # code point
_DIGITS = 8  # no code point has more, and int() refuses thousands of digits
# invisible, and the renderer uses some of them as marks
_CONTROLS = frozenset(range(1, 32)) - frozenset(b"\t\n\f\r")

# Numeric references to C1 controls stand for Windows-1252 characters, as in browsers.
_C1 = range(0x80, 0xA0)
_WINDOWS = {
    number: letter
    for number, letter in zip(_C1, bytes(_C1).decode("cp1252", "replace"))
    if letter != "\ufffd"
}

# Legacy names are recognised without a semicolon, as the longest prefix of a word: `&notit;`.
_LONGEST_LEGACY = max(len(name) for name in html5 if not name.endswith(";"))


def _numbered(digits: str, base: int) -> str:
    """The character of a numeric reference; U+FFFD if there is none, empty for a control character.

    >>> _numbered("20AC", 16), _numbered("0", 10), _numbered("9" * 5000, 10), _numbered("1", 10)
    ('€', '\ufffd', '\ufffd', '')
    """
    digits = digits.lstrip("0")
    number = int(digits, base) if 0 < len(digits) <= _DIGITS else 0
    if number in _WINDOWS:
        return _WINDOWS[number]
    if number in _CONTROLS:
        return ""
    return chr(number) if 0 < number <= _LAST and not 0xD800 <= number <= 0xDFFF else "\ufffd"


def resolved(reference: str) -> str:
    """The text of one reference; a reference with an unknown name is returned unchanged.

    >>> resolved("&euro;"), resolved("&#8364"), resolved("&copyleft;"), resolved("&nosuch;")
    ('€', '€', '©left;', '&nosuch;')
    """
    if reference.startswith(("&#x", "&#X")):
        return _numbered(reference[3:].rstrip(";"), 16)
    if reference.startswith("&#"):
        return _numbered(reference[2:].rstrip(";"), 10)
    name = reference[1:]
    if name in html5:
        return html5[name]
    for length in range(min(len(name), _LONGEST_LEGACY), 1, -1):
        if name[:length] in html5:
            return html5[name[:length]] + name[length:]
    return reference


class _Cache(dict[str, str]):
    """Cache from reference to text; takes half the time of lru_cache."""

    def __missing__(self, reference: str) -> str:
        text = resolved(reference)
        if len(reference) <= _LONGEST and len(self) < _MOST:
            self[reference] = text
        return text


_CACHE = _Cache()


def unescaped(text: str) -> str:
    """`text` with its character references resolved.

    >>> unescaped("R&amp;D &notit; &#x20ac; &nosuch;")
    'R&D ¬it; € &nosuch;'
    """
    if "&" not in text:
        return text
    if len(text) > _AT_ONCE:
        return "".join(map(_resolved_part, _parts(text)))
    return _resolved_part(text)


def _resolved_part(text: str) -> str:
    pieces = REFERENCE.split(text)
    pieces[1::2] = map(_CACHE.__getitem__, pieces[1::2])
    return "".join(pieces)


def _parts(text: str) -> Iterator[str]:
    """Cut a long text before an "&" into parts of _AT_ONCE characters, longer where there is no "&"."""
    start = 0
    while start < len(text):
        end = text.rfind("&", start + 1, start + _AT_ONCE)
        if end < 0:
            end = text.find("&", start + _AT_ONCE)
        end = len(text) if end < 0 or start + _AT_ONCE >= len(text) else end
        yield text[start:end]
        start = end
