"""What the attributes of an element say, read from the string as written."""

from __future__ import annotations

import re
from functools import lru_cache

from stupidos.render.references import unescaped

LONGEST = 4096  # characters of attributes that are read
LEVEL, HIDDEN = 0b111, 1 << 7  # bits of a place's state, as layout.py lays them out

# hidden="until-found" and aria-hidden="false" do not hide. Quantifiers are bounded or possessive.
HIDES = re.compile(
    r"""(?:^|[ \t\n\f\r"'/])(?:hidden(?![\w-])(?!\s*+=\s*+["']?(?:until-found|false))|aria-hidden\s*+=\s*+["']?true)"""
    r"""|display\s*+:\s*+none|visibility\s*+:\s*+hidden""",
    re.IGNORECASE,
)
IS_HEADING = re.compile(r"""\brole\s*+=\s*+["']?heading\b""", re.IGNORECASE)
HEADING_LEVEL = re.compile(r"""\baria-level\s*+=\s*+["']?([1-6])""", re.IGNORECASE)
ALTERNATIVE = re.compile(r"""\balt\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
VALUE = re.compile(r"""\bvalue\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
SILENT_INPUT = re.compile(
    r"""\btype\s*+=\s*+["']?(?:hidden|radio|checkbox|image|file|password)""", re.IGNORECASE
)
NUMBER = re.compile(r"""\b(?:start|value)\s*+=\s*+["']?(-?[0-9]{1,9})\b""", re.IGNORECASE)


@lru_cache(maxsize=1024)
def said(attributes: str) -> tuple[bool, int]:
    """Whether an element with these attributes is hidden, and its heading level if it is one by its role.

    Few strings say so and these come again and again, hence the cache; callers see to it that the
    strings are short (see LONGEST).

    >>> said(' class="x" hidden'), said(" aria-hidden=false"), said(' role="heading" aria-level="3"')
    ((True, 0), (False, 0), (False, 3))
    """
    level = 0
    if IS_HEADING.search(attributes):
        given = HEADING_LEVEL.search(attributes)
        level = int(given[1]) if given else 2
    return HIDES.search(attributes) is not None, level


def hides(attributes: str) -> bool:
    """True if an element with these attributes is not shown."""
    return said(attributes[:LONGEST])[0]


def state(attributes: str, inherited: int) -> int:
    """`inherited` with what the attributes add: hidden, or a heading by its role."""
    hidden, level = said(attributes[:LONGEST])
    return (inherited | HIDDEN if hidden else inherited) & (~LEVEL if level else ~0) | level


def number(attributes: str) -> int | None:
    """The number that a list starts with or an item is given."""
    found = NUMBER.search(attributes)
    return int(found[1]) if found else None


def alternative(attributes: str | None) -> str:
    """The text that stands for an image."""
    found = ALTERNATIVE.search(attributes) if attributes else None
    return (found[1] or found[2] or found[3] or "") if found else ""


def value(attributes: str | None) -> str:
    """What an input field shows."""
    if not attributes or SILENT_INPUT.search(attributes):
        return ""
    found = VALUE.search(attributes)
    return (found[1] or found[2] or found[3] or "") if found else ""


def spoken(text: str) -> str:
    """An attribute's value as text in one line."""
    return " ".join(unescaped(text).split())
