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
_NONE: Attributes = Node("").attributes
_FORMS = {**INLINES, **dict.fromkeys(CODES, "code"), "a": "a"}


def simple_run(children: list[Child], link: Callable[[Node], Attributes]) -> list[Child] | None:
    """The squeezed run that children make, of the same nodes; None, and nothing changed, if it takes more.

    New nodes beside the old ones would be another tenth of the memory of a large page.
    """
    found: list[Child] = []
    changes: list[tuple[Node, str, Attributes, list[Child]]] = []  # node, and what it becomes
    space = True  # whether white space here is dropped
    for child in children:
        if isinstance(child, str):
            if len(child) > 1 and child.isprintable() and "  " not in child:  # add_text, for most texts
                text = child[1:] if space and child[0] == " " else child
                if found and isinstance(found[-1], str):
                    found[-1] += text
                else:
                    found.append(text)
                space = text[-1] == " "
            else:
                space = add_text(found, child, space)
            continue
        if child.tag == "br":
            without_space_at_end(found)
            found.append(child)
            space = True
            continue
        tag, inner = _FORMS.get(child.tag), child.children
        if tag is None or len(inner) != 1 or not isinstance(inner[0], str):
            return None
        text = inner[0]
        words = text if text.isprintable() and " " not in text else " ".join(text.split())
        if not words or not words.isprintable():
            return None
        attributes: Attributes = _NONE
        if tag == "a":
            attributes = link(child)
            if not attributes:
                space = add_text(found, text, space)
                continue
            if words == "¶" and "#" in attributes["href"]:
                continue
        elif tag == "code" and "block" in child.attributes.get("class", ""):
            return None
        if not space and text[0].isspace():
            add_text(found, " ", False)
        if tag in MERGED and changes and found[-1] is changes[-1][0] and changes[-1][1] == tag:
            changes[-1][3].append(words)
        else:
            found.append(child)
            changes.append((child, tag, attributes, [words]))
        space = text[-1].isspace()
        if space:
            found.append(" ")
    for node, tag, attributes, texts in changes:
        node.become(tag, texts, attributes)
    return trimmed(found)
