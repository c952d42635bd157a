"""Where sentences end, for any language: a mark at the end, a blank, and something that can begin the next.

No tagger and no model: a full stop does not end a sentence after an initial, a common abbreviation or an
ordinal number, nor before a lower-case letter.
"""

from __future__ import annotations

import re

_OPENING = "\"'“”„«‹»›¿¡([{‚‘’「『《（–—-"
_CLOSING = "\"'”“»«›‹’)\\]}」』》）"
# Full stops, question and exclamation marks of the scripts that use them.
_END = re.compile(
    rf"""(?:[.!?…]++[{_CLOSING}]*+(?=\s)|[।॥؟۔։።]++[{_CLOSING}]*+|[。！？｡]++[{_CLOSING}]*+|\n)""",
)
_LAST_WORD = re.compile(r"[^\s(\[\"'“„«]*\Z")
_ORDINAL = re.compile(r"\d{1,2}\Z")
_INITIAL = re.compile(r"(?:^|[.\-])\w\Z")  # "J", or the last letter of "z.B" and "J.-P"
_LONGEST_WORD = 40  # characters looked at before a full stop

_ABBREVIATIONS = frozenset(
    # English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Russian
    "mr mrs ms dr prof sr jr st vs etc inc ltd co corp no vol fig figs ed eds pp al cf ca approx dept est "
    "gen gov hon jan feb mar apr jun jul aug sep sept oct nov dec mt rev sen rep capt col lt sgt viz ie eg "
    "bzw ggf usw vgl bspw sog evtl inkl exkl nr str abb bd hrsg jh jhd mio mrd tel zzgl hl kap sek std "
    "mme mlle mgr art chap env éd "
    "sra dra ud uds av pág págs núm ej "
    "sig dott avv ing pag "
    "dhr mevr blz bijv enz "
    "np tzn tj itp itd ul im wg "
    "им ул тел стр рис др пр гг вв руб млн млрд тыс".split()
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the blanks between them.

    >>> sentences("Dr. Wu left at 5 p.m. on the 3. May. Did she? “Yes.” So it was.")
    ['Dr. Wu left at 5 p.m. on the 3. May.', 'Did she?', '“Yes.”', 'So it was.']
    >>> sentences("雨が降った。寒い。")
    ['雨が降った。', '寒い。']
    """
    parts: list[str] = []
    start = 0
    for mark in _END.finditer(text):
        if _ends_sentence(text, mark):
            parts.append(text[start : mark.end()].strip())
            start = mark.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def _ends_sentence(text: str, mark: re.Match[str]) -> bool:
    """Whether a sentence ends at such a mark."""
    if mark[0][0] not in ".!?…":
        return True
    following = text[mark.end() : mark.end() + 3].lstrip().lstrip(_OPENING)[:1]
    if following.islower():
        return False
    if mark[0][0] != "." or mark[0].startswith(".."):
        return True
    before = text[max(mark.start() - _LONGEST_WORD, 0) : mark.start()]
    word = _LAST_WORD.search(before)
    last = word[0] if word else ""
    return not (_ORDINAL.match(last) or _INITIAL.search(last) or last.lower() in _ABBREVIATIONS)
