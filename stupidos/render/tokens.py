"""Split HTML into text, tag names and attributes with one regular expression that follows the HTML standard.

`SPLIT.split(html)` returns text, name, attributes, text, name, attributes, ..., text. The name is None for
markup without text (comments, scripts, style sheets, doctypes) and starts with "/" for an end tag. A raw-text
element (title, textarea, xmp, plaintext) is a single name with its content: "title lang=en>Its text".

The split takes linear time on any input: every quantifier is possessive, and an alternative that starts with
"<" and a letter can only end at ">" or at the end of the input. Attributes are scanned at most three times
(see _ATTRIBUTES), everything else once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_SPACE = r"[ \t\n\f\r]"
_LETTER = r"[^ \t\n\f\r/>]"  # a character of a tag name
_ENDED = r"(?=[ \t\n\f\r/>])"  # a tag name ends here
_CLOSED = r"(?:>|\Z)"  # a tag cut off by the end of the input is dropped

# Attributes: the common ` name="value"` first, then other frequent spellings, then the full grammar of the
# standard. There, "=" starts a name unless it follows one, a quote opens a value only after "=", and an
# unterminated value extends to the end of the input.
_BARE = r"""[^ \t\n\f\r>"'][^ \t\n\f\r>]*+"""
_VALUE = rf"""(?:"[^"]*+"?+|'[^']*+'?+|{_BARE})"""
_VALUED = rf"""(?:{_SPACE}*+={_SPACE}*+{_VALUE}?+)?+"""
_EXACT = rf"""(?:[ \t\n\f\r/]++|(?:=?[^ \t\n\f\r/>=]++|=){_VALUED})"""
_COMMON = r"""(?: [a-zA-Z:_-]++="[^"]*+")*+"""
_FREQUENT = rf"""(?:{_SPACE}++[a-zA-Z0-9:_.-]++=(?:"[^"]*+"|'[^']*+'|{_BARE}))*+"""
_ATTRIBUTES = rf"""{_COMMON}(?:(?=>)| ?/(?=>)|{_FREQUENT}(?:(?=>)|{_EXACT}*+))"""


def _either_case(word: str) -> str:
    """A case-insensitive pattern for `word`; re.IGNORECASE would slow down the whole expression.

    >>> _either_case("br1")
    '[bB][rR]1'
    """
    return "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in word)


def _until_end_tag(name: str) -> str:
    """A pattern for the text of a raw-text element, up to its end tag or the end of the input."""
    return rf"[^<]*+(?:<(?!/{_either_case(name)}{_ENDED})[^<]*+)*+"


# A script may contain "<!--" and, after it, a nested "<script>", whose end tag does not end the outer script.
_SCRIPT = _either_case("script")
_TWICE = rf"<{_SCRIPT}{_ENDED}(?:[^<-]++|-(?!->)|<(?!/{_SCRIPT}{_ENDED}))*+(?:</{_SCRIPT}{_ENDED})?+"
_ESCAPED = rf"<!--(?:-*+>|(?:[^<-]++|-(?!->)|<(?!/?{_SCRIPT}{_ENDED})|{_TWICE})*+(?:-->)?+)"
_SCRIPT_TEXT = rf"[^<]*+(?:(?:{_ESCAPED}|<(?!/{_SCRIPT}{_ENDED}))[^<]*+)*+"

_WITHOUT_TEXT = "|".join(  # elements without text of the page, matched up to their end tag
    f"{_either_case(name)}{_ENDED}{_EXACT}*+(?:>{text}(?:</{_either_case(name)}{_EXACT}*+{_CLOSED})?+|\\Z)"
    for name, text in (("script", _SCRIPT_TEXT), ("style", _until_end_tag("style")))
)
_COMMENT = r"!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+(?:--!?>|\Z))"
_DECLARATION = rf"[!?][^>]*+{_CLOSED}"
_NO_TAG = rf"/(?!\Z)[^>]*+{_CLOSED}"  # "</" not followed by a letter
RAW = "|".join(
    f"{_either_case(name)}{_ENDED}{_EXACT}*+(?:>{text}|\\Z)"
    for name, text in (
        ("title", _until_end_tag("title")),
        ("textarea", _until_end_tag("textarea")),
        ("xmp", _until_end_tag("xmp")),
        ("plaintext", r"[\s\S]*+"),
    )
)
# Alternatives differ in their first letter, so rejecting one is cheap; the most frequent come first.
_CRIPT_OR_TYLE = "|".join(f"{_either_case(rest)}{_ENDED}" for rest in ("cript", "tyle"))
NAME = (
    rf"/[a-zA-Z]{_LETTER}*+|[a-oqru-wyzA-OQRU-WYZ]{_LETTER}*+|p(?!laintext{_ENDED}){_LETTER}*+|"
    rf"[sS](?!{_CRIPT_OR_TYLE}){_LETTER}*+|{RAW}|[ptxPTX]{_LETTER}*+"
)

_IGNORED = rf"{_WITHOUT_TEXT}|{_COMMENT}|{_DECLARATION}|{_NO_TAG}"
# The end tag of a raw-text element is matched by the attribute group: the grammar is the same.
SPLIT = re.compile(rf"<(?:({NAME})(?:>|({_ATTRIBUTES}){_CLOSED})|{_IGNORED})")

MOST_SEGMENTS = 250_000  # per page; all text after them becomes one further segment
# A page with at most this many characters or tags is split at once, a larger one in windows of _WINDOW
# characters.
WHOLE, FEW_TAGS = 1 << 20, 100_000
_WINDOW = 1 << 16
Pieces = Iterator[str | None]


def pieces_of(source: str) -> list[str | None]:
    """A page split at its tags, followed by the (None, None) that lay_out expects."""
    pieces: list[str | None] = SPLIT.split(source)
    pieces += (None, None)
    return pieces


def parts(source: str) -> Iterator[list[str | None]]:
    """Split a large page window by window: text, name, attributes, ..., and a final text.

    A text or tag that touches the end of a window may continue after it. It is split again with the next
    window, or with a window twice as large if it fills this one.
    """
    at, window = 0, _WINDOW
    while True:
        seen = source[at : at + window]
        pieces: list[str | None] = SPLIT.split(seen)
        if at + window >= len(source):
            yield pieces
            return
        rest = 0 if not pieces[-1] and _ends_in_tag(seen, pieces) else _unfinished(seen, pieces)
        if rest == window:
            window *= 2
            continue
        at, window = at + window - rest, _WINDOW
        yield pieces[:-1]


def _ends_in_tag(seen: str, pieces: list[str | None]) -> bool:
    """Whether the window ends with a complete tag rather than one cut off."""
    name, attributes = pieces[-3:-1] if len(pieces) > 1 else (None, None)
    if name is None or seen[-1] != ">":
        return False
    start = len(seen) - len(name) - len(attributes or "") - len("<>")
    tag = SPLIT.match(seen, start) if start >= 0 else None
    return tag is not None and tag.end() == len(seen) and tag.groups() == (name, attributes)


def _unfinished(seen: str, pieces: list[str | None]) -> int:
    """Remove from `pieces` what may continue after the window, and return its length in characters.

    >>> pieces = SPLIT.split("a<b>c<i class=")
    >>> _unfinished("a<b>c<i class=", pieces), pieces
    (10, ['a', 'b', None, ''])
    """
    if pieces[-1]:
        rest = pieces[-1]
    elif len(pieces) > 1 and pieces[-3] is not None:
        text, name, attributes = pieces[-4:-1]
        rest = f"{text}<{name}{attributes or ''}"
        del pieces[-3:]
    elif len(pieces) > 4:  # a script or comment of unknown length: split again without it
        pieces[:] = SPLIT.split(seen, len(pieces) // 3 - 1)
        rest = pieces[-1] or ""
    else:
        rest = seen
    pieces[-1] = ""
    return len(rest)


# whether character references are resolved
RAW_TEXT = {"title": True, "textarea": True, "xmp": False, "plaintext": False}
# splits the name group of a raw-text element
RAW_ELEMENT = re.compile(rf"([a-zA-Z]++){_ENDED}{_EXACT}*+(?:>|\Z)")
