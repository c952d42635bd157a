"""How much of a page's structure survives as Markdown, element by element: ours and other tools'.

    python benchmarks/structure.py DIR [DIR ...]

DIR/raw/NAME.html are pages, DIR/ref/NAME.md how they should be written, DIR/urls.json (if there is one) their
addresses. Both texts are parsed as CommonMark with tables, footnotes and formulas, and compared as bags of
elements; the table shows the F of each kind. Tools that are not installed are left out.
What each format costs is measured by formats.py.

pip install markdown-it-py mdit-py-plugins lxml trafilatura html2text readability-lxml markdownify
"""

from __future__ import annotations

import json
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin

KINDS = (
    "heading", "item", "number", "row", "code", "language", "code span", "link", "strong", "em", "image",
    "quote", "footnote", "formula", "line break",
)  # fmt: skip
Tool = Callable[[str, str], str]  # HTML and address -> Markdown
Elements = dict[str, Counter[Any]]

_NOT_WORDS = re.compile(r"\W+")
_LATEX_NOISE = re.compile(r"\s+|\\displaystyle|\\textstyle|\\[,!;]|[{}]")
_LINE_BREAK = re.compile(r"<br\b", re.IGNORECASE)
_SHORT = 60  # characters by which a footnote is compared


# Tools


def stupidos() -> Tool:
    from stupidos import clean

    return lambda html, url: clean(html, format="markdown", url=url)


def trafilatura() -> Tool:
    from trafilatura import extract

    options = {
        "output_format": "markdown",
        "include_links": True,
        "include_images": True,
        "include_formatting": True,
        "include_tables": True,
    }
    return lambda html, url: extract(html, url=url, **options) or ""


def html2text() -> Tool:
    from html2text import HTML2Text

    def convert(html: str, url: str) -> str:
        return str(HTML2Text(baseurl=url, bodywidth=0).handle(html))

    return convert


def readability() -> Tool:
    from markdownify import markdownify
    from readability import Document

    def convert(html: str, url: str) -> str:
        return str(markdownify(Document(html, url=url).summary(html_partial=True), heading_style="ATX"))

    return convert


def magic_html() -> Tool:
    from magic_html import GeneralExtractor
    from markdownify import markdownify

    extractor = GeneralExtractor()
    return lambda html, url: str(
        markdownify(extractor.extract(html, base_url=url)["html"], heading_style="ATX")
    )


TOOLS = {
    "stupidos": stupidos,
    "trafilatura": trafilatura,
    "html2text": html2text,
    "readability + markdownify": readability,
    "magic-html + markdownify": magic_html,
}


# Elements of a Markdown text


@cache
def parser() -> Any:
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin
    from mdit_py_plugins.footnote import footnote_plugin

    made = MarkdownIt("commonmark", {"html": True, "maxNesting": 60}).enable(["table", "strikethrough"])
    return made.use(footnote_plugin).use(dollarmath_plugin, allow_space=True, allow_digits=False)


def words(text: str) -> str:
    return _NOT_WORDS.sub(" ", text.replace("\u00ad", "")).strip().lower()


def target(url: str, base: str) -> str:
    """An address as it is compared: absolute, without escapes, the same for http and https."""
    if url.startswith(("#", "data:")):
        return url[:_SHORT]
    with suppress(ValueError):
        url = urljoin(base, url.strip())
    return unquote(url).rstrip("/").replace("http://", "https://")


def latex(text: str) -> str:
    return _LATEX_NOISE.sub("", text)


class _Reader:
    """Collects the elements of one text, token by token."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.found: Elements = {kind: Counter() for kind in KINDS}
        self.lists: list[list[int]] = []  # ordered or not, and the number of the last item, from outside
        self.fresh: list[bool] = []  # open items; whether their first paragraph is still to come
        self.level = 0  # of the open heading
        self.quotes = 0  # open ones
        self.quoted: list[str] = []
        self.row: list[str] | None = None
        self.note = False

    def read(self, tokens: Sequence[Any]) -> Elements:
        for token in tokens:
            handle = getattr(self, f"on_{token.type}", None)
            if handle is not None:
                handle(token)
        return self.found

    def on_bullet_list_open(self, token: Any) -> None:
        self.lists.append([0, 0])

    def on_ordered_list_open(self, token: Any) -> None:
        self.lists.append([1, int(token.attrGet("start") or 1) - 1])

    def on_list_close(self, token: Any) -> None:
        self.lists.pop()

    on_bullet_list_close = on_ordered_list_close = on_list_close

    def on_list_item_open(self, token: Any) -> None:
        self.lists[-1][1] += 1
        self.fresh.append(True)

    def on_list_item_close(self, token: Any) -> None:
        self.fresh.pop()

    def on_blockquote_open(self, token: Any) -> None:
        if not self.quotes:
            self.quoted = []
        self.quotes += 1

    def on_blockquote_close(self, token: Any) -> None:
        self.quotes -= 1
        if not self.quotes:
            self.found["quote"].update(filter(None, self.quoted))

    def on_heading_open(self, token: Any) -> None:
        self.level = int(token.tag[1])

    def on_heading_close(self, token: Any) -> None:
        self.level = 0

    def on_tr_open(self, token: Any) -> None:
        self.row = []

    def on_tr_close(self, token: Any) -> None:
        if self.row and any(self.row):
            self.found["row"]["|".join(self.row)] += 1
        self.row = None

    def on_fence(self, token: Any) -> None:
        code = re.sub(r"[ \t]+\n", "\n", token.content.expandtabs(4)).strip("\n")
        language = (token.info or "").strip().split(" ")[0].lower()
        if code.strip():
            self.found["code"][code] += 1
            if language:
                self.found["language"][language, code] += 1

    on_code_block = on_fence

    def on_math_block(self, token: Any) -> None:
        self.found["formula"][latex(token.content)] += 1

    on_math_block_label = on_math_block

    def on_footnote_open(self, token: Any) -> None:
        self.note = True

    def on_footnote_close(self, token: Any) -> None:
        self.note = False

    def on_html_block(self, token: Any) -> None:
        if "<table" not in token.content.lower():
            return
        from lxml import etree, html

        try:
            tree = html.fromstring(token.content)
        except (etree.ParserError, ValueError):
            return
        for row in tree.iter("tr"):
            cells = [words(" ".join(cell.itertext())) for cell in row if cell.tag in ("td", "th")]
            if any(cells):
                self.found["row"]["|".join(cells)] += 1

    def on_inline(self, token: Any) -> None:
        text = words(plain(token.children))
        if text and self.level:
            self.found["heading"][self.level, text] += 1
        if self.quotes:
            self.quoted.append(text)
        if self.row is not None:
            self.row.append(text)
        if self.note and text:
            self.found["footnote"][text[:_SHORT]] += 1
        if self.fresh and self.fresh[-1] and self.row is None and not self.level:
            self.fresh[-1] = False
            ordered, number = self.lists[-1]
            if text:
                self.found["item"][ordered, len(self.lists), text] += 1
                if ordered:
                    self.found["number"][number, text] += 1
        self.inlines(token.children or [])

    def inlines(self, children: Sequence[Any]) -> None:
        opened: list[int] = []
        for at, child in enumerate(children):
            kind = child.type
            if kind in ("link_open", "strong_open", "em_open"):
                opened.append(at)
            elif kind in ("link_close", "strong_close", "em_close") and opened:
                start = opened.pop()
                self.span(children[start], words(plain(children[start:at])))
            elif kind == "code_inline":
                self.found["code span"][" ".join(child.content.split())] += 1
            elif kind == "image":
                self.found["image"][target(child.attrGet("src") or "", self.base)] += 1
            elif kind.startswith("math_inline"):
                self.found["formula"][latex(child.content)] += 1
            elif is_break(child):
                before = words(plain(children[:at]))[-20:]
                if before:
                    self.found["line break"][before] += 1

    def span(self, opening: Any, text: str) -> None:
        if not text:
            return
        if opening.type == "link_open":
            self.found["link"][text, target(opening.attrGet("href") or "", self.base)] += 1
        else:
            self.found[opening.type.removesuffix("_open")][text] += 1


def is_break(token: Any) -> bool:
    return token.type == "hardbreak" or (
        token.type == "html_inline" and _LINE_BREAK.match(token.content) is not None
    )


def plain(children: Sequence[Any] | None) -> str:
    """The text of inline tokens."""
    parts = []
    for child in children or ():
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type == "softbreak" or is_break(child):
            parts.append(" ")
        elif child.type.startswith("math_inline"):
            parts.append(f" {child.content} ")
    return "".join(parts)


def elements(markdown: str, base: str = "") -> Elements:
    """The elements of a text, a bag of each kind."""
    return _Reader(base).read(parser().parse(markdown))


# Scores


class Score(NamedTuple):
    """Elements of one kind: in both texts, in the output, in the reference."""

    both: int = 0
    got: int = 0
    want: int = 0

    def plus(self, want: Counter[Any], got: Counter[Any]) -> Score:
        return Score(self.both + (want & got).total(), self.got + got.total(), self.want + want.total())

    @property
    def f(self) -> float:
        return 2 * self.both / (self.got + self.want) if self.got + self.want else 1.0


class Sample(NamedTuple):
    """A page, its address and how it should be written."""

    html: str
    url: str
    want: Elements


def samples(folder: Path) -> Iterator[Sample]:
    listed = folder / "urls.json"
    urls = json.loads(listed.read_text(encoding="utf-8")) if listed.is_file() else {}
    for path in sorted((folder / "ref").glob("*.md")):
        url = urls.get(path.stem, "https://example.org/")
        html = (folder / "raw" / f"{path.stem}.html").read_bytes().decode("utf-8", "replace")
        yield Sample(html, url, elements(path.read_text(encoding="utf-8"), url))


def scored(tool: Tool, pages: Sequence[Sample]) -> tuple[dict[str, Score], float]:
    """The score of each kind, and CPU seconds; a page that a tool cannot do counts as empty."""
    scores = {kind: Score() for kind in KINDS}
    seconds = 0.0
    for page in pages:
        start = time.process_time()
        try:
            text = tool(page.html, page.url)
        except Exception as error:  # a peer's failure is not ours to stop at
            print(f"  {type(error).__name__}: {error}"[:100], file=sys.stderr)
            text = ""
        seconds += time.process_time() - start
        got = elements(text, page.url)
        scores = {kind: score.plus(page.want[kind], got[kind]) for kind, score in scores.items()}
    return scores, seconds


def table(folder: Path) -> None:
    pages = list(samples(folder))
    if not pages:
        raise SystemExit(f"{folder}: holds no ref/*.md")
    results: dict[str, tuple[dict[str, Score], float]] = {}
    for name, load in TOOLS.items():
        try:
            tool = load()
        except ImportError as error:
            print(f"  left out: {name} ({error})", file=sys.stderr)
            continue
        tool(pages[0].html, pages[0].url)  # loads models
        results[name] = scored(tool, pages)
    print(f"{folder.name}: {len(pages)} pages, F of each kind of element\n")
    print(f"| element | in the references | {' | '.join(results)} |")
    print(f"|---|--:|{'--:|' * len(results)}")
    for kind in KINDS:
        columns = [scores[kind] for scores, _ in results.values()]
        best = max(column.f for column in columns)
        cells = [f"**{one.f:.2f}**" if one.f == best else f"{one.f:.2f}" for one in columns]
        print(f"| {kind} | {columns[0].want} | {' | '.join(cells)} |")
    times = [f"{1000 * seconds / len(pages):.1f}" for _, seconds in results.values()]
    print(f"| ms per page | | {' | '.join(times)} |")


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        raise SystemExit("usage: structure.py DIR [DIR ...], folders that hold raw/*.html and ref/*.md")
    warnings.simplefilter("ignore")
    for folder in map(Path, arguments):
        table(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
