"""Pages filled by scripts: if there is hardly any text, use the page's JSON-LD and description.

Such a page often has its text, or part of it, in JSON-LD (schema.org) or in its description.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from stupidos.page import Page, Segment
from stupidos.render.references import unescaped
from stupidos.render.visible import INVALID

NEARLY_EMPTY = 250  # characters of all segments; a page with more is no shell
_HEAD_CHARACTERS = 1 << 15  # characters of the source that are searched for a description
DATA = 1 << 20  # characters of JSON that are read
NESTED = 6  # levels of it that are looked into
TEXTS = ("headline", "articleBody", "reviewBody", "text", "description")  # properties that hold text
SHORTEST = 20  # characters of a text worth showing

DESCRIPTION = re.compile(
    r"""<meta\s++(?:name|property)\s*+=\s*+["']?(?:og:)?description["']?\s++content\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""",
    re.IGNORECASE,
)
_JSON_LD = re.compile(
    r"""<script[^>]{0,200}?application/ld\+json[^>]{0,200}+>([^<]*+(?:<(?!/script)[^<]*+)*+)""", re.I
)
UNSAYABLE = re.compile(f"[\0-\2]|{INVALID.pattern}")  # what escapes of JSON may bring in
_JSON_LD_TYPE = "ld+json"
_LONGEST_TAG = 256  # characters before the mark in which the tag begins


def description_of(source: str) -> str:
    """The description in the head of a page.

    >>> description_of('<meta name="description" content="All about  tea &amp; milk">')
    'All about tea & milk'
    """
    found = DESCRIPTION.search(source, 0, _HEAD_CHARACTERS)
    return " ".join(unescaped(unescaped(found[1] or found[2] or "")).split()) if found else ""


def texts_in(data: Any, depth: int = 0) -> Iterator[str]:
    """The texts of a piece of JSON-LD, outer ones first."""
    if depth > NESTED:
        return
    if isinstance(data, dict):
        for name in TEXTS:
            if isinstance(data.get(name), str):
                yield data[name]
        data = list(data.values())
    if isinstance(data, list):
        for part in data:
            if isinstance(part, (dict, list)):
                yield from texts_in(part, depth + 1)


def scripts(source: str, marker: str = _JSON_LD_TYPE) -> Iterator[re.Match[str]]:
    """The scripts of a page that hold JSON-LD; looked for by their type, as a pattern is slow to find "<"."""
    at = source.find(marker, 0, DATA)
    while at >= 0:
        behind = at + len(marker)
        start = source.rfind("<", max(at - _LONGEST_TAG, 0), at)
        found = _JSON_LD.match(source, start, DATA) if start >= 0 else None
        if found:
            yield found
            behind = max(behind, found.end())
        at = source.find(marker, behind, DATA)


def embedded_texts(source: str) -> Iterator[str]:
    """The texts of a page's JSON-LD, then its description."""
    for found in scripts(source):
        try:
            data = json.loads(found[1])
        except (ValueError, RecursionError):
            continue
        yield from texts_in(data)
    yield description_of(source)


def filled(page: Page) -> Page:
    """The page; if it is nearly empty, with the texts of its JSON-LD and description appended.

    >>> shell = Page('<meta name="description" content="A long talk about tea and milk">', "Tea", [])
    >>> [segment.text for segment in filled(shell).segments]
    ['A long talk about tea and milk']
    """
    shown = sum(len(segment.text) for segment in page.segments)
    if not page.markup or shown >= NEARLY_EMPTY:
        return page
    texts: list[str] = [segment.text for segment in page.segments]
    more = []
    for text in embedded_texts(page.source):
        for line in text.splitlines():
            plain = " ".join(UNSAYABLE.sub("", re.sub(r"<[^<>]*+>", " ", line)).split())
            if len(plain) >= SHORTEST and not any(plain in other for other in texts):
                texts.append(plain)
                more.append(Segment(plain))
    return page._replace(segments=[*page.segments, *more]) if sum(map(len, texts)) > 2 * shown else page
