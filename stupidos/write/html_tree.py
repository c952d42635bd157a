"""The document tree as HTML: a table of element -> form, which is also the list of what may be written.

Everything else is escaped, and the targets of links and images are checked again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from urllib.parse import quote

from stupidos.structure.node import HEADINGS, Child, Node, Tree
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

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_SCHEMES = frozenset(
    f"{name}:" for name in "http https ftp ftps mailto tel sms xmpp irc ircs news magnet geo doi urn".split()
)
_DATA_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp)[;,]", re.IGNORECASE)
_IGNORED = re.compile("[\0-\x20\x7f-\x9f\u2028\u2029\ufeff]+")  # by a browser, inside or before a scheme
_CONTROLS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")


def fragment(tree: Tree, name: str = "", language: str = "") -> Iterator[str]:
    """The <article> of a page, one top-level block at a time.

    >>> print("".join(fragment(Node("document", {}, [Node("p", {}, ["a<b"])]))), end="")
    <article>
    <p>a&lt;b</p>
    </article>
    """
    identity = f"page:{_IGNORED.sub('_', name)}" if name else ""
    yield f'<article id="{escaped(identity)}"{language}>\n' if identity else f"<article{language}>\n"
    page = _Page(tree, f"{identity}:" if identity else "")
    yield from filter(None, map(page.written, tree.children))
    yield "</article>\n"


_escaped_text = escaping(_CONTROLS)


def escaped(text: str) -> str:
    """Text escaped for use in content and between double quotes.

    >>> escaped('"a" < b')
    '&quot;a&quot; &lt; b'
    """
    return _escaped_text(text).replace('"', "&quot;")


def safe_target(address: str, image: bool = False) -> str:
    """The target of a link or image as a browser would read it; empty if its scheme is not a harmless one.

    >>> safe_target("/a?b#c"), safe_target("java\\tscript:alert(1)"), safe_target("data:image/png,AA", True)
    ('/a?b#c', '', 'data:image/png,AA')
    """
    scheme = _SCHEME.match(address)
    if scheme and scheme[0].lower() in _SCHEMES:
        return address
    if image and scheme and _DATA_IMAGE.match(address):
        return address
    return "" if _SCHEME.match(_IGNORED.sub("", address)) else address


class _Page(TreeWriter):
    """Writes the blocks of one page; footnotes and the places that refer to them share identifiers."""

    def __init__(self, tree: Tree, prefix: str = "") -> None:
        super().__init__()
        self.prefix = prefix  # of identifiers, which are unique in a file of several pages
        self.marks: dict[str, str] = {}  # id of a footnote -> the mark shown in the text
        for number, note in enumerate(footnotes(tree), 1):
            name = note.attributes["id"]
            self.marks.setdefault(name, name if is_number(name) else str(number))
        self.references: dict[str, int] = {}  # footnote -> how often it was referred to
        self.numbers: dict[int, str] = {}  # items whose number does not follow from the one before

    # Blocks

    def ordered(self, node: Node) -> Parts:
        """A numbered list; items whose number does not follow from the one before have it as an attribute."""
        backwards = "reversed" in node.attributes
        step = -1 if backwards else 1
        given = node.attributes.get("start", "1" if backwards else "")
        first = int(given) if is_number(given) else 1
        number = first - step
        for item in node.children:
            number += step
            value = item.attributes.get("value", "") if isinstance(item, Node) else ""
            if value != str(number) and is_number(value):
                number = int(value)
                self.numbers[id(item)] = value
        usual = backwards and first == len(node.children)
        start = f' start="{first}"' if is_number(given) and not usual else ""
        return f"<ol{' reversed' if backwards else ''}{start}>\n", "</ol>\n", node.children

    def item(self, node: Node) -> Parts:
        value = self.numbers.pop(id(node), "") if self.numbers else ""
        return (f'<li value="{int(value)}">' if value else "<li>"), "</li>\n", node.children

    def table(self, node: Node) -> Parts:
        """A table; the rows of header cells that it begins with are its <thead>."""
        rows = [child for child in node.children if isinstance(child, Node) and child.tag == "tr"]
        children = [child for child in node.children if isinstance(child, Node) and child.tag == "caption"]
        head = list(takewhile(is_header, rows))
        parts: list[Child] = list(children)
        if head:
            parts.append(Node("thead", None, list(head)))
        if rows[len(head) :]:
            parts.append(Node("tbody", None, list(rows[len(head) :])))
        return "<table>\n", "</table>\n", parts

    def code_block(self, node: Node) -> Parts:
        language = language_of(node)
        known = f' class="language-{escaped(language)}"' if language else ""
        return f"<pre><code{known}>", "</code></pre>\n", node.children

    def callout(self, node: Node) -> Parts:
        title = node.attributes.get("title", "")
        start = f'<aside class="callout {kind_of(node)}">\n'
        if title:
            start += f'<p class="callout-title"><strong>{escaped(title)}</strong></p>\n'
        return start, "</aside>\n", node.children

    def formula(self, node: Node) -> Parts:
        """LaTeX between the delimiters that KaTeX and MathJax find by themselves."""
        if "display" in node.attributes:
            return '<div class="math">\\[', "\\]</div>\n", node.children
        return '<span class="math">\\(', "\\)</span>", node.children

    # Inlines

    def link(self, node: Node) -> Parts:
        href = safe_target(node.attributes.get("href", ""))
        if not href or "</a>" in self.ends:
            return "", "", node.children
        return f'<a href="{escaped(href)}"{_attribute(node, "title")}>', "</a>", node.children

    def image(self, node: Node) -> Parts:
        """An image, or its alternative text if the address of the image is not safe."""
        source = safe_target(node.attributes.get("src", ""), image=True)
        if not source:
            return escaped(node.attributes.get("alt", "")), "", []
        alt = escaped(node.attributes.get("alt", ""))
        return f'<img src="{escaped(source)}" alt="{alt}"{_attribute(node, "title")}>', "", []

    def box(self, node: Node) -> Parts:
        checked = " checked" if "checked" in node.attributes else ""
        return f'<input type="checkbox" disabled{checked}>', "", []

    # Footnotes

    def reference(self, node: Node) -> Parts:
        """The mark of a footnote, a link to it where that is possible."""
        name = node.attributes["id"]
        mark = escaped(self.marks.get(name, name))
        if name not in self.marks or "</a>" in self.ends:
            return f"<sup>{mark}</sup>", "", []
        number = self.references[name] = self.references.get(name, 0) + 1
        identity, target = self.reference_name(name, number), _fragment(self.note_name(name))
        return f'<sup id="{escaped(identity)}"><a href="{target}">{mark}</a></sup>', "", []

    def notes(self, node: Node) -> Parts:
        return '<section class="footnotes">\n<ol>\n', "</ol>\n</section>\n", node.children

    def note(self, node: Node) -> Parts:
        """A footnote, with links back to the places that refer to it at the end of its last paragraph."""
        name = node.attributes["id"]
        mark = self.marks.get(name, "")
        value = f' value="{int(mark)}"' if is_number(mark) else ""
        start = f'<li id="{escaped(self.note_name(name))}"{value}>'
        back: list[Child] = [Node("back", {"id": name, "number": str(n)}) for n in self._numbers(name)]
        children = list(node.children)
        last = children[-1] if children else None
        if isinstance(last, Node) and last.tag == "p":
            children[-1] = Node("p", None, last.children + back)
        else:
            children += back
        return start, "</li>\n", children

    def back(self, node: Node) -> Parts:
        target = self.reference_name(node.attributes["id"], int(node.attributes["number"]))
        return f' <a href="{_fragment(target)}">↩</a>', "", []

    def _numbers(self, name: str) -> range:
        return range(1, self.references.get(name, 0) + 1)

    def note_name(self, name: str) -> str:
        return f"{self.prefix}fn-{_IGNORED.sub('_', name)}"

    def reference_name(self, name: str, number: int) -> str:
        repeated = f"-{number}" if number > 1 else ""
        return f"{self.prefix}fnref-{_IGNORED.sub('_', name)}{repeated}"


def _attribute(node: Node, name: str) -> str:
    value = node.attributes.get(name, "")
    return f' {name}="{escaped(value)}"' if value else ""


def _fragment(identity: str) -> str:
    """The target of a link inside the file."""
    return "#" + escaped(quote(identity, safe="/:@!$&'()*+,;=?-._~", errors="replace"))


def _block(tag: str, inner: str = "") -> tuple[str, str]:
    return f"<{tag}>{inner}", f"</{tag}>\n"


_Page.ESCAPE = _escaped_text
_Page.TAGS = {  # elements without attributes
    **{tag: _block(tag) for tag in (*HEADINGS, "p", "dt", "dd", "caption", "figcaption")},
    **{tag: _block(tag, "\n") for tag in ("ul", "dl", "blockquote", "thead", "tbody")},
    "tr": ("<tr>", "</tr>\n"),
    **{
        tag: (f"<{tag}>", f"</{tag}>")
        for tag in "td th strong em del ins sub sup kbd mark q ruby rt code".split()
    },
    "hr": ("<hr>\n", ""),
    "br": ("<br>\n", ""),
}
_Page.FORMS = {
    "ol": _Page.ordered,
    "li": _Page.item,
    "table": _Page.table,
    "pre": _Page.code_block,
    "figure": _Page.figure,
    "callout": _Page.callout,
    "math": _Page.formula,
    "a": _Page.link,
    "img": _Page.image,
    "noteref": _Page.reference,
    "box": _Page.box,
    "footnotes": _Page.notes,
    "note": _Page.note,
    "back": _Page.back,
}
