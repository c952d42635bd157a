"""Lay out a page: one pass over its tags and text that finds where segments start and end.

The loop collects the text of all segments in one list, each segment ended by a NUL. References, white space
and control characters are handled afterwards for the whole page at once, which is faster than a loop over
segments (see segments.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from stupidos.page import DEEPEST, Place
from stupidos.render import attributes as attribute
from stupidos.render.columns import ROOT
from stupidos.render.numbering import Numbering
from stupidos.render.options import RenderOptions
from stupidos.render.tags import (
    ABOUT,
    BLANK,
    BOUNDARY,
    BREAK,
    CELL,
    DEPTH,
    DEPTH_UNIT,
    FORMULA,
    HEADINGS,
    HIDDEN,
    IMAGE,
    INLINE,
    LAST_ITEM,
    LEVEL,
    LINK,
    LINK_END,
    OPEN,
    OWN,
    OWN_ACTS,
    PRE,
    RAISED,
    READING_END,
    RULE,
    SKIP,
    TAGS,
    P,
    acts_under,
    stops,
)
from stupidos.render.tokens import RAW_ELEMENT, RAW_TEXT, Pieces
from stupidos.render.visible import visible

__all__ = ["CELL", "DEPTH", "DEPTH_UNIT", "HIDDEN", "LEVEL", "PageLayout", "lay_out"]

SEGMENT_END, KEPT_BREAK, KEPT_BLANK = "\0", "\1", "\2"  # pages that contain them are laid out again without

_MAX_CLIMB = 64  # open elements searched for the one that an end tag closes
_LONGEST_BLANK = 64  # characters of a text that may consist of "&nbsp;" alone
_Tokens = Iterator[tuple[int, str, str | None, str | None]]


class PageLayout:
    """Result of the layout loop. (Not a dataclass: importing dataclasses doubles the start-up time.)"""

    __slots__ = (
        "formulas", "head", "hid", "marks", "numbering", "pieces", "skips", "tags", "text", "title",
        "unclosed",
    )  # fmt: skip

    def __init__(self) -> None:
        self.text = ""  # text of all segments, each ended by SEGMENT_END
        self.pieces: list[str | None] | None = None  # the split page, if RenderOptions.pieces is set
        # Four items a segment: place, text inside links, numbers of its first and its last token. A flat list
        # is sliced into columns faster than a list of tuples, and it fragments memory less.
        self.marks: list[Any] = []
        self.title: str | None = None  # as written
        self.head: list[str] = []  # attributes of <meta> and <link> as written
        self.numbering = Numbering()  # of the items of ordered lists
        self.skips: list[tuple[int, int]] = []  # first and last token inside each skipped element
        self.hid = False  # some were skipped because they are hidden
        self.tags: int | None = None  # number of tags laid out, if the rest of the page became one text
        self.formulas = False  # there is MathML on the page
        self.unclosed = ""  # a skipped element without an end tag; the page has to be laid out again

    def taken(self) -> str:
        """Return the text and drop it from the layout: it can take eight times the memory of the page."""
        text, self.text = self.text, ""
        return text


def _after_end_tag(place: Place, tag: str) -> Place:
    """The place after an end tag: outside the element it closes, unchanged if that is not open."""
    at, wanted, beyond = place, HEADINGS if tag in HEADINGS else (tag,), stops(tag)
    for _ in range(_MAX_CLIMB):
        if at[0] is None:
            break
        if at[1] in wanted:
            return at[0]
        if at[1] in beyond:
            break
        at = at[0]
    return place


def _after_implied_end(place: Place, ends: frozenset[str], beyond: frozenset[str]) -> Place:
    """The place outside the nearest open element that a start tag closes implicitly."""
    at = place
    for _ in range(_MAX_CLIMB):
        if at[0] is None or at[1] in beyond:
            break
        if at[1] in ends:
            return at[0]
        at = at[0]
    return place


def _limited_depth(place: Place) -> Place:
    """`place`, or an ancestor if elements are nested too deeply.

    Comparing, hashing and pickling recurse along the chain, which a page could make a million elements long.
    """
    chain: list[Place] = []
    at: Place | None = place
    while at is not None:
        chain.append(at)
        at = at[0]
    return place if len(chain) <= DEEPEST else chain[-DEEPEST // 2]


def _skip_to_end(tokens: _Tokens, name: str) -> int:
    """Consume tokens up to the end tag of `name` (lower case), and return its number; 0 if there is none."""
    depth, end = 1, "/" + name
    sizes = (len(name), len(end))
    for token, _, other, attributes in tokens:
        if other is None or len(other) not in sizes:
            continue
        other = other.lower()
        if other == end:
            depth -= 1
            if not depth:
                return token
        elif other == name and not _ends_itself(name, attributes):
            depth += 1
    return 0


def _ends_itself(name: str, attributes: str | None) -> bool:
    """True for `<svg/>`; on HTML elements the slash has no meaning."""
    return attributes is not None and attributes.endswith("/") and name.lower() == "svg"


def _kept_space(text: str) -> str:
    """Preformatted text, with white space replaced by marks that survive collapsing."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs()
    return text.replace("\n", KEPT_BREAK).replace(" ", KEPT_BLANK)


def _just_broken(out: list[str]) -> bool:
    """Whether no visible text follows the last line break."""
    for piece in reversed(out):
        if piece == KEPT_BREAK:
            return True
        if piece == SEGMENT_END or (not piece.isspace() and (len(piece) > _LONGEST_BLANK or visible(piece))):
            break
    return False


def _act_of_unusual(name: str, laid: PageLayout, options: RenderOptions, out: list[str]) -> int:
    """The act of a name that is not in the table as written, such as "dIV" or "my-card".

    Also handles raw-text elements, whose text follows their name.
    """
    raw = RAW_ELEMENT.match(name) if ">" in name else None
    if raw is None or raw[1].lower() not in RAW_TEXT:
        return acts_under(options).get(name.lower(), 0 if name[0] == "/" else INLINE)
    tag, text = raw[1].lower(), name[raw.end() :]
    if tag == "title":
        laid.title = text if laid.title is None else laid.title
    elif tag == "textarea":
        if options.controls:
            out.append(f" {text} ")
        return BLANK
    elif text.strip():
        out.append(KEPT_BREAK + _kept_space(text).replace("&", "&amp;"))
        return RULE
    return 0


# The hot loop, 2,600 tags a page: one function, since a call for each tag would double its time.
def lay_out(iterator: Pieces, options: RenderOptions, unclosed: set[str] | None, laid: PageLayout) -> None:
    """Lay out the pieces of a page (see tokens.pieces_of).

    Elements named in `unclosed` have no end tag and are not skipped; None means skip no element.
    """
    out: list[str] = []
    marks, add, acts, tags, place = laid.marks, out.append, acts_under(options), TAGS, ROOT
    own_acts, all_shown = OWN_ACTS, options.hidden and not options.aria_hidden
    hides_content = attribute.aria_hidden if options.aria_hidden else attribute.hides
    tokens: _Tokens = zip(count(), iterator, iterator, iterator)  # type: ignore[arg-type]
    token, serial = 0, 0
    first: int | None = None
    linked, link, pre = "", False, False
    raised, reading = -1, False  # token of the last <sup>; inside <rt>
    link_token, target = -1, ""  # token and attributes of the last <a>
    for token, text, name, attributes in tokens:
        if text:
            if pre:
                first = token if first is None else first
                add(_kept_space(text))
                if link:
                    linked += text
            elif text.isspace():
                if first is not None:
                    add(" ")
            else:
                if first is None:
                    first = token
                add(text)
                if link:
                    linked += text
        try:
            act = acts[name]
        except KeyError:
            size = len(out)
            act = _act_of_unusual(name or "", laid, options, out)
            if len(out) > size:
                first = token if first is None else first
        if not act:
            continue
        if act < BOUNDARY:
            if first is not None:
                add("\0")
                marks += (place, linked, first, token)
                first, linked = None, ""
            if act < OPEN:
                place = place[0] if place[1] is tags[act] else _after_end_tag(place, tags[act])  # type: ignore[assignment]
            elif act < RULE:
                if place[1] is P:
                    place = place[0]  # type: ignore[assignment]
                serial += 1
                if not serial & 0xFF:
                    place = _limited_depth(place)
                if act < OWN:
                    state = place[4]
                else:  # a block with extra effects
                    ends, beyond, mask, bits = own_acts[act]
                    if place[1] not in beyond:
                        place = _after_implied_end(place, ends, beyond)
                    state = place[4] & mask | bits
                    if act <= LAST_ITEM:
                        if state & DEPTH < DEPTH:
                            state += DEPTH_UNIT
                        if place[1] == "ol":
                            laid.numbering.add(place, serial, attributes, token)
                    pre = state >= PRE
                if attributes and (
                    "idden" in attributes
                    or (":" in attributes and "none" in attributes)
                    or "eading" in attributes
                    or "N" in attributes
                ):
                    state = attribute.state(attributes, state)
                place = (place, tags[act], attributes, serial, state)
            if pre:
                pre = place[4] >= PRE
        elif act == LINK_END:
            link = False
        elif act <= SKIP:  # these can hide their content
            hides = act == SKIP
            if LINK < act < SKIP:
                if act == RAISED:
                    raised = token
                    if link_token == token - 1 and not text and "#" in target and first is not None:
                        add(" ")  # a footnote mark: <a href="#note"><sup>
                elif act == FORMULA:
                    laid.formulas = True
                elif first is not None:  # a reading of ruby; <rp> may have put it in parentheses
                    reading = not out[-1].rstrip().endswith(("(", "（", "["))
                    add("(" if reading else "")
            if not hides and attributes is not None:
                if act == LINK:
                    link = "href" in attributes or "href" in attributes.lower()
                    link_token, target = token, attributes
                    if raised == token - 1 and not text and "#" in attributes and first is not None:
                        add(" ")  # a footnote mark: <sup><a href="#note">
                if all_shown:
                    continue
                if "idden" in attributes or "none" in attributes or (act == INLINE and "N" in attributes):
                    hides = hides_content(attributes)
                    laid.hid = laid.hid or hides
            if hides and unclosed is not None:
                name = (name or "").lower()
                if name in unclosed or _ends_itself(name, attributes):
                    continue
                end = _skip_to_end(tokens, name)
                if not end:
                    laid.unclosed = name
                    return
                laid.skips.append((token + 1, end))
                if act == LINK:
                    link = False
                elif act == SKIP and first is not None:
                    add(" ")
        elif act == BREAK:
            if first is None:
                continue
            if pre or (options.br == "line" and not _just_broken(out)):
                add("\1")
            else:
                add("\0")
                marks += (place, linked, first, token)
                first, linked = None, ""
        elif act == BLANK:
            if first is not None:
                add(" ")
        elif act == ABOUT:
            if attributes is not None:
                laid.head.append(attributes)
        elif act == READING_END:
            if reading and first is not None:
                add(")")
            reading = False
        else:  # IMAGE or INPUT
            shown = attribute.alternative(attributes) if act == IMAGE else attribute.value(attributes)
            if visible(shown):
                first = token if first is None else first
                add(shown if act == IMAGE else f" {shown} ")
                if link:
                    linked += shown
    if first is not None:
        add("\0")
        marks += (place, linked, first, token)
    laid.text = "".join(out)
