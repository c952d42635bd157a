"""Bytes or text to a Page: decode, sniff, tokenise, lay out."""

from __future__ import annotations

import gc
import re
from typing import Literal

from stupidos.page import Page, Segment
from stupidos.render.layout import Laid, laid_out
from stupidos.render.options import RenderOptions
from stupidos.render.references import unescaped
from stupidos.render.segments import segments
from stupidos.render.tokens import RAW_ELEMENT, SPLIT

Input = Literal["auto", "html", "text"]

OWN_MARKS = dict.fromkeys(range(3), "\ufffd")  # the renderer's own marks must not come from a page
RETRIES = 3  # layouts of a page whose skipped elements do not end; in the last nothing is skipped
NEARLY_EMPTY = 50  # characters; then an element that swallowed the page is looked for
SWALLOWS = re.compile(r"<(?:!--|(?:script|style|title|textarea|xmp|plaintext)\b)", re.IGNORECASE)
DEFAULT = RenderOptions()


def laid(source: str, options: RenderOptions) -> tuple[Laid, int]:
    """The layout of a page, and the number of pieces it was split into."""
    pieces: list[str | None] = SPLIT.split(source)
    pieces += (None, None)
    unclosed: set[str] | None = set()
    result = laid_out(pieces, options, unclosed)
    for retry in range(RETRIES):
        if not result.unclosed:
            break
        unclosed = None if retry == RETRIES - 1 or unclosed is None else unclosed | {result.unclosed}
        result = laid_out(pieces, options, unclosed)
    return result, len(pieces)


def without_swallower(source: str) -> str:
    """`source` with the "<" blanked out of an element that never ends and took the rest of the page."""
    last = None
    for last in SPLIT.finditer(source):
        pass
    if last is None or last.end() < len(source) or not SWALLOWS.match(source, last.start()):
        return source
    return f"{source[: last.start()]} {source[last.start() + 1 :]}"


def page(source: str, options: RenderOptions = DEFAULT, encoding: str = "unicode") -> Page:
    """An HTML page, rendered."""
    source = "" if source is None else source
    if "\0" in source or "\1" in source or "\2" in source:
        source = source.translate(OWN_MARKS)
    collects = gc.isenabled()
    gc.disable()  # thousands of values are made and none of them is a cycle
    try:
        found, pieces = laid(source, options)
        if len(found.text) < NEARLY_EMPTY < len(source):
            other = without_swallower(source)
            if other is not source:
                found, pieces = laid(other, options)
        made = segments(found, pieces, source, options.hidden)
    finally:
        if collects:
            gc.enable()
    title = " ".join(unescaped(found.title).split()) if found.title else ""
    return Page(source, title, made, True, encoding)


def render(html: str | bytes, options: RenderOptions = DEFAULT) -> list[Segment]:
    """The segments of an HTML page: paragraphs, headings and list items.

    >>> [(segment.kind.value, segment.text) for segment in render("<h1>Tea</h1><p>Hot <b>or</b> cold.")]
    [('h', 'Tea'), ('p', 'Hot or cold.')]
    """
    return list(read(html, "html", options).segments)


def read(
    data: str | bytes, kind: Input = "auto", options: RenderOptions = DEFAULT, header: str | None = None
) -> Page:
    """A page or a plain-text dump, from bytes in any encoding."""
    encoding = "unicode"
    if isinstance(data, (bytes, bytearray, memoryview)):
        from stupidos.decode import decode

        data, encoding = decode(bytes(data), header)
    if kind == "auto":
        from stupidos.render.sniff import looks_like_html

        kind = "html" if looks_like_html(data) else "text"
    if kind == "html":
        return page(data, options, encoding)
    from stupidos.render import dump

    return Page(data, "", dump.segments(data), False, encoding)


def text(html: str) -> str:
    """Every element's character data with a blank where a tag was, scripts and style sheets aside.

    >>> text("<p>1 &lt; 2<textarea>3</textarea>")
    ' 1 < 2  3 '
    """
    parts: list[str] = []
    pieces: list[str | None] = [*SPLIT.split(html), None, None]
    iterator = iter(pieces)
    for before, name, _ in zip(iterator, iterator, iterator):
        parts.append(unescaped(before or ""))
        if name is None:
            continue
        parts.append(" ")
        raw = RAW_ELEMENT.match(name)
        if raw and raw[1].lower() in RAW_TEXT:
            content = name[raw.end() :]
            parts += (unescaped(content) if RAW_TEXT[raw[1].lower()] else content, " ")
    return "".join(parts)


RAW_TEXT = {"title": True, "textarea": True, "xmp": False, "plaintext": False}  # whether references count
