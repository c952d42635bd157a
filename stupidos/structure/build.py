"""The kept part of a page as a raw tree: its own elements and attributes, without what was dropped.

One pass over the tokens. An element is attached to its parent when it gets its first content, so that the tree
prunes itself. Which elements a tag closes is decided by the tables of render/tags.py, as in the layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import Any

from stupidos.page import Page, Segment
from stupidos.render import attributes as render_attributes
from stupidos.render.references import unescaped
from stupidos.render.tags import CELLS, ENDS, HEADINGS, LISTS, stops
from stupidos.render.tokens import RAW_ELEMENT, RAW_TEXT
from stupidos.structure.attributes import INVALID, attributes_of
from stupidos.structure.elements import (
    ACTS,
    CLOSE,
    CLOSE_INLINE,
    FORMATTING,
    INLINES,
    MATH,
    OPEN_BLOCK,
    OPEN_ENDING,
    OPEN_INLINE,
    PLACE,
    ROWS,
    unusual,
)
from stupidos.structure.node import Node

DEEPEST = 120  # open elements; those inside have no node of their own
_NEAR = 4  # block elements between an image and the one that holds the text beside it
_TOO_LARGE = frozenset(("body", "html", ""))
_IMAGES = frozenset(("img", "source"))
_DECORATION = re.compile(
    r"logo|avatar|icon|emoji|gravatar|badge|sprite|profile|author|pixel|tracking", re.IGNORECASE
)
_ANCHOR = re.compile(r"\b(?:id|name)\s*=", re.IGNORECASE)
_CLIMB = 64  # open elements searched for the one that a tag closes
_BEHIND = 64  # tokens read behind the last kept segment, for the empty cells of its row
_NEVER = 1 << 60  # number of a token that no page has
_LONGEST_FORMULA = 20_000  # tokens of a <math> element

# An open element: tag, attributes as written, its node once it is attached, what is to be remembered (the number
# of an item, the last number of an <ol>, the empty cells of a row), serial number as in Segment.place
_Entry = list[Any]
TAG, WRITTEN, NODE, EXTRA, SERIAL = range(5)
_Tokens = Iterator[tuple[int, str | None, str | None, str | None]]

# Attributes for which a <span> or an element of somebody's own is worth a node
_TELLING = re.compile(
    r"kate?x|math|mjx|latex|tex\b|formula|equation|foot|note|fn|cite|ref|line|gutter|code|lang|data-(?:entry|expr)"
    r"|copy|hover|select\s*:\s*none|\bid\s*=|title|sr-only|visually|bold|italic|font-(?:weight|style)|image|img",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def _telling(written: str) -> bool:
    return _TELLING.search(written) is not None


class Builder:
    """Builds the raw tree of one page."""

    def __init__(self, page: Page, keep: Sequence[int], dirty: bool = False) -> None:
        assert page.tokens is not None
        self.page, self.tokens, self.keep, self.dirty = page, page.tokens, keep, dirty
        self.root = Node("document")
        self.stack: list[_Entry] = [["", None, self.root, None, 0]]
        self.solid = 1  # so many open elements have a node
        self.full = 0  # elements open beyond DEEPEST
        self.serial = 0
        self.formulas: dict[int, Node] = {}  # token -> formula in a script

    # Content

    def attach(self) -> Node:
        """The node of the innermost open element, which has content from now on."""
        stack = self.stack
        parent: Node = stack[self.solid - 1][NODE]
        for at in range(self.solid, len(stack)):
            entry = stack[at]
            tag, written = entry[TAG], entry[WRITTEN]
            if tag not in _HOLDERS and not (written and _telling(written)) and tag[:4] != "mjx-":
                entry[NODE] = parent
                continue
            attributes = attributes_of(written)
            extra = entry[EXTRA]
            if tag == "li" and extra is not None:
                attributes = {**attributes, "value": str(extra)}
            elif tag in CELLS:
                self._flush_cells(at)
                if stack[at - 1][NODE] is not None:
                    parent = stack[at - 1][NODE]
            node = Node(tag, attributes)
            parent.children.append(node)
            entry[NODE] = parent = node
        self.solid = len(stack)
        return parent

    def _flush_cells(self, at: int) -> None:
        """Put the empty cells before the cell at `at` of the stack into its row."""
        row = self._row(at)
        if row is not None and row[EXTRA] and row[NODE] is not None:
            row[NODE].children += row[EXTRA]
            row[EXTRA] = None

    def _row(self, at: int) -> _Entry | None:
        for entry in reversed(self.stack[max(0, at - 8) : at]):
            if entry[TAG] == "tr":
                return entry
            if entry[TAG] == "table":
                break
        return None

    def add(self, child: Node | str) -> None:
        stack = self.stack
        node: Node = stack[-1][NODE] if self.solid == len(stack) else self.attach()
        node.children.append(child)

    # Elements

    def cut(self, at: int) -> None:
        """Close the open elements from number `at` on."""
        stack = self.stack
        for index in range(len(stack) - 1, at - 1, -1):
            entry = stack[index]
            if entry[TAG] in ROWS and entry[NODE] is None:
                self._remember(entry, index)
            elif entry[TAG] == "tr" and entry[EXTRA]:
                entry[NODE].children += entry[EXTRA]
        del stack[at:]
        if self.solid > at:
            self.solid = at

    def _remember(self, entry: _Entry, index: int) -> None:
        """Remember a cell, or a row with cells, of which nothing was kept."""
        if entry[TAG] in CELLS:
            row = self._row(index)
            if row is not None:
                if row[EXTRA] is None:
                    row[EXTRA] = []
                if len(row[EXTRA]) < 1000:
                    row[EXTRA].append(Node(entry[TAG], attributes_of(entry[WRITTEN])))
        elif entry[EXTRA] and index == self.solid:
            parent = self.stack[index - 1][NODE]
            parent.children.append(Node("tr", {"dropped": ""}, entry[EXTRA]))

    def open_block(self, tag: str, written: str | None, ending: bool) -> None:
        stack = self.stack
        self.serial += 1
        again: list[_Entry] = []
        at = len(stack) - 1
        while stack[at][TAG] in INLINES:
            at -= 1
        if stack[at][TAG] == "p":
            again = [[*entry[:2], None, None, 0] for entry in stack[at + 1 :] if entry[TAG] in FORMATTING]
            self.cut(at)
        if ending:
            self.end(tag)
        if len(stack) >= DEEPEST:
            self.full += 1
            return
        extra = self.numbered(written) if tag == "li" else None
        stack.append([tag, written, None, extra, self.serial])
        if again and len(again) < 8:
            stack += again

    def end(self, tag: str) -> None:
        """Close the elements that opening `tag` ends."""
        ends, beyond = ENDS[tag]
        stack = self.stack
        for at in range(len(stack) - 1, max(0, len(stack) - _CLIMB), -1):
            other = stack[at][TAG]
            if other in ends:
                self.cut(at)
                return
            if other in beyond:
                return

    def numbered(self, written: str | None) -> int | None:
        """The number of an item that is opened inside an <ol>."""
        for entry in reversed(self.stack[-8:]):
            if entry[TAG] == "ol":
                number = render_attributes.number(written, "value") if written else None
                if number is None and entry[EXTRA] is None and entry[WRITTEN]:
                    number = render_attributes.number(entry[WRITTEN], "start")
                entry[EXTRA] = (entry[EXTRA] or 0) + 1 if number is None else number
                return int(entry[EXTRA])
            if entry[TAG] in LISTS:
                break
        return None

    def close(self, tag: str) -> None:
        if self.full:
            self.full -= 1
            return
        stack = self.stack
        wanted = HEADINGS if tag in HEADINGS else (tag,)
        beyond = stops(tag)
        for at in range(len(stack) - 1, max(0, len(stack) - _CLIMB), -1):
            other = stack[at][TAG]
            if other in wanted:
                self.cut(at)
                return
            if other in beyond:
                return

    def open_inline(self, tag: str, written: str | None) -> None:
        if tag == "a":
            self.close_inline("a")
        if len(self.stack) >= DEEPEST:
            self.full += 1
        else:
            self.stack.append([tag, written, None, None, 0])

    def close_inline(self, tag: str) -> None:
        """Close an inline element; blocks inside it go on without it."""
        stack = self.stack
        if self.full:
            if tag != "a":
                self.full -= 1
            return
        for at in range(len(stack) - 1, max(0, len(stack) - _CLIMB), -1):
            entry = stack[at]
            if entry[TAG] == tag:
                if all(other[TAG] in INLINES for other in stack[at + 1 :]):
                    again = [[*other[:2], None, None, 0] for other in stack[at + 1 :]] if tag == "a" else []
                    self.cut(at)
                    stack += again
                else:
                    self._split(at)
                return
            if entry[TAG] in _SCOPES:
                return

    def _split(self, at: int) -> None:
        """Take an inline element from below open blocks, which are opened again outside it."""
        stack = self.stack
        above = [[entry[TAG], entry[WRITTEN], None, entry[EXTRA], entry[SERIAL]] for entry in stack[at + 1 :]]
        self.cut(at)
        stack += above

    # The pass

    def build(self) -> Node:
        if not any(self.keep):
            return self.root
        if "math/tex" in self.page.source:
            from stupidos.structure.script_formulas import script_formulas

            self.formulas = script_formulas(self.tokens.source)
        self._read()
        self.cut(1)
        return self.root

    def _read(self) -> None:
        segments, keep, dirty = self.page.segments, self.keep, self.dirty
        index, end, add = 0, _end(segments, keep), self.add
        segment = segments[0]
        first, last, kept = segment.first, segment.last, keep[0]
        before = False  # whether the segment before the next one was kept
        skips = iter(self.tokens.skips)
        skip_first, skip_last = next(skips, (_NEVER, _NEVER))
        stack, acts, formulas = self.stack, ACTS, self.formulas
        tokens: _Tokens = zip(count(), *[self.tokens.stream()] * 3)  # type: ignore[assignment]
        for token, text, name, written in tokens:
            if token > end + _BEHIND:
                break
            while token > last:
                index += 1
                before = kept
                if index == len(segments):
                    first = last = _NEVER
                    kept = 0
                    break
                segment = segments[index]
                first, last, kept = segment.first, segment.last, keep[index]
            if token > skip_last:
                while token > skip_last:
                    skip_first, skip_last = next(skips, (_NEVER, _NEVER))
            if token >= skip_first:
                continue
            if text and kept and first <= token:
                text = unescaped(text) if "&" in text else text
                add(text if not dirty or keep[index] != 2 else Node("del", None, [text]))
            if token + 1 == skip_first:
                continue
            if name is None:
                if formulas and token in formulas and kept and (before or first <= token):
                    add(formulas[token])
                continue
            act, tag = acts.get(name) or self._unusual(name, kept and first <= token)
            if act == OPEN_INLINE:
                self.open_inline(tag, written)
                if tag == "a" and kept and written and "href" not in written and _ANCHOR.search(written):
                    if first <= token or self._same_block(segment):
                        add(Node("a", attributes_of(written)))
            elif act == CLOSE_INLINE:
                if stack[-1][0] == tag and not self.full:
                    if self.solid == len(stack):
                        self.solid -= 1
                    stack.pop()
                else:
                    self.close_inline(tag)
            elif act == CLOSE:
                self.close(tag)
            elif act == OPEN_BLOCK or act == OPEN_ENDING:
                self.open_block(tag, written, act == OPEN_ENDING)
            elif act == PLACE:
                if kept and (before or first <= token or self._same_block(segment)):
                    if tag == "hr":
                        self.close("p")
                    add(Node(tag, attributes_of(written)))
                elif tag in _IMAGES and self._stands(written, segment if kept else None, before and index):
                    add(Node(tag, attributes_of(written)))
            elif act == MATH and kept and (before or first <= token or self._same_block(segment)):
                add(_formula(written, tokens))

    def _unusual(self, name: str, shown: bool) -> tuple[int, str]:
        raw = RAW_ELEMENT.match(name) if ">" in name else None
        if raw is None or raw[1].lower() not in RAW_TEXT:
            return unusual(name)
        text = name[raw.end() :]
        if shown and text.strip() and raw[1].lower() in ("xmp", "plaintext"):
            self.add(Node("pre", None, [text]))
        return 0, ""

    def _stands(self, written: str | None, behind: Segment | None, before: int) -> bool:
        """Whether an image beside one kept segment belongs to it: an element near both holds them."""
        if written and _DECORATION.search(written):
            return False
        places = [
            segment.place
            for segment in (behind, self.page.segments[before - 1] if before else None)
            if segment
        ]
        serials: set[int] = set()
        for place in places:
            for _ in range(_CLIMB):
                if place is None or place[1] in _TOO_LARGE or not place[3]:
                    break
                serials.add(place[3])
                place = place[0]
        levels, figured = 0, any(entry[TAG] == "figure" for entry in self.stack[-12:])
        for entry in reversed(self.stack):
            if entry[SERIAL]:
                if entry[SERIAL] in serials:
                    return True
                levels += 1
                if entry[TAG] == "figure":
                    levels, figured = 0, False
                if levels > _NEAR and not figured:
                    break
        return False

    def _same_block(self, segment: Segment) -> bool:
        """Whether the innermost open block, or the figure around it, holds this segment."""
        stack = self.stack
        at = len(stack) - 1
        while at and not stack[at][SERIAL]:
            at -= 1
        serials = {stack[at][SERIAL]}
        for entry in reversed(stack[-6:]):
            if entry[TAG] == "figure":
                serials.add(entry[SERIAL])
        place = segment.place
        for _ in range(6):
            if place is None or not place[3]:
                return False
            if place[3] in serials:
                return True
            place = place[0]
        return False


_HOLDERS = frozenset(
    "a b strong i em code tt kbd samp sub sup del s strike ins mark u q ruby rt rp picture label".split()
) | frozenset(
    tag for tag, act in ((act[1], act[0]) for act in ACTS.values()) if act in (OPEN_BLOCK, OPEN_ENDING)
)
_SCOPES = frozenset(("table", "td", "th", "caption", "html", "body"))


def _end(segments: Sequence[Segment], keep: Sequence[int]) -> int:
    """Number of the last token of the last kept segment that has tokens."""
    return max((one.last for one, kept in zip(segments, keep) if kept and one.offsets is not None), default=0)


def _formula(written: str | None, tokens: _Tokens) -> Node:
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


def raw_tree(page: Page, keep: Sequence[int], dirty: bool = False) -> Node:
    """The raw tree of a page with markup; with `dirty`, 2 in `keep` marks a segment to be struck through."""
    return Builder(page, keep, dirty).build()
