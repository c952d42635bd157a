"""Boilerplate that needs no model: bars of links, copyright lines and the like, each a named rule.

Third step of the paper's pipeline (section 3.1). Only the unmistakable: on the CLEANEVAL pages every rule fires
on at least ten times as many segments outside the gold standard as inside.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from stupidos.page import Segment

LONG = 200  # characters; what is longer is prose, or at least not ours to judge
LONG_BAR = 400
LONG_FIELD = 40
END = "\0"  # between the texts of a page when they are searched as one

SEPARATORS = (  # what separates the fields of a bar, and how many fields it takes to be sure
    (re.compile(r"\s*[|¦│]+\s*"), 3),
    (re.compile(r"\s*[»›]+\s*"), 3),
    (re.compile(r"\s*[·•∙]+\s*"), 4),
    (re.compile(r"\s+(?:::|>)\s+"), 3),
)
LETTERS = re.compile(r"[^\W\d_]{2}")
BRACKETS = re.compile(r"(?:\[[^\[\]]{1,40}\]\s{0,3}){2,}")
COPYRIGHT = re.compile(
    r"\W{0,9}(?:©|\(c\)|copyright\b|&copy;?).{0,80}?(?:\b(?:19|20)\d\d\b|rights reserved)", re.IGNORECASE
)
RESERVED = re.compile(r"(?:©|\(c\)|copyright|\b(?:19|20)\d\d\b).{0,120}\brights reserved", re.IGNORECASE)
POLICY = re.compile(
    r"(?:our |view |see |read (?:our )?)?(?:terms (?:and|&) conditions|terms of (?:use|service|sale)|"
    r"privacy (?:policy|statement|notice|and cookies)|cookies? (?:policy|statement|settings|preferences)|"
    r"legal (?:notices?|disclaimer|information)|site ?map|accessibility statement)"
)
SKIP = re.compile(r"(?:skip|jump) (?:directly )?(?:to|over|past) (?:the )?(?:main |page |site |primary )?(?:content|navigation|search|menu|body|text|links)\b.{0,20}")  # noqa: E501
TOP = re.compile(r"(?:back|return|go|jump) to (?:the )?top(?: of (?:the |this )?page)?|top of (?:the |this )?page")
PRINT = re.compile(
    r"print(?:er[- ]friendly|able)?(?: (?:this|the))?(?: (?:page|article|story|version))|"
    r"(?:e-?mail|send) (?:this )?(?:page|article|story)?(?: ?to a friend)?|"
    r"printer[- ]friendly(?: format)?|(?:tell|send to|email to) a friend"
)
SHARE = re.compile(
    r"(?:share|tweet|follow|like|find|join)(?: (?:this|us|it))?(?: (?:on|via|to|with))? "
    r"(?:facebook|twitter|linkedin|pinterest|whatsapp|reddit|instagram|youtube|e-?mail|x)"
)
POWERED = re.compile(r"(?:proudly |site )?powered by\W{1,3}\w.{0,30}")
ADVERTISEMENT = re.compile(r"(?:advertisements?|advertise(?:ment)? here|sponsored (?:links?|content|by))")
SCRIPT = re.compile(r"(?:enable|turn on|activate|requires?) javascript\b|javascript (?:is |must be )?(?:disabled|enabled|turned off)")  # noqa: E501
COOKIES = re.compile(r"\b(?:we|this (?:web ?)?site|our (?:web ?)?site) uses? (?:\w+ )?cookies\b")
VIEWED = re.compile(r"\bbest (?:viewed|experienced) (?:with|in|at|using|on)\b")
EDGES = " \t\n.,:;!?-–—*»«›‹>^[]()|·•…↑"


def separator_bar(text: str) -> bool:
    """Short fields with separators between, such as "Home | News | Contact".

    >>> separator_bar("Home | News | Contact"), separator_bar("Either this | or that.")
    (True, False)
    """
    if len(text) > LONG_BAR or text[-1:] in ".!?":
        return False
    for separator, enough in SEPARATORS:
        fields = separator.split(text)
        if len(fields) >= enough:
            full = [field for field in fields if field]
            worded = sum(1 for field in full if LETTERS.search(field))
            return bool(full) and worded * 2 >= len(full) and max(map(len, full)) <= LONG_FIELD
    return False


def bracket_bar(text: str) -> bool:
    """Nothing but fields in brackets: "[Home] [Up] [Next]"."""
    return len(text) <= LONG_BAR and BRACKETS.fullmatch(text) is not None


def copyright_line(text: str) -> bool:
    """A copyright notice, not a sentence about copyright.

    >>> copyright_line("© 2004 Acme Inc."), copyright_line("Copyright lasted 28 years in 1909, and many authors...")
    (True, False)
    """
    return len(text) <= LONG and bool(COPYRIGHT.match(text) or RESERVED.search(text))


def symbols_only(text: str) -> bool:
    """Neither a letter nor a digit."""
    return not any(map(str.isalnum, text))
