"""Parse the attributes of an element from the source string."""

from __future__ import annotations

import re
from functools import lru_cache

from stupidos.render.tags import HIDDEN, LEVEL

MAX_ATTRIBUTES = 4096  # characters of attributes that are read

# No possessive repeat holds a group: some builds of Python 3.11 cannot do that.
ATTRIBUTE = re.compile(
    r"""(=?[^ \t\n\f\r/>=]++|=)"""
    r"""(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:"([^"]*+)"?|'([^']*+)'?|([^ \t\n\f\r"'>][^ \t\n\f\r>]*+))?)?"""
)
_HIDING_STYLE = re.compile(r"(?<![\w-])(?:display\s*+:\s*+none|visibility\s*+:\s*+hidden)(?![\w-])")
SILENT_INPUTS = frozenset(("hidden", "radio", "checkbox", "image", "file", "password", "color", "range"))
NUMBER = re.compile(r"\s*+[-+]?[0-9]{1,9}(?![0-9])")
_HIDDEN_NAME = re.compile(r"""[ \t\n\f\r"'/]hidden""")


def values(attributes: str) -> dict[str, str]:
    """Names and values, as the HTML standard reads them: of two equal names the first counts.

    >>> values(' CLASS="a b" title=x checked class=c')
    {'class': 'a b', 'title': 'x', 'checked': ''}
    """
    found: dict[str, str] = {}
    for name, double, single, bare in ATTRIBUTE.findall(attributes[:MAX_ATTRIBUTES]):
        found.setdefault(name.lower(), double or single or bare)
    return found


@lru_cache(maxsize=1024)
def bits(attributes: str) -> int:
    """The bits that attributes add to the state of an element: hidden, or a heading by its role.

    Most that come here say neither: theirs is a class such as "overflow-hidden".

    >>> bits(' class="x" HIDDEN') == HIDDEN, bits(" aria-hidden=false"), bits(" role=heading aria-level=3")
    (True, 0, 3)
    """
    small = attributes.lower()
    if not (
        "display" in small
        or ("heading" in small and "role" in small)
        or ("hidden" in small and ("aria-hidden" in small or "visib" in small or _HIDDEN_NAME.search(small)))
    ):
        return 0
    found = values(small)
    level = 0
    if found.get("role", "").strip() == "heading":
        given = found.get("aria-level", "").strip()
        level = int(given) if given in ("1", "2", "3", "4", "5", "6") else 2
    hidden = (
        found.get("hidden", "until-found") != "until-found"
        or found.get("aria-hidden", "").strip() == "true"
        or _HIDING_STYLE.search(found.get("style", "")) is not None
    )
    return HIDDEN | level if hidden else level


def state(attributes: str, inherited: int) -> int:
    """`inherited` with what the attributes add."""
    added = bits(attributes[:MAX_ATTRIBUTES])
    return (inherited & ~LEVEL if added & LEVEL else inherited) | added


def hides(attributes: str) -> bool:
    """True if an element with these attributes is not shown."""
    return state(attributes, 0) >= HIDDEN


def number(attributes: str, name: str) -> int | None:
    """The number that an attribute gives: the start of a list, the value of an item."""
    found = NUMBER.match(values(attributes).get(name, ""))
    return int(found[0]) if found else None


def alternative(attributes: str | None) -> str:
    """The alternative text of an image."""
    return values(attributes).get("alt", "") if attributes else ""


def value(attributes: str | None) -> str:
    """The visible value of an input field."""
    found = values(attributes) if attributes else {}
    return "" if found.get("type", "").strip().lower() in SILENT_INPUTS else found.get("value", "")
