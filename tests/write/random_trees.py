"""Random document trees in the vocabulary of structure/node.py, with texts and targets hard to write."""

from __future__ import annotations

from random import Random

from stupidos.structure import Child, Node

TEXTS = (
    "tea",
    "a < b & c > d",
    'say "hi"',
    "it's",
    "</p>",
    "<script>run()</script>",
    "]]>",
    "&amp;",
    "&lt;b&gt;",
    "a\x01b",
    "\u00a0",
    "日本",
    "x\u2028y",
    "<!-- no -->",
    "-->",
    "\ufffe",
    "${7*7}",
    "`code`",
    "\\(x\\)",
)
TARGETS = (
    "https://example.org/a?b=1&c=2#d",
    "/relative path/é",
    "#top",
    "a:b",
    "a_b:c",
    "javascript:run()",
    "java\nscript:run()",
    " \x01javascript:run()",
    "JaVaScRiPt:run()",
    "data:text/html,<script>run()</script>",
    "vbscript:run()",
    "//host/x",
    "http://[::1]/",
    "http://h:x/",
    "100%",
    "x#y#z",
    'x" onclick="run()',
    "x' onclick='run()",
    "mailto:a@b.example",
    "http://exa mple/",
    "http://h/<>\\^`{|}",
    "?q=a|b",
    "data:image/svg+xml,<svg onload=run()>",
    "\ud800",
    "x\u200b",
)
IMAGES = (*TARGETS, "data:image/png;base64,AAAA", "data:image/gif,x", "cup.jpg")
WORDS = ("note", "warning", 'evil" onclick="run()', "a b", "x<y")
WRAPPERS = "strong em del ins sub sup kbd mark q".split()
DEPTH = 4


class Trees:
    """Makes trees from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.notes: list[str] = []

    def some(self, most: int) -> range:
        return range(self.random.randint(1, most))

    def text(self) -> str:
        return self.random.choice(TEXTS)

    def document(self) -> Node:
        children = [self.block(DEPTH) for _ in self.some(8)]
        if self.notes:
            names = dict.fromkeys(self.notes)
            notes: list[Child] = [Node("note", {"id": name}, [self.block(1)]) for name in names]
            children.append(Node("footnotes", None, notes))
        return Node("document", None, list(children))

    def inlines(self, depth: int, link: bool = True) -> list[Child]:
        return [self.inline(depth, link) for _ in self.some(4)]

    def inline(self, depth: int, link: bool) -> Child:
        kind = self.random.randint(0, 11) if depth > 0 else 0
        if kind == 1 and link:
            attributes = {"href": self.random.choice(TARGETS), "title": self.text()}
            return Node("a", attributes, self.inlines(depth - 1, link=False))
        if kind in (2, 3):
            return Node(self.random.choice(WRAPPERS), None, self.inlines(depth - 1, link))
        if kind == 4:
            return Node("code", None, [self.text()])
        if kind == 5:
            return Node("img", {"src": self.random.choice(IMAGES), "alt": self.text(), "title": self.text()})
        if kind == 6:
            return Node("br")
        if kind == 7:
            return Node("math", None, [self.text()])
        if kind == 8:
            self.notes.append(self.random.choice(("1", "2", "a b", '"x"')))
            return Node("noteref", {"id": self.notes[-1]})
        if kind == 10:
            return Node("box", self.random.choice(({}, {"checked": ""})))
        if kind == 9:
            return Node("ruby", None, ["漢", Node("rt", None, [self.text()])])
        return self.text()

    def mixed(self, depth: int) -> list[Child]:
        blocks: list[Child] = [self.block(depth - 1) for _ in self.some(2)]
        inlines = self.inlines(depth - 1)
        return self.random.choice((blocks, inlines, inlines + blocks))

    def block(self, depth: int) -> Node:
        kind = self.random.choice(BLOCKS if depth > 0 else BLOCKS[:4])
        if kind in ("blockquote", "div"):
            return Node(kind, None, [self.block(depth - 1) for _ in self.some(3)])
        return getattr(self, kind)(depth)  # type: ignore[no-any-return]

    def p(self, depth: int) -> Node:
        return Node("p", None, self.inlines(depth))

    def heading(self, depth: int) -> Node:
        return Node(f"h{self.random.randint(1, 6)}", None, self.inlines(depth))

    def pre(self, depth: int) -> Node:
        language = {"language": self.random.choice(("python", "c++", 'x" onclick="run()'))}
        return Node("pre", self.random.choice((None, language)), [f"\n  {self.text()}\n\t{self.text()}"])

    def rule(self, depth: int) -> Node:
        return Node("hr")

    def bullets(self, depth: int) -> Node:
        return Node("ul", None, [Node("li", {}, self.mixed(depth)) for _ in self.some(3)])

    def numbers(self, depth: int) -> Node:
        start = self.random.choice((1, 7))
        items: list[Child] = [
            Node("li", {"value": str(start + at * self.random.choice((1, 2)))}, self.mixed(depth))
            for at in self.some(4)
        ]
        return Node("ol", {"start": str(start)} if start > 1 else {}, items)

    def definitions(self, depth: int) -> Node:
        made: list[Child] = []
        for _ in self.some(4):
            term = self.random.random() < 0.5
            made.append(
                Node("dt", None, self.inlines(depth)) if term else Node("dd", None, self.mixed(depth))
            )
        return Node("dl", None, made)

    def table(self, depth: int) -> Node:
        columns = self.random.randint(1, 3)
        rows: list[Child] = [
            Node(
                "tr", None, [Node("th" if not at else "td", None, self.mixed(depth)) for _ in range(columns)]
            )
            for at in self.some(3)
        ]
        caption: list[Child] = [Node("caption", None, self.inlines(depth))]
        return Node("table", None, self.random.choice((rows, caption + rows)))

    def callout(self, depth: int) -> Node:
        title = self.random.choice(({}, {"title": self.text()}))
        attributes = {"kind": self.random.choice(WORDS), **title}
        return Node("callout", attributes, [self.block(depth - 1) for _ in self.some(2)])

    def figure(self, depth: int) -> Node:
        image = Node("p", None, [Node("img", {"src": self.random.choice(IMAGES)})])
        return Node("figure", None, [image, Node("figcaption", None, self.inlines(depth))])

    def formula(self, depth: int) -> Node:
        return Node("math", {"display": "block"}, [self.text()])


BLOCKS = (
    "p",
    "heading",
    "pre",
    "rule",
    "bullets",
    "numbers",
    "definitions",
    "table",
    "callout",
    "figure",
    "formula",
    "blockquote",
    "div",
)


def random_tree(seed: int) -> Node:
    return Trees(seed).document()


def deep_tree(depth: int, tags: str) -> Node:
    """Elements inside each other, `tags` over and over."""
    names = tags.split()
    node = Node("p", None, ["tea"])
    for at in range(depth):
        node = Node(names[at % len(names)], {}, [node])
    return Node("document", None, [node])
