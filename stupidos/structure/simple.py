"""The inlines of most paragraphs, items and cells in one pass: texts, line breaks and elements with one text.

It makes what the handlers of flow.py and `squeezed` make one after the other, in a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable

from stupidos.structure.inline import MERGED, add_text, trimmed, without_space_at_end
from stupidos.structure.node import Attributes, Child, Node

INLINES = {tag: tag for tag in "strong em del ins sub sup kbd mark q ruby rt".split()} | {
    "b": "strong",
    "i": "em",
    "s": "del",
    "strike": "del",
}
CODES = ("code", "tt", "samp")
_FORMS = {**INLINES, **dict.fromkeys(CODES, "code"), "a": "a"}


def simple_run(children: list[Child], link: Callable[[Attributes], Attributes]) -> list[Child] | None:
    """The squeezed run that children make, which are not changed; None if it takes more than this."""
    found: list[Child] = []
    space = True  # whether white space here is none
    for child in children:
        if isinstance(child, str):
            space = add_text(found, child, space)
            continue
        if child.tag == "br":
            without_space_at_end(found)
            found.append(child)
            space = True
            continue
        inner = child.children
        tag = _FORMS.get(child.tag)
        if tag is None or len(inner) != 1:
            return None
        text = inner[0]
        if not isinstance(text, str):
            return None
        words = text if text.isprintable() and " " not in text else " ".join(text.split())
        if not words or not words.isprintable():
            return None
        attributes = None
        if tag == "a":
            attributes = link(child.attributes)
            if not attributes:
                space = add_text(found, text, space)
                continue
            if words == "¶" and "#" in attributes["href"]:
                continue
        elif tag == "code" and "block" in child.attributes.get("class", ""):
            return None
        if not space and text[0].isspace():
            add_text(found, " ", False)
        last = found[-1] if found else None
        if tag in MERGED and isinstance(last, Node) and last.tag == tag:
            last.children.append(words)
        else:
            found.append(Node(tag, attributes, [words]))
        space = text[-1].isspace()
        if space:
            found.append(" ")
    return trimmed(found)
