"""HTML: a small and safe fragment, one <article> a page, or a whole document (Style.standalone).

html_tree.py writes the page itself, this module what is around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stupidos.structure.attributes import attributes_of
from stupidos.structure.node import Node
from stupidos.write import Judged, Style, structured
from stupidos.write.html_tree import escaped, fragment

_HTML_TAG = re.compile(r"<html\b([^>]{1,2000})>", re.IGNORECASE)
_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8}){0,3}")
_HEAD = 1 << 14  # characters in which <html> is searched for

HEAD = """<!DOCTYPE html>
<html{language}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1.05rem/1.6 system-ui, sans-serif }}
img {{ max-width: 100%; height: auto }}
pre, table {{ display: block; max-width: 100%; overflow-x: auto }}
table {{ border-collapse: collapse }}
th, td {{ border: 1px solid #8886; padding: .2rem .6rem; text-align: left; vertical-align: top }}
pre, .callout {{ background: #8881; padding: .6rem 1rem }}
blockquote, .callout {{ margin-left: 0; border-left: .25rem solid #8888; padding-left: 1rem }}
</style>
</head>
<body>
"""
END = "</body>\n</html>\n"


def opening(style: Style, pages: int) -> str:
    """Header of a file of several pages: that of the document which holds them all, if one is wanted."""
    return HEAD.format(language="", title="Web pages") if style.standalone == "file" else ""


def closing(style: Style, pages: int) -> str:
    """Footer of a file of several pages."""
    return END if style.standalone == "file" else ""


def write(document: Judged, style: Style) -> Iterator[str]:
    """A page in pieces, one a top-level block; none if nothing was kept. Dropped segments are in <del>."""
    tree = structured(document, style)
    if isinstance(tree, Node) and not tree.children:
        return
    name = document.id or document.url
    known = _language(document.page.source) if document.page.markup else ""
    language = f' lang="{known}"' if known else ""
    if style.standalone == "page":
        title = " ".join(document.page.title.split()) or name or "A web page"
        yield HEAD.format(language=language, title=escaped(title))
        yield from fragment(tree, name)
        yield END
    else:
        yield from fragment(tree, name, language)


def _language(source: str) -> str:
    """The language that a page declares for itself, if that is a language tag."""
    found = _HTML_TAG.search(source, 0, _HEAD)
    value = attributes_of(found[1]).get("lang", "").strip() if found else ""
    return value if _LANGUAGE.fullmatch(value) else ""
