"""What each HTML element does to the layout: a table, no switch.

Every known tag name has an act, a small number. 0 does nothing; 1 to OWN - 1 open a block element,
OWN to RULE - 1 open one that needs more than that, and the negative of either closes it; up to
BOUNDARY all acts end the segment before them; from BOUNDARY on are the acts inside a segment.
"""

from __future__ import annotations

from functools import lru_cache

from stupidos.render.options import RenderOptions

PLAIN_BLOCKS = (
    "html head div p section article main aside nav header footer form fieldset blockquote center "
    "figure figcaption address details summary ul ol dl menu dir table thead tbody tfoot caption "
    "hgroup search dialog frameset legend optgroup multicol"
).split()
OWN_BLOCKS = "body li dt dd tr td th h1 h2 h3 h4 h5 h6 pre listing noscript noframes".split()
BLOCKS = [*PLAIN_BLOCKS, *OWN_BLOCKS]
OWN = len(PLAIN_BLOCKS) + 1
RULE = len(BLOCKS) + 1
PRE_END = RULE + 1
BOUNDARY = PRE_END + 1
INLINE, LINK, LINK_END, BREAK, SKIP, IMAGE, INPUT = range(BOUNDARY, BOUNDARY + 7)

# TAGS[act] is TAGS[-act], the name of the block element that the act opens or closes.
TAGS = ["", *BLOCKS, *[""] * (BOUNDARY - RULE), *BLOCKS[::-1]]

INLINE_TAGS = (
    "span b i em strong u s small big font sub sup code tt kbd samp var cite q abbr acronym dfn ins del "
    "mark time data label bdi bdo ruby rb rt rp rtc nobr blink strike marquee map output meter progress "
    "picture slot math mrow mi mo mn"
).split()
# Elements whose content is no text of the page, skipped up to their end tag.
SKIPPED = "svg template iframe video audio canvas object applet annotation noembed".split()
CONTROLS = "select button datalist".split()  # skipped unless form controls are asked for
NOTHING = "meta link base param source track col colgroup area embed wbr path g use input img option".split()

SCOPES = frozenset(
    ("table", "td", "th", "caption", "template", "html", "body")
)  # an end tag acts only within
ITEMS, CELLS = frozenset(("li", "dt", "dd")), frozenset(("td", "th"))
FALLBACKS = frozenset(("noscript", "noframes"))  # shown only when there is nothing else
PREFORMATTED = frozenset(("pre", "listing"))
LISTS = frozenset(("ul", "ol", "menu", "dir", "dl"))
HEADINGS = {f"h{level}": level for level in range(1, 7)}

# Opening the element on the left ends the open elements on the right, up to the nearest stop.
ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset(("li",)), SCOPES | LISTS),
    "dt": (frozenset(("dt", "dd")), SCOPES | LISTS),
    "dd": (frozenset(("dt", "dd")), SCOPES | LISTS),
    "td": (frozenset(("td", "th")), frozenset(("table", "tr", "html", "body"))),
    "th": (frozenset(("td", "th")), frozenset(("table", "tr", "html", "body"))),
    "tr": (frozenset(("tr",)), frozenset(("table", "html", "body"))),
}


@lru_cache(maxsize=None)
def acts_under(options: RenderOptions) -> dict[str | None, int]:
    """The act of every known tag, in small letters, capitals and with one capital."""
    table: dict[str, int] = {}
    for act, tag in enumerate(BLOCKS, 1):
        table[tag], table["/" + tag] = act, -act
    controls = INLINE if options.controls else SKIP
    for tags, act in ((INLINE_TAGS, INLINE), (SKIPPED, SKIP), (CONTROLS, controls), (NOTHING, 0)):
        table.update(dict.fromkeys(tags, act))
        table.update(dict.fromkeys(("/" + tag for tag in tags), 0))
    table |= {
        "/pre": PRE_END,
        "/listing": PRE_END,
        "a": LINK,
        "/a": LINK_END,
        "hr": RULE,
        "/hr": 0,
        "br": BREAK,
        "/br": BREAK,
    }
    if options.alt:
        table["img"] = IMAGE
    if options.controls:
        table |= {"input": INPUT, "option": RULE}
    acts: dict[str | None, int] = {None: 0}
    for tag, act in table.items():
        acts[tag] = acts[tag.upper()] = acts[tag.title()] = act
    return acts
