"""Inlines as Markdown, and text escaped so that it is read as text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from stupidos.structure.node import Child, Node

# `_` inside a word and `&` before anything but a reference mean themselves
_INLINE = re.compile(r"[\\`*\[\]<]|(?<!\w)_|_(?!\w)|&(?=#?\w{1,32};)|~(?=~)|(?<=~)~")
_LINE_START = re.compile(
    r"^(\s*)(?:(#{1,6}|[-+])(?=\s|$)|(>|[-=]+[ \t]*$|[|:-](?=[-:| ]*-[-:| ]*$))|(\d{1,9})([.)])(?=\s|$))",
    re.MULTILINE,
)
_STARTING = frozenset("#-+>=|:0123456789")
_IN_TARGET = re.compile(r"[\s<>\\\x00-\x1f\x7f]")
_PLAIN_TARGET = re.compile(r"[!#-%'*-;=?-\[\]-~]*+")  # nothing to escape in it
_BACKTICKS = re.compile(r"`+")


def escaped(text: str) -> str:
    """Escape text for Markdown; line breaks are kept.

    >>> print(escaped("1. snake_case *and* a<b"))
    1\\. snake_case \\*and\\* a\\<b
    """
    return starts_escaped(_INLINE.sub(r"\\\g<0>", text)).strip().replace("\n", "\\\n")


def _may_be_markup(text: str) -> bool:
    """Whether a text holds a character that _INLINE may find; three times as fast as a set of characters."""
    return (
        "*" in text or "_" in text or "[" in text or "]" in text or "<" in text or "&" in text
        or "`" in text or "\\" in text or "~" in text
    )  # fmt: skip


def starts_escaped(text: str) -> str:
    """Lines that would begin a heading, an item, a quote or a table escaped."""
    if "\n" in text:
        return _LINE_START.sub(_escaped_start, text)
    start = _LINE_START.match(text) if text[:1] in _STARTING else None
    return _escaped_start(start) + text[start.end() :] if start else text


def _escaped_start(match: re.Match[str]) -> str:
    blank, mark, rule, number, dot = match.groups()
    return f"{blank}{number}\\{dot}" if number else f"{blank}\\{mark or rule}"


def _link_target(address: str) -> str:
    """The target of a link or image, escaped for use between parentheses.

    >>> _link_target("a b(c"), _link_target("x(y)")
    ('a%20b%28c', 'x(y)')
    """
    if _PLAIN_TARGET.fullmatch(address):
        return address
    address = _IN_TARGET.sub(_percent, address)
    if "(" in address or ")" in address:
        depth = 0
        for one in address:
            depth += (one == "(") - (one == ")")
            if depth < 0:
                break
        if depth:
            address = address.replace("(", "%28").replace(")", "%29")
    return address.replace("&", "&amp;") if _REFERENCE.search(address) else address


_REFERENCE = re.compile(r"&#?\w{1,32};")


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _code_span(text: str) -> str:
    """A code span, between more backticks than it holds in a row.

    >>> _code_span("a`b"), _code_span("`")
    ('``a`b``', '`` ` ``')
    """
    runs = {len(run) for run in _BACKTICKS.findall(text)}
    ticks = "`" * next(size for size in range(1, len(runs) + 2) if size not in runs)
    pad = " " if text[0] == "`" or text[-1] == "`" or (text[0] == " " == text[-1] and text.strip()) else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _is_punctuation(one: str) -> bool:
    return unicodedata.category(one)[0] in "PS"


def _flanked(before: str, text: str, behind: str) -> bool:
    """Whether delimiters around `text` open and close emphasis between these two characters."""
    first, last = text[0], text[-1]
    if first.isspace() or last.isspace():
        return False
    if first.isalpha() and last.isalpha():
        return True
    opens = not _is_punctuation(first) or before.isspace() or _is_punctuation(before)
    closes = not _is_punctuation(last) or behind.isspace() or _is_punctuation(behind)
    return opens and closes


def plain(children: list[Child]) -> str | None:
    """The text of inlines that are nothing but a text without marks of Markdown; None if they are more."""
    only = children[0] if len(children) == 1 else None
    return only.strip() if isinstance(only, str) and not _may_be_markup(only) and "$" not in only else None


class Inlines:
    """A run of inlines, with marks of Markdown among them."""

    def __init__(self, children: list[Child], line_break: str = "\\\n") -> None:
        self.children = children
        self.dollars = False  # whether they are escaped: one alone begins no formula
        self.linked = False  # inside a link, which cannot hold another one
        self.line_break = line_break

    def marked(self) -> str:
        text = self.run(self.children, " ", " ")
        if text.count("$") > 1:
            self.dollars = True
            text = self.run(self.children, " ", " ")
        return text.strip()

    def run(self, children: list[Child], before: str, behind: str) -> str:
        """Inlines between two characters."""
        only = children[0] if len(children) == 1 else None
        if isinstance(only, str) and not _may_be_markup(only) and "$" not in only:  # most links and emphasis
            return only
        out: list[str] = []
        for at, child in enumerate(children):
            if isinstance(child, str):
                text = _INLINE.sub(r"\\\g<0>", child) if _may_be_markup(child) else child
                if self.dollars and "$" in text:
                    text = text.replace("$", "\\$")
                if text.endswith("!") and at + 1 < len(children) and _first(children[at + 1]) == "[":
                    text = text[:-1] + "\\!"
                out.append(text)
                continue
            form = _FORMS.get(child.tag)
            if form is not None:
                out.append(form(self, child))
                continue
            previous = out[-1][-1] if out and out[-1] else before
            following = _first(children[at + 1]) if at + 1 < len(children) else behind
            out.append(_BETWEEN.get(child.tag, Inlines.plain)(self, child, previous, following))
        return "".join(out)

    def plain(self, node: Node, before: str, behind: str) -> str:
        return self.run(node.children, before, behind)

    def strong(self, node: Node, before: str, behind: str) -> str:
        return self._delimited(node, "**", "strong", before, behind)

    def em(self, node: Node, before: str, behind: str) -> str:
        text = self.run(node.children, "*", "*")
        if "*" in (before, behind, text[:1], text[-1:]):
            if not (before.isalnum() or behind.isalnum()) and text and _flanked(before, text, behind):
                return f"_{self.run(node.children, '_', '_')}_"
            return f"<em>{text}</em>"
        return self._delimited(node, "*", "em", before, behind)

    def struck(self, node: Node, before: str, behind: str) -> str:
        text = self.run(node.children, "~", "~")
        if "~" in (before, behind, text[:1], text[-1:]):  # three of them begin a code block
            return f"<del>{text}</del>"
        return self._delimited(node, "~~", "del", before, behind)

    def _delimited(self, node: Node, mark: str, tag: str, before: str, behind: str) -> str:
        text = self.run(node.children, mark[0], mark[0])
        if text and _flanked(before, text, behind):
            return f"{mark}{text}{mark}"
        return f"<{tag}>{text}</{tag}>"

    def html(self, node: Node) -> str:
        return f"<{node.tag}>{self.run(node.children, '>', '<')}</{node.tag}>"

    def quotation(self, node: Node) -> str:
        return f"“{self.run(node.children, '“', '”')}”"

    def code(self, node: Node) -> str:
        text = "".join(child for child in node.children if isinstance(child, str)).replace("\n", " ")
        return _code_span(text) if text else ""

    def link(self, node: Node) -> str:
        if self.linked:  # table cells and the like keep a link open that holds others
            return self.run(node.children, " ", " ")
        self.linked = True
        text = self.run(node.children, "[", "]")
        self.linked = False
        if text.startswith("^"):
            text = "\\" + text
        return f"[{text}]({_link_target(node.attributes['href'])}{_title(node)})"

    def image(self, node: Node) -> str:
        alt = _INLINE.sub(r"\\\g<0>", node.attributes.get("alt", ""))
        if self.dollars:
            alt = alt.replace("$", "\\$")
        return f"![{alt}]({_link_target(node.attributes['src'])}{_title(node)})"

    def br(self, node: Node) -> str:
        return self.line_break

    def math(self, node: Node) -> str:
        latex = " ".join("".join(child for child in node.children if isinstance(child, str)).split())
        return f"${harmless(latex)}$"

    def box(self, node: Node) -> str:
        return "[x]" if "checked" in node.attributes else "[ ]"

    def noteref(self, node: Node) -> str:
        return f"[^{node.attributes['id']}]"


_LIKE_MARKUP = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(\[:])")


def harmless(latex: str) -> str:
    """LaTeX that means the same, but neither HTML nor a link to a renderer that knows no formulas.

    >>> harmless("a<b")
    'a< b'
    """
    return _LIKE_MARKUP.sub(r"\g<0> ", latex)


def _title(node: Node) -> str:
    if "title" not in node.attributes:
        return ""
    title = " ".join(node.attributes["title"].split())
    if not title:
        return ""
    text = title.replace("\\", "\\\\").replace('"', '\\"')
    return f' "{_AMPERSAND.sub("&amp;", text)}"'


_AMPERSAND = re.compile(r"&(?=#?\w{1,32};)")

_BETWEEN: dict[str, Callable[[Inlines, Node, str, str], str]] = {  # depend on the characters around them
    "strong": Inlines.strong,
    "em": Inlines.em,
    "del": Inlines.struck,
}
_FORMS: dict[str, Callable[[Inlines, Node], str]] = {
    "code": Inlines.code,
    "a": Inlines.link,
    "img": Inlines.image,
    "br": Inlines.br,
    "math": Inlines.math,
    "box": Inlines.box,
    "noteref": Inlines.noteref,
    "q": Inlines.quotation,
    **dict.fromkeys(("sub", "sup", "kbd", "mark", "ins", "ruby", "rt"), Inlines.html),
}
_FIRST = {"strong": "*", "em": "*", "del": "~", "code": "`", "a": "[", "img": "!", "br": " ", "math": "$",
          "noteref": "[", "box": "[", "q": "“"}  # fmt: skip


def _first(child: Child) -> str:
    """The first character that an inline is written with."""
    if isinstance(child, str):
        return child[:1] or " "
    return _FIRST.get(child.tag, "<")
