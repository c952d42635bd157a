"""What each HTML element does to the tree: a table, most of it from render/tags.py."""

from __future__ import annotations

from stupidos.render.tags import BLOCKS, CELLS, CONTROLS, ENDS, SKIPPED

# An act on the stack of open elements; those that close one lie between OPEN_ENDING and PLACE
_NOTHING, OPEN_INLINE, OPEN_BLOCK, OPEN_ENDING, CLOSE, _CLOSE_INLINE, PLACE, MATH = range(8)

FORMATTING = frozenset(
    "a b strong i em code tt kbd samp sub sup del s strike ins mark u font small big q cite var dfn".split()
)
_INLINES = frozenset(
    "span label abbr acronym ruby rb rt rp rtc time data bdi bdo nobr picture map output".split()
)
INLINES = FORMATTING | _INLINES
_PLACED = frozenset("img amp-img br hr source wbr input".split())  # they have no content of their own
ROWS = frozenset(("tr", *CELLS))  # remembered even if nothing of them is kept
_SCOPED = frozenset(("table", "td", "th", "caption", "html", "body"))

_Act = tuple[int, str]
_NO_ACT: _Act = (_NOTHING, "")


def _acts() -> dict[str | None, _Act]:
    table: dict[str, _Act] = {}
    for tag in BLOCKS:
        table[tag] = (OPEN_ENDING if tag in ENDS else OPEN_BLOCK, tag)
        table["/" + tag] = (CLOSE, tag)
    for tag in INLINES:
        table[tag], table["/" + tag] = (OPEN_INLINE, tag), (_CLOSE_INLINE, tag)
    for tag in _PLACED:
        table[tag], table["/" + tag] = (PLACE, tag), _NO_ACT
    table["/br"] = (PLACE, "br")
    table["/amp-img"] = _NO_ACT
    table["math"] = (MATH, "math")
    for tag in (*SKIPPED, *CONTROLS, "meta", "link", "base", "path", "g", "use", "head"):
        table[tag] = table["/" + tag] = _NO_ACT
    acts: dict[str | None, _Act] = {None: _NO_ACT}
    for tag, act in table.items():
        acts[tag] = acts[tag.upper()] = acts[tag.title()] = act
    return acts


ACTS = _acts()


def unusual(name: str) -> _Act:
    """The act of a name that the table does not hold as written: "dIV", or a custom element."""
    known = ACTS.get(name.lower())
    if known is not None:
        return known
    if name[0] == "/":
        return _CLOSE_INLINE, name[1:].lower()
    return OPEN_INLINE, name.lower()
