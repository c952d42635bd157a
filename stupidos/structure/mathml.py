"""MathML to LaTeX: presentation elements, as browsers and MathJax write them."""

from __future__ import annotations

import re
import unicodedata

from stupidos.structure.node import Child, Node, text_of

_SYMBOLS = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ϵ": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ϑ": "vartheta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "π": "pi", "ϖ": "varpi", "ρ": "rho", "ϱ": "varrho", "σ": "sigma", "ς": "varsigma", "τ": "tau",
    "υ": "upsilon", "φ": "varphi", "ϕ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega", "∑": "sum", "∏": "prod", "∐": "coprod", "∫": "int", "∬": "iint", "∭": "iiint", "∮": "oint",
    "∞": "infty", "∂": "partial", "∇": "nabla", "√": "surd", "±": "pm", "∓": "mp", "×": "times", "÷": "div",
    "⋅": "cdot", "·": "cdot", "∗": "ast", "∘": "circ", "∙": "bullet", "⊕": "oplus",
    "⊗": "otimes", "⊙": "odot",
    "≤": "leq", "≥": "geq", "⩽": "leqslant", "⩾": "geqslant", "≠": "neq", "≈": "approx", "≡": "equiv",
    "∼": "sim", "≃": "simeq", "≅": "cong", "∝": "propto", "≪": "ll", "≫": "gg", "≺": "prec", "≻": "succ",
    "⪯": "preceq", "⪰": "succeq", "≜": "triangleq", "≔": "coloneqq", "⊢": "vdash",
    "⊨": "models", "∈": "in", "∉": "notin",
    "∋": "ni", "⊂": "subset", "⊃": "supset", "⊆": "subseteq", "⊇": "supseteq",
    "⊊": "subsetneq", "∪": "cup", "∩": "cap",
    "⋃": "bigcup", "⋂": "bigcap", "⨁": "bigoplus", "⨂": "bigotimes", "∅": "emptyset", "∖": "setminus",
    "∀": "forall", "∃": "exists", "∄": "nexists", "¬": "neg", "∧": "wedge", "∨": "vee", "⋀": "bigwedge",
    "⋁": "bigvee", "→": "to", "←": "leftarrow", "↔": "leftrightarrow", "⇒": "Rightarrow", "⇐": "Leftarrow",
    "⇔": "Leftrightarrow", "⟹": "implies", "⟺": "iff", "↦": "mapsto", "⟶": "longrightarrow",
    "⟵": "longleftarrow",
    "↑": "uparrow", "↓": "downarrow", "↗": "nearrow", "↘": "searrow", "↪": "hookrightarrow",
    "↠": "twoheadrightarrow",
    "⟨": "langle", "⟩": "rangle", "〈": "langle", "〉": "rangle", "⌊": "lfloor", "⌋": "rfloor", "⌈": "lceil",
    "⌉": "rceil", "∥": "parallel", "‖": "|", "∣": "mid", "∤": "nmid", "⊥": "perp",
    "∠": "angle", "△": "triangle",
    "…": "ldots", "⋯": "cdots", "⋮": "vdots", "⋱": "ddots", "ℏ": "hbar", "ℓ": "ell", "ℜ": "Re", "ℑ": "Im",
    "ℵ": "aleph", "℘": "wp", "′": "prime", "″": "prime\\prime", "†": "dagger", "‡": "ddagger", "⋆": "star",
    "□": "square", "◻": "square", "■": "blacksquare", "∴": "therefore", "∵": "because",
    "⊤": "top", "♯": "sharp",
    "⊔": "sqcup", "⊓": "sqcap", "⊎": "uplus", "≀": "wr", "⋊": "rtimes", "⋉": "ltimes", "−": "-",
}  # fmt: skip
_PLAIN = {
    "−": "-",
    "\u2062": "",
    "\u2061": "",
    "\u2063": "",
    "\u2064": "",
    "\u200b": "",
    "\xa0": " ",
    "∶": ":",
}
_SPECIAL = {
    "{": "\\{",
    "}": "\\}",
    "%": "\\%",
    "#": "\\#",
    "&": "\\&",
    "$": "\\$",
    "_": "\\_",
    "\\": "\\backslash",
}
_FUNCTIONS = frozenset(
    "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd "
    "hom inf ker lg lim liminf limsup ln log max "
    "min Pr sec sin sinh sup tan tanh".split()
)
_ACCENTS = {
    "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "¯": "bar", "‾": "overline", "→": "vec", "⃗": "vec",
    "˙": "dot", "¨": "ddot", "⃛": "dddot", "´": "acute", "`": "grave", "˘": "breve",
    "ˇ": "check", "˚": "mathring",
    "⏞": "overbrace", "⏟": "underbrace", "_": "underline", "―": "overline", "↔": "overleftrightarrow",
    "←": "overleftarrow", "⎵": "underbrace",
}  # fmt: skip
_VARIANTS = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak",
    "sans-serif": "mathsf", "monospace": "mathtt", "bold-italic": "boldsymbol",
}  # fmt: skip
_STYLED = (
    ("MATHEMATICAL BOLD ITALIC", ""), ("MATHEMATICAL ITALIC", ""), ("MATHEMATICAL BOLD SCRIPT", "mathcal"),
    ("MATHEMATICAL BOLD FRAKTUR", "mathfrak"), ("MATHEMATICAL BOLD", "mathbf"),
    ("MATHEMATICAL DOUBLE-STRUCK", "mathbb"),
    ("DOUBLE-STRUCK", "mathbb"), ("MATHEMATICAL SCRIPT", "mathcal"), ("SCRIPT", "mathcal"),
    ("MATHEMATICAL FRAKTUR", "mathfrak"), ("BLACK-LETTER", "mathfrak"), ("MATHEMATICAL SANS-SERIF", "mathsf"),
    ("MATHEMATICAL MONOSPACE", "mathtt"),
)  # fmt: skip
_LARGE = frozenset("∑∏∐∫∬∭∮⋃⋂⨁⨂⋀⋁")
_OPENING, _CLOSING = frozenset("([{⟨〈⌊⌈|‖"), frozenset(")]}⟩〉⌋⌉|‖")
_LETTERS_END = re.compile(r"\\[a-zA-Z]+$")
_DEEPEST = 60


def latex_of(node: Node) -> str:
    """The LaTeX of a <math> element.

    >>> half = Node("mfrac", {}, [Node("mn", {}, ["1"]), Node("mi", {}, ["α"])])
    >>> latex_of(Node("math", {}, [half, Node("mo", {}, ["≤"]), Node("mi", {}, ["x"])]))
    '\\\\frac{1}{\\\\alpha} \\\\leq x'
    """
    return re.sub(r"\s+", " ", _row(node.children, 0)).strip()


def _row(children: list[Child], depth: int) -> str:
    if depth > _DEEPEST:
        return ""
    parts: list[str] = []
    for child in children:
        part = _symbols(child) if isinstance(child, str) else _element(child, depth + 1)
        if part:
            parts.append(part)
    return " ".join(parts)


def _element(node: Node, depth: int) -> str:
    tag = node.tag.removeprefix("m:").removeprefix("mml:")
    if depth > _DEEPEST:
        return ""
    if tag in _TOKENS:
        return _token(node, tag)
    if tag in ("annotation", "annotation-xml", "mphantom", "maction-hidden", "none", "mprescripts"):
        return ""
    if tag == "mspace":
        return (
            "\\quad"
            if "em" in node.attributes.get("width", "") and "0." not in node.attributes["width"]
            else ""
        )
    form = _FORMS.get(tag)
    if form is not None:
        return form(node, depth)
    return _row(node.children, depth)


_TOKENS = frozenset(("mi", "mo", "mn", "mtext", "ms"))


def _token(node: Node, tag: str) -> str:
    text = text_of(node).strip()
    if not text:
        return "\\ " if tag == "mtext" and text_of(node) else ""
    if tag == "mtext" or tag == "ms":
        return _PLAIN.get(text, "") if text in _PLAIN else f"\\text{{{_text(text_of(node))}}}"
    if tag == "mi" and text in _FUNCTIONS:
        return "\\" + text
    plain = _symbols(text)
    variant = _VARIANTS.get(node.attributes.get("mathvariant", ""))
    if variant and plain:
        return f"\\{variant}{{{plain}}}"
    if tag == "mi" and len(text) > 1 and text.isalpha() and text.isascii():
        return text if node.attributes.get("mathvariant") != "normal" else f"\\mathrm{{{text}}}"
    return plain


def _text(text: str) -> str:
    return "".join(_SPECIAL.get(one, one) for one in text.replace("\xa0", " "))


def _symbols(text: str) -> str:
    """Characters as LaTeX writes them.

    >>> _symbols("∑"), _symbols("𝑧"), _symbols("ℝ")
    ('\\\\sum', 'z', '\\\\mathbb{R}')
    """
    out = ""
    for one in text.strip():
        part = _symbol(one)
        if _LETTERS_END.search(out) and part[:1].isalpha():
            out += " "
        out += part
    return out


def _symbol(one: str) -> str:
    if one in _PLAIN:
        return _PLAIN[one]
    if one in _SPECIAL:
        return _SPECIAL[one]
    if one in _SYMBOLS:
        return "\\" + _SYMBOLS[one]
    if ord(one) > 0x2100:
        name = unicodedata.name(one, "")
        for start, command in _STYLED:
            if name.startswith(start):
                base = unicodedata.normalize("NFKC", one)
                base = "\\" + _SYMBOLS[base] if base in _SYMBOLS else base
                return f"\\{command}{{{base}}}" if command else base
    return one


def _parts(node: Node, depth: int) -> list[str]:
    return [
        _symbols(child) if isinstance(child, str) else _element(child, depth + 1)
        for child in node.children
        if not isinstance(child, str) or child.strip()
    ]


def _two(node: Node, depth: int) -> tuple[str, str]:
    first, second, *_ = [*_parts(node, depth), "", ""]
    return first, second


def _three(node: Node, depth: int) -> tuple[str, str, str]:
    first, second, third, *_ = [*_parts(node, depth), "", "", ""]
    return first, second, third


def _base(text: str) -> str:
    """What a script is attached to: braces unless it is one thing already."""
    if not text or " " not in text or text.startswith("\\left") or (text.count("\\") == 1 and "{" in text):
        return text or "{}"
    return f"{{{text}}}"


def _fraction(node: Node, depth: int) -> str:
    above, below = _two(node, depth)
    if node.attributes.get("linethickness", "").startswith("0"):
        return f"\\binom{{{above}}}{{{below}}}"
    return f"\\frac{{{above}}}{{{below}}}"


def _sub(node: Node, depth: int) -> str:
    base, below = _two(node, depth)
    return f"{_base(base)}_{{{below}}}"


def _sup(node: Node, depth: int) -> str:
    base, above = _two(node, depth)
    if above in ("\\prime", "\\prime\\prime"):
        return _base(base) + "'" * above.count("prime")
    return f"{_base(base)}^{{{above}}}"


def _subsup(node: Node, depth: int) -> str:
    base, below, above = _three(node, depth)
    return f"{_base(base)}_{{{below}}}^{{{above}}}"


def _over(node: Node, depth: int) -> str:
    base, above = _two(node, depth)
    accent = _ACCENTS.get(_second_text(node))
    if accent:
        return f"\\{accent}{{{base}}}"
    if _is_large(node, base):
        return f"{base}^{{{above}}}"
    return f"\\overset{{{above}}}{{{base}}}"


def _under(node: Node, depth: int) -> str:
    base, below = _two(node, depth)
    accent = _ACCENTS.get(_second_text(node))
    if accent in ("underbrace", "underline"):
        return f"\\{accent}{{{base}}}"
    if _is_large(node, base):
        return f"{base}_{{{below}}}"
    return f"\\underset{{{below}}}{{{base}}}"


def _underover(node: Node, depth: int) -> str:
    base, below, above = _three(node, depth)
    return f"{base}_{{{below}}}^{{{above}}}"


def _second_text(node: Node) -> str:
    nodes = [child for child in node.children if isinstance(child, Node)]
    return text_of(nodes[1]).strip() if len(nodes) > 1 else ""


def _is_large(node: Node, base: str) -> bool:
    nodes = [child for child in node.children if isinstance(child, Node)]
    first = text_of(nodes[0]).strip() if nodes else ""
    return first in _LARGE or first in _FUNCTIONS or base.startswith(("\\operatorname", "\\lim"))


def _root(node: Node, depth: int) -> str:
    base, index = _two(node, depth)
    return f"\\sqrt[{index}]{{{base}}}"


def _sqrt(node: Node, depth: int) -> str:
    return f"\\sqrt{{{_row(node.children, depth)}}}"


def _fenced(node: Node, depth: int) -> str:
    opening, closing = node.attributes.get("open", "("), node.attributes.get("close", ")")
    separator = (node.attributes.get("separators", ",").strip() or " ")[:1]
    inner = f" {separator} ".join(_parts(node, depth))
    return f"\\left{_symbols(opening) or '.'} {inner} \\right{_symbols(closing) or '.'}"


def _matrix(node: Node, depth: int) -> str:
    rows = []
    for row in node.children:
        if isinstance(row, Node):
            cells = [cell for cell in row.children if isinstance(cell, Node)]
            rows.append(" & ".join(_row(cell.children, depth + 2) for cell in cells))
    inner = " \\\\ ".join(rows)
    return f"\\begin{{matrix}} {inner} \\end{{matrix}}"


def _mrow(node: Node, depth: int) -> str:
    """A row; brackets around a matrix become its environment."""
    nodes = [child for child in node.children if isinstance(child, Node)]
    if len(nodes) == 3 and nodes[1].tag == "mtable":
        environment = _ENVIRONMENTS.get((text_of(nodes[0]).strip(), text_of(nodes[2]).strip()))
        if environment:
            return _matrix(nodes[1], depth).replace("{matrix}", f"{{{environment}}}")
    if len(nodes) == 2 and nodes[1].tag == "mtable" and text_of(nodes[0]).strip() == "{":
        return _matrix(nodes[1], depth).replace("{matrix}", "{cases}")
    return _row(node.children, depth)


_ENVIRONMENTS = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix", ("{", "}"): "Bmatrix",
                 ("{", ""): "cases", ("‖", "‖"): "Vmatrix"}  # fmt: skip


def _enclosed(node: Node, depth: int) -> str:
    inner = _row(node.children, depth)
    notation = node.attributes.get("notation", "")
    command = "overline" if "top" in notation else "boxed" if "box" in notation else ""
    return f"\\{command}{{{inner}}}" if command else inner


def _multiscripts(node: Node, depth: int) -> str:
    base, below, above = _three(node, depth)
    return f"{_base(base)}" + (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _semantics(node: Node, depth: int) -> str:
    nodes = [child for child in node.children if isinstance(child, Node)]
    return _element(nodes[0], depth + 1) if nodes else ""


_FORMS = {
    "mfrac": _fraction, "msub": _sub, "msup": _sup, "msubsup": _subsup, "mover": _over, "munder": _under,
    "munderover": _underover, "mroot": _root, "msqrt": _sqrt, "mfenced": _fenced, "mtable": _matrix,
    "mrow": _mrow, "menclose": _enclosed, "mmultiscripts": _multiscripts, "semantics": _semantics,
}  # fmt: skip
