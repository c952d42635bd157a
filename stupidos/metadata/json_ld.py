"""The JSON-LD of a page: which of its objects is the page's subject, and what that says."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from stupidos.metadata.head import LONGEST_VALUE, text
from stupidos.render.script_filled import scripts

_JSON_LD = "application/ld+json"
_Node = dict[str, Any]

_DEEPEST = 5  # levels of objects that are looked into
_MOST_NODES = 300  # objects that are looked at
_MOST_VALUES = 50  # of one property
_ARTICLES = ("Article", "Posting", "Story", "Report", "BlogPost", "Thesis", "Chapter")  # ends of types
_OTHER_SUBJECTS = frozenset(
    "Recipe Review Product Event Question Book Course Movie HowTo Dataset Podcast PodcastEpisode "
    "VideoObject Episode TVEpisode SoftwareApplication CreativeWork MedicalWebPage".split()
)
_PAGES = frozenset("WebPage ItemPage AboutPage FAQPage ProfilePage QAPage CheckoutPage ContactPage".split())
_INSIDE = ("@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "hasPart")
_CONTAINERS = (dict, list)
_COMMENT = re.compile(
    r"^\s*+(?:<!--|//<!\[CDATA\[|<!\[CDATA\[|/\*<!\[CDATA\[\*/)|(?:-->|//\]\]>|\]\]>|;)\s*+$"
)
_DECODER = json.JSONDecoder(strict=False)  # raw line breaks in strings are common


class JsonLd:
    """What the page's JSON-LD says of the page, its most specific object first."""

    def __init__(self, source: str) -> None:
        nodes = _nodes(source)
        self._by_id = {node["@id"]: node for node in reversed(nodes) if isinstance(node.get("@id"), str)}
        by_rank: list[list[_Node]] = [[], [], [], [], []]
        for node in nodes:
            by_rank[_rank(node)].append(node)
        self.articles, works, pages, self.sites, _ = by_rank
        self.subjects = [*self.articles, *works, *pages]

    def prefer(self, title: str, url: str) -> None:
        """Of several articles, put the one first that has the page's address or is named in its title."""
        if len(self.articles) > 1:
            self.articles.sort(key=lambda node: (not _has_address(node, url), not _is_named(node, title)))
            self.subjects[: len(self.articles)] = self.articles

    def texts(self, *properties: str) -> list[str]:
        """The values of some properties of the page, the first object's first."""
        return [
            value
            for node in self.subjects
            for name in properties
            if name in node
            for value in self.values_of(node[name])
        ]

    def headlines(self) -> list[str]:
        """The headline of the page, if its subject is an article."""
        node = self.articles[0] if self.articles else {}
        return self.values_of(node.get("headline") or node.get("name"))

    def names(self, name: str) -> list[tuple[str, bool]]:
        """Names of persons in a property of the page, and whether the object is an organization."""
        for node in self.subjects:
            if name in node:
                known = [(self._name(one), self._organization(one)) for one in _listed(node[name])]
                if any(value for value, _ in known):
                    return known
        return []

    def values_of(self, value: Any) -> list[str]:
        """Texts of a value: strings, or the names or addresses of objects."""
        if isinstance(value, str):
            return [text(value)] if value else []
        texts = []
        for one in _listed(value):
            if isinstance(one, dict):
                one = one.get("name") or one.get("url") or one.get("@id") or one.get("@value")
            if isinstance(one, str | int | float) and not isinstance(one, bool):
                texts.append(text(str(one)))
        return texts

    def _resolved(self, value: Any) -> Any:
        """An object, in full if only its id is given."""
        if isinstance(value, dict) and not value.get("name") and isinstance(value.get("@id"), str):
            return self._by_id.get(value["@id"], value)
        if isinstance(value, str) and value in self._by_id:
            return self._by_id[value]
        return value

    def _name(self, value: Any) -> str:
        value = self._resolved(value)
        if isinstance(value, dict):
            value = value.get("name")
            value = value[0] if isinstance(value, list) and value else value
        return text(value) if isinstance(value, str) else ""

    def _organization(self, value: Any) -> bool:
        value = self._resolved(value)
        return isinstance(value, dict) and any("Organization" in one for one in _types(value))


def _types(node: _Node) -> list[str]:
    """The types of an object, without the address of their vocabulary.

    >>> _types({"@type": ["schema:NewsArticle", "http://schema.org/Recipe"]})
    ['NewsArticle', 'Recipe']
    """
    return [_without_vocabulary(one) for one in _listed(node.get("@type")) if isinstance(one, str)]


def _without_vocabulary(kind: str) -> str:
    return kind.rpartition("/")[2].rpartition(":")[2]


def _rank(node: _Node) -> int:
    """0 for an article, 1 for other works, 2 for the page, 3 for its site or publisher, 4 for the rest."""
    kind = node.get("@type")
    if isinstance(kind, str):
        return _rank_of_type(kind)
    return min(map(_rank_of_type, _types(node)), default=4)


@lru_cache(maxsize=256)
def _rank_of_type(kind: str) -> int:
    kind = _without_vocabulary(kind)
    if kind.endswith(_ARTICLES):
        return 0
    if kind in _OTHER_SUBJECTS:
        return 1
    if kind in _PAGES:
        return 2
    return 3 if kind == "WebSite" or "Organization" in kind else 4


def _nodes(source: str) -> list[_Node]:
    """The objects of a page's JSON-LD, outer ones first; at most _MOST_NODES."""
    nodes: list[_Node] = []
    for script in scripts(source, _JSON_LD):
        _collect(_loaded(script[1]), 0, nodes)
        if len(nodes) == _MOST_NODES:
            break
    return nodes


def _loaded(script: str) -> Any:
    """The value of a script; None if it is not JSON."""
    try:
        return _DECODER.decode(script)
    except (ValueError, RecursionError):
        pass
    try:  # comments around it, commas too many
        return _DECODER.raw_decode(_COMMENT.sub("", script).strip())[0]
    except (ValueError, RecursionError):
        return None


def _collect(value: Any, depth: int, nodes: list[_Node]) -> None:
    """Append the objects in a value to `nodes`, outer ones first."""
    if depth > _DEEPEST or len(nodes) == _MOST_NODES:
        return
    if isinstance(value, list):
        for one in value[:_MOST_NODES]:
            _collect(one, depth + 1, nodes)
    elif isinstance(value, dict):
        if "@type" in value or "@id" in value:
            nodes.append(value)
        for name in _INSIDE:
            if name in value and isinstance(value[name], _CONTAINERS):
                _collect(value[name], depth + 1, nodes)


def _listed(value: Any) -> list[Any]:
    if isinstance(value, dict) and isinstance(value.get("@list"), list):
        value = value["@list"]
    return value[:_MOST_VALUES] if isinstance(value, list) else [] if value is None else [value]


def _has_address(node: _Node, url: str) -> bool:
    main = node.get("mainEntityOfPage")
    places = (node.get("url"), node.get("@id"), main.get("@id") if isinstance(main, dict) else main)
    path = url.partition("//")[2].rstrip("/")
    return bool(path) and any(isinstance(place, str) and path in place for place in places)


def _is_named(node: _Node, title: str) -> bool:
    name = node.get("headline") or node.get("name")
    return isinstance(name, str) and bool(name) and text(name[:LONGEST_VALUE]) in title
