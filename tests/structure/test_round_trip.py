"""Markdown to HTML, inside a page with menu, sidebar and footer, cleaned, to Markdown: the same structure."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.metadata import distributions
from typing import Any
from urllib.parse import unquote, urljoin

import pytest

from stupidos import Cleaner

markdown_it = pytest.importorskip("markdown_it")

URL = "https://example.org/docs/"
PAGE = """<!DOCTYPE html><html><head><title>Handbook</title></head><body>
<header><nav><ul><li><a href="/">Home</a></li><li><a href="/docs">Docs</a></li>
<li><a href="/blog">Blog</a></li>
<li><a href="/login">Log in</a></li></ul></nav></header>
<div class="wrap"><aside class="sidebar"><h3>Popular</h3><ul><li><a href="/a">First popular page</a></li>
<li><a href="/b">Second popular page</a></li></ul></aside>
<main><article class="content">{}</article></main></div>
<footer><p>Copyright 2024 Example Inc. All rights reserved.</p>
<ul><li><a href="/privacy">Privacy</a></li><li><a href="/terms">Terms</a></li></ul></footer></body></html>"""
FLOORS = {
    "heading": 0.98, "item": 0.97, "number": 0.97, "row": 0.93, "code": 0.98, "language": 0.95,
    "code_inline": 0.97, "link": 0.95, "strong": 0.95, "em": 0.95, "image": 0.90, "quote": 0.95,
}  # fmt: skip
Found = dict[str, Counter[object]]


@cache
def parser() -> Any:
    return markdown_it.MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def words(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()


def plain(children: Iterable[Any]) -> str:
    return "".join(" " if child.type.endswith("break") else child.content for child in children)


def elements(text: str) -> Found:
    """The elements of a Markdown text, counted by kind."""
    found: Found = {kind: Counter() for kind in FLOORS}
    lists: list[
        list[int]
    ] = []  # whether ordered, number of the item at hand, whether its text is still to come
    quotes, level, row = 0, "", None
    for token in parser().parse(text):
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            lists.append([kind[0] == "o", int(token.attrGet("start") or 1) - 1, 0])
        elif kind in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif kind == "list_item_open":
            lists[-1][1:] = [lists[-1][1] + 1, 1]
        elif kind in ("blockquote_open", "blockquote_close"):
            quotes += 1 if kind.endswith("open") else -1
        elif kind in ("heading_open", "heading_close"):
            level = token.tag if kind.endswith("open") else ""
        elif kind == "tr_open":
            row = []
        elif kind == "tr_close":
            found["row"]["|".join(row or [])] += 1
            row = None
        elif kind in ("fence", "code_block"):
            code = re.sub(r"[ \t]+\n", "\n", token.content).strip("\n")
            found["code"][code] += 1
            if token.info:
                found["language"][token.info.split()[0].lower(), code] += 1
        elif kind == "inline":
            said = words(plain(token.children))
            if row is not None:
                row.append(said)
            elif level and said:
                found["heading"][level, said] += 1
            elif lists and lists[-1][2]:
                lists[-1][2] = 0
                found["item"][lists[-1][0], len(lists), said] += 1
                if lists[-1][0]:
                    found["number"][lists[-1][1], said] += 1
            if quotes and said:
                found["quote"][said] += 1
            inlines(token.children, found)
    return found


def inlines(children: list[Any], found: Found) -> None:
    stack: list[tuple[str, int, Any]] = []
    for at, child in enumerate(children):
        if child.type == "code_inline":
            found["code_inline"][" ".join(child.content.split())] += 1
        elif child.type == "image":
            found["image"][address(child.attrGet("src"))] += 1
        elif child.type in ("link_open", "strong_open", "em_open"):
            stack.append((child.type.removesuffix("_open"), at, child))
        elif child.type in ("link_close", "strong_close", "em_close"):
            kind, start, opening = stack.pop()
            said = words(plain(children[start:at]))
            if said:
                found[kind][(said, address(opening.attrGet("href"))) if kind == "link" else said] += 1


def address(target: str | None) -> str:
    target = target or ""
    return target if target.startswith("#") else unquote(urljoin(URL, target)).rstrip("/")


@cache
def cleaner() -> Cleaner:
    return Cleaner.load()


def scores(texts: Iterable[str]) -> dict[str, float]:
    """F of each kind of element after the round trip."""
    both: Counter[str] = Counter()
    either: Counter[str] = Counter()
    for text in texts:
        page = PAGE.format(parser().render(text))
        want, got = elements(text), elements(cleaner().extract(page, url=URL).markdown)
        got["heading"] -= Counter({("h1", "handbook"): 1})  # the page's title, put first where there is no h1
        for kind in FLOORS:
            both[kind] += 2 * sum((want[kind] & got[kind]).values())
            either[kind] += sum(want[kind].values()) + sum(got[kind].values())
    return {kind: both[kind] / either[kind] for kind in FLOORS if either[kind]}


def below(found: dict[str, float]) -> dict[str, float]:
    return {kind: round(score, 3) for kind, score in found.items() if score < FLOORS[kind]}


# Random documents

WORDS = (
    "the harbour was quiet when first boat came in and men stood by water talking about weather while nets "
    "dried in wind nobody had seen such a storm since spring old captain said it would turn before evening "
    "so they waited for tide with coffee bread some stories from years ago"
).split()


class Writer:
    """Writes random Markdown about the harbour."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def phrase(self, least: int = 2, most: int = 5) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randint(least, most)))

    def sentence(self) -> str:
        parts = [self.phrase(4, 9).capitalize()]
        for _ in range(self.random.randint(0, 2)):
            parts += [self.inline(), self.phrase(2, 6)]
        return " ".join(parts) + "."

    def inline(self) -> str:
        form = self.random.choice(
            ("**{}**", "*{}*", "`{}`", "[{}](/x/{n})", "![{}](/i/{n}.png)", "[{}](https://a.b/c_d?e=1&f)")
        )
        return form.format(self.phrase(1, 3), n=self.random.randint(1, 999))

    def paragraph(self) -> str:
        return " ".join(self.sentence() for _ in range(self.random.randint(2, 4)))

    def items(self, depth: int = 0) -> str:
        number = self.random.choice((None, 1, 1, self.random.randint(2, 30)))
        lines: list[str] = []
        for at in range(self.random.randint(2, 5)):
            mark = "- " if number is None else f"{number + at}. "
            text = self.sentence()
            if depth < 2 and self.random.random() < 0.25:
                text += "\n\n" + self.items(depth + 1) + "\n"
            lines.append(mark + text.replace("\n", "\n" + " " * len(mark)))
        return "\n".join(lines)

    def code(self) -> str:
        endings = ("();", " = *p;", "")
        lines = [
            " " * self.random.choice((0, 0, 4)) + self.phrase(1, 4) + self.random.choice(endings)
            for _ in range(self.random.randint(1, 6))
        ]
        return "```" + self.random.choice(("python", "c", "bash", "")) + "\n" + "\n".join(lines) + "\n```"

    def table(self) -> str:
        width = self.random.randint(2, 4)
        rows = [[self.phrase(1, 3) for _ in range(width)] for _ in range(self.random.randint(2, 6))]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])

    def quote(self) -> str:
        return "> " + self.paragraph() + "\n>\n> " + self.sentence()

    def document(self) -> str:
        blocks = ["# " + self.phrase().capitalize(), self.paragraph()]
        for _ in range(self.random.randint(6, 12)):
            blocks.append(
                self.random.choice((self.paragraph, self.items, self.code, self.table, self.quote))()
            )
            blocks.append(self.paragraph())
            if self.random.random() < 0.4:
                blocks += [
                    f"{'#' * self.random.randint(2, 4)} {self.phrase().capitalize()}",
                    self.paragraph(),
                ]
        return "\n\n".join(blocks) + "\n"


def test_random_documents_come_back() -> None:
    assert not below(scores(Writer(seed).document() for seed in range(8)))


@pytest.mark.slow
def test_many_random_documents_come_back() -> None:
    assert not below(scores(Writer(seed).document() for seed in range(100, 220)))


@pytest.mark.slow
@pytest.mark.xfail(
    reason="the model drops a table of contents of 22 numbered links, and tables of badges:"
    " with 60 packages number .74 and row .916, where .97 and .93 are wanted"
)
def test_descriptions_of_installed_packages_come_back() -> None:
    texts = [
        str(metadata.get("Description") or metadata.get_payload())  # type: ignore[attr-defined]
        for metadata in (one.metadata for one in distributions())
        if "markdown" in (metadata.get("Description-Content-Type") or "").lower()
    ]
    texts = [text for text in texts if len(text) > 300]
    if len(texts) < 30:
        pytest.skip("too few packages: two tables of badges would decide the score of rows")
    assert not below(scores(texts))


@pytest.mark.parametrize(
    "text",
    [
        "# a", "- a", "1. a", "> a", "a\\\n---", "`a`", "*a*", "_a_", "[a](b)", "![a](b)", "<b>a</b>",
        "&amp;",        "a | b\\\n--- | ---", "$a$ $b$", "~~a~~", "[^1]: a", "```", "\\", "#", "***", "+", "<https://a.b>",
    ],
)  # fmt: skip
def test_text_that_looks_like_markup_stays_text(text: str) -> None:
    from stupidos.structure import Node
    from stupidos.write.markdown import markdown

    lines = text.split("\\\n")
    children: list[Node | str] = [lines[0]]
    for line in lines[1:]:
        children += [Node("br"), line]
    html = parser().render(markdown(Node("document", None, [Node("p", None, children)])))
    shown = re.sub(r"<br />\n", "\\\n", html.removeprefix("<p>").removesuffix("</p>\n"))
    for reference, letter in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        shown = shown.replace(reference, letter)
    assert shown == text
