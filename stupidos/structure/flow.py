"""The raw tree of a page to the vocabulary of node.py: a table of elements, each with what becomes of it.

Raw nodes that keep their form become nodes of the document: making new ones takes time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from stupidos.structure import callouts, code_blocks, comments, formulas, images, lists, tables
from stupidos.structure.attributes import RawNode, only_target
from stupidos.structure.containers import CONTAINERS, is_plain
from stupidos.structure.inline import paragraphs, parted, squeezed, without_breaks
from stupidos.structure.links import is_absolute, is_permalink, target
from stupidos.structure.node import BOUNDARY, BREAK, Attributes, Child, Node, text_of, walk
from stupidos.structure.runs import flat, has_only_images, is_blank, runs, wrapped
from stupidos.structure.simple import CODES, INLINES, simple_run

_IN_HEADINGS = frozenset(("p", "math", "h1", "h2", "h3", "h4", "h5", "h6"))


class Converter:
    """Turns raw nodes into those of the vocabulary."""

    def __init__(self, find_base: Callable[[], str]) -> None:
        self.find_base = find_base  # called for the first relative target
        self.latex = False  # whether the page renders LaTeX between delimiters
        self.around: list[Node] = []  # raw elements around the one at hand
        self.seen: Node | None = None  # the last image
        self.seen_without_scripts = False  # whether that was in a <noscript>
        self.listed: Node | None = None  # the last block of code, if it was a <code> element
        self.comment = False  # whether the one at hand is inside a comment of a reader
        self.started = False  # whether there was any text

    @cached_property
    def base(self) -> str:
        """What relative targets are relative to."""
        return self.find_base()

    def target(self, href: str) -> str:
        """The target of a link or image, absolute."""
        return href if is_absolute(href) else target(href, self.base)

    # Runs

    def flow(self, node: Node) -> list[Child]:
        """What becomes of the children: inlines and blocks, with a BOUNDARY where blocks are unwrapped."""
        out: list[Child] = []
        self.into(node, out)
        return out

    def into(self, node: Node, out: list[Child]) -> None:
        self.around.append(node)
        handler_of, other, as_it_is = _HANDLERS.get, Converter.other, _AS_THEY_ARE
        for child in node.children:
            if isinstance(child, str) or child.tag in as_it_is:
                out.append(child)
            else:
                handler_of(child.tag, other)(self, child, out)
        self.around.pop()

    def blocks(self, node: Node) -> list[Child]:
        """The children as blocks only."""
        return self.as_blocks(self.flow(node))

    def as_blocks(self, content: list[Child]) -> list[Child]:
        found: list[Child] = []
        for run in runs(content):
            if isinstance(run, Node):
                found.append(run)
            elif len(run) > 1 or run[0] != " ":
                run = self.squeezed(run)
                if len(run) == 1 and isinstance(run[0], str):
                    found.append(_paragraph(run))
                elif self.latex:  # displayed formulas stand apart
                    for part in runs(run):
                        if isinstance(part, Node):
                            found.append(part)
                        else:
                            found += map(_paragraph, paragraphs(squeezed(part)))
                else:
                    found += map(_paragraph, paragraphs(run))
        return found

    def mixed(self, node: Node) -> list[Child]:
        """The children as inlines, or as inlines followed by blocks, or as blocks."""
        if len(node.children) == 1 and isinstance(node.children[0], str):
            return self.squeezed(node.children)
        simple = self.simple(node)
        if simple is not None:
            return simple if simple.count(BREAK) < 2 or node.tag != "li" else parted(simple)
        content = self.flow(node)
        first, *others = [run for run in runs(content) if isinstance(run, Node) or not is_blank(run)] or [[]]
        if isinstance(first, Node) and not others and first.tag == "p" and node.tag != "li":
            return first.children
        if isinstance(first, Node):
            return self.as_blocks(content)
        rest: list[Child] = []
        for run in others:
            rest += [run] if isinstance(run, Node) else map(_paragraph, paragraphs(self.squeezed(run)))
        start = self.squeezed(first)
        if node.tag != "li":
            return start + rest
        parts = parted(start)
        if parts is start and any(isinstance(one, Node) and one.tag == "p" for one in rest):
            return [Node("p", None, start), *rest]
        return parts + rest

    def inlines(self, node: Node) -> list[Child]:
        """The children as inlines of one line."""
        if len(node.children) == 1 and isinstance(node.children[0], str):
            return self.squeezed(node.children)
        return squeezed(without_breaks(self.squeezed(flat(self.flow(node)))))

    def simple(self, node: Node) -> list[Child] | None:
        """The children as inlines, if they are simple ones; they take the place of the raw ones."""
        run = None if self.latex else simple_run(node.children, self.link_attributes)
        if run is not None:
            node.children = run  # a large page would hold both
            self.started = self.started or bool(run)
        return run

    def squeezed(self, run: list[Child]) -> list[Child]:
        run = squeezed(run)
        self.started = self.started or bool(run)
        return squeezed(formulas.with_formulas(run)) if self.latex else run

    # Blocks

    def container(self, node: Node, out: list[Child]) -> None:
        if not (isinstance(node, RawNode) and is_plain(node.written)) and node.attributes:
            if formulas.is_candidate(node):
                formula = formulas.formula(node)
                if formula is not None:
                    out.append(formula)
                    return
            kind = callouts.callout_kind(node)
            if kind:
                self.callout(node, kind, out)
                return
            if not self.comment and comments.is_comment(node):
                comments.quotation(self, node, out)
                return
            if node.attributes.get("role") == "heading":
                self.heading_by_role(node, out)
                return
        self.unwrapped(node, out)

    def heading_by_role(self, node: Node, out: list[Child]) -> None:
        level = node.attributes.get("aria-level", "2").strip()
        self.heading(Node(f"h{level if level in '123456' and level else 2}", {}, node.children), out)

    def callout(self, node: Node, kind: str, out: list[Child]) -> None:
        title = callouts.take_title(node, kind)
        children = self.blocks(node)
        if children:
            attributes = {"kind": kind, "title": title} if title else {"kind": kind}
            out.append(Node("callout", attributes, children))
        elif title:
            out.append(Node("p", None, [title]))

    def paragraph(self, node: Node, out: list[Child]) -> None:
        if node.attributes and formulas.is_candidate(node):
            formula = formulas.formula(node)
            if formula is not None:
                out += [BOUNDARY, formula, BOUNDARY]
                return
        children = node.children
        if not out or out[-1] is not BOUNDARY:
            out.append(BOUNDARY)
        if len(children) == 1 and isinstance(children[0], str) and not self.latex:
            run = squeezed(children)
            if run:
                self.started = True
                out.append(node.become("p", run))
                return
        else:
            simple = self.simple(node)
            if simple is None:
                out += self.as_blocks(self.flow(node))
            elif simple.count(BREAK) > 1:
                out += map(_paragraph, paragraphs(simple))
            elif simple:
                out.append(node.become("p", simple))
                return
        out.append(BOUNDARY)

    def heading(self, node: Node, out: list[Child]) -> None:
        children = node.children
        only = children[0] if len(children) == 1 else None
        if isinstance(only, str) and only.isprintable() and not self.latex:
            line = squeezed(children)
            if line:
                self.started = True
                out.append(node.become(node.tag, line))
            return
        content = self.flow(node)
        blocks = (child.tag for child in content if isinstance(child, Node) and child.block)
        if not _IN_HEADINGS.issuperset(blocks):
            # an end tag is missing: what is not a line of its own cannot be part of the heading
            for run in runs(content):
                out += [run] if isinstance(run, Node) else self._heading(node.tag, run)
        else:
            out += self._heading(node.tag, content)

    def _heading(self, tag: str, content: list[Child]) -> list[Child]:
        line = squeezed(without_breaks(self.squeezed(flat(content))))
        while line and isinstance(line[-1], Node) and line[-1].tag == "a" and is_permalink(line[-1]):
            line = squeezed(line[:-1])
        if line and isinstance(line[0], Node) and line[0].tag == "a" and is_permalink(line[0]):
            line = squeezed(line[1:])
        if len(line) == 1 and isinstance(line[0], Node) and line[0].attributes.get("href", "")[:1] == "#":
            line = line[0].children  # a link to itself
        if line and isinstance(line[0], Node) and has_only_images(list(_unlinked(line))):
            return [_paragraph(line)]
        return [Node(tag, None, line)] if line else []

    def quote(self, node: Node, out: list[Child]) -> None:
        kind = callouts.callout_kind(node) if node.attributes else ""
        if kind:
            self.callout(node, kind, out)
            return
        children = self.blocks(node)
        if children:
            out.append(Node("blockquote", None, children))

    def code_block(self, node: Node, out: list[Child]) -> None:
        listing = isinstance(node, RawNode) and code_blocks.is_listing(node.written or "")
        if listing and not code_blocks.keep_lines(node):
            self.unwrapped(node, out)
            return
        found = code_blocks.code_block(node, self.around)
        if found is None:
            return
        code_blocks.drop_label(out, found.attributes.get("language", ""))
        last = next((child for child in reversed(out) if not isinstance(child, str) or child.strip()), None)
        if isinstance(last, Node) and last.tag == "pre" and (node.tag == "code" or last is self.listed):
            last.children = ["\n".join(map(str, (*last.children, *found.children)))]
            found = last
        else:
            out.append(found)
        self.listed = found if node.tag == "code" or last is self.listed else None

    def rule(self, node: Node, out: list[Child]) -> None:
        out.append(Node("hr"))

    def unwrapped(self, node: Node, out: list[Child]) -> None:
        out.append(BOUNDARY)
        self.into(node, out)
        out.append(BOUNDARY)

    # Inlines

    def inline(self, tag: str, node: Node, out: list[Child]) -> None:
        children = node.children
        if len(children) == 1 and isinstance(children[0], str):
            out.append(node.become(tag, children))
        else:
            content = self.flow(node)
            out += content if has_only_images(content) else wrapped(tag, {}, content)

    def other(self, node: Node, out: list[Child]) -> None:
        """An element without a form of its own."""
        if "mw-editsection" in node.attributes.get("class", ""):
            return
        if node.attributes and (node.tag.startswith("mjx") or formulas.is_candidate(node)):
            formula = formulas.formula(node)
            if formula is not None:
                out.append(formula)
                return
        self.into(node, out)

    def link(self, node: Node, out: list[Child]) -> None:
        children = node.children
        simple = len(children) == 1 and isinstance(children[0], str)
        attributes = self.link_attributes(node)
        href = attributes["href"] if attributes else ""
        if "#" in href and text_of(node).strip() == "¶":
            return
        content = children if simple else self.flow(node)
        if not href or (not simple and any(isinstance(one, Node) and one.tag == "a" for one in content)):
            out += content
            return
        if simple:
            out.append(node.become("a", content, attributes))
        else:
            out += wrapped("a", attributes, content)

    def link_attributes(self, node: Node) -> Attributes:
        """The attributes of a link, of those on the page; none if it has no target."""
        if isinstance(node, RawNode):
            only = only_target(node.written)
            if only is not None:
                href = self.target(only)
                return {"href": href} if href else {}
        found = node.attributes
        href = self.target(found["href"]) if "href" in found else ""
        if not href:
            return {}
        title = " ".join(found["title"].split()) if "title" in found else ""
        return {"href": href, "title": title} if title else {"href": href}

    def code(self, node: Node, out: list[Child]) -> None:
        children = node.children
        simple = len(children) == 1 and isinstance(children[0], str)
        if not simple and any(inner.tag in _CODE_BLOCKS for inner in walk(node)):
            self.container(node, out)
            return
        if node.attributes and code_blocks.is_block(node):
            self.code_block(node, out)
            return
        text = text_of(node)
        content = " ".join(text.split())
        if not content:
            out.append(text)
            return
        if text[0].isspace():
            out.append(" ")
        out.append(node.become("code", [content]))
        if text[-1].isspace():
            out.append(" ")

    def math(self, node: Node, out: list[Child]) -> None:
        formula = formulas.math(node)
        if formula is not None:
            out.append(formula)

    def nothing(self, node: Node, out: list[Child]) -> None:
        pass


def _unlinked(run: list[Child]) -> Iterator[Child]:
    """Inlines, with what links hold instead of the links."""
    for child in run:
        yield from child.children if isinstance(child, Node) and child.tag == "a" else (child,)


def _paragraph(run: list[Child]) -> Node:
    return Node("p", None, run)


_CODE_BLOCKS = frozenset(("pre", "p", "div", "ul", "ol", "table", "li"))
_AS_THEY_ARE = frozenset(("br", "noteref", "box", "boundary"))
_Handler = Callable[[Converter, Node, list[Child]], None]


def _inline(tag: str) -> _Handler:
    def handle(converter: Converter, node: Node, out: list[Child]) -> None:
        converter.inline(tag, node, out)

    return handle


_HANDLERS: dict[str, _Handler] = {
    **dict.fromkeys(CONTAINERS, Converter.container),
    "p": Converter.paragraph,
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), Converter.heading),
    "blockquote": Converter.quote,
    **dict.fromkeys(("pre", "listing"), Converter.code_block),
    "hr": Converter.rule,
    **dict.fromkeys(lists.LISTS, lists.bullets),
    "li": lists.stray_item,
    "dl": lists.definitions,
    **dict.fromkeys(("dt", "dd"), lists.stray_definition),
    "figure": images.figure,
    "table": tables.table,
    "a": Converter.link,
    **dict.fromkeys(CODES, Converter.code),
    **dict.fromkeys(("img", "amp-img"), images.show),
    "picture": images.show_picture,
    "math": Converter.math,
    **dict.fromkeys(("wbr", "source", "input"), Converter.nothing),
    **{tag: _inline(form) for tag, form in INLINES.items()},
    "rp": Converter.nothing,
}
