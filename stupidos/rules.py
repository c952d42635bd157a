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
    r"\W{0,9}(?:copyright\W{1,9}(?:19|20)\d\d\b|(?:copyright\s)?\W{0,9}(?:©|\(c\)).{0,80}?"
    r"(?:\b(?:19|20)\d\d\b|rights reserved)|©.{1,80}\Z)",
    re.IGNORECASE,
)
RESERVED = re.compile(r"(?:©|\(c\)|copyright|\b(?:19|20)\d\d\b).{0,120}\brights reserved", re.IGNORECASE)
POLICY = re.compile(
    r"(?:our |view |see |read (?:our )?)?(?:terms (?:and|&) conditions|terms of (?:use|service|sale)|"
    r"privacy (?:policy|statement|notice|and cookies)|cookies? (?:policy|statement|settings|preferences)|"
    r"legal (?:notices?|disclaimer|information)|site ?map|accessibility statement)"
)
SKIP = re.compile(
    r"(?:skip|jump) (?:directly )?(?:(?:to|over|past) )?(?:the )?(?:main |page |site |primary )?"
    r"(?:content|navigation|search|menu|body|text|links)\b.{0,20}"
)
TOP = re.compile(
    r"(?:back|return|go|jump) to (?:the )?top(?: of (?:the |this )?page)?|top of (?:the |this )?page"
)
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
SCRIPT = re.compile(
    r"(?:enable|turn on|activate) javascript\b|javascript (?:is |must be |to be )?(?:disabled|enabled|turned off)"
)
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

    >>> copyright_line("© 2004 Acme Inc."), copyright_line("Copyright lasted 28 years in 1909.")
    (True, False)
    """
    return len(text) <= LONG and bool(COPYRIGHT.match(text) or RESERVED.search(text))


def symbols_only(text: str) -> bool:
    """Neither a letter nor a digit."""
    return not any(map(str.isalnum, text))


def phrase(pattern: re.Pattern[str], most: int = 60) -> Callable[[str], bool]:
    """Whether a short text is a stock phrase and nothing else but punctuation.

    >>> phrase(TOP)("^ Back to top ^"), phrase(TOP)("Back to top form")
    (True, False)
    """
    return lambda text: len(text) <= most and pattern.fullmatch(text.strip(EDGES).lower()) is not None


def mention(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    """Whether a text that is not long holds the pattern."""
    return lambda text: len(text) <= LONG and pattern.search(text.lower()) is not None


class Rule(NamedTuple):
    """A kind of boilerplate, by name."""

    name: str
    broken: Callable[[str], bool]
    cues: tuple[str, ...]  # lower case; a text without any of them keeps the rule


RULES = (
    Rule("separator_bar", separator_bar, ("|", "¦", "│", "»", "›", "·", "•", "∙", " > ", " :: ")),
    Rule("bracket_bar", bracket_bar, ("[",)),
    Rule("copyright_line", copyright_line, ("©", "(c)", "copyright", "rights reserved")),
    Rule("policy_link", phrase(POLICY), ("privacy", "terms ", "cookie", "legal ", "site map", "sitemap")),
    Rule("skip_link", phrase(SKIP), ("skip ", "jump ")),
    Rule("top_link", phrase(TOP), ("to top", "the top", "top of")),
    Rule("print_link", phrase(PRINT), ("print", "mail", "friend", "send ")),
    Rule("share_link", phrase(SHARE), ("share", "tweet", "follow", "like ", "find us", "join us")),
    Rule("powered_by", phrase(POWERED), ("powered by",)),
    Rule("advertisement_label", phrase(ADVERTISEMENT), ("advertise", "sponsored")),
    Rule("script_notice", mention(SCRIPT), ("javascript",)),
    Rule("cookie_notice", mention(COOKIES), ("cookies",)),
    Rule("browser_notice", mention(VIEWED), ("best viewed", "best experienced")),
    Rule("symbols_only", symbols_only, ()),
)
NAMES = frozenset(rule.name for rule in RULES)
WORDLESS = re.compile(rf"(?<=\0)[^\w\0]*+(?=\0)")


def broken_rules(segments: Sequence[Segment], off: frozenset[str] = frozenset()) -> list[str]:
    """Name of the first rule each segment breaks, "" if it breaks none; those in `off` do not count.

    >>> broken_rules([Segment("Home | News | Contact"), Segment("It rained."), Segment("***")])
    ['separator_bar', '', 'symbols_only']
    """
    names = [""] * len(segments)
    texts = [segment[0] for segment in segments]
    page = f"{END}{END.join(texts)}{END}"
    lowered = page.lower()
    if len(lowered) != len(page):  # a few letters, such as the Turkish İ, become two
        texts = [text.lower() for text in texts]
        lowered = f"{END}{END.join(texts)}{END}"
    ends = list(accumulate(map(len, texts), lambda end, length: end + length + 1, initial=1))
    for rule in RULES:
        if rule.name in off:
            continue
        for number in _cued(rule, lowered, ends):
            if not names[number] and rule.broken(segments[number].text):
                names[number] = rule.name
    return names


def _cued(rule: Rule, page: str, ends: list[int]) -> Iterator[int]:
    """Numbers of the segments that hold a cue of `rule`. A search of the whole page costs a tenth of a loop."""
    if not rule.cues:
        yield from (bisect_right(ends, match.start()) - 1 for match in WORDLESS.finditer(page))
    for cue in rule.cues:
        at = page.find(cue)
        while at >= 0:
            number = bisect_right(ends, at) - 1
            yield number
            at = page.find(cue, ends[number + 1])
