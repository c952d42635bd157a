"""Turn bytes or text into a Page: decode, detect the input kind, split, lay out."""

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

# A page must not contain the marks of the renderer; \x03 is removed later, like all control characters.
_OWN_MARKS = {0: "\ufffd", 1: "\x03", 2: "\x03"}
_RETRIES = 3  # of the layout if a skipped element is never closed; the last one skips nothing
_NEARLY_EMPTY = 50  # characters; below this, look for an unclosed element that contains the rest of the page
_SHOWN_RAW = re.compile(r"<(?:xmp|plaintext)\b", re.IGNORECASE)  # their content is shown anyway
_ANY_TAG = re.compile(r"</?[a-zA-Z]")
_FILLED = 20  # segments; a page with this many is not filled by scripts
_DEFAULT = RenderOptions()


def _layout_of(source: str, options: RenderOptions) -> PageLayout:
    """Lay out a page, again without skipping an element that turns out to be unclosed."""
    few = len(source) <= WHOLE or source.count("<") <= FEW_TAGS
    at_once = pieces_of(source) if few or options.pieces else None
    unclosed: set[str] | None = set()
    for retry in range(_RETRIES + 1):
        result = PageLayout()
        pieces = iter(at_once) if at_once else chain.from_iterable(_in_parts(source, result))
        lay_out(pieces, options, unclosed, result)
        if not result.unclosed:
            break
        unclosed = None if retry == _RETRIES - 1 or unclosed is None else unclosed | {result.unclosed}
    if options.pieces or options.structure:
        result.pieces = at_once
    if result.formulas and options.hidden and not options.aria_hidden and _shows_formulas_twice(source):
        once = _layout_of(source, options._replace(aria_hidden=True))
        return once if once.marks else result
    return result


def _shows_formulas_twice(source: str) -> bool:
    """Whether KaTeX or MathJax wrote formulas as MathML and, hidden from screen readers, for the eye."""
    return "katex-html" in source or "MJX_Assistive_MathML" in source


def _in_parts(source: str, layout: PageLayout) -> Iterator[Sequence[str | None]]:
    """The pieces of a large page, part by part; after MOST_SEGMENTS segments the rest is one text."""
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


def _without_swallower(source: str) -> str:
    """Blank out the start tag of an unclosed element that contains the rest of the page.

    >>> _without_swallower("<p>Tea<title>Coffee<p>Milk")
    '<p>Tea       Coffee<p>Milk'
    """
    start = len(source)
    for tag in SPLIT.finditer(source):
        start = tag.start()
    again = SPLIT.match(source[start:] + "<p>")
    if again is None or again.end() <= len(source) - start or _SHOWN_RAW.match(source, start):
        return source
    end = start + len("<!--") if source.startswith("<!--", start) else source.find(">", start) + 1
    if end <= start or not _ANY_TAG.search(source, end):
        return source
    return f"{source[:start]}{' ' * (end - start)}{source[end:]}"


class _LaidOut(NamedTuple):
    """A page after layout."""

    source: str
    layout: PageLayout
    texts: list[str]  # one a segment
    short: bool  # less than _NEARLY_EMPTY of text


def _laid_out_page(source: str, options: RenderOptions) -> _LaidOut:
    """Lay out a page, again without the renderer's marks if its source contains them."""
    layout = _layout_of(source, options)
    short, has_marks = len(layout.text) < _NEARLY_EMPTY, _has_own_marks(layout.text, source)
    texts = squeezed(layout.text if short else layout.taken())
    if has_marks or 4 * len(texts) != len(layout.marks):
        del layout, texts
        source = source.translate(_OWN_MARKS)
        layout = _layout_of(source, options)
        short = len(layout.text) < _NEARLY_EMPTY
        texts = squeezed(layout.text if short else layout.taken())
    return _LaidOut(source, layout, texts, short)


def _without_unclosed(page: _LaidOut, options: RenderOptions) -> _LaidOut:
    """Lay out a page again without an unclosed element that contains nearly all of it."""
    for _ in range(_RETRIES):
        source = _without_swallower(page.source)
        if source is page.source:
            break
        page = _laid_out_page(source, options)
        if not page.short:
            break
    return page


@without_gc
def page(source: str, options: RenderOptions = _DEFAULT, encoding: str = "unicode") -> Page:
    """Render an HTML page."""
    first = _laid_out_page(source, options)
    read_as, layout, texts, short = first
    if short:
        read_as, layout, texts, _ = _without_unclosed(first, options)
    source = first.source
    del first
    tokens = _tokens_of(layout, read_as, options)
    rendered = segments(layout, texts, tokens, options.hidden)
    if layout.hid and not rendered:
        options = options._replace(hidden=True)
        read_as, layout, texts, _ = _laid_out_page(read_as, options)
        tokens = _tokens_of(layout, read_as, options)
        rendered = segments(layout, texts, tokens, options.hidden)
    title = squeezed(layout.title.replace("\0", "") + "\0")[0] if layout.title else ""
    truncated = MAX_SEGMENTS if layout.tags is not None else ""
    return Page(source, title, rendered, True, encoding, layout.head, truncated, tokens)


def _has_own_marks(text: str, source: str) -> bool:
    """Whether the page contains marks of the renderer; the text is checked first, as it is shorter."""
    return ("\1" in text and "\1" in source) or ("\2" in text and "\2" in source)


def _tokens_of(layout: PageLayout, source: str, options: RenderOptions) -> PageTokens:
    """The tokens of a laid-out page."""
    backwards = layout.numbering.finish()
    return PageTokens(source, options, layout.skips, layout.pieces, layout.tags, backwards)


def render(html: str | bytes, options: RenderOptions = _DEFAULT) -> list[Segment]:
    """The segments of an HTML page: paragraphs, headings and list items.

    >>> [(segment.kind.value, segment.text) for segment in render("<h1>Tea</h1><p>Hot <b>or</b> cold.")]
    [('h', 'Tea'), ('p', 'Hot or cold.')]
    """
    return list(read(html, "html", options).segments)


def read(
    data: str | bytes, kind: Input = "auto", options: RenderOptions = _DEFAULT, header: str | None = None
) -> Page:
    """Read an HTML page or a plain-text dump, from text or from bytes in any encoding."""
    encoding = "unicode"
    if isinstance(data, (bytes, bytearray, memoryview)):
        from stupidos.decode import decode

        data, encoding = decode(bytes(data), header)
    if kind == "auto":
        from stupidos.render.sniff import looks_like_html

        kind = "html" if looks_like_html(data) else "text"
    if kind == "html":
        return _with_script_text(page(data, options, encoding))
    from stupidos.render import dump

    return Page(data, "", dump.segments(data), False, encoding)


def _with_script_text(page: Page) -> Page:
    """Append the texts of JSON-LD and description to a page that is nearly empty."""
    if len(page.segments) >= _FILLED:
        return page
    from stupidos.render import script_filled

    return script_filled.filled(page)


def text(html: str) -> str:
    """The character data of a page without scripts and style sheets; tags become blanks.

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
