"""The document tree: the raw tree of a page, put into the vocabulary of node.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from stupidos.page import Kind, Page, Segment
from stupidos.render.columns import SegmentColumns
from stupidos.structure import formulas
from stupidos.structure.build import Builder
from stupidos.structure.flow import Converter
from stupidos.structure.footnotes import may_be_mark, may_refer, take_notes
from stupidos.structure.links import base_of, canonical
from stupidos.structure.node import Child, Node, Stream, Tree
from stupidos.structure.parts import PartBuilder
from stupidos.structure.units import completed, with_notes

_MOST_AT_ONCE = 1 << 15  # kept segments of a page whose tree is made as a whole
_NUMBER = re.compile(r"(\d{1,9})[.)]\s+")


def tree_of(page: Page, keep: Sequence[int], url: str = "", dirty: bool = False) -> Tree:
    """The kept segments of a page as a tree; those with a 2 in `keep` are struck through if `dirty`.

    A page of very many segments becomes a Stream, and its footnotes stay where they are.
    """
    if page.tokens is None:
        return tree_of_segments(page.segments, keep)
    keep = keep if dirty else completed(page, keep)
    placed, rest = keep, list[Child]()
    if not (isinstance(page.segments, SegmentColumns) and page.segments.offsets is not None):
        placed = [flag if segment.offsets is not None else 0 for segment, flag in zip(page.segments, keep)]
    if placed != keep:
        unplaced = [flag if segment.offsets is None else 0 for segment, flag in zip(page.segments, keep)]
        rest = tree_of_segments(page.segments, unplaced).children
    if sum(map(bool, placed)) > _MOST_AT_ONCE and not page.tokens.at_hand:
        return Stream(chain(_parts(page, placed, url, dirty), rest))
    return Node("document", None, _blocks(page, placed, url, dirty, rest))


def _blocks(page: Page, keep: Sequence[int], url: str, dirty: bool, rest: list[Child]) -> list[Child]:
    """The blocks of a page, then the rest of its text, then its footnotes."""
    builder = Builder(page, keep, dirty)
    root = builder.build()
    noted = builder.noted or any(map(may_refer, builder.jumps)) or any(map(may_be_mark, builder.raised))
    if builder.fragments and not all(keep):
        more = with_notes(page, keep, builder.fragments)
        if more != keep:
            root, noted = Builder(page, more, dirty).build(), True
    notes = take_notes(root, (url, canonical(page.head))) if noted else []
    converter = _converter(page, url)
    converter.latex = builder.dollars and formulas.renders_latex(page.source)
    blocks = converter.blocks(root) + rest
    if notes:
        found = [Node("note", {"id": note.id}, converter.blocks(note.node)) for note in notes]
        blocks.append(Node("footnotes", None, [note for note in found if note.children]))
    return blocks


def _parts(page: Page, keep: Sequence[int], url: str, dirty: bool) -> Iterator[Child]:
    """The blocks of a large page, made some thousand segments at a time."""
    builder, converter = PartBuilder(page, keep, dirty), _converter(page, url)
    looked = False  # whether the page renders LaTeX
    for root in builder.build_parts():
        if builder.dollars and not looked:
            converter.latex, looked = formulas.renders_latex(page.source), True
        yield from converter.blocks(root)


def _converter(page: Page, url: str) -> Converter:
    return Converter(lambda: base_of(page.source, page.head, url))


def tree_of_segments(segments: Sequence[Segment], keep: Sequence[int]) -> Node:
    """A tree made of segments alone, for a page without markup: headings, paragraphs and lists.

    >>> tree_of_segments([Segment("To buy", Kind.HEADING, 1), Segment("2. tea", Kind.ITEM, 1)], [1, 1])
    (document (h1 'To buy') (ol start='2' (li value='2' 'tea')))
    """
    root = Node("document")
    lists: list[Node] = []  # open ones, the outermost first
    for segment, flag in zip(segments, keep):
        if not flag:
            continue
        if segment.kind != Kind.ITEM:
            lists = []
            tag = f"h{min(max(segment.level, 1), 6)}" if segment.kind == Kind.HEADING else "p"
            root.children.append(Node(tag, None, _inlines(segment.text, flag, tag != "p")))
            continue
        number = _NUMBER.match(segment.text)
        text = segment.text[number.end() :] if number else segment.text
        attributes = {"value": number[1].lstrip("0") or "0"} if number else {}
        item = Node("li", attributes, _inlines(text, flag, False))
        _list_for(root, lists, max(segment.level, 1), attributes).children.append(item)
    return root


def _inlines(text: str, flag: int, one_line: bool) -> list[Child]:
    """The lines of a text with breaks between them, struck through if it was dropped."""
    found: list[Child] = []
    for line in [" ".join(text.split())] if one_line else text.split("\n"):
        if line.strip():
            found += [Node("br"), line.strip()] if found else [line.strip()]
    return [Node("del", None, found)] if flag == 2 else found


def _list_for(root: Node, lists: list[Node], depth: int, attributes: dict[str, str]) -> Node:
    """The list that an item of this depth belongs to, opened if there is none."""
    del lists[depth:]
    ordered = "value" in attributes
    if len(lists) == depth and (lists[-1].tag == "ol") == ordered:
        return lists[-1]
    del lists[depth - 1 :]
    parent = root
    if lists:
        last = lists[-1].children[-1]
        assert isinstance(last, Node)
        parent = last
    start = {"start": attributes["value"]} if ordered and attributes["value"] != "1" else {}
    made = Node("ol" if ordered else "ul", start)
    parent.children.append(made)
    lists.append(made)
    return made
