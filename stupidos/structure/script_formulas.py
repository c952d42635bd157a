"""Formulas of MathJax 2: <script type="math/tex">, which the renderer reads over."""

from __future__ import annotations

import re

from stupidos.render.tokens import SPLIT
from stupidos.structure.node import Node

_SCRIPT = re.compile(
    r"""<script\b[^>]*?\btype\s*=\s*["']?math/tex(\s*;[^"'>]*)?["']?[^>]*+>(.*?)(?:</script|\Z)""",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST = 1 << 16  # characters of a script that holds a formula


def script_formulas(source: str) -> dict[int, Node]:
    """Number of the token -> formula, for each script that holds one.

    >>> script_formulas('a<b>c<script type="math/tex; mode=display">x^2</script>')
    {1: (math display='block' 'x^2')}
    """
    found: dict[int, Node] = {}
    for token, match in enumerate(SPLIT.finditer(source)):
        if match[1] is None and match.end() - match.start() < _LONGEST:
            script = _SCRIPT.match(match[0])
            if script and script[2].strip():
                display = "mode=display" in (script[1] or "").replace(" ", "").lower()
                found[token] = Node("math", {"display": "block"} if display else {}, [script[2].strip()])
    return found
