"""HTML to text, tag names and attributes: one exact `re.split`, after the HTML standard's tokeniser.

`SPLIT.split(html)` gives text, name, attributes, text, name, attributes, ..., text. A name is None
for what says nothing (comments, scripts, style sheets, doctypes); it begins with "/" for an end tag;
a raw-text element (title, textarea, xmp, plaintext) comes whole, as "title lang=en>Its text".

Why it is linear on any input: every repeat is possessive, and every alternative that begins with "<" and a
letter can only end in ">" or at the end of the input, so attributes are read three times at most (for speed,
see ATTRIBUTES) and nothing else twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

SPACE = r"[ \t\n\f\r]"
LETTER = r"[^ \t\n\f\r/>]"  # of a tag name
ENDED = r"(?=[ \t\n\f\r/>])"  # a tag name ends here
CLOSED = r"(?:>|\Z)"  # a tag cut off by the end of the input is dropped

# Attributes: the common ` name="value"` first, then other ways to write them, then the standard's grammar to
# the letter. An equals sign is the start of a name unless a name precedes it, a quote opens a value only
# behind one; a value that never ends reaches to the end of the input.
BARE = r"""[^ \t\n\f\r>"'][^ \t\n\f\r>]*+"""
VALUE = rf"""(?:"[^"]*+(?:"|\Z)|'[^']*+(?:'|\Z)|{BARE})"""
VALUED = rf"""(?:{SPACE}*+={SPACE}*+{VALUE}?+)?+"""
EXACT = rf"""(?:[ \t\n\f\r/]++|=?[^ \t\n\f\r/>=]++{VALUED}|={VALUED})"""
COMMON = r"""(?: [a-zA-Z:_-]++="[^"]*+")*+"""
FREQUENT = rf"""(?:{SPACE}++[a-zA-Z0-9:_.-]++=(?:"[^"]*+"|'[^']*+'|{BARE}))*+"""
ATTRIBUTES = rf"""{COMMON}(?:(?=>)| ?/(?=>)|{FREQUENT}(?:(?=>)|{EXACT}*+))"""


def either_case(word: str) -> str:
    """A pattern for `word` in capitals or not, as IGNORECASE would slow down all the rest.

    >>> either_case("br1")
    '[bB][rR]1'
    """
    return "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in word)


def until_end_tag(name: str) -> str:
    """A pattern for the text of a raw-text element, up to its end tag or the end of the input."""
    return rf"[^<]*+(?:<(?!/{either_case(name)}{ENDED})[^<]*+)*+"


# A script may hold "<!--", and in it "<script>", whose end tag is then not the end of the script.
_SCRIPT = either_case("script")
_TWICE = rf"<{_SCRIPT}{ENDED}(?:[^<-]++|-(?!->)|<(?!/{_SCRIPT}{ENDED}))*+(?:</{_SCRIPT}{ENDED})?+"
_ESCAPED = rf"<!--(?:-*+>|(?:[^<-]++|-(?!->)|<(?!/?{_SCRIPT}{ENDED})|{_TWICE})*+(?:-->)?+)"
_SCRIPT_TEXT = rf"[^<]*+(?:(?:{_ESCAPED}|<(?!/{_SCRIPT}{ENDED}))[^<]*+)*+"

SILENT = "|".join(  # elements that say nothing, matched with their end tag
    f"{either_case(name)}{ENDED}{EXACT}*+(?:>{text}(?:</{either_case(name)}{EXACT}*+{CLOSED})?+|\\Z)"
    for name, text in (("script", _SCRIPT_TEXT), ("style", until_end_tag("style")))
)
COMMENT = r"!--(?:-?>|[^-]*+(?:-(?!-!?>)[^-]*+)*+(?:--!?>|\Z))"
DECLARATION = rf"[!?][^>]*+{CLOSED}"
_NO_TAG = rf"/(?!\Z)[^>]*+{CLOSED}"  # "</" with no letter behind it
RAW = "|".join(
    f"{either_case(name)}{ENDED}{EXACT}*+(?:>{text}|\\Z)"
    for name, text in (
        ("title", until_end_tag("title")),
        ("textarea", until_end_tag("textarea")),
        ("xmp", until_end_tag("xmp")),
        ("plaintext", r"[\s\S]*+"),
    )
)
# Alternatives are told apart by their first letter, which costs next to nothing; the commonest first.
_SILENT = "|".join(f"{either_case(rest)}{ENDED}" for rest in ("cript", "tyle"))
NAME = (
    rf"/[a-zA-Z]{LETTER}*+|[a-oqru-wyzA-OQRU-WYZ]{LETTER}*+|p(?!laintext{ENDED}){LETTER}*+|"
    rf"[sS](?!{_SILENT}){LETTER}*+|{RAW}|[ptxPTX]{LETTER}*+"
)

# Behind a raw-text element its end tag is read as if it were attributes: the grammar is the same.
SPLIT = re.compile(rf"<(?:({NAME})(?:>|({ATTRIBUTES}){CLOSED})|{SILENT}|{COMMENT}|{DECLARATION}|{_NO_TAG})")

MOST_SEGMENTS = 250_000  # of a page; what stands behind them is one segment more
# A page of so many characters or tags is split at once; a larger one in parts of WINDOW characters.
WHOLE, FEW_TAGS = 1 << 20, 100_000
WINDOW = 1 << 16
Pieces = Iterator[str | None]


def pieces_of(source: str) -> list[str | None]:
    """A page split at its tags, with the (None, None) behind it that the layout wants."""
    pieces: list[str | None] = SPLIT.split(source)
    pieces += (None, None)
    return pieces


def parts(source: str) -> Iterator[list[str | None]]:
    """What SPLIT gives for a large page, in parts: text, name, attributes, ..., and a text to end with.

    A text or tag that reaches to the end of a window may go on behind it, so it is read again with the next
    window, or with a larger one if there is nothing else in it.
    """
    at, window = 0, WINDOW
    while True:
        seen = source[at : at + window]
        pieces: list[str | None] = SPLIT.split(seen)
        if at + window >= len(source):
            yield pieces
            return
        rest = 0 if not pieces[-1] and ends_in_tag(seen, pieces) else unfinished(seen, pieces)
        if rest == window:
            window *= 2
            continue
        at, window = at + window - rest, WINDOW
        yield pieces[:-1]


def ends_in_tag(seen: str, pieces: list[str | None]) -> bool:
    """Whether the last tag of a window is complete, and not one that the end of the window cut off."""
    name, attributes = pieces[-3:-1] if len(pieces) > 1 else (None, None)
    if name is None or seen[-1] != ">":
        return False
    start = len(seen) - len(name) - len(attributes or "") - len("<>")
    tag = SPLIT.match(seen, start) if start >= 0 else None
    return tag is not None and tag.end() == len(seen) and tag.groups() == (name, attributes)


def unfinished(seen: str, pieces: list[str | None]) -> int:
    """Take what may go on behind a window from its pieces; how many characters that is.

    >>> pieces = SPLIT.split("a<b>c<i class=")
    >>> unfinished("a<b>c<i class=", pieces), pieces
    (10, ['a', 'b', None, ''])
    """
    if pieces[-1]:
        rest = pieces[-1]
    elif len(pieces) > 1 and pieces[-3] is not None:
        text, name, attributes = pieces[-4:-1]
        rest = f"{text}<{name}{attributes or ''}"
        del pieces[-3:]
    elif len(pieces) > 4:  # how long a script or comment is nobody has written down
        pieces[:] = SPLIT.split(seen, len(pieces) // 3 - 1)
        rest = pieces[-1] or ""
    else:
        rest = seen
    pieces[-1] = ""
    return len(rest)


RAW_TEXT = {"title": True, "textarea": True, "xmp": False, "plaintext": False}  # whether references count
RAW_ELEMENT = re.compile(rf"([a-zA-Z]++){ENDED}{EXACT}*+(?:>|\Z)")  # the name group taken apart
