"""Everything that a page says about itself, each fact from the source that is most trustworthy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from stupidos.metadata import address, dates, handles, head, languages, lines, names, titles
from stupidos.metadata.head import Head
from stupidos.metadata.json_ld import JsonLd
from stupidos.metadata.markup import Surroundings, license_link
from stupidos.page import Page, Segment
from stupidos.render.columns import headings_of, levels_of, texts_of
from stupidos.render.without_gc import without_gc

_MOST_HEADINGS = 12  # of level 1 that may be the headline
_MOST_TITLES = 8  # declared ones
_LONGEST_SITE = 80  # characters
_LONGEST_TERM = 80  # characters of a category or tag
_MOST_TERMS = 40
_PREFIXED = re.compile(r"\s*+[,;|]\s*+")


class Metadata(NamedTuple):
    """What a page says about itself; None or empty where it does not say it."""

    title: str | None = None  # the headline, without the name of the site
    authors: tuple[str, ...] = ()  # names
    date: str | None = None  # of publication; ISO 8601, as exact as it is known
    modified: str | None = None  # ISO 8601
    site: str | None = None
    language: str | None = None  # declared; a tag such as en-GB
    url: str | None = None  # canonical address
    description: str | None = None
    image: str | None = None  # address
    license: str | None = None  # address or name
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@without_gc
def metadata(page: Page, url: str = "", header: str = "") -> Metadata:
    """The metadata of a page; `url` is its address and `header` its HTTP Content-Language, if known.

    >>> head = [' property="og:title" content="Tea | Post"', ' name=author content="By Jane Smith"']
    >>> found = metadata(Page('<html lang="en">', "", [], head=head), "https://post.example/2023/12/22/tea")
    >>> found.title, found.authors, found.date, found.language
    ('Tea', ('Jane Smith',), '2023-12-22', 'en')
    """
    if not page.markup:
        return Metadata(url=address.absolute(url, ""))
    return _Reader(page, url, Head(page.head), header).metadata()


def title(page: Page, url: str = "") -> str:
    """The title that `metadata` would find, without the cost of the rest; empty if there is none.

    >>> title(Page("", "Tea is hot | Post", [], head=[' property="og:site_name" content="Post"']))
    'Tea is hot'
    """
    if not page.markup:
        return ""
    tags = Head(page.head)
    return _proven_title(page, tags) or _Reader(page, url, tags).title()


def _proven_title(page: Page, tags: Head) -> str:
    """The first main heading, if the head alone proves that it is the title: JSON-LD need not be read."""
    at = next((at for at, level in enumerate(levels_of(page.segments)) if level == 1), -1)
    first = titles.without_permalink(page.segments[at][0]) if at >= 0 else ""
    site = _declared_site(tags)
    if site and first and titles.is_proven(first, [*tags.values(head.TITLE), page.title], site):
        return first
    return ""


def _declared_site(tags: Head) -> str:
    return next((one for one in tags.values(head.SITE) if _is_site(one)), "")


class _Reader:
    """Reads the metadata of one page."""

    def __init__(self, page: Page, url: str, tags: Head, header: str = "") -> None:
        self.page, self.head = page, tags
        self.json_ld = JsonLd(page.source)
        self.url = self._url(url)
        self.base = url or self.url or ""
        self.json_ld.prefer(page.title, self.url or url)
        self.header = header
        self._title = ""  # once it is known
        self.site = self._site()
        headings, self._texts = headings_of(page.segments), list(texts_of(page.segments))
        self._places = [at for at, _ in headings]  # of all headings
        self._first = [at for at, level in headings if level == 1][:_MOST_HEADINGS]
        self.headings = [titles.without_permalink(self._texts[at]) for at in self._first]

    @cached_property
    def language(self) -> str | None:
        """The declared language."""
        declared = (languages.of_source(self.page.source), self.header, *self.head.values(head.LANGUAGE))
        return languages.first(declared) or languages.first(self.json_ld.texts("inLanguage"))

    @cached_property
    def _headline(self) -> int:
        """The place of the headline among the segments; -1 without one."""
        return lines.place_of(self._texts, self._places, self._title)

    @cached_property
    def _near(self) -> Sequence[Segment]:
        """The segments around the headline."""
        return lines.near(self.page.segments, self._headline)

    @cached_property
    def _lines(self) -> str:
        """The short ones of the segments around the headline."""
        return lines.short_lines(self._near)

    @cached_property
    def _surroundings(self) -> Surroundings:
        """The tokens around the headline, or around the first heading of level 1."""
        at = self._headline if self._headline >= 0 else next(iter(self._first), -1)
        return Surroundings(self.page, self.page.segments[at] if at >= 0 else None)

    def metadata(self) -> Metadata:
        """All of it."""
        self._title = self.title()
        date = self._date()
        return Metadata(
            self._title or None,
            self._authors(),
            date,
            self._modified(date),
            self.site or None,
            self.language,
            self.url,
            self._first_of(head.DESCRIPTION, "description"),
            self._image(),
            self._license(),
            self._terms(head.CATEGORIES, "articleSection"),
            self._terms(head.TAGS, "keywords"),
        )

    def _url(self, url: str) -> str | None:
        declared = (address.absolute(one, url) for one in self.head.values(head.URL))
        return next((one for one in declared if one), None) or address.absolute(url, "")

    def _site(self) -> str:
        """The name of the site; the publisher's and that of objects of the JSON-LD if the head has none."""
        named = _declared_site(self.head)
        if named:
            return named
        sites = (name for node in self.json_ld.sites for name in self.json_ld.values_of(node.get("name")))
        return next(
            (one for one in (*self.json_ld.texts("publisher", "isPartOf"), *sites) if _is_site(one)), ""
        )

    def title(self) -> str:
        """The headline; empty if there is none."""
        declared = [*self.json_ld.headlines(), *self.head.values(head.TITLE)][:_MOST_TITLES]
        distinct = list(dict.fromkeys([*declared, self.page.title]))
        return titles.headline(self.headings, distinct, self.site, self.base)

    def _authors(self) -> tuple[str, ...]:
        """Persons by JSON-LD, the head, marked elements or the byline; organizations do not count."""
        named = self.json_ld.names("author") or self.json_ld.names("creator")
        persons = [name for name, organization in named if not organization]
        return (
            names.authors(persons, self.site)
            or self._declared_authors()
            or self._shown_authors()
            or self._owner()
            or self._user()
        )

    def _shown_authors(self) -> tuple[str, ...]:
        """The authors that the page shows near its headline."""
        marked = names.authors(self._surroundings.authors(), self.site)
        if marked and lines.may_name(self._lines):
            return marked
        bylines = names.authors(lines.bylines(self._near, dates.has_year(self._lines)), self.site)
        return bylines or names.authors(lines.far_byline(self.page.segments, self._headline), self.site)

    def _user(self) -> tuple[str, ...]:
        """Whose post the page is: by a link to that user, or by the address."""
        handle = self._surroundings.handle() or handles.in_address(self.url or self.base)
        return (handle,) if handle else ()

    def _owner(self) -> tuple[str, ...]:
        """The author of a personal site: the page declares a person after whom the site is named."""
        declared = self.head.first(("author",))
        own = self.site and not self.json_ld.sites and titles.key(declared) == titles.key(self.site)
        return (declared,) if own and names.is_person(declared) else ()

    def _declared_authors(self) -> tuple[str, ...]:
        for name in self.head.present(head.AUTHORS):
            fields = self.head.all(name)
            authors = names.authors(_flipped(fields) if name == "citation_author" else fields, self.site)
            if authors:
                return authors
        poster = handles.in_titles((*self.head.values(("og:title",)), self.page.title))
        return (poster,) if poster else ()

    def _date(self) -> str | None:
        return (
            self._first_date(self.json_ld.texts("datePublished"))
            or self._first_date(self.head.values(head.DATE))
            or self._first_date(self.json_ld.texts("dateCreated", "uploadDate"))
            or self._shown_date()
        )

    def _shown_date(self) -> str | None:
        """The date that the address names or that the page shows near its headline."""
        day = address.date_in(self.url or self.base)
        if day and len(day) == len("2023-12-22"):
            return day
        if not lines.may_date(self._lines):
            return day
        language = (self.language or "").lower()
        return (
            self._surroundings.marked_date(language)
            or self._surroundings.time_element(language)
            or (lines.written_date(self._near, language) if dates.has_year(self._lines) else None)
            or day
        )

    def _modified(self, published: str | None) -> str | None:
        modified = self._first_date(self.json_ld.texts("dateModified")) or self._first_date(
            self.head.values(head.MODIFIED)
        )
        return modified if not modified or not published or modified[:10] >= published[:10] else None

    def _first_date(self, texts: Iterable[str]) -> str | None:
        for one in texts:
            if found := dates.parsed(one, (self.language or "").lower()):
                return found
        return None

    def _first_of(self, names: Iterable[str], *properties: str) -> str | None:
        return self.head.first(names) or next(iter(self.json_ld.texts(*properties)), None)

    def _image(self) -> str | None:
        declared = self.head.values(head.IMAGE) or self.json_ld.texts("image", "thumbnailUrl")
        return next((found for one in declared if (found := address.absolute(one, self.base))), None)

    def _license(self) -> str | None:
        declared = self._first_of(head.LICENSE, "license") or license_link(self.page.source)
        return (address.absolute(declared, self.base) or declared[:200]) if declared else None

    def _terms(self, names: Iterable[str], name: str) -> tuple[str, ...]:
        """Categories or tags, each once."""
        terms: dict[str, str] = {}
        for field in (*self.head.values(names), *self.json_ld.texts(name)):
            for term in _PREFIXED.split(field):
                if 1 < len(term) <= _LONGEST_TERM and "://" not in term and len(terms) < _MOST_TERMS:
                    terms.setdefault(term.casefold(), term)
        return tuple(terms.values())


def _is_site(name: str) -> bool:
    return 0 < len(name) <= _LONGEST_SITE and "://" not in name


def _flipped(authors: Iterable[str]) -> list[str]:
    """Authors of papers, with the first name first: "Doe, Jane" is Jane Doe."""
    return [
        " ".join(part.strip() for part in reversed(one.split(","))) if one.count(",") == 1 else one
        for one in authors
    ]
