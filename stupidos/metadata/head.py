"""Values of a page's <meta> and <link> tags, by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from stupidos.render.attributes import values
from stupidos.render.references import unescaped

_MOST_TAGS = 400  # tags that are read; few pages have more than 100
LONGEST_VALUE = 2000  # characters
_MOST_VALUES = 50  # of one name

# How nearly all tags begin, and what follows their name; the others are parsed
_FIRST = frozenset((" name", " property", " rel", " itemprop", " http-equiv"))
_SECOND = frozenset((" content", " href"))
_NAMED = re.compile(
    r"""[\s"'/](?:name|property|itemprop|rel|http-equiv)\s*+=\s*+["']?([^"'>\s]++)""", re.IGNORECASE
)
_NAMING = ("property", "name", "itemprop", "rel", "http-equiv")

# The names that declare each fact, the most trustworthy first
TITLE = ("og:title", "citation_title", "dc.title", "dcterms.title", "parsely-title", "sailthru.title",
         "headline", "title", "twitter:title")  # fmt: skip
AUTHORS = ("citation_author", "author", "article:author", "article:author_name", "og:author", "dc.creator",
           "dcterms.creator", "parsely-author", "sailthru.author", "byl", "dc.creator.creator",
           "article.author", "authors", "cxenseparse:author", "shareaholic:article_author_name",
           "rnews:author", "vr:author", "twitter:data1", "og:author:username")  # fmt: skip
DATE = ("article:published_time", "og:article:published_time", "datepublished", "article:published",
        "citation_publication_date", "citation_online_date", "citation_date", "dcterms.issued",
        "dc.date.issued", "dcterms.created", "dc.date.created", "dcterms.date", "dc.date", "parsely-pub-date",
        "sailthru.date", "article.published", "published_at", "pubdate", "publishdate", "publish_date",
        "publish-date", "pub_date", "publication_date", "originalpublicationdate", "date_published",
        "cxenseparse:recs:publishtime", "rnews:datepublished", "displaydate", "article_date_original",
        "og:pubdate", "ptime", "datecreated", "date")  # fmt: skip
MODIFIED = ("article:modified_time", "og:article:modified_time", "datemodified", "og:updated_time",
            "dcterms.modified", "dc.date.modified", "article.updated", "lastmod", "last-modified",
            "updated_at")  # fmt: skip
SITE = ("og:site_name", "application-name", "apple-mobile-web-app-title", "citation_journal_title",
        "dc.publisher", "dcterms.publisher", "publisher", "copyright-holder")  # fmt: skip
LANGUAGE = ("content-language", "dc.language", "dcterms.language", "citation_language", "inlanguage",
            "language", "og:locale")  # fmt: skip
URL = ("canonical", "og:url")
DESCRIPTION = ("og:description", "description", "twitter:description", "dc.description",
               "dcterms.description", "dcterms.abstract")  # fmt: skip
IMAGE = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src", "image_src",
         "thumbnail", "thumbnailurl")  # fmt: skip
LICENSE = ("license", "dcterms.license", "dc.rights.license")
CATEGORIES = ("article:section", "og:article:section", "parsely-section", "section", "articlesection",
              "cxenseparse:category")  # fmt: skip
TAGS = ("article:tag", "og:article:tag", "parsely-tags", "news_keywords", "keywords", "citation_keywords",
        "dc.subject")  # fmt: skip

_WANTED = frozenset(
    TITLE
    + AUTHORS
    + DATE
    + MODIFIED
    + SITE
    + LANGUAGE
    + URL
    + DESCRIPTION
    + IMAGE
    + LICENSE
    + CATEGORIES
    + TAGS
)


class Head:
    """The tags of a head that say something about the page."""

    __slots__ = ("_values",)

    def __init__(self, tags: Sequence[str]) -> None:
        self._values: dict[str, list[str]] = {}
        wanted, first = _WANTED, _FIRST
        for tag in tags[:_MOST_TAGS]:
            naming, _, rest = tag.partition('="')
            if naming in first:
                name, _, rest = rest.partition('"')
                if name in wanted or name.lower() in wanted:
                    self._add_tag(name.lower(), rest, tag)
            elif (match := _NAMED.search(tag, 0, LONGEST_VALUE)) and match[1].lower() in wanted:
                self._add_parsed(values(tag))

    def _add_tag(self, name: str, rest: str, tag: str) -> None:
        """Add a tag whose name comes first; it is parsed unless its value follows, and nothing else."""
        kind, _, value = rest.partition('="')
        value, _, behind = value.partition('"')
        if kind in _SECOND and (not behind or behind in (" /", "/", " ")):
            self._add(name, value)
        else:
            self._add_parsed(values(tag))

    def _add_parsed(self, attributes: dict[str, str]) -> None:
        value = attributes.get("content") or attributes.get("href") or ""
        for attribute in _NAMING:
            name = attributes.get(attribute, "").lower()
            if name in _WANTED:
                self._add(name, value)

    def _add(self, name: str, value: str) -> None:
        if value and not value.isspace():
            known = self._values.setdefault(name, [])
            if len(known) < _MOST_VALUES:
                known.append(value)

    def all(self, name: str) -> list[str]:
        """All values of one name, as text."""
        return [text(value) for value in self._values.get(name, ())]

    def present(self, names: Iterable[str]) -> list[str]:
        """The names among these that have values."""
        return [name for name in names if name in self._values]

    def values(self, names: Iterable[str]) -> list[str]:
        """The values of some names as text, in the order of the names."""
        known = self._values
        return [text(value) for name in names if name in known for value in known[name]]

    def first(self, names: Iterable[str]) -> str:
        """The first value of some names, as text; empty if there is none."""
        known = self._values
        return next((text(known[name][0]) for name in names if name in known), "")


def text(value: str) -> str:
    """A value as text: references are resolved, twice where a page has escaped them twice.

    >>> text("R&amp;amp;D &#8217;&nbsp; lab")
    'R&D ’ lab'
    """
    value = value[:LONGEST_VALUE]
    if "&" in value:
        value = unescaped(unescaped(value))
    return " ".join(value.split())
