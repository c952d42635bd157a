"""Pages filled by scripts: if there is hardly any text, use the page's JSON-LD and description.

Such a page often has its text, or part of it, in JSON-LD (schema.org) or in its description.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from stupidos.page import Page, Segment
from stupidos.render.columns import texts_of
from stupidos.render.references import unescaped
from stupidos.render.visible import INVALID

_NEARLY_EMPTY = 250  # characters of all segments; a page with more is not filled by scripts
_HEAD_CHARACTERS = 1 << 15  # characters of the source that are searched for a description
_DATA = 1 << 20  # characters of the source searched for JSON-LD
_NESTED = 6  # levels of JSON that are searched
TEXTS = ("headline", "articleBody", "reviewBody", "text", "description")  # properties that hold text
_SHORTEST = 20  # characters of a text worth showing

_DESCRIPTION = re.compile(
    r"""<meta\s++(?:name|property)\s*+=\s*+["']?(?:og:)?description["']?\s++content\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""",
    re.IGNORECASE,
)
_JSON_LD = re.compile(
    r"""<script[^>]{0,200}?application/ld\+json[^>]{0,200}+>([^<]*+(?:<(?!/script)[^<]*+)*+)""", re.I
)
_INVALID_JSON_TEXT = re.compile(f"[\0-\2]|{INVALID.pattern}")  # JSON escapes can produce these
_JSON_LD_TYPE = "ld+json"
_LONGEST_TAG = 256  # characters between the start of the tag and its type


def _description_of(source: str) -> str:
    """The description in the head of a page.

    >>> _description_of('<meta name="description" content="All about  tea &amp; milk">')
    'All about tea & milk'
    """
    meta = _DESCRIPTION.search(source, 0, _HEAD_CHARACTERS)
    return " ".join(unescaped(unescaped(meta[1] or meta[2] or "")).split()) if meta else ""


def _texts_in(data: Any, depth: int = 0) -> Iterator[str]:
    """The texts of a piece of JSON-LD, outer ones first."""
    if depth > _NESTED:
        return
    if isinstance(data, dict):
        for name in TEXTS:
            if isinstance(data.get(name), str):
                yield data[name]
        data = list(data.values())
    if isinstance(data, list):
        for part in data:
            if isinstance(part, (dict, list)):
                yield from _texts_in(part, depth + 1)


def scripts(source: str, marker: str = _JSON_LD_TYPE) -> Iterator[re.Match[str]]:
    """The JSON-LD scripts of a page; searched by type, as a pattern that starts with "<" is slow."""
    at = source.find(marker, 0, _DATA)
    while at >= 0:
        next_start = at + len(marker)
        start = source.rfind("<", max(at - _LONGEST_TAG, 0), at)
        script = _JSON_LD.match(source, start, _DATA) if start >= 0 else None
        if script:
            yield script
            next_start = max(next_start, script.end())
        at = source.find(marker, next_start, _DATA)


def _embedded_texts(source: str) -> Iterator[str]:
    """The texts of a page's JSON-LD, then its description."""
    for script in scripts(source):
        try:
            data = json.loads(script[1])
        except (ValueError, RecursionError):
            continue
        yield from _texts_in(data)
    yield _description_of(source)


def filled(page: Page) -> Page:
    """The page; if it is nearly empty, with the texts of its JSON-LD and description appended.

    >>> shell = Page('<meta name="description" content="A long talk about tea and milk">', "Tea", [])
    >>> [segment.text for segment in filled(shell).segments]
    ['A long talk about tea and milk']
    """
    shown = sum(map(len, texts_of(page.segments)))
    if not page.markup or shown >= _NEARLY_EMPTY:
        return page
    texts = list(texts_of(page.segments))
    more = []
    for text in _embedded_texts(page.source):
        for line in text.splitlines():
            plain = " ".join(_INVALID_JSON_TEXT.sub("", re.sub(r"<[^<>]*+>", " ", line)).split())
            if len(plain) >= _SHORTEST and not any(plain in other for other in texts):
                texts.append(plain)
                more.append(Segment(plain))
    return page._replace(segments=[*page.segments, *more]) if sum(map(len, texts)) > 2 * shown else page
