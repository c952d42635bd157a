"""Code blocks: the text of a <pre> to the character, and its language as highlighters write it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stupidos.structure.attributes import INVALID
from stupidos.structure.node import BOUNDARY, Attributes, Child, Node, text_of, walk

_NAMED = re.compile(
    r"(?<!\S)(?:language|lang|highlight-source|highlight-text|highlight|brush|sourceCode|code|syntax|src"
    r"|crayon-lang|gatsby-code|sp|mw-highlight-lang)(?:-|:\s*|\s+)([a-zA-Z][a-zA-Z0-9+#._-]*)",
    re.IGNORECASE,
)
_OF_LANGUAGES = ("language", "lang", "brush", "highlight-source", "mw-")  # nothing else is named so
_ATTRIBUTES = (
    "data-lang",
    "data-language",
    "data-code-lang",
    "data-code-language",
    "data-syntax",
    "data-enlighter-language",
    "lang",
    "language",
    "syntax",
)
_NO_LANGUAGE = frozenset(
    "none plaintext nohighlight text-plain no-highlight default wrapper "
    "wrap block container toolbar box content body "
    "snippet example inline toggle copy header line lines area highlighted "
    "editor sample pre dark light theme output "
    "autonum show hide source-code".split()
)
_LANGUAGES = frozenset(
    "abap actionscript ada apache applescript arduino asm awk bash bat c "
    "clojure cmake coffeescript console cpp "
    "csharp cs css csv cuda d dart diff docker dockerfile elixir elm "
    "erlang fish fortran fsharp gherkin git glsl go "
    "golang graphql groovy haml handlebars haskell hcl html http ini java "
    "javascript jinja js json json5 jsonc jsx "
    "julia kotlin latex less lean lisp lua make makefile markdown "
    "mathematica matlab mermaid nginx nim nix objc "
    "objective-c objectivec ocaml pascal perl php plsql postgresql "
    "powershell prolog proto protobuf ps1 puppet py "
    "python python3 pycon qml r rb regex rst ruby rust sass scala scheme "
    "scss sh shell shell-session sql svelte swift "
    "sy tcl terraform tex toml ts tsx typescript twig vb vbnet verilog "
    "vhdl vim vue wasm xml yaml yml zig zsh".split()
)
_ALIASES = {"shell-session": "console", "text": "text"}
_NAMES_OF = {  # other names of a language -> the one to compare
    "javascript": "js", "typescript": "ts", "python": "py", "ruby": "rb", "bash": "sh", "shell": "sh",
    "console": "sh", "zsh": "sh", "terminal": "sh", "c++": "cpp", "c#": "cs", "csharp": "cs", "yml": "yaml",
    "markdown": "md", "golang": "go", "rust": "rs", "kotlin": "kt", "jsonc": "json",
}  # fmt: skip
_GUTTER = re.compile(
    r"(?:^|\s)(?:linenos?|line-?numbers?|linenumber|line-numbers-rows|gutter|rouge-gutter|ln|lnt|hljs-ln-numbers"
    r"|blob-num|code-line-number|react-syntax-highlighter-line-number|token-line-number|cm-gutters?|lineno"
    r"|crayon-nums?|cp-line-number|toolbar|toolbar-item|hover-info|copy[\w-]*|[\w-]*copy-(?:button|btn|icon|code)[\w-]*"
    r"|code-?(?:block)?_*-?(?:header|title|toolbar|label|lang(?:uage)?)[\w-]*|clipboard[\w-]*|sr-only)(?:\s|$)",
    re.IGNORECASE,
)
_UNSELECTABLE = re.compile(r"user-select\s*:\s*none", re.IGNORECASE)
_LINE = re.compile(r"(?:^|\s)(?:line|code-line|view-line|cm-line|token-line|ec-line|CodeMirror-line)(?:\s|$)")
_ROW = re.compile(rf"{_LINE.pattern}|gatsby-highlight-code-line")
_NUMBERED = re.compile(r"line-?numbers?|lineno")  # a column of line numbers, or code that has one
_BLOCKS = frozenset("div p li tr ol ul table tbody section figure figcaption header pre".split())

_LONGEST_NUMBER = 7  # digits, from which it is no longer that of a line
_NEAR = 4  # elements around a <pre> that may name its language


def code_block(node: Node, around: list[Node]) -> Node | None:
    """The code of a <pre>; None if nothing is in it but a gutter."""
    if _NUMBERED.search(node.attributes.get("class", "")) and _counts(text_of(node).split()):
        return None
    body = _body(node)
    language = _language_of(body, node, around) or _label(node, body)
    _drop_numbers(body)
    parts: list[str] = []
    _collect(body, parts, 0)
    text = INVALID.sub("", "".join(parts).replace("\r\n", "\n").replace("\r", "\n"))
    text = _trimmed(text)
    if not text.strip():
        return None
    return Node("pre", {"language": language} if language else {}, [text])


def drop_label(out: list[Child], language: str) -> None:
    """Remove a line that only names the language from what precedes a piece of code."""
    at = _last_shown(out, len(out))
    label = out[at] if at >= 0 else ""
    if isinstance(label, Node):
        label = text_of(label) if label.tag == "p" else ""
    elif (start := _last_shown(out, at, skip_boundaries=False)) >= 0:
        before = out[start]
        if before is not BOUNDARY and not (isinstance(before, Node) and before.block):
            return  # the end of a line
    word = label.strip().lower()
    if word and language and _NAMES_OF.get(word, word) == _NAMES_OF.get(language, language):
        del out[at]


def _last_shown(out: list[Child], end: int, skip_boundaries: bool = True) -> int:
    """The place of the last of these nodes that is not white space; -1 if there is none."""
    for at in range(end - 1, -1, -1):
        child = out[at]
        if child.strip() if isinstance(child, str) else not skip_boundaries or child is not BOUNDARY:
            return at
    return -1


def _counts(words: list[str]) -> bool:
    """Whether words are consecutive numbers.

    >>> _counts(["9", "10", "11"]), _counts(["9", "11"]), _counts([])
    (True, False, False)
    """
    first = words[0] if words else ""
    if not (first.isascii() and first.isdigit() and len(first) < _LONGEST_NUMBER):
        return False
    return words == [str(number) for number in range(int(first), int(first) + len(words))]


def is_listing(written: str) -> bool:
    """Whether a <div> may be a listing of Doxygen, which has a <div> for each line.

    >>> is_listing(' class="fragment"'), is_listing(" class='text fragment'")
    (True, False)
    """
    return 'class="fragment"' in written


def keep_lines(node: Node) -> bool:
    """Reduce a listing to its lines, without the descriptions after them; False if it is none."""
    children = [child for child in node.children if not isinstance(child, str) or child.strip()]
    if not all(isinstance(child, Node) and child.tag == "div" for child in children):
        return False
    lines = [child for child in children if isinstance(child, Node) and any(map(_is_code_row, walk(child)))]
    if lines:
        node.children = [*lines]
    return bool(lines)


def _is_code_row(node: Node) -> bool:
    return node.tag == "div" and node.attributes.get("class", "") == "line"


def _trimmed(text: str) -> str:
    """Code without blank lines at its edges."""
    lines = text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    at = 0
    while at < len(lines) and not lines[at].strip():
        at += 1
    return "\n".join(lines[at:]).replace("\xa0", " ")


def _body(node: Node) -> Node:
    """The element inside a <pre> that holds its code, where an editor, a gutter or a label is beside it."""
    codes = []
    for inner in walk(node):
        names = inner.attributes.get("class", "")
        if "cm-content" in names or "CodeMirror-code" in names:
            return inner
        if inner.tag == "code" and inner is not node:
            codes.append(inner)
    if len(codes) == 1 and not any(isinstance(child, str) and child.strip() for child in node.children):
        beside = text_of(node).replace(text_of(codes[0]), " ", 1).lower().split()
        if len(beside) == 1 and beside[0] in _LANGUAGES:
            return codes[0]
    return node


def _label(node: Node, body: Node) -> str:
    """The language that a label beside the code names."""
    if body is node:
        return ""
    words = text_of(node).replace(text_of(body), " ").lower().split()
    return words[0] if words and words[0] in _LANGUAGES else ""


def is_block(node: Node) -> bool:
    """Whether a <code> element stands for a block: it is named so, or holds several lines."""
    words = node.attributes.get("class", "").lower().split()
    return "block" in words or "code-block" in words or "codeblock" in words


def _is_gutter(node: Node) -> bool:
    """Whether an element shows line numbers, a label or a button, and no code."""
    found = node.attributes
    names = found.get("class", "")
    if names and _GUTTER.search(names):
        return not (node.tag in ("pre", "code", "table", "tbody", "tr") or _is_line(node, names))
    style = found.get("style", "")
    if style and _UNSELECTABLE.search(style):
        return True
    return "data-line-number" in found and not node.children


def _drop_numbers(body: Node) -> None:
    """Take line numbers from a piece of code in which each row is a number and a block, or nothing else."""
    for node in walk(body):
        rows = [child for child in node.children if isinstance(child, Node) and child.tag in _BLOCKS]
        numbers = [_number(row) for row in rows]
        first = numbers[0] if numbers else 0
        counted = first and numbers == [*range(first, first + len(rows))]
        if counted and (first == 1 or len(rows) > 1) and any(len(row.children) > 1 for row in rows):
            for row in rows:
                row.children[0] = ""


def _number(row: Node) -> int:
    """The number that a row of code begins with; 0 if it has none, or if text outside a block follows."""
    first, *behind = row.children or [""]
    beside = behind[0] if behind else first
    if not isinstance(first, str) or (isinstance(beside, Node) and beside.tag not in _BLOCKS):
        return 0
    number = first.strip()
    return int(number) if number.isascii() and number.isdigit() and len(number) < _LONGEST_NUMBER else 0


def _is_line(node: Node, names: str) -> bool:
    """Whether an element named like a gutter is a line of code with its number inside."""
    return bool(_LINE.search(names)) and "number" not in names


def _collect(node: Node, parts: list[str], depth: int) -> None:
    """The text of a piece of code: a line end for <br>, around blocks inside and lines without one."""
    rows = _rows_of(node)
    for child in node.children:
        if isinstance(child, str):
            parts.append(child)
        elif child.tag == "br":
            parts.append("\n")
        elif child.tag == "img":
            continue
        elif not _is_gutter(child):
            row = id(child) in rows
            block = row or child.tag in _BLOCKS
            if block and parts and not _ends_line(parts):
                parts.append("\n")
            size = len(parts)
            _collect(child, parts, depth + 1)
            if (
                block
                and (len(parts) > size or row or child.tag in ("div", "li", "tr"))
                and not _ends_line(parts[size:])
            ):
                parts.append("\n")


def is_row(tag: str, names: str) -> bool:
    """Whether an element is named as a line of code.

    >>> is_row("span", "line highlighted"), is_row("span", "underline")
    (True, False)
    """
    return tag == "span" and is_line_name(names)


def is_line_name(names: str) -> bool:
    """Whether class names are those of a line of code."""
    return "line" in names and _ROW.search(names) is not None


def _rows_of(node: Node) -> set[int]:
    """Identities of the lines of code right behind each other, of which a style sheet makes blocks."""
    found: set[int] = set()
    before: Node | None = None  # the line before
    for child in node.children:
        if not isinstance(child, Node) or not is_row(child.tag, child.attributes.get("class", "")):
            before = None
            continue
        if before is not None or "gatsby" in child.attributes["class"]:
            found |= {id(child), id(before or child)}
        before = child
    return found


def _ends_line(parts: list[str]) -> bool:
    for part in reversed(parts):
        if part:
            return part.endswith("\n")
    return False


def _language_of(body: Node, node: Node, around: list[Node]) -> str:
    """The language of a piece of code, from the class names and attributes of elements in and around it."""
    inner = [one for one in walk(node) if one.tag in ("code", "pre")][:3]
    for one in (*inner, body, *reversed(around[-_NEAR:])):
        language = _named_language(one.attributes)
        if language:
            return language
    for one in (*inner, *reversed(around[-2:])):
        for word in one.attributes.get("class", "").lower().split():
            if word in _LANGUAGES and len(word) > 1:
                return word
    return ""


def _named_language(found: Attributes) -> str:
    """The language that an element's attributes name.

    >>> _named_language({"class": "hljs language-js"}), _named_language({"class": "highlight-source-shell"})
    ('js', 'shell')
    >>> _named_language({"class": "sp-cm sp-pristine sp-javascript"})
    'javascript'
    >>> _named_language({"class": "mw-highlight-lang-ini"}), _named_language({"class": "language-c++"})
    ('ini', 'c++')
    >>> _named_language({"class": "highlight-html+django"})
    'html'
    >>> _named_language({"data-lang": "Python"}), _named_language({"class": "highlight-wrap"})
    ('python', '')
    """
    for name in _ATTRIBUTES:
        value = found.get(name, "").strip().lower()
        if value and name != "lang" and value not in _NO_LANGUAGE and len(value) < 30 and " " not in value:
            return value
    for match in _names_of(f"{found.get('class', '')} {found.get('data-syntaxhighlighter-params', '')}"):
        language = match[1].lower().removeprefix("source-")
        outer, _, inner = language.partition("+")
        if inner.strip("+") and outer in _LANGUAGES:
            language = outer  # Pygments names one inside the other
        if language in _NO_LANGUAGE:
            continue
        prefix = match[0].split(match[1])[0].strip().lower()
        if prefix.startswith(_OF_LANGUAGES) or language in _LANGUAGES:
            return language
    return ""


def _names_of(classes: str) -> Iterator[re.Match[str]]:
    """Words that may name a language, each with the prefix before it; one may be the prefix of the next."""
    match = _NAMED.search(classes)
    while match:
        yield match
        match = _NAMED.search(classes, match.start(1))
