"""What each HTML element does to the layout: a table, no switch.

Every known tag name has an act, a small number. 0 does nothing; the acts below OPEN close a block
element, those below OWN open one, those below RULE open one that needs more than that; all acts below
BOUNDARY end the segment before them, from BOUNDARY on are the acts inside a segment.
"""

from __future__ import annotations

from functools import cache

from stupidos.render.options import RenderOptions

_PLAIN_BLOCKS = (
    "html div p section article main aside nav header footer form fieldset blockquote center "
    "figure figcaption address details summary ul ol dl menu dir table caption "
    "hgroup search dialog frameset legend optgroup multicol"
).split()
_OWN_BLOCKS = (
    "li dt dd body thead tbody tfoot tr td th h1 h2 h3 h4 h5 h6 pre listing noscript noframes"
).split()
BLOCKS = [*_PLAIN_BLOCKS, *_OWN_BLOCKS]
OPEN = len(BLOCKS) + 1
OWN = OPEN + len(_PLAIN_BLOCKS)
RULE = OPEN + len(BLOCKS)
BOUNDARY = RULE + 1
LAST_ITEM = OWN + _OWN_BLOCKS.index("dd")  # li, dt and dd are the first of their kind
INLINE, LINK, SKIP, LINK_END, BREAK, BLANK, ABOUT, IMAGE, INPUT = range(BOUNDARY, BOUNDARY + 9)

TAGS = ["", *BLOCKS, *BLOCKS]  # act -> name of the block element that it closes or opens
P = TAGS[TAGS.index("p")]  # ended by any block element inside it

_INLINE_TAGS = (
    "span b i em strong u s small big font sub sup code tt kbd samp var cite q abbr acronym dfn ins del "
    "mark time data label bdi bdo ruby rb rt rp rtc nobr blink strike marquee map output meter progress "
    "picture slot math mrow mi mo mn"
).split()
# Elements whose content is no text of the page, skipped up to their end tag.
SKIPPED = "svg template iframe video audio canvas object applet annotation noembed".split()
CONTROLS = "select button datalist".split()  # skipped unless form controls are asked for
ABOUTS = ("meta", "link")  # they tell of the page
NOTHING = "base param source track col colgroup area embed wbr path g use img".split()
# They end a segment and open nothing: a <head> holds no text of its own, so what stands in it is the body's.
RULES = "hr head /head option".split()

# An end tag acts within the innermost of these, unless it is one of their own or of a table's parts.
SCOPES = frozenset(("table", "td", "th", "caption", "html", "body"))
_TABLE_PARTS = frozenset(("td", "th", "tr", "thead", "tbody", "tfoot", "caption"))
TABLE, PAGE = frozenset(("table",)), frozenset(("table", "html", "body"))
ITEMS, CELLS = frozenset(("li", "dt", "dd")), frozenset(("td", "th"))
SECTIONS = frozenset(("thead", "tbody", "tfoot"))
FALLBACKS = frozenset(("noscript", "noframes"))  # shown only when there is nothing else
PREFORMATTED = frozenset(("pre", "listing"))
LISTS = frozenset(("ul", "ol", "menu", "dir", "dl"))
HEADINGS = {f"h{level}": level for level in range(1, 7)}

# What a place knows of the elements around it is inherited by those inside, as bits: three of heading
# level, four of list depth, then these.
LEVEL, DEPTH, DEPTH_UNIT = 0b111, 0b1111000, 0b1000
HIDDEN, CELL, PRE = 1 << 7, 1 << 8, 1 << 9
STATES = 1 << 10

# Opening the element on the left ends the open elements on the right, up to the nearest stop.
ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset(("li",)), SCOPES | LISTS),
    "dt": (frozenset(("dt", "dd")), SCOPES | LISTS),
    "dd": (frozenset(("dt", "dd")), SCOPES | LISTS),
    "td": (CELLS, PAGE | {"tr"}),
    "th": (CELLS, PAGE | {"tr"}),
    "tr": (frozenset(("tr",)), PAGE | SECTIONS),
    **dict.fromkeys(SECTIONS, (SECTIONS, PAGE)),
    **dict.fromkeys(HEADINGS, (frozenset(HEADINGS), frozenset(BLOCKS) - frozenset(HEADINGS))),
}
# ... and sets these bits of its state.
BITS = {
    **HEADINGS,
    **dict.fromkeys(CELLS, CELL),
    **dict.fromkeys(FALLBACKS, HIDDEN),
    **dict.fromkeys(PREFORMATTED, PRE),
}
ANY: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset(("", *BLOCKS)))
# The same by act: what it ends, the stops, bits cleared, bits set.
OWN_ACTS = [(*ANY, 0, 0)] * OWN + [
    (*ENDS.get(tag, ANY), ~LEVEL if tag in HEADINGS or tag in ITEMS else ~0, BITS.get(tag, 0))
    for tag in _OWN_BLOCKS
]


def stops(tag: str) -> frozenset[str]:
    """The elements that the end tag of `tag` cannot reach out of."""
    return TABLE if tag in _TABLE_PARTS else frozenset() if tag in SCOPES else SCOPES


@cache
def acts_under(options: RenderOptions) -> dict[str | None, int]:
    """The act of every known tag, in small letters, capitals and with one capital."""
    table: dict[str, int] = {}
    for act, tag in enumerate(BLOCKS, 1):
        table["/" + tag], table[tag] = act, OPEN - 1 + act
    inline = 0 if options.hidden else INLINE  # which can only hide what it holds
    controls = inline if options.controls else SKIP
    known = (_INLINE_TAGS, inline), (SKIPPED, SKIP), (CONTROLS, controls), (ABOUTS, ABOUT), (NOTHING, 0)
    for tags, act in known:
        table.update(dict.fromkeys(tags, act))
        table.update(dict.fromkeys(("/" + tag for tag in tags), 0))
    table |= {"a": LINK, "/a": LINK_END, "br": BREAK, "/br": BREAK, "/hr": 0, "/option": 0}
    table |= dict.fromkeys(RULES, RULE)
    table["input"] = INPUT if options.controls else BLANK
    if options.alt:
        table["img"] = IMAGE
    acts: dict[str | None, int] = {None: 0}
    for tag, act in table.items():
        acts[tag] = acts[tag.upper()] = acts[tag.title()] = act
    return acts
