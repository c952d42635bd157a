"""Callouts: notes and warnings set apart from the text, as documentation tools and blogs mark them up."""

from __future__ import annotations

import re
from functools import lru_cache

from stupidos.structure.node import Node, text_of, walk

_KINDS = (
    "note|info|information|tip|hint|important|warning|warn|caution|danger|error|success|check|question|help|faq|bug"
    "|example|quote|abstract|summary|todo|failure|attention|seealso|primary|secondary|light|dark"
)
_CONTAINER = re.compile(
    r"(?:^|\s)(?:callout|admonition|admonitionblock|markdown-alert|alert|theme-admonition|notice|custom-block|hint|"
    r"docs-callout|notecard|message|infobox-note|aside|confluence-information-macro|kg-callout-card)(?:\s|$)",
    re.IGNORECASE,
)
_CALLOUT = re.compile(
    r"(?:^|\s)(?:(?:kg-)?callout(?:-card)?|admonition|markdown-alert)(?:\s|$)", re.IGNORECASE
)
_KIND = re.compile(
    rf"(?:^|\s|--?|_)(?:(?:markdown-)?alert|callout|admonition|theme-admonition|notice|hint|custom-block)?"
    rf"(?:--?|_)?({_KINDS})(?:\s|$)",
    re.IGNORECASE,
)
TITLE = re.compile(
    r"(?:^|[\s\"'=])(?:(?:markdown-)?alert-(?:title|heading)|callout-title(?:-inner)?|admonition-?_*(?:title|heading)|title"
    r"|notice-title|custom-block-title|alert__title|callout__title|hint-title)(?:[\s\"']|$|_)",
    re.IGNORECASE,
)
_SAME = {"information": "info", "warn": "warning", "hint": "tip", "primary": "info", "secondary": "note",
         "light": "note", "dark": "note", "attention": "warning", "check": "success"}  # fmt: skip
_LONGEST_TITLE = 120  # characters


def callout_kind(node: Node) -> str:
    """The kind of a callout; empty if the element is not one.

    >>> callout_kind(Node("div", {"class": "admonition warning"}))
    'warning'
    >>> callout_kind(Node("div", {"class": "note-list"}))
    ''
    """
    found = node.attributes
    kind = found.get("data-callout", "").strip().lower()
    if kind:
        return kind if kind.isalpha() else "note"
    return _named_kind(found.get("class", ""))


@lru_cache(maxsize=2048)
def _named_kind(names: str) -> str:
    """The kind that class names give."""
    if not names or not _CONTAINER.search(names):
        return ""
    for match in _KIND.finditer(names):
        kind = match[1].lower()
        return _SAME.get(kind, kind)
    return "note" if _named_callout(names) else ""


def _named_callout(names: str) -> bool:
    return _CALLOUT.search(names) is not None


def take_title(node: Node) -> str:
    """The title of a callout, which is taken from its children."""
    for inner in walk(node):
        for child in inner.children:
            if isinstance(child, Node) and child is not node and _is_title(child):
                title = " ".join(text_of(child).split())
                if len(title) <= _LONGEST_TITLE:
                    inner.children.remove(child)
                    return title
    return ""


def _is_title(node: Node) -> bool:
    return bool(TITLE.search(node.attributes.get("class", "")))
