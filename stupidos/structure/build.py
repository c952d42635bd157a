"""The kept part of a page as a raw tree: its own elements and attributes, without what was dropped.

One pass over the tokens. An element is attached to its parent when it gets its first content, so that
the tree prunes itself. Which elements a tag closes is decided by the tables of render/tags.py, as in the
layout.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import compress, count

from stupidos.page import Page, Place
from stupidos.render.columns import columns_of
from stupidos.render.references import unescaped
from stupidos.render.tokens import RAW_ELEMENT, RAW_TEXT
from stupidos.structure import latex
from stupidos.structure.attributes import RawNode
from stupidos.structure.elements import (
    ACTS,
    CLOSE,
    INLINES,
    MATH,
    OPEN_BLOCK,
    OPEN_ENDING,
    OPEN_INLINE,
    PLACE,
    ROWS,
    unusual,
)
from stupidos.structure.images import is_decoration
from stupidos.structure.latex import Token, Tokens
from stupidos.structure.node import BOUNDARY, BREAK, Node
from stupidos.structure.open_elements import (
    BLOCK,
    DEEPEST,
    EXTRA,
    NODE,
    SERIAL,
    TAG,
    Entry,
    OpenElements,
    innermost,
    near,
)

_IMAGES = frozenset(("img", "amp-img", "source"))
_ENDED_BY = {name: "/" + name for name, (act, _) in ACTS.items() if act == OPEN_INLINE and name is not None}
_CLOSED = INLINES | {"p"}  # below them a block may end a paragraph
_SPACED = INLINES | {"p", "td", "th", "li"}  # in which white space between images counts
_WORTH_A_JUMP = 12  # tokens
_NUMBERED = frozenset(("ol", "table"))  # their items and rows are counted
_NEAR_ITEM = 4  # open elements around the box of an item
_LONGEST_ITEM = 100  # segments of an item whose number is looked for
_ITEM_NUMBER = re.compile(r"(\d{1,9})\. ")
_ANCHOR = re.compile(r"\b(?:id|name)\s*=", re.IGNORECASE)
_BEHIND = 24  # tokens read after the last kept segment, for the empty cells of its row
_NEVER = 1 << 60  # number of a token that no page has




class Builder(OpenElements):
    """Builds the raw tree of one page."""

    def __init__(self, page: Page, keep: Sequence[int], dirty: bool = False) -> None:
        assert page.tokens is not None
        super().__init__()
        self.page, self.tokens, self.keep, self.dirty = page, page.tokens, keep, dirty
        columns = columns_of(page.segments)
        self.first, self.last, self.places = columns.first, columns.last, columns.places
        self.pieces: Sequence[str | None] = self.tokens.pieces if self.tokens.at_hand else ()
        # The segment that the next token is in or before, and whether the one before that is kept
        self.index, self.before = 0, 0
        self.end_token = max(compress(self.last, keep), default=0) + _BEHIND  # after which nothing is read
        self.skips = iter(self.tokens.skips)
        self.skip = next(self.skips, (_NEVER, _NEVER))
        self.formulas: dict[int, Node] | None = None  # token -> formula in a script, if they were looked for
        self.dollars = False  # whether there may be LaTeX between delimiters
        self.ended: list[Entry] = []  # what was open when the last kept segment ended
        self.pause = _NEVER  # segment before which the pass over a large page is interrupted
        self.unread: list[Token] = []  # the token that was read last, if the pass was interrupted there
        self.pending: list[tuple[list[Entry], Node, bool]] = []  # where, what, whether it is an image

    # The pass

    def build(self) -> Node:
        if any(self.keep):
            if self.pieces:
                self._walk_stretches()
            else:
                self.walk(zip(count(), *[self.tokens.stream()] * 3))
            self.cut(1)
        return self.root

    def _walk_stretches(self) -> None:
        """Walk over the tokens; some way after a kept segment, jump to just before the next one."""
        pieces, flags = self.pieces, bytes(map(bool, self.keep))
        start = 0
        dropped = flags.find(b"\0\1")  # the last of some dropped segments in a row
        while dropped >= 0:
            before = flags.rfind(1, 0, dropped)
            stop = self.last[before] + _BEHIND if before >= 0 else -1
            if self.last[dropped] - stop > _WORTH_A_JUMP and not self._tied(before, dropped):
                if stop > start:
                    self.walk(_stretch(pieces, start, stop))
                self._jump(dropped)
                start = self.last[dropped]
            dropped = flags.find(b"\0\1", dropped + 1)
        self.walk(_stretch(pieces, start, min(self.end_token + 2, len(pieces) // 3)))

    def _tied(self, kept: int, dropped: int) -> bool:
        """Whether both are in the same numbered list or table, whose items and rows must be counted."""
        if kept < 0:
            return False
        counted = {place[3] for place in _around(self.places[kept]) if place[1] in _NUMBERED}
        return bool(counted) and any(place[3] in counted for place in _around(self.places[dropped]))

    def _jump(self, index: int) -> None:
        """Go to the place of a segment: close what is not open there, open what is."""
        chain = _around(self.places[index], DEEPEST - 20)[::-1]
        stack, common, shared = self.stack, 1, 0  # number of entries that the stack and the chain share
        for _, tag, _, serial, _ in chain:
            at = common
            while at < len(stack) and not stack[at][BLOCK]:
                at += 1
            if at == len(stack) or stack[at][SERIAL] != serial or stack[at][TAG] != tag:
                break
            common, shared = at + 1, shared + 1
        self.cut(common)
        self.full = 0
        for _, tag, written, serial, _ in chain[shared:]:
            number = None
            if tag == "li" and stack[-1][TAG] == "ol":
                stack[-1][EXTRA] = number = self._number_of(serial, index)
            stack.append([tag, written or None, None, number, serial, True])

    def _number_of(self, serial: int, index: int) -> int | None:
        """The number of an item with this serial number: its first segment begins with it."""
        found = None
        for at in range(index, max(-1, index - _LONGEST_ITEM), -1):
            if all(place[3] != serial for place in _around(self.places[at])):
                break
            found = _ITEM_NUMBER.match(self.page.segments[at].text)
        return int(found[1]) if found else None

    # A loop over most tags of a page: what is done for each of them is written out here.
    def walk(self, tokens: Tokens) -> bool:
        """Read tokens; True if the pass was interrupted before its end."""
        firsts, lasts, keep, dirty, add, end = (
            self.first, self.last, self.keep, self.dirty, self.add, self.end_token
        )  # fmt: skip
        index, before = self.index, self.before
        first, last, kept = firsts[index], lasts[index], keep[index]
        inside = False  # a kept segment
        skip_first, skip_last = self.skip
        stack, acts = self.stack, ACTS
        backwards = self.tokens.backwards
        skipping = False
        turn = 0  # token at which one of the above changes
        # Tokens up to which there is another one to look at; none if texts may be struck through
        pieces = () if dirty else self.pieces
        leaves = len(pieces) // 3 - 1
        for token, text, name, written in tokens:
            if token >= turn:
                if token > end:
                    break
                if inside and token > last:
                    self.ended = stack[:]
                while token > last:
                    index += 1
                    before = kept
                    if index == len(keep):
                        index -= 1
                        first = last = _NEVER
                        kept = 0
                        break
                    first, last, kept = firsts[index], lasts[index], keep[index]
                if index >= self.pause:
                    self.index, self.before, self.skip = index, before, (skip_first, skip_last)
                    self.unread = [(token, text, name, written)]
                    return True
                while token > skip_last:
                    skip_first, skip_last = next(self.skips, (_NEVER, _NEVER))
                if token >= skip_first:
                    while token < skip_last:
                        token, *_ = next(tokens, (_NEVER, None, None, None))
                    turn = skip_last + 1
                    continue
                inside = bool(kept) and first <= token
                if self.pending and first <= token:
                    self._settle(bool(kept))
                if inside and index + 1 < len(keep) and not keep[index + 1]:  # a jump may follow
                    self._align(index)
                turn = last + 1 if first <= token else first
                if turn >= skip_first:
                    turn = skip_first - 1
                if turn > end:
                    turn = end + 1
                skipping = token + 1 == skip_first
            if text:
                if inside:
                    if "&" in text:
                        text = unescaped(text)
                    if "$" in text or "\\" in text:
                        self.dollars = self.dollars or latex.may_be_latex(text)
                    node = stack[-1][NODE] or self.attach()
                    node.children.append(text if not dirty or kept != 2 else Node("del", None, [text]))
                else:
                    top = stack[-1]
                    if top[NODE] is not None and top[TAG] in _SPACED and text.isspace():
                        top[NODE].children.append(" ")
            if skipping:
                skipping = False
                turn = token + 1
                continue
            if name is None:
                if kept and (before or inside):
                    self._add_script_formula(token)
                continue
            act, tag = acts.get(name) or self._unusual(name, inside)
            if OPEN_ENDING < act < PLACE:
                top = stack[-1]
                if top[TAG] == tag and not self.full and (tag not in ROWS or (top[NODE] and not top[EXTRA])):
                    stack.pop()
                    node = top[NODE]
                    if node is not None:
                        self.solid -= 1
                        if top[BLOCK] and node is stack[-1][NODE]:
                            node.children.append(BOUNDARY)
                    elif self.preformatted:
                        self.keep_empty_row(top)
                elif act == CLOSE:
                    self.close(tag)
                else:
                    self.close_inline(tag)
            elif act == OPEN_INLINE:
                if (
                    turn - 1 > token < leaves
                    and inside
                    and pieces[3 * token + 4] == _ENDED_BY.get(name)
                    and self._add_leaf(tag, written, pieces[3 * token + 3])
                ):
                    next(tokens)  # its end tag
                elif tag == "a":
                    self.open_link(written, inside, bool(kept), bool(before))
                elif len(stack) >= DEEPEST:
                    self.full += 1
                else:
                    stack.append([tag, written, None, None, 0, False])
            elif act == OPEN_BLOCK:
                if stack[-1][TAG] in _CLOSED or len(stack) >= DEEPEST:
                    self.open_block(tag, written, False)
                else:
                    stack.append([tag, written, None, None, 0, True])
            elif act == OPEN_ENDING:
                self.open_block(tag, written, True)
                if tag == "li" and token in backwards:
                    stack[-1][EXTRA] = backwards[token]
            elif act == PLACE:
                if tag == "input":
                    if kept and written and "heckbox" in written:
                        self._add_box(written, inside or bool(before))
                elif inside or (kept and before):
                    if tag == "br":
                        add(BREAK)
                    else:
                        if tag == "hr":
                            self.close("p")
                        add(RawNode(tag, written))
                elif tag in _IMAGES and token < first and (kept or before):
                    self._wait(tag, written, bool(before))
            elif act == MATH and (inside or kept):
                if inside or before:
                    add(latex.math_element(written, tokens))
                else:
                    self.pending.append((stack[:], latex.math_element(written, tokens), False))
        self.index, self.before, self.skip = index, before, (skip_first, skip_last)
        return False

    def _add_leaf(self, tag: str, written: str | None, text: str | None) -> bool:
        """Add an inline element that holds a text and nothing else; False if there is more to do about it."""
        if not text or self.full or len(self.stack) >= DEEPEST:
            return False
        if tag == "a" and (not written or "href" not in written or self.in_link()):
            return False
        node: Node = self.stack[-1][NODE] or self.attach()
        if "&" in text:
            text = unescaped(text)
        if "$" in text or "\\" in text:
            self.dollars = self.dollars or latex.may_be_latex(text)
        self.inline_node(tag, written, node).children.append(text)
        return True

    def _add_script_formula(self, token: int) -> None:
        """Add the formula of a script, if this token is one."""
        if self.formulas is None:
            self.formulas = {}
            if "math/tex" in self.page.source:

                self.formulas = latex.script_formulas(self.tokens.source)
        if token in self.formulas:
            node: Node = self.stack[-1][NODE] or self.attach()
            latex.drop_rendered(node.children)
            node.children.append(self.formulas[token])

    def open_link(self, written: str | None, inside: bool, kept: bool, before: bool) -> None:
        """Open an <a>, which ends one that is open; an anchor with nothing in it is remembered."""
        self.open_inline("a", written)
        if kept and written and "href" not in written and _ANCHOR.search(written):
            anchor = RawNode("a", written)
            if inside or before:
                self.add(anchor)
            else:
                self.pending.append((self.stack[:], anchor, False))

    def _add_box(self, written: str, at_once: bool) -> None:
        """Add the box of an item, or have it wait for the text of the item."""
        if "li" not in [entry[TAG] for entry in self.stack[-_NEAR_ITEM:]]:
            return
        box = RawNode("input", written)
        if at_once:
            self.add(box)
        else:
            self.pending.append((self.stack[:], box, False))

    # Images and formulas beside one kept segment

    def _wait(self, tag: str, written: str | None, before: bool) -> None:
        """Add an image that belongs to the kept segment before it, or let it wait for the one after."""
        if written and is_decoration(written):
            return
        node = RawNode(tag, written)
        if before and self.ended and near(self.stack, self.ended):
            self.add(node)
        else:
            self.pending.append((self.stack[:], node, True))

    def _settle(self, kept: bool) -> None:
        """Add what waited for a kept segment and belongs to it."""
        for path, node, image in self.pending if kept else ():
            if near(path, self.stack) if image else innermost(path) in map(id, self.stack):
                parent = self._attached(path)
                parent.children.append(node)
        self.pending.clear()
        solid = 1
        while solid < len(self.stack) and self.stack[solid][NODE] is not None:
            solid += 1
        self.solid = solid

    def _attached(self, path: list[Entry]) -> Node:
        """The node of the innermost element of a path, some of which may be closed by now."""
        stack, solid = self.stack, self.solid
        for entry in path:
            if entry[TAG] == "tr" and entry[NODE] is not None and "dropped" in entry[NODE].attributes:
                entry[NODE].attributes = {}  # nothing of it was kept when it was closed
        self.stack = path
        self.solid = next((at for at, entry in enumerate(path) if entry[NODE] is None), len(path))
        node = self.attach() if self.solid < len(path) else path[-1][NODE]
        self.stack, self.solid = stack, solid
        assert isinstance(node, Node)
        return node

    def _align(self, index: int) -> None:
        """Give the open blocks the serial numbers that they have in the place of a segment."""
        entries = [entry for entry in self.stack[1:] if entry[BLOCK]]
        for entry, place in zip(entries, _around(self.places[index])[::-1]):
            if entry[TAG] != place[1]:
                break
            entry[SERIAL] = place[3]

    def _unusual(self, name: str, shown: bool) -> tuple[int, str]:
        raw = RAW_ELEMENT.match(name) if ">" in name else None
        if raw is None or raw[1].lower() not in RAW_TEXT:
            return unusual(name)
        text = name[raw.end() :]
        if shown and text.strip() and raw[1].lower() in ("xmp", "plaintext"):
            self.add(Node("pre", None, [text]))
        return 0, ""


def _stretch(pieces: Sequence[str | None], start: int, stop: int) -> Tokens:
    """Some of the tokens, with their numbers."""
    columns = (pieces[3 * start + column : 3 * stop : 3] for column in range(3))
    return zip(range(start, stop), *columns)


def _around(place: Place | None, most: int = DEEPEST) -> list[Place]:
    """A place and those around it, the innermost first."""
    found: list[Place] = []
    while place is not None and place[1] and len(found) < most:
        found.append(place)
        place = place[0]
    return found
