"""TEI P5: one <TEI> per page; several pages in one file are wrapped in <teiCorpus>."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from stupidos.page import Kind, Verdict
from stupidos.write import About, Judged, Style, blocks

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
SPACE = ' xmlns="http://www.tei-c.org/ns/1.0"'
INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
HEADER = """<teiHeader><fileDesc>
<titleStmt><title>{title}</title></titleStmt>
<publicationStmt><p>Cleaned by stupidos</p></publicationStmt>
<sourceDesc>{source}</sourceDesc>
</fileDesc></teiHeader>
"""


def escaped(text: str) -> str:
    """Text for XML, without the characters XML forbids.

    >>> escaped("a\\x00 < b")
    'a &lt; b'
    """
    return INVALID.sub("", text).translate(ESCAPES)


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


def body(verdicts: Sequence[Verdict], dirty: bool) -> Iterator[str]:
    """Lines of the body: a heading opens a <div>, items that follow each other are one <list>."""
    yield "<div>"
    content, listed = False, False
    for segment, score, keep, reason in verdicts:
        if not (keep or dirty):
            continue
        if listed and segment.kind != Kind.ITEM:
            yield "</list>"
            listed = False
        if segment.kind == Kind.HEADING and content:
            yield "</div>\n<div>"
            content = False
        if segment.kind == Kind.ITEM and not listed:
            yield "<list>"
            listed = True
        tag = {Kind.HEADING: "head", Kind.ITEM: "item"}.get(segment.kind, "p")
        content |= tag != "head"
        note = f' ana="{"keep" if keep else "drop"}" n="{score:.2f} {escaped(reason)}"' if dirty else ""
        yield f"<{tag}{note}>{escaped(segment.text).replace(chr(10), '<lb/>' + chr(10))}</{tag}>"
    if listed:
        yield "</list>"
    yield "</div>"


def write(document: Judged, style: Style) -> Iterator[str]:
    """A page in pieces."""
    start, end = f"<TEI{SPACE}>\n{header(document.about())}<text><body>\n", "</body></text>\n</TEI>\n"
    return blocks(chain([start], (f"{line}\n" for line in body(document.verdicts, style.dirty)), [end]))
