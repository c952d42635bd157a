"""The original page, to be shown beside its segments: nothing of it runs, and nothing is loaded.

The page is served with a policy that allows no scripts and no requests, and shown in a sandboxed frame of its
own origin. What would only be blocked there is left out: scripts, links to style sheets, embedded pages. The
text of segment 12 is wrapped in elements of the class stupidos-12, the first of which has that id: the
fragment of the frame's address highlights the segment, which needs no script either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from stupidos.page import Page
from stupidos.render.tokens import SPLIT

# Style sheets may be inline, images part of the page; the sandbox holds even outside a frame.
POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
_LEFT_OUT = frozenset(
    "link meta base iframe frame frameset object embed applet portal fencedframe script".split()
)
_LEADING = re.compile(
    r"(?<![\w-])(href|ping|target|action|formaction|autofocus)(?=[\s=>/]|\Z)", re.IGNORECASE
)
_WRAPPER = "stupidos-segment"
_PREFIX = "stupidos-"
_MOST_RULES = 3000  # segments that are highlighted whole; of a longer page the first piece of each

# Content that scripts would fade in is shown anyway; so is whatever contains the selected segment.
_STYLE = """
:root { color-scheme: light; background: #fff; color: #111; }
* { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
a, button, input, select, textarea, label, summary { pointer-events: none !important; }
img, svg, video, canvas { max-width: 100% !important; height: auto; }
html:root, html:root > body, :has(stupidos-segment:target) {
  opacity: 1 !important; visibility: visible !important;
}
stupidos-segment { scroll-margin: 35vh 0; }
stupidos-segment:target, RULES {
  background: #ffe27a !important; color: #111 !important;
  outline: 3px solid #1b5fb0 !important; outline-offset: 2px;
}
"""


def original(page: Page) -> str:
    """The page as HTML, with its segments marked."""
    body = "".join(_marked_html(page) if page.markup else _marked_text(page))
    return f"<!doctype html>\n<style>{_style(len(page.segments))}</style>\n{body}"


def _style(segments: int) -> str:
    """Style rules by which the fragment of the address highlights all pieces of a segment."""
    rules = (f":root:has(#{_PREFIX}{i}:target) .{_PREFIX}{i}" for i in range(min(segments, _MOST_RULES)))
    return _STYLE.replace("RULES", ",\n".join(rules) or f"{_WRAPPER}:target")


def _marked_html(page: Page) -> Iterator[str]:
    """The pieces of an HTML page; token n is the n-th text and the tag after it."""
    source = page.tokens.source if page.tokens is not None else page.source
    owners = _owners(page)
    seen: set[int] = set()
    at = token = 0
    for token, match in enumerate(SPLIT.finditer(source), 1):
        yield _wrapped(source[at : match.start()], owners.get(token - 1), seen)
        yield _safe_tag(match)
        at = match.end()
    yield _wrapped(source[at:], owners.get(token), seen)


def _owners(page: Page) -> dict[int, int]:
    """The segment of each token, without those inside elements that were skipped, such as buttons."""
    owners = {
        token: i
        for i, segment in enumerate(page.segments)
        if segment.offsets is not None
        for token in range(segment.first, segment.last + 1)
    }
    for first, last in page.tokens.skips if page.tokens is not None else ():
        for token in range(first, last + 1):
            owners.pop(token, None)
    return owners


def _wrapped(text: str, owner: int | None, seen: set[int]) -> str:
    """A text in an element that can be highlighted; white space alone belongs to no segment."""
    if owner is None or not text.strip():
        return text
    name = f"{_PREFIX}{owner}"
    identity = "" if owner in seen else f' id="{name}"'
    seen.add(owner)
    return f'<{_WRAPPER} class="{name}"{identity}>{text}</{_WRAPPER}>'


def _safe_tag(match: re.Match[str]) -> str:
    """A tag without what leads elsewhere; nothing for a tag that is left out.

    >>> _safe_tag(SPLIT.match('<a class=x href="/tea">')), _safe_tag(SPLIT.match("<link rel=preload>"))
    ('<a class=x data-href="/tea">', '')
    """
    name = match[1]
    if name is None:  # a script, a comment, a doctype; of these only style sheets are shown
        return match[0] if match[0][:6].lower() == "<style" else ""
    if name.lstrip("/").lower() in _LEFT_OUT:
        return ""
    attributes = match[2] or ""
    if ">" in name or not attributes:
        return match[0]
    return match[0].replace(attributes, _LEADING.sub(r"data-\1", attributes), 1)


def _marked_text(page: Page) -> Iterator[str]:
    """A plain-text dump."""
    yield "<pre>"
    at = 0
    seen: set[int] = set()
    for i, segment in enumerate(page.segments):
        start, end = segment.start, segment.end
        if segment.offsets is None or not at <= start < end:
            continue
        yield escape(page.source[at:start], quote=False)
        yield _wrapped(escape(page.source[start:end], quote=False), i, seen)
        at = end
    yield escape(page.source[at:], quote=False)
    yield "</pre>"
