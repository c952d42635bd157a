"""Formulas as LaTeX: MathML, KaTeX, MathJax, images and attributes that hold the source of a formula."""

from __future__ import annotations

import re
from functools import lru_cache

from stupidos.structure import mathml
from stupidos.structure.node import Child, Node, text_of, walk

_TELLING = re.compile(
    r"(?:^|[\s_-])(?:katex|mathjax|mjx|math|tex|latex|formula|equation|mwe-math|hurmet)|^math|arithmatex",
    re.IGNORECASE,
)
_SOURCES = ("data-latex", "data-tex", "data-math", "data-entry", "data-expr", "data-formula", "alttext")
_SOURCE_NAMES = frozenset(_SOURCES)
_DISPLAY = re.compile(
    r"(?:^|\s)(?:katex-display|math-block|math-display|MathJax_Display|display-math|tml-display|block-math"
    r"|mwe-math-fallback-image-display|math display)(?:\s|$)"
)
_IMAGE = re.compile(r"\\(?:[a-zA-Z]{2,}|[{}|])|[_^]\{")
_LATEX_CLASS = re.compile(
    r"(?:^|[\s_-])(?:latex|tex|mwe-math[\w-]*|math|equation)(?:[\s_-]|$)", re.IGNORECASE
)
_WRAPPED = re.compile(r"^\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$([^$]*)\$)\s*$", re.DOTALL)
_ENDS = ("\\)", "\\]", "$$", "$")  # of what the groups of _WRAPPED hold
# Programs that draw formulas, with the LaTeX in the address
_DRAWN = re.compile(
    r"/equation\?tex=([^&#]+)|//latex\.codecogs\.com/[\w.]+\?([^#]+)|/latex\.php\?latex=([^&#]+)"
)
_SIZES = re.compile(
    r"\\(?:inline|dpi\{\d+\}|(?:bg|fn|fg)_\w+|tiny|small|large|Large|LARGE|huge)(?![a-zA-Z])\s*"
)
_STYLE = re.compile(r"^\{\\(?:display|text)style (.*)\}$", re.DOTALL)


def is_candidate(node: Node) -> bool:
    """Whether the names of an element suggest a formula."""
    found = node.attributes
    names = found.get("class")
    return bool(names and _named_formula(names)) or not _SOURCE_NAMES.isdisjoint(found)


@lru_cache(maxsize=2048)
def _named_formula(names: str) -> bool:
    """Whether class names suggest a formula."""
    return _TELLING.search(names) is not None


def formula(node: Node) -> Node | None:
    """The formula that an element is, or None if it is not one."""
    found = node.attributes
    names = found.get("class", "")
    display = _is_display(node)
    for name in _SOURCES:
        if found.get(name, "").strip() and (name not in ("data-entry", "data-expr") or "\\" in found[name] or
                                            any(one.tag == "math" for one in walk(node))):  # fmt: skip
            return _made(found[name], display)
    if len(node.children) == 1 and isinstance(node.children[0], str) and _named_formula(names):
        wrapped = _WRAPPED.match(node.children[0])
        if wrapped and not any(group and end in group for group, end in zip(wrapped.groups(), _ENDS)):
            return _made(wrapped[0], display)
    if not (_KATEX.search(names) or node.tag.startswith("mjx-container")):
        return None
    for inner in walk(node):
        if inner.tag == "math":
            return math(inner, display)
        for name in _SOURCES:
            if inner.attributes.get(name, "").strip():
                return _made(inner.attributes[name], display)
    for inner in walk(node):
        if inner.tag == "mjx-math":
            return _made(mathml.latex_of(_from_chtml(inner)), display)
    return None


_KATEX = re.compile(
    r"(?:^|\s)(?:katex|katex-display|MathJax(?:_Display|_SVG|_CHTML)?|mwe-math-element|math|mjx-chtml)(?:\s|$)"
)


def _is_display(node: Node) -> bool:
    names = node.attributes.get("class", "")
    return bool(_DISPLAY.search(names)) or node.attributes.get("display") in ("true", "block")


def math(node: Node, display: bool = False) -> Node | None:
    """A <math> element as a formula: its annotation, its alternative text, or its MathML converted."""
    if node.children and isinstance(node.children[0], str) and len(node.children) == 1:
        return _made(node.children[0], "display" in node.attributes or display)  # from a script
    display = display or node.attributes.get("display") == "block" or node.attributes.get("mode") == "display"
    for inner in walk(node):
        if inner.tag == "annotation" and "tex" in inner.attributes.get("encoding", "").lower():
            return _made(text_of(inner), display)
    for name in ("alttext", "data-latex"):
        if node.attributes.get(name, "").strip():
            return _made(node.attributes[name], display)
    return _made(mathml.latex_of(node), display)


def equation(row: Node) -> Node | None:
    """The formulas of a row as a displayed one; None if it has none. What is beside them is their number."""
    found = (math(node, display=True) for node in walk(row) if node.tag == "math")
    return _made(" ".join([text_of(one) for one in found if one is not None]), display=True)


def _made(latex: str, display: bool) -> Node | None:
    """A formula of its LaTeX without delimiters."""
    latex = latex.strip()
    wrapped = _WRAPPED.match(latex)
    if wrapped:
        display = display or wrapped[2] is not None or wrapped[3] is not None
        latex = next(group for group in wrapped.groups() if group is not None).strip()
    styled = _STYLE.match(latex)
    if styled and styled[1].count("{") == styled[1].count("}"):
        display = display and latex.startswith("{\\display")
        latex = styled[1].strip()
    if not latex:
        return None
    return Node("math", {"display": "block"} if display else {}, [latex])


def image_formula(node: Node) -> Node | None:
    """The formula whose LaTeX an image has as its alternative text."""
    source = node.attributes.get("src", "")
    drawn = _DRAWN.search(source) if "tex" in source else None
    if drawn:
        from urllib.parse import unquote_plus

        latex = unquote_plus(next(group for group in drawn.groups() if group).replace("&space;", " "))
        return _made(_SIZES.sub("", latex), False)
    alt = node.attributes.get("alt", "").strip()
    if not alt:
        return None
    names = node.attributes.get("class", "")
    if (
        names
        and _LATEX_CLASS.search(names)
        and len(alt) < 2000
        and (_IMAGE.search(alt) or "tex" in names.lower() or "math" in names)
    ):
        return _made(alt.removeprefix("$").removesuffix("$"), False)
    if "\\" in alt and "://" not in alt and _IMAGE.search(alt):
        return _made(alt, False)
    return None


# CHTML of MathJax: mjx-mi, mjx-mfrac > mjx-frac > (mjx-num, mjx-dbox ... mjx-den), mjx-msub > (base,
# mjx-script)


def _from_chtml(node: Node) -> Node:
    """The MathML that MathJax rendered as CHTML."""
    name = node.tag.removeprefix("mjx-")
    if name == "mfrac":
        parts = [_first(node, "mjx-num"), _first(node, "mjx-den")]
        return Node("mfrac", {}, [_group(part) for part in parts])
    if name in ("msub", "msup", "msubsup"):
        return _scripts(node, name)
    if name in ("munderover", "munder", "mover"):
        return _limits(node, name)
    if name == "msqrt":
        return Node("msqrt", {}, _converted(_first(node, "mjx-box")))
    if name == "mroot":
        return Node("mroot", {}, [_group(_first(node, "mjx-box")), _group(_first(node, "mjx-root"))])
    if name in ("mi", "mo", "mn", "mtext"):
        return Node(name, {}, [text_of(node)])
    return Node("mrow", {}, _converted(node))


def _converted(node: Node | None) -> list[Child]:
    if node is None:
        return []
    return [_from_chtml(child) for child in node.children if isinstance(child, Node)]


def _group(node: Node | None) -> Node:
    return Node("mrow", {}, _converted(node))


def _first(node: Node, tag: str) -> Node | None:
    return next((inner for inner in walk(node) if inner.tag == tag and inner is not node), None)


def _scripts(node: Node, name: str) -> Node:
    nodes = [child for child in node.children if isinstance(child, Node)]
    script = next((child for child in nodes if child.tag == "mjx-script"), None)
    base = [_from_chtml(child) for child in nodes if child is not script]
    parts: list[Child] = [Node("mrow", {}, [*base])]
    inner = [child for child in (script.children if script else []) if isinstance(child, Node)]
    inner = [child for child in inner if child.tag not in ("mjx-spacer",)]
    if name == "msubsup" and len(inner) >= 2:
        parts += [_from_chtml(inner[-1]), _from_chtml(inner[0])]
    else:
        parts.append(Node("mrow", {}, [_from_chtml(child) for child in inner]))
        name = "msup" if name == "msubsup" else name
    return Node(name, {}, parts)


def _limits(node: Node, name: str) -> Node:
    base, under, over = (_first(node, tag) for tag in ("mjx-base", "mjx-under", "mjx-over"))
    if under is not None and over is not None:
        return Node("munderover", {}, [_group(base), _group(under), _group(over)])
    return Node(name, {}, [_group(base), _group(under if under is not None else over)])


# LaTeX between delimiters in the text, which a script of the page would render

_DELIMITED = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]|\$\$(.+?)\$\$", re.DOTALL)
_DOLLARS = re.compile(r"(?<![\\$\w])\$(?![\s$])([^$\n]{1,300}?)(?<![\s\\])\$(?![\w$])")
_RENDERERS = ("MathJax", "mathjax", "KaTeX", "katex")
_MATHS = re.compile(r"[\\^_=<>+*/]|^\w$|^[A-Za-z]\([\w, ]+\)$")


def renders_latex(source: str) -> bool:
    """Whether a page loads a script that renders LaTeX."""
    return any(name in source for name in _RENDERERS) and any(mark in source for mark in ("\\(", "$", "\\["))


def with_formulas(run: list[Child]) -> list[Child]:
    """A run of inlines with LaTeX between delimiters as formulas."""
    found: list[Child] = []
    for child in run:
        if isinstance(child, str):
            found += _delimited(child)
        elif child.tag in ("code", "math", "img", "br", "noteref"):
            found.append(child)
        else:
            found.append(Node(child.tag, child.attributes, with_formulas(child.children)))
    return found


def _delimited(text: str) -> list[Child]:
    """A text with the formulas between its delimiters as nodes.

    >>> _delimited("By \\\\(E=mc^2\\\\) it costs $100, $x$.")
    ['By ', (math 'E=mc^2'), ' it costs $100, ', (math 'x'), '.']
    """
    found: list[Child] = []
    at = 0
    for match in _DELIMITED.finditer(text):
        found += _dollars(text[at : match.start()])
        inline, *display = match.groups()
        block = inline is None and not _is_amid(text, match)
        node = _made(next(group for group in (inline, *display) if group is not None), block)
        found.append(node if node is not None else match[0])
        at = match.end()
    return found + _dollars(text[at:])


def _is_amid(text: str, match: re.Match[str]) -> bool:
    """Whether there are words of the same text on both sides of a formula."""
    return bool(text[: match.start()].strip()) and bool(text[match.end() :].strip(" \n.,;:"))


def _dollars(text: str) -> list[Child]:
    found: list[Child] = []
    at = 0
    for match in _DOLLARS.finditer(text):
        if _MATHS.search(match[1]):
            found += [text[at : match.start()], Node("math", {}, [match[1].strip()])]
            at = match.end()
    return [child for child in (*found, text[at:]) if child]
