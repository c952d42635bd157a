"""Comments of readers, which are shown as quotations."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from stupidos.structure.node import BOUNDARY, Child, Node

if TYPE_CHECKING:
    from stupidos.structure.flow import Converter

_COMMENT = re.compile(
    r"(?:^|\s)(?:comment|commtext|comment-?_*(?:body|content|text|item)|review-comment|reply|[\w-]*-reply)(?:\s|$)"
)
_MARKS = frozenset(("data-message-id", "data-comment-id"))  # of mails and posts in a thread


def quotation(converter: Converter, node: Node, out: list[Child]) -> None:
    """A reader's comment as a quotation; what a page begins with is not a comment but the post itself."""
    converter.comment, started = True, converter.started
    children = converter.blocks(node)
    converter.comment = False
    if started and children:
        out.append(Node("blockquote", None, children))
    else:
        out += [BOUNDARY, *children, BOUNDARY]


def is_comment(node: Node) -> bool:
    """Whether an element is the comment of a reader, or a reply in a thread."""
    found = node.attributes
    if not _MARKS.isdisjoint(found) or found.get("itemprop") == "comment":
        return True
    return "class" in found and _named_comment(found["class"])


@lru_cache(maxsize=2048)
def _named_comment(names: str) -> bool:
    return _COMMENT.search(names) is not None
