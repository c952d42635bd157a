"""Targets of links and images, made absolute."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import urljoin

from stupidos.structure.attributes import attributes_of
from stupidos.structure.node import Node, text_of

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_UNSAFE = frozenset(("javascript:", "data:", "vbscript:", "file:", "blob:", "about:"))
_CONTROLS = re.compile("[\0-\x20\x7f-\xa0]+")
_BASE = re.compile(r"<[bB][aA][sS][eE]\s([^>]*)>")  # three times as fast as IGNORECASE
_PERMALINK = frozenset(("#", "¶", "§", "🔗", "", "link", "permalink", "anchor", "direct link"))
_HEAD = 1 << 16  # characters of the source that are searched for <base>


def base_of(source: str, head: Sequence[str], url: str) -> str:
    """What relative targets are relative to: <base>, the address of the page, its canonical address.

    >>> base_of('<base href="/docs/">', [], "https://example.org/a/b")
    'https://example.org/docs/'
    """
    if not url:
        url = canonical(head)
    found = _BASE.search(source, 0, _HEAD)
    href = attributes_of(found[1]).get("href", "").strip() if found else ""
    return _joined(url, href) if href else url


def canonical(head: Sequence[str]) -> str:
    """The address that a page gives as its own, if it is absolute."""
    for written in head:
        if "canonical" in written or "og:url" in written:
            found = attributes_of(written)
            href = found.get("href", "") if found.get("rel", "").lower() == "canonical" else ""
            href = href or (found.get("content", "") if found.get("property", "").lower() == "og:url" else "")
            if _SCHEME.match(href.strip()):
                return href.strip()
    return ""


def _joined(base: str, href: str) -> str:
    """An absolute target, or the target itself if it cannot be made absolute.

    >>> _joined("http://a.org/b/c", "d?e"), _joined("http://a.org/b/c", "/d#e"), _joined("", "d")
    ('http://a.org/b/d?e', 'http://a.org/d#e', 'd')
    """
    if not base:
        return href
    try:
        if _UNEASY.search(href):
            return urljoin(base, href)
        scheme, site, folder = _beginnings(base)
    except ValueError:
        return href
    if href[0] == "/":
        return (scheme if href[1:2] == "/" else site) + href
    return folder + href


# What urljoin would change in a target beside putting the beginning of the base before it
_UNEASY = re.compile(r"^(?!/?\w|//[a-zA-Z0-9.-]+/)|/\.|[^/]//|[;:\s\0-\x20]|[?#](?:#|$)|^//.*[\[\]]")


@lru_cache(maxsize=64)
def _beginnings(base: str) -> tuple[str, str, str]:
    """What targets on another site, in the root and in the same folder begin with."""
    return urljoin(base, "//x/")[:-4], urljoin(base, "/x")[:-2], urljoin(base, "x")[:-1]


def is_absolute(href: str) -> bool:
    """Whether a target needs no base, no cleaning and no check: most are so."""
    return href.startswith(_HARMLESS) and href.isprintable() and " " not in href


def target(href: str, base: str) -> str:
    """The target of a link, absolute; empty if there is none or if it would run a script.

    >>> target("b.html", "https://example.org/a/"), target("java\\nscript:alert(1)", ""), target("#top", "")
    ('https://example.org/a/b.html', '', '#top')
    """
    href = href.strip(_SPACE)
    if not href.isprintable() or " " in href:
        href = "".join(href.splitlines()).replace("\t", "")
    if href.startswith(_HARMLESS):
        return href
    scheme = _SCHEME.match(href)
    if scheme:
        return "" if scheme[0].lower() in _UNSAFE else href
    if href.startswith("#") or not href:
        return href
    href = _joined(base, href)
    if href.startswith(_HARMLESS):
        return href
    again = _SCHEME.match(_CONTROLS.sub("", href[:64]))
    return "" if again and again[0].lower() in _UNSAFE else href


_SPACE = "".join(map(chr, range(0x21)))
_HARMLESS = ("https://", "http://")


def is_permalink(node: Node) -> bool:
    """Whether a link beside a heading only points to that heading."""
    return "#" in node.attributes.get("href", "") and text_of(node).strip().lower() in _PERMALINK
