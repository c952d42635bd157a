"""Attributes of an element as a dict, with their references resolved."""

from __future__ import annotations

import re
from functools import lru_cache
from html.entities import html5

from stupidos.render.attributes import ATTRIBUTE
from stupidos.render.references import REFERENCE, resolved
from stupidos.structure.node import Attributes, Child, Node

_MAX_ATTRIBUTES = 1 << 16  # characters of attributes that are read; a formula may be long
_CACHED = 160  # characters; longer ones hardly occur twice
INVALID = re.compile("[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufeff\ufffe\uffff\ud800-\udfff]++")
_NONE: Attributes = Node("").attributes
# The common way to write attributes, for which two fast expressions do the work of a slow one
_SIMPLE = re.compile(r'(?:[ \n\t]++[a-z:_-]++="[^"]*+")++(?: ?/)?')
_PAIR = re.compile(r'([a-z:_-]++)="([^"]*+)"')

_BESIDES = r'(?:[ \n\t]++(?!href=|title=)[a-z:_-]++="[^"]*+")*+'
_TARGET = re.compile(rf'{_BESIDES}[ \n\t]++href="([^"]*+)"{_BESIDES}(?: ?/)?')


class RawNode(Node):
    """An element of the page, whose attributes are parsed on first access: few are."""

    __slots__ = ("written",)

    def __init__(self, tag: str, written: str | None) -> None:
        self.tag, self.written = tag, written
        self.children = []

    def __getattr__(self, name: str) -> Attributes:
        """Called for a slot without a value."""
        if name != "attributes":
            raise AttributeError(name)
        self.attributes = found = attributes_of(self.written)
        return found

    def become(self, tag: str, children: list[Child], attributes: Attributes = _NONE) -> Node:
        """The same node as another element, with attributes of its own."""
        self.tag, self.attributes, self.children, self.written = tag, attributes, children, None
        return self


def only_target(written: str | None) -> str | None:
    """The href among attributes written in the common way, without a title; None if they take more to read.

    >>> only_target(' class="x" href="/tea" rel="next"'), only_target(' href="/tea" title="Tea"')
    ('/tea', None)
    """
    found = _TARGET.fullmatch(written) if written else None
    if found is None:
        return None
    href = found[1]
    if "&" in href:
        href = _unescaped(href)
    return href if href.isprintable() else None


def attributes_of(written: str | None) -> Attributes:
    """Names and values; of two equal names the first counts.

    >>> attributes_of(' HREF="?a=1&copy=2&amp;b" title=x')
    {'href': '?a=1&copy=2&b', 'title': 'x'}
    """
    if not written:
        return _NONE
    return _remembered(written) if len(written) < _CACHED else _parsed(written)


def _parsed(written: str) -> dict[str, str]:
    written = written[:_MAX_ATTRIBUTES]
    if _SIMPLE.fullmatch(written) and (written.isprintable() or not INVALID.search(written)):
        pairs: list[tuple[str, str]] = _PAIR.findall(written)
        found = dict(pairs)
        if len(found) == len(pairs):
            if "&" in written:
                found.update((name, _unescaped(value)) for name, value in pairs if "&" in value)
            return found
    each = ATTRIBUTE.findall(written)
    found = {name.lower(): double or single or bare for name, double, single, bare in each}
    if len(found) == len(each) and "&" not in written and written.isprintable():
        return found
    found = {}
    for name, double, single, bare in each:
        value = double or single or bare
        if "&" in value:
            value = _unescaped(value)
        if not value.isprintable():
            value = INVALID.sub("", value)
        found.setdefault(name.lower(), value)
    return found


_remembered = lru_cache(maxsize=2048)(_parsed)


def _unescaped(value: str) -> str:
    """An attribute's value with its references resolved: one without a semicolon may be a parameter.

    >>> _unescaped("?a=1&copy=2&amp;b=&#65;&lt"), _unescaped("&copyleft;")
    ('?a=1&copy=2&b=A<', '&copyleft;')
    """
    if value.count("&") == value.count("&amp;"):
        return value.replace("&amp;", "&")
    return REFERENCE.sub(_reference, value)


def _reference(match: re.Match[str]) -> str:
    found = match[0]
    if found.startswith("&#"):
        return resolved(found)
    if found.endswith(";"):
        return html5.get(found[1:], found)
    behind = match.string[match.end() : match.end() + 1]
    if behind == "=" or behind.isalnum():
        return found
    return html5.get(found[1:], found)
