"""TEI P5: one <TEI> per page; several pages in one file are wrapped in <teiCorpus>."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from stupidos.write import About, Judged, Style, blocks, structured
from stupidos.write.tei_body import body, escaped

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
SPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
HEADER = """<teiHeader><fileDesc>
<titleStmt><title>{title}</title>{authors}</titleStmt>
<publicationStmt><p>Cleaned by stupidos</p></publicationStmt>
<sourceDesc>{source}</sourceDesc>
</fileDesc>{profile}</teiHeader>
"""


def opening(style: Style, pages: int) -> str:
    """Header of a file of `pages` pages."""
    if pages == 1:
        return DECLARATION
    return f"{DECLARATION}<teiCorpus{SPACE}>\n" + HEADER.format(
        title="Web pages", authors="", source="<p>Web pages</p>", profile=""
    )


def closing(style: Style, pages: int) -> str:
    """Footer of a file of `pages` pages."""
    return "" if pages == 1 else "</teiCorpus>\n"


def header(about: About) -> str:
    """The <teiHeader>: source of the page and model, and what the page says about itself."""
    source = escaped(about.url or about.id)
    target = f'<ref target="{source}">{source}</ref>' if about.url else source
    model = f"; model {escaped(about.model)} {escaped(about.model_sha256)}".rstrip() if about.model else ""
    return HEADER.format(
        title=escaped(about.title),
        authors="".join(f"<author>{escaped(name)}</author>" for name in _authors(about)),
        source=f"<p>{target}{model}{_bibliography(about)}</p>",
        profile=_profile(about),
    )


def _authors(about: About) -> tuple[str, ...]:
    return about.metadata.authors if about.metadata else ()


def _bibliography(about: About) -> str:
    """A <bibl> with the dates, the site and the like; empty if the page says nothing about itself."""
    said = about.metadata
    if said is None:
        return ""
    parts = [
        _element("publisher", said.site),
        _element("date", said.date, f'type="published" when="{_exact(said.date)}"'),
        _element("date", said.modified, f'type="modified" when="{_exact(said.modified)}"'),
        _element("availability", _element("licence", said.license), markup=True),
        _element("idno", about.text_sha1, 'type="text_sha1"'),
        _element("ref", said.image, f'type="image" target="{escaped(said.image or "")}"'),
    ]
    found = "".join(parts)
    return f"\n<bibl>{found}</bibl>" if found else ""


def _exact(date: str | None) -> str:
    """A date as XML Schema requires it: no time without seconds.

    >>> _exact("2023-12-22T10:05+01:00"), _exact("2023-12-22T10:05:07Z"), _exact("2023-12")
    ('2023-12-22T10:05:00+01:00', '2023-12-22T10:05:07Z', '2023-12')
    """
    return re.sub(r"(T\d\d:\d\d)(?!:\d\d)", r"\1:00", escaped(date or ""))


def _profile(about: About) -> str:
    """A <profileDesc> with language, description, categories and tags."""
    said = about.metadata
    language = about.language or ""
    words = "".join(f"<term>{escaped(tag)}</term>" for tag in said.tags) if said else ""
    topics = "".join(f"<term>{escaped(one)}</term>" for one in said.categories) if said else ""
    source = f'ident="{escaped(language)}" ana="{about.language_source}"'
    parts = [
        _element("abstract", _element("p", said.description if said else ""), markup=True),
        _element("langUsage", _element("language", language, source), markup=True),
        _element("textClass", _element("keywords", topics, 'scheme="categories"', markup=True)
                + _element("keywords", words, 'scheme="tags"', markup=True), markup=True),
    ]  # fmt: skip
    found = "".join(parts)
    return f"\n<profileDesc>{found}</profileDesc>" if found else ""


def _element(name: str, content: str | None, attributes: str = "", markup: bool = False) -> str:
    """An element, or nothing if it has no content.

    >>> _element("date", "2023", 'when="2023"'), _element("date", None)
    ('<date when="2023">2023</date>', '')
    """
    if not content:
        return ""
    start = f"{name} {attributes}" if attributes else name
    return f"<{start}>{content if markup else escaped(content)}</{name}>"


def write(document: Judged, style: Style) -> Iterator[str]:
    """A page in pieces; dropped segments, if included, are in <del>."""
    start, end = f"<TEI{SPACE}>\n{header(document.about())}<text><body>\n", "</body></text>\n</TEI>\n"
    return blocks(filter(None, chain([start], body(structured(document, style)), [end])))
