"""Callouts: notes and warnings set apart from the text, as documentation tools and blogs mark them up."""

from __future__ import annotations

import re
from functools import lru_cache

from stupidos.structure.node import HEADINGS, Node, text_of, walk

_KINDS = (
    "note|info|information|tip|hint|important|warning|warn|caution|danger|error|success|check|question|help|faq|bug"
    "|example|quote|abstract|summary|todo|failure|attention|seealso|primary|secondary|light|dark"
)
_CONTAINER = re.compile(
    r"(?:^|\s)(?:callout|admonition|admonitionblock|markdown-alert|alert|theme-admonition|notice|custom-block|hint|"
    r"docs-callout|notecard|message|infobox-note|aside|confluence-information-macro|kg-callout-card|"
    r"starlight-aside|awsdocs-note|nextra-callout|notion-callout|prompt-(?=(?:info|tip|warning|danger)(?:\s|$)))"
    r"(?:\s|$|(?<=prompt-))",
    re.IGNORECASE,
)
_CALLOUT = re.compile(
    r"(?:^|\s)(?:(?:kg-|nextra-|notion-)?callout(?:-card)?|admonition|markdown-alert)(?:\s|$)", re.IGNORECASE
)
# Whole class attributes: DocBook, Microsoft's and Google's documentation, rustdoc, <details> of MkDocs
ALONE = frozenset(("note", "warning", "tip", "important", "caution", "danger"))
_KIND = re.compile(
    rf"(?:^|\s|--?|_)(?:(?:markdown-)?alert|callout|admonition|theme-admonition|notice|hint|custom-block)?"
    rf"(?:--?|_)?({_KINDS})(?:\s|$)",
    re.IGNORECASE,
)
TITLE = re.compile(
    r"(?:^|[\s\"'=])(?:(?:markdown-)?alert-(?:title|heading)|callout-title(?:-inner)?|admonition-?_*(?:title|heading)|title"
    r"|notice-title|custom-block-title|starlight-aside__title|awsdocs-note-title|alert__title|callout__title|hint-title)(?:[\s\"']|$|_)",
    re.IGNORECASE,
)
_SAME = {"information": "info", "warn": "warning", "hint": "tip", "primary": "info", "secondary": "note",
         "light": "note", "dark": "note", "attention": "warning", "check": "success"}  # fmt: skip
_LONGEST_TITLE = 120  # characters
_DEEPEST = 4  # elements around the word that a callout begins with
_HEADS = frozenset(("summary", *HEADINGS))  # whatever they say is a title
_MARKS = _HEADS | {"strong", "b", "em", "p", "span"}  # what may hold that word


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
    alone = names.strip().lower()
    if alone in ALONE:
        return alone
    if not names or not _CONTAINER.search(names):
        return ""
    match = _KIND.search(_CONTAINER.sub(" ", names)) or _KIND.search(names)
    if match:
        kind = match[1].lower()
        return _SAME.get(kind, kind)
    return "note" if _named_callout(names) else ""


def _named_callout(names: str) -> bool:
    return _CALLOUT.search(names) is not None


def take_title(node: Node, kind: str) -> str:
    """The title of a callout, which is taken from its children: one that is named so, or its kind."""
    for inner in walk(node):
        for child in inner.children:
            if isinstance(child, Node) and child is not node and _is_title(child):
                title = " ".join(text_of(child).split())
                if len(title) <= _LONGEST_TITLE:
                    inner.children.remove(child)
                    return title
    return _first_word(node, kind)


def _first_word(node: Node, kind: str) -> str:
    """The heading or the kind that a callout begins with, in an element of its own, which is removed."""
    for _ in range(_DEEPEST):
        first = next((child for child in node.children if not isinstance(child, str) or child.strip()), "")
        if not isinstance(first, Node):
            return ""
        title = " ".join(text_of(first).split()).rstrip(":") if first.tag in _MARKS else ""
        if title.lower() == kind or (title and first.tag in _HEADS and len(title) <= _LONGEST_TITLE):
            node.children.remove(first)
            return title
        node = first
    return ""


def _is_title(node: Node) -> bool:
    return bool(TITLE.search(node.attributes.get("class", "")))
