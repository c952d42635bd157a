"""Training examples: rendered pages with their gold texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any, NamedTuple

from stupidos.errors import StupidosError
from stupidos.lab.corpus import Pair, gold_of, raw_of
from stupidos.page import Page, Segment

# Gold may be slightly longer than the page: an annotator's blank, a soft hyphen that the renderer drops.
_MAX_GOLD_RATIO = 1.05
_MAX_EXTRA_CHARACTERS = 50
TRAINING_PAGES = "training_pages"  # entry of a header


class Example(NamedTuple):
    """A page and its gold text."""

    name: str
    page: Page
    gold: list[Segment]

    @property
    def digest(self) -> str:
        """Hash of both texts."""
        gold = "\n".join(segment.text for segment in self.gold)
        return sha256(f"{self.page.source}\0{gold}".encode("utf-8", "surrogatepass")).hexdigest()


class Problem(NamedTuple):
    """A pair that cannot be used, and why."""

    name: str
    reason: str


def examples(pairs: Iterable[Pair]) -> Iterator[Example | Problem]:
    """One example per pair; a pair that cannot be used becomes a problem."""
    for pair in pairs:
        try:
            example = Example(pair.name, raw_of(pair.raw), gold_of(pair.gold))
        except StupidosError as error:
            yield Problem(pair.name, str(error))
            continue
        reason = flaw(example)
        yield Problem(pair.name, reason) if reason else example


def flaw(example: Example) -> str:
    """Why a pair cannot be trained on; empty if it can.

    >>> flaw(Example("1", Page("", "", [Segment("Hi")]), [Segment("Hello " * 20)]))
    'the gold text is longer than the page (120 characters, 2 there): not the same?'
    """
    gold = sum(len(segment.text) for segment in example.gold)
    raw = sum(len(segment.text) for segment in example.page.segments)
    if not raw:
        return "the page has no text"
    if not gold:
        return "the gold text is empty"
    if gold > raw * _MAX_GOLD_RATIO + _MAX_EXTRA_CHARACTERS:
        return f"the gold text is longer than the page ({gold} characters, {raw} there): not the same?"
    return ""


_HASH_LENGTH = 8  # hexadecimal digits of a page's hash in a header


def page_hash(source: str) -> str:
    """A short hash of the source of a page.

    >>> page_hash("<p>Tea")
    '06eefefc'
    """
    return sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_LENGTH]


def joined_hashes(hashes: Iterable[str]) -> str:
    """The hashes of the pages that a model learnt from, as its header holds them."""
    return "".join(sorted(hashes))


def learnt_from(header: Mapping[str, Any]) -> frozenset[str]:
    """The hashes of the pages that a model learnt from; empty if its header does not say."""
    listed = header.get(TRAINING_PAGES, "")
    if not isinstance(listed, str):
        return frozenset()
    return frozenset(listed[at : at + _HASH_LENGTH] for at in range(0, len(listed), _HASH_LENGTH))


def list_digest(digests: Iterable[tuple[str, str]]) -> str:
    """Hash of a training list: names and hashes of its pages, in any order."""
    lines = sorted(f"{name} {digest}\n" for name, digest in digests)
    return sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
