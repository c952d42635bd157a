"""The document tree as the body of a TEI P5 text: a table of element -> form.

Headings open nested divisions. Where TEI allows no <head>, such as in a quotation, a heading is a <label>.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from urllib.parse import quote

from stupidos.structure.boxes import CHARACTERS
from stupidos.structure.node import BREAK, HEADINGS, Child, Node, Tree, text_of
from stupidos.write.html_tree import safe_target
from stupidos.write.tree_writer import (
    Parts,
    TreeWriter,
    escaping,
    footnotes,
    is_header,
    is_number,
    kind_of,
    language_of,
)

_INVALID = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_STRAY_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_AUTHORITY = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//")
_HOST = re.compile(r"(?:[\w.~!$&'()*+,;=%:-]*@)?[\w.~!$&'()*+,;=%-]*(?::\d*)?(?=[/?#]|$)")
_SPECIAL = re.compile(r"[^\w:/?@!$&'()*+,;=.~-]", re.ASCII)
_LABEL_END = "</label>\n"
_NOTE_END = "</note>"


_escaped_text = escaping(_INVALID)


def escaped(text: str) -> str:
    """Text escaped for use in content and between double quotes.

    >>> escaped("a\\x00 < b")
    'a &lt; b'
    """
    return _escaped_text(text).replace('"', "&quot;")


def body(tree: Tree) -> Iterator[str]:
    """The divisions of a page, one top-level block at a time."""
    page = _Body(tree)
    levels: list[int] = []  # of the headings of the open divisions; 0 for one without
    for block in _blocks(tree):
        if isinstance(block, Node) and block.tag in HEADINGS:
            level = int(block.tag[1])
            while levels and (levels[-1] >= level or not levels[-1]):
                levels.pop()
                yield "</div>\n"
            levels.append(level)
            yield "<div>\n" + page.written(Node("head", {"level": block.tag}, block.children))
            continue
        if not levels:
            levels.append(0)
            yield "<div>\n"
        yield page.written(block)
    if not levels:
        yield "<div>\n</div>\n"
    yield "</div>\n" * len(levels)
    yield "".join(page.written(Node("unplaced", {"id": name})) for name in list(page.notes))


def _blocks(tree: Tree) -> Iterator[Child]:
    """The blocks of the document without its footnotes; inlines beside them as paragraphs."""
    stack: list[Iterator[Child]] = [iter(tree.children)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif isinstance(child, Node) and child.tag == "div":
            stack.append(iter(child.children))
        elif isinstance(child, str) or not child.block:
            yield Node("p", None, [child])
        elif child.tag != "footnotes":
            yield child


class _Body(TreeWriter):
    """Writes the blocks of one page; a footnote is placed where it is first referred to."""

    def __init__(self, tree: Tree) -> None:
        super().__init__()
        self.notes: dict[str, Node] = {}  # footnotes that were not written yet
        for note in footnotes(tree):
            self.notes.setdefault(note.attributes["id"], note)

    # Blocks

    def head(self, node: Node) -> Parts:
        return f'<head rend="{node.attributes["level"]}">', "</head>\n", node.children

    def heading(self, node: Node) -> Parts:
        return f'<label rend="{node.tag}">', _LABEL_END, node.children

    def item(self, node: Node) -> Parts:
        value = node.attributes.get("value", "")
        return (f'<item n="{int(value)}">' if is_number(value) else "<item>"), "</item>\n", node.children

    def definitions(self, node: Node) -> Parts:
        """Pairs of a term and its definition; several terms, or definitions, beside each other become one."""
        children: list[Child] = []
        last, own = Node(""), False  # the one that is open; whether its list of children is its own
        for child in node.children:
            if not isinstance(child, Node):
                continue
            if child.tag != "dt" and last.tag == "li":
                last.children = last.children if own else list(_as_blocks(last))
                last.children += _as_blocks(child)
                own = True
            elif child.tag == "dt" and last.tag == "term":
                last.children = last.children if own else list(last.children)
                last.children += [BREAK, *child.children]
                own = True
            else:
                if child.tag != "dt" and not children:
                    children.append(Node("term"))
                last, own = Node("term" if child.tag == "dt" else "li", None, child.children), False
                children.append(last)
        if last.tag == "term":
            children.append(Node("li"))
        return '<list type="gloss">\n', "</list>\n", children

    def table(self, node: Node) -> Parts:
        rows = [child for child in node.children if isinstance(child, Node) and child.tag == "tr"]
        columns = max((len(row.children) for row in rows), default=0)
        return f'<table rows="{len(rows)}" cols="{columns}">\n', "</table>\n", node.children

    def row(self, node: Node) -> Parts:
        start = '<row role="label">' if node.children and is_header(node) else "<row>"
        return start, "</row>\n", node.children

    def code_block(self, node: Node) -> Parts:
        language = language_of(node)
        known = f' lang="{escaped(language)}"' if language else ""
        start = f'<ab type="code" xml:space="preserve"><code{known}>'
        return start, "</code></ab>\n", node.children

    def callout(self, node: Node) -> Parts:
        title = node.attributes.get("title", "")
        start = f'<note type="callout" subtype="{kind_of(node)}">\n'
        if title:
            start += f"<label>{escaped(title)}{_LABEL_END}"
        return start, "</note>\n", node.children

    def formula(self, node: Node) -> Parts:
        if "display" in node.attributes:
            return '<p><formula notation="TeX" rend="display">', "</formula></p>\n", node.children
        return '<formula notation="TeX">', "</formula>", node.children

    # Inlines

    def link(self, node: Node) -> Parts:
        target = _pointer(safe_target(node.attributes.get("href", "")))
        if not target:
            return "", "", node.children
        return f'<ref target="{target}">', "</ref>", node.children

    def image(self, node: Node) -> Parts:
        url = _pointer(safe_target(node.attributes.get("src", ""), image=True))
        alt = node.attributes.get("alt", "")
        if not url:
            return escaped(alt), "", []
        return f'<graphic url="{url}">', "</graphic>", [Node("desc", None, [alt])] if alt else []

    def quotation(self, node: Node) -> Parts:
        return ("“", "”", node.children) if _LABEL_END in self.ends else ("<q>", "</q>", node.children)

    def ruby(self, node: Node) -> Parts:
        """Pairs of a base text and its annotation."""
        start, base = "", ""
        for child in node.children:
            text = child if isinstance(child, str) else text_of(child)
            if isinstance(child, Node) and child.tag == "rt":
                start += f"<ruby><rb>{escaped(base)}</rb><rt>{escaped(text)}</rt></ruby>"
                base = ""
            else:
                base += text
        return start + escaped(base), "", []

    # Footnotes

    def reference(self, node: Node) -> Parts:
        """A footnote where it is first referred to, but not inside another one; elsewhere its mark."""
        name = node.attributes["id"]
        if name not in self.notes or _NOTE_END in self.ends:
            return f'<ref type="note" n="{_number(name)}">{escaped(name)}</ref>', "", []
        return self.unplaced(node)

    def box(self, node: Node) -> Parts:
        return CHARACTERS["checked" in node.attributes], "", []

    def unplaced(self, node: Node) -> Parts:
        name = node.attributes["id"]
        return f'<note place="foot" n="{_number(name)}">', _NOTE_END, self.notes.pop(name).children


def _as_blocks(node: Node) -> list[Child]:
    """Mixed content with the inlines it begins with as a paragraph."""
    start = list(takewhile(lambda one: isinstance(one, str) or not one.block, node.children))
    return [Node("p", None, start), *node.children[len(start) :]] if start else node.children


def _number(name: str) -> str:
    return escaped(" ".join(name.split()))


def _pointer(address: str) -> str:
    """An address as an xsd:anyURI without blanks, escaped; empty if it cannot be one.

    >>> _pointer("http://example.org/a b?x=[1]&y=100%"), _pointer("http://example.org:port/")
    ('http://example.org/a%20b?x=%5B1%5D&amp;y=100%25', '')
    """
    address = _INVALID.sub("", address)
    if not address.isascii() or not address.isprintable() or _SPECIAL.search(address):
        address = quote(address, safe=":/?#@!$&'()*+,;=%-._~", errors="replace")
        address = _STRAY_PERCENT.sub("%25", address)
        before, mark, fragment = address.partition("#")
        address = before + mark + fragment.replace("#", "%23")
    authority = _AUTHORITY.match(address)
    if authority and not _HOST.match(address, authority.end()):
        return ""
    if ":" in re.split("[/?#]", address, maxsplit=1)[0] and not _SCHEME.match(address):
        address = f"./{address}"
    return escaped(address)


def _hi(rend: str) -> tuple[str, str]:
    return f'<hi rend="{rend}">', "</hi>"


_Body.ESCAPE = _escaped_text
_Body.TAGS = {
    "p": ("<p>", "</p>\n"),
    "ul": ('<list rend="bulleted">\n', "</list>\n"),
    "ol": ('<list rend="numbered">\n', "</list>\n"),
    "term": ("<label>", _LABEL_END),
    "caption": ("<head>", "</head>\n"),
    "td": ("<cell>", "</cell>"),
    "th": ('<cell role="label">', "</cell>"),
    "blockquote": ("<quote>\n", "</quote>\n"),
    "figcaption": ("<head>", "</head>\n"),
    "desc": ("<desc>", "</desc>"),
    "hr": ('<milestone unit="section" rend="rule"/>\n', ""),
    "br": ("<lb/>\n", ""),
    "strong": _hi("bold"),
    "em": _hi("italic"),
    "sub": _hi("subscript"),
    "sup": _hi("superscript"),
    "kbd": _hi("kbd"),
    "mark": _hi("mark"),
    "del": ("<del>", "</del>"),
    "ins": ("<add>", "</add>"),
    "code": ("<code>", "</code>"),
}
_Body.FORMS = {
    **dict.fromkeys(HEADINGS, _Body.heading),
    "head": _Body.head,
    "li": _Body.item,
    "dl": _Body.definitions,
    "table": _Body.table,
    "tr": _Body.row,
    "pre": _Body.code_block,
    "figure": _Body.figure,
    "callout": _Body.callout,
    "math": _Body.formula,
    "a": _Body.link,
    "img": _Body.image,
    "q": _Body.quotation,
    "ruby": _Body.ruby,
    "noteref": _Body.reference,
    "unplaced": _Body.unplaced,
    "box": _Body.box,
}
