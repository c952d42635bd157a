"""Visible characters: neither white space nor zero-width characters."""

from __future__ import annotations

import re

from stupidos.render.references import unescaped

INVISIBLE = "\xad\u200b\u2060\ufeff"  # soft hyphen, zero-width blanks
# Controls, lone surrogates and noncharacters; \0 to \2 are marks of the renderer.
INVALID = re.compile(f"[\x03-\x08\x0b\x0e-\x1f\x7f-\x9f{INVISIBLE}\ud800-\udfff\ufffe\uffff]++")

# The same and all white space, for str.strip.
_BLANKS = (
    *range(0x21),
    *range(0x7F, 0xA1),
    0x1680,
    *range(0x2000, 0x200B),
    0x2028,
    0x2029,
    0x202F,
    0x205F,
    0x3000,
)
UNSEEN = "".join(map(chr, _BLANKS)) + INVISIBLE


def visible(text: str) -> int:
    """The number of characters of `text` that can be seen, references resolved.

    >>> visible("R&amp;D\\n&nbsp;lab"), visible(" &nbsp; &shy;")
    (6, 0)
    """
    if "&" in text:
        text = unescaped(text)
    text = "".join(text.split())
    return len(text) if text.isprintable() else len(INVALID.sub("", text))
