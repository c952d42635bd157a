"""TEI P5: one <TEI> per page; several pages in one file are wrapped in <teiCorpus>."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from stupidos.write import About, Judged, Style, blocks, structured
from stupidos.write.tei_body import body, escaped

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
SPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
HEADER = """<teiHeader><fileDesc>
<titleStmt><title>{title}</title></titleStmt>
<publicationStmt><p>Cleaned by stupidos</p></publicationStmt>
<sourceDesc>{source}</sourceDesc>
</fileDesc></teiHeader>
"""


def opening(pages: int) -> str:
    """Header of a file of `pages` pages."""
    if pages == 1:
        return DECLARATION
    return f"{DECLARATION}<teiCorpus{SPACE}>\n" + HEADER.format(title="Web pages", source="<p>Web pages</p>")


def closing(pages: int) -> str:
    """Footer of a file of `pages` pages."""
    return "" if pages == 1 else "</teiCorpus>\n"


def header(about: About) -> str:
    """The <teiHeader>: source of the page and model."""
    source = escaped(about.url or about.id)
    target = f'<ref target="{source}">{source}</ref>' if about.url else source
    model = f"; model {escaped(about.model)} {escaped(about.model_sha256)}".rstrip() if about.model else ""
    return HEADER.format(title=escaped(about.title), source=f"<p>{target}{model}</p>")


def write(document: Judged, style: Style) -> Iterator[str]:
    """A page in pieces; dropped segments, if included, are in <del>."""
    start, end = f"<TEI{SPACE}>\n{header(document.about())}<text><body>\n", "</body></text>\n</TEI>\n"
    return blocks(filter(None, chain([start], body(structured(document, style)), [end])))
