"""Table of what each HTML tag does to the layout.

Every known tag name maps to an action code ("act"). 0 does nothing. Acts below OPEN close a block element,
acts from OPEN to OWN open a plain block, acts from OWN to RULE open a block with extra effects. All acts
below BOUNDARY end the current segment; acts from BOUNDARY on stay inside it.
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
LAST_ITEM = OWN + _OWN_BLOCKS.index("dd")  # li, dt and dd come first among the blocks with extra effects
INLINE, LINK, RAISED, READING, FORMULA, SKIP = range(BOUNDARY, BOUNDARY + 6)  # may hide what they hold
LINK_END, BREAK, BLANK, ABOUT, IMAGE, INPUT, READING_END = range(SKIP + 1, SKIP + 8)

TAGS = ["", *BLOCKS, *BLOCKS]  # act -> the block element it closes or opens
P = TAGS[TAGS.index("p")]  # closed by any block element inside it

_INLINE_TAGS = (
    "span b i em strong u s small big font sub code tt kbd samp var cite q abbr acronym dfn ins del "
    "mark time data label bdi bdo ruby rb rp rtc nobr blink strike marquee map output meter progress "
    "picture slot mrow mi mo mn noindex spacer o:p"
).split()
_DRAWING_TAGS = (  # of SVG; its names are written in camel case
    "circle clipPath defs ellipse filter image line linearGradient mask polygon polyline radialGradient rect "
    "stop symbol text tspan"
).split()
# Elements whose content is not text of the page; they are skipped up to their end tag.
SKIPPED = "svg template iframe video audio canvas object applet annotation annotation-xml noembed".split()
CONTROLS = "select button datalist".split()  # skipped unless RenderOptions.controls is set
_ABOUTS = ("meta", "link")  # metadata of the page
_NOTHING = "base param source track col colgroup area embed wbr path g use img".split()
# These end a segment and open no element. <head> is one of them: text inside it belongs to the body.
_RULES = "hr head /head option".split()

# An end tag has no effect outside the innermost of these, unless it is their own or that of a table part.
_SCOPES = frozenset(("table", "td", "th", "caption", "html", "body"))
_TABLE_PARTS = frozenset(("td", "th", "tr", "thead", "tbody", "tfoot", "caption"))
_TABLE, _PAGE = frozenset(("table",)), frozenset(("table", "html", "body"))
ITEMS, CELLS = frozenset(("li", "dt", "dd")), frozenset(("td", "th"))
_SECTIONS = frozenset(("thead", "tbody", "tfoot"))
_FALLBACKS = frozenset(("noscript", "noframes"))  # shown only if the page has no other text
PREFORMATTED = frozenset(("pre", "listing"))
LISTS = frozenset(("ul", "ol", "menu", "dir", "dl"))
HEADINGS = {f"h{level}": level for level in range(1, 7)}

# State of a place, inherited by the elements inside it, as bits: three for the heading level, four for the
# list depth, then one flag each.
LEVEL, DEPTH, DEPTH_UNIT = 0b111, 0b1111000, 0b1000
HIDDEN, CELL, PRE = 1 << 7, 1 << 8, 1 << 9
STATES = 1 << 10

# Opening the element on the left closes the first set of open elements, up to the nearest of the second set.
ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset(("li",)), _SCOPES | LISTS),
    "dt": (frozenset(("dt", "dd")), _SCOPES | LISTS),
    "dd": (frozenset(("dt", "dd")), _SCOPES | LISTS),
    "td": (CELLS, _PAGE | {"tr"}),
    "th": (CELLS, _PAGE | {"tr"}),
    "tr": (frozenset(("tr",)), _PAGE | _SECTIONS),
    **dict.fromkeys(_SECTIONS, (_SECTIONS, _PAGE)),
    **dict.fromkeys(HEADINGS, (frozenset(HEADINGS), frozenset(BLOCKS) - frozenset(HEADINGS))),
}
# ... and sets these state bits.
_BITS = {
    **HEADINGS,
    **dict.fromkeys(CELLS, CELL),
    **dict.fromkeys(_FALLBACKS, HIDDEN),
    **dict.fromkeys(PREFORMATTED, PRE),
}
_ANY: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset(("", *BLOCKS)))
# The same by act: elements closed, elements that limit the search, mask of kept bits, bits set.
OWN_ACTS = [(*_ANY, 0, 0)] * OWN + [
    (*ENDS.get(tag, _ANY), ~LEVEL if tag in HEADINGS or tag in ITEMS else ~0, _BITS.get(tag, 0))
    for tag in _OWN_BLOCKS
]


def stops(tag: str) -> frozenset[str]:
    """The elements beyond which the end tag of `tag` has no effect."""
    return _TABLE if tag in _TABLE_PARTS else frozenset() if tag in _SCOPES else _SCOPES


@cache
def acts_under(options: RenderOptions) -> dict[str | None, int]:
    """The act of every known tag, in lower, upper and title case."""
    table: dict[str, int] = {}
    for act, tag in enumerate(BLOCKS, 1):
        table["/" + tag], table[tag] = act, OPEN - 1 + act
    # An inline element can only hide its content.
    inline = 0 if options.hidden and not options.aria_hidden else INLINE
    controls = inline if options.controls else SKIP
    known = (
        ([*_INLINE_TAGS, *_DRAWING_TAGS], inline), (SKIPPED, SKIP), (CONTROLS, controls), (_ABOUTS, ABOUT),
        (_NOTHING, 0),
    )  # fmt: skip
    for tags, act in known:
        table.update(dict.fromkeys(tags, act))
        table.update(dict.fromkeys(("/" + tag for tag in tags), 0))
    table |= {"sup": RAISED, "/sup": 0, "rt": READING, "/rt": READING_END, "/ruby": READING_END}
    table |= {"math": FORMULA, "/math": 0}
    table |= {"a": LINK, "/a": LINK_END, "br": BREAK, "/br": BREAK, "/hr": 0, "/option": 0}
    table |= dict.fromkeys(_RULES, RULE)
    table["input"] = INPUT if options.controls else BLANK
    if options.alt:
        table["img"] = IMAGE
    acts: dict[str | None, int] = {None: 0}
    for tag, act in table.items():
        acts[tag] = acts[tag.lower()] = acts[tag.upper()] = acts[tag.title()] = act
    return acts
