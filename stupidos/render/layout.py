"""Tags and text to segments: one pass over the page, each tag touched once.

The loop collects all text in one list with a NUL where a segment ends; references, white space and
control characters are then dealt with once for the whole page, which C does faster than any loop
over segments (see segments.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from stupidos.page import Place
from stupidos.render import attributes as attribute
from stupidos.render.options import RenderOptions
from stupidos.render.tags import (
    BOUNDARY,
    BREAK,
    CELLS,
    ENDS,
    FALLBACKS,
    HEADINGS,
    IMAGE,
    INLINE,
    INPUT,
    ITEMS,
    LINK,
    LINK_END,
    OWN,
    PRE_END,
    PREFORMATTED,
    RULE,
    SCOPES,
    SKIP,
    TAGS,
    acts_under,
)
from stupidos.render.tokens import RAW_ELEMENT

SEGMENT_END, KEPT_BREAK, KEPT_BLANK = "\0", "\1", "\2"  # removed from pages before they come here

# What a place knows of the elements around it, inherited by those inside: three bits of heading
# level, four of list depth, then these.
LEVEL, DEPTH, DEPTH_UNIT = 0b111, 0b1111000, 0b1000
HIDDEN, CELL = 1 << 7, 1 << 8

ROOT: Place = (None, "", None, 0, 0)
FAR = 256  # open elements looked through for the one an end tag means

Triples = Iterator[tuple[str, str | None, str | None]]


@dataclass(slots=True)
class Laid:
    """What the loop found on a page."""

    text: str = ""  # of all segments, each ended by SEGMENT_END
    # Of each segment: place, characters inside links, pieces left when it began and when it ended.
    marks: list[tuple[Place, int, int, int]] = field(default_factory=list)
    title: str | None = None  # as written
    counters: dict[int, int] = field(default_factory=dict)  # serial of an <ol> -> number of its last item
    numbers: dict[int, int] = field(default_factory=dict)  # serial of an <li> in it -> its number
    kept_space: bool = False  # some text stood in <pre>
    unclosed: str = ""  # a skipped element that never ended: lay out again without skipping it


def without(place: Place, tag: str) -> Place:
    """The place an end tag leaves us at: outside the element it ends, if that is open at all."""
    at, wanted = place, HEADINGS if tag in HEADINGS else (tag,)
    for _ in range(FAR):
        if at[0] is None:
            break
        if at[1] in wanted:
            return at[0]
        if at[1] in SCOPES and tag not in SCOPES:
            break
        at = at[0]
    return place


def opened_after(place: Place, tag: str) -> Place:
    """The place where `tag` opens, outside the elements that it ends by opening."""
    ends, stops = ENDS[tag]
    at = place
    for _ in range(FAR):
        if at[0] is None or at[1] in stops:
            break
        if at[1] in ends:
            return at[0]
        at = at[0]
    return place


def own_block(place: Place, tag: str, attributes: str | None, serial: int, laid: Laid) -> Place:
    """The place inside a block element that does more than begin a paragraph."""
    if tag in ENDS:
        place = opened_after(place, tag)
    elif tag == "body" and place[1] == "head" and place[0] is not None:
        place = place[0]
    state = place[4]
    if attributes is not None and ("idden" in attributes or "none" in attributes or "heading" in attributes):
        state = attribute.state(attributes, state)
    if tag in HEADINGS:
        state = (state & ~LEVEL) | HEADINGS[tag]
    elif tag in ITEMS:
        state = (state & ~LEVEL) + (DEPTH_UNIT if state & DEPTH < DEPTH else 0)
        if place[1] == "ol":
            number = attribute.number(attributes) if attributes else None
            if number is None and place[3] not in laid.counters:
                number = attribute.number(place[2]) if place[2] else None
            if number is None:
                number = laid.counters.get(place[3], 0) + 1
            laid.counters[place[3]] = laid.numbers[serial] = number
    elif tag in CELLS:
        state |= CELL
    elif tag in FALLBACKS:
        state |= HIDDEN
    elif tag in PREFORMATTED:
        laid.kept_space = True
    return (place, tag, attributes, serial, state)


def skipped(triples: Triples, name: str) -> bool:
    """Read on to the end tag of `name`; False if the page ended first."""
    name = name.lower()
    end, depth = "/" + name, 1
    for _, other, _ in triples:
        if other is None or len(other) > len(end):
            continue
        other = other.lower()
        if other == end:
            depth -= 1
            if not depth:
                return True
        elif other == name:
            depth += 1
    return False


def kept_space(text: str) -> str:
    """Preformatted text with its white space made safe from squeezing."""
    return text.expandtabs().replace("\r\n", "\n").replace("\n", KEPT_BREAK).replace(" ", KEPT_BLANK)


def unusual(name: str, laid: Laid, options: RenderOptions, add: Callable[[str], None]) -> int:
    """The act of a name that the table does not hold as written, such as "dIV" or "my-card".

    A raw-text element comes here too, with its text behind its name.
    """
    raw = RAW_ELEMENT.match(name)
    if raw is None or raw[1].lower() not in ("title", "textarea", "xmp", "plaintext"):
        return acts_under(options).get(name.lower(), 0 if name[0] == "/" else INLINE)
    tag, text = raw[1].lower(), name[raw.end() :]
    if tag == "title":
        laid.title = text if laid.title is None else laid.title
    elif tag == "textarea":
        add(text if options.controls else " ")
    else:
        laid.kept_space = True
        add(KEPT_BREAK + kept_space(text).replace("&", "&amp;"))
    return 0


# The hot loop: 2,600 tags a page, so it is one function. A call for each tag would double its time.
def laid_out(pieces: list[str | None], options: RenderOptions, unclosed: set[str] | None) -> Laid:
    """Lay out a page split by tokens.SPLIT, to which a last (None, None) has been added.

    Elements named in `unclosed` are not skipped, as they never end; with None none is.
    """
    laid = Laid()
    out: list[str] = [""]
    add, mark, acts, tags = out.append, laid.marks.append, acts_under(options).get, TAGS
    iterator = iter(pieces)
    left = iterator.__length_hint__
    triples: Triples = zip(iterator, iterator, iterator)  # type: ignore[arg-type]
    place, p = ROOT, tags[tags.index("p")]
    serial = linked = first = 0
    link = pre = False
    for text, name, attributes in triples:
        if text:
            if pre:
                first = first or left() + 1
                add(kept_space(text))
            elif text.isspace():
                if first:
                    add(" ")
            else:
                if not first:
                    first = left() + 1
                add(text)
                if link:
                    linked += len(" ".join(text.split())) if "\n" in text or "  " in text else len(text)
        act = acts(name)
        if not act:
            if act is None:
                size = len(out)
                act = unusual(name, laid, options, add)  # type: ignore[arg-type]
                if len(out) > size:
                    first = first or left() + 1
            if not act:
                continue
        if act < BOUNDARY:
            if first:
                add("\0")
                mark((place, linked, first, left()))
                first = linked = 0
            if act < 0:
                place = place[0] if place[1] is tags[act] else without(place, tags[act])  # type: ignore[assignment]
            elif act < OWN:
                if place[1] is p:
                    place = place[0]  # type: ignore[assignment]
                serial += 1
                if attributes is not None and (
                    "idden" in attributes or "none" in attributes or "heading" in attributes
                ):
                    place = (place, tags[act], attributes, serial, attribute.state(attributes, place[4]))
                else:
                    place = (place, tags[act], attributes, serial, place[4])
            elif act < RULE:
                if place[1] is p:
                    place = place[0]  # type: ignore[assignment]
                serial += 1
                place = own_block(place, tags[act], attributes, serial, laid)
                pre = pre or tags[act] in PREFORMATTED
            elif act == PRE_END:
                pre = False
                place = without(place, name[1:].lower())  # type: ignore[index]
        elif act == LINK_END:
            link = False
        elif act == BREAK:
            if not first:
                continue
            if pre or (options.br == "line" and out[-1] != "\1" and not (out[-1] == " " and out[-2] == "\1")):
                add("\1")
            else:
                add("\0")
                mark((place, linked, first, left()))
                first = linked = 0
        elif act == IMAGE or act == INPUT:
            shown = attribute.alternative(attributes) if act == IMAGE else attribute.value(attributes)
            if shown:
                first = first or left() + 1
                add(shown)
        else:  # INLINE, LINK and SKIP can hide what they hold
            hides = act == SKIP
            if attributes is not None:
                if act == LINK:
                    link = "href" in attributes or "HREF" in attributes
                elif hides and attributes[-1:] == "/" and name == "svg":
                    hides = False
                if not hides and ("idden" in attributes or "none" in attributes) and not options.hidden:
                    hides = attribute.hides(attributes)
            if hides and unclosed is not None and name not in unclosed and not skipped(triples, name):  # type: ignore[arg-type]
                laid.unclosed = name or ""
                return laid
            if hides and act == LINK:
                link = False
    if first:
        add("\0")
        mark((place, linked, first, 0))
    laid.text = "".join(out)
    return laid
