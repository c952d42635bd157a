"""Parse the attributes of an element from the source string."""

from __future__ import annotations

import re
from functools import lru_cache

from stupidos.render.tags import HIDDEN, LEVEL

_MAX_ATTRIBUTES = 4096  # characters of an attribute string that are parsed

# No possessive repeat holds a group: some builds of Python 3.11 cannot do that.
ATTRIBUTE = re.compile(
    r"""(=?[^ \t\n\f\r/>=]++|=)"""
    r"""(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:"([^"]*+)"?|'([^']*+)'?|([^ \t\n\f\r"'>][^ \t\n\f\r>]*+))?)?"""
)
_HIDING_STYLE = re.compile(r"(?<![\w-])(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)(?![\w-])")
_SILENT_INPUTS = frozenset(("hidden", "radio", "checkbox", "image", "file", "password", "color", "range"))
_NUMBER = re.compile(r"\s*+[-+]?[0-9]{1,9}(?![0-9])")
_HIDDEN_NAME = re.compile(r"""[ \t\n\f\r"'/]hidden""")


def values(attributes: str) -> dict[str, str]:
    """Names and values as the HTML standard parses them; the first of two equal names counts.

    >>> values(' CLASS="a b" title=x checked class=c')
    {'class': 'a b', 'title': 'x', 'checked': ''}
    """
    parsed: dict[str, str] = {}
    for name, double, single, bare in ATTRIBUTE.findall(attributes[:_MAX_ATTRIBUTES]):
        parsed.setdefault(name.lower(), double or single or bare)
    return parsed


@lru_cache(maxsize=1024)
def _bits(attributes: str) -> int:
    """The bits that attributes add to the state of an element: hidden, or a heading by its role.

    Most attributes that reach this have neither, only a class such as "overflow-hidden".

    >>> _bits(' class="x" HIDDEN') == HIDDEN, _bits(" aria-hidden=false"), _bits(" role=heading aria-level=3")
    (True, 0, 3)
    """
    small = attributes.lower()
    if not (
        "display" in small
        or ("heading" in small and "role" in small)
        or ("hidden" in small and ("aria-hidden" in small or "visib" in small or _HIDDEN_NAME.search(small)))
    ):
        return 0
    parsed = values(small)
    level = 0
    if parsed.get("role", "").strip() == "heading":
        given = parsed.get("aria-level", "").strip()
        level = int(given) if given in ("1", "2", "3", "4", "5", "6") else 2
    hidden = (
        parsed.get("hidden", "until-found") != "until-found"
        or parsed.get("aria-hidden", "").strip() == "true"
        or _HIDING_STYLE.search(parsed.get("style", "")) is not None
    )
    return HIDDEN | level if hidden else level


def state(attributes: str, inherited: int) -> int:
    """The `inherited` state with the bits of the attributes added."""
    added = _bits(attributes[:_MAX_ATTRIBUTES])
    return (inherited & ~LEVEL if added & LEVEL else inherited) | added


def hides(attributes: str) -> bool:
    """True if an element with these attributes is not shown."""
    return state(attributes, 0) >= HIDDEN


def aria_hidden(attributes: str) -> bool:
    """True if an element with these attributes is hidden from screen readers.

    >>> aria_hidden(' class="katex-html" aria-hidden="true"'), aria_hidden(" hidden")
    (True, False)
    """
    return values(attributes.lower()).get("aria-hidden", "").strip() == "true"


def number(attributes: str, name: str) -> int | None:
    """The number in an attribute: the start of a list, the value of an item."""
    digits = _NUMBER.match(values(attributes).get(name, ""))
    return int(digits[0]) if digits else None


def is_reversed(attributes: str) -> bool:
    """Whether the numbers of a list count down.

    >>> is_reversed(" REVERSED start=9"), is_reversed(' class="reversed"')
    (True, False)
    """
    return "eversed" in attributes.lower() and "reversed" in values(attributes)


def alternative(attributes: str | None) -> str:
    """The alternative text of an image."""
    return values(attributes).get("alt", "") if attributes else ""


def value(attributes: str | None) -> str:
    """The visible value of an input field."""
    parsed = values(attributes) if attributes else {}
    return "" if parsed.get("type", "").strip().lower() in _SILENT_INPUTS else parsed.get("value", "")
