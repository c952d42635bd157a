"""Elements that only hold others, and what makes one of them more than that."""

from __future__ import annotations

from functools import lru_cache

from stupidos.structure import callouts, comments, formulas
from stupidos.structure.attributes import attributes_of
from stupidos.structure.node import Node

CONTAINERS = (
    "html body div section article main aside nav header footer form fieldset center address details summary "
    "hgroup search dialog frameset legend optgroup multicol noscript noframes thead tbody tfoot tr td th "
    "caption figcaption"
).split()


@lru_cache(maxsize=2048)
def is_plain(written: str | None) -> bool:
    """Whether attributes say nothing about what an element holds."""
    node = Node("div", attributes_of(written))
    return not (
        formulas.is_candidate(node)
        or callouts.callout_kind(node)
        or comments.is_comment(node)
        or node.attributes.get("role") == "heading"
    )
