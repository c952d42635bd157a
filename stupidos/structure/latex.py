"""Formulas among the tokens of a page: <math>, scripts of MathJax 2, texts that may hold LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stupidos.render.references import unescaped
from stupidos.render.tokens import SPLIT
from stupidos.structure.attributes import INVALID, attributes_of
from stupidos.structure.node import BOUNDARY, Child, Node
from stupidos.structure.open_elements import DEEPEST

_FORMULA_END = re.compile(r"\$\$|(?:^|[^\s\\])\$(?!\w)")  # which a price has not
_RENDERED = re.compile(r"(?:^|\s)(?:MathJax|mjx-chtml)")
_LONGEST_FORMULA = 20_000  # tokens of a <math> element
_SCRIPT = re.compile(
    r"""<script\b[^>]*?\btype\s*=\s*["']?math/tex(\s*;[^"'>]*)?["']?[^>]*+>(.*?)(?:</script|\Z)""",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_SCRIPT = 1 << 16  # characters

Token = tuple[int, str | None, str | None, str | None]  # number, text, name and attributes of a tag
Tokens = Iterator[Token]


def drop_rendered(children: list[Child]) -> None:
    """Remove from the end what MathJax 2 rendered before the script of a formula."""
    at = len(children)
    while at:
        last = children[at - 1]
        if isinstance(last, str) and not last.isspace():
            return
        if isinstance(last, Node) and last is not BOUNDARY:
            if not _RENDERED.search(last.attributes.get("class", "")):
                return
            del children[at - 1 :]
        at -= 1


def may_be_latex(text: str) -> bool:
    """Whether a text may hold LaTeX between delimiters."""
    return ("$" in text and text.count("$") > 1 and _FORMULA_END.search(text) is not None) or (
        "\\(" in text or "\\[" in text
    )


def math_element(written: str | None, tokens: Tokens) -> Node:
    """A <math> element with all that is in it, read to its end tag."""
    root = Node("math", dict(attributes_of(written)))
    stack = [root]
    for number, (_, text, name, attributes) in enumerate(tokens):
        if text and text.strip():
            stack[-1].children.append(INVALID.sub("", unescaped(text)))
        if name is None:
            continue
        name = name.lower()
        if name == "/math" or number > _LONGEST_FORMULA:
            break
        if name[0] == "/":
            if len(stack) > 1 and stack[-1].tag == name[1:]:
                stack.pop()
            elif any(node.tag == name[1:] for node in stack[1:]):
                while stack.pop().tag != name[1:]:
                    pass
        elif len(stack) < DEEPEST:
            node = Node(name, attributes_of(attributes))
            stack[-1].children.append(node)
            if not (attributes or "").endswith("/"):
                stack.append(node)
    return root


def script_formulas(source: str) -> dict[int, Node]:
    """Number of the token -> formula, for each <script type="math/tex">, which the renderer skips.

    >>> script_formulas('a<b>c<script type="math/tex; mode=display">x^2</script>')
    {1: (math display='block' 'x^2')}
    """
    found: dict[int, Node] = {}
    for token, match in enumerate(SPLIT.finditer(source)):
        if match[1] is None and match.end() - match.start() < _LONGEST_SCRIPT:
            script = _SCRIPT.match(match[0])
            if script and script[2].strip():
                display = "mode=display" in (script[1] or "").replace(" ", "").lower()
                found[token] = Node("math", {"display": "block"} if display else {}, [script[2].strip()])
    return found
