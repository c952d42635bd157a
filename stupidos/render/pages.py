"""Bytes or text to a Page: decode, sniff, tokenise, lay out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from stupidos.page import MAX_SEGMENTS, Page, Segment
from stupidos.render.layout import PageLayout, lay_out
from stupidos.render.options import RenderOptions
from stupidos.render.page_tokens import PageTokens
from stupidos.render.references import unescaped
from stupidos.render.segments import segments, squeezed
from stupidos.render.tokens import (
    FEW_TAGS,
    MOST_SEGMENTS,
    RAW_ELEMENT,
    RAW_TEXT,
    SPLIT,
    WHOLE,
    parts,
    pieces_of,
)
from stupidos.render.without_gc import without_gc

Input = Literal["auto", "html", "text"]

# The renderer's own marks must not come from a page; \x03 is removed later on like all controls.
_OWN_MARKS = {0: "\ufffd", 1: "\x03", 2: "\x03"}
RETRIES = 3  # layouts of a page whose skipped elements do not end; in the last nothing is skipped
NEARLY_EMPTY = 50  # characters; then an element that swallowed the page is looked for
SPEAKS = re.compile(r"<(?:xmp|plaintext)\b", re.IGNORECASE)  # what they swallow is shown
_SOME_TAG = re.compile(r"</?[a-zA-Z]")
FILLED = 20  # segments; a page with so many does not wait for scripts to fill it
DEFAULT = RenderOptions()


def layout_of(source: str, options: RenderOptions) -> PageLayout:
    """The layout of a page."""
    few = len(source) <= WHOLE or source.count("<") <= FEW_TAGS
    at_once = pieces_of(source) if few or options.pieces else None
    unclosed: set[str] | None = set()
    for retry in range(RETRIES + 1):
        result = PageLayout()
        pieces = iter(at_once) if at_once else chain.from_iterable(in_parts(source, result))
        lay_out(pieces, options, unclosed, result)
        if not result.unclosed:
            break
        unclosed = None if retry == RETRIES - 1 or unclosed is None else unclosed | {result.unclosed}
    if options.pieces:
        result.pieces = at_once
    return result


def in_parts(source: str, layout: PageLayout) -> Iterator[Sequence[str | None]]:
    """The same for a large page, a part at a time; behind MOST_SEGMENTS of its layout all is one text."""
    rest: list[str] = []
    tags = 0
    for part in parts(source):
        if len(layout.marks) >= 4 * MOST_SEGMENTS:
            if layout.tags is None:
                layout.tags = tags
            rest.append(" ".join([text or "" for text in part[::3]]))
            continue
        tags += len(part) // 3
        yield part
    if layout.tags is not None:
        yield [" ".join(rest)]
    yield (None, None)


def without_swallower(source: str) -> str:
    """`source` with the start tag blanked out of an element that never ends and took the rest of the page.

    >>> without_swallower("<p>Tea<title>Coffee<p>Milk")
    '<p>Tea       Coffee<p>Milk'
    """
    start = len(source)
    for tag in SPLIT.finditer(source):
        start = tag.start()
    again = SPLIT.match(source[start:] + "<p>")
    if again is None or again.end() <= len(source) - start or SPEAKS.match(source, start):
        return source
    end = start + len("<!--") if source.startswith("<!--", start) else source.find(">", start) + 1
    if end <= start or not _SOME_TAG.search(source, end):
        return source
    return f"{source[:start]}{' ' * (end - start)}{source[end:]}"


class Read(NamedTuple):
    """A page as it was layout_of out."""

    source: str
    layout: PageLayout
    texts: list[str]  # of its segments
    short: bool  # hardly any text


def laid_out_page(source: str, options: RenderOptions) -> Read:
    """A page layout_of out; marks of the renderer's own that came from the page are taken out first."""
    found = layout_of(source, options)
    short, marred = len(found.text) < NEARLY_EMPTY, has_own_marks(found.text, source)
    texts = squeezed(found.text if short else found.taken())
    if marred or 4 * len(texts) != len(found.marks):
        del found, texts
        source = source.translate(_OWN_MARKS)
        found = layout_of(source, options)
        short = len(found.text) < NEARLY_EMPTY
        texts = squeezed(found.text if short else found.taken())
    return Read(source, found, texts, short)


def rescued(page: Read, options: RenderOptions) -> Read:
    """Lay out a page again without an unclosed element that swallowed nearly all of it."""
    for _ in range(RETRIES):
        source = without_swallower(page.source)
        if source is page.source:
            break
        page = laid_out_page(source, options)
        if not page.short:
            break
    return page


@without_gc
def page(source: str, options: RenderOptions = DEFAULT, encoding: str = "unicode") -> Page:
    """An HTML page, rendered."""
    first = laid_out_page(source, options)
    read_as, found, texts, short = first
    if short:
        read_as, found, texts, _ = rescued(first, options)
    source = first.source
    del first
    tokens = tokens_of(found, read_as, options)
    made = segments(found, texts, tokens, options.hidden)
    if found.hid and not made:
        options = options._replace(hidden=True)
        read_as, found, texts, _ = laid_out_page(read_as, options)
        tokens = tokens_of(found, read_as, options)
        made = segments(found, texts, tokens, options.hidden)
    title = squeezed(found.title.replace("\0", "") + "\0")[0] if found.title else ""
    truncated = MAX_SEGMENTS if found.tags is not None else ""
    return Page(source, title, made, True, encoding, found.head, truncated, tokens)


def has_own_marks(text: str, source: str) -> bool:
    """True if marks of the renderer's own came from the page; the text is looked at first, as it is short."""
    return ("\1" in text and "\1" in source) or ("\2" in text and "\2" in source)


def tokens_of(found: PageLayout, source: str, options: RenderOptions) -> PageTokens:
    """The tokens that a layout was made from."""
    return PageTokens(source, options, found.skips, found.pieces, found.tags)


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
        return with_script_text(page(data, options, encoding))
    from stupidos.render import dump

    return Page(data, "", dump.segments(data), False, encoding)


def with_script_text(page: Page) -> Page:
    """The page; if it is nearly empty, with the texts of its JSON-LD and description."""
    if len(page.segments) >= FILLED:
        return page
    from stupidos.render import script_filled

    return script_filled.filled(page)


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
